--- Events whose actions set parameters and kick, on oscillators and free flights, x_i'' = F_i - k_i
--- x_i, for 2 s: every crossing fires once.  The answer: sines and parabolas, piece by piece.
local sarrus = require "sarrus"

-- The error is in units of what is allowed.  Not among the specs until every crossing fires once.
local class = { cases = 100, bound = 1 }

local T, TWO_PI = 2, 2 * math.pi

--- Nearer than this, in what is compared, no two things may happen in a case.
local NEAR = 1e-3

-- One coordinate, in closed form -----------------------------------------------------------------

local function place(p, x, v, dt)
  if p.k == 0 then
    return x + v * dt + 0.5 * p.F * dt * dt, v + p.F * dt
  end
  local w = math.sqrt(p.k)
  local rest, s, c = p.F / p.k, math.sin(w * dt), math.cos(w * dt)
  return rest + (x - rest) * c + v / w * s, v * c - w * (x - rest) * s
end

--- The times > 0 at which a parabola is at a level; one that starts there has its other root.
local function parabola_times(p, x, v, level, there)
  local d = there and 0 or x - level
  if p.F == 0 then
    return { there and -1 or -d / v }
  elseif there then
    return { -2 * v / p.F }
  end
  local root = v * v - 2 * p.F * d
  if root < 0 then
    return {}
  end
  local sum = -v - (v < 0 and -1 or 1) * math.sqrt(root)
  return { sum / p.F, 2 * d / sum }
end

--- The angle of the point (x, y) at the distance r, by half of it.
local function angle_of(x, y, r)
  return 2 * math.atan(x > 0 and y / (r + x) or (r - x) / y)
end

--- The same of a sine, within a turn.
local function sine_times(p, x, v, level, there)
  local w, rest = math.sqrt(p.k), p.F / p.k
  local size = math.sqrt((x - rest) ^ 2 + (v / w) ^ 2)
  local phase = angle_of(x - rest, v / w, size)
  if there then
    return { TWO_PI / w, 2 * phase % TWO_PI / w }
  elseif math.abs(level - rest) >= size then
    return {}
  end
  local half = math.acos((level - rest) / size)
  return { (phase + half) % TWO_PI / w, (phase - half) % TWO_PI / w }
end

-- A case -----------------------------------------------------------------------------------------

--- Coordinates with k and the first F, and their start.
local function draw_motions(draw, n)
  local problem = { motions = {}, x = draw:list(n, -1, 1), v = {} }
  for i = 1, n do
    problem.v[i] = draw:signed(0.1, 3)
    problem.motions[i] = {
      k = draw:chance(0.4) and 0 or math.exp(draw:between(math.log(1), math.log(900))),
      F = draw:chance(0.2) and 0 or draw:signed(0.5, 5),
    }
    local m = problem.motions[i]
    m.F = m.F * math.max(1, 0.2 * m.k)
  end
  return problem
end

--- What an action does to coordinate `to`: the n-th time it is called with rate v of that
--- coordinate it gives a new F, or a change of v, or both.
local acts = {
  alternate = function(draw, size)
    local a, b = draw:between(-size, size), draw:between(-size, size)
    return function(n) return n % 2 == 1 and a or b, 0 end
  end,
  once = function(draw, size)
    local a = draw:between(-size, size)
    return function(n) return n == 1 and a or nil, 0 end
  end,
  same = function()
    return function(_, _, F) return F, 0 end -- it is set to what it is
  end,
  bounce = function(draw)
    local e = draw:between(0.3, 1)
    return function(_, v) return nil, -(1 + e) * v end
  end,
  push = function(draw)
    local gain = draw:between(-0.5, 1)
    return function(_, v) return nil, gain * v end
  end,
  both = function(draw, size)
    local a, e = draw:between(-size, size), draw:between(0.3, 1)
    return function(n, v) return n % 2 == 1 and a or -a, -(1 + e) * v end
  end,
  nothing = function()
    return function() return nil, 0 end
  end,
}

local act_names = { "alternate", "once", "same", "bounce", "push", "both", "nothing" }

