--- Planar scenes of what bounces, slips and sticks, and mechanisms with dry friction, for 2 s:
--- saved, restored, cloned, sampled, read and advanced in pieces at times that are drawn, or by
--- budgets, they end with the same bits as at once, or fail with the same words.
local sarrus = require "sarrus"
local draws = dofile("spec/random/tools/draw.lua")
local bearings = dofile("spec/random/tools/bearings.lua")
local pieces = dofile("spec/random/tools/pieces.lua")
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

function class.case(draw)
  local seed, make = draw:whole(1, 1e6), draw:chance(0.6) and scene or mechanism
  local model, start = make(draws.new(seed))
  start.max_steps = 20000
  return pieces.worst(draw, model, start, T)
end

return class
