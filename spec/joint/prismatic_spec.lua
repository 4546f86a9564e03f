local sarrus = require "sarrus"
local pair = dofile("spec/joint/pair.lua")
local joint, body = sarrus.joint, sarrus.body

describe("joint.prismatic", function()
  it("leaves one direction in the plane", function()
    pair.check(2, { joint.prismatic { "J", "a", "b", at = { 0.7, 0.4 }, axis = { 1, 2 } } }, 2,
      pair.on_b { 0.7, 0.4 })
  end)

  it("leaves one direction in space", function()
    local at = { 0.7, 0.4, 0 }
    pair.check(3, { joint.prismatic { "J", "a", "b", at = at, axis = { 1, 2, 1 } } }, 5,
      pair.on_b(at))
  end)

  for dimension = 2, 3 do
    local function p(x, y)
      return dimension == 2 and { x, y } or { x, y, 0 }
    end
    it("carries forces along its length, in " .. dimension .. "D", function()
      pair.check(dimension, { joint.prismatic { "J", "a", "b", at = p(0.7, 0.4), axis = p(1, 2),
        force = function(length, speed, t) return 2 * sarrus.sin(3 * t) - length * speed end,
        stiffness = 5, damping = 0.3, rest = 0.2 } },
        dimension == 2 and 2 or 5, pair.on_b(p(0.7, 0.4)), { driven = true })
    end)

    it("is driven by a motion, in " .. dimension .. "D", function()
      local sim = pair.check(dimension, { joint.prismatic { "J", "a", "b", at = p(0.7, 0.4),
        axis = p(1, 2), motion = 0.5 * sarrus.sin(2 * sarrus.time) } },
        dimension == 2 and 2 or 5, pair.on_b(p(0.7, 0.4)),
        { driven = true, freedoms = dimension == 2 and 3 or 6 })
      assert.near(0.5 * math.sin(2), sim:state():joint("J").length, 1e-14)
      assert.near(math.cos(2), sim:state():joint("J").speed, 1e-13)
    end)

    it("falls like a free body along the vertical, in " .. dimension .. "D", function()
      local model = sarrus.model {
        gravity = p(0, -9.81),
        body.rigid { "r", position = p(0, 0), mass = 1,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        joint.prismatic { "J", "ground", "r", at = p(0, 0), axis = p(0, 1) },
      }
      local sim = assert(model:simulate { joints = { J = { length = 2, speed = 1 } } })
      assert(sim:advance(1))
      local j = sim:state():joint("J")
      assert.near(3 - 9.81 / 2, j.length, 1e-12)
      assert.near(1 - 9.81, j.speed, 1e-12)
    end)
  end
end)
