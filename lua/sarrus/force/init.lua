--- Forces: `force.spring { "k1", "ground", "car", from = {0, 0}, to = {0, 1}, stiffness = 2e4 }`.
---
--- The name stands first, then the bodies: two for what acts between them (the second may be left
--- out for torsion and bushing: then the ground is A), one for what acts on a body, a list for
--- custom.

---@class sarrus.force
---@field spring fun(given: table): sarrus.Part from, to, stiffness, length (as drawn), damping
---@field damper fun(given: table): sarrus.Part from, to, damping
---@field torsion fun(given: table): sarrus.Part axis, stiffness, rest (0), damping
---@field bushing fun(given: table): sarrus.Part at, stiffness, damping: numbers or one per axis
---@field applied fun(given: table): sarrus.Part at (centre of mass), force, frame ("world")
---@field torque fun(given: table): sarrus.Part torque, frame ("world")
---@field drag fun(given: table): sarrus.Part linear, quadratic
---@field custom fun(given: table): sarrus.Part potential, or force

-- What a definition says -------------------------------------------------------------------------

-- A force may keep in its record `angle`, a coordinate with a symbol of its own, which a start
-- measures, and `rest`, a hidden parameter, which a start sets to the speed that counts as rest.

---@class sarrus.ForceDefinition: sarrus.ConnectionDefinition
---@field build fun(checked, record, apply: sarrus.Apply) what it does to record.frames, by `apply`

---@class sarrus.Apply
---@field push fun(frame, force, place?) a force in world axes, at a place in body axes (the centre)
---@field twist fun(frame, torque) a torque in world axes
---@field add fun(i: integer, force: sarrus.Scalar) a generalised force on the i-th coordinate
---@field potential fun(energy: sarrus.Scalar) the energy that it stores
---@field lift fun(length, rate?, effort) all it does, once more: an effort along a length with a rate
---@field own_symbol fun(coordinate): table gives constraint.angle or constraint.length a symbol of its own
---@field call fun(field: string, f: function, ...): any what a script's function answers to symbols

-- The family -------------------------------------------------------------------------------------

local declare = require "sarrus.model.part.declare"
local equations = require "sarrus.model.equations"
local families = require "sarrus.model.part.family"
local later = require "sarrus.base.later"
local lint = require "sarrus.model.part.lint"
local explain = later "sarrus.model.explain"

return families.new {
  name = "force", stage = families.STAGES.connection,
  types = { "spring", "damper", "torsion", "bushing", "applied", "torque", "drag", "custom" },
  declare = declare.connection, put = equations.put_force, lint = lint.force,
  line = later.call(explain, "force"),
}
