-- Joints without drives of their own: their equations, reactions and power.
local sarrus = require "sarrus"
local pair = dofile("spec/joint/pair.lua")
local posing = require "sarrus.model.start.posing"
local joint = sarrus.joint
local vec = sarrus.vec
local axis = vec.new { 1, 2, 2 } / 3

--- A point for both dimensions.
local function p(dimension)
  return dimension == 2 and { 0.7, 0.4 } or { 0.7, 0.4, 0.2 }
end

describe("joint.fixed", function()
  for dimension = 2, 3 do
    it("leaves nothing, in " .. dimension .. "D", function()
      local at = p(dimension)
      pair.check(dimension, { joint.fixed { "J", "a", "b", at = at } }, dimension == 2 and 3 or 6,
        pair.on_b(at), { at = at, keeps = function(shift, turn)
          local d = vec.new(dimension == 2 and { 0.6, 0.8 } or { 1, 0, 0 })
          local e = vec.new(dimension == 2 and { 0.8, -0.6 } or { 0, 0.6, 0.8 })
          return { shift, turn(d) - d, turn(e) - e }
        end })
    end)
  end
end)

describe("joint.spherical", function()
  it("holds a point", function()
    local at = p(3)
    local sim = pair.check(3, { joint.spherical { "J", "a", "b", at = at } }, 3, pair.on_b(at),
      { at = at, keeps = function(shift) return { shift } end })
    local _, turn = pair.relative(sim:state(), at)
    assert.is_true(vec.norm(turn(axis) - axis) > 0.1)
    assert.near(0, vec.norm(sim:state():joint("J").torque), 1e-12)
  end)
end)

describe("joint.universal", function()
  it("holds a point and the angle of two axes", function()
    local at, u, v = p(3), vec.new { 1, 0, 0 }, vec.new { 0, 1, 0.2 }
    local sim = pair.check(3, { joint.universal { "J", "a", "b", at = at, axes = { u, v } } }, 4,
      pair.on_b(at), { at = at, keeps = function(shift, turn)
        return { shift, vec.dot(u, turn(v)) - vec.dot(u, v) }
      end })
    -- no torque about either axis
    local s = sim:state()
    local torque = s:joint("J").torque
    local function along(name, d)
      return pair.on(name, vec.new(at) + d)(s) - pair.on(name, at)(s)
    end
    assert.near(0, vec.dot(torque, along("a", u)), 1e-12)
    assert.near(0, vec.dot(torque, along("b", v)), 1e-12)
  end)
end)

describe("joint.cylindrical", function()
  it("leaves a turn and a shift", function()
    local at = p(3)
    local sim = pair.check(3, { joint.cylindrical { "J", "a", "b", at = at, axis = { 1, 2, 2 } } },
      4, pair.on_b(at), { at = at, keeps = function(shift, turn)
        return { vec.cross(shift, axis), turn(axis) - axis }
      end })
    local j = sim:state():joint("J")
    assert.is_true(math.abs(j.angle) > 0.1 and math.abs(j.length) > 0.1)
    assert.is_truthy(j.rate and j.speed)
  end)
end)

describe("joint.screw", function()
  local across = vec.new { 2, -1, 0 } / math.sqrt(5)

  it("couples the shift to the turn", function()
    local at = p(3)
    local sim = pair.check(3, { joint.screw { "J", "a", "b", at = at, axis = { 1, 2, 2 },
      pitch = 0.3 } }, 5, pair.on_b(at), { at = at, keeps = function(shift, turn)
        local turned = turn(across)
        local angle = sarrus.atan(vec.dot(vec.cross(across, turned), axis),
          vec.dot(across, turned))
        return { turn(axis) - axis, shift - axis * (0.3 / (2 * math.pi) * angle) }
      end })
    local j = sim:state():joint("J")
    assert.is_true(math.abs(j.angle) > 0.01)
    assert.near(0.3 / (2 * math.pi) * j.angle, j.length, 1e-14)
    assert.near(0.3 / (2 * math.pi) * j.rate, j.speed, 1e-13)
  end)

  --- Closing would mend a guess that is off.
  local function check_guess(a, b, given)
    local m = sarrus.model {
      sarrus.body.sphere { "nut", radius = 0.1, mass = 1, position = { 0.5, 0, 0 } },
      joint.screw { "J", a, b, at = p(3), axis = { 1, 2, 2 }, pitch = 0.3 },
    }
    local q, v = posing.guess(m, { bodies = {}, joints = { J = given } })
    local closed = assert(m:simulate { joints = { J = given } }):state()
    for i = 1, #q do
      assert.near(closed.q[i], q[i], 1e-14)
    end
    for i = 1, 3 do -- of the nut's position
      assert.near(closed.v[i], v[i], 1e-14)
    end
    assert.near(0.3 / (2 * math.pi) * (given.angle or 0), closed:joint("J").length, 1e-14)
    assert.near(given.rate or 0, closed:joint("J").rate, 1e-13)
  end

  it("begins at its pitch before anything is closed", function()
    for _, given in ipairs { { angle = 2.5, rate = -4 }, { angle = 2.5 }, { rate = -4 } } do
      check_guess("ground", "nut", given)
      check_guess("nut", "ground", given)
    end
  end)

  it("takes a torque", function()
    local at = p(3)
    pair.check(3, { joint.screw { "J", "a", "b", at = at, axis = { 1, 2, 2 }, pitch = 0.3,
      torque = sarrus.sin(sarrus.time), stiffness = 2, damping = 0.1 } }, 5, pair.on_b(at),
      { driven = true })
  end)
end)

