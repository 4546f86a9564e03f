-- A coin that rolls and wobbles on a table: rolling is a condition on velocities.
local sarrus = require "sarrus"
local body, joint, vec = sarrus.body, sarrus.joint, sarrus.vec

local radius, lean = 0.5, 0.3
local coin = sarrus.model {
  name = "rolling disk", gravity = { 0, 0, -9.81 },
  body.disk {
    "coin", position = { 0, 0, radius * math.cos(lean) }, radius = radius, mass = 1,
    axis = { 0, math.cos(lean), -math.sin(lean) }, spin = { 0, 5, 0.5 },
  },
  joint.rolling { "table", "ground", "coin", radius = radius, normal = { 0, 0, 1 } },
}

local sim = assert(coin:simulate {})
print("freedoms", coin:freedoms())
print("   t        x          y          z       force up    friction     energy")
for t, s in sim:samples(4, 0.4) do
  local p, f = s:body("coin").position, s:joint("table").force
  print(("%5.2f  %9.5f  %9.5f  %9.6f  %9.5f  %9.5f  %12.9f"):format(t, p.x, p.y, p.z, f.z,
    vec.norm { f.x, f.y }, s:energy().total))
end

return coin -- for the command: sarrus run examples/rolling_disk.lua
