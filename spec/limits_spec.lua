-- Limits of distances, universal and spherical joints: ropes, cones, stops of both angles.
local check = dofile("spec/check.lua")
local sarrus = require "sarrus"
local near = check.near
local body, joint = sarrus.body, sarrus.joint

local g = 10

--- What a model, or its start, is refused with.
local function refused(f)
  local ok, text = pcall(f)
  assert.is_false(ok)
  return (tostring(text):gsub("^[^:]*:%d+: ", ""))
end

--- A ball of 2 kg on a rope of 1 m.
local function tied(x, y, restitution, low)
  return sarrus.model { name = "ball", gravity = { 0, -g },
    body.point { "ball", position = { x, y }, mass = 2 },
    joint.distance { "rope", "ground", "ball", from = { 0, 0 }, to = { x, y },
      limits = { low or 0, 1, restitution = restitution } } }
end

describe("a rope", function()
  it("is slack, goes taut and holds", function()
    local model = tied(0, -0.2)
    local sim = assert(model:simulate { tolerance = 1e-14 })
    assert.equal(2, model:freedoms())
    assert(sim:advance(0.2))
    near(-0.4, sim:state():body("ball").y, 1e-14)
    near(0, sim:state():joint("rope").force.y, 0)
    for t = 1, 10 do
      assert(sim:advance(t)) -- it was taut at 0.4
      near(-1, sim:state():body("ball").y, 1e-14)
      near(2 * g, sim:state():joint("rope").force.y, 1e-12)
    end
  end)

  it("throws back half the speed with e = 0.5, until it holds", function()
    local sim = assert(tied(0, -0.2, 0.5):simulate { tolerance = 1e-14 })
    assert(sim:advance(0.6)) -- taut at 0.4 with 4 m/s: 2 m/s back, again at 0.8
    near(-0.8, sim:state():body("ball").y, 1e-13)
    assert(sim:advance(0.9))
    near(-0.95, sim:state():body("ball").y, 1e-13)
    near(0, sim:state():body("ball").velocity.y, 1e-12)
    assert(sim:advance(1.2 + 1e-9)) -- 0.4 (1 + 1 + 1/2 + 1/4 + …)
    near(-1, sim:state():body("ball").y, 1e-13)
    near(2 * g, sim:state():joint("rope").force.y, 1e-12)
  end)

  it("throws back by a parameter, which runs set and derivatives follow", function()
    local model = tied(0, -0.2, sarrus.parameter("e", 0.5))
    local sim = assert(model:simulate { tolerance = 1e-14, sensitivity = { "e" } })
    assert(sim:advance(0.6)) -- 0.2 s after it was taut
    local s = sim:state()
    near(-1 + 0.2 * (0.5 * 4) - g * 0.02, s:body("ball").y, 1e-13)
    near(0.2 * 4, s:derivative("ball.position.y", "e"), 1e-12)
    assert(sim:set("e", 0))
    assert(sim:advance(2))
    near(-1, sim:state():body("ball").y, 1e-13)
    local refusal = 'model "ball": joint.distance "rope": restitution = e = 2; must be from 0 to 1'
    assert.same({ false, refusal, "INCONSISTENT" }, { sim:set("e", 2) or false,
      select(2, sim:set("e", 2)) })
    assert.equal(refusal, (select(2, model:simulate { parameters = { e = 2 } })))
  end)

  it("takes the speed along it, and keeps that across", function()
    local lowest = sarrus.event { "lowest", stop = true,
      when = function(s) return s:body("ball").x end }
    local sim = assert(tied(0.6, 0):simulate { events = { lowest }, tolerance = 1e-14 })
    -- taut at y = -0.8 with 4 m/s downwards, of which 2.4 m/s are across
    assert.equal("EVENT", (sim:advance(5)))
    local s = sim:state()
    near(2.4 ^ 2 + 2 * g * 0.2, s:body("ball").velocity.x ^ 2, 1e-12)
    near(2 * (2.4 ^ 2 + 2 * g * 0.2 + g), s:joint("rope").force.y, 1e-11)
    near(-1, s:body("ball").y, 1e-14)
  end)

  it("swings at its length", function()
    local sim = assert(tied(1, 0):simulate { tolerance = 1e-14 })
    for _, s in sim:samples(20, 0.1) do
      local b = s:body("ball")
      near(1, math.sqrt(b.x ^ 2 + b.y ^ 2), 1e-12)
      near(0, s:energy().total, 1e-11)
      near(-3 * 2 * g * b.y, s:joint("rope").force.x * -b.x + s:joint("rope").force.y * -b.y, 1e-9)
    end
  end)

  it("goes slack where a pendulum is too slow, and taut again", function()
    -- From the lowest point with v^2 = 3.5 g: slack where y = (v^2 - 2 g) / 3 g = 0.5.
    local sim = assert(tied(0, -1):simulate { bodies = { ball = { velocity = {
      math.sqrt(3.5 * g), 0 } } }, tolerance = 1e-14 })
    local slack, before = nil, sim:state():energy().total
    for t, s in sim:samples(5, 0.001) do
      local b, force = s:body("ball"), s:joint("rope").force
      assert.is_true(b.x ^ 2 + b.y ^ 2 <= 1 + 1e-12)
      assert.is_true(s:energy().total <= before + 1e-11)
      before = s:energy().total
      if not slack and t > 0 and force.x == 0 and force.y == 0 then
        slack = t
        near(0.5, b.y, 0.003)
      end
    end
    assert.is_true(slack ~= nil and before < 0.9 * g)
  end)

  it("can be released", function()
    local sim = assert(tied(0, -1):simulate {})
    assert(sim:advance(1))
    near(-1, sim:state():body("ball").y, 1e-14)
    assert(sim:release("rope") and sim:advance(1.5))
    near(-1 - g * 0.5 ^ 2 / 2, sim:state():body("ball").y, 1e-12)
    near(0, sim:state():joint("rope").force.y, 0)
  end)

  it("may hold two bodies, in space", function()
    local model = sarrus.model {
      body.point { "a", position = { 0, 0, 0 }, mass = 1, velocity = { 1, 2, 2 } },
      body.point { "b", position = { 0, 0, 0 }, mass = 2 },
      joint.distance { "rope", "a", "b", from = { 0, 0, 0 }, to = { 0, 0, 0 },
        limits = { 0, 1.5 } } }
    local sim = assert(model:simulate { tolerance = 1e-14 })
    assert(sim:advance(1)) -- taut at 0.5, both then go on with a third of the speed
    local s = sim:state()
    near(0.5 + 0.5 / 3, s:body("a").position.x, 1e-13)
    near(0.5 / 3 * 2, s:body("b").position.z, 1e-13)
    near(2 / 3, s:body("a").velocity.y, 1e-13)
  end)
end)

