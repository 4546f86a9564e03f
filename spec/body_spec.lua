local sarrus = require "sarrus"
local body = sarrus.body

local function record(part)
  return sarrus.model { part }.bodies[1]
end

local function moments(inertia)
  return inertia[1][1], inertia[2][2], inertia[3][3]
end

describe("bodies", function()
  it("rod: thin, its x axis along it", function()
    local r = record(body.rod { "r", from = { 1, 1 }, to = { 1, 3 }, mass = 3 })
    assert.near(3 * 4 / 12, r.inertia, 1e-15)
    assert.near(math.pi / 2, r.angle, 1e-15)
    local model = sarrus.model { body.rod { "r", from = { 1, 1, 1 }, to = { 1, 3, 1 }, mass = 3 } }
    local x, y, z = moments(model.bodies[1].inertia)
    assert.near(3 * 0.02 ^ 2 / 2, x, 1e-15)
    assert.near(1, y, 1e-15)
    assert.near(1, z, 1e-15)
    local s = assert(model:simulate {}):state()
    assert.near(3, s:point("r", { 1, 0, 0 }).y, 1e-15)
    local thick = record(body.rod { "r", from = { 0, 0 }, to = { 2, 0 }, radius = 0.5,
      density = 2 })
    assert.near(2 * math.pi * 0.25 * 2, thick.mass, 1e-14)
    assert.near(thick.mass * (4 / 12 + 0.25 / 4), thick.inertia, 1e-14)
  end)

  it("points every way", function()
    for _, to in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 0, -1 }, { -1, 1e-7, 0 }, { 1, 2, 3 } } do
      local model = sarrus.model { body.rod { "r", from = { 0, 0, 0 }, to = to, mass = 1 } }
      local s = assert(model:simulate {}):state()
      local length = sarrus.vec.norm(to)
      local far = s:point("r", { length / 2, 0, 0 })
      assert.near(0, sarrus.vec.norm(far - sarrus.vec(to)), 1e-14)
      assert.is_true(s:residual().position < 1e-14)
    end
  end)

  it("box", function()
    local b = record(body.box { "b", position = { 0, 0 }, size = { 2, 3 }, density = 2 })
    assert.near(12, b.mass, 1e-14)
    assert.near(12 * 13 / 12, b.inertia, 1e-13)
    local x, y, z = moments(record(body.box { "b", position = { 0, 0, 0 }, size = { 2, 3, 4 },
      mass = 12 }).inertia)
    assert.same({ 25, 20, 13 }, { x, y, z })
  end)

  it("disk and cylinder, about any axis", function()
    assert.near(0.5 * 2 * 9, record(body.disk { "d", position = { 0, 0 }, radius = 3, mass = 2 })
      .inertia, 1e-14)
    local x, y, z = moments(record(body.disk { "d", position = { 0, 0, 0 }, radius = 2, mass = 1,
      axis = { 1, 0, 0 } }).inertia)
    assert.same({ 2, 1, 1 }, { x, y, z })
    local c = record(body.cylinder { "c", position = { 0, 0, 0 }, radius = 2, length = 3,
      density = 1, axis = { 1, 1, 0 } })
    assert.near(12 * math.pi, c.mass, 1e-13)
    local along = c.mass * 2
    local axis = { math.sqrt(0.5), math.sqrt(0.5), 0 }
    local sum = 0
    for i = 1, 3 do
      for j = 1, 3 do
        sum = sum + axis[i] * c.inertia[i][j] * axis[j]
      end
    end
    assert.near(along, sum, 1e-12)
  end)

  it("disk and cylinder, about z where no axis is given", function()
    for _, kind in ipairs { "disk", "cylinder" } do
      local x, y, z = moments(record(body[kind] { "c", position = { 0, 0, 0 }, radius = 2,
        length = 6, mass = 1 }).inertia)
      assert.near(4, x, 1e-14) -- r^2 / 4 + l^2 / 12
      assert.near(4, y, 1e-14)
      assert.near(2, z, 1e-14)
    end
  end)

  it("sphere", function()
    local s = record(body.sphere { "s", position = { 0, 0, 0 }, radius = 0.5, density = 3 })
    assert.near(3 * 4 / 3 * math.pi / 8, s.mass, 1e-14)
    assert.near(0.4 * s.mass / 4, s.inertia[1][1], 1e-15)
    assert.near(0.4 * 2 * 0.25, record(body.sphere { "s", position = { 0, 0 }, radius = 0.5,
      mass = 2 }).inertia, 1e-15)
  end)

  it("turn with their orientation, boxes, disks and cylinders alike", function()
    local turn = { axis = { 0, 1, 0 }, angle = 0.7 }
    for _, kind in ipairs { "disk", "cylinder" } do
      local model = sarrus.model {
        body[kind] { "turned", position = { 0, 0, 0 }, radius = 1, length = 0.5, mass = 4,
          orientation = turn, spin = { 1, 2, 3 } },
        body[kind] { "drawn", position = { 0, 0, 0 }, radius = 1, length = 0.5, mass = 4,
          axis = { math.sin(0.7), 0, math.cos(0.7) }, spin = { 1, 2, 3 } },
      }
      local x, y, z = moments(model.bodies[1].inertia)
      assert.near(1 + 1 / 12, x, 1e-14)
      assert.near(1 + 1 / 12, y, 1e-14)
      assert.near(2, z, 1e-14)
      assert.equal(1, model.bodies[1].axis[3])
      local sim = assert(model:simulate {})
      assert(sim:advance(2))
      local s = sim:state()
      assert.near(0, sarrus.vec.norm(s:body("turned").spin - s:body("drawn").spin), 1e-12)
    end
  end)

  it("tell their orientation as it was given, in any direction", function()
    local draw = dofile("spec/random/tools/draw.lua").new(1)
    for _ = 1, 20 do
      local axis, angle = draw:direction(), draw:between(-3, 3)
      local sim = assert(sarrus.model { body.box { "b", position = { 0, 0, 0 }, mass = 1,
        size = { 1, 2, 3 }, orientation = { axis = axis, angle = angle } } }:simulate {})
      local q, c, s = sim:state():body("b").orientation, math.cos(angle / 2), math.sin(angle / 2)
      local sign = q[1] * c < 0 and -1 or 1
      assert.near(c, sign * q[1], 1e-14)
      for k = 1, 3 do
        assert.near(s * axis[k], sign * q[k + 1], 1e-14)
      end
    end
  end)

  it("are refused by their principal moments, however their axes lie", function()
    local draw = dofile("spec/random/tools/draw.lua").new(2)
    local function turned(list)
      local axes, m = {}, {}
      axes[1] = sarrus.vec(draw:direction())
      axes[2] = sarrus.vec.cross(axes[1], sarrus.vec(draw:direction()))
      axes[2] = axes[2] / sarrus.vec.norm(axes[2])
      axes[3] = sarrus.vec.cross(axes[1], axes[2])
      for i = 1, 3 do
        m[i] = {}
        for k = 1, 3 do
          m[i][k] = 0
          for j, moment in ipairs(list) do
            m[i][k] = m[i][k] + moment * axes[j][i] * axes[j][k]
          end
        end
      end
      return m
    end
    local function message(inertia)
      local part = body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = inertia }
      return select(2, pcall(sarrus.model, { part })):gsub("^.*: inertia", "inertia")
    end
    for _ = 1, 10 do
      assert.equal("inertia: the triangle inequality does not hold for the principal moments: "
        .. "1 + 2 < 7", (message(turned { 2, 1, 7 })))
      assert.equal("inertia is not positive: principal moments -1, 3, 5",
        (message(turned { 3, 5, -1 })))
      assert.is_true((pcall(record, body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
        inertia = turned { 1, 2, 3 } })))
    end
    for i = 1, 3 do -- what is exactly diagonal, or turned by exactly 45 degrees
      local m = { { 5, 0, 0 }, { 0, 5, 0 }, { 0, 0, 5 } }
      local j = i % 3 + 1
      m[i][j], m[j][i] = 4.5, 4.5
      assert.equal("inertia: the triangle inequality does not hold for the principal moments: "
        .. "0.5 + 5 < 9.5", (message(m)))
    end
    local function is_taken(inertia)
      return (pcall(record, body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
        inertia = inertia }))
    end
    assert.is_true(is_taken { 1, 2, 3 * (1 + 5e-10) }) -- as rounding may have it
    assert.is_true(is_taken { -5e-13, 1, 1 })
    assert.is_false(is_taken { 1, 2, 3 * (1 + 2e-9) })
    assert.equal("inertia is not positive: principal moments -2e-12, 1, 1",
      (message { 1, -2e-12, 1 }))
  end)

  it("take inertias that are symmetric to 1e-9, and those by parameters", function()
    local function rigid(inertia)
      return sarrus.model { body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
        inertia = inertia } }
    end
    local names = { "x", "y", "z" }
    for i = 1, 2 do
      for j = i + 1, 3 do
        local m = { { 5, 1, 1 }, { 1, 5, 1 }, { 1, 1, 5 } }
        m[j][i] = 1 + 1e-9
        assert.truthy(rigid(m))
        m[j][i] = 1 + 4e-9
        local _, text = pcall(rigid, m)
        local pair = names[i] .. names[j] .. " = 1, I" .. names[j] .. names[i] .. " = 1.000000004"
        assert.truthy(text:find("inertia is not symmetric: I" .. pair, 1, true), text)
      end
    end
    for i = 1, 3 do
      local m, list = { { 5, 1, 1 }, { 1, 5, 1 }, { 1, 1, 5 } }, { 5, 5, 5 }
      m[i][i] = sarrus.parameter("k", 5)
      list[i] = m[i][i]
      assert.truthy(rigid(m))
      assert.truthy(rigid(list))
    end
  end)

  it("tell a spin in any direction, in world axes and in their own", function()
    local draw = dofile("spec/random/tools/draw.lua").new(5)
    local vec = sarrus.vec
    for _ = 1, 5 do
      local spin, turn = vec(draw:list(3, -2, 2)), { axis = draw:direction(), angle = 1 }
      local s = assert(sarrus.model { body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
        inertia = { 1, 2, 2 }, orientation = turn, spin = spin } }:simulate {}):state()
      assert.near(0, vec.norm(s:body("b").spin - spin), 1e-14)
      for k = 1, 3 do
        local axis = s:point("b", { k == 1 and 1 or 0, k == 2 and 1 or 0, k == 3 and 1 or 0 })
        assert.near(vec.dot(spin, axis), s:body("b").rates[k], 1e-14)
      end
    end
  end)

  it("that are points never turn", function()
    local sim = assert(sarrus.model { gravity = { 0, 0, -10 },
      body.point { "p", position = { 1, 2, 3 }, mass = 1, velocity = { 1, 0, 0 } } }:simulate {})
    assert(sim:advance(1))
    local at = sim:state():body("p")
    assert.same({ 1, 0, 0, 0 }, { at.orientation[1], at.orientation[2], at.orientation[3],
      at.orientation[4] })
    for k = 1, 3 do
      assert.equal(0, at.spin[k])
      assert.equal(0, at.rates[k])
    end
    assert.same({ 2, 2, -2 }, { at.position.x, at.position.y, at.position.z })
    for dimension = 2, 3 do
      local place = { 0, 0, dimension == 3 and 0 or nil }
      local hung = assert(sarrus.model { gravity = dimension == 2 and { 0, -10 } or { 0, -10, 0 },
        body.point { "p", position = { 0, -1, place[3] }, mass = 2 },
        sarrus.joint.distance { "rope", "ground", "p", from = place, to = { 0, -1, place[3] } },
      }:simulate {}):state():joint("rope")
      assert.near(20, hung.force.y, 1e-13)
      if dimension == 2 then
        assert.equal(0, hung.torque)
      else
        assert.same({ 0, 0, 0 }, { hung.torque[1], hung.torque[2], hung.torque[3],
          hung.torque[4] })
      end
    end
  end)

  it("push each other by the torque of their joint: momenta stay", function()
    local sim = assert(sarrus.model { gravity = { 0, 0 },
      body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.rod { "b", from = { 1, 0 }, to = { 2.5, 0 }, mass = 2 },
      sarrus.joint.revolute { "j", "a", "b", at = { 1, 0 }, torque = 0.3 },
    }:simulate {})
    assert(sim:advance(2))
    local momentum, push = 0, sarrus.vec { 0, 0 }
    for name, of in pairs { a = { 1, 1 / 12 }, b = { 2, 2 * 2.25 / 12 } } do
      local at = sim:state():body(name)
      momentum = momentum + of[2] * at.spin + of[1] * (at.position[1] * at.velocity[2]
        - at.position[2] * at.velocity[1])
      push = push + of[1] * at.velocity
    end
    assert.near(0, momentum, 1e-13)
    assert.near(0, sarrus.vec.norm(push), 1e-13)
    assert.is_true(math.abs(sim:state():body("a").spin) > 0.1)
  end)

  it("keep their momentum when free", function()
    local model = sarrus.model { body.rigid { "b", position = { 1, 2, 3 }, mass = 2,
      inertia = { { 2, 0.1, 0 }, { 0.1, 3, 0.2 }, { 0, 0.2, 4 } }, velocity = { 1, -1, 0.5 },
      spin = { 1.4, 0.1, 1 } } }
    local sim = assert(model:simulate {})
    local function momentum(s)
      local at, i, total = s:body("b"), model.bodies[1].inertia, sarrus.vec { 0, 0, 0 }
      for k = 1, 3 do
        local axis = { k == 1 and 1 or 0, k == 2 and 1 or 0, k == 3 and 1 or 0 }
        local e = s:point("b", axis) - at.position
        total = total + e * sarrus.vec.dot(sarrus.vec(i[k]), at.rates)
      end
      return total
    end
    local before = momentum(sim:state())
    assert(sim:advance(10))
    local s = sim:state()
    assert.near(0, sarrus.vec.norm(momentum(s) - before), 1e-12)
    assert.near(11, s:body("b").position.x, 1e-13)
  end)
end)
