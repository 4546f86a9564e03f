local sarrus = require "sarrus"
local pair = dofile("spec/joint/pair.lua")
local joint, body = sarrus.joint, sarrus.body

describe("joint.revolute", function()
  it("holds a point in the plane", function()
    local at = { 0.7, 0.4 }
    pair.check(2, { joint.revolute { "J", "a", "b", at = at } }, 2, pair.on_b(at),
      { at = at, keeps = function(shift) return { shift } end })
  end)

  it("holds a point and an axis in space", function()
    local at = { 0.7, 0.4, 0.1 }
    local axis = sarrus.vec { 1, 1, 2 } / math.sqrt(6)
    pair.check(3, { joint.revolute { "J", "a", "b", at = at, axis = { 1, 1, 2 } } }, 5,
      pair.on_b(at), { at = at, keeps = function(shift, turn)
        return { shift, turn(axis) - axis }
      end })
  end)

  for dimension = 2, 3 do
    local function p(x, y)
      return dimension == 2 and { x, y } or { x, y, 0 }
    end
    local axis = dimension == 3 and { 0, 0, 1 } or nil

    it("carries drives and springs along its angle, in " .. dimension .. "D", function()
      pair.check(dimension, { joint.revolute { "J", "a", "b", at = p(0.7, 0.4), axis = axis,
        torque = function(angle, rate, t) return 2 * sarrus.sin(3 * t) - 0.1 * rate * angle end,
        stiffness = 5, damping = 0.3, rest = 0.2 } },
        dimension == 2 and 2 or 5, pair.on_b(p(0.7, 0.4)), { driven = true })
    end)

    it("is driven by a motion, in " .. dimension .. "D", function()
      local sim = pair.check(dimension, { joint.revolute { "J", "a", "b", at = p(0.7, 0.4),
        axis = axis, motion = 0.5 * sarrus.sin(2 * sarrus.time) } },
        dimension == 2 and 2 or 5, pair.on_b(p(0.7, 0.4)),
        { driven = true, freedoms = dimension == 2 and 3 or 6 })
      local j = sim:state():joint("J")
      assert.near(0.5 * math.sin(2), j.angle, 1e-14)
      assert.near(math.cos(2), j.rate, 1e-13)
    end)

    it("counts full turns, in " .. dimension .. "D", function()
      local model = sarrus.model {
        body.rod { "r", from = p(0, 0), to = p(1, 0), mass = 1 },
        joint.revolute { "J", "ground", "r", at = p(0, 0), axis = axis },
      }
      local sim = assert(model:simulate { joints = { J = { angle = 7, rate = -30 } } })
      assert.near(7, sim:state():joint("J").angle, 1e-14)
      assert(sim:advance(10))
      assert.near(7 - 300, sim:state():joint("J").angle, 1e-9)
    end)

    it("exerts the opposite on the ground as B, in " .. dimension .. "D", function()
      local function hung(first, second)
        local model = sarrus.model {
          gravity = p(0.1, -9.81),
          body.rod { "r", from = p(0, 0), to = p(1, 0), mass = 1 },
          joint.revolute { "J", first, second, at = p(0, 0), axis = axis, stiffness = 3 },
        }
        local sim = assert(model:simulate {})
        assert(sim:advance(0.3))
        return sim:state():joint("J")
      end
      local one, other = hung("ground", "r"), hung("r", "ground")
      assert.near(one.force.x, -other.force.x, 1e-10)
      assert.near(one.force.y, -other.force.y, 1e-10)
      local t, u = one.torque, other.torque
      assert.near(dimension == 2 and t or t.z, dimension == 2 and -u or -u.z, 1e-10)
      assert.near(-3 * one.angle, dimension == 2 and t or t.z, 1e-10)
    end)

    it("turns B about the axis of A, in " .. dimension .. "D", function()
      local function start(first, second)
        local model = sarrus.model {
          body.rod { "r", from = p(0, 0), to = p(1, 0), mass = 1 },
          joint.revolute { "J", first, second, at = p(0, 0), axis = axis },
        }
        local sim = assert(model:simulate { joints = { J = { angle = 0.5 } } })
        return sim:state():point("r", p(0.5, 0))
      end
      local far = start("ground", "r")
      assert.near(math.sin(0.5), far.y, 1e-15)
      assert.near(-math.sin(0.5), start("r", "ground").y, 1e-15)
    end)
  end
end)