describe("a distance with a lower limit", function()
  it("keeps off what comes too near", function()
    local sim = assert(tied(0, 1, 1, 0.25):simulate { tolerance = 1e-14 })
    local fall = math.sqrt(2 * 0.75 / g)
    for n = 0, 10 do
      assert(sim:advance(2 * n * fall + 0.1))
      near(1 - g * 0.1 ^ 2 / 2, sim:state():body("ball").y, 1e-12)
    end
  end)

  it("carries what stands on it", function()
    local sim = assert(tied(0, 1, 0, 0.25):simulate {})
    assert(sim:advance(10))
    near(0.25, sim:state():body("ball").y, 1e-13)
    near(2 * g, sim:state():joint("rope").force.y, 1e-12)
  end)
end)

--- A pendulum of 2 kg in space, 0.5 m long, inertia 0.1 about its centre of mass.
local function hung(z, add)
  return sarrus.model { name = "rod", gravity = { 0, 0, -g },
    body.rigid { "rod", position = { 0, 0, z }, mass = 2, inertia = { 0.1, 0.1, 0.1 } }, add }
end

local INERTIA = 0.1 + 2 * 0.5 ^ 2

--- A start that turns with a rate about x.
local function turning(z, rate)
  return { bodies = { rod = { spin = { rate, 0, 0 }, velocity = { 0, -rate * z, 0 } } },
    tolerance = 1e-14 }
