-- A six-axis arm: sampled PD control on top of gravity compensation by inverse dynamics.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

-- Each link: length, mass, and the axis of the joint before it.
local links = {
  { 0.4, 8, { 0, 0, 1 } }, { 0.5, 6, { 0, 1, 0 } }, { 0.4, 4, { 0, 1, 0 } },
  { 0.2, 2, { 0, 0, 1 } }, { 0.2, 1, { 0, 1, 0 } }, { 0.1, 0.5, { 0, 0, 1 } },
}

local parts, height, before = { name = "arm", gravity = { 0, 0, -9.81 } }, 0, "ground"
for i, link in ipairs(links) do
  local name, at = "link" .. i, { 0, 0, height }
  height = height + link[1]
  parts[#parts + 1] = body.rod { name, from = at, to = { 0, 0, height }, mass = link[2],
    radius = 0.05 }
  parts[#parts + 1] = joint.revolute { "J" .. i, before, name, at = at, axis = link[3],
    torque = sarrus.parameter("tau" .. i, 0) }
  before = name
end
local arm = sarrus.model(parts)

local target = { 0.5, 0.6, 0.8, -0.4, 0.5, 1 }

-- Wanted accelerations from position and rate; the torques for them by inverse dynamics.
local control = sarrus.controller {
  period = 0.01,
  action = function(sim, s)
    local wanted = {}
    for i = 1, 6 do
      local j = s:joint("J" .. i)
      wanted["J" .. i] = 40 * (target[i] - j.angle) - 12 * j.rate
    end
    local torques = assert(s:efforts(wanted))
    for i = 1, 6 do
      assert(sim:set("tau" .. i, torques["J" .. i]))
    end
  end,
}

local start = { controllers = { control }, tolerance = 1e-9 }
local sim = assert(arm:simulate(start))
print("   t     J1       J2       J3       J6      torque 2    hand x    z")
for t, s in sim:samples(2, 0.25) do
  local hand = s:point("link6", { 0.05, 0, 0 })
  print(("%5.2f %8.4f %8.4f %8.4f %8.4f  %9.3f  %8.4f %8.4f"):format(t, s:joint("J1").angle,
    s:joint("J2").angle, s:joint("J3").angle, s:joint("J6").angle, sim:get("tau2"), hand.x,
    hand.z))
end

return arm:simulate(start) -- for the command: sarrus run examples/arm.lua
