--- What `sarrus verify` claims of chains of rods, against 30 digits (tools/chain_reference.c): not
--- one digit too many, and at most two too few.

local sarrus = require "sarrus"
local verify = require "sarrus.verify"
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

local function start_of(chain)
  local joints, before = {}, 0
  for i, one in ipairs(chain) do
    joints["hinge" .. i] = { rate = one.rate - before }
    before = one.rate
  end
  return { joints = joints }
end

--- Digits of the coordinates of all hinges: claimed, and true ones.
local function digits(chain)
  local labels = {}
  for i in ipairs(chain) do
    labels[i] = ("hinge%d.angle"):format(i)
  end
  local sim = assert(model_of(chain):simulate(start_of(chain)))
  local found = assert(verify.run(sim, labels, chain.t))
  local claimed, true_ones = math.huge, math.huge
  for i, one in ipairs(chain) do
    local own, last = found.channels[i], chain[i - 1] or { 0, 0, at = 0 }
    local off = (own.value - ((one[1] - one.at) - (last[1] - last.at))) - (one[2] - last[2])
    local exact = math.floor(-math.log(math.max(math.abs(off) / own.scale, 1.1e-16))
      / math.log(10))
    claimed, true_ones = math.min(claimed, own.digits), math.min(true_ones, exact)
  end
  return claimed, true_ones
end

local class = { cases = 15, bound = 0 }

function class.case(draw)
  local claimed, known = digits(chains[draw:whole(1, #chains)])
  return math.max(claimed - known, known - claimed - 2)
end

return class