end

local function tilt(s)
  local p = s:body("rod").position
  return sarrus.atan(math.sqrt(p.x ^ 2 + p.y ^ 2), math.abs(p.z))
end

describe("the cone of a spherical joint", function()
  local function coned(z, restitution, angle)
    return hung(z, joint.spherical { "ball", "ground", "rod", at = { 0, 0, 0 },
      cone = { axis = { 0, 0, 1 }, angle = angle or 0.5, restitution = restitution } })
  end

  it("stops a spherical pendulum, and throws it back", function()
    for _, e in ipairs { 0, 0.5, 1 } do
      local sim = assert(coned(-0.5, e):simulate(turning(-0.5, 4)))
      assert(sim:advance(0.25))
      local square = 4 ^ 2 - 2 * 2 * g * 0.5 * (1 - math.cos(0.5)) / INERTIA
      near(INERTIA * e ^ 2 * square / 2 - 2 * g * 0.5 * math.cos(0.5), sim:state():energy().total,
        1e-12)
      for _, s in sim:samples(3, 0.01) do
        assert.is_true(tilt(s) <= 0.5 + 1e-12)
      end
    end
  end)

  it("carries a rod that leans on it", function()
    local sim = assert(coned(0.5):simulate(turning(0.5, 0.1)))
    assert(sim:advance(10))
    local s = sim:state()
    near(0.5, tilt(s), 1e-13)
    near(0, s:body("rod").spin.x, 1e-12)
    near(2 * g * 0.5 * math.sin(0.5), -s:joint("ball").torque.x, 1e-11)
    near(2 * g, s:joint("ball").force.z, 1e-11)
  end)

  it("lets it go round along itself", function()
    -- About the vertical faster than the pendulum that would stay there by itself, it presses.
    local start = { bodies = { rod = { position = { 0, 0.5 * math.sin(0.5), -0.5 * math.cos(0.5) },
      orientation = { axis = { 1, 0, 0 }, angle = 0.5 }, spin = { 0, 0, 8 },
      velocity = { -8 * 0.5 * math.sin(0.5), 0, 0 } } }, tolerance = 1e-14 }
    local sim = assert(coned(-0.5, 0, 0.5):simulate(start))
    local before = sim:state():energy().total
    for _, s in sim:samples(3, 0.1) do
      near(0.5, tilt(s), 1e-12)
      near(before, s:energy().total, 1e-11)
    end
  end)

  it("is given as a list, too", function()
    local function turned(cone)
      local sim = assert(hung(-0.5, joint.spherical { "ball", "ground", "rod", at = { 0, 0, 0 },
        cone = cone }):simulate(turning(-0.5, 4)))
      assert(sim:advance(0.5))
      return table.concat(sim:state().q, " ")
    end
    assert.equal(turned { axis = { 0, 0, 1 }, angle = 0.5, restitution = 0.5 },
      turned { { 0, 0, 1 }, 0.5, restitution = 0.5 })
  end)

  it("is checked", function()
    local function with(cone)
      return refused(function()
        return hung(-0.5, joint.spherical { "ball", "ground", "rod", at = { 0, 0, 0 },
          cone = cone })
      end)
    end
    assert.equal('joint.spherical "ball": missing field \'cone.angle\'',
      with { axis = { 0, 0, 1 } })
    assert.equal('joint.spherical "ball": cone.angle = 0; must be between 0 and pi',
      with { axis = { 0, 0, 1 }, angle = 0 })
    assert.equal('joint.spherical "ball": cone.angle = 45; must be between 0 and pi',
      with { axis = { 0, 0, 1 }, angle = 45 })
    assert.equal('joint.spherical "ball": cone.axis: the vector has length 0, so no direction',
      with { axis = { 0, 0, 0 }, angle = 1 })
    assert.equal('joint.spherical "ball": cone.restitution = 2; must be from 0 to 1',
      with { axis = { 0, 0, 1 }, angle = 1, restitution = 2 })
    assert.equal('joint.spherical "ball": cone: "bob" is a point, which has no axis',
      refused(function()
        return sarrus.model { body.point { "bob", position = { 0, 0, 0 }, mass = 1 },
          joint.spherical { "ball", "ground", "bob", at = { 0, 0, 0 },
            cone = { axis = { 0, 0, 1 }, angle = 1 } } }
      end))
    local outside = { bodies = { rod = { orientation = { axis = { 1, 0, 0 }, angle = 0.75 },
      position = { 0, 0.5 * math.sin(0.75), -0.5 * math.cos(0.75) } } } }
    local message = refused(function() return coned(-0.5):simulate(outside) end)
    assert.truthy(message:find('model "rod": joint.spherical "ball": it starts at tilt 0.75', 1,
      true), message)
    assert.truthy(message:find("outside of its limits 0 to 0.5", 1, true))
  end)
end)

