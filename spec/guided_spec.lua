-- What joints leave one freedom strikes something with friction: normal and friction impulse do the
-- same there, and what is lost is told by the slip before and after.
local sarrus = require "sarrus"
local near = dofile("spec/check.lua").near
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

--- A rod about the origin, turning without forces, whose tip strikes a line at (1, 0); r = 0.5.
local function pendulum(friction, restitution, mass, normal)
  return sarrus.model {
    body.rod { "rod", from = { 0, 0 }, to = { 0, 1 }, mass = mass or 1 },
    joint.revolute { "hinge", "ground", "rod", at = { 0, 0 } },
    shape.point { "tip", "rod", at = { 0, 1 } },
    shape.line { "wall", "ground", at = { 1, 0 }, normal = normal or { -0.5, 1 } },
    contact.pair { "hit", "wall", "tip", friction = friction, restitution = restitution },
  }
end

local function rate_after(...)
  local sim = assert(pendulum(...):simulate { joints = { hinge = { rate = -2 } } })
  assert(sim:advance(1))
  return sim:state():joint("hinge").rate
end

--- A slider in space above a plane, pressed on it by its weight where its path ends.
local function slider(friction)
  return sarrus.model {
    gravity = { 0, 0, -9.81 },
    body.sphere { "ball", position = { 0, 0, 1 }, radius = 0.2, mass = 2 },
    joint.prismatic { "guide", "ground", "ball", at = { 0, 0, 1 }, axis = { 0.6, 0, 0.8 } },
    shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
    contact.pair { "hit", "floor", "ball", friction = friction, restitution = 0.5 },
  }
end

describe("a contact of one freedom", function()
  it("slips with its approach, and back with its rebound", function()
    for k = 0, 10 do
      local mu = 0.25 * k
      local drag = 0.5 * mu
      near(2 * 0.7 * math.max(0, 1 - drag) / (1 + drag), rate_after(mu, 0.7), 1e-12)
    end
  end)

  it("does not depend on rounding", function()
    for _, mu in ipairs { 0.1, 0.8, 1.9, 2.1 } do
      local rate = rate_after(mu, 0.9)
      for k = -4, 4 do
        near(rate, rate_after(mu, 0.9, 1 + 1e-15 * k), 1e-13)
        near(rate, rate_after(mu, 0.9, 0.3, { -0.5 * (1 + 1e-15 * k), 1 }), 1e-12)
      end
    end
  end)

  it("has the derivatives of that", function()
    local mu, e = sarrus.parameter("mu", 0.6), sarrus.parameter("e", 0.7)
    local sim = assert(pendulum(mu, e):simulate { joints = { hinge = { rate = -2 } },
      sensitivity = { "mu", "e" } })
    assert(sim:advance(1))
    local s = sim:state()
    near(2 * 0.7 / 1.3, s:derivative("rod.spin", "e"), 1e-9)
    near(-2 * 0.7 * 2 * 0.5 / 1.3 ^ 2, s:derivative("rod.spin", "mu"), 1e-9)
  end)

  it("jams, or comes to rest, in space", function()
    for _, mu in ipairs { 0.2, 1, 1.5 } do
      local sim = assert(slider(mu):simulate())
      for t = 1, 5 do
        assert(sim:advance(t))
      end
      local s = sim:state()
      near(0.2, s:body("ball").position.z, 1e-12)
      assert.equal("stick", s:contact("hit").mode)
      near(2 * 9.81, s:contact("hit").normal_force, 1e-9)
    end
  end)
end)
