--- Equilibria, linear models and modes: published digits, closed forms, and what is refused.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

--- The model of an example, which prints nothing here.
local function example(name)
  local plain = print
  rawset(_G, "print", function() end)
  local good, model = pcall(dofile, "examples/" .. name .. ".lua")
  rawset(_G, "print", plain)
  return assert(good and model, model)
end

local function pendulum(given)
  given = given or {}
  return sarrus.model {
    name = "pendulum", gravity = { 0, -9.81 },
    body.rod { "rod", from = { 0, 0 }, to = given.to or { 1, 0 }, mass = 2 },
    joint.revolute { "J", "ground", "rod", at = { 0, 0 }, torque = sarrus.parameter("tau", 0),
      damping = given.damping, friction = given.friction, limits = given.limits,
      motion = given.motion },
  }
end

describe("the bicycle of Meijaard et al. (2007)", function()
  local bicycle = example "bicycle".system.model

  local function ahead(v)
    return { bodies = { frame = { velocity = { v, 0, 0 } } },
      joints = { rear_hub = { rate = v / 0.3 }, front_hub = { rate = v / 0.35 } } }
  end

  --- Eigenvalues that are not 0, of lean and steer.
  local function eigenvalues(v)
    local list = {}
    for _, value in ipairs(assert(bicycle:linearise { at = ahead(v) }).eigenvalues) do
      if value.re ~= 0 or value.im ~= 0 then
        list[#list + 1] = value
      end
    end
    return list
  end

  local function largest(v, oscillates)
    local most = -math.huge
    for _, value in ipairs(eigenvalues(v)) do
      most = (value.im ~= 0) == oscillates and math.max(most, value.re) or most
    end
    return most
  end

  --- Where the largest real part of a kind changes its sign.
  local function passes_zero(oscillates, low, high)
    local sign = largest(low, oscillates) < 0
    for _ = 1, 40 do
      local middle = (low + high) / 2
      if (largest(middle, oscillates) < 0) == sign then
        low = middle
      else
        high = middle
      end
    end
    return low
  end

  it("has its eigenvalues at 5 m/s", function()
    local list = eigenvalues(5)
    assert.equal(4, #list)
    for i, want in ipairs { { -0.322866429, 0 }, { -0.775341882, 4.464867714 },
      { -0.775341882, -4.464867714 }, { -14.078389693, 0 } } do
      check.near(want[1], list[i].re, 1e-9)
      check.near(want[2], list[i].im, 1e-9)
    end
  end)

  it("weaves and capsizes at its speeds", function()
    check.near(4.292382536, passes_zero(true, 4, 5), 1e-9)
    check.near(6.024262015, passes_zero(false, 5, 7), 1e-9)
  end)

  it("falls at rest as it should", function()
    local s, report = bicycle:equilibrium {}
    assert(s, report)
    assert.is_false(report.stable)
    assert.equal(1, report.neutral)
    check.near(5.530943717, report.eigenvalues[1].re, 1e-9)
    check.near(3.131643247, report.eigenvalues[2].re, 1e-9)
  end)

  it("has seven coordinates and three rates", function()
    local linear = assert(bicycle:linearise { at = ahead(5) })
    assert.same({ "steer.angle", "rear_hub.angle", "front_hub.angle", "frame.position.x",
      "frame.position.y", "frame.rotation.x", "frame.rotation.z", "steer.rate", "rear_hub.rate",
      "frame.spin.x" }, linear.states)
    assert.is_true(linear.steady)
  end)
end)

describe("equilibrium", function()
  it("hangs a chain of 100 rods between two nails as a catenary", function()
    local n, span, weight = 100, 0.6, 9.81 / 100
    -- Rod i pulls with (H, V_i): tan of its angle is (i - (n + 1) / 2) weight / H; H by the span.
    local function reach(h)
      local x, y, sags = 0, 0, {}
      for i = 1, n do
        local angle = math.atan((i - (n + 1) / 2) * weight / h)
        sags[i] = { x + math.cos(angle) / n / 2, y + math.sin(angle) / n / 2, angle }
        x, y = x + math.cos(angle) / n, y + math.sin(angle) / n
      end
      return x, sags
    end
    local low, high = 1e-3, 100
    for _ = 1, 100 do
      local middle = (low + high) / 2
      if reach(middle) < span then low = middle else high = middle end
    end
    local _, wanted = reach(low)
    local parts, x, y = { gravity = { 0, -9.81 } }, 0, 0
    for i = 1, n do
      local dx, dy = span / n, (i <= n / 2 and -1 or 1) * math.sqrt(1 - span ^ 2) / n
      parts[#parts + 1] = body.rod { "r" .. i, from = { x, y }, to = { x + dx, y + dy },
        mass = 1 / n }
      parts[#parts + 1] = joint.revolute { "j" .. i, i == 1 and "ground" or "r" .. i - 1, "r" .. i,
        at = { x, y } }
      x, y = x + dx, y + dy
    end
    parts[#parts + 1] = joint.revolute { "end", "ground", "r" .. n, at = { x, y } }
    local s, report = sarrus.model(parts):equilibrium()
    assert(s, report)
    assert.is_true(report.stable)
    assert.is_true(report.residual < 1e-12, report.residual)
    for i, want in ipairs(wanted) do
      local at = s:body("r" .. i)
      check.near(want[1], at.x, 1e-10)
      check.near(want[2], at.y, 1e-10)
      check.near(want[3], at.angle, 1e-10)
    end
  end)

  it("tells what moved, and leaves an upright pendulum where it is", function()
    local s, report = pendulum():equilibrium()
    check.near(-math.pi / 2, s:joint("J").angle, 1e-15)
    assert.is_true(report.stable)
    assert.equal("rod", report.most)
    check.near(math.sqrt(0.5), report.moved, 1e-14)
    check.near(math.sqrt(1.5 * 9.81), report.eigenvalues[1].im, 1e-13)
    local up, standing = pendulum { to = { 0, 1 } }:equilibrium()
    assert.equal(0, up:joint("J").angle)
    assert.is_false(standing.stable)
    assert.equal(0, standing.moved)
    check.near(math.sqrt(1.5 * 9.81), standing.eigenvalues[1].re, 1e-13)
  end)

  it("takes a start, with parameters, and a state", function()
    local model = pendulum()
    local s = assert(model:equilibrium { joints = { J = { angle = -1 } },
      parameters = { tau = 9.81 * math.sin(0.5) } })
    check.near(-math.pi / 2 + 0.5, s:joint("J").angle, 1e-13)
    local again, report = model:equilibrium(s)
    assert.is_true(again and report.moved < 1e-15)
  end)

  it("has nothing to do where nothing can move", function()
    local s, report = sarrus.model {
      gravity = { 0, -9.81 }, body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
      joint.fixed { "J", "ground", "rod", at = { 0, 0 } },
    }:equilibrium()
    assert(s, report)
    assert.is_true(report.stable)
    assert.same({}, report.eigenvalues)
  end)

  it("counts the directions in which it may stay elsewhere", function()
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.box { "cart", position = { 0, 0 }, size = { 1, 0.2 }, mass = 3 },
      body.rod { "pole", from = { 0, 0 }, to = { 0, -1 }, mass = 1 },
      joint.prismatic { "rail", "ground", "cart", at = { 0, 0 }, axis = { 1, 0 } },
      joint.revolute { "hinge", "cart", "pole", at = { 0, 0 }, damping = 0.3 },
    }
    local s, report = model:equilibrium { joints = { hinge = { angle = 0.4 } } }
    assert(s, report)
    assert.equal(1, report.neutral)
    assert.is_true(report.stable)
    assert.same({ 0, 0 }, { report.eigenvalues[1].re, report.eigenvalues[2].re })
  end)

  it("finds where a follower load begins to make a double pendulum flutter (Ziegler)", function()
    local model = sarrus.model {
      body.point { "knee", position = { 1, 0 }, mass = 2 },
      body.rod { "upper", from = { 0, 0 }, to = { 1, 0 }, mass = 0 },
      body.rod { "lower", from = { 1, 0 }, to = { 2, 0 }, mass = 0 },
      body.point { "foot", position = { 2, 0 }, mass = 1 },
      joint.revolute { "hip", "ground", "upper", at = { 0, 0 }, stiffness = 1 },
      joint.revolute { "bend", "upper", "lower", at = { 1, 0 }, stiffness = 1 },
      joint.revolute { "a", "upper", "knee", at = { 1, 0 } },
      joint.revolute { "b", "lower", "foot", at = { 2, 0 } },
      force.applied { "load", "lower", at = { 2, 0 }, force = { -sarrus.parameter("P", 1), 0 },
        frame = "body" },
    }
    local critical = 3.5 - math.sqrt(2)
    for factor, stable in pairs { [1 - 1e-6] = true, [1 + 1e-6] = false } do
      local s, report = model:equilibrium { parameters = { P = factor * critical } }
      assert(s, report)
      assert.equal(stable, report.stable, factor)
      assert.equal(0, report.moved)
    end
  end)

  it("goes through redundant loops as through others", function()
    local function four_bar(spatial)
      local function p(x, y)
        return spatial and { x, y, 0 } or { x, y }
      end
      local axis = { 0, 0, 1 }
      return assert(sarrus.model {
        gravity = p(0, -9.81),
        body.rod { "crank", from = p(0, 0), to = p(0, 1), mass = 1 },
        body.rod { "coupler", from = p(0, 1), to = p(2, 2), mass = 1 },
        body.rod { "rocker", from = p(3, 0), to = p(2, 2), mass = 1 },
        joint.revolute { "A", "ground", "crank", at = p(0, 0), axis = axis },
        joint.revolute { "B", "crank", "coupler", at = p(0, 1), axis = axis },
        joint.revolute { "C", "coupler", "rocker", at = p(2, 2), axis = axis },
        joint.revolute { "D", "rocker", "ground", at = p(3, 0), axis = axis },
      }:modes())
    end
    local plane, space = four_bar(false), four_bar(true)
    assert.equal(1, #space)
    check.near(plane[1].frequency, space[1].frequency, 1e-12)
    check.near(plane.state:joint("D").angle, space.state:joint("D").angle, 1e-12)
  end)

  it("sees what a model with contacts does that are open", function()
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.sphere { "ball", position = { 0.3, -1 }, radius = 0.1, mass = 1 },
      joint.revolute { "J", "ground", "ball", at = { 0, 0 }, limits = { -2, 2 } },
      sarrus.shape.line { "floor", "ground", at = { 0, -5 }, normal = { 0, 1 } },
      sarrus.contact.pair { "sole", "floor", "ball" },
    }
    local s = assert(model:equilibrium())
    local linear = assert(model:linearise { at = s, outputs = { "J.force.x", "sole.gap" } })
    local l, i = math.sqrt(1.09), 2 / 5 * 0.01
    local square = 9.81 * l / (l * l + i)
    check.near(-square, linear.A[2][1], 1e-13)
    check.near(-l * square, linear.C[1][1], 1e-12)
    check.near(0, linear.C[2][1], 1e-15)
  end)

  local function refused(message, code, model, start)
    local s, why, kind = model:equilibrium(start)
    assert.same({ nil, message, code }, { s, why, kind })
  end

  it("refuses what falls for ever", function()
    refused('model "apple": equilibrium: there is none near the start: nothing stops "apple", '
      .. "which is accelerated by 9.81 m/s^2", "LIMIT", sarrus.model {
      name = "apple", gravity = { 0, -9.81 },
      body.sphere { "apple", position = { 0, 0 }, radius = 0.05, mass = 0.1 },
    })
  end)

  it("refuses to pass limits and contacts", function()
    refused('model "pendulum": equilibrium: on the way to where nothing would push any more it is '
      .. 'stopped by joint.revolute "J", which that is beyond by 1.07 rad; contacts and limits are '
      .. "left aside: put a joint where it is to rest", "CONTACT",
      pendulum { limits = { -0.5, 0.5 } })
    refused('model "lamp": equilibrium: on the way to where nothing would push any more it is '
      .. 'stopped by contact.pair "sole", which that is beyond by 0.581 m; contacts and limits are '
      .. "left aside: put a joint where it is to rest", "CONTACT", sarrus.model {
      name = "lamp", gravity = { 0, -9.81 },
      body.sphere { "ball", position = { 0, 0.5 }, radius = 0.1, mass = 1 },
      force.spring { "string", "ground", "ball", from = { 0, 1 }, to = { 0, 0.5 },
        stiffness = 10 },
      sarrus.shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      sarrus.contact.pair { "sole", "floor", "ball" },
    })
  end)

  it("refuses what a motion moves", function()
    refused('model "pendulum": equilibrium: nothing can be at rest at t = 0: a prescribed motion '
      .. 'moves "rod"', "INCONSISTENT", pendulum { motion = function(t) return 0.1 * t end })
    local s, report = pendulum { motion = function(t) return 0.1 * t ^ 2 end }:equilibrium {}
    assert(s, report)
    assert.same({}, report.eigenvalues)
  end)

  it("warns of dry friction, which it leaves aside", function()
    local model = pendulum { friction = 0.1 }
    local s, report = model:equilibrium()
    assert(s, report)
    check.near(-math.pi / 2, s:joint("J").angle, 1e-13)
    assert.equal('model "pendulum": equilibrium: the dry friction of "J" is left aside',
      model:warnings()[1].message)
  end)

  it("says what is wrong with what it is given", function()
    local model = pendulum()
    assert.equal('model "pendulum": equilibrium: unknown field "joint" (did you mean \'joints\'?), '
      .. "want joints, bodies, parameters, t", check.misuse(model.equilibrium, model,
      { joint = {} }))
    assert.equal('model "pendulum": equilibrium: got number 3, want a state or a start',
      check.misuse(model.equilibrium, model, 3))
    assert.equal('model "pendulum": linearise: the state is of another model',
      check.misuse(model.linearise, model, { at = assert(pendulum():equilibrium()) }))
    assert.equal("equilibrium: called on nil; use model:equilibrium(…)",
      check.misuse(model.equilibrium))
  end)
end)

describe("linearise", function()
  it("gives the matrices of a driven pendulum", function()
    local model = pendulum { damping = 0.4 }
    local a = 0.7
    local linear = assert(model:linearise {
      at = { joints = { J = { angle = a } }, parameters = { tau = 9.81 * math.cos(a) } },
      inputs = { "tau" }, outputs = { "J.angle", "rod.position.y", "J.force.x", "J.torque" },
    })
    local i = 2 / 3
    assert.same({ "J.angle", "J.rate" }, linear.states)
    check.near(9.81 * math.sin(a) / i, linear.A[2][1], 1e-13)
    check.near(-0.4 / i, linear.A[2][2], 1e-13)
    check.near(1 / i, linear.B[2][1], 1e-13)
    check.near(1, linear.C[1][1], 1e-15)
    check.near(0.5 * math.cos(a), linear.C[2][1], 1e-15)
    -- The force along x is m x'' = -m sin(a) / 2 a'' at rest.
    check.near(-math.sin(a) * 9.81 * math.sin(a) / i, linear.C[3][1], 1e-12)
    check.near(-math.sin(a) / i, linear.D[3][1], 1e-13)
    check.near(-0.4, linear.C[4][2], 1e-14)
    check.near(1, linear.D[4][1], 1e-14)
    assert.is_true(linear.steady)
  end)

  it("tells whether the state stays as it is", function()
    assert.is_false(assert(pendulum():linearise {}).steady)
    assert.is_true(assert(pendulum { to = { 0, -1 } }:linearise()).steady)
  end)

  it("agrees with differences of accelerations in a moving loop", function()
    local function model()
      return sarrus.model {
        gravity = { 0, -9.81 },
        body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
        body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = 1 },
        body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
        joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
        joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
        joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
        joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
      }
    end
    local fourbar = model()
    local function acceleration(angle, rate)
      local s = assert(fourbar:simulate { joints = { A = { angle = angle, rate = rate } } }):state()
      return s.a["crank.angle"]
    end
    local linear = assert(fourbar:linearise { at = { joints = { A = { angle = 0.2, rate = 2 } } } })
    local h, a = 1e-4, acceleration
    assert.same({ "A.angle", "A.rate" }, linear.states)
    check.near((a(0.2 + h, 2) - a(0.2 - h, 2)) / (2 * h), linear.A[2][1], 1e-5)
    check.near((a(0.2, 2 + h) - a(0.2, 2 - h)) / (2 * h), linear.A[2][2], 1e-7)
  end)

  it("takes parameters that move what is closed", function()
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.point { "bob", position = { 0, -1 }, mass = 1 },
      joint.distance { "string", "ground", "bob", from = { 0, 0 }, to = { 0, -1 },
        length = sarrus.parameter("l", 1) },
    }
    local linear = assert(model:linearise { inputs = { "l" }, outputs = { "bob.position.y" } })
    assert.same({ "bob.position.x", "bob.velocity.x" }, linear.states)
    check.near(-1, linear.D[1][1], 1e-14)
    check.near(-9.81, linear.A[2][1], 1e-13)
  end)

  it("refuses what touches, and channels that no expression gives", function()
    local model = sarrus.model {
      name = "ball", gravity = { 0, -9.81 },
      body.sphere { "ball", position = { 0, 0.1 }, radius = 0.1, mass = 1 },
      sarrus.shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      sarrus.contact.pair { "sole", "floor", "ball" },
    }
    local linear, message, code = model:linearise {}
    assert.same({ nil, 'model "ball": linearise: contact.pair "sole" touches here, and what may '
      .. "part has no linear model: put a joint where it is to stay, or move away from it",
      "CONTACT" }, { linear, message, code })
    local swinging = pendulum()
    assert.equal('model "pendulum": linearise: outputs: twice is no expression of the state, so it '
      .. "has no derivative here", check.misuse(swinging.linearise, swinging,
      { outputs = { { "twice", function() return 2 end } } }))
    assert.equal('model "pendulum": linearise: inputs[1]: unknown parameter "tua" (did you mean '
      .. "'tau'?)", check.misuse(swinging.linearise, swinging, { inputs = { "tua" } }))
  end)
end)

