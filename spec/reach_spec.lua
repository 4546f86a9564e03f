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
    local model = arm()
    local s, report = assert(model:reach {
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
    local again = select(2, assert(model:reach { at = s, targets = {
      { "lower", point = { 0.5, 0 }, position = { 1, 1 } } } }))
    assert.are.same({ 1, 1 }, { again.attempts, again.iterations }) -- it is there
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

  it("says by what angle a body in space stays turned", function()
    for _, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 2 / 7, 3 / 7, 6 / 7 } } do
      for sign = -1, 1, 2 do
        local _, message, code, nearest, report = sarrus.model { name = "knob",
          body.rigid { "knob", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
          joint.revolute { "hinge", "ground", "knob", at = { 0, 0, 0 }, axis = axis,
            limits = { -0.5, 0.25 } },
        }:reach { targets = { { "knob", orientation = { axis = axis, angle = sign * 2 } } } }
        local stays = sign < 0 and 1.5 or 1.75
        assert.are.equal(('model "knob": reach: out of reach: the nearest that was found from 101 '
          .. 'starts: "knob" stays turned by %g rad; joint.revolute "hinge" is at its %s limit')
          :format(stays, sign < 0 and "lower" or "upper"), message)
        assert.are.equal("INCONSISTENT", code)
        near(report.turned, stays, 1e-9)
        local angle = nearest:joint("hinge").angle -- within limits: else there were no forces
        assert.is_true(angle >= -0.5 - 1e-15 and angle <= 0.25 + 1e-15)
        assert.are.same({ "hinge" }, report.limits)
      end
    end
  end)

  it("counts whole turns for none, and says what stays of each target", function()
    local function off(more)
      local targets = { { "upper", orientation = 1 } }
      targets[2] = more
      return select(2, arm { -0.5, 0.5 }:reach { targets = targets, joints = {
        shoulder = { angle = 0.1 } } })
    end
    assert.are.equal(BEYOND .. '"upper" stays turned by 0.5 rad; joint.revolute "shoulder" is at '
      .. "its upper limit", (off()))
    for _, turns in ipairs { -3, -1, 1, 2 } do
      local angle = 0.3 + 2 * math.pi * turns
      local s = assert(arm():reach { targets = { { "upper", orientation = angle } } })
      near(s:body("upper").angle, 0.3)
    end
    local s, report = assert(arm():reach { joints = { shoulder = { angle = 13 } },
      targets = { { "upper", orientation = 0.3 } } })
    near(s:body("upper").angle, 0.3 + 4 * math.pi)
    near(report.turned, 0)
    local fixed = sarrus.model { name = "fixed",
      body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
      joint.fixed { "weld", "ground", "rod", at = { 0, 0 } },
    }
    local _, message, _, _, told = fixed:reach { targets = {
      { "rod", position = { 4, 4 }, orientation = 0.5 }, { "rod", position = { 1, 1 } } } }
    assert.are.equal('model "fixed": reach: out of reach: the nearest that was found from 101 '
      .. 'starts: "rod" stays 5 m away and turned by 0.5 rad, "rod" stays 1 m away', message)
    near(told.off, 5)
    near(told.turned, 0.5)
  end)

  it("weighs angles as lengths over the size where both cannot be had", function()
    local pointer = sarrus.model { name = "pointer",
      body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
      joint.revolute { "hinge", "ground", "rod", at = { 0, 0 } },
    }
    for _, wish in ipairs { 0.4, -1 } do
      local _, _, code, nearest = pointer:reach {
        targets = { { "rod", position = { 1, 0 }, orientation = wish } } }
      assert.are.equal("INCONSISTENT", code)
      local angle = nearest:body("rod").angle
      near(math.sin(angle) / 2 ^ 2 + angle - wish, 0, 1e-6) -- least (2 - 2 cos a) / 4 + (a - w)^2
      near(nearest:body("rod").velocity.y, 0)
      near(nearest:body("rod").spin, 0)
    end
  end)

  it("names what is missed by more than 1e-9 of the size", function()
    local fixed = sarrus.model { name = "fixed",
      body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
      joint.fixed { "weld", "ground", "rod", at = { 0, 0 } },
    }
    local function stays(x, angle)
      local _, message = fixed:reach { targets = { { "rod", position = { 1 + x, 0 },
        orientation = angle }, { "rod", position = { 1, 3 } } } }
      return (message:gsub("^.*101 starts: ", ""):gsub('"rod" stays 3 m away$', ""))
    end
    assert.are.equal("", stays(1e-9, 6e-10))
    assert.are.equal('"rod" stays 4e-09 m away, ', stays(4e-9, 0))
    assert.are.equal('"rod" stays turned by 3e-09 rad, ', stays(0, 3e-9))
    assert.are.equal('"rod" stays 4e-09 m away and turned by 3e-09 rad, ', stays(-4e-9, -3e-9))
  end)

  it("says that loops do not close from any start", function()
    local apart = sarrus.model { name = "apart",
      body.rod { "a", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
      body.rod { "b", from = { 0, 1 }, to = { 1, 1 }, mass = 1 },
      joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      joint.revolute { "B", "a", "b", at = { 0, 1 } },
      joint.revolute { "C", "ground", "b", at = { a = { 9, 1 }, b = { 1, 1 } } },
    }
    local s, message, code = apart:reach { targets = { { "a", orientation = 1 } } }
    assert.is_nil(s)
    assert.are.equal("INCONSISTENT", code)
    assert.are.equal('model "apart": reach: the loops do not close from any start', message)
  end)

  it("has a problem of its own for each kind of targets", function()
    local model = arm()
    local function angles(...)
      local report = select(2, assert(model:reach { targets = { ... } }))
      return report.joints.shoulder.angle, report.joints.elbow.angle
    end
    local one, two = angles({ "lower", orientation = 1 }, { "upper", orientation = 0.25 })
    near(one, 0.25)
    near(two, 0.75)
    one, two = angles({ "upper", orientation = 0.5 }, { "lower", orientation = 1 })
    near(one, 0.5)
    near(two, 0.5)
    one = angles { "upper", orientation = 0.125 }
    near(one, 0.125)
    one = angles { "upper", position = { 0, 0.5 } }
    near(one, math.pi / 2)
    one = angles { "upper", point = { 0.5, 0 }, position = { 0.6, 0.8 } }
    near(one, math.atan(0.8 / 0.6))
  end)

  it("begins where a state is, not where the drawing is", function()
    local model = arm()
    for _, bent in ipairs { 0.5, 2.5 } do
      local s = assert(model:simulate { joints = { shoulder = { angle = bent },
        elbow = { angle = 1 } } }):state()
      local q = { s.q[1], s.q[2], s.q[3], s.q[4], s.q[5], s.q[6] }
      local found, report = assert(model:reach { at = s, targets = {
        { "lower", point = { 0.5, 0 }, position = s:point("lower", { 0.5, 0 }) } } })
      near(report.joints.shoulder.angle, bent, 1e-9)
      near(report.joints.elbow.angle, 1, 1e-9)
      for i = 1, 6 do
        assert.are.equal(q[i], s.q[i]) -- the state is left as it was
        near(found.q[i], q[i], 1e-9)
      end
    end
  end)

  it("names up to six motions that lead, and counts more", function()
    local function led(count)
      local parts, before = { name = "chain" }, "ground"
      for i = 1, count do
        local name = "link" .. i
        parts[#parts + 1] = body.rod { name, from = { i - 1, 0 }, to = { i, 0 }, mass = 1 }
        parts[#parts + 1] = joint.revolute { "J" .. i, before, name, at = { i - 1, 0 },
          motion = 0 * sarrus.time }
        before = name
      end
      local _, message = sarrus.model(parts):reach { targets = { { "link1", orientation = 1 } } }
      return (message:gsub("^.*turned by 1 rad; ", ""))
    end
    local words = {}
    for i = 1, 6 do
      words[i] = ('joint.revolute "J%d" is led by its motion'):format(i)
    end
    assert.are.equal(table.concat(words, ", "), led(6))
    assert.are.equal(words[1] .. ", and so are 6 more", led(7))
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
    assert.are.equal(3, #rows)
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

  it("go by other joints where those that were taken before do not lead", function()
    local far = math.cos(1.2) + math.sqrt(1.5 ^ 2 - math.sin(1.2) ^ 2)
    local tip = { math.cos(1.2), math.sin(1.2) }
    local model = sarrus.model { name = "slider crank",
      body.rod { "crank", from = { 0, 0 }, to = tip, mass = 1 },
      body.rod { "rod", from = tip, to = { far, 0 }, mass = 1 },
      body.rigid { "block", position = { far, 0 }, mass = 1, inertia = 1 },
      joint.prismatic { "S", "ground", "block", at = { far, 0 }, axis = { 1, 0 } },
      joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
      joint.revolute { "B", "crank", "rod", at = tip },
      joint.revolute { "C", "rod", "block", at = { far, 0 } },
    }
    local rows, names = assert(assert(model:simulate {}):state():jacobian("block"))
    assert.are.same({ "S" }, names)
    near(rows[1][1], 1)
    local dead = assert(model:simulate { joints = { A = { angle = -1.2 } } }):state()
    rows, names = assert(dead:jacobian("block"))
    assert.are.same({ "A" }, names)
    near(rows[1][1], 0)
    near(assert(dead:mass_matrix())[1][1], 2 / 3) -- two rods about ends that rest
  end)

  it("have the spin below the velocity in space", function()
    local state = assert(sarrus.model { name = "crane",
      body.rigid { "mast", position = { 0, 0, 1 }, mass = 2, inertia = { 1, 2, 3 } },
      body.rigid { "arm", position = { 3, 0, 1 }, mass = 5, inertia = { 2, 3, 4 } },
      joint.revolute { "turn", "ground", "mast", at = { 0, 0, 0 }, axis = { 0, 0, 1 } },
      joint.prismatic { "slide", "mast", "arm", at = { 3, 0, 1 }, axis = { 1, 0, 0 } },
    }:simulate { joints = { turn = { angle = 0.3 }, slide = { length = 0.5 } } }):state()
    local rows, names = assert(state:jacobian("arm", { 1, 0, 0 }))
    assert.are.same({ "turn", "slide" }, names)
    local c, d = math.cos(0.3), math.sin(0.3)
    local expected = { { -4.5 * d, c }, { 4.5 * c, d }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 1, 0 } }
    assert.are.equal(6, #rows)
    for i, row in ipairs(expected) do
      near(rows[i][1], row[1])
      near(rows[i][2], row[2])
    end
    local mass = assert(state:mass_matrix())
    near(mass[1][1], 3 + 4 + 5 * 3.5 ^ 2)
    near(mass[2][2], 5)
    near(mass[1][2], 0)
    near(mass[2][1], 0)
    local efforts = assert(state:efforts { turn = 2, slide = -3 })
    near(efforts.turn, 2 * mass[1][1])
    near(efforts.slide, -15)
    efforts = assert(state:efforts { slide = 1 })
    near(efforts.turn, 0)
    near(efforts.slide, 5)
  end)

  it("leave out joints that depend on others, those first that are not named", function()
    local loop = sarrus.model { name = "loop",
      body.rod { "a", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
      body.rod { "b", from = { 0, 1 }, to = { 2, 1 }, mass = 1 },
      body.rod { "c", from = { 2, 0 }, to = { 2, 1 }, mass = 1 },
      joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      joint.revolute { "B", "a", "b", at = { 0, 1 } },
      joint.revolute { "C", "b", "c", at = { 2, 1 } },
      joint.revolute { "D", "ground", "c", at = { 2, 0 } },
    }
    local state = assert(loop:simulate { joints = { A = { angle = 0.2 } } }):state()
    assert.are.same({ "A" }, (select(2, assert(state:jacobian("b")))))
    -- the coupler of a parallelogram moves without turning, as the ends of both cranks do
    for name, sign in pairs { A = 1, D = 1, B = -1 } do
      local rows = assert(state:jacobian("b", { name }))
      near(rows[1][1], -sign * math.cos(0.2))
      near(rows[2][1], -sign * math.sin(0.2))
      near(rows[3][1], 0)
      near(assert(state:mass_matrix { name })[1][1], 1 + 2 / 3)
      near(assert(state:efforts { [name] = 2 })[name], 2 * (1 + 2 / 3))
    end
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
