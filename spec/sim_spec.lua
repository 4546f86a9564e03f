-- Simulations of systems: starting, moving, asking, intervening; piecewise forces.
local sarrus = require "sarrus"
local problems = dofile("spec/problems.lua")
local accuracy = dofile("spec/accuracy.lua")

local pi = math.pi

--- One coordinate of unit mass under a force.
local function particle(force, more)
  local given = {
    name = "particle",
    coordinates = { "x" },
    mass = function() return { { 1 } } end,
    force = function(q, v, t) return { force(q.x, v.x, t) } end,
  }
  for key, value in pairs(more or {}) do
    given[key] = value
  end
  return sarrus.system(given)
end

--- x = cos t
local oscillator = particle(function(x) return -x end)

local function near(expected, value, allowed, what)
  assert.is_true(math.abs(value - expected) <= allowed,
    ("%s: %.17g instead of %.17g"):format(what or "value", value, expected))
end

local function codes(warnings)
  local list = {}
  for i, warning in ipairs(warnings) do
    list[i] = warning.code
  end
  return table.concat(list, " ")
end

describe("a simulation", function()
  it("goes to exactly the time asked for", function()
    local sim = assert(oscillator:simulate { q = { 1 }, tolerance = 1e-14 })
    assert.are.equal(0, sim.time)
    for _, t in ipairs { 0.1, 7.3, 7.3, -2, 0 } do
      assert.are.equal("END", (sim:advance(t)))
      assert.are.equal(t, sim.time)
      near(math.cos(t), sim:state().q.x, 1e-14, "x")
      near(-math.sin(t), sim:state().v.x, 1e-14, "v")
      near(-math.cos(t), sim:state().a.x, 1e-13, "a")
    end
  end)

  it("is read by name and by position, and refilled without garbage", function()
    local sim = problems.simulate(problems.pendulum())
    local s = sim:state()
    assert.are.same({ -1, 0, 0 }, { s.q.x, s.q[2], s.t })
    assert.are.equal("t = 0, q = { x = -1, y = 0 }, v = { x = 0, y = 0 }", tostring(s))
    assert(sim:advance(0.01))
    assert.are.equal(s, sim:state(s))
    assert.are.equal(0.01, s.t)
    assert.are.equal(s, sim:at(0.005, s))
    assert.are.equal(0.005, s.t)
    local function growth(count)
      collectgarbage()
      collectgarbage("stop")
      local before = collectgarbage("count")
      for i = 1, count do
        sim:at(0.01 * i / count, s)
      end
      local grown = collectgarbage("count") - before
      collectgarbage("restart")
      return grown
    end
    local least = math.huge -- LuaJIT may compile in any of the rounds; garbage would come in all
    for _ = 1, 5 do
      least = math.min(least, growth(2000))
    end
    assert.is_true(least < 2, ("2000 states grow memory by %g kB"):format(least))
    assert.has_error(function() return s.q.z end)
  end)

  it("evaluates inside its expansion, at any time of the span", function()
    local sim = assert(oscillator:simulate { q = { 1 }, tolerance = 1e-14 })
    assert(sim:advance(1 / 60))
    local steps, from, to = sim:stats().steps, sim:span()
    assert.is_true(from == 0 and to > 0.5)
    for k = 2, 30 do
      assert(sim:advance(k / 60))
    end
    assert.are.equal(steps, sim:stats().steps)
    for i = 0, 20 do
      local t = math.min(from + (to - from) * i / 20, to)
      local s = sim:at(t)
      near(math.cos(t), s.q.x, 1e-14, "x")
      near(-math.cos(t), s.a.x, 1e-11, "a")
    end
  end)

  it("makes the same natural steps whatever is asked", function()
    local stepped = problems.simulate(problems.double_pendulum())
    local sizes, sum = {}, 0
    while stepped.time < 1 do
      sizes[#sizes + 1] = assert(stepped:step())
      sum = sum + sizes[#sizes]
    end
    near(sum, stepped.time, 1e-14)
    local advanced = problems.simulate(problems.double_pendulum())
    for k = 1, 10 do
      assert(advanced:advance(stepped.time * k / 10))
    end
    assert.are.equal(0, accuracy.differing(stepped:state(), advanced:state()))
    assert.are.equal(#sizes, advanced:stats().steps)
  end)

  it("keeps a fixed step and a fixed order, and a largest step", function()
    local sim = assert(oscillator:simulate { q = { 1 }, step = 0.25, order = 12 })
    assert.are.equal(0.25, sim:step())
    assert(sim:advance(3))
    local stats = sim:stats()
    assert.are.same({ 12, 12, 0.25, 0.25 },
      { stats.steps, stats.order, stats.smallest, stats.largest })
    sim = assert(oscillator:simulate { q = { 1 }, max_step = 0.1 })
    assert(sim:advance(1))
    assert.is_true(sim:stats().steps >= 10 and sim:stats().largest <= 0.1)
  end)

  it("has a time that cannot be set", function()
    local sim = assert(oscillator:simulate { q = { 1 } })
    local _, message = pcall(function() sim.time = 3 end)
    assert.are.equal("time: it cannot be set; use sim:advance(t)", (message:gsub("^.-:%d+: ", "")))
    assert.are.equal(0, sim.time)
  end)

  it("says what it did", function()
    local stats = problems.simulate(problems.pendulum()):stats()
    assert.are.same({ steps = 0, rejected = 0, order = 0, smallest = 0, largest = 0,
      assembly = { moved = 0, moved_velocity = 0 } },
      { steps = stats.steps, rejected = stats.rejected, order = stats.order,
        smallest = stats.smallest, largest = stats.largest, assembly = stats.assembly })
    assert.is_true(stats.factorisations > 0)
    local own = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
    assert.is_true(own:simulate({ q = { 1 } }):stats().compiled)
    assert.is_false(own:simulate({ q = { 2 } }):stats().compiled)
    local sim = problems.simulate(problems.squeezer())
    local before = sim:stats()
    assert(sim:advance(0.03))
    stats = sim:stats()
    assert.is_true(stats.factorisations - before.factorisations
      <= 2 * (stats.steps + stats.rejected), "two factorisations a step")
    assert.are.equal("simulation of system \"squeezer\" at t = 0.03", tostring(sim))
  end)

  it("follows constraints that depend on time", function()
    local driven = particle(function() return 0 end, {
      constraints = function(q, t) return { q.x - sarrus.sin(t) } end })
    local sim = assert(driven:simulate { q = { 0 }, v = { 1 }, tolerance = 1e-14 })
    assert(sim:advance(20))
    near(math.sin(20), sim:state().q.x, 1e-14)
    near(math.sin(20), sim:state().lambda[1], 1e-12, "lambda")
  end)

  it("takes a lagrangian with what is not conservative as force", function()
    local system = sarrus.system { name = "swing", coordinates = { "th" },
      lagrangian = function(q, v) return v.th ^ 2 / 2 + 9.81 * sarrus.cos(q.th) end }
    local sim = assert(system:simulate { q = { pi / 2 }, tolerance = 1e-14 })
    assert(sim:advance(problems.pendulum().period))
    near(pi / 2, sim:state().q.th, 1e-13)
    local damped = sarrus.system { name = "damped", coordinates = { "x" },
      lagrangian = function(q, v) return v.x ^ 2 / 2 - q.x ^ 2 / 2 end,
      force = function(_, v) return { -2 * v.x } end }
    sim = assert(damped:simulate { q = { 1 }, tolerance = 1e-14 })
    assert(sim:advance(2))
    near(3 * math.exp(-2), sim:state().q.x, 1e-14) -- (1 + t) e^-t
  end)
end)

describe("the start", function()
  local pendulum = problems.pendulum().system

  it("is moved onto the constraints as little as possible, and says so", function()
    local sim = assert(pendulum:simulate { q = { 0.8, -0.8 }, v = { 1, 0 } })
    local s = sim:state()
    near(math.sqrt(0.5), s.q.x, 1e-13)
    near(-math.sqrt(0.5), s.q.y, 1e-13)
    near(0.5, s.v.x, 1e-13, "the tangent part of v")
    near(0.5, s.v.y, 1e-13)
    local assembly = sim:stats().assembly
    near(0.8 - math.sqrt(0.5), assembly.moved, 1e-12)
    near(0.5, assembly.moved_velocity, 1e-12)
    assert.are.equal("moved", codes(sim:warnings()))
    assert.is_true(sim:residual().position < 1e-15 and sim:residual().velocity < 1e-15)
  end)

  it("finds its way from afar", function()
    local squeezer = problems.squeezer()
    local q = {}
    for i, x in ipairs(squeezer.q) do
      q[i] = x + 0.05 * (-1) ^ i
    end
    local sim = assert(squeezer.system:simulate { q = q })
    assert.is_true(sim:residual().position < 1e-15)
  end)

  it("reports redundant constraints by number", function()
    local sim = problems.simulate(problems.pendulum(3))
    assert.are.equal("redundant redundant", codes(sim:warnings()))
    assert.are.equal('system "pendulum": constraint ' .. sim:warnings()[1].object
      .. " depends on the others; its multiplier is not unique", sim:warnings()[1].message)
    assert(sim:advance(10))
    local known = problems.at(problems.pendulum(), 10)
    assert.is_true(problems.difference(sim:state().q, known.q) < 1e-11)
    for i = 1, 3 do
      near(known.lambda[1] / 3, sim:state().lambda[i], 1e-9, "a third each")
    end
  end)

  it("tells those who listen", function()
    local heard = {}
    sarrus.on_warning = function(w) heard[#heard + 1] = w.code end
    assert(pendulum:simulate { q = { 0.8, -0.8 } })
    sarrus.on_warning = nil
    assert.are.same({ "moved" }, heard)
  end)
end)

describe("an intervention", function()
  it("changes a parameter from the present instant on", function()
    local spring = particle(function(x) return -sarrus.parameter("k", 1) * x end)
    local sim = assert(spring:simulate { q = { 1 }, tolerance = 1e-14 })
    assert(sim:advance(pi / 2))
    assert.are.equal(1, sim:get "k")
    assert(sim:set("k", 4))
    near(0, sim:state().a.x, 1e-14)
    assert(sim:advance(pi / 2 + 0.3))
    near(-math.sin(0.6) / 2, sim:state().q.x, 1e-14)
    sim = assert(spring:simulate { q = { 1 }, parameters = { k = 9 } })
    assert(sim:advance(1))
    near(math.cos(3), sim:state().q.x, 1e-11)
  end)

  it("is an impulse consistent with the constraints", function()
    local sim = assert(problems.pendulum().system:simulate { q = { 0, -1 } })
    assert(sim:impulse { y = 5 })
    near(0, sim:state().v.y, 1e-15, "along the rod: nothing")
    assert(sim:impulse { x = 2, y = 1 })
    near(2, sim:state().v.x, 1e-15)
    near(0, sim:state().v.y, 1e-15)
    near(9.81 / 2 + 2, sim:state().lambda[1], 1e-14)
  end)

  it("in the middle of a span begins anew there", function()
    local sim = assert(oscillator:simulate { q = { 1 }, tolerance = 1e-14 })
    assert(sim:advance(1))
    assert(sim:impulse { x = 2 })
    local _, to = sim:span()
    assert.are.equal(1, to)
    near(-math.sin(1), sim:at(1).v.x, 1e-14, "before")
    near(2 - math.sin(1), sim:state().v.x, 1e-14, "after")
    assert(sim:advance(2))
    near(math.cos(2) + 2 * math.sin(1), sim:state().q.x, 1e-14)
  end)

  it("leaves a clone alone", function()
    local sim = problems.simulate(problems.squeezer())
    assert(sim:advance(0.011))
    local copy = sim:clone()
    assert.are.equal(0, accuracy.differing(sim:state(), copy:state()))
    assert(copy:impulse { be = 1e-6 } and copy:advance(0.02))
    assert.are.equal(0.011, sim.time)
    local twin = sim:clone()
    assert(sim:advance(0.03) and twin:advance(0.03))
    assert.are.equal(0, accuracy.differing(sim:state(), twin:state()))
    assert.is_true(accuracy.differing(sim:at(0.03), copy:state()) > 0)
  end)
end)

describe("piecewise forces", function()
  local g, k, height = 9.81, 400, 0.5
  local w, fall = math.sqrt(k), math.sqrt(2 * height / g)
  local period = 2 * fall + 2 * (pi - math.atan(g * fall * w / g)) / w

  --- A ball on a spring that only pushes, n bounces on.
  local function bounces(push, n)
    local sim = assert(particle(function(x) return push(x) - g end)
      :simulate { q = { height }, tolerance = 1e-14 })
    assert(sim:advance(n * period))
    return sim:state()
  end

  it("keep the accuracy of a one-sided spring, however it is written", function()
    for name, push in pairs {
      max = function(x) return k * sarrus.max(-x, 0) end,
      min = function(x) return -k * sarrus.min(x, 0) end,
      select = function(x) return sarrus.select(x, 0, -k * x) end,
      abs = function(x) return k * (sarrus.abs(x) - x) / 2 end,
      sign = function(x) return k * x * (sarrus.sign(x) - 1) / 2 end,
    } do
      local s = bounces(push, 1)
      near(height, s.q.x, 1e-12, name)
      near(0, s.v.x, 1e-12, name)
      near(height, bounces(push, 10).q.x, 1e-11, name)
    end
  end)

  it("may be measured data: steps end at the knots", function()
    local road = sarrus.table { x = { 0, 1, 2, 3, 5 }, y = { 0, 0.2, -0.1, 0.4, 0 } }
    local speed = 0 -- Simpson's rule is exact for cubics
    for i = 1, 4 do
      local a, b = road.x[i], road.x[i + 1]
      speed = speed + (b - a) / 6 * (road(a) + 4 * road((a + b) / 2) + road(b))
    end
    local sim = assert(particle(function(_, _, t) return road(t) end):simulate { q = { 0 } })
    assert(sim:advance(5))
    near(speed, sim:state().v.x, 1e-14)
    local cam = particle(function() return 0 end, {
      constraints = function(q, t) return { q.x - road(t) } end })
    sim = assert(cam:simulate { q = { 0 }, v = { 0 } })
    for t, s in sim:samples(4.9, 0.07) do
      near(road(t), s.q.x, 1e-14, "t = " .. t)
    end
  end)

  it("say where a motion sticks", function()
    local rough = particle(function(_, v) return -2 * sarrus.sign(v) end)
    local sim = assert(rough:simulate { q = { 0 }, v = { 3 } })
    local result, message, code = sim:advance(5)
    assert.are.same({ nil, "EVENT" }, { result, code })
    assert.is_truthy(message:find("sticks or chatters at a switch of sign(x')", 1, true), message)
    near(1.5, sim.time, 1e-12)
    near(2.25, sim:state().q.x, 1e-12)
    near(0, sim:state().v.x, 1e-12)
    assert.are.equal("END", (sim:advance(1)))
  end)
end)
