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
