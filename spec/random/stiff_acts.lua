--- Stiff mechanisms in which things happen, against series: events at crossings with impulses and
--- parameters that are set, controllers that set them every period, joints that are locked and
--- unlocked, forces that are let go, drives, stops that are touched, longest steps, and forces that
--- are piecewise or tables; times of events, places and rates.
local sarrus = require "sarrus"
local body, force, joint = sarrus.body, sarrus.force, sarrus.joint

-- The error is relative to 1000 tolerances (of rates, 100,000), and to 100 times what series of
-- that tolerance are off.
local class = { cases = 60, bound = 1 }

local T, MOST_STEPS = 1, 5000

--- A chain of one to three rods from the ground, planar, a stiff spring or gain at each hinge but
--- one.
local function draw_problem(draw)
  local p = { n = draw:whole(1, 3), lengths = draw:list(3, 0.5, 1), masses = draw:list(3, 0.5, 2),
    angles = draw:list(3, -1, 1), free = draw:whole(1, 3), kinds = {}, rates = {},
    ratios = draw:list(3, 0.7, 2), aims = draw:list(3, -0.4, 0.4), spins = draw:list(3, -2, 2) }
  for i = 1, p.n do
    p.kinds[i] = draw:pick { "spring", "gain", "torsion", "saturated", "table", "onesided" }
    p.rates[i] = 10 ^ draw:between(1, draw:pick { 2, 3, 4 })
  end
  p.drive = draw:chance(0.2) and p.n > 1 and p.free ~= 1
  p.stop = draw:chance(0.4) and { draw:between(0.05, 0.5), draw:pick { 0, 0.5 } } or nil
  p.act = draw:pick { "impulse", "set", "lock", "release", "nothing" }
  p.level, p.period = draw:between(-0.3, 0.3), draw:chance(0.5) and draw:between(0.1, 0.3) or nil
  p.max_step = draw:chance(0.2) and draw:between(0.003, 0.05) or nil
  return p
end

--- Effort of a drive of rate w.
local efforts = {}

function efforts.gain(k, c, aim)
  return function(x, rate) return -k * (x - aim) - c * rate end
end

--- The pull is bounded.
function efforts.saturated(k, c, aim)
  return function(x, rate)
    return -sarrus.max(-40, sarrus.min(40, k * (x - aim))) - c * rate
  end
end

--- Twice as stiff on one side.
function efforts.onesided(k, c, aim)
  return function(x, rate)
    return -k * (x - aim) - k * sarrus.max(0, x - aim) - c * rate
  end
end

function efforts.table(k, c, aim)
  local pull = sarrus.table { x = { -10, -1, -0.5, 0, 0.5, 1, 10 },
    y = { -12 * k, -k, -0.5 * k, 0, 0.5 * k, k, 12 * k } }
  return function(x, rate) return -pull(x - aim) - c * rate end
end

