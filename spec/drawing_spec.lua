--- Places of the drawing, in the axes of bodies: by numbers that are known.
local drawing = require "sarrus.model.drawing"
local check = dofile("spec/check.lua")
local near = check.near

--- A turn by 120 degrees about (1, 1, 1): x goes to y, y to z, z to x.  Rows, as rotations are.
local turned = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } }

local function same(wanted, got, error)
  assert.equal(#wanted, #got)
  for k, x in ipairs(wanted) do
    near(x, got[k], error or 0)
  end
end

describe("the drawing", function()
  it("has directions and places in the axes of bodies", function()
    local ground = { ground = true, position = { 9, 9 } }
    same({ 3, 4 }, drawing.place(ground, { 3, 4 }))
    local shifted = { position = { 1, -2 } }
    same({ 3, 4 }, drawing.direction(shifted, { 3, 4 }))
    same({ 2, 6 }, drawing.place(shifted, { 3, 4 }))
    local plane = { position = { 1, -2 }, angle = math.pi / 2 } -- its x axis is the world's y
    same({ 4, -3 }, drawing.direction(plane, { 3, 4 }), 1e-15)
    same({ 6, -2 }, drawing.place(plane, { 3, 4 }), 1e-15)
    local space = { position = { 1, 2, 3 }, rotation = turned }
    same({ 20, 30, 10 }, drawing.direction(space, { 10, 20, 30 }))
    same({ 18, 27, 9 }, drawing.place(space, { 10, 20, 30 }))
  end)

  it("has coordinates: positions, an angle, or the columns of a rotation", function()
    local list = { "kept" }
    drawing.coordinates({ offset = 1, position = { 5, 6 }, angle = 0.5 }, list)
    assert.same({ "kept", 5, 6, 0.5 }, list)
    list = {}
    drawing.coordinates({ offset = 0, position = { 5, 6, 7 }, rotation = turned }, list)
    assert.same({ 5, 6, 7, 0, 1, 0, 0, 0, 1, 1, 0, 0 }, list)
    list = {}
    drawing.coordinates({ offset = 0, position = { 5, 6, 7 } }, list)
    assert.same({ 5, 6, 7 }, list)
  end)

  it("has places of joints and forces by their definitions, or by their fields", function()
    local function places(checked, of)
      return { drawing.places { checked = checked, definition = { places = of } } }
    end
    assert.same({ { 1 }, { 2 } }, places({ at = { a = { 1 }, b = { 2 } } }))
    assert.same({ { 3 }, { 4 } }, places({ from = { 3 }, to = { 4 } }))
    assert.same({}, places({ at = { 7, 8 } }))
    assert.same({ 5, 6 }, places({ at = { a = { 1 }, b = { 2 } } }, function() return 5, 6 end))
  end)

  it("has circles on the body that turns", function()
    local a = { position = { 1, 0, 0 }, rotation = turned }
    local b = { position = { 0, 1, 0 } }
    local joint = { bodies = { a, b },
      checked = { at = { a = { 2, 0, 0 }, b = { 0, 5, 0 } }, axis = { 1, 0, 0 } } }
    local seen_from_a = drawing.circle(joint, a, -3)
    assert.equal(b, seen_from_a.body)
    assert.equal(3, seen_from_a.radius)
    same({ 0, 4, 0 }, seen_from_a.at)
    same({ 1, 0, 0 }, seen_from_a.axis)
    local seen_from_b = drawing.circle(joint, b, 2)
    assert.equal(a, seen_from_b.body)
    same({ 0, 0, 1 }, seen_from_b.at)
    same({ 0, 0, 1 }, seen_from_b.axis)
    joint.checked.axis = nil
    assert.is_nil(drawing.circle(joint, b, 2).axis)
  end)

  it("measures", function()
    near(13, drawing.norm { 3, 4, 12 }, 0)
    near(0, drawing.norm {}, 0)
    assert.equal(math.huge, drawing.norm { math.huge, 0 })
    near(5, drawing.distance({ 1, 1 }, { 4, -3 }), 0)
    near(7, drawing.distance({ 2, 3, 6 }, { 0, 0, 0 }), 0)
    local along, across = drawing.off_axis({ 3, 4, -12 }, { 0, 0, 1 })
    near(12, along, 0)
    near(5, across, 1e-15)
    along, across = drawing.off_axis({ 0.1, 0.2, 0.2 }, { 1 / 3, 2 / 3, 2 / 3 })
    near(0.3, along, 1e-16)
    near(0, across, 1e-8) -- of rounding no root is taken that is none
    near(7, drawing.size { { 0, 2 }, { 5, -1 }, { -2, 0 } }, 0)
    near(4, drawing.size { { 0, 2 }, { 1, -2 } }, 0)
    near(0, drawing.size { { 3, 2 } }, 0)
    near(0, drawing.size {}, 0)
  end)

  it("knows places that are one, to 1e-12 of the largest coordinate", function()
    assert.is_true(drawing.same({ 0, 0 }, { 0, 0 }))
    assert.is_true(drawing.same({ 1, 0 }, { 1 + 0.9e-12, 0 }))
    assert.is_false(drawing.same({ 1, 0 }, { 1 + 1.1e-12, 0 }))
    assert.is_true(drawing.same({ 0, -1000 }, { 0.9e-9, -1000 }))
    assert.is_false(drawing.same({ 0, -1000 }, { 1.1e-9, -1000 }))
    assert.is_false(drawing.same({ 0, 0, 0 }, { 0, 0, 1e-30 }))
  end)
end)
