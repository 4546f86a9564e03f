-- Events and controllers: what happens between the steps of a simulation.
local sarrus = require "sarrus"

local pi = math.pi

--- x = cos t
local oscillator = sarrus.system {
  name = "oscillator",
  coordinates = { "x" },
  mass = function() return { { 1 } } end,
  force = function(q) return { -q.x } end,
}

--- A ball above the floor x = 0.
local ball = sarrus.system {
  name = "ball",
  coordinates = { "x" },
  mass = function() return { { 1 } } end,
  force = function() return { -sarrus.parameter("gravity", 10) } end,
}

local function simulate(options, system)
  local given = { q = { 1 }, v = { 0 } }
  for key, value in pairs(options) do
    given[key] = value
  end
  return assert((system or oscillator):simulate(given))
end

--- Numbers in low … high, the same in every run and under every Lua.
local seed = 1
local function random(low, high)
  seed = seed * 16807 % 2147483647
  return low + (high - low) * seed / 2147483647
end

--- An event that notes its times in the list that comes with it.
local function noted(when, direction, name)
  local times, steps = {}, {}
  return sarrus.event {
    name or "noted", when = when, direction = direction,
    action = function(sim, s)
      local from, to = sim:span()
      times[#times + 1], steps[#steps + 1] = s.t, to - from
    end,
  }, times, steps
end

--- The times of one event's zeros on the way to t_end.
local function zeros(when, t_end, options, direction)
  local event, times = noted(when, direction)
  options = options or {}
  options.events = { event }
  local sim = simulate(options)
  assert.are.equal("END", (sim:advance(t_end)))
  return times, sim
end

--- As many times as expected, each within `allowed`.
local function assert_times(expected, times, allowed, what)
  assert.are.equal(#expected, #times, what)
  for i, t in ipairs(expected) do
    assert.is_true(math.abs(times[i] - t) <= allowed,
      ("%s: %.17g instead of %.17g"):format(what or "", times[i], t))
  end
end

-- Random events: { when, roots on 0 < t < t_end } ------------------------------------------------------

local function polynomial(t_end)
  local roots, t = {}, 0
  for i = 1, 5 do
    t = t + random(0.3, 0.4 * t_end)
    roots[i] = t < t_end and t or nil
  end
  local factor = random(0.1, 10) * (random(0, 1) < 0.5 and -1 or 1)
  return function(s)
    local p = factor
    for _, r in ipairs(roots) do
      p = p * (s.t - r)
    end
    return p
  end, roots
end

local function trigonometric(t_end)
  local w, phase, roots = random(0.3, 6), random(-3, 3), {}
  for k = -10, 100 do
    local t = (k * pi - phase) / w
    if t > 0 and t < t_end then
      roots[#roots + 1] = t
    end
  end
  return function(s) return sarrus.sin(w * s.t + phase) end, roots
end

--- x = cos t passes a level; or, from its rate, its acceleration.
local function of_motion(t_end)
  local level, roots = random(-0.99, 0.99), {}
  local kind = math.floor(random(0, 3))
  local first = math.acos(level)
  for k = 0, 10 do
    local shift = kind == 1 and pi / 2 or kind == 2 and pi or 0 -- -sin t = cos(t + pi/2)
    for _, t in ipairs { 2 * pi * k - first - shift, 2 * pi * k + first - shift } do
      if t > 0 and t < t_end then
        roots[#roots + 1] = t
      end
    end
  end
  table.sort(roots)
  return function(s)
    return (kind == 1 and s.v.x or kind == 2 and s.a.x or s.q.x) - level
  end, roots
end

describe("events", function()
  it("are found, all of ten thousand random ones, each once and to the last digits", function()
    local kinds, t_end, count, worst = { polynomial, trigonometric, of_motion }, 10, 0, 0
    for _ = 1, 1000 do
      local events, found, known, steps = {}, {}, {}, {}
      for i = 1, 10 do
        local when
when, known[i] = kinds[1 + math.floor(random(0, 3))](t_end)
        events[i], found[i], steps[i] = noted(when)
        count = count + 1
      end
      local sim = simulate { events = events, tolerance = 1e-14 }
      assert.are.equal("END", (sim:advance(t_end)))
      for i = 1, 10 do
        assert.are.equal(#known[i], #found[i])
        for k, t in ipairs(found[i]) do
          worst = math.max(worst, math.abs(t - known[i][k]) / steps[i][k])
        end
      end
    end
    assert.are.equal(10000, count)
    assert.is_true(worst < 1e-12, worst)
  end)
end)