local function model_of(p)
  local parts, x, y = { name = "chain", gravity = { 0, -9.81 } }, 0, 0
  local push, aim = sarrus.parameter("push", 0), sarrus.parameter("aim", 0)
  for i = 1, p.n do
    local a = p.angles[i]
    local nx, ny = x + p.lengths[i] * math.cos(a), y + p.lengths[i] * math.sin(a)
    parts[#parts + 1] = body.rod { "b" .. i, from = { x, y }, to = { nx, ny }, mass = p.masses[i],
      spin = p.spins[i] }
    local given = { "j" .. i, i == 1 and "ground" or "b" .. i - 1, "b" .. i, at = { x, y } }
    local inertia = 0.3 * p.masses[i] * p.lengths[i] ^ 2
    local k, c = inertia * p.rates[i] ^ 2, 2 * p.ratios[i] * inertia * p.rates[i]
    local wanted = p.aims[i] * sarrus.sin(2 * sarrus.time) + (i == 1 and aim or 0)
    if i == 1 and p.drive then
      given.motion = 0.3 * sarrus.sin(3 * sarrus.time)
    elseif i == p.free then
      given.torque = function(_, rate) return -0.2 * rate end
      if p.stop then
        given.limits = { -p.stop[1], p.stop[1], restitution = p.stop[2] }
      end
    elseif p.kinds[i] == "spring" then
      given.stiffness, given.damping, given.rest = k, c, p.aims[i] * sarrus.sin(2 * sarrus.time)
    elseif p.kinds[i] == "torsion" then
      parts[#parts + 1] = force.torsion { "t" .. i, given[2], given[3], stiffness = k, damping = c }
    else
      given.torque = efforts[p.kinds[i]](k, c, wanted)
    end
    parts[#parts + 1] = joint.revolute(given)
    x, y = nx, ny
  end
  parts[#parts + 1] = force.torque { "hand", "b1", torque = push + aim }
  parts[#parts + 1] = force.spring { "s", "ground", "b" .. p.n, from = { 3, 3 }, to = { x, y },
    stiffness = 5, length = 1 }
  return sarrus.model(parts)
end

local acts = {}

function acts.impulse(sim, p, n)
  assert(sim:impulse("b" .. p.n, { n % 2 == 1 and 0.1 or -0.1, 0.05 }))
end

function acts.set(sim, _, n)
  assert(sim:set("aim", n % 2 == 1 and 0.1 or 0))
end

function acts.lock(sim, p, n)
  local name = "j" .. p.n
  if n == 1 then
    assert(sim:lock(name))
  elseif n == 3 then
    assert(sim:unlock(name))
  end
end

function acts.release(sim, _, n)
  if n == 1 then
    assert(sim:release("s"))
  end
end

function acts.nothing() end

--- Firings, places, rates; or nil and why.
local function simulate(p, options)
  local firings, n, calls = {}, 0, 0
  options.events = { sarrus.event { "crossing", when = function(s)
    return s:body("b" .. p.n).angle - p.angles[p.n] - p.level
  end, action = function(sim, s)
    n = n + 1
    firings[n] = s.t
    if n <= 4 then -- what a script switches at a crossing may cross it for ever
      acts[p.act](sim, p, n)
    end
  end } }
  options.controllers = p.period and { sarrus.controller { period = p.period,
    action = function(sim, s)
      calls = calls + 1
      assert(sim:set("push", 3 * math.sin(calls) - s:body("b1").spin))
    end } }
  options.max_step, options.max_steps = p.max_step, MOST_STEPS
  local sim = assert(model_of(p):simulate(options))
  local good, message, code = sim:advance(T)
  if not good then
    return nil, ("%s at %.17g: %s"):format(code, sim.time, message)
  end
  local places, rates, s = {}, {}, sim:state()
  for i = 1, p.n do
    places[i], rates[i] = s:body("b" .. i).angle, s:body("b" .. i).spin
  end
  return { firings, places, rates }
end

local function differences(a, b)
  if #a[1] ~= #b[1] then
    return nil
  end
  local off = { 0, 0, 0 }
  for kind = 1, 3 do
    for i, x in ipairs(b[kind]) do
      off[kind] = math.max(off[kind], math.abs(a[kind][i] - x))
    end
  end
  return off
end

function class.case(draw)
  local p, tolerance = draw_problem(draw), draw:pick { 1e-6, 1e-8, 1e-10 }
  local method = draw:pick { "stiff", "auto" }
  local exact = simulate(p, { method = "series", tolerance = 1e-13 })
  local rough = exact and simulate(p, { method = "series", tolerance = tolerance })
  if not rough or not differences(rough, exact) then
    return 0
  end
  local found, message = simulate(p, { method = method, tolerance = tolerance })
  if not found then
    error(message, 0)
  end
  local off = differences(found, exact)
  if not off then
    error(("fires %d times, series %d"):format(#found[1], #exact[1]), 0)
  end
  local usual, worst = differences(rough, exact), 0
  for kind = 1, 3 do
    local size = kind == 3 and 100 or 1
    worst = math.max(worst, off[kind] / (1000 * size * tolerance + 100 * usual[kind]))
  end
  return worst
end

return class
