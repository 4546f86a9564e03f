--- Tables with pieces as narrow as 1e-4, drawn at random.  Between knots they are cubics, so
--- Simpson's rule gives their integral, and with it the energy or the velocity, exactly.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"

--- Knots and values, about half of the pieces steep, constant outside.
local function draw(uniform)
  local width, x, y = generator.decade(uniform, -4, -1), { 0 }, { uniform() }
  for i = 2, 5 do
    x[i] = x[i - 1] + (uniform() < 0.5 and width or 0.2 + uniform())
    y[i] = 2 * uniform() - 1
  end
  return sarrus.table {
    x = { x[1] - 1, x[1], x[2], x[3], x[4], x[5], x[5] + 1 },
    y = { y[1], y[1], y[2], y[3], y[4], y[5], y[5] },
  }
end

--- The integral from below all knots up to b.
local function integral(data, b)
  local ends, sum = { -100 }, 0
  for _, x in ipairs(data.x) do
    if x < b then
      ends[#ends + 1] = x
    end
  end
  ends[#ends + 1] = b
  for i = 2, #ends do
    local low, high = ends[i - 1], ends[i]
    sum = sum + (high - low) / 6 * (data(low) + 4 * data((low + high) / 2) + data(high))
  end
  return sum
end

local function simulate(force, v, tolerance)
  local system = sarrus.system {
    coordinates = { "x" }, mass = function() return { { 1 } } end, force = force,
  }
  return assert(system:simulate { q = { -0.5 }, v = { v }, tolerance = tolerance,
    max_steps = 10000 })
end

describe("a table with steep pieces", function()
  it("of a coordinate keeps the energy", function()
    local uniform = generator.uniform(1)
    for case = 1, 300 do
      local data, v = draw(uniform), 1 + uniform()
      local sim = simulate(function(q) return { data(q.x) } end, v, 1e-12)
      local result, message = sim:advance(5)
      assert(result, ("case %d: %s"):format(case, tostring(message)))
      local s = sim:state()
      local before, after = v ^ 2 / 2 - integral(data, -0.5),
        s.v[1] ^ 2 / 2 - integral(data, s.q[1])
      assert.is_near(before, after, 1e-10 * (1 + v ^ 2 + s.v[1] ^ 2))
    end
  end)

  it("of time adds up to the velocity", function()
    local uniform = generator.uniform(2)
    for case = 1, 100 do
      local data, v, tolerance = draw(uniform), uniform(), ({ 1e-6, 1e-12 })[1 + case % 2]
      local sim = simulate(function(_, _, t) return { data(t) } end, v, tolerance)
      assert(sim:advance(5))
      assert.is_near(v + integral(data, 5) - integral(data, 0), sim:state().v[1],
        math.max(1e-11, 1e-3 * tolerance))
    end
  end)
end)
