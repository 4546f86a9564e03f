--- Corners in which a simulation once went wrong without a word.
local sarrus = require "sarrus"

local function one(name, force, extra)
  local given = { name = name, coordinates = { "x" },
    mass = function() return { { 1 } } end, force = force }
  for key, value in pairs(extra or {}) do
    given[key] = value
  end
  return sarrus.system(given)
end

local function near(expected, value, tolerance)
  assert.is_true(math.abs(value - expected) <= tolerance, ("%.17g, expected %.17g"):format(value,
    expected))
end

describe("multipliers that change faster than the motion", function()
  it("are as accurate as the motion", function()
    local driven = one("driven", function(_, _, t) return { sarrus.sin(50 * t) } end, {
      constraints = function(q, t) return { q.x - t } end,
    })
    local sim = assert(driven:simulate { q = { 0 }, v = { 1 } })
    for _, t in ipairs { 0.3, 1, 2.2 } do
      assert(sim:advance(t))
      near(math.sin(50 * t), sim:state().lambda[1], 1e-9)
    end
  end)

  it("are so in general DAEs too", function()
    local dae = sarrus.dae {
      differential = { "x" }, algebraic = { "y" },
      derivative = function() return { 1 } end,
      constraints = function(x, y) return { y.y - sarrus.sin(50 * x.x) } end,
    }
    local sim = assert(dae:simulate { x = { 0 } })
    assert(sim:advance(1.7))
    near(math.sin(50 * 1.7), sim:state().y.y, 1e-9)
  end)
end)

describe("constraints that look dependent", function()
  local function system(other)
    return one("pair", function() return { 0 } end, {
      constraints = function(q, t) return { q.x, other(q, t) } end,
    })
  end

  it("must agree at the start", function()
    local sim, message, code = system(function(q, t) return q.x - t end):simulate { q = { 0 } }
    assert.is_nil(sim)
    assert.are.equal("INCONSISTENT", code)
    assert.is_truthy(message:find("velocities violate constraint [12] by 1"))
  end)

  it("must agree on the way", function()
    local sim = assert(system(function(q, t) return q.x - t ^ 2 end):simulate { q = { 0 } })
    local result, _, code = sim:advance(2)
    assert.is_nil(result)
    assert.are.equal("INCONSISTENT", code)
    assert.is_true(sim.time < 1e-3)
  end)
end)

describe("switches", function()
  local max, sign = sarrus.max, sarrus.sign

  it("that turn at one instant all turn", function()
    local function run(force)
      local sim = assert(one("kink", force):simulate { q = { -0.37 }, v = { 1 } })
      assert(sim:advance(1.5))
      return sim:state().q.x
    end
    near(run(function(q) return { 2 - 4 * max(0, q.x) } end),
      run(function(q) return { 2 - 2 * max(0, q.x) - 2 * max(0, 3 * q.x) / 3 } end), 1e-12)
  end)

  it("take the side to which the motion goes, from within rounding of the threshold", function()
    for _, x in ipairs { 0.1 + 0.2 - 0.3, 1e-17, -1e-17, 0 } do
      local sim = assert(one("rise", function(q) return { sarrus.select(q.x, -2, 5) } end)
        :simulate { q = { x }, v = { 1 } })
      assert(sim:advance(0.5))
      near(0.5 - 0.25, sim:state().q.x, 1e-12)
    end
  end)

  it("go with a table on the same argument", function()
    local road = sarrus.table { x = { -1, 0, 1 }, y = { -1, 0, 1 } }
    local ends = {}
    for i, force in ipairs {
      function(q) return { -sign(q.x) - road(q.x) } end,
      function(q) return { -road(q.x) - sign(q.x) } end,
      function(q) return { -sign(q.x) - q.x } end,
    } do
      local sim = assert(one("road", force):simulate { q = { 0.9 } })
      assert(sim:advance(3))
      ends[i] = sim:state().q.x
    end
    near(ends[3], ends[1], 1e-11)
    near(ends[3], ends[2], 1e-11)
  end)

  it("let go when a parameter moves the threshold", function()
    local p = sarrus.parameter("p", 0)
    local relay = one("relay", function(q) return { -sign(q.x - p) } end)
    local sim = assert(relay:simulate { q = { -1 }, v = { 2 }, events = {
      sarrus.event { "there", when = function(s) return s.q.x - p end, stop = true },
    } })
    assert.are.equal("EVENT", (sim:advance(3)))
    assert(sim:set("p", 5))
    near(1, sim:state().a.x, 0)
    assert(sim:advance(sim.time + 0.5))
    assert.is_true(sim:state().v.x > 2)
  end)
end)