describe("modes", function()
  it("have shapes of which the largest is 1", function()
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.point { "a", position = { 0, -1 }, mass = 1 },
      body.point { "b", position = { 0, -2 }, mass = 1 },
      joint.distance { "A", "ground", "a", from = { 0, 0 }, to = { 0, -1 } },
      joint.distance { "B", "a", "b", from = { 0, -1 }, to = { 0, -2 } },
    }
    local modes = assert(model:modes())
    assert.equal(2, #modes)
    for i, sign in ipairs { -1, 1 } do
      check.near(math.sqrt(9.81 * (2 + sign * math.sqrt(2))) / (2 * math.pi), modes[i].frequency,
        1e-14)
    end
    check.near(1, modes[1].shape["b.position.x"], 1e-15)
    check.near(math.sqrt(2) - 1, modes[1].shape["a.position.x"], 1e-14)
    check.near(1 - math.sqrt(2), modes[2].shape["b.position.x"], 1e-14)
    assert.equal("modes of model at t = 0\n  1  0.381526 Hz, damping 0, most of all b.position.x\n"
      .. "  2  0.921086 Hz, damping 0, most of all a.position.x", tostring(modes))
  end)

  it("are 1 where they are largest, relative to the size of the model for lengths", function()
    -- A slider on a spring, 10 m long, with a pendulum of 10 m: in the fast mode it moves by 6.4 m
    -- where the pendulum turns by 1, which are 20 m at its end.
    local model = sarrus.model {
      gravity = { 0, -10 }, body.rod { "a", from = { 0, 0 }, to = { 0, -10 }, mass = 1 },
      body.rod { "b", from = { 0, -10 }, to = { 0, -20 }, mass = 1 },
      joint.prismatic { "S", "ground", "a", at = { 0, 0 }, axis = { 1, 0 }, stiffness = 50,
        damping = 3 },
      joint.revolute { "B", "a", "b", at = { 0, -10 } },
    }
    local modes = assert(model:modes())
    assert.equal(2, #modes)
    for _, mode in ipairs(modes) do
      assert.equal("B.angle", mode.most)
      assert.equal(1, mode.shape[mode.most])
      assert.equal(0, mode.quadrature[mode.most])
      for name, x in pairs(mode.shape) do
        local size = math.sqrt(x ^ 2 + mode.quadrature[name] ^ 2)
        assert.is_true(size <= (name == "S.length" and 20 or 1))
      end
    end
    assert.is_true(math.abs(modes[2].shape["S.length"]) > 6)
  end)

  it("want an equilibrium, or a steady motion", function()
    local model = pendulum()
    assert.same({ nil, 'model "pendulum": modes: this is no equilibrium: "rod" is accelerated by '
      .. "7.36 m/s^2; begin with model:equilibrium", "INCONSISTENT" }, { model:modes { at = {} } })
    local modes, message, code = model:modes { at = { joints = { J = { rate = 1 } } } }
    assert.same({ nil, 'model "pendulum": modes: it does not move steadily: J.rate changes by '
      .. "14.7 m/s^2; begin with model:equilibrium", "INCONSISTENT" }, { modes, message, code })
  end)

  it("are shown by a page, of which nothing can move raises", function()
    local path = os.tmpname()
    assert(example "crane":modes():html(path))
    local file = assert(io.open(path, "rb"))
    local text = file:read("*a")
    file:close()
    os.remove(path)
    assert.is_truthy(text:find("<title>modes of crane</title>", 1, true))
    assert.is_truthy(text:find("0.15532 Hz", 1, true))
    local still = sarrus.model {
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
      joint.fixed { "J", "ground", "rod", at = { 0, 0 } },
    }
    local none = assert(still:modes())
    assert.equal("modes:html: there are no modes: nothing can move",
      check.misuse(none.html, none, path))
  end)
end)

describe("joint.rolling with an axis", function()
  it("lets a rigid body roll as the disk that it equals", function()
    local function coin(part, axis)
      local model = sarrus.model {
        gravity = { 0, 0, -9.81 }, part,
        joint.rolling { "table", "ground", "coin", radius = 0.5, normal = { 0, 0, 1 },
          axis = axis },
      }
      local sim = assert(model:simulate { bodies = { coin = { spin = { 0, 5, 0.5 } } } })
      assert(sim:advance(1))
      return sim:state():body("coin").position
    end
    local lean = 0.3
    local position, across = { 0, 0, 0.5 * math.cos(lean) }, { 0, math.cos(lean), -math.sin(lean) }
    local disk = coin(body.disk { "coin", position = position, radius = 0.5, length = 0.1, mass = 1,
      axis = across })
    local along, other = 1 / 8, 1 / 16 + 0.01 / 12
    local turned = { axis = { 1, 0, 0 }, angle = -lean }
    local rigid = coin(body.rigid { "coin", position = position, mass = 1,
      inertia = { other, along, other }, orientation = turned }, across)
    for k = 1, 3 do
      check.near(disk[k], rigid[k], 1e-11)
    end
  end)

  it("tells of a wheel that lies flat, and is of no use in the plane", function()
    assert.equal('joint.rolling "track": the wheel "wheel" lies flat on the plane',
      check.misuse(sarrus.model, {
        body.rigid { "wheel", position = { 0, 0, 1 }, mass = 1, inertia = { 1, 1, 1 } },
        joint.rolling { "track", "ground", "wheel", radius = 1, normal = { 0, 0, 1 },
          axis = { 0, 0, 1 } },
      }))
    local message = "joint.rolling \"track\": unknown field 'axis', want one of radius, normal"
    assert.equal(message, check.misuse(sarrus.model, {
      body.rigid { "wheel", position = { 0, 1 }, mass = 1, inertia = 1 },
      joint.rolling { "track", "ground", "wheel", radius = 1, normal = { 0, 1 },
        axis = { 0, 0, 1 } },
    }))
  end)
end)
