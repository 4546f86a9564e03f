--- Joints: `joint.revolute { "A", "ground", "crank", at = {0, 0} }`.
---
--- The name stands first, then the bodies A and B (custom: a list of bodies; gear and rack: two
--- joints).  The coordinate of a joint with one freedom is the motion of B relative to A, 0 in the
--- drawing.

---@class sarrus.JointFields
---@field [1] string the name
---@field [2] string|string[] body A, or all bodies of a custom joint, or the first joint
---@field [3] string? body B, or the second joint
---@field at number[]|{ a: number[], b: number[] }? its place; two of them draw a gap to be closed
---@field axis number[]? in space, and of what slides
---@field motion sarrus.Scalar|fun(t: sarrus.Expression): sarrus.Scalar? prescribes the coordinate
---@field torque sarrus.Scalar|function? along an angle: function(coordinate, rate, t)
---@field force sarrus.Scalar|function? along a length: function(coordinate, rate, t)
---@field stiffness sarrus.Scalar?
---@field damping sarrus.Scalar?
---@field rest sarrus.Scalar? of the spring, default 0
---@field limits { [1]: sarrus.Scalar, [2]: sarrus.Scalar, restitution: number? }?

---@class sarrus.joint
---@field revolute fun(given: sarrus.JointFields): sarrus.Part at, axis
---@field prismatic fun(given: sarrus.JointFields): sarrus.Part at, axis
---@field fixed fun(given: sarrus.JointFields): sarrus.Part at
---@field spherical fun(given: sarrus.JointFields): sarrus.Part at
---@field universal fun(given: table): sarrus.Part at, axes: one of A, one of B
---@field cylindrical fun(given: sarrus.JointFields): sarrus.Part at, axis
---@field planar fun(given: table): sarrus.Part at, normal
---@field distance fun(given: table): sarrus.Part from on A, to on B, length
---@field slot fun(given: sarrus.JointFields): sarrus.Part at of B on the line of A along axis
---@field screw fun(given: sarrus.JointFields): sarrus.Part at, axis, pitch per turn
---@field gear fun(given: table): sarrus.Part ratio: rate2 = -rate1 / ratio
---@field rack fun(given: table): sarrus.Part radius: length = radius * angle
---@field rolling fun(given: table): sarrus.Part radius, normal: B rolls on A
---@field custom fun(given: table): sarrus.Part equations, velocity_equations of frames
return require "sarrus.model.part".family("joint", {
  "revolute", "prismatic", "fixed", "spherical", "universal", "cylindrical", "planar", "distance",
  "slot", "screw", "gear", "rack", "rolling", "custom",
})
