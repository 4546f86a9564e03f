--- A sphere, box or capsule that rests on a plane, or on a sphere, box or capsule, often of its own
--- size, is pushed off it, anywhere in space.  Nothing penetrates by more than 1e-9, by a distance
--- that is found here, energy never rises; tolerances of 1e-9 and 1e-12 agree, as far as a push
--- that is changed by 1e-9 tells (100 times) how errors grow; and what moves in a plane does as
--- disks and boxes do in the plane.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local body, contact, shape, vec = sarrus.body, sarrus.contact, sarrus.shape, sarrus.vec

-- The error is in units of what is allowed.
local class = { cases = 20, bound = 1 }

local G, REST, T, SAMPLES, CHANGED = 9.81, 0.2, 0.8, 8, 1e-9
local MOST_STEPS = 10000

-- Shapes -----------------------------------------------------------------------------------------

-- { below, above }; "rod" is a capsule along the push, "roll" one across it.
local PAIRS = {
  { "plane", "sphere" }, { "plane", "box" }, { "plane", "rod" }, { "plane", "roll" },
  { "sphere", "sphere" }, { "sphere", "rod" }, { "sphere", "roll" }, { "sphere", "box" },
  { "rod", "sphere" }, { "rod", "rod" }, { "rod", "roll" }, { "rod", "box" },
  { "roll", "sphere" }, { "roll", "rod" }, { "roll", "roll" }, { "roll", "box" },
  { "box", "sphere" }, { "box", "rod" }, { "box", "roll" },
}

local IS_ROUND = { sphere = true, roll = true }

--- Half the length of a shape's middle line, along and across the push.
local function half_of(one)
  return { one.kind == "rod" and one.half or 0, one.kind == "roll" and one.half or 0, 0 }
end

local function size_of(one)
  return { 2 * one.half, 2 * one.width, 2 * one.radius }
end

--- A shape whose middle is at a place of the scene.
local function put(scene, one, name, owner, at)
  local place, along = scene.turned(at), scene.turned(half_of(one))
  if one.kind == "plane" then
    return shape.plane { name, owner, at = place, normal = scene.turned { 0, 0, 1 } }
  elseif one.kind == "sphere" then
    return shape.sphere { name, owner, at = place, radius = one.radius }
  elseif one.kind == "box" then
    return shape.box { name, owner, at = place, size = size_of(one), orientation = scene.rotation }
  end
  return shape.capsule { name, owner, from = place - along, to = place + along,
    radius = one.radius }
end

local function put_planar(one, name, owner, at)
  if one.kind == "plane" then
    return shape.line { name, owner, at = { at[1], at[3] }, normal = { 0, 1 } }
  elseif one.kind == "box" then
    return shape.box { name, owner, at = { at[1], at[3] }, size = { 2 * one.half, 2 * one.radius } }
  end
  return shape.disk { name, owner, at = { at[1], at[3] }, radius = one.radius }
end

-- Scenes -----------------------------------------------------------------------------------------

--- Turns places of the scene, in which the push goes along x and z is up.
local function turning(rotation)
  local axis, angle = vec.new(rotation.axis), rotation.angle
  return function(v)
    local c, s = math.cos(angle), math.sin(angle)
    v = vec.new(v)
    return v * c + vec.cross(axis, v) * s + axis * (vec.dot(axis, v) * (1 - c))
  end
end

local function scene_of(draw)
  local kinds = draw:pick(PAIRS)
  local function one(kind)
    return { kind = kind, half = draw:between(0.3, 1), width = draw:between(0.3, 1),
      radius = draw:between(0.2, 0.6) }
  end
  local below, above = one(kinds[1]), one(kinds[2])
  local alike = draw:chance(0.5)
  above.half = alike and below.half or above.half
  above.width = alike and below.width or above.width
  local rotation = { axis = draw:direction(), angle = draw:chance(0.5) and 0 or draw:between(0, 3) }
  local top = kinds[1] == "plane" and 0 or below.radius
  local scene = { below = below, above = above, rotation = rotation, turned = turning(rotation),
    height = top + above.radius, mass = draw:between(0.5, 3), inertia = draw:list(3, 0.15, 0.3),
    friction = draw:chance(0.4) and 0 or draw:between(0, 0.5), push = draw:signed(0.3, 4) }
  scene.aside = draw:chance(0.4) and draw:signed(0.1, 1) or 0
  scene.is_planar = scene.aside == 0 and (IS_ROUND[kinds[1]] or kinds[1] == "plane"
    or kinds[1] == "box") and (IS_ROUND[kinds[2]] or kinds[2] == "box")
  return scene
end

