--- The natural speed of a mechanism, with which its speeds are compared, in closed forms.

local drawn = require "sarrus.model.part.drawn"
local sarrus = require "sarrus"
local speed = require "sarrus.model.start.speed"
local body, force = sarrus.body, sarrus.force

--- Of a free body whose radius of gyration, 3, is the size; `v` are its rates.
local function natural(gravity, push, v)
  local model = sarrus.model { gravity = gravity,
    body.rigid { "b", position = { 0, 0 }, mass = 2, inertia = 2 * 9 },
    force.applied { "f", "b", at = { 0, 0 }, force = push },
  }
  assert(model:simulate {})
  local view = assert(drawn.of(model, {}))
  assert.near(3, view.size, 1e-14)
  return speed.natural(view, { t = 0, q = { 0, 0, 0 }, v = v or { 0, 0, 0 }, parameters = {},
    tolerance = 1e-12, scales = { 3, 3, 1 }, scale = 1, joints = {}, bodies = {} })
end

describe("the size of a model", function()
  it("is that of its drawing, with the ends of its forces", function()
    local function size(from)
      local model = sarrus.model { body.point { "p", position = { 0, -1 }, mass = 1 },
        force.spring { "s", "ground", "p", from = from, to = { 0, -1 }, stiffness = 1 } }
      assert(model:simulate {})
      return assert(drawn.of(model, {})).size
    end
    assert.near(6, size { 0, 5 }, 1e-14)
    assert.near(0.25, size { 0, -0.75 }, 1e-14)
  end)
end)

describe("the natural speed", function()
  it("is what gravity brings about over the size, or what moves, turns counted there", function()
    assert.near(math.sqrt(30), natural({ 0, -10 }, { 0, 0 }), 1e-13)
    assert.near(math.sqrt(30), natural({ 0, -10 }, { 900, 0 }, { 5, -5, 1.5 }), 1e-13)
    assert.near(6, natural({ 0, -10 }, { 0, 0 }, { 1, -6, 1.5 }), 1e-13)
    assert.near(7.5, natural({ 0, -10 }, { 0, 0 }, { 1, -6, -2.5 }), 1e-13)
    assert.near(0.25, natural({ 0, 0 }, { 900, 0 }, { 0.25, 0, 0 }), 1e-13)
  end)

  it("is what the first accelerations bring about where all is at rest", function()
    assert.near(math.sqrt(8 / 2 * 3), natural({ 0, 0 }, { 0, -8 }), 1e-13)
    assert.near(math.sqrt(0.5 * 3), natural({ 0, 0 }, { 1, 0 }), 1e-13)
  end)

  it("is 1 where nothing moves or begins to", function()
    assert.equal(1, natural({ 0, 0 }, { 0, 0 }))
    assert.equal(1, natural(nil, { 0, 0 }))
  end)
end)
