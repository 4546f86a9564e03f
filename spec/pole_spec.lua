--- Forces that grow without bound at a time, or where a coordinate vanishes: every advance ends
--- there, at a time of 0 as at any other, and names what grows.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"

local function simulate(force, given)
  local system = sarrus.system {
    coordinates = { "x" }, mass = function() return { { 1 } } end, force = force,
  }
  given.max_steps = 3000
  return assert(system:simulate(given))
end

describe("a pole", function()
  it("at t = 0 ends an advance", function()
    local sim = simulate(function(_, _, t) return { 1 / t ^ 3 } end, { t = 1, q = { 0 } })
    local result, message, code = sim:advance(-1)
    assert.is_nil(result)
    assert.equal("STEP", code)
    assert.truthy(message:find("1/t^3 grows without bound there, or ends", 1, true), message)
    assert.is_true(math.abs(sim.time) < 1e-9)
  end)

  it("at any time ends an advance from either side", function()
    local uniform = generator.uniform(1)
    for case = 1, 200 do
      local at = case % 2 == 0 and 0 or generator.decade(uniform, -6, 2)
      local power, distance = 1 + case % 4, generator.decade(uniform, -3, 3)
      local size = generator.decade(uniform, -3, 3) * distance ^ power
      local side = uniform() < 0.5 and 1 or -1
      local sim = simulate(function(_, _, t)
        return { size / (t - at) ^ power }
      end, { t = at + side * distance, q = { 0 }, tolerance = ({ 1e-6, 1e-12 })[1 + case % 2] })
      local result, message, code = sim:advance(at - side * distance)
      assert.is_nil(result, ("case %d went past the pole"):format(case))
      assert.is_true(code == "STEP" or code == "NONFINITE", message)
      assert.is_true(math.abs(sim.time - at) < 1e-6 * distance + 1e-9 * at,
        ("case %d: %g left of %g: %s"):format(case, sim.time - at, distance, message))
    end
  end)

  it("at a place ends an advance", function()
    local uniform = generator.uniform(2)
    for case = 1, 100 do
      local place, power = case % 2 == 0 and 0 or 10 * uniform(), 1 + case % 3
      local sim = simulate(function(q) return { -1 / (q.x - place) ^ power } end, {
        q = { place + 0.1 + uniform() }, v = { -uniform() },
        tolerance = ({ 1e-6, 1e-12 })[1 + case % 2],
      })
      local result, message, code = sim:advance(1000)
      assert.is_nil(result, ("case %d went past the pole"):format(case))
      assert.is_true(code == "STEP" or code == "NONFINITE", message)
    end
  end)
end)