--- The body after a rest and a push: { time, place, turned back, and spin }, and the worst of what
--- must hold.
local function run(scene, tolerance, changed, watch)
  local at = { 0, 0, scene.height }
  local push, aside = scene.push + changed, scene.aside + changed
  local model = sarrus.model { gravity = scene.turned { 0, 0, -G },
    body.rigid { "b", position = scene.turned(at), orientation = scene.rotation,
      mass = scene.mass, inertia = scene.inertia },
    put(scene, scene.below, "below", "ground", { 0, 0, 0 }),
    put(scene, scene.above, "above", "b", at),
    contact.pair { "touch", "below", "above", friction = scene.friction } }
  local sim = assert(model:simulate { tolerance = tolerance, max_steps = MOST_STEPS })
  go(sim, REST)
  assert(sim:impulse("b", scene.turned { push * scene.mass, aside * scene.mass, 0 }))
  for k = 1, SAMPLES do
    go(sim, REST + T * k / SAMPLES)
    if watch then
      watch(sim:state())
    end
  end
  return sim:state():body("b")
end

-- What must hold ---------------------------------------------------------------------------------

--- How far a place is from a shape's middle line, or from a box, which lie as the scene does.
local function distance_to(one, p)
  local half = one.kind == "box" and { one.half, one.width, one.radius } or half_of(one)
  local square = 0
  for k = 1, 3 do
    square = square + math.max(math.abs(p[k]) - half[k], 0) ^ 2
  end
  return math.sqrt(square) - (one.kind == "box" and 0 or one.radius)
end

--- The least of a convex function between two places.
local function least(f, from, to)
  for _ = 1, 80 do
    local a, b = from + (to - from) * 0.382, from + (to - from) * 0.618
    if f(a) < f(b) then
      to = b
    else
      from = a
    end
  end
  return f((from + to) * 0.5)
end

--- Whether a shape penetrates the one below: of a box, seen from the box, what is below is asked.
local function gap_of(scene, s)
  local below, above, b = scene.below, scene.above, s:body("b")
  local axes = {}
  for k = 1, 3 do
    local e = { 0, 0, 0 }
    e[k] = 1
    axes[k] = scene.turned(e)
  end
  local function lies(place)
    return vec.new { vec.dot(axes[1], place), vec.dot(axes[2], place), vec.dot(axes[3], place) }
  end
  local centre = lies(b.position)
  local own = {} -- the body's axes, in those of the scene
  for k = 1, 3 do
    local e = { 0, 0, 0 }
    e[k] = 1
    own[k] = lies(s:point("b", e) - b.position)
  end
  local h = half_of(above)
  if below.kind == "plane" then
    h = above.kind == "box" and { above.half, above.width, above.radius } or h
    local low = centre[3] - (above.kind == "box" and 0 or above.radius)
    for k = 1, 3 do
      low = low - math.abs(own[k][3]) * h[k]
    end
    return low
  elseif above.kind == "box" then
    local function seen(place)
      local d = place - centre
      return { vec.dot(own[1], d), vec.dot(own[2], d), vec.dot(own[3], d) }
    end
    local line = vec.new(half_of(below))
    return least(function(p) return distance_to(above, seen(p)) end, -line, line) - below.radius
  end
  local line = own[1] * h[1] + own[2] * h[2]
  return least(function(p) return distance_to(below, p) end, centre - line, centre + line)
    - above.radius
end

--- The same in the plane: { x, z, angle }.
local function planar_of(scene)
  local at = { 0, 0, scene.height }
  local model = sarrus.model { gravity = { 0, -G },
    body.rigid { "b", position = { 0, scene.height }, mass = scene.mass,
      inertia = scene.inertia[2] },
    put_planar(scene.below, "below", "ground", { 0, 0, 0 }),
    put_planar(scene.above, "above", "b", at),
    contact.pair { "touch", "below", "above", friction = scene.friction } }
  local sim = assert(model:simulate { tolerance = 1e-12, max_steps = MOST_STEPS })
  go(sim, REST)
  assert(sim:impulse("b", { scene.push * scene.mass, 0 }))
  go(sim, REST + T)
  return sim:state():body("b")
end

function class.case(draw)
  local scene, worst, energy = scene_of(draw), 0, nil
  local exact = run(scene, 1e-12, 0, function(s)
    local total = s:energy().total
    worst = math.max(worst, -gap_of(scene, s) / 1e-9)
    worst = math.max(worst, energy and (total - energy) / (1e-9 * (1 + math.abs(energy))) or 0)
    energy = total
  end)
  local rough = run(scene, 1e-9, 0)
  local moved = run(scene, 1e-12, CHANGED)
  local function apart(other)
    return vec.norm(other.position - exact.position)
  end
  worst = math.max(worst, apart(rough) / (1e-7 + 100 * apart(moved)))
  if scene.is_planar then
    local plane = planar_of(scene)
    local place = scene.turned { plane.position.x, 0, plane.position.y }
    worst = math.max(worst, vec.norm(place - exact.position) / (1e-8 + 10 * apart(moved)))
  end
  return worst
end

return class
