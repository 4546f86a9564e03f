-- Stops that let go, events whose actions change things: small scripts with known answers.
local sarrus = require "sarrus"
local near = dofile("spec/check.lua").near
local slider = dofile("spec/sketches.lua").slider
local body, joint = sarrus.body, sarrus.joint

local function length(sim)
  return sim:state():joint("j").length
end

describe("a stop", function()
  it("lets go when a parameter turns the push", function()
    local sim = assert(slider(-4):simulate {})
    assert(sim:advance(0.5))
    near(0, length(sim), 1e-12)
    assert(sim:set("push", 2) and sim:advance(1))
    near(0.5 * 0.5 ^ 2, length(sim), 1e-12)
  end)

  it("lets go when an event's action turns the push", function()
    local sim = assert(slider(-4):simulate { events = { sarrus.event { "turn",
      when = function(s) return s.t - 0.5 end,
      action = function(self) assert(self:set("push", 2)) end } } })
    assert(sim:advance(1))
    near(0.5 * 0.5 ^ 2, length(sim), 1e-12)
  end)

  it("lets go when a controller turns the push", function()
    local sim = assert(slider(-4):simulate { controllers = { sarrus.controller { period = 0.5,
      action = function(self, s) assert(self:set("push", s.t >= 0.5 and 2 or -4)) end } } })
    assert(sim:advance(1))
    near(0.5 * 0.5 ^ 2, length(sim), 1e-12)
  end)

  it("lets go by an impulse, and is met again", function()
    local sim = assert(slider(-4):simulate {})
    assert(sim:advance(0.5))
    assert(sim:impulse("b", { 2, 0 })) -- 1 m/s against 2 m/s^2
    assert(sim:advance(1))
    near(0.25, length(sim), 1e-12)
    assert(sim:advance(3))
    near(0, length(sim), 1e-12)
    near(0, sim:state():joint("j").speed, 1e-12)
  end)

  it("holds what starts on it without being pressed", function()
    local sim = assert(slider(0):simulate {})
    assert(sim:advance(1))
    near(0, length(sim), 0)
    assert(sim:set("push", 2) and sim:advance(2))
    near(0.5, length(sim), 1e-12)
  end)

  it("throws back what has rested at the other one before", function()
    -- Series of what rests are constant but for rounding, as if no time were long enough for them.
    for i = 1, 400, 9 do
      local push, angle = sarrus.parameter("push", 1), 5.41 + i / 1e4
      local sim = assert(sarrus.model {
        body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 1 },
        joint.prismatic { "j", "ground", "b", at = { 0, 0 }, force = push,
          axis = { math.cos(angle), math.sin(angle) }, limits = { -0.5, 0.7, restitution = 0.6 } },
      }:simulate { joints = { j = { length = 0.7 } } })
      for k = 1, 4 do
        assert(sim:advance(2 * k) and sim:set("push", 1 + k / 8))
      end
      assert(sim:set("push", -1) and sim:advance(8 + math.sqrt(2.4) + 0.1))
      near(0.6 * math.sqrt(2.4) - 0.1, sim:state():joint("j").speed, 1e-12)
    end
  end)
end)

describe("several stops", function()
  --- Three sliders on each other, each within 0 … 1 of the one before.
  local function sliders(e)
    local parts = { gravity = { -10, 0 } }
    for i = 1, 3 do
      parts[#parts + 1] = body.box { "b" .. i, position = { 0, 0 }, size = { 0.2, 0.1 }, mass = i }
      parts[#parts + 1] = joint.prismatic { "j" .. i, i > 1 and "b" .. i - 1 or "ground", "b" .. i,
        at = { 0, 0 }, axis = { 1, 0 }, limits = { 0, 1, restitution = e } }
    end
    return sarrus.model(parts)
  end

  it("that touch do not let anything through", function()
    for k = 0, 11 do
      local gap = k % 2 * 0.1
      local sim = assert(sliders(0.1 * math.floor(k / 2)):simulate { joints = {
        j1 = { length = 0.5 }, j2 = { length = 2 * gap }, j3 = { length = gap } } })
      local before = sim:state():energy().total
      for n = 1, 300 do
        assert(sim:advance(0.01 * n))
        local s = sim:state()
        for i = 1, 3 do
          assert.is_true(s:joint("j" .. i).length >= -1e-9)
        end
        local energy = s:energy().total
        assert.is_true(energy <= before + 1e-9)
        before = energy
      end
    end
  end)
end)

describe("an event", function()
  it("fires once for a crossing, though its action sets a parameter", function()
    local oscillator = sarrus.system { coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function(q) return { sarrus.parameter("F", 0) - q.x } end }
    local times = {}
    local sim = assert(oscillator:simulate { q = { 1 }, events = { sarrus.event { "pass",
      when = function(s) return s.q.x end,
      action = function(self, s)
        times[#times + 1] = s.t
        assert(self:set("F", 0.1 * (#times % 2)))
      end } } })
    assert(sim:advance(20))
    -- Under F = 0.1 it is back after pi - 2 atan(0.1), as fast as it went; under 0 after pi.
    assert.are.equal(7, #times)
    local t = math.pi / 2
    for i = 1, 7 do
      near(t, times[i], 1e-11)
      t = t + math.pi + (i % 2 == 1 and -2 * math.atan(0.1) or 0)
    end
  end)

  it("of a sine is found in motions that are polynomials", function()
    local count, push = 0, sarrus.system { coordinates = { "x" },
      mass = function() return { { 1 } } end, force = function() return { 0.1 } end }
    local sim = assert(push:simulate { q = { 0 }, events = { sarrus.event { "turn",
      when = function(s) return sarrus.sin(s.q.x) end,
      action = function(_, s)
        count = count + 1
        near(math.sqrt(20 * math.pi * count), s.t, 1e-11)
      end } } })
    assert(sim:advance(100))
    assert.are.equal(159, count) -- x = 500 = 159.15 pi
  end)

  it("fires once per crossing, though its action sets and kicks a hundred times over", function()
    -- x'' = F - k x with levels that are crossed hundreds of times
    for k = 1, 20 do
      local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
        force = function(q) return { sarrus.parameter("F", 0) - k * q.x } end }
      local times = {}
      local sim = assert(system:simulate { q = { 1 }, events = { sarrus.event { "pass",
        when = function(s) return s.q.x - 0.01 * k end,
        action = function(self, s)
          times[#times + 1] = s.t
          assert(self:set("F", 0.02 * k * (#times % 3 - 1)))
          assert(self:impulse { x = 0.1 * s.v.x * (#times % 2 == 0 and 1 or -1) })
        end } } })
      assert(sim:advance(100))
      for i = 2, #times do
        assert.is_true(times[i] - times[i - 1] > 1e-3, ("k = %d: again after %g s"):format(k,
          times[i] - times[i - 1]))
      end
    end
  end)
end)
