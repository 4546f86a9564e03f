--- Shapes: `shape.disk { "tyre", "wheel", at = {0, 0.3}, radius = 0.3 }`, fixed to a body or to the
--- ground.
---
--- The name stands first, then the body.  Places are those of the drawing.  Shapes are drawn, and
--- touch each other where a contact says so; they add no mass.  A body that is a box, disk, sphere,
--- cylinder or rod has that shape under its own name.

---@class sarrus.ShapeFields
---@field [1] string the name
---@field [2] string the body, or "ground"
---@field color string|number[]? a name, "#rrggbb", or red, green, blue from 0 to 1

---@class sarrus.SurfaceFields: sarrus.ShapeFields
---@field at sarrus.Scalar[] any place on it
---@field normal sarrus.Scalar[] away from the material

---@class sarrus.BallFields: sarrus.ShapeFields
---@field at sarrus.Scalar[] its middle
---@field radius sarrus.Scalar

---@class sarrus.BrickFields: sarrus.ShapeFields
---@field at sarrus.Scalar[] its middle
---@field size sarrus.Scalar[]
---@field angle sarrus.Scalar? planar
---@field orientation table? spatial: {w, x, y, z}, { axis =, angle = } or a matrix

---@class sarrus.PolygonFields: sarrus.ShapeFields
---@field points sarrus.Scalar[][] its corners, one after the other; convex

---@class sarrus.TubeFields: sarrus.ShapeFields
---@field from sarrus.Scalar[]
---@field to sarrus.Scalar[]
---@field radius sarrus.Scalar

---@class sarrus.SpotFields: sarrus.ShapeFields
---@field at sarrus.Scalar[]

---@class sarrus.MeshFields: sarrus.ShapeFields
---@field file string STL or OBJ; drawn, never in contact
---@field at sarrus.Scalar[]? where its origin is, default that of the world
---@field orientation table?
---@field scale sarrus.Scalar? default 1

---@class sarrus.shape
---@field line fun(given: sarrus.SurfaceFields): sarrus.Part planar
---@field disk fun(given: sarrus.BallFields): sarrus.Part planar
---@field box fun(given: sarrus.BrickFields): sarrus.Part
---@field polygon fun(given: sarrus.PolygonFields): sarrus.Part planar
---@field point fun(given: sarrus.SpotFields): sarrus.Part
---@field plane fun(given: sarrus.SurfaceFields): sarrus.Part spatial
---@field sphere fun(given: sarrus.BallFields): sarrus.Part spatial
---@field capsule fun(given: sarrus.TubeFields): sarrus.Part spatial
---@field cylinder fun(given: sarrus.TubeFields): sarrus.Part spatial
---@field mesh fun(given: sarrus.MeshFields): sarrus.Part spatial

-- What a definition says -------------------------------------------------------------------------

---@class sarrus.ShapeDefinition: sarrus.ConnectionDefinition
---@field form fun(checked, to): table what it is, by to.place and to.direction in body axes (form.lua)

-- The family -------------------------------------------------------------------------------------

local declare = require "sarrus.model.part.declare"
local families = require "sarrus.model.part.family"
local kinds = require "sarrus.model.part.kinds"
local shapes = require "sarrus.model.drawing.shape"

local common = { { "color", kinds.color } }

return families.new {
  name = "shape", stage = families.STAGES.fixture, optional = true,
  types = {
    "line", "disk", "box", "polygon", "point", "plane", "sphere", "capsule", "cylinder", "mesh",
  },
  synonyms = {
    circle = "disk", rectangle = "box", square = "box", cuboid = "box", ball = "sphere",
    ground = "line", floor = "line", half_space = "plane", pill = "capsule",
  },
  declare = function(model, part, fault)
    local record = declare.connection(model, part, fault, common)
    return record and shapes.complete(record)
  end,
  put = function() end,
  line = function(shape)
    return ("  %-12s %-11s %s"):format(shape.name, shape.type, shape.body.name)
  end,
}
