--- Series count time in a unit of their own: seconds of any length change neither steps nor digits.

local sarrus = require "sarrus"
local sketches = dofile("spec/sketches.lua")

--- A four-bar that falls, in a unit of time of so many seconds.
local function four_bar(unit)
  return sketches.four_bar { gravity = { 0, -9.81 / unit ^ 2 } }
end

local function oscillator()
  return sarrus.system { name = "oscillator", coordinates = { "x" },
    mass = function() return { { 1 } } end, force = function(q) return { -q.x } end }
end

describe("the unit of time", function()
  it("is of no account, from 1e-12 to 1e15 s", function()
    local steps, angle
    for _, unit in ipairs { 1, 1e-12, 1e-6, 1e10, 1e15 } do
      local sim = assert(four_bar(unit):simulate {})
      assert(sim:advance(5 * unit))
      steps, angle = steps or sim:stats().steps, angle or sim:state():joint("A").angle
      assert.equal(steps, sim:stats().steps)
      assert.near(angle, sim:state():joint("A").angle, 1e-11)
    end
  end)

  it("goes on bit for bit in what is restored", function()
    for _, unit in ipairs { 1e-12, 1e10 } do
      local model = four_bar(unit)
      local sim = assert(model:simulate {})
      assert(sim:advance(1.3 * unit))
      local copy = assert(model:restore(sim:save()))
      for _, each in ipairs { sim, copy } do
        assert(each:advance(4 * unit))
      end
      assert.same(sim:state().q, copy:state().q)
      assert.same(sim:state().v, copy:state().v)
      assert.same(sim:stats().steps, copy:stats().steps)
    end
  end)

  it("follows motions that begin next to nothing", function()
    for _, speed in ipairs { 1e-20, 1e-100, 1e-160 } do
      local sim = assert(oscillator():simulate { q = { 0 }, v = { speed } })
      assert(sim:advance(1))
      assert.near(1, sim:state().q.x / (speed * math.sin(1)), 1e-6)
    end
  end)

  it("and what holds nothing yet is restored", function()
    local pendulum = sarrus.system { name = "weightless", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end, force = function() return { 0, 0 } end,
      constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end }
    local sim = assert(pendulum:simulate { q = { 1, 0 } })
    local copy = assert(pendulum:restore(sim:save()))
    assert(copy:advance(1))
    assert.equal(1, copy:state().q.x)
  end)
end)
