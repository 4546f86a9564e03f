--- Forces: `force.spring { "k1", "ground", "car", from = {0, 0}, to = {0, 1}, stiffness = 2e4 }`.
---
--- The name stands first, then the bodies: two for what acts between them (the second may be left out
--- for torsion and bushing: then the ground is A), one for what acts on a body, a list for custom.

---@class sarrus.force
---@field spring fun(given: table): sarrus.Part from, to, stiffness, length (as drawn), damping
---@field damper fun(given: table): sarrus.Part from, to, damping
---@field torsion fun(given: table): sarrus.Part axis, stiffness, rest (0), damping
---@field bushing fun(given: table): sarrus.Part at, stiffness, damping: numbers or one per axis
---@field applied fun(given: table): sarrus.Part at (centre of mass), force, frame ("world")
---@field torque fun(given: table): sarrus.Part torque, frame ("world")
---@field drag fun(given: table): sarrus.Part linear, quadratic
---@field custom fun(given: table): sarrus.Part potential, or force
return require "sarrus.model.part".family("force", {
  "spring", "damper", "torsion", "bushing", "applied", "torque", "drag", "custom",
})
