-- Mechanisms that no example shows; spec/mechanisms.lua has the others.
local sarrus = require "sarrus"
local mechanisms = dofile("spec/mechanisms.lua")
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

--- Drift of the energy over the largest kinetic energy, and largest residual over the size.
local function measure(model, duration)
  local sim = assert(model:simulate { tolerance = 1e-14 })
  local before, kinetic, drift, residual = sim:state():energy().total, 0, 0, 0
  for i = 1, 50 do
    assert(sim:advance(i * duration / 50))
    local s = sim:state()
    local energy = s:energy()
    kinetic = math.max(kinetic, energy.kinetic)
    drift = math.max(drift, math.abs(energy.total - before))
    residual = math.max(residual, s:residual().position)
  end
  return drift / kinetic, residual / model.size
end

local function holds(model, duration)
  local drift, residual = measure(model, duration)
  assert.is_true(drift < 1e-11, ("energy drifts by %.1e"):format(drift))
  assert.is_true(residual < 1e-13, ("residual %.1e"):format(residual))
end

describe("a four-bar of spatial hinges", function()
  it("is named redundant, with what is not unique", function()
    local model = mechanisms.four_bar_of_hinges()
    assert.equal(1, model:freedoms())
    local sim = assert(model:simulate {})
    for _, word in ipairs {
      '"A"', '"D"', "motion along z", "rotation about x", "rotation about y",
    } do
      assert.truthy(sim:warnings()[1].message:find(word, 1, true), word)
    end
    local j = sim:state():joint("B")
    assert.is_false(j.unique)
    assert.same({ true, true, false }, j.unique_force)
    assert.same({ false, false, true }, j.unique_torque)
  end)

  it("takes as many steps when it is loaded across its plane", function()
    local steps = {}
    for i, across in ipairs { 0, 5 } do
      local sim = assert(mechanisms.four_bar_of_hinges({ 0, -9.81, across }):simulate {})
      assert(sim:advance(10))
      steps[i] = sim:stats().steps
    end
    assert.is_true(steps[2] < 1.2 * steps[1], steps[2] .. " steps in place of " .. steps[1])
  end)
end)

describe("energy and constraints hold", function()
  it("in a spatial chain of all kinds of joints, 20 s", function()
    holds(sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.rod { "a", from = { 0, 0, 0 }, to = { 1, 0, 0 }, mass = 1 },
      body.rod { "b", from = { 1, 0, 0 }, to = { 1, 1, 0 }, mass = 1 },
      body.rod { "c", from = { 1, 1, 0 }, to = { 1, 1, -1 }, mass = 1 },
      body.sphere { "d", position = { 1, 1, -1.2 }, radius = 0.2, mass = 2 },
      joint.universal { "A", "ground", "a", at = { 0, 0, 0 }, axes = { { 0, 0, 1 }, { 0, 1, 0 } } },
      joint.revolute { "B", "a", "b", at = { 1, 0, 0 }, axis = { 1, 0, 0 }, stiffness = 3 },
      joint.spherical { "C", "b", "c", at = { 1, 1, 0 } },
      joint.prismatic { "D", "c", "d", at = { 1, 1, -1 }, axis = { 0, 0, 1 }, stiffness = 300 },
      force.torsion { "t", "ground", "a", axis = { 0, 0, 1 }, stiffness = 2, rest = 0.1 },
    }, 20)
  end)
end)

describe("a mechanism", function()
  it("comes to rest on its stops", function()
    for i = 1, 40 do
      local low, restitution = -i / 40, i % 4 * 0.2
      for dimension = 2, 3 do
        local box = dimension == 2
          and sarrus.body.box { "a", position = { 0.4, 0.1 }, size = { 0.8, 0.1 }, mass = 3 }
          or sarrus.body.box { "a", position = { 0.4, 0.1, 0 }, size = { 0.8, 0.1, 0.4 }, mass = 3 }
        local sim = assert(sarrus.model {
          gravity = dimension == 2 and { 0, -9.81 } or { 0, -9.81, 0 }, box,
          sarrus.joint.revolute { "h", "ground", "a",
            at = dimension == 2 and { 0, 0 } or { 0, 0, 0 }, axis = { 0, 0, 1 },
            limits = { low, 1, restitution = restitution } },
        }:simulate {})
        assert(sim:advance(restitution == 0 and 20 or 1))
        if restitution == 0 then
          assert.near(low, sim:state():joint("h").angle, 1e-12)
        end
      end
    end
  end)

  it("goes on bit for bit from every step, singular positions passed", function()
    local model = mechanisms.four_bars(2, 2)
    local sim = assert(model:simulate {})
    while sim.time < 5 do
      local copy = assert(model:restore(sim:save()))
      sim:residual() -- asking changes nothing
      assert(sim:step())
      assert(copy:step())
      for i, x in ipairs(sim:state().q) do
        assert.are.equal(x, copy:state().q[i])
      end
    end
  end)

  it("goes on after a change that cannot be", function()
    local length = sarrus.parameter("length", 2)
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      sarrus.body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      sarrus.body.rod { "b", from = { 1, 0 }, to = { 2, 0.5 }, mass = 1 },
      sarrus.joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      sarrus.joint.revolute { "B", "a", "b", at = { 1, 0 } },
      sarrus.joint.distance { "rope", "ground", "b", from = { 0, 2 }, to = { 2, 0.5 },
        length = length + 0.5 },
    }
    local sim, undisturbed = assert(model:simulate {}), assert(model:simulate {})
    assert(sim:advance(0.1))
    assert(undisturbed:advance(0.1))
    for _, far in ipairs { 5, 4.5001, 100 } do
      assert.is_nil((sim:set("length", far)))
    end
    assert(sim:advance(1))
    assert(undisturbed:advance(1))
    for i, x in ipairs(undisturbed:state().q) do
      assert.near(x, sim:state().q[i], 1e-11)
    end
  end)
end)
