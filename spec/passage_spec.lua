--- What turns round where two points pass each other: springs with a length, dampers, distances in
--- equations.  Drawn at random, with misses from none at all up to the size of the motion; energy,
--- or an integrator of its own kind, tells whether the answer is right.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"
local body, force, joint = sarrus.body, sarrus.force, sarrus.joint
local decade = generator.decade

--- Two directions at right angles.
local function directions(uniform, dimension)
  local function dot(a, b)
    local sum = 0
    for k = 1, dimension do
      sum = sum + a[k] * b[k]
    end
    return sum
  end
  local function any()
    local d = {}
    for k = 1, dimension do
      d[k] = uniform() - 0.5
    end
    return d
  end
  local function less(d, e, part)
    local list = {}
    for k = 1, dimension do
      list[k] = d[k] - part * e[k]
    end
    return list
  end
  local function unit(d)
    return less({ 0, 0, 0 }, d, -1 / math.sqrt(dot(d, d)))
  end
  local e = unit(any())
  local d = any()
  return e, unit(less(d, e, dot(d, e)))
end

--- p + x a + y b
local function beside(p, x, a, y, b)
  local list = {}
  for k = 1, #p do
    list[k] = p[k] + x * a[k] + y * b[k]
  end
  return list
end

local function energy_error(sim, t)
  local before = sim:state():energy()
  local size = math.max(before.kinetic, before.potential, math.abs(before.total))
  local result, message = sim:advance(t)
  return result and math.abs(sim:state():energy().total - before.total) / size, message
end

-- Dormand and Prince's pair of orders 5 and 4, for y' = f(t, y).
local nodes = { 0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1 }
local rows = {
  {}, { 1 / 5 }, { 3 / 40, 9 / 40 }, { 44 / 45, -56 / 15, 32 / 9 },
  { 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729 },
  { 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656 },
  { 35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84 },
}
local difference = {
  71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40,
}

local function runge_kutta(f, y, t_end, tolerance)
  local t, h, n = 0, 1e-3, #y
  while t < t_end do
    h = math.min(h, t_end - t)
    local k, next_y = {}, nil
    for stage = 1, 7 do
      next_y = {}
      for i = 1, n do
        next_y[i] = y[i]
        for j = 1, stage - 1 do
          next_y[i] = next_y[i] + h * rows[stage][j] * k[j][i]
        end
      end
      k[stage] = f(t + nodes[stage] * h, next_y)
    end
    local worst = 0
    for i = 1, n do
      local e = 0
      for j = 1, 7 do
        e = e + h * difference[j] * k[j][i]
      end
      worst = math.max(worst, math.abs(e))
    end
    if worst <= tolerance or h < 1e-12 then
      t, y = t + h, next_y
    end
    h = h * math.min(3, math.max(0.2, 0.9 * (tolerance / (worst + 1e-300)) ^ 0.2))
  end
  return y
end

