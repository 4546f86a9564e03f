--- Spatial scenes: 1 to 4 bodies that fall on one or two planes, or on each other, for 2 s; and
--- what must hold in them.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").or_contact
local rubs = dofile("spec/random/tools/rubs.lua")
local body, contact, shape, vec = sarrus.body, sarrus.contact, sarrus.shape, sarrus.vec

local solids = {}

local T, SAMPLES, G = 2, 80, 9.81

-- Bodies -----------------------------------------------------------------------------------------

--- Each completes the fields that all bodies have, and answers its height above a plane in a state,
--- from its shape alone.
local makers = {}

local function above(plane, place)
  return vec.dot(place, plane.normal) - vec.dot(plane.at, plane.normal)
end

function makers.sphere(_, scene, given, size)
  given.radius = size
  scene.parts[#scene.parts + 1] = body.sphere(given)
  return function(s, plane)
    return above(plane, s:body(given[1]).position) - size
  end
end

function makers.box(draw, scene, given, size)
  given.size = draw:list(3, 0.5 * size, 1.2 * size)
  given.orientation = { axis = draw:direction(),
    angle = draw:chance(0.2) and 0 or draw:between(0, 3) }
  scene.parts[#scene.parts + 1] = body.box(given)
  return function(s, plane)
    local least = math.huge
    for i = 0, 7 do
      local corner = {}
      for k = 1, 3 do
        corner[k] = (math.floor(i / 2 ^ (k - 1)) % 2 - 0.5) * given.size[k]
      end
      least = math.min(least, above(plane, s:point(given[1], corner)))
    end
    return least
  end
end

function makers.cylinder(draw, scene, given, size)
  given.axis = draw:chance(0.2) and { 0, 0, 1 } or draw:direction()
  given.radius, given.length = size * draw:between(0.2, 0.7), size * draw:between(0.3, 1.2)
  scene.parts[#scene.parts + 1] = body.cylinder(given)
  return function(s, plane)
    local centre = s:body(given[1]).position
    local axis = s:point(given[1], given.axis) - centre
    return above(plane, centre) - math.abs(vec.dot(axis, plane.normal)) * given.length / 2
      - given.radius * vec.norm(vec.cross(axis, plane.normal))
  end
end

function makers.capsule(draw, scene, given, size)
  local at, axis, radius = given.position, draw:direction(), size * draw:between(0.1, 0.4)
  local from, to = {}, {}
  for i = 1, 3 do
    from[i], to[i] = at[i] - size / 2 * axis[i], at[i] + size / 2 * axis[i]
  end
  scene.parts[#scene.parts + 1] = body.rod { given[1], from = from, to = to, radius = radius,
    mass = given.mass, velocity = given.velocity, spin = given.spin }
  return function(s, plane)
    local one = above(plane, s:point(given[1], { size / 2, 0, 0 }))
    local other = above(plane, s:point(given[1], { -size / 2, 0, 0 }))
    return math.min(one, other) - radius
  end
end

-- Scenes -----------------------------------------------------------------------------------------

local function plane(scene, name, at, normal)
  scene.parts[#scene.parts + 1] = shape.plane { name, "ground", at = at, normal = normal }
  scene.planes[#scene.planes + 1] = { at = vec.new(at), normal = vec.new(normal) }
  return name
end

local function planes(draw, scene)
  local tilt = draw:chance(0.4) and 0 or draw:between(0, 0.3)
  local way, lean = draw:between(0, 2 * math.pi), draw:between(0, 0.3)
  local floor = plane(scene, "floor", { 0, 0, 0 },
    { math.sin(tilt) * math.cos(way), math.sin(tilt) * math.sin(way), math.cos(tilt) })
  if draw:chance(0.65) then
    return { floor }
  end
  return { floor, plane(scene, "wall", { -2, 0, 0 }, { math.cos(lean), 0, math.sin(lean) }) }
end

--- The fields that all bodies have, the i-th above those before it; of a pile, near its axis.
local function body_of(draw, i, pile)
  local speed = draw:chance(0.2) and 0 or 1
  local wide = pile and 0.15 or 1
  return { "b" .. i, mass = draw:between(0.5, 3),
    position = { wide * draw:between(-1, 1), wide * draw:between(-1, 1), 1.5 * i - 0.3 },
    velocity = draw:list(3, -2 * speed, 2 * speed), spin = draw:list(3, -5 * speed, 5 * speed) }
end

local function pair(scene, name, ...)
  local given = { name, ... }
  given.friction, given.restitution = scene.friction, scene.restitution
  scene.parts[#scene.parts + 1] = contact.pair(given)
  scene.contacts[#scene.contacts + 1] = name
end

--- Bodies of these kinds; or some that fall on each other, of those in `piled`, and at most one box
--- of `box`.
---@param draw Draw
---@param kinds { [integer]: string, piled: string[]?, box: string? }
---@param friction number
function solids.scene(draw, kinds, friction)
  local scene = { planes = {}, heights = {}, contacts = {}, friction = friction,
    restitution = draw:chance(0.3) and 0 or draw:between(0, 0.9),
    parts = { name = "solids", gravity = { 0, 0, -G } } }
  local count, surfaces, names = draw:whole(1, 4), planes(draw, scene), {}
  local pile, box = kinds.piled and count > 1 and draw:chance(0.35), draw:whole(1, 8)
  for i = 1, count do
    local kind = pile and i == box and kinds.box or draw:pick(pile and kinds.piled or kinds)
    names[i] = "b" .. i
    scene.heights[i] = makers[kind](draw, scene, body_of(draw, i, pile), draw:between(0.2, 0.6))
  end
  pair(scene, "c", surfaces, names)
  if pile then
    pair(scene, "each", names)
  end
  scene.model = sarrus.model(scene.parts)
  return scene
end

-- What must hold ---------------------------------------------------------------------------------

--- How far forces are from what is allowed: they push, and stay within the cone to 1e-10 of the
--- largest.
local function forces_off(points, friction, largest)
  local worst = 0
  for _, point in ipairs(points) do
    local normal = vec.dot(point.force, point.normal)
    local along = vec.norm(vec.cross(point.normal, point.force))
    largest = math.max(largest, normal, along)
    worst = math.max(worst, -normal, along - friction * math.max(0, normal))
  end
  return worst / (1e-10 * largest), largest
end

-- Friction against slip, as a part of its size.
local AGAINST = 1e-6

local BODIES = { b1 = "b1", b2 = "b2", b3 = "b3", b4 = "b4" } -- of shapes

--- How deep things are in each other and in planes, which may be 1e-9.
local function depth(scene, s)
  local least = 0
  for _, name in ipairs(scene.contacts) do
    least = math.min(least, s:contact(name).gap)
  end
  for _, height in ipairs(scene.heights) do
    for _, one in ipairs(scene.planes) do
      least = math.min(least, height(s, one))
    end
  end
  return -least / 1e-9
end

--- The error of a scene in units of what is allowed, and what it fails with, which must be CONTACT.
function solids.error(scene)
  local sim = assert(scene.model:simulate { max_steps = 3000 })
  local energy, largest, worst = sim:state():energy().total, 1, 0
  local size = math.abs(energy) -- things may come to rest where it is 0
  for k = 1, SAMPLES do
    local early = go(sim, T * k / SAMPLES)
    if early then
      return worst, early
    end
    local s = sim:state()
    local now = s:energy().total
    for _, name in ipairs(scene.contacts) do
      local off
      local points = s:contact(name).points
      off, largest = forces_off(points, scene.friction, largest)
      worst = math.max(worst, off, rubs.off(s, points, BODIES, scene.friction) / AGAINST)
    end
    worst = math.max(worst, depth(scene, s), (now - energy) / (1e-9 * size))
    energy = now
  end
  return worst
end

return solids
