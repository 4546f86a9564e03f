--- Closed loops, four-bars and slider-cranks, whose crank is driven by a torque that switches:
--- select, max, abs and sign of its angle and rate, for 3 s.  The answer: the same loop at a
--- tolerance of 1e-13 with a parameter in place of the switch, which is set where the run stops at
--- events.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

-- The error is in units of what is allowed.  Not among the specs until switches are right.
local class = { cases = 30, bound = 1 }

local T, FINE = 3, 1e-13

-- Loops: parts, with the crank on joint A ---------------------------------------------------------

local function four_bar(draw)
  local x, y, base = draw:between(1.8, 2.2), draw:between(1.8, 2.2), draw:between(2.8, 3.1)
  return { gravity = { 0, draw:pick { 0, -9.81 } },
    body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = draw:between(0.5, 2) },
    body.rod { "coupler", from = { 0, 1 }, to = { x, y }, mass = draw:between(0.5, 2) },
    body.rod { "rocker", from = { base, 0 }, to = { x, y }, mass = draw:between(0.5, 2) },
    joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
    joint.revolute { "C", "coupler", "rocker", at = { x, y } },
    joint.revolute { "D", "rocker", "ground", at = { base, 0 } },
  }
end

local function slider_crank(draw)
  local r = draw:between(0.3, 1)
  local x = r + r * draw:between(2, 4)
  return { gravity = { 0, draw:pick { 0, -9.81 } },
    body.rod { "crank", from = { 0, 0 }, to = { r, 0 }, mass = draw:between(0.5, 2) },
    body.rod { "coupler", from = { r, 0 }, to = { x, 0 }, mass = draw:between(0.5, 2) },
    body.box { "piston", position = { x, 0 }, size = { 0.2, 0.2 }, mass = draw:between(0.5, 2) },
    joint.revolute { "B", "crank", "coupler", at = { r, 0 } },
    joint.revolute { "C", "coupler", "piston", at = { x, 0 } },
    joint.prismatic { "D", "ground", "piston", at = { x, 0 }, axis = { 1, 0 } },
  }
end

-- Torques: u, which switches, and what acts where u >= 0 and where it is not ----------------------

local torques = {
  function(draw) -- steps
    local a, one, other = draw:between(-2, 2), draw:between(-8, 8), draw:between(-8, 8)
    return { u = function(c) return c - a end, above = function() return one end,
      below = function() return other end,
      whole = function(c) return sarrus.select(c - a, one, other) end }
  end,
  function(draw) -- springs on one side
    local a, k, side = draw:between(-2, 2), 10 ^ draw:between(0, 4), draw:pick { -1, 1 }
    return { u = function(c) return side * (c - a) end, above = function(c) return k * (a - c) end,
      below = function() return 0 end,
      whole = function(c) return -side * k * sarrus.max(side * (c - a), 0) end }
  end,
  function(draw) -- springs and dampers on one side
    local a, k, d = draw:between(-2, 2), 10 ^ draw:between(1, 4), draw:between(0, 5)
    local function push(c, rate) return k * (a - c) - d * rate end
    return { u = function(c) return c - a end, above = push, below = function() return 0 end,
      whole = function(c, rate) return sarrus.select(c - a, push(c, rate), 0) end }
  end,
  function(draw) -- steps that come back every turn
    local a, one, other = draw:between(-0.9, 0.9), draw:between(-8, 8), draw:between(-8, 8)
    return { u = function(c) return sarrus.sin(c) - a end, above = function() return one end,
      below = function() return other end,
      whole = function(c) return sarrus.select(sarrus.sin(c) - a, one, other) end }
  end,
  function(draw) -- drag by the square of the rate
    local d = draw:between(0.1, 5)
    return { u = function(_, rate) return rate end,
      above = function(_, rate) return -d * rate * rate end,
      below = function(_, rate) return d * rate * rate end,
      whole = function(_, rate) return -d * sarrus.abs(rate) * rate end }
  end,
  function(draw) -- a push along the motion, which cannot stick
    local push = draw:between(0.1, 3)
    return { u = function(_, rate) return rate end, above = function() return push end,
      below = function() return -push end,
      whole = function(_, rate) return push * sarrus.sign(rate) end }
  end,
  function(draw) -- a spring that yields
    local a, k, most = draw:between(-1, 1), 10 ^ draw:between(0, 3), draw:between(1, 20)
    return { u = function(c) return k * (a - c) + most end,
      above = function(c) return k * (a - c) end, below = function() return -most end,
      whole = function(c) return sarrus.max(k * (a - c), -most) end }
  end,
}

