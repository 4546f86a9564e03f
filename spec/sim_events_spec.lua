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

-- Random events: when, and its roots on 0 < t < t_end --------------------------------------------

local function polynomial(t_end)
  local roots, t = {}, 0
  for i = 1, 5 do
    t = t + random(0.01, 0.4 * t_end)
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

--- A rod that falls from the side, and the times at which an event of its angle comes.
local function falling(when)
  local event, times = noted(function(s) return when(s:joint("J").angle) end)
  local model = sarrus.model {
    gravity = { 0, -9.81 },
    sarrus.body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
    sarrus.joint.revolute { "J", "ground", "rod", at = { 0, 0 } },
  }
  assert.are.equal("END", (assert(model:simulate { events = { event } }):advance(0.6)))
  return times
end

describe("events", function()
  it("are found, all of ten thousand random ones, each once and to the last digits", function()
    local kinds, t_end, count, worst = { polynomial, trigonometric, of_motion }, 10, 0, 0
    for _ = 1, 1000 do
      local events, found, known, steps = {}, {}, {}, {}
      for i = 1, 10 do
        local when
        when, known[i] = kinds[1 + math.floor(random(0, 3))](t_end)
        events[i], found[i], steps[i] = noted(when, nil, "noted " .. i)
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

describe("a zero", function()
  it("that only touches comes once, and only for both directions", function()
    local function touching(s) return (s.t - 1) ^ 2 * (s.t - 2.5) ^ 2 * (s.t - 7) ^ 2 end
    assert_times({ 1, 2.5, 7 }, zeros(touching, 10), 1e-7)
    assert_times({}, zeros(touching, 10, nil, "up"), 0)
    assert_times({}, zeros(touching, 10, nil, "down"), 0)
    assert_times({ pi, 2 * pi }, zeros(function(s) return s.q.x ^ 2 - 1 end, 7), 1e-7)
    assert_times({ pi }, zeros(function(s) return s.q.x + 1 end, 6), 1e-9)
  end)

  it("of triple multiplicity crosses once", function()
    assert_times({ 2 }, zeros(function(s) return (s.t - 2) ^ 3 end, 5), 1e-4)
  end)

  it("is one of many in a step", function()
    local times, sim = zeros(function(s) return sarrus.sin(10 * s.t) end, 6)
    local expected = {}
    for k = 1, 19 do
      expected[k] = k * pi / 10
    end
    assert_times(expected, times, 1e-14)
    assert.is_true(sim:stats().steps < 10)
  end)

  it("at the end of a step comes once", function()
    for _, h in ipairs { 0.5, 0.1, 0.3 } do
      for _, k in ipairs { 1, 2, 3, 7 } do
        local when = function(s) return s.t - k * h end
        assert_times({ k * h }, zeros(when, 10, { step = h, order = 20 }), 1e-14)
        when = function(s) return (s.t - k * h) ^ 2 end
        assert_times({ k * h }, zeros(when, 10, { step = h, order = 20 }), 1e-7, "touch")
      end
    end
  end)

  it("at the start is not an event, at the end of an advance it is", function()
    assert_times({}, zeros(function(s) return s.t end, 3), 0)
    assert_times({}, zeros(function(s) return s.v.x end, 3), 0)
    assert_times({ 3 }, zeros(function(s) return s.t - 3 end, 3), 0)
  end)

  it("has a direction", function()
    local function level(s) return s.q.x end
    assert_times({ pi / 2, 5 * pi / 2 }, zeros(level, 9, nil, "down"), 1e-14)
    assert_times({ 3 * pi / 2 }, zeros(level, 7, nil, "up"), 1e-14)
    assert_times({ pi / 2, 3 * pi / 2 }, zeros(level, 7, nil, "both"), 1e-14)
  end)

  it("is found backwards too, with directions of travel", function()
    local function level(s) return s.q.x end
    assert_times({ -pi / 2, -3 * pi / 2 }, zeros(level, -7), 1e-14)
    assert_times({ -pi / 2 }, zeros(level, -7, nil, "down"), 1e-14)
    local event, times = noted(level)
    local sim = simulate { events = { event } }
    assert(sim:advance(2) and sim:advance(1) and sim:advance(2))
    assert_times({ pi / 2, pi / 2, pi / 2 }, times, 1e-14)
  end)

  it("may come where the event's own branch changes", function()
    local function folded(s) return sarrus.abs(s.t - 2) - 1 end
    assert_times({ 1, 3 }, zeros(folded, 5), 1e-12)
    local function chosen(s) return sarrus.select(s.q.x, s.t - 1, s.t - 4) end
    assert_times({ 1, pi / 2, 4 }, zeros(chosen, 4.5), 1e-8, "a jump crosses")
  end)

  it("may be of accelerations, multipliers and parameters", function()
    local problems = dofile("spec/problems.lua")
    local pendulum = problems.pendulum()
    local low, level = noted(function(s) return s.lambda[1] - sarrus.parameter("most", 14.715) end)
    local sim = problems.simulate(pendulum, { events = { low }, tolerance = 1e-14 })
    assert(sim:advance(2)) -- lambda = 3 g |y| / 2 touches 3/2 g at the lowest point
    assert_times({ pendulum.period / 4, 3 * pendulum.period / 4 }, level, 1e-6)
    assert.are.equal(14.715, sim:get "most")
  end)
end)

describe("an action", function()
  it("runs in order of time, then of declaration", function()
    local log = {}
    local function logged(name, at)
      return sarrus.event { name, when = function(s) return s.t - at end,
        action = function() log[#log + 1] = name end }
    end
    local sim = simulate { events = { logged("c", 2), logged("a", 1), logged("b", 1),
      logged("d", 2) } }
    assert(sim:advance(5))
    assert.are.equal("a b c d", table.concat(log, " "))
  end)

  it("sees the state before it with at, the one after it with state", function()
    local before, after, time
    local sim = simulate({ q = { 5 }, events = { sarrus.event { "bounce", direction = "down",
      when = function(s) return s.q.x end,
      action = function(self, s)
        time = s.t
        assert(self:impulse { x = -1.5 * s.v.x })
        before, after = self:at(time), self:state()
      end } } }, ball)
    assert(sim:advance(1.2))
    assert.is_true(math.abs(time - 1) < 1e-15)
    assert.is_true(math.abs(before.v.x + 10) < 1e-13)
    assert.is_true(math.abs(after.v.x - 5) < 1e-13)
    assert.is_true(math.abs(before.q.x - after.q.x) < 1e-14)
    assert.is_true(math.abs(sim:state().q.x - (5 * 0.2 - 5 * 0.04)) < 1e-13)
  end)

  it("changes a parameter from that instant on", function()
    local sim = simulate({ q = { 0 }, v = { 0 }, events = { sarrus.event { "float",
      when = function(s) return s.t - 1 end,
      action = function(self) assert(self:set("gravity", 0)) end } } }, ball)
    assert(sim:advance(3))
    assert.is_true(math.abs(sim:state().q.x - (-5 - 10 * 2)) < 1e-13)
    assert.are.equal(0, sim:get "gravity")
  end)

  it("ends the advance with stop, and lets it go on", function()
    local sim = simulate { events = { sarrus.event { "half way", stop = true,
      when = function(s) return s.q.x end } } }
    local result, name, time = sim:advance(10)
    assert.are.same({ "EVENT", "half way" }, { result, name })
    assert.is_true(math.abs(time - pi / 2) < 1e-15 and sim.time == time)
    assert.are.equal("EVENT", (sim:advance(10)))
    assert.is_true(math.abs(sim.time - 3 * pi / 2) < 1e-14)
    assert.are.equal("END", (sim:advance(5)))
  end)

  it("hears of a touch once though it intervenes", function()
    local count = 0
    local sim = simulate { events = { sarrus.event { "top", when = function(s) return s.q.x + 1 end,
      action = function(self) count = count + 1 assert(self:impulse { x = 1e-3 }) end } } }
    assert(sim:advance(6))
    assert.are.equal(1, count)
  end)

  it("that bounces ever faster is stopped with a message", function()
    local sim = simulate({ events = { sarrus.event { "floor", direction = "down",
      when = function(s) return s.q.x end,
      action = function(self, s) assert(self:impulse { x = -1.5 * s.v.x }) end } } }, ball)
    local result, message, code = sim:advance(10)
    assert.are.same({ nil, "EVENT" }, { result, code })
    assert.is_truthy(message:find('event "floor" has %d+ zeros that follow each other ever faster'))
    assert.is_truthy(message:find("below a threshold", 1, true))
    local last = 3 * math.sqrt(0.2) -- where infinitely many bounces end
    assert.is_true(sim.time <= last and last - sim.time < 1e-5)
    assert.is_true(sim:state().q.x >= -1e-12)
  end)

  it("may put things to rest where the event is zero", function()
    local count = 0
    local sim = simulate({ events = { sarrus.event { "floor", when = function(s) return s.q.x end,
      action = function(self, s)
        count = count + 1
        assert(self:impulse { x = -s.v.x } and self:set("gravity", 0))
      end } } }, ball)
    assert.are.equal("END", (sim:advance(10)))
    assert.are.equal(1, count)
    assert.is_true(math.abs(sim:state().q.x) < 1e-15)
    assert(sim:set("gravity", -10) and sim:advance(11)) -- and lets go again
    assert.is_true(math.abs(sim:state().q.x - 5) < 1e-13)
  end)

  it("that only bounces often is not", function()
    local count = 0
    local sim = simulate({ events = { sarrus.event { "floor", direction = "down",
      when = function(s) return s.q.x end,
      action = function(self, s)
        count = count + 1
        assert(self:impulse { x = -2 * s.v.x })
      end } } }, ball)
    assert.are.equal("END", (sim:advance(100)))
    assert.are.equal(112, count) -- t = sqrt(1/5) (2 k - 1)
    local phase = (100 / math.sqrt(0.2) + 1) % 2 - 1
    assert.is_true(math.abs(sim:state().q.x - (1 - phase ^ 2)) < 1e-9)
  end)
end)

describe("a controller", function()
  it("runs at the start and after every period, exactly, with the same state", function()
    local count, exact, states = 0, true, {}
    local sim = simulate { controllers = { sarrus.controller { period = 0.01,
      action = function(_, s)
        exact = exact and s.t == count * 0.01
        count = count + 1
        states[s] = true
      end } } }
    assert(sim:advance(1000))
    assert.are.equal(100000, count) -- the call at t = 1000 comes with the next advance
    assert.is_true(exact)
    local kinds = 0
    for _ in pairs(states) do
      kinds = kinds + 1
    end
    assert.are.equal(1, kinds)
  end)

  it("runs after the events of the same instant", function()
    local log = {}
    local sim = simulate {
      controllers = { sarrus.controller { period = 1,
        action = function(_, s) log[#log + 1] = "c" .. s.t end } },
      events = { sarrus.event { "e", when = function(s) return s.t - 2 end,
        action = function() log[#log + 1] = "e" end } },
    }
    assert(sim:advance(3))
    assert.are.equal("c0 c1 e c2", (table.concat(log, " "):gsub("%.0", "")))
  end)

  it("sets a parameter that holds until the next call", function()
    -- A braked ball: gravity switched between 10 and -10 every second.
    local sim = simulate({ q = { 0 }, controllers = { sarrus.controller { period = 1,
      action = function(self, s) assert(self:set("gravity", s.t % 2 == 0 and 10 or -10)) end } } },
      ball)
    assert(sim:advance(4))
    assert.is_true(math.abs(sim:state().q.x + 20) < 1e-13)
    assert.is_true(math.abs(sim:state().v.x) < 1e-13)
  end)
end)

describe("samples", function()
  local function list(sim, t_end, dt)
    local times = {}
    for t, s in sim:samples(t_end, dt) do
      assert.are.equal(t, s.t)
      times[#times + 1] = t
    end
    return times
  end

  it("include the first and the last", function()
    assert.are.same({ 0, 0.25, 0.5, 0.75, 1 }, list(simulate {}, 1, 0.25))
    assert.are.same({ 0, 0.4, 0.8, 1 }, list(simulate {}, 1, 0.4))
    assert.are.equal(101, #list(simulate {}, 10, 0.1))
    assert.are.same({ 1, 0.5, 0 }, list(simulate { t = 1 }, 0, 0.5))
    assert.are.same({ 0, 1 }, list(simulate {}, 1, 5))
    assert.are.same({ 0, 1 }, list(simulate {}, 1, 1e15))
    assert.are.same({ 1, 0 }, list(simulate { t = 1 }, 0, 1e300))
    assert.are.same({ 0 }, list(simulate {}, 0, 1e300))
  end)

  it("end at a stop event", function()
    local sim = simulate { events = { sarrus.event { "stop", stop = true,
      when = function(s) return s.t - 0.6 end } } }
    local times = list(sim, 2, 0.25)
    assert.are.equal(4, #times)
    assert.is_true(math.abs(times[4] - 0.6) < 1e-15)
  end)

  it("never change the trajectory, nor does at", function()
    local problems = dofile("spec/problems.lua")
    local accuracy = dofile("spec/accuracy.lua")
    local double = problems.double_pendulum()
    local plain, asked = problems.simulate(double), problems.simulate(double)
    assert(plain:advance(3))
    for t in asked:samples(3, 0.007) do
      asked:at(t)
      asked:state()
      asked:residual()
    end
    assert.are.equal(0, accuracy.differing(plain:state(), asked:state()))
    assert.are.equal(plain:stats().steps, asked:stats().steps)
  end)
end)

describe("events with kinks", function()
  local abs, max, min = sarrus.abs, sarrus.max, sarrus.min

  it("come once where they vanish at the kink itself", function()
    local half = { pi / 2, 3 * pi / 2 }
    for name, when in pairs {
      abs = function(s) return abs(s.q.x) end,
      min = function(s) return min(s.q.x, -s.q.x) end,
      scaled = function(s) return 3 * abs(s.q.x) end,
    } do
      assert_times(half, zeros(when, 7), 1e-14, name)
    end
    assert_times(half, zeros(function(s) return s.q.x * abs(s.q.x) end, 7), 1e-7, "a flat one")
    assert_times({ pi / 2 }, zeros(function(s) return max(s.q.x, 0) end, 3), 1e-14, "then zero")
  end)

  it("of what constraints move, too", function()
    for _, at in ipairs { 0.2, 0.3, 0.5, 1 } do
      local exact = falling(function(angle) return angle + at end)
      assert_times(exact, falling(function(angle) return abs(angle + at) end), 1e-14, at)
    end
  end)

  it("come at either side of it, as near as a billionth of the step", function()
    for _, beside in ipairs { 1e-3, 1e-6, 1e-8 } do
      local times = zeros(function(s) return abs(s.q.x) - beside end, 3)
      assert_times({ math.acos(beside), math.acos(-beside) }, times, 1e-14, beside)
    end
  end)
end)