describe("points that pass each other", function()
  it("on a line: x'' = -k (x - L sign x), in closed form", function()
    local k, length, x0, t = 10, 0.1, 1, 10
    local model = sarrus.model {
      body.point { "p", position = { x0, 0 }, mass = 1 },
      force.spring { "s", "ground", "p", from = { 0, 0 }, to = { x0, 0 }, stiffness = k,
        length = length },
    }
    local sim = assert(model:simulate { tolerance = 1e-12 })
    assert(sim:advance(t))
    -- A quarter of the period is the time to x = 0 with the centre at L.
    local omega = math.sqrt(k)
    local quarter = math.acos(-length / (x0 - length)) / omega
    local rest = t % (4 * quarter)
    local sign = 1
    if rest > 2 * quarter then
      rest, sign = rest - 2 * quarter, -1
    end
    if rest > quarter then
      rest, sign = 2 * quarter - rest, -sign
    end
    local x = sign * (length + (x0 - length) * math.cos(omega * rest))
    assert.is_near(x, sim:state().q[1], 1e-11)
  end)

  it("springs of free points keep their energy", function()
    local uniform = generator.uniform(1)
    for case = 1, 300 do
      local dimension = 2 + case % 2
      local e, d = directions(uniform, dimension)
      local origin = beside({ 0, 0, dimension == 3 and 0 or nil }, uniform(), e, uniform(), d)
      local miss = uniform() < 0.2 and 0 or decade(uniform, -16, 0)
      local distance, speed = decade(uniform, -0.5, 0.5), decade(uniform, -2, 1)
      local k, length = decade(uniform, -1, 3), decade(uniform, -2, 0)
      local place = beside(origin, distance, e, distance * miss, d)
      local zero = beside(e, -1, e, 0, d)
      local parts = {
        body.point { "p", position = place, velocity = beside(zero, -speed, e, 0, d), mass = 1 },
        body.point { "q", position = origin, mass = 0.3 + uniform() },
        force.spring { "s", case % 3 == 0 and "ground" or "q", "p", from = origin, to = place,
          stiffness = k, length = length },
      }
      local sim = assert(sarrus.model(parts):simulate { tolerance = 1e-12, max_steps = 5000 })
      local off, message = energy_error(sim, 10 / math.sqrt(k))
      assert(off, message)
      assert.is_true(off < 1e-10, ("case %d: miss %g: energy off by %g"):format(case, miss, off))
    end
  end)

  it("springs of mechanisms keep their energy", function()
    local uniform = generator.uniform(2)
    for case = 1, 200 do
      local dimension, tolerance = 2 + case % 2, ({ 1e-6, 1e-9, 1e-12 })[1 + case % 3]
      local z = dimension == 3 and 0 or nil
      local k, length = decade(uniform, -1, 2), decade(uniform, -2, 0)
      local miss = uniform() < 0.3 and 0 or decade(uniform, -14, 0)
      local angle, radius = 2 * math.pi * uniform(), 0.5 + uniform()
      local parts, start
      if uniform() < 0.5 then -- a crank whose tip passes the other end
        local tip = { radius * math.cos(angle), radius * math.sin(angle), z }
        local there = angle + 1 + 2 * uniform()
        parts = {
          body.rod { "rod", from = { 0, 0, z }, to = tip, mass = 1 },
          joint.revolute { "j", "ground", "rod", at = { 0, 0, z }, axis = z and { 0, 0, 1 } },
          force.spring { "s", "ground", "rod", to = tip, stiffness = k, length = length,
            from = { (1 + miss) * radius * math.cos(there), (1 + miss) * radius * math.sin(there),
              z } },
        }
        start = { j = { rate = 2 + 3 * uniform() } }
      else -- a slider
        local e, d = directions(uniform, dimension)
        local origin = beside(beside(e, -1, e, 0, d), uniform(), e, uniform(), d)
        local place = beside(origin, radius, e, 0, d)
        parts = {
          body.rigid { "car", position = place, mass = 1, inertia = z and { 1, 1, 1 } or 1 },
          joint.prismatic { "j", "ground", "car", at = place, axis = e },
          force.spring { "s", "ground", "car", to = place, stiffness = k, length = length,
            from = beside(origin, 0, e, miss, d) },
        }
        start = { j = { speed = -(1 + uniform()) * math.sqrt(k) } }
      end
      local sim = assert(sarrus.model(parts):simulate {
        tolerance = tolerance, joints = start, t = case % 5 == 0 and 1000 or 0, max_steps = 5000,
      })
      local off, message = energy_error(sim, sim.time + 5)
      assert(off, message)
      assert.is_true(off < math.max(1e-10, 1e3 * tolerance),
        ("case %d: miss %g: energy off by %g at %g"):format(case, miss, off, tolerance))
    end
  end)

  it("several springs along one line keep their energy, in any units", function()
    local uniform = generator.uniform(4)
    for case = 1, 150 do
      local length = 10 ^ math.floor(decade(uniform, 0, 0.95) - 5)
      local rate, mass = 10 ^ (case % 7 - 3), 10 ^ (case % 9 - 4)
      local tolerance = ({ 1e-7, 1e-10, 1e-12 })[1 + case % 3]
      local dimension, miss = 2 + case % 2, case % 4 == 0 and 0 or decade(uniform, -15, 0)
      local e, d = directions(uniform, dimension)
      local origin, parts, places = beside(e, -1, e, 0, d), {}, {}
      for i = 1, 2 + case % 3 do
        places[i] = beside(origin, length * (4 * uniform() - 2), e, length * miss * uniform(), d)
        parts[#parts + 1] = body.point { "p" .. i, position = places[i], mass = mass,
          velocity = beside(origin, length * rate * (4 * uniform() - 2), e, 0, d) }
      end
      for i = 1, #places do
        for j = 0, i - 1 do
          parts[#parts + 1] = force.spring { ("s%d-%d"):format(i, j), j == 0 and "ground"
            or "p" .. j, "p" .. i, from = places[j] or origin, to = places[i],
            stiffness = mass * rate ^ 2 * (0.5 + 2 * uniform()),
            length = length * (0.05 + uniform()) }
        end
      end
      local sim = assert(sarrus.model(parts):simulate { tolerance = tolerance, max_steps = 5000 })
      local off, message = energy_error(sim, 6 / rate)
      assert(off, message)
      assert.is_true(off < math.max(1e-10, 300 * tolerance),
        ("case %d: miss %g: energy off by %g at %g"):format(case, miss, off, tolerance))
    end
  end)

  -- f(x, y, u, v) is the force on a point, by functions of sarrus or of Lua alike.
  local laws = {
    { "a spring by a root", function(x, y, _, _, f)
      local d = f.sqrt(x * x + y * y)
      return -4 * (1 - 0.3 / d) * x, -4 * (1 - 0.3 / d) * y
    end },
    { "a spring by a power", function(x, y, _, _, f)
      local d = f.pow(x * x + y * y, 0.5)
      return -4 * x + x / d, -4 * y + y / d
    end },
    { "a damper", function(x, y, u, v)
      local rate = (x * u + y * v) / (x * x + y * y)
      return -3 * x - 0.5 * rate * x, -3 * y - 0.5 * rate * y
    end },
    { "a force across", function(x, y, _, _, f)
      local d = f.sqrt(x * x + y * y)
      return -4 * x - y / d, -4 * y + x / d
    end },
  }
  local numbers = { sqrt = math.sqrt, pow = function(x, r) return x ^ r end }
  local expressions = { sqrt = sarrus.sqrt, pow = numbers.pow }

  it("equations agree with another integrator", function()
    local uniform = generator.uniform(3)
    for case = 1, 120 do
      local name, law = laws[1 + case % #laws][1], laws[1 + case % #laws][2]
      local miss = decade(uniform, -14, 0)
      local angle, speed = 2 * math.pi * uniform(), 3 * uniform()
      local c, s = math.cos(angle), math.sin(angle)
      local q, v = { c - miss * s, s + miss * c }, { -speed * c, -speed * s }
      local system = sarrus.system {
        coordinates = { "x", "y" },
        mass = function() return { { 1, 0 }, { 0, 1 } } end,
        force = function(at, rate)
          return { law(at.x, at.y, rate.x, rate.y, expressions) }
        end,
      }
      local sim = assert(system:simulate { q = q, v = v, tolerance = 1e-12, max_steps = 5000 })
      assert(sim:advance(2))
      local y = runge_kutta(function(_, at)
        local fx, fy = law(at[1], at[2], at[3], at[4], numbers)
        return { at[3], at[4], fx, fy }
      end, { q[1], q[2], v[1], v[2] }, 2, 1e-12)
      local state = sim:state()
      local off = math.max(math.abs(state.q[1] - y[1]), math.abs(state.q[2] - y[2]),
        math.abs(state.v[1] - y[3]), math.abs(state.v[2] - y[4]))
      assert.is_true(off < 1e-8, ("case %d: %s, miss %g: off by %g"):format(case, name, miss, off))
    end
  end)

  it("a passage backwards is the passage forwards", function()
    local model = sarrus.model {
      body.point { "p", position = { 1, 1e-9 }, velocity = { -1, 0 }, mass = 1 },
      force.spring { "s", "ground", "p", from = { 0, 0 }, to = { 1, 1e-9 }, stiffness = 10,
        length = 0.3 },
    }
    local sim = assert(model:simulate { tolerance = 1e-12 })
    assert(sim:advance(0.9))
    assert(sim:advance(0))
    assert.is_near(1, sim:state().q[1], 1e-10)
    assert.is_near(-1, sim:state().v[1], 1e-10)
  end)

  it("a true collision is named", function()
    local system = sarrus.system {
      coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      force = function(q)
        local d = sarrus.sqrt(q.x ^ 2 + q.y ^ 2)
        return { -q.x / d ^ 3, -q.y / d ^ 3 }
      end,
    }
    local sim = assert(system:simulate { q = { 1, 0 }, v = { 0, 0 }, max_steps = 5000 })
    local result, message, code = sim:advance(2)
    assert.is_nil(result)
    assert.is_truthy(code == "STEP" or code == "NONFINITE", message)
    assert.is_near(math.pi / 2 / math.sqrt(2), sim.time, 1e-6)
  end)
end)