local function draw_events(draw, problem)
  local n = #problem.x
  problem.events = {}
  for e = 1, draw:whole(1, 3) do
    local on, to = draw:whole(1, n), draw:whole(1, n)
    local size = math.max(1, 0.2 * problem.motions[to].k) * 5
    problem.events[e] = {
      on = on, to = to, level = draw:between(-1, 1), act = acts[draw:pick(act_names)](draw, size),
      direction = draw:pick { "both", "both", "up", "down" }, slope = draw:signed(0.1, 10),
    }
    if draw:chance(0.1) then
      problem.events[e].level = problem.x[on] -- it starts there, which is no crossing
    end
  end
end

-- The answer -------------------------------------------------------------------------------------

local function counts(event, rate)
  return event.direction == "both" or (event.direction == "up") == (event.slope * rate > 0)
end

--- The times from a state on at which an event would fire, next and within a turn; and whether all
--- cross it with some speed.
local function firing_times(problem, state, e, limit)
  local event = problem.events[e]
  local i, clear, list = event.on, true, {}
  local p, x, v = { k = problem.motions[i].k, F = state.F[i] }, state.x[i], state.v[i]
  local times = (p.k == 0 and parabola_times or sine_times)(p, x, v, event.level, state.at[e])
  for _, dt in ipairs(times) do
    local _, rate = place(p, x, v, dt)
    if dt > 0 and dt <= limit + NEAR then
      clear = clear and math.abs(rate) > 10 * NEAR
      list[#list + 1] = counts(event, rate) and dt or nil
    end
  end
  return list, clear
end

--- The first firing after a state: the time from there, its event, and whether no other is near.
local function next_firing(problem, state, limit)
  local first, second, which, all_clear = math.huge, math.huge, nil, true
  for e = 1, #problem.events do
    local times, clear = firing_times(problem, state, e, limit)
    all_clear = all_clear and clear
    for _, dt in ipairs(times) do
      if dt < first then
        first, second, which = dt, first, e
      else
        second = math.min(second, dt)
      end
    end
  end
  all_clear = all_clear and first > NEAR and math.abs(first - limit) > NEAR
    and (second == math.huge or second - first > NEAR)
  if first < limit then
    return first, which, all_clear
  end
  return limit, nil, all_clear
end

--- The extremes of a coordinate within dt.
local function extremes(p, x, v, dt)
  if p.k == 0 then
    local turn = p.F ~= 0 and -v / p.F or -1
    return turn > 0 and turn < dt and { (place(p, x, v, turn)) } or {}
  end
  local rest, size = p.F / p.k, math.sqrt((x - p.F / p.k) ^ 2 + v * v / p.k)
  return { rest + size, rest - size }
end

--- Whether a level is nearly touched within dt, or nearly at the start of it.
local function grazes(problem, state, dt)
  for e, event in ipairs(problem.events) do
    local i = event.on
    local x = state.x[i]
    local p = { k = problem.motions[i].k, F = state.F[i] }
    for _, extreme in ipairs(extremes(p, x, state.v[i], dt)) do
      if math.abs(extreme - event.level) < NEAR then
        return true
      end
    end
    if not state.at[e] and math.abs(x - event.level) < NEAR then
      return true
    end
  end
  return false
end

--- Fire an event at a state.
local function fire(problem, state, e)
  local event = problem.events[e]
  state.x[event.on], state.at = event.level, { [e] = true }
  for other, that in ipairs(problem.events) do
    state.at[other] = that.on == event.on and that.level == event.level or nil
  end
  state.count[e] = state.count[e] + 1
  local F, kick = event.act(state.count[e], state.v[event.to], state.F[event.to])
  state.F[event.to] = F or state.F[event.to]
  state.v[event.to] = state.v[event.to] + kick
end

--- Firings { t =, event = } and the last state, in closed form; `clear` is false where too little
--- would change the firings.
local function answer(problem, x, v)
  local state = { x = {}, v = {}, F = {}, at = {}, count = {} }
  for i, p in ipairs(problem.motions) do
    state.x[i], state.v[i], state.F[i] = x[i], v[i], p.F
  end
  for e, event in ipairs(problem.events) do
    state.count[e], state.at[e] = 0, x[event.on] == event.level or nil
  end
  local t, firings, all_clear = 0, {}, true
  repeat
    local dt, e, clear = next_firing(problem, state, T - t)
    all_clear = all_clear and clear and not grazes(problem, state, dt)
    for i, p in ipairs(problem.motions) do
      state.x[i], state.v[i] = place({ k = p.k, F = state.F[i] }, state.x[i], state.v[i], dt)
      all_clear = all_clear and (not e or math.abs(state.v[i]) > 10 * NEAR)
    end
    t, state.at = t + dt, {}
    if e then
      firings[#firings + 1] = { t = t, event = e }
      fire(problem, state, e)
    end
  until not e or #firings > 300
  return firings, state, all_clear and #firings <= 300
end

-- sarrus -----------------------------------------------------------------------------------------

local function system_of(problem)
  local names, rows = {}, {}
  for i = 1, #problem.x do
    names[i], rows[i] = "x" .. i, {}
    for j = 1, #problem.x do
      rows[i][j] = i == j and 1 or 0
    end
  end
  return sarrus.system { coordinates = names, mass = function() return rows end,
    force = function(q)
      local f = {}
      for i, p in ipairs(problem.motions) do
        f[i] = sarrus.parameter("F" .. i, p.F) - p.k * q[i]
      end
      return f
    end }
end

local function event_of(problem, e, firings)
  local event, n = problem.events[e], 0
  local force, name = "F" .. event.to, "x" .. event.to
  return sarrus.event { "event " .. e, direction = event.direction,
    when = function(s) return event.slope * (s.q[event.on] - event.level) end,
    action = function(sim, s)
      n = n + 1
      firings[#firings + 1] = { t = s.t, event = e }
      local F, kick = event.act(n, s.v[event.to], sim:get(force))
      if F then
        assert(sim:set(force, F))
      end
      if kick ~= 0 then
        assert(sim:impulse { [name] = kick })
      end
      assert(#firings < 2000, "fires without end")
    end }
end

local function simulate(problem, tolerance)
  local firings, events = {}, {}
  for e = 1, #problem.events do
    events[e] = event_of(problem, e, firings)
  end
  local sim = assert(system_of(problem):simulate { q = problem.x, v = problem.v,
    tolerance = tolerance, events = events })
  local result, message, code = sim:advance(T)
  return result and firings, sim:state(), code, message
end

--- A problem whose firings are clear of each other, their number and times, and its last state.
function class.draw(draw)
  while true do
    local problem = draw_motions(draw, draw:whole(1, 3))
    draw_events(draw, problem)
    local firings, state, clear = answer(problem, problem.x, problem.v)
    if clear and #firings > 0 then
      return problem, firings, state
    end
  end
end

--- The largest |a_i - b_i| of two lists of firings, of places and of rates; nil where firings
--- differ in kind.
local function compare(firings, others, x, v, state)
  local times, places, rates = 0, 0, 0
  if #firings ~= #others then
    return nil
  end
  for i, firing in ipairs(firings) do
    if firing.event ~= others[i].event then
      return nil
    end
    times = math.max(times, math.abs(firing.t - others[i].t))
  end
  for i = 1, #x do
    places = math.max(places, math.abs(x[i] - state.x[i]))
    rates = math.max(rates, math.abs(v[i] - state.v[i]))
  end
  return { times, places, rates }
end

--- What moving the start by the tolerance changes, at least the tolerance.
local function allowed(draw, problem, firings, state, tolerance)
  local function moved(list)
    local values = {}
    for i, x in ipairs(list) do
      values[i] = x + draw:pick { -1, 1 } * tolerance * math.max(1, math.abs(x))
    end
    return values
  end
  local size = 1
  for i = 1, #state.x do
    size = math.max(size, math.abs(state.x[i]), math.abs(state.v[i]))
  end
  local most = { tolerance, tolerance * size, tolerance * size }
  for _ = 1, 4 do
    local others, other = answer(problem, moved(problem.x), moved(problem.v))
    local changes = compare(firings, others, other.x, other.v, state)
    for i = 1, changes and 3 or 0 do
      most[i] = math.max(most[i], changes[i])
    end
  end
  return most
end

function class.case(draw)
  local problem, firings, state = class.draw(draw)
  local tolerance = draw:pick { 1e-12, 1e-6 }
  local found, s, code, message = simulate(problem, tolerance)
  if not found then
    error(code .. ": " .. message)
  end
  local off = compare(firings, found, s.q, s.v, state)
  if not off then
    error(("fires %d times for %d crossings"):format(#found, #firings))
  end
  local most, worst = allowed(draw, problem, firings, state, tolerance), 0
  for i = 1, 3 do
    worst = math.max(worst, off[i] / (1000 * most[i] + 1e-12))
  end
  return worst
end

return class
