--- Boxes and plates on three to eight feet that slide, turn and stick on more points than hold them
--- (boxes between pads: grippers.lua): how they share the load must not depend on the side from
--- which it is seen, on the order of the points, on where the scene looks, or on a hair's breadth.
local sarrus = require "sarrus"
local rubs = dofile("spec/random/tools/rubs.lua")
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

-- The error is relative to 1e-9 of the motion seen otherwise; 1e-5 where the start is 1e-9 off.
local class = { cases = 20, bound = 1, early = 0.2 }

local GRAVITY, RADIUS = 9.81, 0.02

-- Scenes ------------------------------------------------------------------------------------------

--- Places of feet or pads on a face, in pairs or anywhere.
local function draw_feet(draw, least)
  local list, count = {}, draw:whole(least, 8)
  local even = draw:chance(0.5)
  while #list < count do
    local x, y = draw:between(-0.2, 0.2), draw:between(0.03, 0.15)
    if even and #list + 2 <= count then
      list[#list + 1] = { x, y }
      list[#list + 1] = { x, -y }
    elseif even then
      list[#list + 1] = { x, 0 }
    else
      list[#list + 1] = { x, draw:chance(0.5) and y or -y }
    end
  end
  return list
end

local function draw_problem(draw, kind)
  return { kind = kind, feet = kind > 1 and draw_feet(draw, kind == 2 and 3 or 4) or {},
    size = { draw:between(0.2, 0.5), draw:between(0.1, 0.4), draw:between(0.05, 0.3) },
    mass = draw:between(0.5, 3), friction = draw:between(0.1, 0.7),
    speed = draw:chance(0.2) and { 0, 0 } or { draw:between(-2, 2), draw:between(-1, 1) },
    spin = draw:chance(0.2) and 0 or draw:between(-4, 4),
    press = draw:between(10, 40), gap = draw:chance(0.5) and 0 or 0.005,
    duration = draw:between(0.1, 0.6) }
end

--- The bodies of all shapes.
local function bodies_of(p)
  local body_of = { b = "b" }
  for k = 1, #p.feet do
    body_of["f" .. k] = p.kind < 3 and "b" or (k + 1) % 4 < 2 and "l" or "r"
  end
  return body_of
end

--- How a scene is seen: `mirror` in the plane y = 0, `back`: with its points in the other order,
--- `angle`: turned about z, `off`: the speed at the start is another one by that.
local function seen(p, view)
  local c, s, sign = math.cos(view.angle or 0), math.sin(view.angle or 0), view.mirror and -1 or 1
  local function turned(x, y, z)
    return { c * x - s * sign * y, s * x + c * sign * y, z }
  end
  local function is_of(name, x, y, z, size)
    return body.box { name, position = turned(x, y, z), size = size,
      orientation = { axis = { 0, 0, 1 }, angle = view.angle or 0 },
      mass = name == "b" and p.mass or 0.1,
      velocity = name == "b" and p.kind < 3 and turned(p.speed[1] + (view.off or 0), p.speed[2], 0)
        or nil,
      spin = name == "b" and p.kind < 3 and { 0, 0, sign * p.spin } or nil }
  end
  return turned, is_of
end

--- Parts of feet, first to last or the other way round; answers their names.
local function put_feet(p, view, put)
  local names = {}
  for i = 1, #p.feet do
    local k = view.back and #p.feet + 1 - i or i
    names[i] = put("f" .. k, p.feet[k])
  end
  return names
end

local function on_floor(p, view, turned, is_of)
  local high = p.kind == 2 and 2 * RADIUS or 0
  local parts = { gravity = { 0, 0, -GRAVITY }, is_of("b", 0, 0, high + p.size[3] / 2, p.size),
    shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } } }
  local names = put_feet(p, view, function(name, at)
    parts[#parts + 1] = shape.sphere { name, "b", at = turned(at[1], at[2], RADIUS),
      radius = RADIUS }
    return name
  end)
  parts[#parts + 1] = contact.pair { "c", "floor", #names > 0 and names or "b",
    friction = p.friction }
  return parts
end

--- Pads on two sides, pressed towards each other by a force; the box falls meanwhile.
local function between_pads(p, view, turned, is_of)
  local w = p.size[1] / 2
  local parts = { gravity = { 0, 0, -GRAVITY }, is_of("b", 0, 0, 0, { p.size[1], 0.6, 0.6 }) }
  for _, side in ipairs(view.back and { 1, -1 } or { -1, 1 }) do
    local name = side < 0 and "l" or "r"
    local x = side * (w + 2 * RADIUS + p.gap)
    parts[#parts + 1] = is_of(name, x, 0, 0, { 2 * RADIUS, 0.4, 0.4 })
    parts[#parts + 1] = joint.prismatic { "j" .. name, "ground", name, at = turned(x, 0, 0),
      axis = turned(-side, 0, 0), force = p.press }
  end
  local names = put_feet(p, view, function(name, at)
    local side = bodies_of(p)[name] == "l" and -1 or 1
    parts[#parts + 1] = shape.sphere { name, side < 0 and "l" or "r", radius = RADIUS,
      at = turned(side * (w + RADIUS + p.gap), at[2], at[1]) }
    return name
  end)
  parts[#parts + 1] = contact.pair { "c", names, "b", friction = p.friction }
  return parts
end

-- Runs --------------------------------------------------------------------------------------------

-- Friction against slip, as a part of its size.
local AGAINST = 1e-6

--- How far normal forces are below 0, and friction above its bound or not against slip, in all
--- points.
local function violation(p, s)
  local worst = 0
  for _, point in ipairs(s:contact("c").points) do
    local f, n = point.force, point.normal
    local N = f.x * n.x + f.y * n.y + f.z * n.z
    local square = f.x * f.x + f.y * f.y + f.z * f.z - N * N
    local over = math.sqrt(math.max(0, square)) - p.friction * N
    worst = math.max(worst, -N, over)
  end
  local off = rubs.off(s, s:contact("c").points, bodies_of(p), p.friction)
  return math.max(worst / (p.mass * GRAVITY + p.press) / 1e-9, off / AGAINST)
end

--- The motion at some instants, as seen from the scene itself; and what is wrong in itself.
local function run(p, view)
  local turned, is_of = seen(p, view)
  local parts = (p.kind < 3 and on_floor or between_pads)(p, view, turned, is_of)
  local sim, motion, wrong, last = assert(sarrus.model(parts):simulate { max_steps = 20000 }), {}, 0
  local c, s, sign = math.cos(view.angle or 0), math.sin(view.angle or 0), view.mirror and -1 or 1
  for i = 1, 4 do
    local good, message, code = sim:advance(i * p.duration / 4)
    if not good then
      return nil, wrong, code .. ": " .. message
    end
    local state = sim:state()
    local b, e = state:body "b", p.kind < 3 and state:energy().total or 0
    local function put(v, w)
      motion[#motion + 1] = w * (c * v.x + s * v.y)
      motion[#motion + 1] = sign * w * (c * v.y - s * v.x)
      motion[#motion + 1] = w == sign and sign ~= 1 and v.z * sign or v.z
    end
    put(b.position, 1)
    put(b.velocity, 1)
    put(b.spin, sign)
    wrong = math.max(wrong, violation(p, state))
    wrong = math.max(wrong, last and (e - last) / 1e-10 / (1 + math.abs(e)) or 0)
    last = e
  end
  return motion, wrong
end

local function difference(a, b)
  local worst = 0
  for i, x in ipairs(a) do
    worst = math.max(worst, math.abs(x - b[i]))
  end
  return worst
end

--- Of boxes, 1, plates on feet, 2, or boxes between pads, 3.
function class.of_kind(draw, kind)
  local p = draw_problem(draw, kind)
  local motion, error, early = run(p, {})
  local views = { { mirror = true }, { back = true }, { angle = 0.7 }, { off = 1e-9 } }
  for _, view in ipairs(views) do
    local other, wrong, why = run(p, view)
    error = math.max(error, wrong)
    if motion and other then
      error = math.max(error, difference(motion, other) / (view.off and 1e-5 or 1e-9))
    elseif motion or other then
      return math.huge, why or early
    end
  end
  return error, early
end

function class.case(draw)
  return class.of_kind(draw, draw:whole(1, 2))
end

return class
