-- Joints that exist in the plane and in space: a motion in the plane is the same in both.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local function place(dimension, x, y)
  return dimension == 2 and { x, y } or { x, y, 0 }
end

local function rigid(dimension, name, mass, inertia, x, y, vx, vy, spin)
  return body.disk {
    name, position = place(dimension, x, y), radius = math.sqrt(2 * inertia / mass), mass = mass,
    velocity = place(dimension, vx, vy), axis = dimension == 3 and { 0, 0, 1 } or nil,
    spin = dimension == 2 and spin or { 0, 0, spin },
  }
end

--- Bodies a, b and c that move freely, but for what `parts` make of them.
local function model(dimension, parts)
  local function p(x, y)
    return place(dimension, x, y)
  end
  return sarrus.model {
    gravity = p(0.3, -9.81),
    rigid(dimension, "a", 2, 0.7, 0.2, 0.1, 0.3, -0.2, 0.9),
    rigid(dimension, "b", 3, 0.5, 1.1, 0.6, -0.1, 0.5, -1.3),
    rigid(dimension, "c", 1, 0.3, 0.6, -0.4, 0.2, 0.1, 0.4),
    parts(p, dimension == 3 and { 0, 0, 1 } or nil),
  }
end

local joints = {
  revolute = function(p, axis)
    return joint.revolute { "J", "a", "b", at = p(0.7, 0.4), axis = axis, stiffness = 3 }
  end,
  prismatic = function(p)
    return joint.prismatic { "J", "a", "b", at = p(0.7, 0.4), axis = p(1, 2), damping = 2 }
  end,
  fixed = function(p)
    return joint.fixed { "J", "a", "b", at = p(0.7, 0.4) }
  end,
  distance = function(p)
    return joint.distance { "J", "a", "b", from = p(0.4, 0.4), to = p(1.2, 0.9) }
  end,
  slot = function(p)
    return joint.slot { "J", "a", "b", at = p(0.7, 0.4), axis = p(1, 2) }
  end,
  gear = function(p, axis)
    return {
      joint.revolute { "J1", "c", "a", at = p(0.3, 0.2), axis = axis },
      joint.revolute { "J2", "c", "b", at = p(0.9, 0.5), axis = axis },
      joint.gear { "J", "J1", "J2", ratio = 1.7 },
    }
  end,
  rack = function(p, axis)
    return {
      joint.revolute { "J1", "c", "a", at = p(0.3, 0.2), axis = axis },
      joint.prismatic { "J2", "c", "b", at = p(0.9, 0.5), axis = p(1, 1) },
      joint.rack { "J", "J1", "J2", radius = 0.4 },
    }
  end,
  rolling = function(p)
    return joint.rolling { "J", "a", "b", radius = math.sqrt(1 / 3), normal = p(0.6, 0.8) }
  end,
  custom = function(p)
    return joint.custom { "J", { "a", "b" }, equations = function(a, b)
      return { a:point(p(0.3, 0)).x - b:point(p(0, 0.5)).x + 0.6,
        sarrus.vec.dot(a:direction(p(1, 0)), b:direction(p(0, 1))) }
    end }
  end,
}

for name, parts in pairs(joints) do
  describe("joint." .. name, function()
    it("is the same in the plane and in space", function()
      local states = {}
      for dimension = 2, 3 do
        local sim = assert(model(dimension, parts):simulate { tolerance = 1e-14 })
        assert(sim:advance(1))
        states[dimension] = sim:state()
      end
      for _, of in ipairs { "a", "b", "c" } do
        local one, other = states[2]:body(of), states[3]:body(of)
        assert.near(one.x, other.position.x, 1e-11)
        assert.near(one.y, other.position.y, 1e-11)
        assert.near(0, other.position.z, 1e-11)
        assert.near(one.spin, other.spin.z, 1e-11)
        local turned = states[3]:point(of, { 1, 0, 0 }) - other.position
        assert.near(0, math.sin(one.angle - sarrus.atan(turned.y, turned.x)), 1e-11)
      end
      local one, other = states[2]:joint("J"), states[3]:joint("J")
      local size = 1 + sarrus.vec.norm(one.force) + math.abs(one.torque)
      assert.near(one.force.x, other.force.x, 1e-11 * size)
      assert.near(one.force.y, other.force.y, 1e-11 * size)
      assert.near(one.torque, other.torque.z, 1e-11 * size)
      for _, field in ipairs { "angle", "rate", "length", "speed" } do
        assert.equal(one[field] == nil, other[field] == nil)
        assert.near(one[field] or 0, other[field] or 0, 1e-11)
      end
    end)
  end)
end
