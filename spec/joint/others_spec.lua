-- Joints without drives of their own: their equations, reactions and power.
local sarrus = require "sarrus"
local pair = dofile("spec/joint/pair.lua")
local joint = sarrus.joint

describe("joint.fixed", function()
  it("leaves nothing in the plane", function()
    pair.check(2, { joint.fixed { "J", "a", "b", at = { 0.7, 0.4 } } }, 3, pair.on_b { 0.7, 0.4 })
  end)

  it("leaves nothing in space", function()
    local at = { 0.7, 0.4, 0.2 }
    pair.check(3, { joint.fixed { "J", "a", "b", at = at } }, 6, pair.on_b(at))
  end)
end)

describe("joint.spherical", function()
  it("holds a point", function()
    local at = { 0.7, 0.4, 0.2 }
    pair.check(3, { joint.spherical { "J", "a", "b", at = at } }, 3, pair.on_b(at))
  end)
end)

describe("joint.universal", function()
  it("holds a point and the angle of two axes", function()
    local at = { 0.7, 0.4, 0.2 }
    local sim = pair.check(3, { joint.universal { "J", "a", "b", at = at,
      axes = { { 1, 0, 0 }, { 0, 1, 0.2 } } } }, 4, pair.on_b(at))
    -- no torque about either axis
    local s = sim:state()
    local drawing = require "sarrus.model.drawing"
    local function along(name, d)
      local record = s.model.index[name].record
      local tip, root = drawing.direction(record, d), s:point(name)
      return s:point(name, tip) - root
    end
    local torque = s:joint("J").torque
    assert.near(0, sarrus.vec.dot(torque, along("a", { 1, 0, 0 })), 1e-12)
    assert.near(0, sarrus.vec.dot(torque, along("b", { 0, 1, 0.2 })), 1e-12)
  end)
end)

describe("joint.cylindrical", function()
  it("leaves a turn and a shift", function()
    local at = { 0.7, 0.4, 0.2 }
    local sim = pair.check(3, { joint.cylindrical { "J", "a", "b", at = at, axis = { 1, 2, 2 } } },
      4, pair.on_b(at))
    local j = sim:state():joint("J")
    assert.is_true(math.abs(j.angle) > 0.1 and math.abs(j.length) > 0.1)
    assert.is_truthy(j.rate and j.speed)
  end)
end)

describe("joint.screw", function()
  it("couples the shift to the turn", function()
    local at = { 0.7, 0.4, 0.2 }
    local sim = pair.check(3, { joint.screw { "J", "a", "b", at = at, axis = { 1, 2, 2 },
      pitch = 0.3 } }, 5, pair.on_b(at))
    local j = sim:state():joint("J")
    assert.is_true(math.abs(j.angle) > 0.01)
    assert.near(0.3 / (2 * math.pi) * j.angle, j.length, 1e-14)
    assert.near(0.3 / (2 * math.pi) * j.rate, j.speed, 1e-13)
  end)

  it("takes a torque", function()
    local at = { 0.7, 0.4, 0.2 }
    pair.check(3, { joint.screw { "J", "a", "b", at = at, axis = { 1, 2, 2 }, pitch = 0.3,
      torque = sarrus.sin(sarrus.time), stiffness = 2, damping = 0.1 } }, 5, pair.on_b(at),
      { driven = true })
  end)
end)

describe("joint.planar", function()
  it("leaves the plane and the turn about its normal", function()
    local at = { 0.7, 0.4, 0.2 }
    pair.check(3, { joint.planar { "J", "a", "b", at = at, normal = { 1, 2, 2 } } }, 3,
      pair.on_b(at))
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
      local torque = sim:state():joint("J").torque
      assert.near(0, dimension == 2 and torque or sarrus.vec.norm(torque), 1e-12)
    end)
  end
end)

describe("joint.slot", function()
  it("holds a point on a line of the plane", function()
    pair.check(2, { joint.slot { "J", "a", "b", at = { 0.7, 0.4 }, axis = { 1, 2 } } }, 1,
      pair.on_b { 0.7, 0.4 })
  end)

  it("holds a point on a line in space", function()
    local at = { 0.7, 0.4, 0.2 }
    pair.check(3, { joint.slot { "J", "a", "b", at = at, axis = { 1, 2, 2 } } }, 2, pair.on_b(at))
  end)
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
        return { sarrus.vec.dot(s:velocity(), s:direction { 0, 1 }) }
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
    assert.near(2, sarrus.vec.norm(force), 1e-10) -- m v w
  end)
end)
