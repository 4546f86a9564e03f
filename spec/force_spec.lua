local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

--- The state of a model after a time, and its simulation.
local function after(time, parts, options)
  local sim = assert(sarrus.model(parts):simulate(options or {}))
  assert(sim:advance(time))
  return sim:state(), sim
end

local function p(dimension, x, y)
  return dimension == 2 and { x, y } or { x, y, 0 }
end

for dimension = 2, 3 do
  local function at(x, y)
    return p(dimension, x, y)
  end

  describe("forces in " .. dimension .. "D:", function()
    it("spring: a mass on it swings", function()
      local s = after(0.7, {
        body.point { "m", position = at(2, 0), mass = 1 },
        force.spring { "k", "ground", "m", from = at(0, 0), to = at(2, 0), stiffness = 9,
          length = 1.5 },
      })
      assert.near(1.5 + 0.5 * math.cos(3 * 0.7), s:body("m").position.x, 1e-12)
      assert.near(0.5 * 9 * 0.25, s:energy().total, 1e-12)
    end)

    it("spring: pushes both bodies alike", function()
      local s = after(1, {
        body.rigid { "a", position = at(0, 0), mass = 1,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        body.rigid { "b", position = at(2, 0), mass = 3,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        force.spring { "k", "a", "b", from = at(0, 0.5), to = at(2, -0.5), stiffness = 9,
          length = 1, damping = 0.5 },
      })
      local a, b = s:body("a"), s:body("b")
      assert.near(0, a.velocity.x + 3 * b.velocity.x, 1e-13)
      local spin = dimension == 2 and a.spin + b.spin or a.spin.z + b.spin.z
      local moment = a.position.x * a.velocity.y - a.position.y * a.velocity.x
        + 3 * (b.position.x * b.velocity.y - b.position.y * b.velocity.x)
      assert.near(0, spin + moment, 1e-12)
      assert.is_true(s:energy().total < 9 * (math.sqrt(5) - 1) ^ 2 / 2 - 0.01)
    end)

    it("damper: brakes along the line only", function()
      local s = after(1, {
        body.point { "m", position = at(2, 0), mass = 1, velocity = at(1, 0) },
        force.damper { "c", "ground", "m", from = at(0, 0), to = at(2, 0), damping = 2 },
      })
      assert.near(math.exp(-2), s:body("m").velocity.x, 1e-12)
    end)

    it("torsion: a disk on it swings", function()
      local s = after(0.7, {
        body.disk { "d", position = at(0, 0), radius = 1, mass = 2,
          axis = dimension == 3 and { 0, 0, 1 } or nil },
        joint.revolute { "J", "ground", "d", at = at(0, 0),
          axis = dimension == 3 and { 0, 0, 1 } or nil },
        force.torsion { "k", "ground", "d", axis = dimension == 3 and { 0, 0, 1 } or nil,
          stiffness = 4, rest = 0.5 },
      })
      assert.near(0.5 - 0.5 * math.cos(2 * 0.7), s:joint("J").angle, 1e-12)
    end)

    it("bushing: holds softly, without turning momentum into something else", function()
      local s = after(2, {
        body.rod { "a", from = at(0, 0), to = at(1, 0), mass = 1,
          spin = dimension == 2 and 1 or { 0, 0, 1 } },
        body.rod { "b", from = at(1, 0), to = at(2, 0), mass = 1 },
        force.bushing { "k", "a", "b", at = at(1, 0),
          stiffness = dimension == 2 and { 50, 80 } or { 50, 80, 60 }, damping = 1 },
      })
      local moment = 0
      for _, name in ipairs { "a", "b" } do
        local x = s:body(name)
        moment = moment + (dimension == 2 and x.spin or x.spin.z) / 12
          + x.position.x * x.velocity.y - x.position.y * x.velocity.x
      end
      assert.near(1 / 12, moment, 1e-12)
    end)

    it("bushing: keeps energy without damping", function()
      local s, sim = after(0, {
        gravity = at(0, -9.81),
        body.rod { "a", from = at(0, 0), to = at(1, 0), mass = 1 },
        force.bushing { "k", "ground", "a", at = at(0, 0), stiffness = 300 },
      })
      local before = s:energy().total
      assert(sim:advance(2))
      assert.near(before, sim:state():energy().total, 1e-11)
    end)

    it("applied: in world and in body axes", function()
      local function pushed(frame)
        return after(1, {
          body.rod { "a", from = at(-1, 0), to = at(1, 0), mass = 1,
            spin = dimension == 2 and 2 or { 0, 0, 2 } },
          force.applied { "f", "a", force = { 3 * sarrus.time, 0, dimension == 3 and 0 or nil },
            frame = frame },
        })
      end
      assert.near(0.5, pushed("world"):body("a").position.x, 1e-13)
      -- x'' = 3 t cos 2t from rest
      local v = pushed("body"):body("a").velocity
      assert.near(3 * (math.sin(2) / 2 + (math.cos(2) - 1) / 4), v.x, 1e-12)
      assert.near(3 * (-math.cos(2) / 2 + math.sin(2) / 4), v.y, 1e-12)
    end)

    it("applied: at a place away from the centre, also as a function of time", function()
      local s = after(0.01, {
        body.rod { "a", from = at(-1, 0), to = at(1, 0), mass = 3 },
        force.applied { "f", "a", at = at(1, 0), force = function()
          return at(0, 2)
        end },
      })
      local spin = s:body("a").spin
      assert.near(0.02, dimension == 2 and spin or spin.z, 1e-6)
    end)

    it("torque: turns", function()
      local s = after(1, {
        body.rod { "a", from = at(-1, 0), to = at(1, 0), mass = 3 },
        force.torque { "t", "a", torque = dimension == 2 and 2 or { 0, 0, 2 } },
      })
      local spin = s:body("a").spin
      assert.near(2, dimension == 2 and spin or spin.z, 1e-12)
    end)

    it("drag: linear and quadratic, from rest too", function()
      local s = after(1, {
        body.point { "m", position = at(0, 0), mass = 2, velocity = at(3, 0) },
        force.drag { "d", "m", linear = 1 },
      })
      assert.near(3 * math.exp(-0.5), s:body("m").velocity.x, 1e-12)
      s = after(1, {
        gravity = at(0, -10),
        body.point { "m", position = at(0, 0), mass = 1 },
        force.drag { "d", "m", quadratic = 0.1 },
      })
      assert.near(-10 * sarrus.tanh(1), s:body("m").velocity.y, 3e-8)
    end)

    it("custom: a potential and the force that belongs to it", function()
      local function orbit(given)
        given[1], given[2] = "sun", { "m" }
        return after(1, {
          body.point { "m", position = at(1, 0), mass = 1, velocity = at(0, 1) },
          force.custom(given),
        })
      end
      local s = orbit { potential = function(m)
        return -1 / sarrus.vec.norm(m:point())
      end }
      assert.near(math.cos(1), s:body("m").position.x, 1e-12)
      assert.near(-0.5, s:energy().total, 1e-13)
      s = orbit { force = function(m)
        local r = m:point()
        return { { force = r * (-1 / sarrus.vec.norm(r) ^ 3) } }
      end }
      assert.near(math.sin(1), s:body("m").position.y, 1e-12)
    end)
  end)
end