describe("limits of a universal joint", function()
  local function limited(z, limits)
    return hung(z, joint.universal { "cross", "ground", "rod", at = { 0, 0, 0 },
      axes = { { 1, 0, 0 }, { 0, 1, 0 } }, limits = limits })
  end

  it("stop the angle about the first axis", function()
    for sign = -1, 1, 2 do
      local sim = assert(limited(0.5, { { -0.3, 0.4 }, { -1, 1 } })
        :simulate(turning(0.5, 0.1 * sign)))
      assert(sim:advance(10))
      local s, limit = sim:state(), sign > 0 and 0.4 or -0.3
      near(-0.5 * math.sin(limit), s:body("rod").position.y, 1e-13)
      near(-2 * g * 0.5 * math.sin(limit), s:joint("cross").torque.x, 1e-11)
    end
  end)

  it("stop that about the second", function()
    for sign = -1, 1, 2 do
      local start = { bodies = { rod = { spin = { 0, 0.1 * sign, 0 },
        velocity = { 0.05 * sign, 0, 0 } } } }
      local sim = assert(limited(0.5, { { -1, 1 }, { -0.3, 0.4 } }):simulate(start))
      assert(sim:advance(10))
      local s, limit = sim:state(), sign > 0 and 0.4 or -0.3
      near(0.5 * math.sin(limit), s:body("rod").position.x, 1e-12)
      near(-2 * g * 0.5 * math.sin(limit), s:joint("cross").torque.y, 1e-10)
    end
  end)

  it("are told apart by name", function()
    local lines = {}
    for side in limited(-0.5, { { -1, 1 }, { -2, 2 } }):simulate({}):explain("modes")
      :gmatch("cross at its (%w+ %w+) limit") do
      lines[#lines + 1] = side
    end
    assert.same({ "first lower", "first upper", "second lower", "second upper" }, lines)
  end)

  it("throw back", function()
    local sim = assert(limited(-0.5, { { -0.5, 0.5, restitution = 0.5 }, { -1, 1 } })
      :simulate(turning(-0.5, 4)))
    assert(sim:advance(0.25))
    local square = 4 ^ 2 - 2 * 2 * g * 0.5 * (1 - math.cos(0.5)) / INERTIA
    near(INERTIA * 0.25 * square / 2 - 2 * g * 0.5 * math.cos(0.5), sim:state():energy().total,
      1e-12)
  end)

  it("are checked", function()
    local function with(limits)
      return refused(function() return limited(-0.5, limits) end)
    end
    assert.equal('joint.universal "cross": limits: 1 element, want 2', with { { -1, 1 } })
    assert.equal('joint.universal "cross": limits[1]: the lower limit 1 is not below the upper -1',
      with { { 1, -1 }, { -1, 1 } })
    assert.equal('joint.universal "cross": limits[2][2] = 4; must be between -pi and pi',
      with { { -1, 1 }, { -1, 4 } })
    assert.equal('joint.universal "cross": limits[2].restitution = -1; must be from 0 to 1',
      with { { -1, 1 }, { -1, 1, restitution = -1 } })
  end)

  it("hold at the start", function()
    local sim = assert(limited(-0.5, { { 0.25, 1 }, { -1, 1 } }):simulate {})
    assert.equal('model "rod": joint.universal "cross" is drawn outside of its limits; it starts '
      .. "at first angle 0.25", sim:warnings()[#sim:warnings()].message)
  end)
end)

describe("limits of a distance", function()
  it("are checked", function()
    local function with(limits, length)
      return refused(function()
        return sarrus.model { body.point { "b", position = { 0, -1 }, mass = 1 },
          joint.distance { "rope", "ground", "b", from = { 0, 0 }, to = { 0, -1 },
            limits = limits, length = length } }
      end)
    end
    assert.equal('joint.distance "rope": limits: got number 2, want a table', with(2))
    assert.equal('joint.distance "rope": missing field \'limits[2]\'', with { 1 })
    assert.equal('joint.distance "rope": limits: the lower limit 2 is not below the upper 1',
      with { 2, 1 })
    assert.equal('joint.distance "rope": limits: the lower limit 1 is not below the upper 1',
      with { 1, 1 })
    assert.equal('joint.distance "rope": limits[1] = -1; must be 0 or positive', with { -1, 1 })
    assert.equal('joint.distance "rope": limits.restitution = 1.5; must be from 0 to 1',
      with { 0, 1, restitution = 1.5 })
    assert.equal("joint.distance \"rope\": both 'length' and 'limits' are given: "
      .. "it is a rod or a rope", with({ 0, 1 }, 1))
  end)

  it("hold at the start", function()
    local function length(sim)
      local at = sim:state():body("ball")
      return math.sqrt(at.x ^ 2 + at.y ^ 2)
    end
    local sim = assert(tied(1.25, 0):simulate {})
    near(1, length(sim), 1e-12)
    assert.equal('model "ball": joint.distance "rope" is drawn outside of its limits; it starts at '
      .. "length 1", sim:warnings()[2].message)
    assert(sim:advance(3))
    assert.is_true(length(sim) < 1 + 1e-12)
    sim = assert(tied(0.25, 0, 0, 0.5):simulate {})
    near(0.5, length(sim), 1e-12)
    assert.equal('model "ball": joint.distance "rope" is drawn outside of its limits; it starts at '
      .. "length 0.5", sim:warnings()[2].message)
    assert.same({}, assert(tied(0.75, 0, 0, 0.5):simulate {}):warnings())
    assert.equal('model "ball": joint.distance "rope": it starts at length 2, outside of its '
      .. "limits 0 to 1", refused(function()
        return tied(1.25, 0):simulate { bodies = { ball = { position = { 0, -2 } } } }
      end))
  end)

  it("is told with the length at which it starts", function()
    assert.equal('model: joint.distance "rope": it starts at length 0.5, outside of its limits 0 '
      .. "to 0.25", check.misuse(function()
        return sarrus.model { body.point { "b", position = { 0, -0.25 }, mass = 1 },
          joint.distance { "rope", "ground", "b", from = { 0, 0 }, to = { 0, -0.25 },
            limits = { 0, 0.25 } } }:simulate { bodies = { b = { position = { 0, -0.5 } } } }
      end))
  end)

  it("may be parameters", function()
    local model = sarrus.model { gravity = { 0, -g },
      body.point { "b", position = { 0, -1 }, mass = 1 },
      joint.distance { "rope", "ground", "b", from = { 0, 0 }, to = { 0, -1 },
        limits = { 0, sarrus.parameter("length", 1) } } }
    local sim = assert(model:simulate {})
    assert(sim:advance(1) and sim:set("length", 2) and sim:advance(3))
    near(-2, sim:state():body("b").y, 1e-12)
    near(g, sim:state():joint("rope").force.y, 1e-12)
  end)
end)

describe("a cone that a start leaves", function()
  it("is told with the angle from its axis", function()
    for _, angle in ipairs { 1.25, 2 } do
      local model = sarrus.model {
        body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
        joint.spherical { "S", "ground", "b", at = { 0, 0, 0 },
          cone = { axis = { 0, 0, 1 }, angle = 1 } } }
      assert.equal(('model: joint.spherical "S": it starts at tilt %g, outside of its limits 0 to '
        .. "1"):format(angle), check.misuse(model.simulate, model,
        { bodies = { b = { orientation = { axis = { 1, 0, 0 }, angle = angle } } } }))
    end
  end)
end)

describe("a joint that is drawn outside of its limits", function()
  local function arm(name, y)
    return body.rigid { name, mass = 1, position = { 0.5, y, 0 }, inertia = { 0.01, 0.1, 0.1 } }
  end

  local function hinge(name, on, y, limits)
    return joint.revolute { name, "ground", on, at = { 0, y, 0 }, axis = { 0, 1, 0 },
      limits = limits }
  end

  it("starts at the nearest one, with a warning", function()
    local model = sarrus.model { gravity = { 0, 0, -9.81 }, arm("a", 0),
      hinge("J", "a", 0, { -2, -0.25 }) }
    local sim = assert(model:simulate {})
    check.near(-0.25, sim:state():joint("J").angle)
    assert.equal("limits", sim:warnings()[1].code)
    assert.equal('model: joint.revolute "J" is drawn outside of its limits; it starts at angle '
      .. "-0.25", sim:warnings()[1].message)
    assert(sim:advance(1)) -- falls against it, and rests
    check.near(-0.25, sim:state():joint("J").angle)
    sim = assert(model:simulate { joints = { J = { angle = -1 } } })
    assert.same({}, sim:warnings())
    assert.equal('model: joint.revolute "J": it starts at angle 0, outside of its limits -2 to '
      .. "-0.25", check.misuse(model.simulate, model, { joints = { J = { angle = 0 } } }))
  end)

  it("starts where the others are within theirs, too", function()
    local function start(limits, ratio)
      local sim = assert(sarrus.model { arm("a", 0), arm("b", 1), hinge("J", "a", 0, { 0.2, 1 }),
        hinge("K", "b", 1, limits), joint.coupled { "C", "J", "K", coefficients = { 0, ratio } },
      }:simulate {})
      return sim:state():joint("J").angle, sim:state():joint("K").angle
    end
    local j, k = start({ 0.3, 2 }, 2) -- both outside: one leads the other
    check.near(0.2, j)
    check.near(0.4, k)
    j, k = start({ -0.5, 2 }, 2)
    check.near(0.2, j)
    check.near(0.4, k)
  end)

  it("may be a rope, whose length is a parameter", function()
    local model = sarrus.model { body.point { "b", position = { 0, -1 }, mass = 1 },
      joint.distance { "rope", "ground", "b", from = { 0, 0 }, to = { 0, -1 },
        limits = { 0, sarrus.parameter("length", 0.5) } } }
    for _, length in ipairs { 0.5, 0.75 } do
      local sim = assert(model:simulate { parameters = { length = length } })
      check.near(-length, sim:state():body("b").y)
      assert.equal('model: joint.distance "rope" is drawn outside of its limits; it starts at '
        .. "length " .. length, sim:warnings()[2].message)
    end
  end)

  it("may have limits by a parameter", function()
    local low = sarrus.parameter("low", 0.5)
    local model = sarrus.model { arm("a", 0), hinge("J", "a", 0, { low, 2 }) }
    check.near(0.5, assert(model:simulate {}):state():joint("J").angle)
    local sim = assert(model:simulate { parameters = { low = 0.75 } })
    check.near(0.75, sim:state():joint("J").angle)
    sim = assert(model:simulate { parameters = { low = -1 } })
    check.near(0, sim:state():joint("J").angle)
    local high = sarrus.parameter("high", -0.5)
    model = sarrus.model { arm("a", 0), hinge("J", "a", 0, { -2, high }) }
    check.near(-0.5, assert(model:simulate {}):state():joint("J").angle)
    model = sarrus.model { arm("a", 0), hinge("J", "a", 0, { low, low + 1 }) }
    check.near(0.5, assert(model:simulate {}):state():joint("J").angle)
  end)
end)