describe("the cut of atan(y, x)", function()
  local atan = sarrus.atan

  local function plane(force)
    return sarrus.system { name = "plane", coordinates = { "x", "y", "z" },
      mass = function() return { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } end, force = force }
  end

  it("ends a step where it is crossed", function()
    local sim = assert(plane(function(q) return { 0, atan(q.y, q.x), 0 } end):simulate {
      q = { -2, 0.05, 0 }, v = { 0, -1, 0 } })
    assert(sim:advance(0.5))
    near(-0.672096605934115, sim:state().q.y, 1e-14) -- to 30 digits, on each side of it
    assert(sim:advance(0))
    near(0.05, sim:state().q.y, 1e-14)
  end)

  -- On the unit circle the angle is a saw: its first integral is 0 after a turn, its second pi^3/3.
  local function circle(angle)
    return assert(plane(function(q) return { -q.x, -q.y, angle(q) } end):simulate {
      q = { 1, 0, 0 }, v = { 0, 1, 0 } })
  end

  it("is jumped over by 2 pi, both ways, and only for x < 0", function()
    local sim = circle(function(q) return atan(q.y, q.x) end)
    for _, turns in ipairs { 1, 2, 1, 0, -1, -2 } do
      assert(sim:advance(2 * math.pi * turns))
      near(0, sim:state().v.z, 1e-13)
      near(math.abs(turns) * math.pi ^ 3 / 3, sim:state().q.z * (turns < 0 and -1 or 1), 1e-12)
    end
    assert.is_true(sim:stats().steps < 40)
  end)

  it("lies where a constant or a parameter is below zero", function()
    local p = sarrus.parameter("p", -1)
    local fixed = circle(function(q) return atan(q.y, -1) end)
    local changed = circle(function(q) return atan(q.y, p) end)
    local never = circle(function(q) return atan(q.y, -p) end)
    for sim, jump in pairs { [fixed] = math.pi, [changed] = math.pi, [never] = 0 } do
      local slope = jump == 0 and 1 or -1
      assert(sim:advance(3))
      near(jump + slope * math.atan(math.sin(3)), sim:state().a.z, 1e-14)
      assert(sim:advance(4))
      near(-jump + slope * math.atan(math.sin(4)), sim:state().a.z, 1e-14)
      assert(sim:advance(2 * math.pi))
      near(0, sim:state().v.z, 1e-12)
    end
  end)

  it("is left to the side that the motion goes to", function()
    for _, side in ipairs { 1, -1 } do
      local sim = assert(plane(function(q) return { 0, 0, atan(q.y, q.x) } end):simulate {
        q = { -1, 0, 0 }, v = { 0, side, 0 } })
      assert(sim:advance(1))
      near(side * 3 * math.pi / 4, sim:state().a.z, 1e-14)
    end
  end)

  it("is the same for series", function()
    local x, rising = sarrus.series { -1, 0 }, sarrus.series { 0, 1 }
    near(math.pi, atan(rising, x)[0], 0)
    near(-math.pi, atan(-rising, x)[0], 0)
    near(-1, atan(rising, x)[1], 0)
    near(0, atan(-rising, -x)[0], 0)
  end)

  it("does not hide the zeros of events", function()
    local times = {}
    local event = sarrus.event { "angle", direction = "up",
      when = function(s) return atan(s.q.y, s.q.x) - 3 end,
      action = function(_, s) times[#times + 1] = s.t end }
    local sim = assert(plane(function(q) return { -q.x, -q.y, 0 } end):simulate {
      q = { 1, 0, 0 }, v = { 0, 1, 0 }, events = { event } })
    assert(sim:advance(20))
    assert.are.equal(3, #times)
    for k, t in ipairs(times) do
      near(3 + 2 * math.pi * (k - 1), t, 1e-13)
    end
  end)
end)

describe("a failure", function()
  it("of set leaves everything as it was", function()
    local length = sarrus.parameter("length", 1)
    local pendulum = sarrus.system {
      name = "pendulum", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      force = function() return { 0, -9.81 } end,
      constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - length } end,
    }
    local sim = assert(pendulum:simulate { q = { 1, 0 } })
    assert(sim:advance(0.3))
    local before = sim:state()
    local done, _, code = sim:set("length", -1)
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    local after = sim:state()
    for _, name in ipairs { "x", "y" } do
      assert.are.equal(before.q[name], after.q[name])
      assert.are.equal(before.v[name], after.v[name])
    end
    assert.are.equal(1, sim:get("length"))
    assert(sim:advance(10))
    assert.is_true(sim:residual().position < 1e-13)
  end)

  it("is what a pole of a force ends in", function()
    local sim = assert(one("well", function(q) return { -1 / q.x } end):simulate { q = { 1 } })
    local result, _, code = sim:advance(5)
    assert.is_nil(result)
    assert.is_truthy(code == "STEP" or code == "NONFINITE")
    near(math.sqrt(math.pi / 2), sim.time, 1e-6)
  end)

  it("is what a tangent ends in, however weak it is", function()
    for _, weight in ipairs { 1, 1e-3, 1e-9 } do
      local sim = assert(one("tangent", function(q) return { weight * sarrus.tan(q.x) } end)
        :simulate { q = { 0 }, v = { 1 } })
      local result, _, code = sim:advance(5)
      assert.is_nil(result)
      assert.is_truthy(code == "STEP" or code == "NONFINITE")
      near(math.pi / 2, sim:state().q.x, 1e-6)
    end
  end)

  it("comes before a state that is not finite", function()
    local sim = assert(one("huge", function() return { 1e300 } end):simulate { q = { 0 } })
    local result, _, code = sim:advance(1e5)
    assert.is_nil(result)
    assert.are.equal("NONFINITE", code)
    assert.is_true(sim:state().q.x < math.huge)
  end)

  it("is the answer to an index-2 DAE that has no start", function()
    local dae = sarrus.dae {
      differential = { "x" }, algebraic = { "y" },
      derivative = function(_, y) return { y.y } end,
      constraints = function(x) return { x.x ^ 2 + 1 } end,
    }
    for _, x in ipairs { 1, 1.3, -7 } do
      local sim, _, code = dae:simulate { x = { x } }
      assert.is_nil(sim)
      assert.is_truthy(code == "INCONSISTENT" or code == "SINGULAR")
    end
  end)
end)

describe("unknowns that nearly vanish among larger terms", function()
  it("are found beside something fast", function()
    local rate = 1e5
    local dae = sarrus.dae {
      differential = { "x" }, algebraic = { "y" },
      derivative = function(x, y, t) return { -rate * (x.x - sarrus.cos(t)) + y.y } end,
      constraints = function(_, y, t) return { sarrus.exp(y.y) + y.y - 1 - 20 * t ^ 2 } end,
    }
    for _, tolerance in ipairs { 1e-9, 1e-12 } do
      local sim = assert(dae:simulate { x = { 1 }, tolerance = tolerance, method = "series" })
      assert(sim:advance(1e-3))
      local y = 0
      for _ = 1, 20 do -- Newton's method by itself
        y = y - (math.exp(y) + y - 1 - 20e-6) / (math.exp(y) + 1)
      end
      near(y, sim:state().y.y, 1e-15)
    end
  end)
end)

describe("the residual of a general DAE", function()
  it("is what its constraints miss, of any index", function()
    local function residual(constraints, derivative, x)
      local sim = assert(sarrus.dae { differential = { "p", "v" }, algebraic = { "y" },
        derivative = derivative, constraints = constraints }:simulate { x = x, tolerance = 1e-6 })
      assert(sim:advance(1.85))
      local s = sim:state()
      local missed = math.abs(constraints(s.x, s.y, 1.85)[1])
      near(missed, sim:residual().position, 4e-16)
      return missed
    end
    local missed = residual(function(x, y) return { sarrus.exp(y.y) + y.y - 1 - x.p } end,
      function(x, y) return { -y.y, -x.v } end, { 1, 0 })
    assert.is_true(missed > 1e-14 and missed < 1e-6, missed) -- between the ends of a step
    residual(function(x, _, t) return { x.p ^ 2 + x.v ^ 2 - 1 + 0 * t } end,
      function(x, y) return { -x.v + x.p * y.y, x.p + x.v * y.y } end, { 1, 0 })
  end)
end)

describe("max_steps", function()
  it("counts the steps of one advance, whatever interrupts it", function()
    local calls = 0
    local sim = assert(one("oscillator", function(q) return { -q.x } end):simulate { q = { 1 },
      max_step = 0.1, max_steps = 30, controllers = { sarrus.controller { period = 1,
        action = function() calls = calls + 1 end } } })
    local result, message, code = sim:advance(100)
    assert.is_nil(result)
    assert.are.equal("STEP", code)
    assert.are.equal('system "oscillator": 30 steps were not enough; x keeps them small; '
      .. "raise max_steps or the tolerance (t = 3)", message)
    assert.is_true(calls >= 3)
    assert.are.equal("END", sim:advance(sim.time + 1))
  end)
end)