local function model_of(parts, torque)
  local copy = { gravity = parts.gravity }
  for i, part in ipairs(parts) do
    copy[i] = part
  end
  copy[#copy + 1] = joint.revolute { "A", "ground", "crank", at = { 0, 0 }, torque = torque }
  return sarrus.model(copy)
end

--- What is compared: the crank and the coupler.
local function reading(sim)
  local s = sim:state()
  local a, coupler = s:joint("A"), s:body("coupler")
  return { a.angle, a.rate, coupler.x, coupler.y, coupler.spin }
end

-- By hand ----------------------------------------------------------------------------------------

local function by_hand(problem, angle, rate)
  local torque, side = problem.torque, sarrus.parameter("side", 1)
  local function when(s)
    local a = s:joint("A")
    return torque.u(a.angle, a.rate)
  end
  local sim = assert(problem.by_hand:simulate { joints = { A = { angle = angle, rate = rate } },
    parameters = { side = torque.u(angle, rate) >= 0 and 1 or 0 }, tolerance = FINE,
    events = { sarrus.event { "above", when = when, direction = "up", stop = true },
      sarrus.event { "below", when = when, direction = "down", stop = true } } })
  for _ = 1, 1000 do
    local result, name, code = sim:advance(T)
    if result == "END" then
      return reading(sim)
    elseif not result then
      error("by hand: " .. code .. ": " .. name)
    end
    local new = name == "above" and 1 or 0
    if sim:get "side" ~= new then
      assert(sim:set(side, new))
    end
  end
  error("by hand: too many switches")
end

-- The case ---------------------------------------------------------------------------------------

function class.draw(draw)
  local parts, kind = draw:pick { four_bar, slider_crank }(draw), draw:whole(1, #torques)
  local torque, side = torques[kind](draw), sarrus.parameter("side", 1)
  return {
    torque = torque, angle = draw:between(-0.5, 0.5), rate = draw:between(-4, 4),
    with_switch = model_of(parts, torque.whole),
    by_hand = model_of(parts, function(c, rate)
      return side * torque.above(c, rate) + (1 - side) * torque.below(c, rate)
    end),
  }, draw:pick { 1e-6, 1e-6, 1e-12 }, "torque " .. kind
end

local function differences(a, b)
  local list = {}
  for i = 1, #b do
    list[i] = math.abs(a[i] - b[i])
  end
  return list
end

--- What moving the start by the tolerance changes.
local function changes(problem, right, tolerance)
  local most = { 0, 0, 0, 0, 0 }
  for _, signs in ipairs { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } } do
    local other = by_hand(problem, problem.angle + signs[1] * tolerance,
      problem.rate + signs[2] * tolerance * math.max(1, math.abs(problem.rate)))
    for i, off in ipairs(differences(other, right)) do
      most[i] = math.max(most[i], off)
    end
  end
  return most
end

function class.case(draw)
  local problem, tolerance = class.draw(draw)
  local sim = assert(problem.with_switch:simulate { tolerance = tolerance,
    joints = { A = { angle = problem.angle, rate = problem.rate } } })
  local result, message, code = sim:advance(T)
  if not result then
    error(code .. ": " .. message)
  end
  local right, worst = by_hand(problem, problem.angle, problem.rate), 0
  local most = changes(problem, right, tolerance)
  for i, off in ipairs(differences(reading(sim), right)) do
    local size = math.max(1, math.abs(right[i]))
    worst = math.max(worst, off / (1000 * math.max(most[i], tolerance * size) + 1e-11 * size))
  end
  return worst
end

return class
