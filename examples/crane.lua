-- A crane's modes: where a boom on ropes comes to rest under its load, and how it swings there.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local load = sarrus.parameter("load", 2000)
local crane = sarrus.model {
  name = "crane", gravity = { 0, -9.81 },
  body.box { "column", position = { 0, 6 }, size = { 0.8, 12 }, mass = 3000 },
  body.rod { "boom", from = { 0, 10 }, to = { 16, 18 }, mass = 1500 },
  body.point { "hook", position = { 16, 8 }, mass = load },
  joint.revolute { "foot", "ground", "column", at = { 0, 0 }, stiffness = 4e7, damping = 4e5 },
  joint.revolute { "pivot", "column", "boom", at = { 0, 10 } },
  joint.distance { "hoist", "boom", "hook", from = { 16, 18 }, to = { 16, 8 } },
  force.spring { "luffing", "column", "boom", from = { 0, 12 }, to = { 16, 18 }, stiffness = 2e6,
    damping = 2e4 },
}

print("  load    boom sinks    hook hangs at        modes, Hz (damping)")
for _, mass in ipairs { 500, 1000, 2000, 4000 } do
  local s, report = crane:equilibrium { parameters = { load = mass } }
  assert(s, report)
  local modes, texts = assert(crane:modes { at = s }), {}
  for i, mode in ipairs(modes) do
    texts[i] = ("%.6f (%.5f)"):format(mode.frequency, mode.damping)
  end
  local hook = s:body("hook").position
  print(("%5.0f kg  %9.6f m  %9.6f, %8.6f  %s"):format(mass, 18 - s:point("boom",
    { math.sqrt(80), 0 }).y, hook.x, hook.y, table.concat(texts, "  ")))
end

-- A linear model for whoever designs a controller.
local linear = assert(crane:linearise { at = assert(crane:equilibrium {}), inputs = { "load" },
  outputs = { "hoist.force.y", "hook.position.x" } })
print("states: " .. table.concat(linear.states, ", "))
print(("a kilogram more pulls with %.6f N at once, and with 9.81 N in the end"):format(
  linear.D[1][1]))
print(("a pendulum of 10 m alone would swing at %.6f Hz"):format(
  math.sqrt(9.81 / 10) / (2 * math.pi)))

return crane -- for the command: sarrus equilibrium examples/crane.lua
