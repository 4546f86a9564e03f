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

    it("spring: its unstressed length may change in time", function()
      -- x'' = -4 (x - 1 - t / 10)
      local s = after(1.5, {
        body.point { "m", position = at(1, 0), mass = 1 },
        force.spring { "k", "ground", "m", from = at(0, 0), to = at(1, 0), stiffness = 4,
          length = 1 + 0.1 * sarrus.time },
      })
      assert.near(1.15 - 0.05 * math.sin(3), s:body("m").position.x, 1e-12)
      assert.near(2 * (0.05 * math.sin(3)) ^ 2, s:energy().potential, 1e-13)
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

    it("bushing: is a spring and a damper along each axis of its first body", function()
      local stiffness, damping, from = { 50, 80, 60 }, { 1, 2, 4 }, { 0.1, 0.2, 0.3 }
      local model = sarrus.model {
        body.rigid { "frame", position = at(0, 0), mass = 1,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        joint.fixed { "weld", "ground", "frame", at = at(0, 0) },
        body.rigid { "b", position = at(0, 0), mass = 2,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        force.bushing { "k", "frame", "b", at = at(0, 0),
          stiffness = dimension == 2 and { 50, 80 } or stiffness,
          damping = dimension == 2 and { 1, 2 } or damping },
      }
      local position = dimension == 2 and { 0.1, 0.2 } or from
      local sim = assert(model:simulate { bodies = { b = { position = position } } })
      local potential = 0
      for k = 1, dimension do
        potential = potential + stiffness[k] * from[k] ^ 2 / 2
      end
      assert.near(potential, sim:state():energy().potential, 1e-13)
      assert(sim:advance(0.5))
      for k = 1, dimension do -- 2 x'' = -k x - c x'
        local decay = damping[k] / 4
        local w = math.sqrt(stiffness[k] / 2 - decay ^ 2)
        local x = from[k] * math.exp(-decay / 2)
          * (math.cos(w / 2) + decay / w * math.sin(w / 2))
        assert.near(x, sim:state():body("b").position[k], 1e-11)
      end
    end)

    it("spring: without a length is one along each axis", function()
      local sim = assert(sarrus.model {
        body.point { "m", position = at(3, 4), mass = 2, velocity = at(-1, 2) },
        force.spring { "k", "ground", "m", from = at(1, 1), to = at(3, 4), stiffness = 8,
          length = 0 },
      }:simulate {})
      assert.near(8 * 13 / 2, sim:state():energy().potential, 1e-13)
      assert(sim:advance(0.7))
      local c, s = math.cos(1.4), math.sin(1.4)
      assert.near(1 + 2 * c - s / 2, sim:state():body("m").position.x, 1e-12)
      assert.near(1 + 3 * c + s, sim:state():body("m").position.y, 1e-12)
      assert.near(8 * 13 / 2 + 5, sim:state():energy().total, 1e-12)
    end)

    it("drag: slows down a body by a square, to a stop by what is linear", function()
      local sim = assert(sarrus.model {
        body.point { "m", position = at(0, 0), mass = 2, velocity = at(3, 4) },
        force.drag { "air", "m", quadratic = 0.5 },
      }:simulate {})
      assert(sim:advance(2)) -- 1 / v = 1 / 5 + t / 4
      local speed = 1 / (0.2 + 0.5)
      assert.near(0.6 * speed, sim:state():body("m").velocity.x, 1e-9)
      assert.near(0.8 * speed, sim:state():body("m").velocity.y, 1e-9)
      local s = after(2, {
        body.point { "m", position = at(0, 0), mass = 2, velocity = at(3, 4) },
        force.drag { "air", "m", linear = 0.5 },
      })
      assert.near(3 * math.exp(-0.5), s:body("m").velocity.x, 1e-12)
      assert.near(4 * math.exp(-0.5), s:body("m").velocity.y, 1e-12)
    end)

    it("applied: turns by its arm, wherever the point lies", function()
      for x = -1, 1 do
        for y = -1, 1 do
          local s = after(0, {
            body.rigid { "a", position = at(0, 0), mass = 2, spin = dimension == 2 and 3 or { 0, 0,
              3 }, inertia = dimension == 2 and 4 or { 4, 4, 4 } },
            force.applied { "f", "a", at = at(x, y), force = at(5, 7) },
          })
          local moment = x * 7 - y * 5
          local fast = s:velocity("a", at(x, y))
          assert.near(-3 * y, fast.x, 1e-14)
          assert.near(3 * x, fast.y, 1e-14)
          assert.near(2.5, s.a[1], 1e-13)
          assert.near(3.5, s.a[2], 1e-13)
          if dimension == 2 then
            assert.near(moment / 4, s.a[3], 1e-13)
          end
        end
      end
    end)

    it("bushing: turns with its first body", function()
      local model = sarrus.model {
        body.rigid { "a", position = at(0, 0), mass = 1,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        body.rigid { "b", position = at(1, 0), mass = 1,
          inertia = dimension == 2 and 1 or { 1, 1, 1 } },
        force.bushing { "k", "a", "b", at = at(0, 0),
          stiffness = dimension == 2 and { 7, 3 } or { 7, 3, 5 } },
      }
      local turned = dimension == 2 and { angle = math.pi / 2 }
        or { orientation = { axis = { 0, 0, 1 }, angle = math.pi / 2 } }
      local s = assert(model:simulate { bodies = { a = turned, b = { position = at(1.5, 0) } } })
        :state()
      assert.near(3 * 0.25 / 2, s:energy().potential, 1e-14) -- its y axis lies along -x
      assert.near(-1.5, s.a[dimension == 2 and 4 or 13], 1e-13)
      s = assert(model:simulate { bodies = { a = turned, b = { position = at(1, 0.5) } } }):state()
      assert.near(7 * 0.25 / 2, s:energy().potential, 1e-14)
      assert.near(-3.5, s.a[dimension == 2 and 5 or 14], 1e-13)
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
      assert.near(-10 * sarrus.tanh(1), s:body("m").velocity.y, 1e-13)
      s = after(1, {
        body.point { "m", position = at(0, 0), mass = 2, velocity = at(3, 4) },
        force.drag { "d", "m", quadratic = 3 },
      })
      assert.near(3 / 8.5, s:body("m").velocity.x, 1e-14)
    end)

    it("drag: is as near to the square as it promises, at rest and beyond", function()
      local fastest = 1024 -- the natural speed
      local rest, mass, quadratic = 1e-5 * fastest, 2, 3
      for part = 0, 14, 0.5 do
        local speed = part * rest
        local sim = assert(sarrus.model {
          body.point { "m", position = at(0, 0), mass = mass, velocity = at(speed, 0) },
          body.point { "other", position = at(5, 0), mass = 1, velocity = at(fastest, 0) },
          force.drag { "d", "m", quadratic = quadratic },
        }:simulate {})
        local off = math.abs(sim:state().a[1] * mass + quadratic * speed ^ 2)
        assert.is_true(off <= quadratic * rest ^ 2 / 40, part)
        if part >= 5 then
          assert.is_true(off <= quadratic * speed ^ 2 * (part ^ -10 / 36 + 1e-15), part)
        end
      end
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

describe("a torque", function()
  it("is in axes of the world, or of its body, which turn away", function()
    local turn = { axis = { 2 / 3, -1 / 3, 2 / 3 }, angle = 1.3 }
    for frame, field in pairs { body = "rates", world = "spin" } do
      local s = after(1, {
        body.rigid { "ball", position = { 0, 0, 0 }, mass = 1, inertia = { 2, 2, 2 },
          orientation = turn },
        force.torque { "t", "ball", torque = { 1, -2, 3 }, frame = frame },
      })
      for k, x in ipairs { 0.5, -1, 1.5 } do
        assert.near(x, s:body("ball")[field][k], 1e-12)
      end
    end
  end)
end)
