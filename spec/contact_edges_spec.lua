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

describe("A body that slides off another in space", function()
  local makers = {
    box = function(name, owner, z)
      return shape.box { name, owner, at = { 0, 0, z }, size = { 2, 1, 1 } }
    end,
    capsule = function(name, owner, z)
      return shape.capsule { name, owner, from = { -1, 0, z }, to = { 1, 0, z }, radius = 0.5 }
    end,
  }

  --- On top of one of its size, from -1 to 1, pushed along it at 2 m/s.
  local function pushed(below, above, friction)
    local model = sarrus.model { gravity = { 0, 0, -10 },
      body.rigid { "b", position = { 0, 0, 1.5 }, mass = 2, inertia = { 1, 1.1, 1.2 } },
      makers[below]("below", "ground", 0.5), makers[above]("above", "b", 1.5),
      contact.pair { "touch", "below", "above", friction = friction } }
    local sim = assert(model:simulate { tolerance = 1e-12 })
    assert(sim:advance(0.3))
    assert(sim:impulse("b", { 4, 0, 0 }))
    return sim
  end

  it("goes straight on until it tips, braked by friction alone", function()
    local pairs_of = { { "capsule", "capsule" }, { "box", "capsule" }, { "capsule", "box" } }
    for _, pair in ipairs(pairs_of) do
      for _, friction in ipairs { 0, 0.1, 0.5 } do -- it tips at x = 1, if it does not stop before
        local sim = pushed(pair[1], pair[2], friction)
        for _, t in ipairs { 0.1, 0.4 } do
          assert(sim:advance(0.3 + t))
          local b = sim:state():body("b")
          near(2 * t - 5 * friction * t * t, b.position.x)
          near(2 - 10 * friction * t, b.velocity.x, 1e-11)
          near(1.5, b.position.z)
        end
        assert(sim:advance(1.7))
      end
    end
  end)

  -- The end of the lower rod passes the middle of the upper one, which tips at once.
  it("tips where its middle passes an end, at every tolerance", function()
    local ends = {}
    for i, tolerance in ipairs { 1e-9, 1e-12 } do
      local model = sarrus.model { gravity = { 0, 0, -9.81 },
        body.rigid { "b", position = { 0, 0, 1 }, mass = 2, inertia = { 0.2, 0.3, 0.25 } },
        shape.capsule { "below", "ground", from = { -0.6, 0, 0 }, to = { 0.6, 0, 0 },
          radius = 0.5 },
        shape.capsule { "above", "b", from = { -0.6, 0, 1 }, to = { 0.6, 0, 1 }, radius = 0.5 },
        contact.pair { "touch", "below", "above" } }
      local sim = assert(model:simulate { tolerance = tolerance })
      assert(sim:advance(0.2))
      assert(sim:impulse("b", { -5, 0.6, 0 }))
      assert(sim:advance(1))
      ends[i] = sim:state():body("b").position
    end
    for _, axis in ipairs { "x", "y", "z" } do
      near(ends[2][axis], ends[1][axis], 1e-6)
    end
  end)
end)
