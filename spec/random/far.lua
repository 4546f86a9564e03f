--- Bodies that begin far from everything and fly fast, so that a step goes farther than they are
--- large, past things or onto them, in the plane and in space: until the first touch, which comes
--- when it does where equations are always whole.  Nothing penetrates; bits do not depend on where
--- one looks, and whether it was saved on the way.
local sarrus = require "sarrus"
local bits = dofile("spec/check.lua").bits
local go = dofile("spec/random/tools/advance.lua").or_contact
local draws = dofile("spec/random/tools/draw.lua")
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

-- The error is in units of what is allowed: 1e-9 of the time, and of the sizes.
local class = { cases = 40, bound = 1 }

local T, SIZE, LOOKS = 4, 40, 30

local function place(draw, dimension, reach)
  return draw:list(dimension, -reach, reach)
end

-- Bodies -----------------------------------------------------------------------------------------

local planar, spatial = {}, {}

function planar.disk(draw, given)
  given.radius = draw:between(0.1, 0.6)
  return { body.disk(given) }
end

function planar.box(draw, given)
  given.size = draw:list(2, 0.1, 1)
  return { body.box(given) }
end

function planar.polygon(draw, given)
  local points, x, y = {}, given.position[1], given.position[2]
  for i = 1, 5 do
    local angle = 2 * math.pi * (i + draw:between(-0.3, 0.3)) / 5
    points[i] = { x + 0.4 * math.cos(angle), y + 0.4 * math.sin(angle) }
  end
  given.inertia = 0.1
  return { body.rigid(given), shape.polygon { "border", given[1], points = points } }
end

function planar.bar(draw, given)
  local x, y = given.position[1], given.position[2]
  local angle, half = draw:between(0, 6), draw:between(0.2, 1)
  local dx, dy = half * math.cos(angle), half * math.sin(angle)
  return { body.rod { given[1], from = { x - dx, y - dy }, to = { x + dx, y + dy }, mass = 1,
    velocity = given.velocity } }
end

function spatial.sphere(draw, given)
  given.radius = draw:between(0.1, 0.6)
  return { body.sphere(given) }
end

function spatial.capsule(draw, given)
  local p, d = given.position, draw:list(3, -0.5, 0.5)
  given.inertia = { 0.1, 0.1, 0.1 }
  return { body.rigid(given), shape.capsule { "border", given[1], radius = draw:between(0.05, 0.3),
    from = { p[1] - d[1], p[2] - d[2], p[3] - d[3] },
    to = { p[1] + d[1], p[2] + d[2], p[3] + d[3] } } }
end

-- Things in the way ------------------------------------------------------------------------------

local function wall(draw, dimension, name)
  local normal = place(draw, dimension, 1)
  local size, at = 0, {}
  for _, x in ipairs(normal) do
    size = size + x * x
  end
  for k, x in ipairs(normal) do -- it looks at the origin, from beyond where things begin
    at[k] = -2 * SIZE * x / math.sqrt(size)
  end
  return (dimension == 2 and shape.line or shape.plane) { name, "ground", at = at,
    normal = normal }
end

local function thing(draw, dimension, name)
  local kind, at = draw:pick { "ball", "box", "wall" }, place(draw, dimension, SIZE / 2)
  if kind == "wall" then
    return wall(draw, dimension, name)
  elseif kind == "box" then
    return shape.box { name, "ground", at = at, size = draw:list(dimension, 0.5, 4) }
  end
  return (dimension == 2 and shape.disk or shape.sphere) { name, "ground", at = at,
    radius = draw:between(0.3, 3) }
end

--- From the edge of the scene towards somewhere in its middle.
local function flight(draw, dimension)
  local angle, from, velocity = draw:between(0, 2 * math.pi), {}, {}
  local to, fast = place(draw, dimension, SIZE / 2), draw:between(0.3, 3)
  for k = 1, dimension do
    from[k] = k == 1 and SIZE * math.cos(angle) or k == 2 and SIZE * math.sin(angle) or to[k]
    velocity[k] = fast * (to[k] - from[k])
  end
  local spin = dimension == 2 and draw:between(-20, 20) or draw:list(3, -10, 10)
  return { "flyer", position = from, velocity = velocity, spin = spin, mass = 1 }
end

--- With a condition of which intervals know nothing, equations are always whole.
local function scene_of(draw, dimension, whole)
  local down = { draw:between(-3, 3), draw:between(-3, 3), dimension == 3 and 0 or nil }
  local makers = dimension == 2 and planar or spatial
  local names = dimension == 2 and { "disk", "box", "polygon", "bar" } or { "sphere", "capsule" }
  local kind = draw:pick(names)
  local parts, things = makers[kind](draw, flight(draw, dimension)), {}
  parts.gravity = down
  for i = 1, draw:whole(1, 6) do
    things[i] = "thing" .. i
    parts[#parts + 1] = thing(draw, dimension, things[i])
  end
  local own = (kind == "polygon" or kind == "capsule") and "border" or "flyer"
  parts[#parts + 1] = contact.pair { "touch", things, { own }, restitution = 0.5,
    friction = draw:chance(0.5) and 0.3 or nil }
  parts[#parts + 1] = whole and contact.custom { "always", { "flyer" }, gap = function(flyer)
    return 1 + sarrus.cosh(flyer:point()[1] / (100 * SIZE))
  end } or nil
  return sarrus.model(parts)
end

-- Cases ------------------------------------------------------------------------------------------

local function simulate(model, action)
  return assert(model:simulate { max_steps = 20000, events = {
    sarrus.event { "first", contact = "touch", on = "touch", action = action } } })
end

--- When it touches first, T where it does not; and how deep it is at most, where one looks.
local function first_touch(model, looks)
  local first, deep
  local sim = simulate(model, function(_, s) first = first or s.t end)
  deep = 0
  for k = 1, looks do
    local early = not first and go(sim, T * k / looks)
    if early then
      return first or T, deep, sim, early
    end
    deep = math.max(deep, -sim:state():contact("touch").gap)
  end
  return first or T, deep, sim
end

--- The same bits, as of one that is saved on the way and looked at elsewhere.
local function goes_the_same_way(draw, model, sim)
  local other = simulate(model, function() end)
  assert(other:advance(sim.time * draw:between(0.01, 0.99)))
  other = other:clone()
  assert(other:advance(sim.time))
  return bits(other) == bits(sim)
end

function class.case(draw)
  local dimension, state = draw:pick { 2, 2, 3 }, draw:whole(1, 1000000)
  local function model(whole)
    return scene_of(draws.new(state), dimension, whole)
  end
  local found, deep, sim, early = first_touch(model(false), LOOKS)
  local known, _, _, gave_up = first_touch(model(true), LOOKS)
  local off = math.max(math.abs(found - known) / (1e-9 * T), deep / (1e-9 * SIZE))
  if early or gave_up then
    return off, early or gave_up
  end
  return goes_the_same_way(draw, model(false), sim) and off or math.huge
end

return class
