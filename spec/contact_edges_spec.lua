--- Contacts at edges: of what goes past them, and of what flies by.

local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape
local near = check.near

describe("A body that tumbles past an upright edge", function()
  -- The normal from an edge to a capsule across it is level, whatever both do.
  it("is not held up by the directions of friction", function()
    local model = sarrus.model {
      body.rigid { "b", position = { 2, 0, 0.1 }, mass = 1, inertia = { 0.1, 0.1, 0.1 },
        velocity = { -1, 0, 0 }, spin = { -0.35, 3.7, 3.6 } },
      shape.capsule { "rod", "b", from = { 2.5, -0.4, -0.4 }, to = { 1.6, 0.4, 0.6 },
        radius = 0.1 },
      shape.box { "post", "ground", at = { 0, -2.5, 0.1 }, size = { 3, 3, 2 } },
      contact.pair { "touch", "post", "rod", friction = 0.3 } }
    local sim = assert(model:simulate {})
    assert(sim:advance(1))
    near(1, sim:state():body("b").position.x)
  end)
end)

describe("A box that slides off another", function()
  --- On top of a box from -0.5 to 0.5, pushed to the right at 0.5 m/s.
  local function pushed(width, friction)
    local model = sarrus.model { gravity = { 0, -10 },
      body.rigid { "b", position = { 0, 1.1 }, mass = 2, inertia = 1 },
      shape.box { "below", "ground", at = { 0, 0 }, size = { 1, 1 } },
      shape.box { "above", "b", at = { 0, 1.1 }, size = { width, 1 } },
      contact.pair { "touch", "below", "above", friction = friction } }
    local sim = assert(model:simulate { tolerance = 1e-12 })
    assert(sim:advance(1.7))
    assert(sim:impulse("b", { 1, 0 }))
    return sim
  end

  it("is not held by the edges that it passes", function()
    for _, width in ipairs { 0.5, 1 } do -- corners pass at 0.25, and at once
      local sim = pushed(width, 0)
      for _, t in ipairs { 1.9, 2.2, 2.5 } do
        assert(sim:advance(t))
        near(0.5 * (t - 1.7), sim:state():body("b").position.x)
        near(0.5, sim:state():body("b").velocity.x)
        near(1, sim:state():body("b").position.y)
      end
    end
  end)

  it("is braked by friction alone", function()
    local sim = pushed(1, 0.5) -- v^2 / 2 mu g
    assert(sim:advance(1.9))
    near(0.025, sim:state():body("b").position.x)
    assert.are.equal("stick", sim:state():contact("touch").mode)
  end)
end)
