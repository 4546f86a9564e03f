-- Models at the edges of what they tell apart, and parts of them that no other test tells from
-- their neighbours.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape
local near, misuse = check.near, check.misuse

describe("a chain of which one joint is given", function()
  local function arm(shoulder, elbow)
    return assert(sarrus.model {
      name = "arm", gravity = { 0, 0 },
      body.rigid { "upper", position = { 2, 2 }, mass = 1, inertia = 1 },
      body.rigid { "lower", position = { 3, 4 }, mass = 1, inertia = 1 },
      joint.revolute { "shoulder", shoulder[1], shoulder[2], at = { 1, 2 } },
      joint.revolute { "elbow", elbow[1], elbow[2], at = { 3, 2 } },
    }:simulate { joints = { shoulder = { angle = 0.5, rate = 2 } } }):state()
  end

  it("turns as one about it", function()
    for sign, s in pairs { [1] = arm({ "ground", "upper" }, { "upper", "lower" }),
      [-1] = arm({ "upper", "ground" }, { "lower", "upper" }) } do
      local c, n = math.cos(0.5), sign * math.sin(0.5)
      local x, y = 2 * c - 2 * n, 2 * n + 2 * c -- from the shoulder
      local lower = s:body("lower")
      near(0, s:joint("elbow").angle)
      near(0, s:joint("elbow").rate)
      near(1 + x, lower.x)
      near(2 + y, lower.y)
      near(-2 * sign * y, lower.velocity.x)
      near(2 * sign * x, lower.velocity.y)
    end
  end)
end)

describe("a start beyond a limit", function()
  it("is refused with the value, on either side", function()
    local model = sarrus.model {
      name = "rail", gravity = { 0, 0 },
      body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 1 },
      joint.prismatic { "r", "ground", "b", at = { 0, 0 }, axis = { 1, 0 }, limits = { -1, 2 } },
    }
    for _, length in ipairs { -1.5, 2.5 } do
      assert.equal(('model "rail": joint.prismatic "r": it starts at length %g, outside of its '
        .. "limits -1 to 2"):format(length),
        misuse(model.simulate, model, { joints = { r = { length = length } } }))
    end
  end)
end)

describe("limits of an angle that does not go round", function()
  it("end before half a turn", function()
    local function cross(high)
      return sarrus.model {
        name = "cross", gravity = { 0, 0, 0 },
        body.rigid { "rod", position = { 0, 0, -1 }, mass = 1, inertia = { 1, 1, 1 } },
        joint.universal { "u", "ground", "rod", at = { 0, 0, 0 },
          axes = { { 1, 0, 0 }, { 0, 1, 0 } }, limits = { { -1, high }, { -1, 1 } } },
      }
    end
    assert.is_truthy(cross(math.pi - 1e-9))
    assert.truthy(misuse(cross, math.pi):find("limits[1][2] = 3.14159265358979", 1, true))
  end)
end)

describe("a cylinder", function()
  it("ends at half its length, however it is tilted", function()
    for _, tilt in ipairs { 0.5, 1, 1.5 } do
      local c = assert(sarrus.model {
        gravity = { 0, 0, 0 },
        body.cylinder { "c", position = { 0, 0, 5 }, radius = 1, length = 4, mass = 1,
          axis = { math.sin(tilt), 0, math.cos(tilt) } },
        shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
        contact.pair { "p", "floor", "c" },
      }:simulate {}):state():contact("p")
      near(5 - 2 * math.cos(tilt) - math.sin(tilt), c.gap)
    end
  end)
end)

describe("a wheel that rolls in space", function()
  it("rolls about its own axis", function()
    local sim = assert(sarrus.model {
      gravity = { 0, 0, -10 },
      body.rigid { "wheel", position = { 0, 0, 0.5 }, mass = 1, inertia = { 1, 2, 1 },
        velocity = { 2, 0, 0 }, spin = { 0, 4, 0 } },
      joint.rolling { "r", "ground", "wheel", radius = 0.5, normal = { 0, 0, 1 },
        axis = { 0, 1, 0 } },
    }:simulate {})
    assert(sim:advance(0.5))
    local p = sim:state():body("wheel").position
    near(1, p.x, 1e-11)
    near(0, p.y, 1e-11)
    near(0.5, p.z, 1e-11)
  end)
end)

describe("a contact by a gap of two bodies", function()
  it("presses on the second, against the first", function()
    local function pile(first, second)
      local s = assert(sarrus.model {
        gravity = { 0, -10 },
        body.point { "low", position = { 0, 0 }, mass = 1 },
        body.point { "high", position = { 0, 1 }, mass = 2 },
        contact.custom { "floor", { "low" }, gap = function(a) return a:point().y end },
        contact.custom { "pile", { first, second }, gap = function(a, b)
          local up = b:point().y - a:point().y
          return (first == "low" and up or -up) - 1
        end },
      }:simulate {}):state()
      near(30, s:contact("floor").force.y)
      near(20, s:contact("pile").normal_force)
      return s:contact("pile").force.y
    end
    near(20, pile("low", "high"))
    near(-20, pile("high", "low"))
  end)
end)

describe("an axis", function()
  local function hinged(axis)
    return pcall(function()
      return sarrus.model { body.point { "p", position = { 1, 0, 0 }, mass = 1 },
        body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
        joint.revolute { "J", "ground", "b", at = { 0, 0, 0 }, axis = axis } }
    end)
  end

  it("has a direction from a length of 1e-12 on", function()
    assert.is_true(hinged { 2e-12, 0, 0 })
    assert.is_true(hinged { 0, 0, -2e-12 })
    local good, message = hinged { 0, 5e-13, 0 }
    assert.is_false(good)
    assert.truthy(message:find("axis: the vector has length 5e-13, so no direction", 1, true))
  end)

  it("is needed in space", function()
    local good, message = hinged(nil)
    assert.is_false(good)
    assert.truthy(message:find("missing field 'axis'", 1, true))
  end)
end)

