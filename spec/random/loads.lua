--- Friction that grows with the load of a bearing, where the load is 0, grows from 0, passes 0,
--- turns, comes and goes, for 2 s.  Wheels and sliders under forces of time, of parameters and of
--- springs: the rate is an integral over time, sticking included.  Bars that spin about one end
--- without gravity: closed form.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local class = { cases = 60, bound = 1e-9 }

local T = 2

-- Where a rate comes to 0 is looked for at so many times of a piece.
local SAMPLES = 200

-- Integrals --------------------------------------------------------------------------------------

local NODES = { 0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363 }
local WEIGHTS = { 0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763 }

--- Of a function that is smooth between a and b, by Gauss in 8 panels.
local function smooth_integral(f, a, b)
  local sum, h = 0, (b - a) / 16
  for panel = 1, 8 do
    local mid = a + (2 * panel - 1) * h
    for i, x in ipairs(NODES) do
      sum = sum + h * WEIGHTS[i] * (f(mid - h * x) + f(mid + h * x))
    end
  end
  return sum
end

--- Where an increasing condition becomes true between a and b.
local function bisect(condition, a, b)
  for _ = 1, 200 do
    local mid = 0.5 * (a + b)
    if mid <= a or mid >= b then
      break
    elseif condition(mid) then
      b = mid
    else
      a = mid
    end
  end
  return b
end

-- Loads: sizes as functions of time, and where they have kinks ------------------------------------

local makers = {}

function makers.none() return function(t) return 0 * t end, {} end

function makers.power(draw)
  local k, n = draw:between(-20, 20), draw:whole(1, 4)
  return function(t) return k * t ^ n end, {}
end

function makers.passes(draw)
  local k, a = draw:between(-20, 20), draw:between(0.1, 1.9)
  return function(t) return k * (t - a) end, { a }
end

function makers.comes(draw)
  local k, a, jumps = draw:between(-20, 20), draw:between(0, 1.9), draw:chance(0.5)
  return function(t, fn) return k * fn.select(t - a, jumps and 1 or t - a, 0) end, { a }
end

function makers.goes(draw)
  local k, a = draw:between(-20, 20), draw:between(0.1, 1.9)
  return function(t, fn) return k * fn.max(a - t, 0) end, { a }
end

function makers.swings(draw)
  local k, w, kinks = draw:between(-20, 20), draw:between(0.5, 8), {}
  for n = 1, math.floor(T * w / math.pi) do
    kinks[n] = n * math.pi / w
  end
  return function(t, fn) return k * fn.sin(w * t) end, kinks
end

local numbers = { sin = math.sin, max = math.max,
  select = function(u, a, b) return u > 0 and a or b end }

local function draw_load(draw)
  local kind = draw:pick { "none", "power", "passes", "comes", "goes", "swings" }
  local size, kinks = makers[kind](draw)
  return { size = size, kinks = kinks, at = function(t) return math.abs(size(t, numbers)) end }
end

-- The motion: rate' = push(t) - sign bound(t), or it sticks --------------------------------------

