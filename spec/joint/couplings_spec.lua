local sarrus = require "sarrus"
local pair = dofile("spec/joint/pair.lua")
local body, joint, vec = sarrus.body, sarrus.joint, sarrus.vec

--- Two disks on the ground, 3 apart, the second joint perhaps the other way round.
local function gears(dimension, ratio, reversed)
  local function p(x, y)
    return dimension == 2 and { x, y } or { x, y, 0 }
  end
  local axis = dimension == 3 and { 0, 0, 1 } or nil
  return sarrus.model {
    body.disk { "d1", position = p(0, 0), radius = 1, mass = 1, axis = axis },
    body.disk { "d2", position = p(3, 0), radius = 2, mass = 1, axis = axis },
    joint.revolute { "J1", "ground", "d1", at = p(0, 0), axis = axis, torque = 2 },
    joint.revolute { "J2", reversed and "d2" or "ground", reversed and "ground" or "d2",
      at = p(3, 0), axis = axis },
    joint.gear { "G", "J1", "J2", ratio = ratio },
  }
end

describe("joint.gear", function()
  for dimension = 2, 3 do
    it("turns the second joint against the first, in " .. dimension .. "D", function()
      for _, reversed in ipairs { false, true } do
        local model = gears(dimension, 2, reversed)
        assert.equal(1, model:freedoms())
        local sim = assert(model:simulate {})
        assert(sim:advance(1))
        local s = sim:state()
        -- moments 1/2 and 2 on the ratio 2: effective 1/2 + 2/4 = 1
        assert.near(2, s:body("d1").rates and s:body("d1").rates.z or s:body("d1").spin, 1e-12)
        assert.near(-1, s:body("d2").rates and s:body("d2").rates.z or s:body("d2").spin, 1e-12)
        assert.near(1, s:joint("J1").angle, 1e-12)
        local g, j = s:joint("G").torque, s:joint("J2").torque
        -- what the gear exerts on the other end of J2: I alpha
        assert.near(reversed and 2 or -2, dimension == 2 and g or g.z, 1e-12)
        assert.near(0, dimension == 2 and j or j.z, 1e-12)
      end
    end)
  end

  for dimension = 2, 3 do
    it("obeys Newton and Euler on a moving carrier and does no work, in " .. dimension .. "D",
      function()
        local function p(x, y)
          return dimension == 2 and { x, y } or { x, y, 0.2 }
        end
        local axis = dimension == 3 and { 0, 0, 1 } or nil
        local at_a, at_b = p(0.3, 0.2), p(0.9, 0.5)
        local model = pair.model(dimension, {
          body.rigid { "c", mass = 1.5, position = p(0.6, 0.3), velocity = p(0.2, 0.1),
            inertia = dimension == 2 and 0.4 or { 0.4, 0.5, 0.6 } },
          joint.revolute { "J1", "c", "a", at = at_a, axis = axis },
          joint.revolute { "J2", "c", "b", at = at_b, axis = axis },
          joint.gear { "G", "J1", "J2", ratio = 1.7 },
        })
        assert.equal(dimension == 2 and 4 or 7, model:freedoms())
        local sim = assert(model:simulate { tolerance = 1e-13 })
        for _, t in ipairs { 0, 0.3, 1 } do
          assert(sim:advance(t))
          local s = sim:state()
          local one, two, gear = s:joint("J1"), s:joint("J2"), s:joint("G")
          local on_a, on_b = pair.on("a", at_a)(s), pair.on("b", at_b)(s)
          -- the torques of an ideal gear are as 1 to ratio, and so are the angles the other way
          local to_b = { force = gear.force, torque = gear.torque, point = on_b, sign = 1 }
          local to_a = { force = gear.force, torque = gear.torque, point = on_a, sign = 1 / 1.7 }
          local hinge_a = { force = one.force, torque = one.torque, point = on_a, sign = 1 }
          local hinge_b = { force = two.force, torque = two.torque, point = on_b, sign = 1 }
          assert.is_true(pair.imbalance(s, "b", { hinge_b, to_b }) < 1e-10)
          assert.is_true(pair.imbalance(s, "a", { hinge_a, to_a }) < 1e-10)
          for _, load in ipairs { to_a, to_b, hinge_a, hinge_b } do
            load.sign = -load.sign
          end
          assert.is_true(pair.imbalance(s, "c", { hinge_a, hinge_b, to_a, to_b }) < 1e-10)
          assert.near(-one.angle / 1.7, two.angle, 1e-13)
          assert.near(-one.rate / 1.7, two.rate, 1e-12)
        end
      end)
  end

  it("turns bodies the same way whichever way axes point, if they are parallel", function()
    local function wheels(axis, other)
      return sarrus.model {
        body.sphere { "one", position = { 0, 0, 0 }, radius = 1, mass = 2.5 },
        body.sphere { "other", position = { 3, 3, 3 }, radius = 1, mass = 2.5 },
        joint.revolute { "J1", "ground", "one", at = { 0, 0, 0 }, axis = axis, torque = 2 },
        joint.revolute { "J2", "ground", "other", at = { 3, 3, 3 }, axis = other },
        joint.gear { "G", "J1", "J2", ratio = 2 },
      }
    end
    for _, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 2, -3, 6 } } do
      for sign = -1, 1, 2 do
        local other = { sign * axis[1], sign * axis[2], sign * axis[3] }
        local sim = assert(wheels(axis, other):simulate {})
        assert(sim:advance(1))
        -- moments 1 on the ratio 2: effective 1 + 1/4
        local s, unit = sim:state(), sarrus.vec(axis) / sarrus.vec.norm(axis)
        assert.near(1.6, vec.dot(s:body("one").spin, unit), 1e-12)
        assert.near(-0.8, vec.dot(s:body("other").spin, unit), 1e-12)
        assert.near(sign * -0.8, s:joint("J2").rate, 1e-12)
      end
    end
    assert.truthy(wheels({ 0, 0, 1 }, { 1e-3, 0, 1 })) -- the cosine is 1 - 5e-7
    local good, message = pcall(wheels, { 0, 0, 1 }, { 2e-3, 0, 1 })
    assert.is_false(good)
    assert.equal('joint.gear "G": the axes of "J1" and "J2" are not parallel',
      (message:gsub("^[^:]*:%d+: ", "")))
  end)

  it("is drawn as two circles that touch, one on each of its bodies", function()
    local function circles(ratio, reversed)
      local list, record = {}, gears(2, ratio, reversed).joints[3]
      for i, one in ipairs(record.definition.circles(record.checked, record)) do
        list[i] = { one.body.name, one.at[1], one.at[2], one.radius }
      end
      return list
    end
    for _, reversed in ipairs { false, true } do
      assert.same({ { "d1", 0, 0, 1 }, { "d2", 0, 0, 2 } }, circles(2, reversed))
      assert.same({ { "d1", 0, 0, 6 }, { "d2", 0, 0, 3 } }, circles(-0.5, reversed)) -- one within
      assert.same({}, circles(-1, reversed)) -- there is no such pair
    end
  end)

  it("refuses a ratio of 0 and joints without a common body", function()
    local good, text = pcall(sarrus.model, {
      body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      joint.gear { "G", "A", "A", ratio = 1 },
    })
    assert.is_false(good)
    assert.equal('joint.gear "G": both joints are "A"', (text:gsub("^[^:]*:%d+: ", "")))
    assert.has_error(function() gears(2, 0, false) end)
    local ok, message = pcall(sarrus.model, {
      body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.rod { "b", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
      body.rod { "c", from = { 2, 0 }, to = { 3, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      joint.revolute { "B", "b", "c", at = { 2, 0 } },
      joint.gear { "G", "A", "B", ratio = 1 },
    })
    assert.is_false(ok)
    assert.truthy(message:find("no body in common", 1, true))
  end)
end)

describe("joint.rack", function()
  for dimension = 2, 3 do
    local function p(x, y)
      return dimension == 2 and { x, y } or { x, y, 0 }
    end
    local axis = dimension == 3 and { 0, 0, 1 } or nil

    it("moves the prismatic joint by radius times the angle, in " .. dimension .. "D", function()
      local model = sarrus.model {
        body.disk { "pinion", position = p(0, 0), radius = 0.5, mass = 2, axis = axis },
        body.box { "rack", position = p(0, -0.6), mass = 1, size = dimension == 2 and { 2, 0.2 }
          or { 2, 0.2, 0.2 } },
        joint.revolute { "J", "ground", "pinion", at = p(0, 0), axis = axis, torque = 1 },
        joint.prismatic { "P", "ground", "rack", at = p(0, -0.6), axis = p(1, 0) },
        joint.rack { "R", "J", "P", radius = 0.5 },
      }
      assert.equal(1, model:freedoms())
      local sim = assert(model:simulate {})
      assert(sim:advance(1))
      local s = sim:state()
      -- 1 = (I + m r^2) alpha = (0.25 + 0.25) alpha
      assert.near(1, s:joint("J").angle, 1e-12)
      assert.near(0.5, s:joint("P").length, 1e-12)
      assert.near(1, s:joint("R").force.x, 1e-12)
    end)
  end

  for dimension = 2, 3 do
    it("obeys Newton and Euler on a moving carrier and does no work, in " .. dimension .. "D",
      function()
        local function p(x, y)
          return dimension == 2 and { x, y } or { x, y, 0.2 }
        end
        local axis = vec(dimension == 2 and { 0.6, 0.8 } or { 0.6, 0.8, 0 })
        local at_a, at_b = p(0.3, 0.2), p(0.9, 0.5)
        local model = pair.model(dimension, {
          body.rigid { "c", mass = 1.5, position = p(0.6, 0.3), velocity = p(0.2, 0.1),
            inertia = dimension == 2 and 0.4 or { 0.4, 0.5, 0.6 } },
          joint.revolute { "J", "c", "a", at = at_a, axis = dimension == 3 and { 0, 0, 1 } or nil },
          joint.prismatic { "P", "c", "b", at = at_b, axis = axis },
          joint.rack { "R", "J", "P", radius = 0.3 },
        })
        assert.equal(dimension == 2 and 4 or 7, model:freedoms())
        local sim = assert(model:simulate { tolerance = 1e-13 })
        for _, t in ipairs { 0, 0.3, 1 } do
          assert(sim:advance(t))
          local s = sim:state()
          local hinge, slide, rack = s:joint("J"), s:joint("P"), s:joint("R")
          local on_a, on_b = pair.on("a", at_a)(s), pair.on("b", at_b)(s)
          local function along(d)
            return pair.on("c", vec(at_b) + d)(s) - pair.on("c", at_b)(s)
          end
          -- the force f along the rack turns the pinion by -radius f
          local f = vec.dot(rack.force, along(axis))
          assert.is_true(math.abs(f) > 0.01)
          assert.is_true(pair.imbalance(s, "a", {
            { force = hinge.force, torque = hinge.torque, point = on_a, sign = 1 },
            { force = rack.force * 0, point = on_a, sign = -0.3 * f,
              torque = dimension == 2 and 1 or along(vec { 0, 0, 1 }) },
          }) < 1e-10)
          assert.is_true(pair.imbalance(s, "b", {
            { force = slide.force, torque = slide.torque, point = on_b, sign = 1 },
            { force = rack.force, torque = rack.torque, point = on_b, sign = 1 },
          }) < 1e-10)
        end
      end)
  end
end)

describe("joint.rolling", function()
  for dimension = 2, 3 do
    it("rolls on a body that moves, in " .. dimension .. "D", function()
      local normal = dimension == 2 and { 0.6, 0.8 } or { 0.6, 0.8, 0 }
      local drawing = require "sarrus.model.drawing"
      pair.check(dimension, { joint.rolling { "J", "a", "b", radius = 0.3, normal = normal } },
        dimension, function(s)
          local record = s.model.index.a.record
          local n = s:point("a", drawing.direction(record, normal)) - s:point("a")
          return s:point("b") - n * 0.3
        end)
    end)
  end

  it("rolls a disk down a slope in the plane", function()
    local a = 0.3
    local model = sarrus.model {
      gravity = { 9.81 * math.sin(a), -9.81 * math.cos(a) },
      body.disk { "d", position = { 0, 0.5 }, radius = 0.5, mass = 2 },
      joint.rolling { "R", "ground", "d", radius = 0.5, normal = { 0, 1 } },
    }
    assert.equal(1, model:freedoms())
    local sim = assert(model:simulate {})
    assert(sim:advance(1))
    local s = sim:state()
    local x = 9.81 * math.sin(a) / 1.5 / 2
    assert.near(x, s:body("d").x, 1e-12)
    assert.near(-x / 0.5, s:body("d").angle, 1e-12)
    assert.near(2 * 9.81 * math.cos(a), s:joint("R").force.y, 1e-11)
    assert.near(-2 * 9.81 * math.sin(a) / 3, s:joint("R").force.x, 1e-11)
    assert.near(0, s:joint("R").torque, 1e-12)
  end)

  it("rolls a sphere down a slope in space, spinning", function()
    local a = 0.3
    local model = sarrus.model {
      gravity = { 9.81 * math.sin(a), 0, -9.81 * math.cos(a) },
      body.sphere { "s", position = { 0, 0, 0.5 }, radius = 0.5, mass = 2, spin = { 0, 0, 3 } },
      joint.rolling { "R", "ground", "s", radius = 0.5, normal = { 0, 0, 1 } },
    }
    assert.equal(3, model:freedoms())
    local sim = assert(model:simulate {})
    assert(sim:advance(1))
    local s = sim:state()
    local x = 9.81 * math.sin(a) / 1.4 / 2
    assert.near(x, s:body("s").position.x, 1e-12)
    assert.near(2 * x / 0.5, s:body("s").spin.y, 1e-11)
    assert.near(3, s:body("s").spin.z, 1e-11)
    assert.near(-2 * 9.81 * math.sin(a) * 2 / 7, s:joint("R").force.x, 1e-11)
    assert.near(0, vec.norm(s:joint("R").torque), 1e-11)
  end)

  it("keeps the energy of a wobbling disk, whose contact does not slip", function()
    local model = sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.disk { "d", position = { 0, 0, 0.5 * math.cos(0.3) }, radius = 0.5, mass = 2,
        orientation = { axis = { 1, 0, 0 }, angle = -0.3 }, axis = { 0, 1, 0 },
        spin = { 0.4, 6, 1 } },
      joint.rolling { "R", "ground", "d", radius = 0.5, normal = { 0, 0, 1 } },
    }
    local sim = assert(model:simulate { tolerance = 1e-13 })
    local s = sim:state()
    local before = s:energy()
    assert.is_true(before.kinetic > 1)
    assert(sim:advance(3))
    s = sim:state()
    assert.near(before.total, s:energy().total, 1e-10)
    assert.is_true(s:residual().position < 1e-13 and s:residual().velocity < 1e-12)
    assert.near(0, vec.norm(s:joint("R").torque), 1e-10)
  end)
end)
