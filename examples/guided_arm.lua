-- A two-link arm whose hand runs on a guide, as in the paper, said with bodies and joints.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local a = math.rad(40)
local elbow, hand = { math.cos(a), math.sin(a) }, { 2 * math.cos(a), 0 }

local arm = sarrus.model {
  name = "guided arm", gravity = { 0, -9.81 },
  body.rod { "upper", from = { 0, 0 }, to = elbow, mass = 1 },
  body.rod { "lower", from = elbow, to = hand, mass = 1 },
  joint.revolute { "shoulder", "ground", "upper", at = { 0, 0 },
    torque = function(angle, rate, t) return 8 * sarrus.sin(2 * t) - 20 * angle - rate end },
  joint.revolute { "elbow", "upper", "lower", at = elbow },
  joint.slot { "guide", "ground", "lower", at = hand, axis = { 1, 0 } },
}

local sim = assert(arm:simulate {})
print("freedoms", arm:freedoms())
print("   t     shoulder     elbow      hand x     guide force")
for t, s in sim:samples(2, 0.2) do
  print(("%5.2f  %10.6f  %10.6f  %10.6f  %12.6f"):format(t, s:joint("shoulder").angle,
    s:joint("elbow").angle, s:point("lower", { 0.5, 0 }).x, s:joint("guide").force.y))
end

return arm -- for the command: sarrus run examples/guided_arm.lua
