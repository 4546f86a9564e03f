-- What is not smooth, in small scripts with known answers.
local sarrus = require "sarrus"
local near = dofile("spec/check.lua").near
local slider = dofile("spec/sketches.lua").slider
local body, joint = sarrus.body, sarrus.joint

local function system(force, ...)
  local names, rows = { ... }, {}
  for i = 1, #names do
    rows[i] = {}
    for j = 1, #names do
      rows[i][j] = i == j and 1 or 0
    end
  end
  return sarrus.system { coordinates = names, mass = function() return rows end, force = force }
end

describe("a switch", function()
  it("of a slack tether is found as far as its own series goes, not farther", function()
    local tether = system(function(q)
      local d = sarrus.sqrt(q.x ^ 2 + q.y ^ 2)
      local pull = 1000 * sarrus.max(d - 10, 0) / d
      return { -pull * q.x, -9.81 - pull * q.y }
    end, "x", "y")
    for _, tolerance in ipairs { 1e-6, 1e-8, 1e-12 } do
      local sim = assert(tether:simulate { q = { 0.5, 0 }, v = { 1, 0 }, tolerance = tolerance })
      assert(sim:advance(0.1))
      near(0.6, sim:state().q.x, 1e-14)
      near(-9.81 / 2 * 0.01, sim:state().q.y, 1e-14)
    end
  end)

  it("at the end of one giant step is met and left", function()
    local spring = system(function(q) return { 1 - 1e3 * sarrus.max(q.p, 0) } end, "p")
    local touch, w = math.sqrt(2), math.sqrt(1e3)
    for _, tolerance in ipairs { 1e-6, 1e-8, 1e-12 } do
      local sim = assert(spring:simulate { q = { -1 }, tolerance = tolerance })
      for _, dt in ipairs { 0.01, 0.05, 0.09 } do -- within the half turn in the spring
        assert(sim:advance(touch + dt))
        near(1e-3 - 1e-3 * math.cos(w * dt) + touch / w * math.sin(w * dt), sim:state().q.p,
          1e3 * tolerance)
      end
      local turn = 2 * (math.pi - math.atan(touch * w)) / w -- left as fast as it was met
      assert(sim:advance(touch + turn + 0.5))
      near(-touch * 0.5 + 0.125, sim:state().q.p, 1e3 * tolerance)
    end
  end)

  it("may be where the motion starts", function()
    local floor = system(function(q, v)
      return { sarrus.select(-q.y, -1e4 * q.y - 20 * v.y, 0) - 10 }
    end, "y")
    local sim = assert(floor:simulate { q = { 0 } })
    assert(sim:advance(2))
    near(-1e-3, sim:state().q.y, 1e-9)
  end)
end)

local function length(sim)
  return sim:state():joint("j").length
end

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

describe("a stop", function()
  it("holds a ball that starts on the floor, at rest", function()
    for _, e in ipairs { 0, 0.5, 0.9 } do
      local sim = assert(slider(-4, e):simulate {})
      assert(sim:advance(10))
      near(0, length(sim), 1e-14)
    end
  end)

  it("ends bounces for ever where their sum ends", function()
    -- Dropped from 1 m with e = 0.9: at 8.5 s after 44 bounces, at rest from 8.578949178728887 on.
    local ball = sarrus.model {
      gravity = { 0, -9.81 },
      body.box { "b", position = { 0, 1 }, size = { 0.1, 0.1 }, mass = 1 },
      joint.prismatic { "j", "ground", "b", at = { 0, 1 }, axis = { 0, 1 },
        limits = { -1, 5, restitution = 0.9 } },
    }
    local sim = assert(ball:simulate { tolerance = 1e-14 })
    assert(sim:advance(8.5))
    near(5.565551008992671e-6 - 1, length(sim), 1e-12)
    near(-0.04166519580981356, sim:state():joint("j").speed, 1e-12)
    assert(sim:advance(100))
    near(-1, length(sim), 1e-14)
    near(0, sim:state():joint("j").speed, 1e-14)
  end)

  it("holds with the force of what it carries", function()
    local sim = assert(sliders(0):simulate {})
    assert(sim:advance(1))
    near(60, sim:state():joint("j1").force.x, 1e-9)
    near(50, sim:state():joint("j2").force.x, 1e-9)
    near(30, sim:state():joint("j3").force.x, 1e-9)
  end)

  it("comes in time, however long a force takes to bring back what has left another", function()
    -- By impacts of 1 m/s between stops at -1 and 1: next to no force takes 1e8 to 1e80 s.
    for _, force in ipairs { 0, 1e-80, 1e-30, 1e-16, 1e-12, 1e-8 } do
      local sim = assert(sarrus.model {
        gravity = { force, 0 },
        body.box { "b", position = { 0, 0 }, size = { 0.1, 0.1 }, mass = 1 },
        joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 },
          limits = { -1, 1, restitution = 1 } },
      }:simulate { joints = { j = { speed = 1 } } })
      for k = 0, 10 do
        local sign = k % 2 == 0 and 1 or -1
        assert(sim:advance(2 * k + 0.5))
        near(0.5 * sign, length(sim), 100 * force + 1e-14)
        near(sign, sim:state():joint("j").speed, 100 * force + 1e-14)
      end
    end
  end)
end)
