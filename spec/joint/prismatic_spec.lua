local sarrus = require "sarrus"
local pair = dofile("spec/joint/pair.lua")
local joint, body, vec = sarrus.joint, sarrus.body, sarrus.vec

describe("joint.prismatic", function()
  for dimension = 2, 3 do
    it("leaves one direction, in " .. dimension .. "D", function()
      local at = dimension == 2 and { 0.7, 0.4 } or { 0.7, 0.4, 0 }
      local axis = vec(dimension == 2 and { 0.6, 0.8 } or { 2 / 3, 1 / 3, 2 / 3 })
      local across = vec(dimension == 2 and { 0.8, -0.6 } or { 0, 0.8, -0.6 })
      local sim = pair.check(dimension, { joint.prismatic { "J", "a", "b", at = at, axis = axis } },
        dimension == 2 and 2 or 5, pair.on_b(at), { at = at, keeps = function(shift, turn)
          return { vec.cross(shift, axis), turn(axis) - axis, turn(across) - across }
        end })
      assert.near(vec.dot(pair.relative(sim:state(), at), axis), sim:state():joint("J").length,
        1e-13)
    end)
  end

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

    it("has a spring and a damper that change in time, in " .. dimension .. "D", function()
      local t = sarrus.time
      local function moved(given, length, speed, till)
        given[1], given[2], given[3], given.at, given.axis = "J", "ground", "b", p(0, 0), p(1, 0)
        local model = sarrus.model {
          body.rigid { "b", position = p(0, 0), mass = 1,
            inertia = dimension == 2 and 1 or { 1, 1, 1 } },
          joint.prismatic(given),
        }
        local sim = assert(model:simulate { joints = { J = { length = length, speed = speed } } })
        assert(sim:advance(till))
        return sim:state():joint("J")
      end
      local j = moved({ damping = t }, 0, 1, 1.5) -- v' = -t v
      assert.near(math.exp(-1.125), j.speed, 1e-12)
      assert.near(-1.5 * math.exp(-1.125), j.force.x, 1e-11)
      j = moved({ stiffness = -6 / (1 + t) ^ 2 }, 1, 3, 1) -- x = (1 + t)^3
      assert.near(8, j.length, 1e-10)
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