--- The times between which all is smooth.
local function pieces(load, more)
  local times = { 0, T }
  for _, list in ipairs { load.kinks, more } do
    for _, t in ipairs(list) do
      times[#times + 1] = t
    end
  end
  table.sort(times)
  return times
end

--- From a time on at rest: until when it sticks, and where it slips then.
local function stuck_until(p, t, to)
  local function slips(s) return math.abs(p.push(s)) > p.static * p.load.at(s) end
  local early = t + 1e-9 * (to - t)
  if slips(early) then
    return t, p.push(early) > 0 and 1 or -1
  elseif not slips(to) then
    return to, 0
  end
  local onset = bisect(slips, early, to)
  return onset, p.push(onset) > 0 and 1 or -1
end

--- The rate after a piece from a to b, and the direction of slip there; 0: it rests.
local function follow_piece(p, a, b, rate, sign)
  for _ = 1, 50 do
    if sign == 0 then
      a, sign = stuck_until(p, a, b)
      if a >= b then
        return 0, 0
      end
    end
    local from, start, s = a, rate, sign
    local function slope(u) return p.push(u) - s * p.sliding * p.load.at(u) end
    local function rate_at(t) return start + smooth_integral(slope, from, t) end
    local good, stops = start ~= 0 and from or from + 1e-6 * (b - from), nil
    for k = 1, SAMPLES do
      local t = good + (b - good) * k / SAMPLES
      if s * rate_at(t) <= 0 then
        stops = t
        break
      end
    end
    if not stops then
      return rate_at(b), s
    end
    a, rate, sign = bisect(function(t) return s * rate_at(t) <= 0 end, good, stops), 0, 0
  end
  error("it never comes to an end")
end

local function final_rate(p)
  local times, rate = pieces(p.load, {}), p.rate
  local sign = rate > 0 and 1 or rate < 0 and -1 or 0
  for i = 2, #times do
    if times[i] > times[i - 1] then
      rate, sign = follow_piece(p, times[i - 1], times[i], rate, sign)
    end
  end
  return rate
end

-- Cases ------------------------------------------------------------------------------------------

--- A wheel, whose load turns, or a slider, whose load cannot; a push that grows with time.
local function driven(draw)
  local wheel, load = draw:chance(0.5), draw_load(draw)
  local c, more, r = draw:between(0.05, 0.4), draw:chance(0.5) and draw:between(1, 2) or 1,
    draw:between(0.05, 0.3)
  local turn = wheel and draw:chance(0.5) and draw:between(-5, 5) or 0
  local first, growth = draw:chance(0.4) and draw:between(-1, 1) or 0,
    draw:chance(0.5) and draw:between(-1, 1) or 0
  local mass, inertia = draw:between(0.5, 3), draw:between(0.05, 0.5)
  local rate = draw:chance(0.4) and 0 or draw:between(-4, 4)
  local t, of = sarrus.time, load.size(sarrus.time, sarrus)
  local friction = { coefficient = c, radius = wheel and r or nil }
  if more > 1 then
    friction = { static = { coefficient = c * more, radius = friction.radius }, sliding = friction }
  end
  local effort, key = first + growth * t, wheel and "torque" or "force"
  local given = { "j", "ground", "b", at = { 0.3, 0.7 }, friction = friction, [key] = effort }
  given.axis = not wheel and { 1, 0 } or nil
  local model = sarrus.model {
    body.rigid { "b", position = { 0.3, 0.7 }, mass = mass, inertia = inertia },
    wheel and joint.revolute(given) or joint.prismatic(given),
    force.applied { "load", "b",
      force = wheel and { of * sarrus.cos(turn * t), of * sarrus.sin(turn * t) } or { 0, of } } }
  local by = wheel and r / inertia or 1 / mass
  local scale = wheel and 1 / inertia or 1 / mass
  return model, { joints = { j = { [wheel and "rate" or "speed"] = rate } } }, function()
    return final_rate { load = load, rate = rate, sliding = c * by, static = c * more * by,
      push = function(s) return (first + growth * s) * scale end }
  end, wheel
end

--- A bar about its end: rate' = -K rate^2, with k = c r m l / J, K = k / (1 - k^2)^1/2.
local function spun(draw)
  local m, l, c, r = draw:between(0.5, 3), draw:between(0.3, 1), draw:between(0.05, 0.5),
    draw:between(0.01, 0.2)
  local rate = draw:between(-8, 8)
  local model = sarrus.model {
    body.rod { "b", from = { 0.1, 0.2 }, to = { 0.1 + 2 * l, 0.2 }, mass = m },
    joint.revolute { "j", "ground", "b", at = { 0.1, 0.2 },
      friction = { coefficient = c, radius = r } } }
  local k = c * r * m * l / (m * (2 * l) ^ 2 / 3)
  local K = k / math.sqrt(1 - k * k)
  return model, { joints = { j = { rate = rate } } }, function()
    return rate / (1 + K * math.abs(rate) * T)
  end, true
end

--- A mass that swings across the slider which carries it: the load is that of its spring.
local function swung(draw)
  local m, own, k, c = draw:between(0.5, 3), draw:between(0.5, 3), draw:between(5, 200),
    draw:between(0.02, 0.3)
  local across, speed = draw:between(-1, 1), draw:between(2, 5)
  local model = sarrus.model {
    body.rigid { "b", position = { 0, 0 }, mass = m, inertia = 1 },
    body.rigid { "s", position = { 0, 0 }, mass = own, inertia = 1 },
    joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 },
      friction = { coefficient = c } },
    joint.prismatic { "k", "b", "s", at = { 0, 0 }, axis = { 0, 1 }, stiffness = k } }
  local w, kinks = math.sqrt(k / own), {}
  for n = 1, math.floor(T * w / math.pi) do
    kinks[n] = n * math.pi / w
  end
  local load = { kinks = kinks,
    at = function(t) return math.abs(k * across / w * math.sin(w * t)) end }
  return model, { joints = { j = { speed = speed }, k = { speed = across } } }, function()
    local by = c / (m + own)
    return final_rate { load = load, rate = speed, sliding = by, static = by,
      push = function() return 0 end }
  end, false
end

--- A load that is set, again and again, 0 among its values; the last of the rate by hand.
local function set(draw)
  local m, c, load = draw:between(0.5, 3), draw:between(0.05, 0.4), sarrus.parameter("load", 0)
  local rate = draw:between(-3, 3)
  local model = sarrus.model {
    body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = m },
    joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 },
      friction = { coefficient = c } },
    force.applied { "f", "b", force = { 0, load } } }
  local values = {}
  for i = 1, 5 do
    values[i] = draw:chance(0.4) and 0 or draw:between(-10, 10)
  end
  return model, { joints = { j = { speed = rate } } }, function(sim)
    local size = math.abs(rate)
    for i, value in ipairs(values) do
      assert(sim:set("load", value))
      go(sim, T * i / #values)
      size = math.max(0, size - c * math.abs(value) / m * T / #values)
    end
    return rate > 0 and size or -size
  end, false
end

function class.case(draw)
  local model, start, answer, turns = draw:pick { driven, driven, driven, spun, swung, set }(draw)
  start.tolerance, start.max_steps = 1e-13, 500
  local sim = assert(model:simulate(start))
  local expected = answer(sim)
  go(sim, T)
  local j = sim:state():joint("j")
  return math.abs((turns and j.rate or j.speed) - expected)
end

return class