describe("the axes of a universal joint", function()
  it("cross at an angle of a thousandth at least", function()
    local function crossed(sine)
      return pcall(function()
        return sarrus.model {
          body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
          joint.universal { "u", "ground", "b", at = { 0, 0, 0 }, axes = { { 1, 0, 0 },
            { math.sqrt(1 - sine ^ 2), sine, 0 } } } }
      end)
    end
    assert.is_true(crossed(2e-3))
    local good, message = crossed(5e-4)
    assert.is_false(good)
    assert.truthy(message:find('joint.universal "u": axes: they are parallel (angle 0.0005', 1,
      true))
  end)
end)

describe("a name", function()
  local function named(name)
    return pcall(function()
      return sarrus.model { gravity = { 0, 0 },
        body.point { name, position = { 0, 0 }, mass = 1 } }
    end)
  end

  it("may have any character of UTF-8", function()
    for _, name in ipairs { "\194\128", "\223\191", "\224\160\128", "\239\191\191",
      "\240\144\128\128", "\244\128\128\128", "a\194\191b" } do
      assert.is_true(named(name))
    end
  end)

  it("has 200 bytes at most", function()
    assert.is_true(named(("n"):rep(200)))
    local good, message = named(("n"):rep(201))
    assert.is_false(good)
    assert.truthy(message:find("the name has 201 bytes, at most 200 are allowed", 1, true))
  end)

  it("has no bytes that are none", function()
    for _, name in ipairs { "\128", "\193\128", "\193\128\128", "\194", "\194\192", "\224\160",
      "\226\130a", "\240\144\128", "\245\128\128\128", "a\191" } do
      local good, message = named(name)
      assert.is_false(good)
      assert.truthy(message:find("is no valid UTF-8", 1, true))
    end
  end)
end)

describe("what is explained of a body in space", function()
  it("names all of its inertias", function()
    local text = sarrus.model { name = "x", gravity = { 0, 0, 0 },
      body.rigid { "b", position = { 1, 2, 3 }, mass = 1, inertia = { 1, 2, 2.5 } } }
      :explain("model")
    assert.truthy(text:find("mass 1  at {1, 2, 3}  inertia {1, 2, 2.5}", 1, true))
  end)
end)

describe("a joint within a rod", function()
  it("is told of unless its axis runs along the rod, to 1e-9 of the cosine", function()
    for angle, told in pairs { [0] = false, [2e-5] = false, [1e-4] = true, [1] = true } do
      local warnings = sarrus.model {
        gravity = { 0, 0, 0 },
        body.rod { "rod", from = { 0, 0, 0 }, to = { 2, 0, 0 }, radius = 0.1, mass = 1 },
        joint.revolute { "j", "ground", "rod", at = { 0.5, 0, 0 },
          axis = { math.cos(angle), math.sin(angle), 0 } },
      }:warnings()
      assert.equal(told and 1 or 0, #warnings)
      assert.equal(told and 'model: joint.revolute "j" is at neither end of the rod "rod"' or nil,
        told and warnings[1].message or nil)
    end
  end)
end)

describe("the shape of a body", function()
  local function definition(name)
    return require("sarrus.body." .. name)
  end

  --- A shape reaches a place, even without a margin, and with one of 0.01 those beside its surface.
  local function ends_at(name, given, ...)
    local reaches = definition(name).reaches
    for _, surface in ipairs { ... } do
      for factor, inside in pairs { [1] = true, [1.005] = false } do
        local place, farther = {}, {}
        for k, x in ipairs(surface) do
          place[k], farther[k] = factor * x, 1.02 * x
        end
        assert.equal(inside, reaches(given, place, 0), name)
        assert.is_true(reaches(given, place, 0.01), name)
        assert.is_false(reaches(given, farther, 0.01), name)
      end
    end
  end

  it("reaches to its surface", function()
    ends_at("sphere", { radius = 1 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0.6, 0, -0.8 })
    ends_at("box", { size = { 2, 2, 4 } }, { 1, 0, 1.5 }, { 0.5, -1, 0 }, { 0, 0, 2 })
    ends_at("box", { size = { 2, 4 } }, { -1, 1 }, { 0, 2 })
    ends_at("disk", { radius = 1 }, { 0.6, 0.8 }, { -1, 0 })
    ends_at("cylinder", { radius = 1, length = 2, axis = { 0, 0.6, 0.8 } }, { 1, 0, 0 },
      { 0, 0.8, -0.6 }, { 0, 0.6, 0.8 }, { 0, -0.6, -0.8 })
    ends_at("rod", { radius = 1, length = 3 }, { 1.5, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 })
    local reaches = definition("point").reaches
    assert.is_true(reaches({}, { 0, 0 }, 0))
    assert.is_true(reaches({}, { 0.5, 0 }, 0.5))
    assert.is_false(reaches({}, { 0.5, 0.1 }, 0.5))
  end)

  it("has the inertia of a ball", function()
    local built = definition("sphere").build { mass = 5, radius = 2, position = { 0, 0, 0 } }
    assert.same({ { 8, 0, 0 }, { 0, 8, 0 }, { 0, 0, 8 } }, built.inertia) -- 2/5 m r^2
  end)

  it("extends to the farthest place of it", function()
    assert.equal(3, definition("sphere").extent { radius = 3 })
    assert.equal(1.5, definition("box").extent { size = { 1, 2, 2 } })
    assert.equal(5, definition("cylinder").extent { radius = 4, length = 6 })
    assert.equal(3, definition("rod").extent { radius = 0.1, length = 6 })
  end)
end)
