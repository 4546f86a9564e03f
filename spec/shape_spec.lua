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
  it("may be any convex polygon, whichever way and from whichever corner", function()
    local function lies(points)
      return sarrus.model { wheel, shape.polygon { "s", "wheel", points = points } }
    end
    for n = 3, 9 do
      for first = 1, n do
        for sense = -1, 1, 2 do
          local points, star = {}, {}
          for i = 1, n do
            local angle = 2 * math.pi * (sense * i + first) / n
            points[i] = { 7 + 3 * math.cos(angle), -5 + math.sin(angle) }
            star[i] = { 7 + 3 * math.cos(2 * angle), -5 + math.sin(2 * angle) }
          end
          assert.truthy(lies(points))
          if n > 4 and n % 2 == 1 then
            local _, message = pcall(lies, star)
            assert.equal('shape.polygon "s": points: the sides cross each other',
              (message:gsub("^[^:]*:%d+: ", "")))
          end
        end
      end
    end
  end)

  it("has all its corners on one side, at whichever the first does not", function()
    local flat = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 1, 2 } }
    local hollow = { { 0, 0 }, { 1, 0.5 }, { 2, 0 }, { 1, 2 } }
    for first = 1, 4 do
      local function from(points)
        local list = {}
        for i = 1, 4 do
          list[i] = points[(i + first) % 4 + 1]
        end
        return fails { wheel, shape.polygon { "s", "wheel", points = list } }
      end
      local at = -first % 4 + 1
      assert.equal(('shape.polygon "s": points[%d]: no corner: it lies on the line of its '
        .. "neighbours"):format(at), from(flat))
      assert.equal(('shape.polygon "s": points[%d]: the polygon is not convex there; put it '
        .. "together from convex ones"):format(at), from(hollow))
    end
    assert.equal('shape.polygon "s": points: 2 corners, want at least 3 corners',
      fails { wheel, shape.polygon { "s", "wheel", points = { { 0, 0 }, { 1, 0 } } } })
    assert.truthy(sarrus.model { wheel, shape.polygon { "s", "wheel",
      points = { { 0, 0 }, { 1, 0 }, { 0, 1 } } } })
  end)

  it("may have a corner that is one by more than 1e-12 of its area", function()
    local function with(height)
      return sarrus.model { wheel, shape.polygon { "s", "wheel",
        points = { { 0, 0 }, { 1, -height }, { 2, 0 }, { 1, 1 } } } }
    end
    assert.truthy(with(3e-12)) -- turns by 2 height, twice the area is 2
    assert.equal('shape.polygon "s": points[2]: no corner: it lies on the line of its neighbours',
      fails { wheel, shape.polygon { "s", "wheel",
        points = { { 0, 0 }, { 1, -3e-13 }, { 2, 0 }, { 1, 1 } } } })
  end)

  it("has a colour by name, in hexadecimal, or of shares from 0 to 1", function()
    local function colored(color)
      return sarrus.model { body.disk { "wheel", position = { 0, 2 }, radius = 0.5, mass = 1,
        color = color } }.bodies[1].color
    end
    assert.equal("#00ff00", colored { 0, 1, 0 })
    assert.equal("#ff00ff", colored { 1, 0, 1 })
    assert.equal("#408000", colored { 0.25, 0.5, 0 })
    assert.equal("red", colored "red")
    assert.equal("#abc", colored "#abc")
    assert.equal("#a1b2c3", colored "#a1b2c3")
    for _, wrong in ipairs { { -0.01, 0, 0 }, { 0, 1.01, 0 }, { 0, 0, 2 }, { 0.5, 0.5 }, { 0, 0,
      "1" }, "#ab", "light red", 3 } do
      local good, message = pcall(colored, wrong)
      assert.is_false(good)
      assert.truthy(message:find(', want a name, "#rrggbb", or three numbers from 0 to 1', 1, true))
    end
  end)

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
    { "with an edge of 0", 'shape.box "s": size[1] = 0; must be positive',
      { wheel, shape.box { "s", "wheel", at = { 0, 2 }, size = { 0, 1 } } } },
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

