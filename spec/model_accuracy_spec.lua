-- Mechanisms with known answers, and the same mechanism said in several ways.
local sarrus = require "sarrus"
local mechanisms = dofile("spec/mechanisms.lua")
local problems = dofile("spec/problems.lua")
local squeezer = dofile("examples/squeezer_model.lua")
local body, joint = sarrus.body, sarrus.joint

local function p(dimension, x, y)
  return dimension == 2 and { x, y } or { x, y, 0 }
end

local function axis(dimension)
  return dimension == 3 and { 0, 0, 1 } or nil
end

local function run(model, t, options)
  local sim = assert(model:simulate(options or {}))
  assert(sim:advance(t))
  return sim:state(), sim
end

describe("N four-bars, which pass singular positions", function()
  it("mark reactions next to a singular position, and only there", function()
    local sim = assert(mechanisms.four_bars(2, 2):simulate {})
    for _, case in ipairs { { 0, false }, { 0.3, false }, { 0.714355529, true }, { 1, false } } do
      assert(sim:advance(case[1]))
      assert.equal(case[2], sim:state():joint("l1").singular)
    end
  end)

  it("in space have six redundant equations, and one freedom", function()
    assert.equal(1, mechanisms.four_bars(2, 3):freedoms())
  end)
end)

describe("the squeezer to 0.03 s", function()
  local be = -0.0617138900142764496

  for dimension = 2, 3 do
    it("from bodies and joints meets the reference, in " .. dimension .. "D", function()
      local s = run(squeezer(dimension), 0.03, { tolerance = 1e-14 })
      assert.near(15.810771195153707097, be + s:joint("O").angle, 1e-11)
      assert.near(1139.9203022591060642, s:joint("O").rate, 1e-8)
      assert.near(199.17534810453862819, s:joint("F3").force.x, 1e-9)
      assert.near(-29.755309974971763324, s:joint("F3").force.y, 1e-9)
    end)
  end

  it("agrees with the equations in angles", function()
    local problem = problems.squeezer()
    local sim = assert(problem.system:simulate { q = problem.q, v = problem.v, tolerance = 1e-14 })
    assert(sim:advance(0.03))
    local s = run(squeezer(2), 0.03, { tolerance = 1e-14 })
    assert.near(sim:state().q[1], be + s:joint("O").angle, 1e-11)
    assert.near(sim:state().q[3], s:body("K3").angle, 1e-11)
  end)
end)

describe("a two-link arm on a guide", function()
  local a, lower = 0.7, 0.8
  local b = -math.asin(math.sin(a) / lower) -- the hand on the x axis

  local function arm(dimension)
    local elbow = p(dimension, math.cos(a), math.sin(a))
    local hand = p(dimension, math.cos(a) + lower * math.cos(b), 0)
    return sarrus.model {
      gravity = p(dimension, 0, -9.81),
      body.rod { "upper", from = p(dimension, 0, 0), to = elbow, mass = 1 },
      body.rod { "lower", from = elbow, to = hand, mass = 2 },
      joint.revolute { "S", "ground", "upper", at = p(dimension, 0, 0), axis = axis(dimension) },
      joint.revolute { "E", "upper", "lower", at = elbow, axis = axis(dimension) },
      joint.slot { "G", "ground", "lower", at = hand, axis = p(dimension, 1, 0) },
    }
  end

  --- The same in two absolute angles.
  local function angles()
    local cos, sin = sarrus.cos, sarrus.sin
    return sarrus.system {
      coordinates = { "a", "b" },
      lagrangian = function(q, v)
        local x = -sin(q.a) * v.a - lower / 2 * sin(q.b) * v.b
        local y = cos(q.a) * v.a + lower / 2 * cos(q.b) * v.b
        local kinetic = v.a ^ 2 / 6 + 2 * (x ^ 2 + y ^ 2) / 2 + 2 * lower ^ 2 / 12 * v.b ^ 2 / 2
        return kinetic - 9.81 * (sin(q.a) / 2 + 2 * (sin(q.a) + lower / 2 * sin(q.b)))
      end,
      constraints = function(q)
        return { sin(q.a) + lower * sin(q.b) }
      end,
    }
  end

  it("is the same as system, planar model and spatial model", function()
    local sim = assert(angles():simulate { q = { a, b }, v = { 0, 0 }, tolerance = 1e-14 })
    assert(sim:advance(2))
    local q = sim:state()
    for dimension = 2, 3 do
      local s = run(arm(dimension), 2, { tolerance = 1e-14 })
      assert.near(q.q.a, a + s:joint("S").angle, 1e-11)
      assert.near(q.q.b - q.q.a, b - a + s:joint("E").angle, 1e-11)
      assert.near(-q.lambda[1], s:joint("G").force.y, 1e-9)
    end
  end)
end)

describe("enlarging a mechanism", function()
  it("changes no step: lengths count relative to its size", function()
    local function four_bar(size)
      local function at(x, y)
        return { size * x, size * y }
      end
      local mass = 1 / size -- then forces stay as they are
      return sarrus.model {
        gravity = { 0, -9.81 * size },
        body.rod { "a", from = at(0, 0), to = at(0, 1), mass = mass },
        body.rod { "b", from = at(0, 1), to = at(2, 2), mass = mass },
        body.rod { "c", from = at(3, 0), to = at(2, 2), mass = mass },
        joint.revolute { "A", "ground", "a", at = at(0, 0) },
        joint.revolute { "B", "a", "b", at = at(0, 1) },
        joint.revolute { "C", "b", "c", at = at(2, 2) },
        joint.revolute { "D", "c", "ground", at = at(3, 0) },
      }
    end
    local one, sim = run(four_bar(1), 2)
    for _, size in ipairs { 1 / 1024, 1024 } do
      local other, larger = run(four_bar(size), 2)
      assert.equal(sim:stats().steps, larger:stats().steps)
      assert.near(one:joint("B").angle, other:joint("B").angle, 1e-13)
      assert.near(one:joint("B").force.x, other:joint("B").force.x, 1e-11)
    end
  end)
end)
