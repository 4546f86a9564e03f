--- Spheres, boxes and capsules in space that lie on a floor and slide, or are thrown onto it, for
--- 1 s: saved, restored, cloned, sampled, read and advanced in pieces at times that are drawn, or
--- by budgets, they end with the same bits as at once, or fail with the same words.
local sarrus = require "sarrus"
local pieces = dofile("spec/random/tools/pieces.lua")
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

-- The error is how many numbers differ.
local class = { cases = 20, bound = 0 }

local T, G, MOST_STEPS = 1, 9.81, 5000

--- On a floor with this tilt about y: a body that lies, or one that is thrown, and its shape.
local function put(draw, parts, i, tilt)
  local c, s = math.cos(tilt), math.sin(tilt)
  local kind, lies = draw:pick { "sphere", "box", "box", "capsule" }, draw:chance(0.5)
  local size, name = draw:list(3, 0.2, 0.5), "b" .. i
  local radius, x = size[3] / 2, 1.5 * i
  local height = lies and radius or draw:between(0.7, 1.2)
  local at = { x * c + height * s, 0, height * c - x * s }
  local turn = { axis = lies and { 0, 1, 0 } or draw:direction(),
    angle = lies and tilt or draw:between(0, 3) }
  local along, across = draw:between(-2, 2), draw:between(-2, 2)
  local spin = draw:between(-3, 3)
  parts[#parts + 1] = body.rigid { name, position = at, orientation = turn,
    mass = draw:between(0.5, 3), inertia = draw:list(3, 0.03, 0.05),
    velocity = lies and { along * c, across, -along * s } or draw:list(3, -2, 2),
    spin = lies and { spin * s, 0, spin * c } or draw:list(3, -4, 4) }
  if kind == "sphere" then
    parts[#parts + 1] = shape.sphere { "s" .. i, name, at = at, radius = radius }
  elseif kind == "box" then
    parts[#parts + 1] = shape.box { "s" .. i, name, at = at, size = size, orientation = turn }
  else
    parts[#parts + 1] = shape.capsule { "s" .. i, name, from = { at[1], at[2] - 0.3, at[3] },
      to = { at[1], at[2] + 0.3, at[3] }, radius = radius }
  end
end

function class.case(draw)
  local tilt, mu = draw:chance(0.5) and 0 or draw:between(-0.3, 0.3), draw:between(0, 1)
  local parts = { name = "scene", gravity = { 0, 0, -G }, shape.plane { "floor", "ground",
    at = { 0, 0, 0 }, normal = { math.sin(tilt), 0, math.cos(tilt) } } }
  for i = 1, draw:whole(1, 2) do
    put(draw, parts, i, tilt)
    parts[#parts + 1] = contact.pair { "c" .. i, "floor", "s" .. i,
      friction = draw:chance(0.3) and { static = 1.3 * mu, sliding = mu } or mu,
      restitution = draw:chance(0.4) and 0 or draw:between(0, 0.8) }
  end
  return pieces.worst(draw, sarrus.model(parts), { max_steps = MOST_STEPS }, T)
end

return class