-- Forms ------------------------------------------------------------------------------------------

local forms = require "sarrus.model.drawing.form"

local function same(expected, found)
  assert.equal(#expected, #found)
  for k, x in ipairs(expected) do
    assert.near(x, found[k], 1e-14)
  end
end

describe("a form", function()
  local function polygon_of(count)
    local points = { { 0, 0 }, { 1, 0 }, { 0, 1 } }
    for i = 3, count + 1, -1 do
      points[i] = nil
    end
    return forms.polygon("p", points)
  end

  it("of a polygon has its corners, sides and size", function()
    local form = forms.polygon("tile", { { 1, 1 }, { 5, 1 }, { 5, 4 } })
    assert.same({ "tile", "polygon", 4 }, { form[1], form.kind, form.size })
    assert.equal(3, forms.polygon("tile", { { 0, 0 }, { 2, 1 }, { 1, 3 } }).size)
    local along = { { 1, 0 }, { 0, 1 }, { -0.8, -0.6 } }
    local half = { { 1.8, 0.6 }, { -1, 1 }, { -0.8, -1.6 } } -- half the way between the neighbours
    for i, side in ipairs(form.sides) do
      same(along[i], side.along)
      same({ along[i][2], -along[i][1] }, side.normal)
      assert.near(({ 4, 3, 5 })[i], side.length, 1e-14)
      local length = math.sqrt(half[i][1] ^ 2 + half[i][2] ^ 2)
      same({ half[i][1] / length, half[i][2] / length }, form.corners[i].inward)
      assert.equal(form.corners[i].at, side.from)
      assert.equal(form.corners[i % 3 + 1].at, side.to)
      assert.same({ side.from, side.normal }, { form.faces[i].at, form.faces[i].normal })
    end
    assert.same({ 3, 3 }, { #form.sides, #form.faces })
  end)

  it("of two corners is a bar with four faces, of one a point", function()
    local bar = forms.polygon("bar", { { 1, 0 }, { 3, 0 } })
    assert.same({ "polygon", 2 }, { bar.kind, bar.size })
    local normals = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } }
    for i, face in ipairs(bar.faces) do
      same(normals[i], face.normal)
    end
    same({ 1, 0 }, bar.corners[1].inward)
    same({ -1, 0 }, bar.corners[2].inward)
    local point = forms.polygon("point", { { 1, 2 } })
    assert.same({ "point", 0, {}, {} }, { point.kind, point.size, point.sides, point.faces })
    assert.same({ { at = { 1, 2 }, inward = { 0, 0 } } }, point.corners)
  end)

  it("of a box has its corners about its middle, to the left", function()
    local form = forms.box({ 1, 2 }, { { 0.8, 0.6 }, { -0.6, 0.8 } }, { 10, 20 })
    for i, corner in ipairs { { 3, -9 }, { 11, -3 }, { -1, 13 }, { -9, 7 } } do
      same(corner, form.corners[i].at)
    end
    same({ 0.5, 1, 1.5 }, forms.box({ 0, 0, 0 }, {}, { 1, 2, 3 }).half)
  end)

  it("lies in a ball about its middle", function()
    local polygon = forms.ball(forms.polygon("p", { { 0, 0 }, { 6, 0 }, { 0, 3 } }))
    same({ 2, 1 }, polygon.at)
    assert.near(math.sqrt(17), polygon.radius, 1e-14)
    local bar = forms.polygon("bar", { { 0, 0 }, { 1, 0 } })
    assert.near(0.5 + bar.half_thickness, forms.ball(bar).radius, 1e-14)
    assert.same({ 1e-8, 0, 0 }, { bar.half_thickness, polygon_of(3).half_thickness,
      polygon_of(1).half_thickness })
    assert.same({ false, true, false }, { bar.inside, polygon_of(3).inside, polygon_of(1).inside })
    local capsule = forms.ball { "capsule", from = { 1, 2, 3 }, to = { 3, 5, 9 }, radius = 0.5 }
    same({ 2, 3.5, 6 }, capsule.at)
    assert.near(4, capsule.radius, 1e-14)
    assert.near(7, forms.ball(forms.box({ 1, 1, 1 }, {}, { 4, 6, 12 })).radius, 1e-14)
    local cylinder = forms.ball { "cylinder", from = { 0, 0, 0 }, to = { 0, 0, 4 }, radius = 1 }
    same({ 0, 0, 2 }, cylinder.at)
    assert.near(3, cylinder.radius, 1e-14)
    assert.same({ at = { 1, 2, 3 }, radius = 4, exact = true },
      forms.ball { "sphere", at = { 1, 2, 3 }, radius = 4 })
    assert.same({ at = { 1, 2 }, radius = 0, exact = true }, forms.ball { "point", at = { 1, 2 } })
    assert.is_nil(forms.ball { "plane" })
  end)

  it("of a body is about its centre of mass", function()
    local function of(kind, dimension, own, axis)
      own[1] = kind
      return forms.of_body({ shape = own, axis = axis }, dimension)
    end
    local axes = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
    assert.same({ "box", at = { 0, 0, 0 }, axes = axes, half = { 1, 2, 3 } },
      of("box", 3, { size = { 2, 4, 6 } }))
    for i, corner in ipairs { { -1, -2 }, { 1, -2 }, { 1, 2 }, { -1, 2 } } do
      same(corner, of("box", 2, { size = { 2, 4 } }).corners[i].at)
    end
    assert.same({ "disk", at = { 0, 0 }, radius = 3 }, of("sphere", 2, { radius = 3 }))
    assert.same({ "sphere", at = { 0, 0, 0 }, radius = 3 }, of("sphere", 3, { radius = 3 }))
    assert.same({ "disk", at = { 0, 0 }, radius = 3 }, of("cylinder", 2, { radius = 3 }))
    local axis = { 2 / 3, -1 / 3, 2 / 3 }
    local cylinder = of("cylinder", 3, { radius = 1, length = 6 }, axis)
    same({ -2, 1, -2 }, cylinder.from)
    same({ 2, -1, 2 }, cylinder.to)
    assert.same({ "cylinder", axis, 1, false },
      { cylinder[1], cylinder.axis, cylinder.radius, cylinder.flat })
    assert.is_true(of("cylinder", 3, { radius = 1, length = 0 }, axis).flat)
    assert.same({ "capsule", from = { -2, 0, 0 }, to = { 2, 0, 0 }, radius = 0.5 },
      of("rod", 3, { length = 4, radius = 0.5 }))
    local rod = of("rod", 2, { length = 4 })
    same({ -2, 0 }, rod.corners[1].at)
    same({ 2, 0 }, rod.corners[2].at)
  end)
end)

describe("a polygon", function()
  it("is the same whichever way its corners go round", function()
    local corners = { { -1, -2 }, { 3, -1 }, { 0, 4 } }
    local block = shape.box { "fixed", "ground", at = { 0, 0 }, size = { 2, 2 } }
    for first = 1, 3 do
      for step = 1, 2 do
        local points = {}
        for i = 1, 3 do
          local p = corners[(first + i * step) % 3 + 1]
          points[i] = { 6 + p[1], 5 + p[2] }
        end
        -- the block's corner (1, -1) from the side from (5, 3) to (6, 9), and a disk from it
        assert.near(20 / math.sqrt(37),
          planar_gap(shape.polygon { "moving", "m", points = points }, block), 1e-14)
        local disk = shape.disk { "fixed", "ground", at = { 0, 6.5 }, radius = 0.5 }
        local away = 33.5 / math.sqrt(37)
        assert.near(away - 0.5, planar_gap(shape.polygon { "moving", "m", points = points }, disk),
          1e-13)
      end
    end
  end)
end)

describe("where spatial shapes touch", function()
  local draw = dofile("spec/random/tools/draw.lua").new(3)
  local vec = sarrus.vec

  it("tangents and normal are axes, whichever way it points", function()
    local spatial = require "sarrus.model.equations.touch_spatial"
    local list = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { 0, -1, 0 } }
    for i = 1, 20 do
      list[4 + i] = draw:direction()
    end
    for _, n in ipairs(list) do
      local normal, tangents = vec(n), spatial.tangents(n)
      for k, one in ipairs(tangents) do
        assert.near(1, vec.norm(one), 1e-14)
        assert.near(0, vec.dot(one, normal), 1e-14)
        assert.near(0, vec.dot(one, tangents[3 - k]), 1e-14)
      end
      assert.near(1, vec.dot(vec.cross(tangents[1], tangents[2]), normal), 1e-14)
    end
  end)

  it("the gap to a plane is the least height of all their points", function()
    for _ = 1, 10 do
      local n, a = vec(draw:direction()), vec(draw:direction())
      local from, half = vec(draw:list(3, -1, 1)), draw:between(0.2, 1)
      local to, size = from + 2 * half * a, draw:list(3, 0.2, 1)
      local height = vec.dot(n, from - vec { 0.1, 0.2, 0.3 })
      local rise = math.min(0, 2 * half * vec.dot(n, a))
      local across = math.sqrt(1 - vec.dot(n, a) ^ 2)
      local function rod(kind)
        return shape[kind] { "moving", "m", from = from, to = to, radius = 0.3 }
      end
      local up = 3 + math.max(0, -height - rise) -- they do not touch yet
      local function lifted(moving)
        return gap(body.rigid { "m", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
          moving, shape.plane { "fixed", "ground", at = vec { 0.1, 0.2, 0.3 } - up * n,
            normal = n })
      end
      assert.near(up + height + rise - 0.3, lifted(rod "capsule"), 1e-13)
      assert.near(up + height + rise - 0.3 * across, lifted(rod "cylinder"), 1e-13)
      assert.near(up + height - 0.3,
        lifted(shape.sphere { "moving", "m", at = from, radius = 0.3 }), 1e-13)
      local angle = draw:between(-3, 3)
      local reach, p = 0, sarrus.model { body.box { "b", position = { 0, 0, 0 }, size = size,
        mass = 1, orientation = { axis = a, angle = angle } } }:assemble()
      for k = 1, 3 do
        local axis = p:point("b", { k == 1 and 1 or 0, k == 2 and 1 or 0, k == 3 and 1 or 0 })
        reach = reach + size[k] / 2 * math.abs(vec.dot(n, axis))
      end
      assert.near(up + height - reach, lifted(shape.box { "moving", "m", at = from, size = size,
        orientation = { axis = a, angle = angle } }), 1e-13)
    end
  end)

  it("points are as many as can be nearest", function()
    local function count(one, other)
      return #sarrus.model { body.rigid { "m", position = { 0, 0, 9 }, mass = 1,
        inertia = { 1, 1, 1 } }, one, other, contact.pair { "c", "one", "other" } }
        .contacts[1].laws
    end
    local plane = shape.plane { "one", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } }
    local box = shape.box { "one", "ground", at = { 0, 0, 0 }, size = { 1, 2, 3 } }
    local other_ball = shape.sphere { "other", "m", at = { 0, 0, 9 }, radius = 1 }
    local point = shape.point { "other", "m", at = { 0, 0, 9 } }
    local function rod(kind)
      return shape[kind] { "other", "m", from = { 0, 0, 9 }, to = { 0, 1, 9 }, radius = 0.5 }
    end
    local function rod_below(kind)
      return shape[kind] { "one", "ground", from = { 0, 0, 0 }, to = { 0, 1, 0 }, radius = 0.5 }
    end
    assert.same({ 1, 1, 2, 8, 8 }, { count(plane, other_ball), count(plane, point),
      count(plane, rod "capsule"), count(plane, rod "cylinder"),
      count(plane, shape.box { "other", "m", at = { 0, 0, 9 }, size = { 1, 1, 1 } }) })
    assert.same({ 1, 22, 1, 5 }, { count(box, other_ball), count(box, rod "capsule"),
      count(rod_below "capsule", other_ball), count(rod_below "capsule", rod "capsule") })
  end)

  it("a cylinder stands with its mass above what divides its rim in three", function()
    for i = 0, 11 do
      local angle = 2 * math.pi * i / 12
      local x, y = 0.45 * math.cos(angle), 0.45 * math.sin(angle)
      local sim = assert(sarrus.model { gravity = { 0, 0, -10 },
        body.rigid { "b", position = { x, y, 1 }, mass = 2, inertia = { 1, 1, 1 } },
        shape.cylinder { "foot", "b", from = { 0, 0, 0 }, to = { 0, 0, 2 }, radius = 1 },
        shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
        contact.pair { "c", "floor", "foot" } }:simulate {})
      assert(sim:advance(1))
      local told = sim:state():contact("c")
      assert.near(20, told.normal_force, 1e-9)
      assert.near(0, vec.norm(told.force - vec { 0, 0, 20 }), 1e-9)
      assert.near(0, told.friction_force, 1e-12)
      assert.near(0, vec.norm(sim:state():body("b").position - vec { x, y, 1 }), 1e-9)
      assert.near(0, vec.norm(sim:state():body("b").spin), 1e-9)
    end
  end)

  --- The least of a convex function from 0 to 1.
  local function least(f)
    local low, high = 0, 1
    for _ = 1, 55 do
      local a, b = (2 * low + high) / 3, (low + 2 * high) / 3
      if f(a) < f(b) then
        high = b
      else
        low = a
      end
    end
    return f((low + high) / 2)
  end

  it("the gap of capsules, spheres and boxes is the least distance", function()
    local half, count = { 0.5, 0.7, 0.9 }, 0
    local box = shape.box { "fixed", "ground", at = { 0, 0, 0 }, size = { 1, 1.4, 1.8 } }
    local function to_box(p)
      local square = 0
      for k = 1, 3 do
        square = square + math.max(0, math.abs(p[k]) - half[k]) ^ 2
      end
      return math.sqrt(square)
    end
    for _ = 1, 12 do
      local from, to = vec(draw:list(3, -2, 2)), vec(draw:list(3, -2, 2))
      local start, along = vec(draw:list(3, -2, 2)), vec(draw:list(3, -2, 2))
      local function on(s)
        return from + s * (to - from)
      end
      local function rod(name, on_body, a, b)
        return shape.capsule { name, on_body, from = a, to = b, radius = 0.05 }
      end
      local own = rod("moving", "m", from, to)
      local near_box = least(function(s) return to_box(on(s)) end)
      if near_box > 0.1 then
        count = count + 1
        assert.near(near_box - 0.05, spatial_gap(own, box), 1e-7)
        assert.near(to_box(from) - 0.05, spatial_gap(
          shape.sphere { "moving", "m", at = from, radius = 0.05 }, box), 1e-13)
      end
      local near_rod = least(function(s)
        return least(function(t) return vec.norm(on(s) - start - t * along) end)
      end)
      if near_rod > 0.2 then
        count = count + 1
        assert.near(near_rod - 0.1,
          spatial_gap(own, rod("fixed", "ground", start, start + along)), 1e-7)
        assert.near(least(function(s) return vec.norm(on(s) - start) end) - 0.15, spatial_gap(own,
          shape.sphere { "fixed", "ground", at = start, radius = 0.1 }), 1e-7)
      end
    end
    assert.is_true(count > 10)
  end)
end)

describe("a box of the plane", function()
  it("is turned by its angle, about its place", function()
    local form = require "sarrus.model.drawing.shape".form
    local model = sarrus.model { body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 1 },
      shape.box { "plain", "b", at = { 1, 2 }, size = { 6, 8 } },
      shape.box { "turned", "b", at = { 1, 2 }, size = { 6, 8 }, angle = math.pi / 2 } }
    local size = { { 3, 4 }, { 4, 3 } }
    for i, one in ipairs(model.shapes) do
      for _, corner in ipairs(form(one).corners) do
        assert.near(size[i][1], math.abs(corner.at[1] - 1), 1e-14)
        assert.near(size[i][2], math.abs(corner.at[2] - 2), 1e-14)
      end
    end
  end)
end)
