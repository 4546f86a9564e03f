--- The same mechanisms in forty sets of units: as many steps, the same digits.  Random ones are in
--- spec/random/units.lua.
local sarrus = require "sarrus"
local draw = dofile("spec/random/tools/draw.lua")
local units = dofile("spec/random/tools/units.lua")
local class = dofile("spec/random/units.lua")

local SEED, TOLERANCE = 7, 1e-9

--- Powers of ten of length, time and mass.
local SETS = {
  { 0, 0, 0 }, { -6, 0, 0 }, { -3, 0, 0 }, { 3, 0, 0 }, { 6, 0, 0 }, { 11, 0, 0 },
  { 0, -6, 0 }, { 0, -3, 0 }, { 0, 3, 0 }, { 0, 5, 0 }, { 0, 7, 0 },
  { 0, 0, -18 }, { 0, 0, -9 }, { 0, 0, -3 }, { 0, 0, 3 }, { 0, 0, 12 }, { 0, 0, 24 },
  { -6, 0, -18 }, { -6, -6, -18 }, { -6, 7, 24 }, { -6, -6, 24 }, { -6, 7, -18 },
  { 11, 7, 24 }, { 11, -6, -18 }, { 11, 7, -18 }, { 11, -6, 24 }, { 6, 3, 20 }, { -3, -3, -9 },
  { -3, 0, -3 }, { -1.595, 0, -0.343 }, { -0.516, 0, 1.164 }, { -2, 0, -3 }, { -3, -6, -6 },
  { -6, -3, -15 }, { 3, 3.556, 3 }, { 8, 4.936, 22 }, { 11, 6.7, 24 }, { 9, 5, -18 },
  { -5, 6, -12 }, { 2, -5, 7 },
}

local function unit_sets()
  local k = 0
  return function()
    k = k + 1
    local set = SETS[k]
    return set and units.of(10 ^ set[1], 10 ^ set[2], 10 ^ set[3]), k
  end
end

--- In which of the sets `error_of` is above a bound.
local function wrong_sets(bound, error_of)
  local wrong = {}
  for u, k in unit_sets() do
    local good, value = pcall(error_of, u)
    if not good or value > bound or value ~= value then
      wrong[#wrong + 1] = ("{%s}: %s"):format(table.concat(SETS[k], ", "), tostring(value))
    end
  end
  return table.concat(wrong, "\n")
end

local function difference(a, b)
  return math.abs(a - b) / math.abs(b)
end

describe("in forty sets of units", function()
  for _, name in ipairs(units.names) do
    it(name .. " takes as many steps and gives the same digits", function()
      local mechanism = units[name](draw.new(SEED))
      local reference = class.reference(mechanism, TOLERANCE)
      assert.are.equal("", wrong_sets(1, function(u)
        return class.compare(mechanism, reference, u, TOLERANCE)
      end))
    end)
  end

  it("efforts are the same", function()
    local mechanism = units.spatial_four_bar(draw.new(SEED))
    local function effort(u)
      local model, start = mechanism.build(u)
      local s = assert(model:simulate(start)):state()
      return assert(s:efforts { A = 0.5 / u.time ^ 2 }).A / u.torque
    end
    local expected = effort(units.of(1, 1, 1))
    assert.are.equal("", wrong_sets(1e-11, function(u) return difference(effort(u), expected) end))
  end)

  --- A pendulum of length 1, mass 2 and gravity 9.81 by its constraint.
  local function pendulum(u)
    return sarrus.system {
      coordinates = { "x", "y" },
      mass = function() return { { 2 * u.mass, 0 }, { 0, 2 * u.mass } } end,
      force = function() return { 0, -2 * 9.81 * u.force } end,
      constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - u.length ^ 2 } end,
    }
  end

  it("decompose gives the same series", function()
    local function coefficient(u)
      local solution = assert(pendulum(u):decompose {
        q = { 0.6 * u.length, -0.8 * u.length },
        v = { 0.8 * u.length / u.time, 0.6 * u.length / u.time }, order = 8 })
      return solution.q.x[8] / u.length * u.time ^ 8
    end
    local expected = coefficient(units.of(1, 1, 1))
    assert.are.equal("", wrong_sets(1e-11, function(u)
      return difference(coefficient(u), expected)
    end))
  end)

  it("decompose refuses what the constraints do not allow", function()
    assert.are.equal("", wrong_sets(0, function(u)
      local _, _, code = pendulum(u):decompose {
        q = { 0.6 * u.length, -0.8001 * u.length }, v = { 0, 0 }, order = 4 }
      return code == "INCONSISTENT" and 0 or 1
    end))
  end)
end)
