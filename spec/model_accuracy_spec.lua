-- Mechanisms with known answers, and the same mechanism said in several ways.
local sarrus = require "sarrus"
local problems = dofile("spec/problems.lua")
local squeezer = dofile("examples/squeezer_model.lua")
local body, joint, force, vec = sarrus.body, sarrus.joint, sarrus.force, sarrus.vec

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

describe("a pendulum", function()
  for dimension = 2, 3 do
    it("as a point on a distance, in " .. dimension .. "D", function()
      local s = run(sarrus.model {
        gravity = p(dimension, 0, -9.81),
        body.point { "p", position = p(dimension, -1, 0), mass = 1 },
        joint.distance { "d", "ground", "p", from = p(dimension, 0, 0), to = p(dimension, -1, 0) },
      }, 10)
      assert.near(-0.27508746257611686005, s:body("p").position.x, 1e-11)
      assert.near(4.1755981009517288365, s:velocity("p").x, 1e-11)
      local pull = 2 * 14.147283603033625321 -- of g = x^2 + y^2 - 1 the multiplier times 2
      assert.near(pull, vec.norm(s:joint("d").force), 1e-10)
    end)
  end
end)

describe("the double pendulum of point masses", function()
  for dimension = 2, 3 do
    it("meets the reference, in " .. dimension .. "D", function()
      local function at(x)
        return p(dimension, x, 0)
      end
      local s = run(sarrus.model {
        gravity = p(dimension, 0, -9.81),
        body.point { "p1", position = at(1), mass = 1 },
        body.point { "p2", position = at(2), mass = 1 },
        joint.distance { "d1", "ground", "p1", from = at(0), to = at(1) },
        joint.distance { "d2", "p1", "p2", from = at(1), to = at(2) },
      }, 10)
      assert.near(-0.53834723961222639073, s:body("p1").position.x, 1e-10)
      assert.near(-1.7073476624693274470, s:body("p2").position.y, 1e-10)
    end)
  end
end)

describe("the free body that flips about its middle axis", function()
  it("meets the reference", function()
    local s = run(sarrus.model { body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
      inertia = { 2, 3, 4 }, spin = { 1.4, 0, 1 } } }, 50)
    local rates = s:body("b").rates
    assert.near(0.33806664544885357356, rates[1], 1e-11)
    assert.near(1.5687408722645301313, rates[2], 1e-11)
    assert.near(0.27774903849072175377, rates[3], 1e-11)
  end)
end)

describe("N four-bars, which pass singular positions", function()
  local function four_bars(n, dimension)
    local function at(x, y)
      return p(dimension, x, y)
    end
    local parts = { gravity = at(0, -9.81) }
    local function put(part)
      parts[#parts + 1] = part
    end
    local function pin(name, a, b, x, y)
      put(joint.revolute { name, a, b, at = at(x, y), axis = axis(dimension) })
    end
    for i = 0, n do
      put(body.rod { "v" .. i, from = at(i, 0), to = at(i, 1), mass = 1, velocity = at(0.5, 0),
        spin = dimension == 2 and -1 or { 0, 0, -1 } })
      pin("g" .. i, "ground", "v" .. i, i, 0)
    end
    for i = 1, n do
      put(body.rod { "h" .. i, from = at(i - 1, 1), to = at(i, 1), mass = 1, velocity = at(1, 0) })
      pin("l" .. i, "v" .. i - 1, "h" .. i, i - 1, 1)
      pin("r" .. i, "h" .. i, "v" .. i, i, 1)
    end
    return sarrus.model(parts)
  end

  it("planar, N = 2", function()
    local s = run(four_bars(2, 2), 10)
    assert.near(0.32845811154081537865, s:point("v0", { 0.5, 0 }).x, 1e-9)
    assert.near(0.94451853817860096216, s:point("v0", { 0.5, 0 }).y, 1e-9)
  end)

  it("mark reactions next to a singular position, and only there", function()
    local sim = assert(four_bars(2, 2):simulate {})
    for _, case in ipairs { { 0, false }, { 0.3, false }, { 0.714355529, true }, { 1, false } } do
      assert(sim:advance(case[1]))
      assert.equal(case[2], sim:state():joint("l1").singular)
    end
  end)

  it("planar, N = 40", function()
    local s = run(four_bars(40, 2), 10)
    assert.near(0.18051222668672839010, s:point("v0", { 0.5, 0 }).x, 1e-9)
  end)

  it("spatial, N = 2, with six redundant equations", function()
    local model = four_bars(2, 3)
    assert.equal(1, model:freedoms())
    local s = run(model, 1)
    assert.near(-0.19502030194943509364, s:point("v0", { 0.5, 0, 0 }).x, 1e-9)
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
      dimension == 2 and joint.slot { "G", "ground", "lower", at = hand, axis = { 1, 0 } }
        or joint.custom { "G", { "ground", "lower" }, equations = function(_, l)
          return { l:point({ lower / 2, 0, 0 }).y }
        end },
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

describe("moving the drawing", function()
  --- A crank with a coupler on a spring, drawn at a place, turned, and in some order.
  local function drawn(dx, dy, turn, prefix, reverse)
    local c, s = math.cos(turn), math.sin(turn)
    local function at(x, y)
      return { dx + c * x - s * y, dy + s * x + c * y }
    end
    local parts = {
      body.rod { prefix .. "a", from = at(0, 0), to = at(0.6, 0.8), mass = 1 },
      body.rod { prefix .. "b", from = at(0.6, 0.8), to = at(1.6, 0.8), mass = 2 },
      body.rod { prefix .. "c", from = at(2, 0), to = at(1.6, 0.8), mass = 1 },
      joint.revolute { prefix .. "A", "ground", prefix .. "a", at = at(0, 0) },
      joint.revolute { prefix .. "B", prefix .. "a", prefix .. "b", at = at(0.6, 0.8) },
      joint.revolute { prefix .. "C", prefix .. "b", prefix .. "c", at = at(1.6, 0.8) },
      joint.revolute { prefix .. "D", prefix .. "c", "ground", at = at(2, 0) },
      force.spring { prefix .. "k", "ground", prefix .. "b", from = at(1, 3), to = at(1, 0.8),
        stiffness = 30, length = 1 },
    }
    local list = { gravity = { 9.81 * s, -9.81 * c } }
    for i, part in ipairs(parts) do
      list[reverse and #parts + 1 - i or i] = part
    end
    return sarrus.model(list)
  end

  it("changes no relative result by more than 1e-11 in 2 s", function()
    local base = run(drawn(0, 0, 0, "", false), 2)
    for _, case in ipairs {
      { 20, -15, 0, "", false }, { 0, 0, 1.1, "", false }, { 0, 0, 0, "long name ", true },
      { -10, 20, 2.5, "x", true },
    } do
      local unpack = table.unpack or unpack -- luacheck: std max
      local s = run(drawn(unpack(case)), 2)
      for _, name in ipairs { "A", "B", "C", "D" } do
        local one, other = base:joint(name), s:joint(case[4] .. name)
        assert.near(one.angle, other.angle, 1e-11)
        assert.near(one.rate, other.rate, 1e-10)
        assert.near(vec.norm(one.force), vec.norm(other.force), 1e-9)
      end
    end
  end)
end)