describe("joint.planar", function()
  it("leaves the plane and the turn about its normal", function()
    local at = p(3)
    local sim = pair.check(3, { joint.planar { "J", "a", "b", at = at, normal = { 1, 2, 2 } } }, 3,
      pair.on_b(at), { at = at, keeps = function(shift, turn)
        return { vec.dot(shift, axis), turn(axis) - axis }
      end })
    assert.is_true(vec.norm(pair.relative(sim:state(), at)) > 0.1)
  end)
end)

describe("joint.distance", function()
  for dimension = 2, 3 do
    it("keeps two points apart, in " .. dimension .. "D", function()
      local from, to = { 0.4, 0.4, 0.1 }, { 1.2, 0.9, -0.3 }
      if dimension == 2 then
        from[3], to[3] = nil, nil
      end
      local sim = pair.check(dimension, {
        joint.distance { "J", "a", "b", from = from, to = to },
      }, 1, pair.on_b(to))
      local s = sim:state()
      assert.near(vec.norm(vec.new(to) - vec.new(from)),
        vec.norm(pair.on("b", to)(s) - pair.on("a", from)(s)), 1e-13)
      local torque = s:joint("J").torque
      assert.near(0, dimension == 2 and torque or vec.norm(torque), 1e-12)
    end)
  end
end)

describe("joint.slot", function()
  for dimension = 2, 3 do
    it("holds a point on a line, in " .. dimension .. "D", function()
      local at, d = p(dimension), dimension == 2 and { 1, 2 } or { 1, 2, 2 }
      local along = vec.new(d) / vec.norm(d)
      local sim = pair.check(dimension, { joint.slot { "J", "a", "b", at = at, axis = d } },
        dimension - 1, pair.on_b(at), { at = at, keeps = function(shift)
          return { vec.cross(shift, along) }
        end })
      local shift = pair.relative(sim:state(), at)
      assert.near(vec.dot(shift, along), sim:state():joint("J").length, 1e-13)
    end)
  end
end)

describe("joint.custom", function()
  it("is built as ours are", function()
    local function turned(x, y, angle)
      local c, s = math.cos(angle), math.sin(angle)
      return { c * x + s * y, c * y - s * x }
    end
    local at = { 0.7, 0.4 }
    local on_a, on_b = turned(0.5, 0.3, 0.4), turned(-0.4, -0.2, -0.3)
    local own = pair.check(2, { joint.custom { "J", { "a", "b" }, equations = function(a, b)
      local gap = b:point(on_b) - a:point(on_a)
      return { gap.x, gap.y }
    end } }, 2, function(s) return s:body("b").position end)
    local ours = pair.check(2, { joint.revolute { "J", "a", "b", at = at } }, 2, pair.on_b(at))
    assert.near(ours:state():body("b").x, own:state():body("b").x, 1e-13)
    assert.near(ours:state():joint("J").force.x, own:state():joint("J").force.x, 1e-11)
  end)

  it("takes conditions on velocities", function()
    -- a skate: no velocity across the body
    local model = sarrus.model {
      sarrus.body.rigid { "s", position = { 0, 0 }, mass = 1, inertia = 1, velocity = { 1, 0 },
        spin = 2 },
      joint.custom { "blade", { "s" }, velocity_equations = function(s)
        return { vec.dot(s:velocity(), s:direction { 0, 1 }) }
      end },
    }
    assert.equal(2, model:freedoms())
    local sim = assert(model:simulate {})
    assert(sim:advance(math.pi))
    local s = sim:state():body("s")
    assert.near(0, s.x, 1e-11) -- a circle of radius 1/2
    assert.near(0, s.y, 1e-11)
    assert.near(2 * math.pi, s.angle, 1e-11)
    local force = sim:state():joint("blade").force
    assert.near(2, vec.norm(force), 1e-10) -- m v w
  end)
end)
