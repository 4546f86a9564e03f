-- Inverse kinematics, and what states tell about rates of joints.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local function arm(limits)
  return sarrus.model { name = "arm",
    body.rod { "upper", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
    body.rod { "lower", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
    joint.revolute { "shoulder", "ground", "upper", at = { 0, 0 }, limits = limits },
    joint.revolute { "elbow", "upper", "lower", at = { 1, 0 }, limits = { 0, 3 } },
  }
end

local function near(x, y, tolerance)
  assert.is_true(math.abs(x - y) <= (tolerance or 1e-12), ("%.17g is not %.17g"):format(x, y))
end

local BEYOND = 'model "arm": reach: out of reach: the nearest that was found from 101 starts: '

describe("reach", function()
  it("brings a point to a place, within limits", function()
    local s, report = assert(arm():reach {
      targets = { { "lower", point = { 0.5, 0 }, position = { 1, 1 } } },
    })
    near(s:point("lower", { 0.5, 0 }).x, 1)
    near(s:point("lower", { 0.5, 0 }).y, 1)
    near(s:joint("elbow").angle, math.pi / 2)
    near(report.joints.shoulder.angle, 0)
    near(s:body("lower").velocity.x, 0)
    assert.are.equal(1, report.attempts)
    assert.are.same({}, report.limits)
    assert.is_true(report.off < 1e-12 and report.turned == 0)
  end)

  it("gives a state at rest, with the forces there", function()
    local model = sarrus.model { name = "pendulum", gravity = { 0, -10 },
      body.rod { "rod", from = { 0, 0 }, to = { 0, -2 }, mass = 3 },
      joint.revolute { "hinge", "ground", "rod", at = { 0, 0 } },
    }
    local s = assert(model:reach { targets = { { "rod", orientation = -math.pi / 2 } } })
    near(s:joint("hinge").force.y, 30)
    near(s.a[3], 0, 1e-9)
    near(assert(s:efforts {}).hinge, 0, 1e-9)
  end)

  it("says by how much a target is out of reach, and which joint is at its limit", function()
    local s, message, code, nearest, report = arm():reach {
      targets = { { "lower", point = { 0.5, 0 }, position = { 0, 3 } } },
    }
    assert.is_nil(s)
    assert.are.equal(BEYOND
      .. '"lower" stays 1 m away', (message:gsub("; joint.*", "")))
    assert.are.equal("INCONSISTENT", code)
    near(nearest:point("lower", { 0.5, 0 }).y, 2, 1e-5)
    near(report.off, 1, 1e-5)
    message = select(2, arm { -0.5, 0.5 }:reach {
      targets = { { "upper", orientation = 1 } },
    })
    assert.are.equal(BEYOND .. '"upper" stays turned by 0.5 rad; joint.revolute "shoulder" is at '
      .. "its upper limit", message)
  end)

  it("names motions that lead", function()
    local model = sarrus.model { name = "crank",
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "motor", "ground", "rod", at = { 0, 0 }, motion = sarrus.time },
    }
    local _, message = model:reach { targets = { { "rod", orientation = 1 } } }
    assert.are.equal('model "crank": reach: out of reach: the nearest that was found from 101 '
      .. 'starts: "rod" stays turned by 1 rad; joint.revolute "motor" is led by its motion',
      message)
    assert.is_truthy(model:reach { targets = { { "rod", orientation = 1 } }, t = 1 })
  end)

  it("turns a hand in space by half a turn", function()
    local parts, before = { name = "wrist" }, "ground"
    for i, axis in ipairs { { 0, 0, 1 }, { 0, 1, 0 }, { 1, 0, 0 } } do
      parts[#parts + 1] = body.rigid { "link" .. i, position = { 0, 0, 0 }, mass = 1,
        inertia = { 1, 1, 1 } }
      parts[#parts + 1] = joint.revolute { "J" .. i, before, "link" .. i, at = { 0, 0, 0 },
        axis = axis }
      before = "link" .. i
    end
    local model = sarrus.model(parts)
    for _, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } do
      local s = assert(model:reach {
        targets = { { "link3", orientation = { axis = axis, angle = math.pi } } },
      })
      local p = s:body("link3").orientation
      near(math.abs(p[2] * axis[1] + p[3] * axis[2] + p[4] * axis[3]), 1)
    end
  end)

  it("goes on from a state, and closes loops", function()
    local B, C = { 0, 1 }, { 2, 2 }
    local model = sarrus.model { name = "four-bar",
      body.rod { "crank", from = { 0, 0 }, to = B, mass = 1 },
      body.rod { "coupler", from = B, to = C, mass = 1 },
      body.rod { "rocker", from = { 3, 0 }, to = C, mass = 1 },
      joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
      joint.revolute { "B", "crank", "coupler", at = B },
      joint.revolute { "C", "coupler", "rocker", at = C },
      joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
    }
    local s
    for i = 1, 20 do
      s = assert(model:reach { at = s, targets = { { "crank", orientation = 1.5 + 0.3 * i } } })
      assert.is_true(s:residual().position < 1e-14)
      near(s:joint("A").angle, 1.5 + 0.3 * i - math.pi / 2)
    end
  end)

  it("refuses what is no target", function()
    local model = arm()
    local function raises(given, message)
      local good, raised = pcall(model.reach, model, given)
      assert.is_false(good)
      assert.are.equal(message, (raised:gsub("^[^:]*:%d+: ", "")))
    end
    raises({ targets = {} }, 'model "arm": reach: targets: there are none')
    raises({ targets = { { "lowr", position = { 1, 1 } } } },
      [[model "arm": reach: targets[1]: unknown body "lowr" (did you mean 'lower'?)]])
    raises({ targets = { { "lower" } } },
      'model "arm": reach: targets[1]: neither position nor orientation is given')
    raises({ targets = { { "lower", point = { 1, 0 }, orientation = 1 } } },
      'model "arm": reach: targets[1]: a point needs a position')
    raises({ targets = { { "lower", position = { 1, 1 } } }, at = 3 },
      'model "arm": reach: at: got number 3, want a state of this model')
  end)
end)

