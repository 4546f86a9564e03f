--- One to three disks on stiff springs, or on none, that fall on a floor, bounce, slide and stick:
--- implicit steps, and those that choose, against series.
local sarrus = require "sarrus"
local body, contact, force, shape = sarrus.body, sarrus.contact, sarrus.force, sarrus.shape

-- The error is relative to 1000 tolerances, and to 100 times what series of that tolerance are off.
-- Open: 1 of 60 ends with CONTACT where it does not by series.
local class = { cases = 30, bound = 1, open = true }

local T, RADIUS = 0.9, 0.3

local function draw_problem(draw)
  local n = draw:whole(1, 3)
  local w = 10 ^ draw:between(1, 3)
  return { n = n, tilt = draw:chance(0.5) and 0 or draw:between(-0.2, 0.2),
    heights = draw:list(n, 1.2, 1.9), masses = draw:list(n, 0.5, 2), speeds = draw:list(n, -1, 1),
    spins = draw:list(n, -3, 3), stiffness = 0.5 * w * w, damping = draw:between(0.7, 2) * w,
    springs = draw:chance(0.8), friction = draw:chance(0.4) and 0 or draw:between(0.1, 0.8),
    restitution = draw:chance(0.4) and 0 or draw:between(0.2, 0.7) }
end

local function spring(p, name, a, from, i)
  return force.spring { name, a, "d" .. i, from = from, to = { 1.2 * i, p.heights[i] },
    stiffness = p.stiffness, damping = p.damping }
end

local function model_of(p)
  local parts, names = { gravity = { 0, -9.81 }, shape.line { "floor", "ground", at = { 0, 0 },
    normal = { math.sin(p.tilt), math.cos(p.tilt) } } }, {}
  for i = 1, p.n do
    names[i] = "d" .. i
    parts[#parts + 1] = body.disk { names[i], position = { 1.2 * i, p.heights[i] }, radius = RADIUS,
      mass = p.masses[i], velocity = { p.speeds[i], 0 }, spin = p.spins[i] }
    if p.springs and i > 1 then
      parts[#parts + 1] = spring(p, "s" .. i, names[i - 1], { 1.2 * (i - 1), p.heights[i - 1] }, i)
    end
  end
  if p.springs and p.n == 1 then
    parts[#parts + 1] = spring(p, "s1", "ground", { 1.2, 3 }, 1)
  end
  parts[#parts + 1] = contact.pair { "c", "floor", names, friction = p.friction,
    restitution = p.restitution }
  return sarrus.model(parts)
end

--- Places at the end, or nil and why not.
local function run(p, method, tolerance)
  local sim = assert(model_of(p):simulate { method = method, tolerance = tolerance,
    max_steps = 5000 })
  local good, message = sim:advance(T)
  if not good then
    return nil, message
  end
  local list = {}
  for i = 1, p.n do
    local b = sim:state():body("d" .. i)
    list[3 * i - 2], list[3 * i - 1], list[3 * i] = b.x, b.y, b.angle
  end
  return list
end

local function difference(a, b)
  local off = 0
  for i = 1, #b do
    off = math.max(off, math.abs(a[i] - b[i]))
  end
  return off
end

function class.case(draw)
  local p, tolerance = draw_problem(draw), draw:pick { 1e-6, 1e-9, 1e-12 }
  local exact = run(p, "series", 1e-13)
  local rough = exact and run(p, "series", tolerance)
  if not rough then
    return 0
  end
  local worst, usual = 0, difference(rough, exact)
  for _, method in ipairs { "stiff", "auto" } do
    local found, message = run(p, method, tolerance)
    assert(found, ("%s: %s"):format(method, message))
    worst = math.max(worst, difference(found, exact) / (1000 * tolerance + 100 * usual))
  end
  return worst
end

return class
