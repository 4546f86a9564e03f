-- A double pendulum of two point masses, chaotic: how far two starts 1e-9 apart have come.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local pendulum = sarrus.model {
  name = "double pendulum", gravity = { 0, -9.81 },
  body.point { "upper", position = { 1, 0 }, mass = 1 },
  body.point { "lower", position = { 2, 0 }, mass = 1 },
  joint.distance { "first", "ground", "upper", from = { 0, 0 }, to = { 1, 0 } },
  joint.distance { "second", "upper", "lower", from = { 1, 0 }, to = { 2, 0 } },
}

local one = assert(pendulum:simulate {})
local other = assert(pendulum:simulate {
  bodies = { lower = { position = { 1 + math.cos(1e-9), math.sin(1e-9) } } },
})

print("   t     lower x       lower y     pull of first    kinetic      apart")
for t, s in one:samples(10, 1) do
  assert(other:advance(t))
  local p, q = s:body("lower"), other:state():body("lower")
  print(("%5.1f  %11.8f  %11.8f  %12.6f  %12.8f  %8.1e"):format(t, p.x, p.y,
    sarrus.vec.norm(s:joint("first").force), s:energy().kinetic,
    sarrus.vec.norm(p.position - q.position)))
end

return pendulum -- for the command: sarrus run examples/double_pendulum.lua
