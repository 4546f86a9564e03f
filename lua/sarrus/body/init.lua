--- Bodies: `body.rod { "crank", from = {0, 0}, to = {0, 1}, mass = 1 }`.

---@class sarrus.body
---@field rigid fun(given: table): sarrus.Part
---@field rod fun(given: table): sarrus.Part
---@field box fun(given: table): sarrus.Part
---@field disk fun(given: table): sarrus.Part
---@field cylinder fun(given: table): sarrus.Part
---@field sphere fun(given: table): sarrus.Part
---@field point fun(given: table): sarrus.Part
return require "sarrus.model.part".family("body", {
  "rigid", "rod", "box", "disk", "cylinder", "sphere", "point",
})
