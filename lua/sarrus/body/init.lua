--- Bodies: `body.rod { "crank", from = {0, 0}, to = {0, 1}, mass = 1 }`.
---
--- The name stands first.  Places are those of the drawing, in world axes; two numbers make a
--- planar model, three a spatial one.

---@class sarrus.BodyFields
---@field [1] string the name
---@field mass sarrus.Scalar?
---@field density sarrus.Scalar? in place of mass; per area for flat planar shapes
---@field velocity sarrus.Scalar[]? of the centre of mass, at the start
---@field spin sarrus.Scalar|sarrus.Scalar[]? at the start; a vector in world axes
---@field color string|number[]? a name, "#rrggbb", or red, green, blue from 0 to 1
---@field angle sarrus.Scalar? planar; of all but rods and points
---@field orientation table? spatial: {w, x, y, z}, { axis =, angle = } or a matrix

---@class sarrus.RigidFields: sarrus.BodyFields
---@field position sarrus.Scalar[] of the centre of mass
---@field inertia sarrus.Scalar|table about it; {Ixx, Iyy, Izz} or a 3x3 matrix in body axes

---@class sarrus.RodFields: sarrus.BodyFields
---@field from sarrus.Scalar[]
---@field to sarrus.Scalar[]
---@field radius sarrus.Scalar? thin if not given

---@class sarrus.BoxFields: sarrus.BodyFields
---@field position sarrus.Scalar[]
---@field size sarrus.Scalar[]

---@class sarrus.RoundFields: sarrus.BodyFields
---@field position sarrus.Scalar[]
---@field radius sarrus.Scalar
---@field length sarrus.Scalar? of disks and cylinders
---@field axis sarrus.Scalar[]? of disks and cylinders in space, default z; `orientation` turns it

---@class sarrus.PointFields: sarrus.BodyFields
---@field position sarrus.Scalar[]

---@class sarrus.body
---@field rigid fun(given: sarrus.RigidFields): sarrus.Part
---@field rod fun(given: sarrus.RodFields): sarrus.Part
---@field box fun(given: sarrus.BoxFields): sarrus.Part
---@field disk fun(given: sarrus.RoundFields): sarrus.Part
---@field cylinder fun(given: sarrus.RoundFields): sarrus.Part
---@field sphere fun(given: sarrus.RoundFields): sarrus.Part
---@field point fun(given: sarrus.PointFields): sarrus.Part

-- What a definition says -------------------------------------------------------------------------

---@class sarrus.BodyDefinition
---@field fields fun(dimension: integer): table[] what it takes besides those of all bodies
---@field build fun(checked): sarrus.BuiltBody its mass and shape, from the checked fields
---@field turns boolean whether it has an orientation; if not, it is a point
---@field oriented boolean? takes `angle` or `orientation`
---@field no_density boolean? `mass` has to be given
---@field check fun(checked, fault)? finds what fields do not show
---@field reaches (fun(shape, place, near): boolean)? whether its shape has a place; without it, any
---@field extent (fun(shape): number)? how far its shape goes from the centre of mass; 0
---@field slender boolean? drawn thin, and thinner still where it slides in another one
---@field round boolean? marked where it is drawn, so that one sees it turn

---@class sarrus.BuiltBody
---@field position sarrus.Scalar[] of the centre of mass
---@field mass sarrus.Scalar? if `checked` has none
---@field inertia sarrus.Scalar|table|nil about the centre of mass; in space a 3x3 matrix
---@field angle sarrus.Scalar? as drawn, in the plane; else what is given
---@field rotation table? as drawn, in space
---@field ends sarrus.Scalar[][]? where it is usually joined
---@field axis sarrus.Scalar[]? of what rolls about one
---@field shape { [1]: string, length?: sarrus.Scalar, radius?: sarrus.Scalar, size?: sarrus.Scalar[] }?

-- The family -------------------------------------------------------------------------------------

local declare = require "sarrus.model.part.declare"
local equations = require "sarrus.model.equations"
local families = require "sarrus.model.part.family"
local later = require "sarrus.base.later"
local lint = require "sarrus.model.part.lint"
local explain = later "sarrus.model.explain"

local axes = { [2] = { "x", "y" }, [3] = { "x", "y", "z" } }

local function channels(model)
  local vector = axes[model.dimension]
  local list = { { "position", "m", vector }, { "velocity", "m/s", vector } }
  if model.dimension == 2 then
    list[3], list[4], list[5] = { "x", "m" }, { "y", "m" }, { "angle", "rad" }
    list[6] = { "spin", "rad/s" }
  else
    list[3], list[4] = { "spin", "rad/s", vector }, { "rates", "rad/s", vector }
    list[5] = { "orientation", "", { "w", "x", "y", "z" }, numeric = true }
  end
  return list
end

return families.new {
  name = "body", stage = families.STAGES.body,
  types = { "rigid", "rod", "box", "disk", "cylinder", "sphere", "point" },
  synonyms = { cuboid = "box", particle = "point", link = "rod",
    capsule = "rod' with 'radius" },
  declare = declare.body, put = equations.put_body, line = later.call(explain, "body"),
  lint = lint.body, channels = channels,
}
