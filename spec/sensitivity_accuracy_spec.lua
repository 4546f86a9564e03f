--- Derivatives of motions against digits that were found in another way, with more of them than a
--- double has: spec/sensitivity_digits.lua, from spec/sensitivity_reference.py.
local sarrus = require "sarrus"
local problems = dofile "spec/problems.lua"
local digits = dofile "spec/sensitivity_digits.lua"
local body, force, joint = sarrus.body, sarrus.force, sarrus.joint

local GRAVITY = 9.81

--- The worst error of a list of numbers, relative to the largest of them.
local function error_of(known, found)
  local size, off = 0, 0
  for i, x in ipairs(known) do
    size, off = math.max(size, math.abs(x)), math.max(off, math.abs(x - found[i]))
  end
  return off / size
end

--- Each channel, relative to itself.
local function check(s, known, names, channels, bound)
  local worst, which = 0, "none"
  for _, name in ipairs(names) do
    for i, label in ipairs(channels) do
      local x = s:derivative(label, name)
      local off = math.abs(x - known[name][i]) / math.abs(known[name][i])
      if off > worst then
        worst, which = off, ("%s by %s"):format(label, name)
      end
    end
  end
  assert.is_true(worst <= bound, ("%s: %.2e, allowed %.0e"):format(which, worst, bound))
end

--- Parameters of these values, by name.
local function parameters(values)
  local list = {}
  for name, value in pairs(values) do
    list[name] = sarrus.parameter(name, value)
  end
  return list
end

