--- Joints: `joint.revolute { "A", "ground", "crank", at = {0, 0} }`.
---
--- The name stands first, then the bodies A and B (custom: a list of bodies; gear, rack and
--- coupled: two joints).  The coordinate of a joint with one freedom is the motion of B relative to
--- A, 0 in the drawing.

---@class sarrus.JointFields
---@field [1] string the name
---@field [2] string|string[] body A, or all bodies of a custom joint, or the first joint
---@field [3] string? body B, or the second joint
---@field at sarrus.Scalar[]|{ a: sarrus.Scalar[], b: sarrus.Scalar[] }? two draw a gap to close
---@field axis sarrus.Scalar[]? in space, and of what slides
---@field motion sarrus.Scalar|fun(t: sarrus.Expression): sarrus.Scalar? prescribes the coordinate
---@field torque sarrus.Scalar|function? along an angle: function(coordinate, rate, t)
---@field force sarrus.Scalar|function? along a length: function(coordinate, rate, t)
---@field stiffness sarrus.Scalar?
---@field damping sarrus.Scalar?
---@field rest sarrus.Scalar? of the spring, default 0
---@field inertia sarrus.Scalar? of what turns or slides along with the coordinate alone, as a rotor
---@field limits { [1]: sarrus.Scalar, [2]: sarrus.Scalar, restitution: sarrus.Scalar? }?

---@class sarrus.joint
---@field revolute fun(given: sarrus.JointFields): sarrus.Part at, axis
---@field prismatic fun(given: sarrus.JointFields): sarrus.Part at, axis
---@field fixed fun(given: sarrus.JointFields): sarrus.Part at
---@field spherical fun(given: sarrus.JointFields): sarrus.Part at, cone = { axis =, angle = }
---@field universal fun(given: table): sarrus.Part at, axes: one of A, one of B; limits of each
---@field cylindrical fun(given: sarrus.JointFields): sarrus.Part at, axis
---@field planar fun(given: table): sarrus.Part at, normal
---@field distance fun(given: table): sarrus.Part from on A, to on B, length or limits
---@field slot fun(given: sarrus.JointFields): sarrus.Part at of B on the line of A along axis
---@field screw fun(given: sarrus.JointFields): sarrus.Part at, axis, pitch per turn
---@field gear fun(given: table): sarrus.Part ratio: rate2 = -rate1 / ratio
---@field rack fun(given: table): sarrus.Part radius: length = radius * angle
---@field coupled fun(given: table): sarrus.Part coefficients: y = c0 + c1 x + c2 x^2 + …
---@field rolling fun(given: table): sarrus.Part radius, normal: B rolls on A
---@field custom fun(given: table): sarrus.Part equations, velocity_equations of frames

-- What a definition says -------------------------------------------------------------------------

-- `a` and `b` are the frames of the bodies (model/equations/frame.lua), here at symbols;
-- constraints are those of model/equations/constraint.lua, { expression that vanishes, what it
-- forbids, unit = }.

---@class sarrus.JointDefinition: sarrus.ConnectionDefinition
---@field equations (fun(checked, a, b, record): table[])? constraints of positions
---@field velocity_equations (fun(checked, a, b, record): table[]?)? constraints affine in the velocities
---@field coordinate (fun(checked, a, b): table)? constraint.angle or constraint.length: what can be driven
---@field second (fun(checked, a, b): table)? one more of the other kind, which cannot
---@field couple (fun(checked, record, symbol): table[])? constraints of coordinates, symbol(joint, its one)
---@field stops (fun(checked, a, b): table[])? limits of what it leaves free without a coordinate
---@field point (fun(checked, a, b, record): sarrus.Vector)? where its force acts on B; usually `at`
---@field tree boolean? a start poses B from A: as drawn, but for the coordinates that it gives
---@field start (fun(checked, start): table)? what is given for its coordinates, and follows from that
---@field slides boolean? B slides along `axis` within A
---@field circles (fun(checked, record): table[])? to draw: { body = record, at =, radius =, axis = }

-- The family -------------------------------------------------------------------------------------

local declare = require "sarrus.model.part.declare"
local equations = require "sarrus.model.equations"
local families = require "sarrus.model.part.family"
local later = require "sarrus.base.later"
local lint = require "sarrus.model.part.lint"
local explain = later "sarrus.model.explain"

local axes = { [2] = { "x", "y" }, [3] = { "x", "y", "z" } }

local function channels(model, joint)
  local list, vector = {}, axes[model.dimension]
  if joint.angle then
    list = { { "angle", "rad" }, { "rate", "rad/s" } }
  end
  if joint.length then
    list[#list + 1], list[#list + 2] = { "length", "m" }, { "speed", "m/s" }
  end
  list[#list + 1] = { "force", "N", vector }
  list[#list + 1] = { "torque", "N m", model.dimension == 3 and vector or nil }
  return list
end

return families.new {
  name = "joint", stage = families.STAGES.connection,
  types = {
    "revolute", "prismatic", "fixed", "spherical", "universal", "cylindrical", "planar", "distance",
    "slot", "screw", "gear", "rack", "coupled", "rolling", "custom",
  },
  synonyms = {
    hinge = "revolute", pin = "revolute", slider = "prismatic", ball = "spherical", weld = "fixed",
    rope = "distance", helical = "screw", cardan = "universal",
  },
  declare = declare.connection, put = equations.put_joint, lint = lint.joint,
  line = later.call(explain, "joint"),
  channels = channels,
}
