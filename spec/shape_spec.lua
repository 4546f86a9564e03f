--- Shapes: what scripts may say of them, and how far they are from each other.

local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local function fails(parts)
  local good, message = pcall(sarrus.model, parts)
  assert.is_false(good)
  return (message:gsub("^[^:]*shape_spec.lua:%d+: ", ""))
end

local wheel = body.disk { "wheel", position = { 0, 2 }, radius = 0.5, mass = 1 }
local ball = body.sphere { "ball", position = { 0, 0, 2 }, radius = 0.5, mass = 1 }

-- Declarations -----------------------------------------------------------------------------------

describe("a shape", function()
  it("that is unknown is told by name", function()
    local _, message = pcall(function() return shape.circle end)
    local want = [[unknown shape type "circle" (did you mean 'disk'?); there are line, disk,]]
    assert.truthy(message:find(want, 1, true))
  end)

  for _, case in ipairs {
    { "of the other dimension", 'shape.sphere "s": exists only in spatial models: use disk',
      { wheel, shape.sphere { "s", "wheel", at = { 0, 2, 0 }, radius = 1 } } },
    { "in a place of the other dimension",
      'shape.disk "s": at: 3 components in a planar model, want 2',
      { wheel, shape.disk { "s", "wheel", at = { 0, 2, 0 }, radius = 1 } } },
    { "without a radius", 'shape.disk "s": radius = 0; must be positive',
      { wheel, shape.disk { "s", "wheel", at = { 0, 2 }, radius = 0 } } },
    { "without a size", 'shape.box "s": size[2] = -1; must be positive',
      { wheel, shape.box { "s", "wheel", at = { 0, 2 }, size = { 1, -1 } } } },
    { "without a direction", 'shape.line "s": normal: the vector has length 0, so no direction',
      { wheel, shape.line { "s", "ground", at = { 0, 0 }, normal = { 0, 0 } } } },
    { "on no body", [[shape.disk "s": the body, [2]: unknown body "weel" (did you mean 'wheel'?)]],
      { wheel, shape.disk { "s", "weel", at = { 0, 2 }, radius = 1 } } },
    { "with an unknown field", "shape.disk \"s\": unknown field 'raduis' (did you mean 'radius'?)",
      { wheel, shape.disk { "s", "wheel", at = { 0, 2 }, radius = 1, raduis = 2 } } },
    { "with two corners", 'shape.polygon "s": points: 2 corners, want at least 3 corners',
      { wheel, shape.polygon { "s", "wheel", points = { { 0, 0 }, { 1, 0 } } } } },
    { "that is not convex", 'shape.polygon "s": points[3]: the polygon is not convex there; put it '
      .. "together from convex ones",
      { wheel, shape.polygon { "s", "wheel", points = { { 0, 0 }, { 2, 0 }, { 1, 0.2 }, { 0,
        2 } } } } },
    { "whose sides cross", 'shape.polygon "s": points: the sides cross each other',
      { wheel, shape.polygon { "s", "wheel", points = { { 1, 0 }, { -0.8, 0.6 }, { 0.3, -0.95 },
        { 0.3, 0.95 }, { -0.8, -0.6 } } } } },
    { "with a corner that is none",
      'shape.polygon "s": points[2]: no corner: it lies on the line of its neighbours',
      { wheel, shape.polygon { "s", "wheel", points = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 0,
        2 } } } } },
    { "of no length", 'shape.capsule "s": \'from\' and \'to\' are the same place: use sphere',
      { ball, shape.capsule { "s", "ball", from = { 0, 0, 0 }, to = { 0, 0, 0 }, radius = 1 } } },
    { "from no file", 'shape.mesh "s": file: /none.stl: No such file or directory',
      { ball, shape.mesh { "s", "ball", file = "/none.stl" } } },
    { "with a name that is taken",
      'shape.disk "wheel": the name "wheel" is taken by body.disk "wheel" at ?: names are '
      .. "unique",
      { wheel, shape.disk { "wheel", "wheel", at = { 0, 2 }, radius = 1 } } },
  } do
    it(case[1] .. " is misuse", function()
      local message = fails(case[3]):gsub("at [^ ]*:%d+:", "at ?:")
      assert.equal(case[2], message:sub(1, #case[2]))
    end)
  end
end)

describe("a contact", function()
  local floor = shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } }
  local plane = shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } }
  local block = body.box { "block", position = { 0, 0, 4 }, size = { 1, 1, 1 }, mass = 1 }
  local box = shape.box { "table", "ground", at = { 0, 0, 1 }, size = { 1, 1, 1 } }
  for _, case in ipairs {
    { "of an unknown shape",
      [[contact.pair "c": A, [2]: unknown shape "flor" (did you mean 'floor'?)]],
      { wheel, floor, contact.pair { "c", "flor", "wheel" } } },
    { "of a body without a shape", 'contact.pair "c": B, [3]: "mass" has no shape: fix one to it, '
      .. 'shape.disk { "name", "mass", … }',
      { body.point { "mass", position = { 0, 1 }, mass = 1 }, floor,
        contact.pair { "c", "floor", "mass" } } },
    { "of one shape",
      'contact.pair "c": B, [3]: is missing, want the name of a shape, or a list of '
      .. "names", { wheel, floor, contact.pair { "c", "floor" } } },
    { "within one body",
      'contact.pair "c": "wheel" and "hub" are both fixed to "wheel": they cannot '
      .. "touch", { wheel, shape.disk { "hub", "wheel", at = { 0, 2 }, radius = 0.1 },
        contact.pair { "c", "wheel", "hub" } } },
    { "of shapes that no contact is known for",
      'contact.pair "c": "table" and "block": no contact of '
      .. "a box and a box; there is plane with sphere, box, capsule, cylinder, point; sphere and "
      .. "capsule with sphere, capsule, box", { block, box, contact.pair { "c", "table",
        "block" } } },
    { "of two planes",
      'contact.pair "c": "floor" and "wall": no contact of a plane and a '
      .. "plane; there is",
      { ball, plane, shape.plane { "wall", "ball", at = { 0, 0, 0 }, normal = { 1, 0, 0 } },
        contact.pair { "c", "floor", "wall" } } },
    { "with negative friction", 'contact.pair "c": friction = -1; must be 0 or positive',
      { wheel, floor, contact.pair { "c", "floor", "wheel", friction = -1 } } },
    { "with too much restitution", 'contact.pair "c": restitution = 1.5; must be from 0 to 1',
      { wheel, floor, contact.pair { "c", "floor", "wheel", restitution = 1.5 } } },
    { "with NaN", 'contact.pair "c": friction: NaN is not finite',
      { wheel, floor, contact.pair { "c", "floor", "wheel", friction = 0 / 0 } } },
    { "with friction and no slip",
      'contact.custom "c": friction needs slip, the velocity along the surface',
      { wheel, contact.custom { "c", { "wheel" }, gap = function(a) return a:point().y end,
        friction = 1 } } },
  } do
    it(case[1] .. " is misuse", function()
      assert.equal(case[2], fails(case[3]):gsub("-nan", "NaN"):gsub("nan", "NaN"):sub(1, #case[2]))
    end)
  end
end)

describe("a shape on a body", function()
  it("adds no mass", function()
    local rim = shape.disk { "rim", "wheel", at = { 0.3, 2 }, radius = 2 }
    for _, more in ipairs { false, rim } do
      local sim = assert(sarrus.model { wheel, more or nil }:simulate {})
      assert(sim:impulse("wheel", { 0, 3 }, { 0.5, 2 }))
      assert.equal(3, sim:state():body("wheel").velocity.y)
      assert.equal(3 * 0.5 / 0.125, sim:state():body("wheel").spin)
    end
  end)
end)

-- Gaps -------------------------------------------------------------------------------------------

--- The gap of two shapes: `moving` of the body "m" as drawn, and `fixed`.
local function gap(mover, moving, fixed)
  local model = sarrus.model { mover, moving, fixed, contact.pair { "c", "fixed", "moving" } }
  return assert(model:assemble()):contact("c").gap
end

local function planar_gap(moving, fixed)
  return gap(body.rigid { "m", position = { 0.3, -0.2 }, angle = 0.7, mass = 1, inertia = 1 },
    moving,
    fixed)
end

local function spatial_gap(moving, fixed)
  return gap(body.rigid { "m", position = { 0.3, -0.2, 0.1 }, mass = 1, inertia = { 1, 1, 1 },
    orientation = { axis = { 1, 2, 3 }, angle = 0.7 } }, moving, fixed)
end

describe("the gap", function()
  it("of planar shapes is their distance, or that of corners from faces", function()
    local disk = shape.disk { "moving", "m", at = { 3, 4 }, radius = 1 }
    local box = shape.box { "fixed", "ground", at = { 0, 0 }, size = { 2, 4 } }
    assert.near(3, planar_gap(disk, shape.line { "fixed", "ground", at = { 9, 0 }, normal = { 0,
      1 } }),
      1e-14)
    assert.near(3, planar_gap(disk, shape.disk { "fixed", "ground", at = { 0, 0 }, radius = 1 }),
      1e-14)
    assert.near(4, planar_gap(disk, shape.point { "fixed", "ground", at = { 0, 0 } }), 1e-14)
    assert.near(math.sqrt(8) - 1, planar_gap(disk, box), 1e-14)
    assert.near(1, planar_gap(shape.disk { "moving", "m", at = { -3, 1 }, radius = 1 }, box), 1e-14)
    assert.near(1.5, planar_gap(shape.point { "moving", "m", at = { -2.5, 1 } }, box), 1e-14)
    local corner = shape.polygon { "moving", "m", points = { { 5, 3 }, { 3, 1 }, { 5, -1 } } }
    assert.near(2, planar_gap(corner, box), 1e-14)
    assert.near(3, planar_gap(corner, shape.line { "fixed", "ground", at = { 0, 0 }, normal = { 1,
      0 } }),
      1e-14)
  end)

  it("of a thin bar is that of its ends and its sides", function()
    local rod = body.rod { "m", from = { 1, 2 }, to = { 4, 2 }, mass = 1 }
    local function of(fixed)
      local model = sarrus.model { rod, fixed, contact.pair { "c", "fixed", "m" } }
      return assert(model:assemble()):contact("c").gap
    end
    assert.near(2, of(shape.line { "fixed", "ground", at = { 0, 0 }, normal = { 0, 1 } }), 1e-14)
    assert.near(1.5, of(shape.disk { "fixed", "ground", at = { 2, 0 }, radius = 0.5 }), 1e-14)
    assert.near(math.sqrt(5) - 0.5, of(shape.disk { "fixed", "ground", at = { 0, 0 },
      radius = 0.5 }),
      1e-14)
    assert.near(1, of(shape.polygon { "fixed", "ground", points = { { 2, 1 }, { 1, 0 }, { 3,
      0 } } }),
      1e-14)
  end)

  it("of spatial shapes is their distance", function()
    local sphere = shape.sphere { "moving", "m", at = { 3, 4, 0 }, radius = 1 }
    local rod = shape.capsule { "moving", "m", from = { -5, 0, 3 }, to = { 5, 0, 3 }, radius = 0.5 }
    local plane = shape.plane { "fixed", "ground", at = { 0, 0, -1 }, normal = { 0, 0, 1 } }
    local box = shape.box { "fixed", "ground", at = { 0, 0, 0 }, size = { 2, 4, 2 } }
    local across = shape.capsule { "fixed", "ground", from = { 0, -5, 0 }, to = { 0, 5, 0 },
      radius = 1 }
    assert.near(0, spatial_gap(sphere, plane), 1e-14)
    assert.near(3, spatial_gap(sphere, shape.sphere { "fixed", "ground", at = { 0, 0, 0 },
      radius = 1 }),
      1e-14)
    assert.near(1, spatial_gap(sphere, across), 1e-14)
    assert.near(math.sqrt(8) - 1, spatial_gap(sphere, box), 1e-14)
    assert.near(3.5, spatial_gap(rod, plane), 1e-14)
    assert.near(1.5, spatial_gap(rod, across), 1e-14)
    assert.near(1.5, spatial_gap(rod, box), 1e-14)
    assert.near(3, spatial_gap(shape.box { "moving", "m", at = { 0, 0, 3 }, size = { 1, 1, 2 } },
      plane),
      1e-14)
    assert.near(4, spatial_gap(shape.point { "moving", "m", at = { 0, 0, 3 } }, plane), 1e-14)
    assert.near(3, spatial_gap(shape.cylinder { "moving", "m", from = { -1, 0, 3 }, to = { 1, 0,
      3 },
      radius = 1 }, plane), 1e-14)
  end)

  it("of a body that is a shape goes by its name, and by that of what is fixed to it", function()
    local function of(parts)
      parts[#parts + 1] = shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } }
      return assert(sarrus.model(parts):assemble()):contact("c").gap
    end
    local pair = contact.pair { "c", "floor", "b" }
    assert.near(0.5, of { body.disk { "b", position = { 0, 1 }, radius = 0.5, mass = 1 }, pair },
      1e-15)
    assert.near(0.25, of { body.box { "b", position = { 0, 1 }, size = { 9, 1.5 }, mass = 1 },
      pair },
      1e-15)
    assert.near(0.5, of { body.rigid { "b", position = { 0, 1 }, inertia = 1, mass = 1 }, pair,
      shape.disk { "one", "b", at = { 4, 1 }, radius = 0.25 },
      shape.disk { "two", "b", at = { 0, 1 }, radius = 0.5 } }, 1e-15)
  end)
end)
