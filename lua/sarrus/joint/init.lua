--- Joints: `joint.revolute { "A", "ground", "crank", at = {0, 0} }`.

---@class sarrus.joint
---@field revolute fun(given: table): sarrus.Part
---@field prismatic fun(given: table): sarrus.Part
---@field fixed fun(given: table): sarrus.Part
---@field spherical fun(given: table): sarrus.Part
---@field universal fun(given: table): sarrus.Part
---@field cylindrical fun(given: table): sarrus.Part
---@field planar fun(given: table): sarrus.Part
---@field distance fun(given: table): sarrus.Part
---@field slot fun(given: table): sarrus.Part
---@field screw fun(given: table): sarrus.Part
---@field gear fun(given: table): sarrus.Part
---@field rack fun(given: table): sarrus.Part
---@field rolling fun(given: table): sarrus.Part
---@field custom fun(given: table): sarrus.Part
return require "sarrus.model.part".family("joint", {
  "revolute", "prismatic", "fixed", "spherical", "universal", "cylindrical", "planar", "distance",
  "slot", "screw", "gear", "rack", "rolling", "custom",
})
