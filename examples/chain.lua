-- A hanging chain of N rods released from the horizontal: lua chain.lua [N]
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local n = tonumber(arg and arg[1]) or 20
local parts = { name = "chain", gravity = { 0, -9.81 } }
for i = 1, n do
  local from, to = { (i - 1) / n, 0 }, { i / n, 0 }
  parts[#parts + 1] = body.rod { "link" .. i, from = from, to = to, mass = 1 / n }
  parts[#parts + 1] = joint.revolute { "J" .. i, i == 1 and "ground" or "link" .. i - 1,
    "link" .. i, at = from }
end

local chain = sarrus.model(parts)
local sim = assert(chain:simulate {})
local energy = sim:state():energy().total
print(n .. " links, " .. chain:freedoms() .. " freedoms")
print("   t      free end x      y        pull at the top   energy error < 1e-10")
for t, s in sim:samples(1, 0.1) do
  local tip, pull = s:point("link" .. n, { 0.5 / n, 0 }), s:joint("J1").force
  print(("%5.2f  %12.8f  %12.8f  %12.6f        %s"):format(t, tip.x, tip.y, sarrus.vec.norm(pull),
    tostring(math.abs(s:energy().total - energy) < 1e-10)))
end

return chain -- for the command: sarrus run examples/chain.lua
