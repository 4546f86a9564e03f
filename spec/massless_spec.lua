-- Bodies without mass between two hinges: together they are a universal joint.
local check = dofile("spec/check.lua")
local draws = dofile("spec/random/tools/draw.lua")
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local function rod(position)
  return body.rigid { "rod", position = position, mass = 3, inertia = { 0.1, 0.2, 0.25 } }
end

--- The rod on a fork that turns about y, and on a universal joint, after a while.
local function both(axis, at, position)
  local fork = sarrus.model {
    gravity = { 1, 2, -9.81 }, rod(position),
    body.rigid { "fork", position = at, mass = 0, inertia = { 0, 0, 0 } },
    joint.revolute { "swing", "ground", "fork", at = at, axis = { 0, 1, 0 } },
    joint.revolute { "sway", "fork", "rod", at = at, axis = axis },
  }
  local cross = sarrus.model {
    gravity = { 1, 2, -9.81 }, rod(position),
    joint.universal { "cross", "ground", "rod", at = at, axes = { { 0, 1, 0 }, axis } },
  }
  local states = {}
  for i, model in ipairs { fork, cross } do
    local sim = assert(model:simulate {})
    assert(sim:advance(0.3))
    states[i] = sim:state()
  end
  return states[1], states[2]
end

describe("a fork without mass", function()
  it("is determined whatever rounding its axes have", function()
    local draw = draws.new(5)
    for k = 0, 23 do
      local angle = k * math.pi / 12 -- right angles with rounding among them
      local at = k % 2 == 0 and { 0, 0, 0 } or draw:list(3, -1, 1)
      local position = { at[1] + draw:between(-0.3, 0.3), at[2] + draw:between(-0.3, 0.3), at[3] }
      local one, other = both({ math.cos(angle), 0, math.sin(angle) }, at, position)
      for i = 1, 3 do
        check.near(other:body("rod").position[i], one:body("rod").position[i], 1e-12)
        check.near(other:body("rod").spin[i], one:body("rod").spin[i], 1e-11)
      end
      assert.is_true(type(assert(one:efforts({ swing = 1 })).sway) == "number")
    end
  end)
end)

--- A ball on two hinges at right angles that turn alike, with nothing between them.  Its spin is
--- the rate times a vector of length sqrt(2): the angle swings as cos(sqrt(stiffness / 2 I) t).
describe("two hinges that are coupled, with nothing between them", function()
  it("are neither singular nor redundant, whatever rounding their axes have", function()
    local inertia, stiffness, rest = 0.03, 5, 0.3
    for k = 0, 23 do
      local angle = k * math.pi / 24
      local c, s = math.cos(2 * angle), math.sin(2 * angle)
      local orientation = { math.cos(angle), 0, 0, math.sin(angle) }
      local model = sarrus.model {
        body.rigid { "cross", position = { 6, 0, 1 }, mass = 0, inertia = { 0, 0, 0 },
          orientation = orientation },
        body.rigid { "ball", position = { 6, 0, 1 }, mass = 4, orientation = orientation,
          inertia = { inertia, inertia, inertia } },
        joint.revolute { "swing", "ground", "cross", at = { 6, 0, 1 }, axis = { c, s, 0 } },
        joint.revolute { "sway", "cross", "ball", at = { 6, 0, 1 }, axis = { -s, c, 0 },
          stiffness = stiffness, rest = rest },
        joint.coupled { "alike", "swing", "sway", coefficients = { 0, 1 } },
      }
      assert.equal(1, model:freedoms())
      local sim = assert(model:simulate {})
      assert.same({}, sim:warnings())
      assert(sim:advance(0.2))
      local state = sim:state()
      check.near(rest * (1 - math.cos(math.sqrt(stiffness / (2 * inertia)) * 0.2)),
        state:joint("swing").angle, 1e-11)
      assert.is_true(state:joint("swing").unique)
    end
  end)
end)

local function product(a, b)
  local c = {}
  for i = 1, 3 do
    c[i] = {}
    for k = 1, 3 do
      c[i][k] = a[i][1] * b[1][k] + a[i][2] * b[2][k] + a[i][3] * b[3][k]
    end
  end
  return c
end

--- The axes of a frame that is turned about x, about the new y and about the new z, as rows.
local function turned(a, b, c)
  local function about(i, angle)
    local k, l = i % 3 + 1, (i + 1) % 3 + 1
    local m = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
    m[i][i], m[k][k], m[l][l] = 1, math.cos(angle), math.cos(angle)
    m[k][l], m[l][k] = math.sin(angle), -math.sin(angle)
    return m
  end
  return product(about(3, c), product(about(2, b), about(1, a)))
end

--- A bob on three hinges through one point, with nothing between them, as files of robots have them
--- for a ball joint.
local function on_three_hinges(axes)
  local parts = { gravity = { 1, 2, -9.81 } }
  local outer, at, middle = "ground", { 0.1, 0.2, 0.3 }, axes[1]
  for i, name in ipairs { "ring", "cross" } do
    parts[#parts + 1] = body.rigid { name, position = at, mass = 0, inertia = { 0, 0, 0 } }
    parts[#parts + 1] = joint.revolute { "J" .. i, outer, name, at = at, axis = axes[3 - i] }
    outer = name
  end
  parts[#parts + 1] = joint.revolute { "J3", outer, "bob", at = at, axis = axes[3] }
  parts[#parts + 1] = body.rigid { "bob", mass = 2, inertia = { 0.1, 0.2, 0.25 },
    position = { at[1] + middle[1], at[2] + middle[2], at[3] + middle[3] } }
  return sarrus.model(parts), sarrus.model {
    gravity = { 1, 2, -9.81 }, parts[#parts],
    joint.spherical { "J", "ground", "bob", at = at },
  }
end

describe("three hinges through one point, with nothing between them", function()
  it("are a ball joint, whatever rounding their axes have", function()
    local draw = draws.new(7)
    for _ = 1, 100 do
      local function angle()
        return math.floor(draw:between(-6, 7)) * math.pi / 12
      end
      local states = {}
      for i, model in ipairs { on_three_hinges(turned(angle(), angle(), angle())) } do
        local sim = assert(model:simulate {})
        assert.same({}, sim:warnings())
        assert(sim:advance(0.2))
        assert.is_true(sim:stats().steps < 20)
        states[i] = sim:state():body("bob")
      end
      for i = 1, 3 do
        check.near(states[2].position[i], states[1].position[i], 1e-11)
        check.near(states[2].spin[i], states[1].spin[i], 1e-10)
      end
    end
  end)
end)
