--- Motions that are prescribed, and begin to move what rests: lifted, pushed along, gripped.
local sarrus = require "sarrus"

local body, shape, contact, joint = sarrus.body, sarrus.shape, sarrus.contact, sarrus.joint

--- A motion that begins at t = 1 and ends at the height h.
local function rise(h)
  return sarrus.table { x = { 0, 1, 2, 9 }, y = { 0, 0, h, h } }(sarrus.time)
end

--- A box in the plane on a floor, and a joint between it and the ground that is driven.
local function driven(friction, axis, motion)
  return sarrus.model { gravity = { 0, -9.81 },
    body.box { "box", position = { 0, 0.05 }, size = { 0.1, 0.1 }, mass = 0.5 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair { "sole", "floor", "box", friction = friction },
    joint.prismatic { "arm", "ground", "box", at = { 0, 0.05 }, axis = axis, motion = motion } }
end

describe("a motion that begins later", function()
  it("lifts a box from the floor, whichever of its derivatives is the first", function()
    for p = 2, 5 do
      for _, friction in ipairs { 0, 0.5 } do
        local sim = assert(driven(friction, { 0, 1 }, 0.1 * sarrus.max(sarrus.time - 1, 0) ^ p)
          :simulate {})
        assert(sim:advance(1.5))
        local s = sim:state()
        assert.is_near(0.05 + 0.1 * 0.5 ^ p, s:body("box").y, 1e-12)
        assert.are.equal("open", s:contact("sole").mode)
      end
    end
  end)

  it("lifts it and puts it back", function()
    local there = sarrus.table { x = { 0, 1, 2, 3, 4, 9 }, y = { 0, 0, 0.1, 0.1, 0, 0 } }
    local sim = assert(driven(0.5, { 0, 1 }, there(sarrus.time)):simulate {})
    assert(sim:advance(2.5))
    assert.is_near(0.15, sim:state():body("box").y, 1e-12)
    assert(sim:advance(5))
    assert.is_near(0.05, sim:state():body("box").y, 1e-12)
  end)

  it("pushes it along the floor, against friction", function()
    for p = 2, 5 do
      local sim = assert(driven(0.5, { 1, 0 }, 0.1 * sarrus.max(sarrus.time - 1, 0) ^ p)
        :simulate {})
      assert(sim:advance(1.5))
      assert.is_near(0.1 * 0.5 ^ p, sim:state():body("box").x, 1e-12)
    end
  end)

  it("lifts what two points of either pad hold in space, and the floor by friction", function()
    local parts = { gravity = { 0, 0, -9.81 },
      body.box { "box", position = { 0, 0, 0.05 }, size = { 0.1, 0.1, 0.1 }, mass = 0.5 },
      body.box { "hand", position = { 0, 0, 0.25 }, size = { 0.3, 0.06, 0.04 }, mass = 1 },
      joint.prismatic { "arm", "ground", "hand", at = { 0, 0, 0.25 }, axis = { 0, 0, 1 },
        motion = rise(0.3) },
      shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
      contact.pair { "sole", "floor", "box", friction = 0.5 } }
    local points = {}
    for _, side in ipairs { -1, 1 } do
      local name = side < 0 and "L" or "R"
      parts[#parts + 1] = body.box { name, position = { 0.09 * side, 0, 0.15 },
        size = { 0.02, 0.08, 0.16 }, mass = 0.1 }
      parts[#parts + 1] = joint.prismatic { "slide of " .. name, "hand", name,
        at = { 0.09 * side, 0, 0.22 }, axis = { -side, 0, 0 }, force = 10, damping = 20 }
      for i, y in ipairs { 0.02, -0.02 } do
        points[#points + 1] = name .. i
        parts[#parts + 1] = shape.sphere { name .. i, name, at = { 0.08 * side, y, 0.06 },
          radius = 0.01 }
      end
    end
    parts[#parts + 1] = contact.pair { "pads", points, "box", friction = 0.6 }
    local sim = assert(sarrus.model(parts):simulate {})
    assert(sim:advance(4))
    assert.is_near(0.35, sim:state():body("box").position[3], 1e-9)
  end)

  it("lifts what pads hold in space", function()
    for _, friction in ipairs { 0, 0.5 } do
      local parts = { gravity = { 0, 0, -9.81 },
        body.box { "box", position = { 0, 0, 0.05 }, size = { 0.1, 0.1, 0.1 }, mass = 0.5 },
        body.box { "hand", position = { 0, 0, 0.25 }, size = { 0.3, 0.06, 0.04 }, mass = 1 },
        joint.prismatic { "arm", "ground", "hand", at = { 0, 0, 0.25 }, axis = { 0, 0, 1 },
          motion = rise(0.3) },
        shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
        contact.pair { "sole", "floor", "box", friction = friction } }
      for name, side in pairs { L = -1, R = 1 } do
        parts[#parts + 1] = body.sphere { name, position = { 0.06 * side, 0, 0.06 },
          radius = 0.01, mass = 0.1 }
        parts[#parts + 1] = joint.prismatic { "slide of " .. name, "hand", name,
          at = { 0.06 * side, 0, 0.06 }, axis = { -side, 0, 0 }, force = 10 }
      end
      parts[#parts + 1] = contact.pair { "pads", { "L", "R" }, "box", friction = 0.6 }
      local sim = assert(sarrus.model(parts):simulate {})
      assert(sim:advance(3))
      assert.is_near(0.35, sim:state():body("box").position[3], 1e-9)
      assert.is_near(0.5 * 9.81, sim:state():contact("pads").friction_force, 1e-6)
    end
  end)
end)

it("a body that joints hold on all corners can start, whatever is rounding there", function()
  for _, a in ipairs { 0.05, 0.07, 0.1234 } do
    assert(sarrus.model { gravity = { 0, 0, -9.81 },
      shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
      body.box { "box", position = { 0, 0, a }, size = { 2 * a, 2 * a, 2 * a }, mass = 0.5 },
      contact.pair { "sole", "floor", "box", friction = 0.3 },
      body.sphere { "hand", position = { 0, 0, 3 * a }, radius = 0.2 * a, mass = 0.3 },
      joint.prismatic { "arm", "ground", "hand", at = { 0, 0, 3 * a }, axis = { 0, 0, 1 },
        motion = 0 },
      joint.fixed { "grip", "hand", "box", at = { 0, 0, 2 * a } } }:simulate {})
  end
end)
