-- Joints that follow others, and what turns along with a joint's coordinate alone.
local check = dofile("spec/check.lua")
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local near = check.near

--- An arm about y, and a slide on it.
local function parts(extra)
  return {
    gravity = { 0, 0, -9.81 },
    body.rigid { "arm", position = { 0.5, 0, 0 }, mass = 2, inertia = { 0.1, 0.2, 0.2 } },
    body.rigid { "slide", position = { 1, 0, 0 }, mass = 1, inertia = { 0.1, 0.1, 0.1 } },
    joint.revolute { "J", "ground", "arm", at = { 0, 0, 0 }, axis = { 0, 1, 0 } },
    joint.prismatic { "P", "arm", "slide", at = { 1, 0, 0 }, axis = { 1, 0, 0 } },
    extra,
  }
end

describe("coupled joints", function()
  it("hold a polynomial, and lose no energy", function()
    local model = sarrus.model(parts(joint.coupled { "C", "J", "P",
      coefficients = { 0.1, 0.2, -0.05, 0.01 } }))
    assert.equal(1, model:freedoms())
    local sim = assert(model:simulate { joints = { J = { angle = 0.3, rate = 1 } } })
    local before = sim:state():energy().total
    for t = 0, 2, 0.5 do
      assert(sim:advance(t))
      local s = sim:state()
      local x, rate = s:joint("J").angle, s:joint("J").rate
      near(0.1 + 0.2 * x - 0.05 * x ^ 2 + 0.01 * x ^ 3, s:joint("P").length, 1e-13)
      near((0.2 - 0.1 * x + 0.03 * x ^ 2) * rate, s:joint("P").speed, 1e-12)
      near(before, s:energy().total, 1e-12)
    end
  end)

  it("need no common body, and may hold one coordinate", function()
    local model = sarrus.model(parts(joint.coupled { "C", "J", "P", coefficients = { 0.25 } }))
    local sim = assert(model:simulate {})
    assert(sim:advance(1))
    near(0.25, sim:state():joint("P").length)
  end)

  it("need coordinates and coefficients", function()
    local function refused(given)
      return check.misuse(sarrus.model, parts(joint.coupled(given)))
    end
    assert.equal('joint.coupled "C": coefficients: the list is empty',
      refused { "C", "J", "P", coefficients = {} })
    assert.equal("joint.coupled \"C\": missing field 'coefficients'", refused { "C", "J", "P" })
    local list = parts(joint.fixed { "F", "ground", "arm", at = { 0, 0, 0 } })
    list[#list + 1] = joint.coupled { "C", "F", "P", coefficients = { 0, 1 } }
    assert.equal('joint.coupled "C": joint 1, "F", has no coordinate',
      check.misuse(sarrus.model, list))
  end)
end)

describe("the inertia of a joint", function()
  local ARM, ROTOR = 2 * 0.25 + 0.2, 0.6

  --- The acceleration of an arm that falls, and what its joint exerts along its axis.
  local function falls(dimension, inertia)
    local spatial = dimension == 3
    local model = sarrus.model {
      gravity = spatial and { 0, 0, -9.81 } or { 0, -9.81 },
      body.rigid { "arm", position = { 0.5, 0, spatial and 0 or nil }, mass = 2,
        inertia = spatial and { 0.1, 0.2, 0.2 } or 0.2 },
      joint.revolute { "J", "ground", "arm", at = { 0, 0, spatial and 0 or nil },
        axis = spatial and { 0, -1, 0 } or nil, inertia = inertia },
    }
    local sim = assert(model:simulate {})
    local s = sim:state()
    local torque = s:joint("J").torque
    assert(sim:advance(1))
    near(0, sim:state():energy().total, 1e-13)
    local effort = sim:state():efforts { J = 3 }.J
    local x = sim:state():joint("J").angle
    near((ARM + inertia) * 3 + 9.81 * math.cos(x), effort, 1e-11)
    return spatial and -torque.y or torque
  end

  it("adds to what turns, and takes its share of the torque", function()
    local acceleration = -9.81 / (ARM + ROTOR)
    near(-ROTOR * acceleration, falls(3, ROTOR), 1e-12)
    near(-ROTOR * acceleration, falls(2, ROTOR), 1e-12)
  end)

  it("acts between two bodies, and on what slides", function()
    -- two free disks, joined by a hinge with a rotor and a torque: opposite spins
    local model = sarrus.model {
      body.rigid { "a", position = { 0, 0 }, mass = 1, inertia = 0.5 },
      body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 0.25 },
      joint.revolute { "J", "a", "b", at = { 0, 0 }, inertia = 2, torque = 3 },
    }
    local sim = assert(model:simulate {})
    assert(sim:advance(1))
    -- relative: 1/(1/0.5 + 1/0.25) + 2 = 13/6
    near(3 / (13 / 6), sim:state():joint("J").rate, 1e-13)
    near(0, 0.5 * sim:state():body("a").spin + 0.25 * sim:state():body("b").spin, 1e-14)
    model = sarrus.model {
      body.rigid { "a", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
      joint.prismatic { "P", "ground", "a", at = { 0, 0, 0 }, axis = { 0, 0, 1 }, inertia = 4,
        force = 10 },
    }
    sim = assert(model:simulate {})
    assert(sim:advance(1))
    near(2, sim:state():joint("P").speed, 1e-14)
    near(2, sim:state():joint("P").force.z, 1e-13) -- 10, less 4 times the acceleration
  end)

  it("must not be negative", function()
    assert.equal('joint.revolute "J": inertia = -1; must be 0 or positive',
      check.misuse(falls, 3, -1))
  end)
end)