describe("derivatives to the last digits", function()
  it("of Andrews' squeezer by all masses, inertias and lengths", function()
    local names, values, p = {}, {}, { m = {}, I = {} }
    local function parameter(name, value)
      names[#names + 1], values[name] = name, value
      return sarrus.parameter(name, value)
    end
    for key, value in pairs(problems.andrews) do
      if type(value) == "table" then
        for i, x in ipairs(value) do
          p[key][i] = parameter(key .. i, x)
        end
      elseif digits.squeezer[key] then
        p[key] = parameter(key, value)
      else
        p[key] = value
      end
    end
    local problem = problems.squeezer(nil, p)
    local sim = assert(problem.system:simulate { q = problem.q, v = problem.v, parameters = values,
      sensitivity = names, tolerance = 1e-14 })
    assert(sim:advance(0.01))
    local s = sim:state()
    local labels = { "be", "th", "ga", "ph", "de", "om", "ep" }
    for _, name in ipairs(names) do
      local q, v = {}, {}
      for i, label in ipairs(labels) do
        q[i] = s:derivative("q." .. label, name)
      end
      for i = 1, 2 do
        v[i] = s:derivative("v." .. labels[i], name)
      end
      local known = digits.squeezer[name]
      local rates = { known[8], known[9] }
      for i = 1, 2 do
        known[7 + i] = nil
      end
      assert.is_true(error_of(known, q) <= 1e-11, name .. ": " .. error_of(known, q))
      assert.is_true(error_of(rates, v) <= 1e-11, name .. " (rates): " .. error_of(rates, v))
    end
  end)

  it("of a loop of spatial hinges, 3 of whose rows are redundant", function()
    local p, axis = parameters { height = 1.1, mass = 0.8 }, { 0, 0, 1 }
    local model = sarrus.model {
      name = "four-bar", gravity = { 0, -GRAVITY, 0 },
      body.rod { "crank", from = { 0, 0, 0 }, to = { 0, p.height, 0 }, mass = p.mass },
      body.rod { "coupler", from = { 0, p.height, 0 }, to = { 2, 2, 0 }, mass = 1 },
      body.rod { "rocker", from = { 3, 0, 0 }, to = { 2, 2, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "crank", at = { 0, 0, 0 }, axis = axis },
      joint.revolute { "B", "crank", "coupler", at = { 0, p.height, 0 }, axis = axis },
      joint.revolute { "C", "coupler", "rocker", at = { 2, 2, 0 }, axis = axis },
      joint.revolute { "D", "rocker", "ground", at = { 3, 0, 0 }, axis = axis },
    }
    local sim = assert(model:simulate { tolerance = 1e-14, joints = { A = { rate = 3 } },
      sensitivity = { "height", "mass", "start.A.rate" } })
    assert(sim:advance(0.5))
    local known = digits.loop
    known["start.A.rate"] = known.rate
    check(sim:state(), known, { "height", "mass", "start.A.rate" }, { "A.angle", "A.rate" }, 1e-11)
  end)

  it("of an arm that is driven", function()
    local p = parameters { A = 0.8, w = 3, l1 = 0.7, l2 = 0.9, k = 5, m = 1.3 }
    local tip = p.l1 + p.l2
    local model = sarrus.model {
      name = "driven arm", gravity = { 0, -GRAVITY },
      body.rod { "one", from = { 0, 0 }, to = { p.l1, 0 }, mass = 1 },
      body.rod { "two", from = { p.l1, 0 }, to = { tip, 0 }, mass = p.m },
      joint.revolute { "J1", "ground", "one", at = { 0, 0 },
        motion = p.A * sarrus.sin(p.w * sarrus.time) },
      joint.revolute { "J2", "one", "two", at = { p.l1, 0 }, stiffness = p.k },
    }
    local names = { "A", "w", "l1", "l2", "k", "m", "start.J2.rate" }
    local sim = assert(model:simulate { tolerance = 1e-14, joints = { J2 = { rate = 0.5 } },
      sensitivity = names })
    assert(sim:advance(1))
    digits.arm["start.J2.rate"] = digits.arm.rate
    check(sim:state(), digits.arm, names, { "J2.angle", "J2.rate" }, 1e-11)
  end)

  it("of a block that sticks and slips", function()
    for _, case in ipairs { { 3.1, digits.slip }, { 8, digits.slip_later } } do
      local names = { "k", "m", "V", "still", "mu" }
      local p = parameters { k = 40, m = 2, V = 0.5, still = 0.6, mu = 0.35 }
      local system = sarrus.system {
        name = "block", coordinates = { "x", "y" },
        mass = function() return { { p.m, 0 }, { 0, p.m } } end,
        force = function(q, _, t) return { p.k * (p.V * t - q.x), -GRAVITY * p.m } end,
        contacts = { { "floor", gap = function(q) return q.y end,
          slip = function(_, v) return v.x end,
          friction = { static = p.still, sliding = p.mu } } },
      }
      local told = 0
      local function instants(_, s)
        told = told + 1
        for _, name in ipairs(names) do
          local known = case[2][name][2 + told]
          local x = s:derivative("time", name)
          assert.is_true(math.abs(x - known) <= 1e-11 * math.abs(known) + 1e-12,
            ("instant %d by %s: %.17g, known %.17g"):format(told, name, x, known))
        end
      end
      local sim = assert(system:simulate { tolerance = 1e-14, q = { 0, 0 }, v = { 0, 0 },
        sensitivity = names, events = {
          sarrus.event { "slips", contact = "floor", on = "slip", action = instants },
          sarrus.event { "sticks", contact = "floor", on = "stick", action = instants } } })
      assert(sim:advance(case[1]))
      local s = sim:state()
      assert.is_true(told >= 3)
      for _, name in ipairs(names) do
        local known, x = case[2][name], s:derivative("q.x", name)
        assert.is_true(math.abs(x - known[1]) <= 1e-11 * math.abs(known[1]), name .. ": " .. x)
        local rate = s:derivative("v.x", name)
        assert.is_true(math.abs(rate - known[2]) <= 1e-11 * math.abs(known[2]) + 1e-12,
          name .. " (rate): " .. rate)
      end
    end
  end)

  it("of a pendulum on a spring of 1e8 N/m", function()
    local p = parameters { g = 9.81, m = 1.2 }
    local model = sarrus.model {
      name = "stiff", body.point { "b", position = { 1, 0 }, mass = p.m },
      force.spring { "s", "ground", "b", from = { 0, 0 }, to = { 1, 0 }, length = 1,
        stiffness = 1e8, damping = 1e4 },
      force.applied { "w", "b", at = { 1, 0 }, force = { 0, -p.g } },
    }
    local names = { "g", "m", "start.b.velocity.y" }
    digits.stiff["start.b.velocity.y"] = digits.stiff.speed
    local sim = assert(model:simulate { method = "stiff", tolerance = 1e-13, sensitivity = names,
      bodies = { b = { velocity = { 0, 0.5 } } } })
    assert(sim:advance(0.2))
    check(sim:state(), digits.stiff, names,
      { "b.position.x", "b.position.y", "b.velocity.x", "b.velocity.y" }, 1e-9)
  end)
end)
