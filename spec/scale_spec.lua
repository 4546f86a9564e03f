-- Tapes of 10^5 nodes, built from Lua in a second, expanded to order 20 in 0.2 s; long chains.
local sarrus = require "sarrus"
local pace = dofile "spec/pace.lua"
local seconds, ratio = pace.seconds, pace.ratio

--- Oscillators whose forces make `nodes` nodes and more, hardly any of them shared.
local function declare(nodes)
  local n = 10
  local coordinates = {}
  for i = 1, n do
    coordinates[i] = "x" .. i
  end
  return sarrus.system {
    name = "scale",
    coordinates = coordinates,
    mass = function()
      local rows = {}
      for i = 1, n do
        rows[i] = {}
        for j = 1, n do
          rows[i][j] = i == j and 1 or 0
        end
      end
      return rows
    end,
    force = function(q)
      local list, count = {}, 0
      for i = 1, n do
        local sum = -q[i]
        for _ = 1, nodes / n / 4 do -- each turn: argument, sine, cosine (for its series), product
          count = count + 1
          local other = q[count % n + 1]
          sum = sum + 1e-6 * sarrus.sin(other + count * 1e-4) * q[i]
        end
        list[i] = sum
      end
      return list
    end,
  }
end

local point = { q = {}, v = {} }
for i = 1, 10 do
  point.q[i], point.v[i] = 0.1 * i, 0
end

describe("a tape of 10^5 nodes", function()
  local system

  it("builds from Lua in under a second", function()
    local time
    time, system = seconds(function() return declare(100000) end, 3)
    local nodes = tonumber(system:explain("tape"):match("(%d+) values at order 0"))
    assert.is_true(nodes >= 100000 and nodes < 110000, nodes .. " nodes")
    assert.is_true(time < 1, time .. " s")
  end)

  it("expands to order 20 in under 0.2 s", function()
    local compiled = system.compiled
    local time, q = seconds(function()
      return (compiled:expand(20, 0, point.q, point.v, {}, 1e-9))
    end, 3)
    assert.are.equal(20, q[1].order)
    assert.is_true(time < 0.2, time .. " s")
  end)

  it("costs in proportion: a quarter of it takes less than half the time", function()
    local small = declare(25000).compiled
    local part = ratio(function() assert(small:expand(20, 0, point.q, point.v, {}, 1e-9)) end,
      function() assert(system.compiled:expand(20, 0, point.q, point.v, {}, 1e-9)) end, 15)
    assert.is_true(part < 0.5, part .. " of the whole")
  end)
end)

--- A chain of thin rods in space, a straight line at first.
local function chain(n)
  local parts = { name = "chain", gravity = { 0, 0, -9.81 } }
  for i = 1, n do
    local from = { i - 1, 0, 0 }
    parts[2 * i - 1] = sarrus.body.rod { "b" .. i, from = from, to = { i, 0, 0 }, mass = 1 }
    parts[2 * i] = sarrus.joint.revolute { "j" .. i, i == 1 and "ground" or "b" .. i - 1, "b" .. i,
      at = from, axis = { 0, 1, 0 } }
  end
  return sarrus.model(parts)
end

-- Of 200, one order of elimination used to fill everything, and took 5 s, 40 times as long as 400.
describe("a chain of thin rods", function()
  it("starts in proportion: 200 of them in less than 3 times what 400 take", function()
    local times = ratio(function() assert(chain(200):simulate {}) end,
      function() assert(chain(400):simulate {}) end, 3)
    assert.is_true(times < 3, times .. " times")
  end)
end)
