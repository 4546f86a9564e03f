--- Mechanisms whose places, sizes, axes, masses and inertias are expressions of parameters,
--- simulated with values other than declared: everything against the same mechanism made of
--- numbers.
local sarrus = require "sarrus"
local compare = dofile("spec/random/tools/compare.lua")
local sources = dofile("spec/random/tools/sources.lua")
local drawings = dofile("spec/random/tools/drawings.lua")
local scene = require "sarrus.output.scene"
local drawn = require "sarrus.model.part.drawn"

local class = { cases = 60, bound = 1e-12 }

--- How often numbers are changed to see what rounding in them does; and what it may do more in
--- expressions.
local NUDGES, FACTOR = 5, 10

--- How long they move: so long that what is thrown strikes, and rounding does not grow by much.
local UNTIL = 0.3

--- All that a simulation of a model tells at a time.
local function tell(sim, model)
  local s, joints = sim:state(), {}
  for _, joint in ipairs(model.joints) do
    local j = s:joint(joint.name)
    if not j.singular then
      joints[joint.name] = { j.angle or 0, j.rate or 0, j.length or 0, j.speed or 0,
        j.unique and j.force or 0, j.unique and j.torque or 0 }
    end
  end
  local contacts = {}
  for _, contact in ipairs(model.contacts) do
    local c = s:contact(contact.name)
    contacts[contact.name] = { c.gap, c.mode }
  end
  return { s.q, s.v, joints, contacts, s:energy(), sim:stats().assembly.moved }
end

--- What a model of a drawing tells at its start and later; and what it looks like.
local function run(make, source)
  local model = sarrus.model(make(source))
  local sim, _, code = model:simulate { tolerance = 1e-14, parameters = source.values }
  if not sim then
    return { code }
  end
  local told = { scene.of(drawn.of_sim(model, sim)), tell(sim, model) }
  local done, _, stopped = sim:advance(UNTIL)
  if not done then -- where it stopped it cannot be told well
    told[3] = { stopped }
    return told
  end
  told[3] = tell(sim, model)
  local again = assert(model:restore(sim:save()))
  told[4] = { scene.of(drawn.of_sim(model, again)), again:state().q }
  return told
end

--- Where motions depend on the last digits of their numbers more than that, as much as these allow.
function class.case(draw)
  local make, seed = drawings[draw:pick(drawings.names)], draw:whole(1, 1e9)
  local exact = run(make, sources.numbers(seed))
  local off = compare.off(run(make, sources.expressions(seed)), exact)
  if off <= class.bound then
    return off
  end
  local nudged = 0
  for i = 1, NUDGES do
    nudged = math.max(nudged, compare.off(run(make, sources.numbers(seed, i)), exact))
  end
  return off * class.bound / math.max(class.bound, FACTOR * nudged)
end

return class
