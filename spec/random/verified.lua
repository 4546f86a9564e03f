--- What `sarrus verify` claims of chains of rods, against 30 digits (tools/chain_reference.c): not
--- one digit too many, and at most two too few.

local sarrus = require "sarrus"
local claimed = dofile("spec/random/tools/claimed.lua")
local chains = dofile("spec/random/tools/chain_reference.lua")
local body, joint = sarrus.body, sarrus.joint

local function model_of(chain)
  local parts, at, before = { name = "chain", gravity = { 0, -9.8125 } }, { 0, 0 }, "ground"
  for i, one in ipairs(chain) do
    local to = { at[1] + one.l * math.cos(one.at), at[2] + one.l * math.sin(one.at) }
    parts[#parts + 1] = body.rod { "rod" .. i, from = at, to = to, mass = one.m }
    parts[#parts + 1] = joint.revolute { "hinge" .. i, before, "rod" .. i, at = at,
      stiffness = one.k > 0 and one.k or nil, damping = one.c > 0 and one.c or nil }
    at, before = to, "rod" .. i
  end
  return sarrus.model(parts)
end

local function start_of(chain, tolerance)
  local joints, before = {}, 0
  for i, one in ipairs(chain) do
    joints["hinge" .. i] = { rate = one.rate - before }
    before = one.rate
  end
  return { joints = joints, tolerance = tolerance }
end

local class = { cases = 15, bound = 0 }

function class.case(draw)
  local chain, labels, known = chains[draw:whole(1, #chains)], {}, {}
  for i, one in ipairs(chain) do
    local last = chain[i - 1] or { 0, 0, at = 0 }
    labels[i] = ("hinge%d.angle"):format(i)
    known[i] = { (one[1] - one.at) - (last[1] - last.at), one[2] - last[2] }
  end
  local sim = assert(model_of(chain):simulate(start_of(chain, draw:pick { 1e-12, 1e-9, 1e-6 })))
  return claimed.error(sim, labels, chain.t, known)
end

return class
