--- Forces: `force.spring { "k1", "ground", "car", from = {0, 0}, to = {0, 1}, stiffness = 2e4 }`.

---@class sarrus.force
---@field spring fun(given: table): sarrus.Part
---@field damper fun(given: table): sarrus.Part
---@field torsion fun(given: table): sarrus.Part
---@field bushing fun(given: table): sarrus.Part
---@field applied fun(given: table): sarrus.Part
---@field torque fun(given: table): sarrus.Part
---@field drag fun(given: table): sarrus.Part
---@field custom fun(given: table): sarrus.Part
return require "sarrus.model.part".family("force", {
  "spring", "damper", "torsion", "bushing", "applied", "torque", "drag", "custom",
})
