--- What pages are told of a model: shapes and places in the axes of the bodies.

local sarrus = require "sarrus"
local scenes = require "sarrus.output.scene"
local body, contact, joint = sarrus.body, sarrus.contact, sarrus.joint
local force, shape = sarrus.force, sarrus.shape

local function scene_of(parts)
  local model = sarrus.model(parts)
  return scenes.of(model), model
end

local function near(expected, p)
  assert.equal(#expected, #p)
  for k, x in ipairs(expected) do
    assert.near(x, p[k], 1e-12)
  end
end

--- Where a place of a scene is in the drawing.
local function drawn(model, index, place)
  if index < 0 then
    return place
  end
  return assert(model:assemble()):point(model.bodies[index + 1].name, place)
end

describe("a scene", function()
  it("has the shapes of planar bodies", function()
    local scene = scene_of {
      body.rod { "rod", from = { 1, 1 }, to = { 1, 3 }, mass = 1, radius = 0.1 },
      body.box { "box", position = { 4, 0 }, size = { 2, 1 }, mass = 1 },
      body.disk { "disk", position = { 0, 0 }, radius = 0.5, mass = 1, color = { 1, 0, 0.5 } },
      body.sphere { "ball", position = { 0, 5 }, radius = 0.25, mass = 1, color = "teal" },
      body.point { "point", position = { 7, 0 }, mass = 1 },
      body.rigid { "rigid", position = { 9, 0 }, mass = 1, inertia = 1 },
    }
    assert.equal(2, scene.dimension)
    local kinds = {}
    for i, b in ipairs(scene.bodies) do
      kinds[i] = b.kind
    end
    assert.same({ "rod", "box", "cylinder", "sphere", "point", "rigid" }, kinds)
    assert.equal(2, scene.bodies[1].length)
    assert.equal(0.1, scene.bodies[1].radius)
    assert.same({ 2, 1 }, scene.bodies[2].size)
    assert.equal("#ff0080", scene.bodies[3].color)
    assert.equal("teal", scene.bodies[4].color)
    assert.same({ { 0, 0 } }, scene.bodies[6].points)
    assert.equal(9 + 0.5, scene.size)
    assert.same({ 0, -1 }, scene.down)
  end)

  it("has the axis of a cylinder in its own axes", function()
    local scene = scene_of {
      gravity = { 3, 0, 0 },
      body.cylinder { "drum", position = { 0, 0, 0 }, radius = 1, length = 2, axis = { 0, 1, 0 },
        orientation = { axis = { 1, 0, 0 }, angle = math.pi / 2 }, mass = 1 },
    }
    near({ 0, 1, 0 }, scene.bodies[1].axis)
    assert.same({ 1, 0, 0 }, scene.down)
  end)

  it("evaluates sizes and gravity that are parameters", function()
    local scene = scene_of {
      gravity = { sarrus.parameter("g", 9.81), 0 },
      body.sphere { "ball", position = { 0, 0 }, mass = 1,
        radius = 2 * sarrus.parameter("r", 0.1) },
    }
    assert.near(0.2, scene.bodies[1].radius, 1e-15)
    assert.same({ 1, 0 }, scene.down)
  end)

  it("gives bodies that differ by a number one tone", function()
    local parts = {}
    for i, name in ipairs { "leg1", "leg2", "head", "leg 10" } do
      parts[i] = body.point { name, position = { i, 0 }, mass = 1 }
    end
    local tones = {}
    for i, b in ipairs(scene_of(parts).bodies) do
      tones[i] = b.tone
    end
    assert.same({ 0, 0, 1, 0 }, tones)
  end)

  it("gives bodies that differ by a number and may touch each other tones of their own", function()
    local parts, tones = { shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } } }, {}
    for i, name in ipairs { "stone1", "stone2", "wheel1", "wheel2", "stone3" } do
      parts[i + 1] = body.disk { name, position = { 3 * i, 1 }, radius = 1, mass = 1 }
    end
    parts[#parts + 1] = contact.pair { "c", { "stone1", "stone2", "stone3" } }
    parts[#parts + 1] = contact.pair { "f", "floor", { "wheel1", "wheel2" } }
    for i, b in ipairs(scene_of(parts).bodies) do
      tones[i] = b.tone
    end
    assert.same({ 0, 1, 2, 2, 3 }, tones)
  end)

  it("places joints and forces in the axes of both bodies", function()
    local scene, model = scene_of {
      gravity = { 0, 0, -1 },
      body.rod { "one", from = { 0, 0, 0 }, to = { 0, 1, 1 }, mass = 1 },
      body.rod { "two", from = { 0, 1, 1 }, to = { 2, 1, 1 }, mass = 1 },
      joint.revolute { "A", "ground", "one", at = { 0, 0, 0 }, axis = { 1, 0, 0 } },
      joint.universal { "B", "one", "two", at = { 0, 1, 1 }, axes = { { 1, 0, 0 }, { 0, 1, -1 } } },
      force.spring { "S", "ground", "two", from = { 2, 0, 0 }, to = { 2, 1, 1 }, stiffness = 1 },
    }
    local a, b, s = scene.joints[1], scene.joints[2], scene.forces[1]
    assert.same({ "revolute", -1, 0 }, { a.kind, a.a, a.b })
    assert.same({ "universal", 0, 1 }, { b.kind, b.a, b.b })
    assert.same({ "spring", -1, 1 }, { s.kind, s.a, s.b })
    near({ 0, 0, 0 }, drawn(model, a.b, a.at_b))
    near({ 0, 1, 1 }, drawn(model, b.a, b.at_a))
    near({ 0, 1, 1 }, drawn(model, b.b, b.at_b))
    near({ 2, 1, 1 }, drawn(model, s.b, s.at_b))
    near({ 2, 0, 0 }, s.at_a)
    local from = drawn(model, b.b, { 0, 0, 0 })
    local to = drawn(model, b.b, b.axis_b)
    near({ 0, math.sqrt(1 / 2), -math.sqrt(1 / 2) }, to - from)
  end)

  it("leads struts to places that a shape does not reach", function()
    local scene = scene_of {
      body.disk { "top", position = { 0, 0, 1 }, radius = 0.5, length = 0.1, mass = 1 },
      body.box { "box", position = { 3, 0, 0 }, size = { 1, 1, 1 }, mass = 1 },
      body.rigid { "frame", position = { 5, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
      joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
      joint.spherical { "rim", "ground", "top", at = { 0.5, 0, 1 } },
      joint.spherical { "corner", "box", "frame", at = { 3.5, 0.5, 0.5 } },
      joint.spherical { "side", "box", "frame", at = { 4, 0, 0 } },
    }
    assert.same({ { 0, 0, -1 } }, scene.bodies[1].struts)
    assert.same({ { 1, 0, 0 } }, scene.bodies[2].struts)
    assert.same({ { -1.5, 0.5, 0.5 }, { -1, 0, 0 } }, scene.bodies[3].points)
  end)

  it("draws a body that rolls about an axis as a wheel, about its centre", function()
    local scene = scene_of {
      body.rigid { "coin", position = { 1, 2, 3 }, mass = 1, inertia = { 1, 1, 1 } },
      joint.rolling { "R", "ground", "coin", radius = 3, normal = { 0, 0, 1 }, axis = { 0, 1, 0 } },
    }
    local circle = scene.joints[1].circles[1]
    assert.same({ 0, 3 }, { circle.body, circle.radius })
    assert.same({ 0, 0, 0 }, circle.at)
    assert.same({ 0, 1, 0 }, circle.axis)
  end)

  it("draws pitch circles of gears that touch, r2 = ratio r1", function()
    for _, case in ipairs { { 2, 1, 2 }, { -3, 1.5, 4.5 } } do
      local ratio, r1, r2 = case[1], case[2], case[3]
      local scene = scene_of {
        body.disk { "one", position = { 0, 0 }, radius = 1, mass = 1 },
        body.disk { "two", position = { 3, 0 }, radius = 2, mass = 1 },
        joint.revolute { "A", "ground", "one", at = { 0, 0 } },
        joint.revolute { "B", "ground", "two", at = { 3, 0 } },
        joint.gear { "G", "A", "B", ratio = ratio },
      }
      local circles = scene.joints[3].circles
      assert.same({ 0, 1 }, { circles[1].body, circles[2].body })
      assert.near(r1, circles[1].radius, 1e-12)
      assert.near(r2, circles[2].radius, 1e-12)
    end
  end)

  it("traces the end of a chain, or what most joints hold", function()
    local function traced(parts)
      local scene, model = scene_of(parts)
      assert.equal(1, #scene.traces)
      return drawn(model, scene.traces[1].body, scene.traces[1].point)
    end
    local function rod(name, from, to)
      return body.rod { name, from = from, to = to, mass = 1 }
    end
    near({ 2, 0 }, traced {
      rod("upper", { 0, 0 }, { 1, 0 }), rod("lower", { 2, 0 }, { 1, 0 }),
      joint.revolute { "A", "ground", "upper", at = { 0, 0 } },
      joint.revolute { "B", "upper", "lower", at = { 1, 0 } },
    })
    near({ 1, 1.5 }, traced {
      rod("crank", { 0, 0 }, { 0, 1 }), rod("coupler", { 0, 1 }, { 2, 2 }),
      rod("rocker", { 3, 0 }, { 2, 2 }),
      joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
      joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
      joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
      joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
    })
    near({ 5, 5 }, traced { body.point { "p", position = { 5, 5 }, mass = 1 } })
  end)

  it("refuses what is no colour", function()
    local good, message = pcall(sarrus.model, {
      body.point { "p", position = { 0, 0 }, mass = 1, color = "#12" },
      body.point { "q", position = { 0, 1 }, mass = 1, color = { 1, 2, 0 } },
    })
    assert.is_false(good)
    assert.truthy(message:find('body.point "p": color: got string "#12", want a name, '
      .. '"#rrggbb", or three numbers from 0 to 1', 1, true))
    assert.truthy(message:find('body.point "q": color: got a table', 1, true))
  end)
end)

describe("a scene with shapes", function()

  it("has them in the axes of their bodies, and every point of contact", function()
    local scene = scene_of {
      body.box { "box", position = { 1, 2 }, size = { 1, 1 }, mass = 1, angle = math.pi / 2 },
      body.rigid { "stone", position = { 5, 2 }, mass = 1, inertia = 1, color = "teal" },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 2 } },
      shape.disk { "knob", "box", at = { 1, 3 }, radius = 0.2, color = "#123456" },
      shape.polygon { "border", "stone", points = { { 5, 1 }, { 4, 3 }, { 6, 3 } } },
      contact.pair { "c", "floor", { "box", "knob", "stone" } },
    }
    assert.equal(3, #scene.shapes)
    local floor, knob, border = scene.shapes[1], scene.shapes[2], scene.shapes[3]
    assert.same({ "line", -1 }, { floor.kind, floor.body })
    near({ 0, 1 }, floor.normal)
    assert.same({ "disk", 0, "#123456" }, { knob.kind, knob.body, knob.color })
    near({ 1, 0 }, knob.at)
    assert.same({ "polygon", 1, "teal" }, { border.kind, border.body, border.color })
    near({ 0, -1 }, border.points[3]) -- they go round to the left
    assert.equal("bare", scene.bodies[2].kind)
    assert.equal(4 + 1 + 3, #scene.contacts)
    assert.equal("c", scene.contacts[1].name)
  end)

  it("has those of space", function()
    local scene = scene_of {
      body.sphere { "b", position = { 0, 0, 3 }, radius = 1, mass = 1 },
      shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
      shape.box { "block", "ground", at = { 3, 0, 1 }, size = { 1, 2, 3 } },
      shape.capsule { "pill", "b", from = { 0, 0, 3 }, to = { 0, 0, 5 }, radius = 0.5 },
    }
    near({ 1, 2, 3 }, scene.shapes[2].size)
    near({ 0, 0, 2 }, scene.shapes[3].to)
    assert.same({ "plane", "box", "capsule" },
      { scene.shapes[1].kind, scene.shapes[2].kind, scene.shapes[3].kind })
    assert.same({}, scene.contacts)
  end)
end)

describe("a scene of bodies without a form", function()

  local function rigid(name, position)
    return body.rigid { name, position = position, mass = 1, inertia = 1 }
  end

  it("leads them from joint to joint, from a single one to the centre of mass", function()
    local scene = scene_of {
      rigid("link", { 1, 1 }), rigid("bob", { 2, -1 }),
      joint.revolute { "A", "ground", "link", at = { 0, 0 } },
      joint.revolute { "B", "link", "bob", at = { 2, 0 } },
    }
    assert.same({ { -1, -1 }, { 1, -1 } }, scene.bodies[1].points)
    assert.same({ { 0, 1 }, { 0, 0 } }, scene.bodies[2].points)
  end)

  it("shows their shapes, and struts to joints that these do not reach", function()
    local scene = scene_of {
      rigid("hook", { 0, 0 }), rigid("disk", { 5, 0 }),
      shape.box { "eye", "hook", at = { 2, 0 }, size = { 1, 1 } },
      shape.disk { "rim", "disk", at = { 5, 0 }, radius = 1 },
      joint.revolute { "A", "ground", "hook", at = { 0, 3 } },
      joint.revolute { "B", "ground", "hook", at = { 2.4, 0.4 } },
      joint.revolute { "C", "ground", "disk", at = { 5.5, 0 } },
    }
    assert.same({ "bare", "bare" }, { scene.bodies[1].kind, scene.bodies[2].kind })
    assert.same({ { 0, 3 }, { 2, 0 } }, scene.bodies[1].struts)
    assert.same({}, scene.bodies[2].struts)
  end)

  it("finds what the shapes of space reach", function()
    local function struts(make)
      local scene = scene_of {
        body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } }, make,
        joint.spherical { "near", "ground", "b", at = { 1, 0.2, 0 } },
        joint.spherical { "off", "ground", "b", at = { 1, 2, 0 } },
      }
      return scene.bodies[1].struts
    end
    local turned = { axis = { 0, 0, 1 }, angle = math.pi / 2 }
    for _, make in ipairs {
      shape.sphere { "s", "b", at = { 0, 0, 0 }, radius = 1.1 },
      shape.box { "s", "b", at = { 0.6, 0, 0 }, size = { 1, 1.3, 1 }, orientation = turned },
      shape.capsule { "s", "b", from = { 0, 0, 0 }, to = { 2, 0, 0 }, radius = 0.3 },
    } do
      assert.same({ { 1, 2, 0 } }, struts(make))
    end
  end)
end)

describe("the joints of a scene", function()
  it("know how much room there is to the next one, on either of their bodies", function()
    local scene = scene_of {
      body.rod { "one", from = { 0, 0 }, to = { 4, 0 }, mass = 1 },
      body.rod { "two", from = { 1, 0 }, to = { 1, 3 }, mass = 1 },
      body.rod { "three", from = { 9, 0 }, to = { 9, 1 }, mass = 1 },
      joint.revolute { "A", "ground", "one", at = { 0, 0 } },
      joint.revolute { "B", "one", "two", at = { 1, 0 } },
      joint.revolute { "C", "one", "two", at = { 1, 0 } },
      joint.revolute { "D", "ground", "three", at = { 9, 0 } },
    }
    assert.same({ 1, 1, 1, 9 }, { scene.joints[1].room, scene.joints[2].room,
      scene.joints[3].room, scene.joints[4].room })
  end)

  it("know how far they can stretch", function()
    local scene = scene_of {
      body.point { "p", position = { 3, 0 }, mass = 1 },
      body.point { "q", position = { 5, 0 }, mass = 1 },
      joint.distance { "rod", "ground", "p", from = { 0, 0 }, to = { 3, 0 } },
      joint.distance { "rope", "p", "q", from = { 3, 0 }, to = { 5, 0 }, limits = { 0, 4 } },
    }
    assert.same({ 3, 4 }, { scene.joints[1].reach, scene.joints[2].reach })
  end)
end)

describe("the size of a scene", function()
  it("counts the way that bodies go", function()
    local model = sarrus.model {
      body.disk { "ball", position = { 0, 0 }, radius = 0.5, mass = 1 },
    }
    local close = { { poses = { 0, 0, 0, 0, 0, 0 } }, { poses = { 0.5, 0, 0, 0, 0, 0 } } }
    local far = { { poses = { 0, 0, 0, 0, 0, 0 } }, { poses = { 17.5, 0, 0, 0, 0, 0 } } }
    assert.equal(1, scenes.of(model, nil, close).size)
    assert.near(18 / 1.8, scenes.of(model, nil, far).size, 1e-12)
    assert.equal(1, scenes.of(model, nil, far).drawn)
  end)
end)

describe("a scene of contacts", function()
  it("draws bars as thin as they are where others touch them", function()
    local scene = scene_of {
      body.rod { "bar", from = { 0, 0 }, to = { 4, 0 }, mass = 1 },
      body.rod { "other", from = { 0, 5 }, to = { 4, 5 }, mass = 1 },
      body.disk { "ball", position = { 2, 1 }, radius = 1, mass = 1 },
      sarrus.contact.pair { "c", "bar", "ball" },
    }
    assert.is_true(scene.bodies[1].exact)
    assert.is_nil(scene.bodies[2].exact)
    assert.same({ "c", 0, 2 }, { scene.contacts[1].name, scene.contacts[1].a, scene.contacts[1].b })
  end)
end)
