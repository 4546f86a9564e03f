-- An arm fitted to measurements: friction, stiffness and a payload from noisy angles, with how well
-- the data tell them, and where inverse kinematics then sends the hand.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local arm = sarrus.model {
  name = "arm", gravity = { 0, 0, -9.81 },
  body.rod { "upper", from = { 0, 0, 0 }, to = { 0.5, 0, 0 }, mass = 2, radius = 0.04 },
  body.rod { "lower", from = { 0.5, 0, 0 }, to = { 0.9, 0, 0 }, mass = 1, radius = 0.03 },
  body.sphere { "payload", position = { 0.9, 0, 0 }, radius = 0.05,
    mass = sarrus.parameter("payload mass", 1) },
  joint.revolute { "base", "ground", "upper", at = { 0, 0, 0 }, axis = { 0, 1, 0 },
    damping = sarrus.parameter("base damping", 0.5), stiffness = 60 },
  joint.revolute { "elbow", "upper", "lower", at = { 0.5, 0, 0 }, axis = { 0, 1, 0 },
    damping = sarrus.parameter("elbow damping", 0.5),
    stiffness = sarrus.parameter("elbow stiffness", 10) },
  joint.fixed { "grip", "lower", "payload", at = { 0.9, 0, 0 } },
}

-- "Measured": the arm as it really is, and noise of a milliradian from a generator of our own.
local exact = { ["payload mass"] = 1.4, ["base damping"] = 0.8, ["elbow damping"] = 0.3,
  ["elbow stiffness"] = 14 }
local seed = 42
local function noise()
  local sum = -6
  for _ = 1, 12 do
    seed = (seed * 16807) % 2147483647
    sum = sum + seed / 2147483647
  end
  return 1e-3 * sum
end

local data = { t = {}, ["base.angle"] = {}, ["elbow.angle"] = {} }
for t, s in assert(arm:simulate { parameters = exact }):samples(2, 0.02) do
  table.insert(data.t, t)
  table.insert(data["base.angle"], s:joint("base").angle + noise())
  table.insert(data["elbow.angle"], s:joint("elbow").angle + noise())
end

local names = { "payload mass", "base damping", "elbow damping", "elbow stiffness" }
local fit = assert(sarrus.fit { arm, parameters = names, data = data })
print("                    true    fitted     sigma")
for _, name in ipairs(names) do
  print(("%-16s  %6.3f  %8.4f  %8.4f"):format(name, exact[name], fit.values[name], fit.sigma[name]))
end
print(("noise of the angles: %.5f and %.5f rad"):format(fit.noise["base.angle"],
  fit.noise["elbow.angle"]))

-- Where the joints must be for the payload to be at a place, and what holds it there.
local place = { 0.5, 0, 0.3 }
local s, report = assert(arm:reach {
  targets = { { "payload", position = place } }, parameters = { ["payload mass"] = fit.values[1] },
})
local torques = assert(s:efforts {})
for _, name in ipairs { "base", "elbow" } do
  print(("%-5s at %8.5f rad, held by %8.4f N m beside its spring"):format(name,
    report.joints[name].angle, torques[name]))
end

-- Beyond its length it cannot reach.
local _, message = arm:reach { targets = { { "payload", position = { 1, 0, 0.5 } } } }
print(message)

return arm -- for the command: sarrus run examples/fitted_arm.lua
