--- Motions that are prescribed and cannot be followed: four-bars driven past their dead centre, and
--- jumps; drawn at random, with the time known from the geometry.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

--- A four-bar over the ground from (0, 0) to (g, 0), its crank of length a at an angle.
local function four_bar(dimension, g, a, b, c, angle, motion)
  local z = dimension == 3 and 0 or nil
  local axis = z and { 0, 0, 1 }
  local x, y = a * math.cos(angle), a * math.sin(angle)
  local d = math.sqrt((g - x) ^ 2 + y ^ 2)
  local along = (b ^ 2 - c ^ 2 + d ^ 2) / (2 * d)
  local across = math.sqrt(b ^ 2 - along ^ 2)
  local ux, uy = (g - x) / d, -y / d
  local corner = { x + along * ux - across * uy, y + along * uy + across * ux, z }
  local origin, tip, foot = { 0, 0, z }, { x, y, z }, { g, 0, z }
  return sarrus.model {
    body.rod { "crank", from = origin, to = tip, mass = 1 },
    body.rod { "coupler", from = tip, to = corner, mass = 1 },
    body.rod { "rocker", from = foot, to = corner, mass = 1 },
    joint.revolute { "drive", "ground", "crank", at = origin, axis = axis, motion = motion },
    joint.revolute { "B", "crank", "coupler", at = tip, axis = axis },
    joint[z and "spherical" or "revolute"] { "C", "coupler", "rocker", at = corner },
    joint.revolute { "D", "rocker", "ground", at = foot, axis = axis },
  }
end

--- Lengths of a four-bar whose crank cannot turn beyond `limit`; and an angle where it can be.
local function draw(uniform)
  while true do
    local g, a, b, c = 1 + uniform(), 0.5 + uniform(), 0.5 + uniform(), 0.5 + uniform()
    local cosine = (a ^ 2 + g ^ 2 - (b + c) ^ 2) / (2 * a * g)
    if math.abs(cosine) < 0.95 then
      local limit = math.acos(cosine)
      local angle = limit * (0.3 + 0.5 * uniform())
      local d = math.sqrt(a ^ 2 + g ^ 2 - 2 * a * g * math.cos(angle))
      if d > math.abs(b - c) + 0.1 then
        return g, a, b, c, angle, limit
      end
    end
  end
end

describe("a prescribed motion", function()
  local lost = 'joint.revolute "drive": its motion cannot be followed'

  it("past a dead centre is INCONSISTENT, with the joint and the time", function()
    local uniform = generator.uniform(1)
    for case = 1, 100 do
      local g, a, b, c, angle, limit = draw(uniform)
      local rate, tolerance = generator.decade(uniform, -2, 2), ({ 1e-6, 1e-12 })[1 + case % 2]
      local model = four_bar(2 + case % 3 % 2, g, a, b, c, angle, function(t)
        return rate * t
      end)
      local sim = assert(model:simulate { tolerance = tolerance })
      local time = (limit - angle) / rate
      local result, message, code = sim:advance(2 * time)
      assert.is_nil(result)
      assert.equal("INCONSISTENT", code, message)
      assert.truthy(message:find(lost .. " from here on", 1, true), message)
      assert.is_near(time, sim.time, 1e-6 * time)
    end
  end)

  it("that jumps is INCONSISTENT, with the joint, the time and the jump", function()
    local uniform = generator.uniform(2)
    for case = 1, 100 do
      local g, a, b, c, angle = draw(uniform)
      local size, time = generator.decade(uniform, -7, 0), generator.decade(uniform, -2, 1)
      local model = four_bar(2 + case % 2, g, a, b, c, angle, function(t)
        return 0.01 * sarrus.sin(t / time) + sarrus.select(t - time, size, 0)
      end)
      local sim = assert(model:simulate {})
      local result, message, code = sim:advance(2 * time)
      assert.is_nil(result)
      assert.equal("INCONSISTENT", code, message)
      assert.truthy(message:find(lost .. ": it jumps by", 1, true), message)
      assert.is_near(size, tonumber(message:match("jumps by (%S+) rad")), 1e-3 * size)
      assert.is_near(time, sim.time, 1e-6 * time)
    end
  end)

  it("whose rate another joint does not allow is INCONSISTENT, with both", function()
    for other, text in pairs {
      [joint.fixed { "F", "ground", "a", at = { 0, 0 } }] =
        'the velocities violate joint.fixed "F" (rotation) by 1 (t = 0); these work against each '
        .. 'other: "A", "F"',
      [joint.revolute { "B", "ground", "a", at = { 0, 0 }, motion = 2 * sarrus.time }] =
        'joint.revolute "B": its motion cannot be followed: its rate is off by 1 rad/s (t = 0); '
        .. 'these work against each other: "A", "B"',
    } do
      local sim, message, code = sarrus.model {
        name = "stuck", body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
        joint.revolute { "A", "ground", "a", at = { 0, 0 }, motion = sarrus.time }, other,
      }:simulate {}
      assert.is_nil(sim)
      assert.equal('model "stuck": ' .. text, message)
      assert.equal("INCONSISTENT", code)
    end
  end)

  it("that no mechanism is asked to follow is none of this", function()
    local system = sarrus.system {
      coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      force = function(q) return { 6 * q.x ^ 2, 0 } end, -- x = 1/(1 - t)^2
      constraints = function(q) return { q.y - sarrus.time } end,
    }
    local sim = assert(system:simulate { q = { 1, 0 }, v = { 2, 1 } })
    local _, message, code = sim:advance(2)
    assert.equal("STEP", code)
    assert.truthy(message:find("; x keeps them small", 1, true), message)
  end)

  it("out of reach names a constraint of a system", function()
    local system = sarrus.system {
      coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1, q.x - sarrus.time } end,
    }
    local sim = assert(system:simulate { q = { 0, 1 }, v = { 1, 0 } })
    local _, message, code = sim:advance(2)
    assert.equal("INCONSISTENT", code)
    assert.truthy(message:find("constraint 2 cannot be met from here on", 1, true), message)
    assert.is_near(1, sim.time, 1e-9)
  end)
end)

describe("messages", function()
  it("speak of orientations, not of the axes that they are kept as", function()
    local model = sarrus.model {
      body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } },
      sarrus.force.spring { "s", "ground", "b", from = { 1, 0, 0 }, to = { 1, 0, 0 },
        stiffness = 1, length = 1 },
    }
    local _, message, code = model:simulate {}
    assert.equal("NONFINITE", code)
    assert.is_nil(message:find("b.e%d"), message)
    assert.truthy(message:find('the orientation of "b"', 1, true), message)
    assert.truthy(message:find('force.spring "s"', 1, true), message)
    local stiff = sarrus.model {
      body.rigid { "b", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 2, 3 },
        spin = { 1e9, 1, 1e9 } },
    }
    local sim = assert(stiff:simulate { max_steps = 3 })
    _, message = sim:advance(1)
    assert.truthy(message:find("b.orientation keeps them small", 1, true), message)
  end)
end)
