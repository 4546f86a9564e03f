-- Energy, constraints and momentum over long runs.
local sarrus = require "sarrus"
local body, joint, force, vec = sarrus.body, sarrus.joint, sarrus.force, sarrus.vec

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

local function four_bar(dimension)
  local function at(x, y)
    return dimension == 2 and { x, y } or { x, y, 0 }
  end
  local function pin(name, a, b, place)
    return joint.revolute { name, a, b, at = place, axis = dimension == 3 and { 0, 0, 1 } or nil }
  end
  return sarrus.model {
    gravity = at(0, -9.81),
    body.rod { "crank", from = at(0, 0), to = at(0, 1), mass = 1 },
    body.rod { "coupler", from = at(0, 1), to = at(2, 2), mass = 1 },
    body.rod { "rocker", from = at(3, 0), to = at(2, 2), mass = 1 },
    pin("A", "ground", "crank", at(0, 0)), pin("B", "crank", "coupler", at(0, 1)),
    pin("C", "coupler", "rocker", at(2, 2)), pin("D", "rocker", "ground", at(3, 0)),
  }
end

describe("energy and constraints hold", function()
  it("in a planar four-bar, 100 s", function()
    holds(four_bar(2), 100)
  end)

  it("in a four-bar of spatial hinges, 1000 s, with its redundancy named", function()
    local model = four_bar(3)
    assert.equal(1, model:freedoms())
    local warning = assert(model:simulate {}):warnings()[1]
    for _, word in ipairs {
      '"A"', '"D"', "motion along z", "rotation about x", "rotation about y",
    } do
      assert.truthy(warning.message:find(word, 1, true), word)
    end
    local j = assert(model:simulate {}):state():joint("B")
    assert.is_false(j.unique)
    assert.same({ true, true, false }, j.unique_force)
    assert.same({ false, false, true }, j.unique_torque)
    holds(model, 1000)
  end)

  it("in a fast top, 20 s", function()
    local axis = { math.sin(0.5), 0, math.cos(0.5) }
    local drift = measure(sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.disk { "top", position = { 0.1 * axis[1], 0, 0.1 * axis[3] }, radius = 0.05,
        length = 0.01, axis = axis, mass = 0.5, spin = { 150 * axis[1], 0, 150 * axis[3] } },
      joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
    }, 20)
    assert.is_true(drift < 1e-11, ("energy drifts by %.1e"):format(drift))
  end)

  it("in a rolling disk, 100 s", function()
    holds(sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.disk { "coin", position = { 0, 0, 0.5 * math.cos(0.3) }, radius = 0.5, mass = 1,
        axis = { 0, math.cos(0.3), -math.sin(0.3) }, spin = { 0, 5, 0.5 } },
      joint.rolling { "table", "ground", "coin", radius = 0.5, normal = { 0, 0, 1 } },
    }, 100)
  end)

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

describe("momentum holds", function()
  it("of two bodies on a spring and a hinge", function()
    local model = sarrus.model {
      body.rod { "a", from = { 0, 0, 0 }, to = { 1, 0, 0 }, mass = 1, spin = { 0.3, 0.5, 1 },
        velocity = { 0.1, 0, 0 } },
      body.box { "b", position = { 1.2, 0.3, 0 }, size = { 0.4, 0.6, 0.2 }, mass = 2 },
      joint.revolute { "J", "a", "b", at = { 1, 0, 0 }, axis = { 0, 1, 1 }, stiffness = 4 },
    }
    local sim = assert(model:simulate {})
    local function momentum(s)
      local total = vec { 0, 0, 0 }
      for _, record in ipairs(model.bodies) do
        total = total + s:velocity(record.name) * record.mass
      end
      return total
    end
    local before = momentum(sim:state())
    assert(sim:advance(20))
    assert.is_true(vec.norm(momentum(sim:state()) - before) < 1e-13)
  end)
end)
