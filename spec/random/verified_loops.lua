--- What `sarrus verify` claims of four-bars and five-bars, against 30 digits
--- (tools/chain_reference.c).

local sarrus = require "sarrus"
local claimed = dofile("spec/random/tools/claimed.lua")
local cases = dofile("spec/random/tools/loop_reference.lua")
local body, joint = sarrus.body, sarrus.joint

local function model_of(loop)
  local parts, at, before = { gravity = { 0, -9.8125 } }, { 0, 0 }, "ground"
  for i, one in ipairs(loop) do
    parts[#parts + 1] = body.rod { "rod" .. i, from = at, to = one.to, mass = one.m }
    parts[#parts + 1] = joint.revolute { "hinge" .. i, before, "rod" .. i, at = at,
      stiffness = one.k > 0 and one.k or nil, damping = one.c > 0 and one.c or nil }
    at, before = one.to, "rod" .. i
  end
  parts[#parts + 1] = joint.revolute { "last", before, "ground", at = at }
  return sarrus.model(parts)
end

local class = { cases = 15, bound = 0 }

function class.case(draw)
  local loop = cases[draw:whole(1, #cases)]
  local joints, labels, before = {}, {}, 0
  for i, one in ipairs(loop) do
    labels[i], labels[#loop + i] = ("hinge%d.angle"):format(i), ("hinge%d.rate"):format(i)
    if one.rate then
      joints["hinge" .. i], before = { rate = one.rate - before }, one.rate
    end
  end
  local sim = assert(model_of(loop):simulate { joints = joints,
    tolerance = draw:pick { 1e-12, 1e-9, 1e-6 } })
  return claimed.error(sim, labels, loop.t, loop.known)
end

return class
