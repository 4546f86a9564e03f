--- Planar scenes of what bounces, slips and sticks, and mechanisms with dry friction, for 2 s:
--- saved, restored, cloned, sampled and advanced in pieces at times that are drawn, they end with
--- the same bits as at once, or fail with the same words.
local sarrus = require "sarrus"
local draws = dofile("spec/random/tools/draw.lua")
local bearings = dofile("spec/random/tools/bearings.lua")
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

-- The error is how many numbers differ.
local class = { cases = 20, bound = 0 }

local T, G = 2, 9.81

-- What moves -------------------------------------------------------------------------------------

local function body_of(draw, i)
  local given = { "b" .. i, position = { 1.5 * i, draw:between(0.6, 1.5) + 0.5 * i },
    mass = draw:between(0.5, 3), velocity = draw:list(2, -2, 2), spin = draw:between(-4, 4) }
  if draw:chance(0.5) then
    given.radius = draw:between(0.1, 0.4)
    return body.disk(given)
  end
  given.size, given.angle = draw:list(2, 0.2, 0.5), draw:between(0, 6)
  return body.box(given)
end

local function scene(draw)
  local tilt, mu = draw:chance(0.5) and 0 or draw:between(-0.3, 0.3), draw:between(0, 1)
  local parts, names = { name = "scene", gravity = { 0, -G }, shape.line { "floor", "ground",
    at = { 0, 0 }, normal = { -math.sin(tilt), math.cos(tilt) } } }, {}
  for i = 1, draw:whole(1, 3) do
    names[i], parts[#parts + 1] = "b" .. i, body_of(draw, i)
  end
  if #names > 1 and draw:chance(0.3) then
    parts[#parts + 1] = joint.distance { "rope", "b1", "b2", from = { 1.5, 1 }, to = { 3, 1 },
      limits = { 0, draw:between(2, 3), restitution = draw:chance(0.5) and 0 or 0.5 } }
  end
  parts[#parts + 1] = contact.pair { "c", "floor", names,
    friction = draw:chance(0.3) and { static = 1.3 * mu, sliding = mu } or mu,
    restitution = draw:chance(0.3) and 0 or draw:between(0, 0.8) }
  return sarrus.model(parts), {}
end

local function mechanism(draw)
  local p = bearings.mechanism(draw, { "pendulum", "double", "crank", "fourbar" })
  bearings.load(draw, p)
  return bearings.model(p), { joints = { j1 = { rate = p.rate } } }
end

-- Ways to the end --------------------------------------------------------------------------------

--- Go to t; where that fails, what it says.
local function go(sim, t)
  local result, message = sim:advance(t)
  return not result and message or nil
end

local function times(draw)
  local list = draw:list(draw:whole(1, 12), 0, T)
  table.sort(list)
  return list
end

local ways = {}

function ways.pieces(_, sim)
  return sim
end

function ways.saved(_, sim, model)
  local record = sim:save()
  local again = assert(model:restore(record))
  assert(again:save() == record, "the record of what was restored is another one")
  return again
end

function ways.cloned(draw, sim)
  local twin = sim:clone()
  if draw:chance(0.5) then
    sim, twin = twin, sim
  end
  go(twin, T) -- does not matter to the other one
  return sim
end

function ways.asked(draw, sim)
  local from, to = sim:span()
  for _ = 1, 3 do
    sim:at(draw:between(from, to)):energy()
  end
  return sim
end

-- Bits -------------------------------------------------------------------------------------------

--- How many numbers of two simulations differ.
local function differ(one, other)
  local a, b, count = one:state(), other:state(), one.time == other.time and 0 or 1
  for _, list in ipairs { "q", "v" } do
    for i = 1, #a[list] do
      count = count + (a[list][i] == b[list][i] and 0 or 1)
    end
  end
  return count
end

function class.case(draw)
  local seed, make = draw:whole(1, 1e6), draw:chance(0.6) and scene or mechanism
  local model, start = make(draws.new(seed))
  start.max_steps = 20000
  local once = assert(model:simulate(start))
  local failed, worst = go(once, T), 0
  for _, way in ipairs { "pieces", "saved", "cloned", "asked" } do
    local sim, message = assert(model:simulate(start)), nil
    for _, t in ipairs(times(draw)) do
      message = message or go(sim, t)
      sim = message and sim or ways[way](draw, sim, model)
    end
    message = message or go(sim, T)
    assert(message == failed, ("%s: %s; at once: %s"):format(way, message, failed))
    worst = math.max(worst, differ(sim, once))
  end
  return worst, failed
end

return class
