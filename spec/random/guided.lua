--- Mechanisms of one freedom that strike lines or planes with friction: pendulums, sliders, and
--- four-bars with a point of their coupler, in the plane and in space.  Normal and friction impulse
--- act along the same motion, whose slip goes with the approach: with r = |v_t / v_n| of the place
--- that strikes, friction adds to compression and takes from expansion, so that Poisson's law is
---   v_n -> -e v_n max(0, 1 - mu r) / (1 + mu r).
--- r comes from where joints are, energy from this, impact after impact; and masses that differ by
--- rounding must not matter.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local space = dofile("spec/random/tools/space.lua")
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local class = { cases = 100, bound = 1e-9 }

local T = 1.5

local function unit(a)
  return space.scale(a, 1 / space.norm(a))
end

-- Mechanisms, drawn in a plane -------------------------------------------------------------------

local function along(angle, length)
  return { length * math.cos(angle), length * math.sin(angle), 0 }
end

local function rod(p, name, from, to, draw)
  p.rods[name] = { name = name, from = from, to = to, mass = draw:between(0.3, 3) }
  p.bodies[#p.bodies + 1] = p.rods[name]
end

local function hinge(p, name, a, b, at)
  p.joints[#p.joints + 1] = { name = name, a = a, b = b, at = at }
end

--- Each completes p: bodies, joints, `tip`, which is fixed to the body `of`, how the first joint
--- starts, and `motion`, the direction in which the tip moves, from places of named points.
local kinds = {}

function kinds.pendulum(p, draw)
  local to = along(draw:between(-3, 3), draw:between(0.3, 1))
  rod(p, "b", { 0, 0, 0 }, to, draw)
  hinge(p, "j", "ground", "b", { 0, 0, 0 })
  p.of, p.tip = "b", space.add(to, along(draw:between(-3, 3), draw:between(0, 0.3)))
  p.points = { pivot = { "ground", { 0, 0, 0 } } }
  p.motion = function(at)
    return space.cross(p.axis, space.less(at.tip, at.pivot))
  end
end

function kinds.slider(p, draw)
  local to = along(draw:between(-3, 3), draw:between(0.3, 1))
  rod(p, "b", { 0, 0, 0 }, to, draw)
  p.slide = along(draw:between(-3, 3), 1)
  p.joints[1] = { name = "j", a = "ground", b = "b", at = { 0, 0, 0 }, slides = true }
  p.of, p.tip, p.points = "b", to, {}
  p.motion = function()
    return space.apply(p.turn, p.slide)
  end
end

--- Where the lines of two bars meet: what turns about both turns about that.
local function centre(axis, a, b, c, d)
  local u, w = space.less(b, a), space.less(d, c)
  local s = space.dot(axis, space.cross(space.less(c, a), w)) /
    space.dot(axis, space.cross(u, w))
  return space.add(a, u, s)
end

function kinds.fourbar(p, draw)
  local base = draw:between(0.8, 1.2)
  local a = along(draw:between(0.8, 2.2), draw:between(0.3, 0.5))
  local b = space.add({ base, 0, 0 }, along(draw:between(0.6, 1.8), draw:between(0.6, 0.9)))
  rod(p, "crank", { 0, 0, 0 }, a, draw)
  rod(p, "b", a, b, draw)
  rod(p, "rocker", { base, 0, 0 }, b, draw)
  hinge(p, "j", "ground", "crank", { 0, 0, 0 })
  hinge(p, "k", "crank", "b", a)
  hinge(p, "l", "b", "rocker", b)
  hinge(p, "m", "ground", "rocker", { base, 0, 0 })
  p.of, p.tip = "b", space.add(a, along(draw:between(-3, 3), draw:between(0.2, 0.7)))
  p.points = { a0 = { "ground", { 0, 0, 0 } }, a = { "b", a }, b = { "b", b },
    b0 = { "ground", { base, 0, 0 } } }
  p.motion = function(at)
    return space.cross(p.axis, space.less(at.tip, centre(p.axis, at.a0, at.a, at.b0, at.b)))
  end
end

-- Models -----------------------------------------------------------------------------------------

local function draw_case(draw)
  local p = { bodies = {}, rods = {}, joints = {}, lines = {}, spatial = draw:chance(0.4) }
  p.kind = draw:pick { "pendulum", "slider", "fourbar" }
  kinds[p.kind](p, draw)
  p.turn = space.rotation({ 0, 0, 1 }, 0)
  if p.spatial then
    p.turn = space.rotation(draw:direction(), draw:between(0, 3))
  end
  p.axis = space.apply(p.turn, { 0, 0, 1 })
  p.gravity = draw:chance(0.4) and 0 or 9.81
  p.speed = draw:signed(0.5, 4)
  p.points.tip = { p.of, p.tip }
  return p
end

--- Lines or planes across the way of the tip, one to either side of it.
local function draw_lines(p, draw)
  local at = {}
  for name, point in pairs(p.points) do
    at[name] = space.apply(p.turn, point[2])
  end
  local way = unit(p.motion(at))
  for i, side in ipairs { -1, 1 } do
    local angle = draw:between(-1.5, 1.5)
    local across = space.cross(p.axis, way)
    if p.spatial then
      across = unit(space.add(across, p.axis, draw:between(-2, 2)))
    end
    local normal = space.add(space.scale(way, side * math.cos(angle)), across, math.sin(angle))
    local far = draw:between(0.02, 0.3)
    p.lines[i] = { name = "line" .. i, normal = normal, at = space.add(at.tip, normal, -far),
      friction = draw:chance(0.1) and 0 or draw:between(0, 1.5),
      restitution = draw:chance(0.15) and draw:whole(0, 1) or draw:between(0, 1) }
  end
end

--- The model with masses that differ by a factor.
local function model_of(p, factor)
  local function place(x)
    local y = space.apply(p.turn, x)
    return p.spatial and y or { y[1], y[2] }
  end
  local function same(x)
    return p.spatial and x or { x[1], x[2] }
  end
  local parts = { gravity = same { 0, -p.gravity, 0 } }
  local function put(part)
    parts[#parts + 1] = part
  end
  for _, b in ipairs(p.bodies) do
    put(body.rod { b.name, from = place(b.from), to = place(b.to), mass = b.mass * factor,
      radius = p.spatial and 0.05 or nil })
  end
  for _, j in ipairs(p.joints) do
    local given = { j.name, j.a, j.b, at = place(j.at) }
    given.axis = j.slides and place(p.slide) or p.spatial and p.axis or nil
    put((j.slides and joint.prismatic or joint.revolute)(given))
  end
  put(shape.point { "tip", p.of, at = place(p.tip) })
  for _, line in ipairs(p.lines) do
    put((p.spatial and shape.plane or shape.line) { line.name, "ground", at = same(line.at),
      normal = same(line.normal) })
    put(contact.pair { "on " .. line.name, line.name, "tip", friction = line.friction,
      restitution = line.restitution })
  end
  return sarrus.model(parts)
end

-- Answers ----------------------------------------------------------------------------------------

--- What an impact leaves of the speed of the tip.
local function left(p, line, at)
  local way = p.motion(at)
  local approach = math.abs(space.dot(way, line.normal))
  local slip = math.sqrt(math.max(0, space.dot(way, way) - approach ^ 2))
  local drag = line.friction * slip / approach
  return line.restitution * math.max(0, 1 - drag) / (1 + drag)
end

local function triple(v)
  return { v.x, v.y, v.z or 0 }
end

--- Where points are: those of rods by the place of both ends, since all stay in one plane.
local function places(p, s)
  local at = {}
  for name, point in pairs(p.points) do
    local given = p.rods[point[1]]
    if not given then
      at[name] = space.apply(p.turn, point[2])
    else
      local length = space.norm(space.less(given.to, given.from))
      local function on_rod(x)
        return triple(s:point(given.name, p.spatial and { x, 0, 0 } or { x, 0 }))
      end
      local from, u = on_rod(-length / 2), space.scale(space.less(given.to, given.from), 1 / length)
      local now = space.scale(space.less(on_rod(length / 2), from), 1 / length)
      local off = space.less(point[2], given.from)
      at[name] = space.add(space.add(from, now, space.dot(off, u)), space.cross(p.axis, now),
        space.dot(off, space.cross({ 0, 0, 1 }, u)))
    end
  end
  return at
end

--- Run it: the error of the energy, and where the tip ends.
local function run(p, factor)
  local model, events, energy, scale = model_of(p, factor), {}, nil, nil
  for i, line in ipairs(p.lines) do
    events[i] = sarrus.event { "strikes " .. i, contact = "on " .. line.name, on = "touch",
      action = function(_, s)
        local potential = s:energy().potential
        energy = potential + (energy - potential) * left(p, line, places(p, s)) ^ 2
      end }
  end
  local rate = p.joints[1].slides and "speed" or "rate"
  local sim = assert(model:simulate { tolerance = 1e-12, max_steps = 20000, events = events,
    joints = { j = { [rate] = p.speed } } })
  local s = sim:state()
  energy = s:energy().total
  scale = s:energy().kinetic + p.gravity
  local worst = 0
  for k = 1, 6 do
    go(sim, T * k / 6)
    worst = math.max(worst, math.abs(sim:state():energy().total - energy) / scale)
  end
  return worst, places(p, sim:state()).tip
end

function class.case(draw)
  local p = draw_case(draw)
  draw_lines(p, draw)
  local worst, tip = run(p, 1)
  for k = -1, 1, 2 do
    local _, other = run(p, 1 + 1e-15 * k)
    worst = math.max(worst, 1e-3 * space.norm(space.less(tip, other)))
  end
  return worst
end

return class