describe("jacobian and mass_matrix", function()
  local s = assert(arm():simulate {
    joints = { shoulder = { angle = 0.3 }, elbow = { angle = 0.5 } },
  }):state()

  it("are those of the closed forms", function()
    local rows, names = assert(s:jacobian("lower", { 0.5, 0 }))
    assert.are.same({ "shoulder", "elbow" }, names)
    near(rows[1][1], -math.sin(0.3) - math.sin(0.8))
    near(rows[2][2], math.cos(0.8))
    near(rows[3][1], 1)
    near(rows[3][2], 1)
    local mass = assert(s:mass_matrix())
    near(mass[1][1], 2 / 3 + 1 + 1 / 3 + math.cos(0.5))
    near(mass[1][2], 1 / 3 + math.cos(0.5) / 2)
    near(mass[2][1], mass[1][2])
    near(mass[2][2], 1 / 3)
  end)

  it("have the columns that are asked for", function()
    local rows, names = assert(s:jacobian("lower", { "elbow" }))
    assert.are.same({ "elbow" }, names)
    assert.are.equal(1, #rows[1])
    near(rows[1][1], -0.5 * math.sin(0.8))
    near(assert(s:mass_matrix { "elbow" })[1][1], 1 / 3)
  end)

  it("refuse joints that do not lead", function()
    local function raises(message, f, ...)
      local good, raised = pcall(f, ...)
      assert.is_false(good)
      assert.are.equal(message, (raised:gsub("^[^:]*:%d+: ", "")))
    end
    raises('jacobian: "wrist" is no joint with a coordinate', s.jacobian, s, "lower", { "wrist" })
    raises('mass_matrix: "elbow" is named twice', s.mass_matrix, s, { "elbow", "elbow" })
    raises('jacobian: unknown body "hand"; there are upper, lower', s.jacobian, s, "hand")
    local slider = sarrus.model { name = "two hinges",
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "one", "ground", "rod", at = { 0, 0 } },
      joint.revolute { "other", "ground", "rod", at = { 0, 0 } },
    }
    local found, message, code = assert(slider:simulate {}):state():mass_matrix { "one", "other" }
    assert.is_nil(found)
    assert.are.equal('model "two hinges": mass_matrix: "other" depends on the other joints named, '
      .. "and has no rate of its own here", message)
    assert.are.equal("SINGULAR", code)
  end)
end)
