--- Bodies: `body.rod { "crank", from = {0, 0}, to = {0, 1}, mass = 1 }`.
---
--- The name stands first.  Places are those of the drawing, in world axes; two numbers make a planar
--- model, three a spatial one.

---@class sarrus.BodyFields
---@field [1] string the name
---@field mass sarrus.Scalar?
---@field density sarrus.Scalar? in place of mass; per area for flat planar shapes
---@field velocity sarrus.Scalar[]? of the centre of mass, at the start
---@field spin sarrus.Scalar|sarrus.Scalar[]? at the start; a vector in world axes
---@field color string|number[]? a name, "#rrggbb", or red, green, blue from 0 to 1
---@field angle number? planar; of all but rods and points
---@field orientation table? spatial: {w, x, y, z}, { axis =, angle = } or a matrix

---@class sarrus.RigidFields: sarrus.BodyFields
---@field position number[] of the centre of mass
---@field inertia sarrus.Scalar|table about it; {Ixx, Iyy, Izz} or a 3x3 matrix in body axes

---@class sarrus.RodFields: sarrus.BodyFields
---@field from number[]
---@field to number[]
---@field radius sarrus.Scalar? thin if not given

---@class sarrus.BoxFields: sarrus.BodyFields
---@field position number[]
---@field size number[]

---@class sarrus.RoundFields: sarrus.BodyFields
---@field position number[]
---@field radius sarrus.Scalar
---@field length sarrus.Scalar? of disks and cylinders
---@field axis number[]? of disks and cylinders in space, default z; `orientation` turns it

---@class sarrus.PointFields: sarrus.BodyFields
---@field position number[]

---@class sarrus.body
---@field rigid fun(given: sarrus.RigidFields): sarrus.Part
---@field rod fun(given: sarrus.RodFields): sarrus.Part
---@field box fun(given: sarrus.BoxFields): sarrus.Part
---@field disk fun(given: sarrus.RoundFields): sarrus.Part
---@field cylinder fun(given: sarrus.RoundFields): sarrus.Part
---@field sphere fun(given: sarrus.RoundFields): sarrus.Part
---@field point fun(given: sarrus.PointFields): sarrus.Part
return require "sarrus.model.part".family("body", {
  "rigid", "rod", "box", "disk", "cylinder", "sphere", "point",
})
