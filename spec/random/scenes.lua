--- Planar scenes: 1 to 6 disks, boxes, polygons and hinged bars fall on lines, for 5 s.  Nothing
--- penetrates by more than 1e-9 of the size, forces push and stay within the cone of friction to
--- 1e-10 of the largest, the energy never rises; what fails says CONTACT, which the case answers
--- besides its error.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").or_contact
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

-- The error is in units of what is allowed.
local class = { cases = 30, bound = 1 }

local T, SAMPLES, G = 5, 100, 9.81

-- Bodies -----------------------------------------------------------------------------------------

--- Corners on a circle about a place, at angles that leave no gap of half a turn.
local function corners(draw, x, y, r)
  local n, list = draw:whole(3, 7), {}
  local turn = draw:between(0, 2 * math.pi)
  for i = 1, n do
    local angle = turn + 2 * math.pi * (i + draw:between(-0.3, 0.3)) / n
    list[i] = { x + r * math.cos(angle), y + r * math.sin(angle) }
  end
  return list
end

local makers = {}

function makers.disk(draw, parts, name, x, y, r, motion)
  motion[1], motion.position, motion.radius = name, { x, y }, r
  motion.mass = draw:between(0.5, 3)
  parts[#parts + 1] = body.disk(motion)
end

function makers.box(draw, parts, name, x, y, r, motion)
  motion[1], motion.position, motion.angle = name, { x, y }, draw:between(0, 2 * math.pi)
  motion.size = { r * draw:between(0.5, 1.4), r * draw:between(0.5, 1.4) }
  motion.mass = draw:between(0.5, 3)
  parts[#parts + 1] = body.box(motion)
end

function makers.polygon(draw, parts, name, x, y, r, motion)
  local mass = draw:between(0.5, 3)
  motion[1], motion.position, motion.mass = name, { x, y }, mass
  motion.inertia = mass * r * r * draw:between(0.3, 0.5)
  parts[#parts + 1] = body.rigid(motion)
  parts[#parts + 1] = shape.polygon { name .. " border", name, points = corners(draw, x, y, r) }
end

--- A bar, hinged to one more at its end.
function makers.linkage(draw, parts, name, x, y, r, motion)
  local mass = draw:between(0.5, 3)
  local a, b = draw:between(0, 2 * math.pi), draw:between(0, 2 * math.pi)
  local to = { x + r * math.cos(a), y + r * math.sin(a) }
  local on = { to[1] + r * math.cos(b), to[2] + r * math.sin(b) }
  parts[#parts + 1] = body.rod { name, from = { x, y }, to = to, mass = mass,
    velocity = motion.velocity }
  parts[#parts + 1] = body.rod { name .. " 2", from = to, to = on, mass = mass * draw:between(0.3,
    3),
    velocity = motion.velocity }
  parts[#parts + 1] = joint.revolute { name .. " hinge", name, name .. " 2", at = to }
  return name .. " 2"
end

local kinds = { "disk", "box", "polygon", "linkage" }

-- Scenes -----------------------------------------------------------------------------------------

local function lines(draw, parts)
  local angle = draw:chance(0.5) and 0 or draw:between(-0.4, 0.4)
  parts[#parts + 1] = shape.line { "floor", "ground", at = { 0, 0 },
    normal = { -math.sin(angle), math.cos(angle) } }
  if draw:chance(0.4) then
    local lean = draw:between(0, 0.3)
    parts[#parts + 1] = shape.line { "wall", "ground", at = { -4, 0 },
      normal = { math.cos(lean), math.sin(lean) } }
    return { "floor", "wall" }
  end
  return { "floor" }
end

local function scene_of(draw)
  local parts, names = { name = "scene", gravity = { 0, -G } }, {}
  local count, height = draw:whole(1, 6), 3
  local friction = draw:chance(0.2) and 0 or draw:between(0, 1)
  local restitution = draw:chance(0.3) and 0 or draw:between(0, 0.9)
  local surfaces = lines(draw, parts)
  while count > 0 do
    local kind, name = draw:pick(kinds), "b" .. count
    count = count - (kind == "linkage" and 2 or 1)
    local motion = { velocity = { draw:between(-2, 2), draw:between(-2, 2) },
      spin = draw:between(-5, 5) }
    motion.spin = kind ~= "linkage" and motion.spin or nil
    local second = makers[kind](draw, parts, name, draw:between(-1, 1), height,
      draw:between(0.2, 0.6), motion)
    names[#names + 1], names[#names + 2] = name, second
    height = height + 2
  end
  parts[#parts + 1] = contact.pair { "c", surfaces, names, friction = friction,
    restitution = restitution }
  return sarrus.model(parts), friction
end

-- What must hold ---------------------------------------------------------------------------------

--- How far the forces of the points are from what is allowed, in units of it.
local function forces_off(points, friction, largest)
  local worst = 0
  for _, point in ipairs(points) do
    local normal = sarrus.vec.dot(point.force, point.normal)
    local along = math.abs(sarrus.vec.cross(point.normal, point.force))
    largest = math.max(largest, normal, along)
    worst = math.max(worst, -normal, along - friction * math.max(0, normal))
  end
  return worst / (1e-10 * largest), largest
end

function class.case(draw)
  local model, friction = scene_of(draw)
  local sim = assert(model:simulate { max_steps = 20000 })
  local energy, largest, worst = sim:state():energy().total, 1, 0
  local size = math.abs(energy) -- things may come to rest where it is 0
  for k = 1, SAMPLES do
    local early = go(sim, T * k / SAMPLES)
    if early then
      return worst, early
    end
    local s = sim:state()
    local touch, now, off = s:contact("c"), s:energy().total
    off, largest = forces_off(touch.points, friction, largest)
    worst = math.max(worst, off, -touch.gap / 1e-9, (now - energy) / (1e-9 * size))
    energy = now
  end
  return worst
end

return class
