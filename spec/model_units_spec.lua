--- The same mechanism in other units: the same steps, the same relative digits.

local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

-- Units of length, time and mass.
local units = {
  { 1e-6, 1, 1e-18 }, { 1e-3, 1e-3, 1e-9 }, { 1e3, 1, 1 }, { 1e11, 1e7, 1e24 }, { 1, 1e7, 1 },
  { 0.0254, 1, 0.45 }, { 1e-6, 1e4, 1e24 },
}

--- Run in all units; numbers that `measure` gives have none.
local function same(make, measure, tolerance)
  local function run(L, T, M)
    local model, start, t = make(L, T, M)
    local sim = assert(model:simulate(start))
    assert(sim:advance(t))
    return measure(sim:state(), L, T, M), sim:stats().steps
  end
  local expected, steps = run(1, 1, 1)
  for _, u in ipairs(units) do
    local name = ("in units of %g m, %g s, %g kg"):format(u[1], u[2], u[3])
    local found, count = run(u[1], u[2], u[3])
    assert.is_true(math.abs(count - steps) <= math.max(1, 0.1 * steps),
      ("%s: %d steps, not %d"):format(name, count, steps))
    for i, x in ipairs(expected) do
      assert.near(x, found[i], tolerance * math.max(1, math.abs(x)), name)
    end
  end
end

describe("in other units", function()
  it("drag slows as much, from rest and through it", function()
    same(function(L, T, M)
      return sarrus.model {
        gravity = { 0, -10 * L / T ^ 2 },
        body.point { "m", position = { 0, L }, mass = M, velocity = { 0, 3 * L / T } },
        force.drag { "d", "m", quadratic = 0.1 * M / L, linear = 0.1 * M / T },
      }, {}, T
    end, function(s, L, T)
      return { s:point("m").y / L, s:velocity("m").y * T / L }
    end, 1e-11)
  end)

  it("drag has its speed from what begins to move, too", function()
    same(function(L, T, M)
      return sarrus.model {
        body.point { "m", position = { 2 * L, 0 }, mass = M },
        force.spring { "k", "ground", "m", from = { 0, 0 }, to = { 2 * L, 0 }, length = L,
          stiffness = 5 * M / T ^ 2 },
        force.drag { "d", "m", quadratic = 0.3 * M / L },
      }, {}, 2 * T
    end, function(s, L, T)
      return { s:point("m").x / L, s:velocity("m").x * T / L }
    end, 1e-11)
  end)

  it("stops strike as often, and come to rest", function()
    same(function(L, T, M)
      return sarrus.model {
        gravity = { 0, -9.81 * L / T ^ 2 },
        body.rod { "a", from = { 0, 0 }, to = { L, 0 }, mass = M },
        body.box { "b", position = { 2 * L, 0 }, size = { L, L }, mass = M },
        joint.revolute { "A", "ground", "a", at = { 0, 0 }, limits = { -1, 1, restitution = 0.5 } },
        joint.prismatic { "B", "ground", "b", at = { 2 * L, 0 }, axis = { 0, 1 },
          limits = { -0.5 * L, L, restitution = 0.3 } },
      }, {}, 3 * T
    end, function(s, L, T, M)
      local a, b = s:joint("A"), s:joint("B")
      return { a.angle, a.rate * T, b.length / L, a.torque * T ^ 2 / (M * L ^ 2) }
    end, 1e-9)
  end)

  it("dry friction of joints holds what it can, and no more", function()
    same(function(L, T, M)
      return sarrus.model {
        body.box { "held", position = { 0, 0 }, size = { L, L }, mass = M },
        body.box { "moved", position = { 0, 3 * L }, size = { L, L }, mass = M },
        joint.prismatic { "H", "ground", "held", at = { 0, 0 }, axis = { 1, 0 },
          friction = 2 * M * L / T ^ 2, force = M * L / T ^ 2 },
        joint.prismatic { "P", "ground", "moved", at = { 0, 3 * L }, axis = { 1, 0 },
          friction = 0.5 * M * L / T ^ 2, force = M * L / T ^ 2 },
      }, {}, 2 * T
    end, function(s, L)
      return { s:joint("H").length / L, s:joint("H").sticks and 1 or 0, s:joint("P").length / L }
    end, 1e-11)
  end)

  it("a single body has a size of its own", function()
    for _, make in ipairs {
      function(L, M) return body.sphere { "b", position = { 0, 0, 0 }, radius = L, mass = M } end,
      function(L, M) return body.rigid { "b", position = { 0, 0, 0 }, inertia = { 1 * M * L ^ 2,
        2 * M * L ^ 2, 2.5 * M * L ^ 2 }, mass = M } end,
      function(L, M) return body.box { "b", position = { 0, 0, 0 }, size = { L, 2 * L, 3 * L },
        mass = M } end,
    } do
      same(function(L, T, M)
        return sarrus.model { gravity = { 0, 0, -L / T ^ 2 }, make(L, M) },
          { bodies = { b = { velocity = { L / T, 0, L / T }, spin = { 1 / T, 2 / T, 0 } } } }, 3 * T
      end, function(s, L, T)
        local b = s:body("b")
        return { b.position.x / L, b.position.z / L, b.spin.x * T, b.orientation[2] }
      end, 1e-11)
    end
  end)

  it("efforts are the same, and so is what is redundant", function()
    for _, dimension in ipairs { 2, 3 } do
      local warned
      local function make(L, T, M)
        local function at(x, y)
          return { L * x, L * y, dimension == 3 and 0 or nil }
        end
        local axis = dimension == 3 and { 0, 0, 1 } or nil
        local g = at(0, -9.81 / T ^ 2)
        return sarrus.model {
          gravity = g,
          body.rod { "crank", from = at(0, 0), to = at(0, 1), mass = M },
          body.rod { "rod", from = at(0, 1), to = at(2, 2), mass = M },
          body.rod { "rocker", from = at(3, 0), to = at(2, 2), mass = M },
          joint.revolute { "A", "ground", "crank", at = at(0, 0), axis = axis },
          joint.revolute { "B", "crank", "rod", at = at(0, 1), axis = axis },
          joint.revolute { "C", "rod", "rocker", at = at(2, 2), axis = axis },
          joint.revolute { "D", "rocker", "ground", at = at(3, 0), axis = axis },
        }, {}, T
      end
      same(make, function(s, L, T, M)
        local list = { assert(s:efforts { A = 2 / T ^ 2 }).A * T ^ 2 / (M * L ^ 2) }
        local b = s:joint("B")
        for k = 1, dimension == 3 and 2 or 0 do
          list[#list + 1] = b.unique_force[k] and 1 or 0
          list[#list + 1] = b.unique_torque[k] and 1 or 0
        end
        return list
      end, 1e-10)
      for i = 0, #units do
        local u = units[i] or { 1, 1, 1 }
        local sim = assert((make(u[1], u[2], u[3])):simulate {})
        local text = sim:warnings()[1] and sim:warnings()[1].message or ""
        warned = warned or text
        assert.equal(warned, text)
        assert.equal(dimension - 2, #sim:warnings())
      end
    end
  end)

  it("efforts of what is drawn on an axis are found", function() -- where coordinates are rounding
    same(function(L, T, M)
      return sarrus.model {
        gravity = { 0, -9.81 * L / T ^ 2 },
        body.rod { "crank", from = { 0, 0 }, to = { 0.3 * L, 0.4 * L }, mass = M },
        body.rod { "rod", from = { 0.3 * L, 0.4 * L }, to = { 1.5 * L, 0 }, mass = M },
        body.box { "piston", position = { 1.5 * L, 0 }, size = { 0.2 * L, 0.2 * L }, mass = M },
        joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
        joint.revolute { "B", "crank", "rod", at = { 0.3 * L, 0.4 * L } },
        joint.revolute { "C", "rod", "piston", at = { 1.5 * L, 0 } },
        joint.prismatic { "P", "ground", "piston", at = { 1.5 * L, 0 }, axis = { 1, 0 } },
      }, {}, 3 * T
    end, function(s, L, T, M)
      return { assert(s:efforts { A = 2 / T ^ 2 }).A * T ^ 2 / (M * L ^ 2) }
    end, 1e-10)
  end)

  it("a thrown point has one too", function()
    for _, high in ipairs { 0, 1 } do
      same(function(L, T, M)
        return sarrus.model {
          gravity = { 0, -L / T ^ 2 },
          body.point { "p", position = { 0, high * L }, mass = M, velocity = { L / T, L / T } },
        }, {}, T
      end, function(s, L)
        return { s:point("p").x / L, s:point("p").y / L }
      end, 1e-12)
    end
  end)
end)

describe("starts in other units", function()
  local small = { 1e-13, 1e-6, 1, 1e11 } -- units of length

  it("take rods and distances of any length but none", function()
    for _, L in ipairs(small) do
      local model = sarrus.model {
        gravity = { 0, -L },
        body.rod { "r", from = { 0, 0 }, to = { L, 0 }, mass = 1 },
        joint.distance { "d", "ground", "r", from = { 0, L }, to = { L, 0 } },
      }
      assert(model:simulate {}:advance(0.1))
      assert.has_error(function()
        sarrus.model {
          body.rod { "r", from = { L, 3 * L }, to = { L, 3 * L * (1 + 1e-14) }, mass = 1 },
        }
      end)
    end
  end)

  it("tell of what was moved and of what was not kept, relative to the size", function()
    for _, L in ipairs(small) do
      local function rods(gap)
        return sarrus.model {
          body.rod { "a", from = { 0, 0 }, to = { L, 0 }, mass = 1 },
          body.rod { "b", from = { L * (1 + gap), 0 }, to = { 2 * L, L }, mass = 1 },
          joint.revolute { "A", "ground", "a", at = { 0, 0 } },
          joint.revolute { "B", "a", "b", at = { a = { L, 0 }, b = { L * (1 + gap), 0 } } },
          joint.slot { "P", "ground", "b", at = { 2 * L, L }, axis = { 0, 1 },
            motion = function(t) return L * sarrus.sin(t) end },
        }
      end
      assert.equal(0, #assert(rods(0):simulate {}):warnings())
      local list = assert(rods(1e-5):simulate {}):warnings()
      assert.equal("moved", list[1].code)
      local sim, _, code = rods(0):simulate { joints = { P = { length = 1e-5 * L } } }
      assert.is_nil(sim)
      assert.equal("INCONSISTENT", code)
      sim = assert(rods(0):simulate { joints = { P = { speed = (1 + 1e-5) * L } } })
      assert.equal("not_kept", sim:warnings()[1].code)
    end
  end)

  it("are strict, relative to the scale", function()
    for _, L in ipairs(small) do
      local pendulum = sarrus.system {
        coordinates = { "x", "y" },
        mass = function() return { { 1, 0 }, { 0, 1 } } end,
        force = function() return { 0, -L } end,
        constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - L ^ 2 } end,
      }
      local function start(x, y, vx, vy)
        local sim = pendulum:simulate { q = { x * L, y * L }, v = { vx * L, vy * L }, scale = L,
          strict = true }
        return sim ~= nil
      end
      assert.is_true(start(0.6, -0.8, 0.8, 0.6))
      assert.is_false(start(0.6, -0.80001, 0.8, 0.6))
      assert.is_false(start(0.6, -0.8, 0.8, 0.60001))
    end
  end)
end)

describe("decompose in other units", function()
  it("takes rounding for none, and an error for one", function()
    for _, L in ipairs { 1e-6, 1, 1e11 } do
      local rail = sarrus.system {
        coordinates = { "x", "y" },
        mass = function() return { { 1, 0 }, { 0, 1 } } end,
        constraints = function(q) return { q.y } end,
      }
      assert(rail:decompose { q = { L, 1e-17 * L }, v = { L, 0 }, order = 4 })
      local solution, _, code = rail:decompose { q = { L, 1e-7 * L }, v = { L, 0 }, order = 4 }
      assert.is_nil(solution)
      assert.equal("INCONSISTENT", code)
    end
  end)
end)

describe("parameters of drag and stops", function()
  local function model()
    return sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = sarrus.parameter("m", 2) },
      joint.revolute { "J", "ground", "a", at = { 0, 0 }, limits = { -1, 1, restitution = 0.5 } },
      force.drag { "d", "a", quadratic = 0.1 },
    }
  end

  it("are no parameters of scripts", function()
    local m = model()
    local ok, message = pcall(m.simulate, m, { parameters = { ["J.stop.on"] = 1 } })
    assert.is_false(ok)
    assert.truthy(message:find('unknown parameter "J.stop.on"', 1, true), message)
    local sim = assert(m:simulate {})
    for _, name in ipairs { "J.stop.on", "d.rest" } do
      ok, message = pcall(sim.get, sim, name)
      assert.is_false(ok)
      assert.truthy(message:find(('get: unknown parameter "%s"'):format(name), 1, true), message)
    end
    ok, message = pcall(sim.record, sim, { every = 0.1, channels = { "parameter.x" } })
    assert.is_false(ok)
    assert.truthy(message:find('unknown quantity of parameter "x", want one of m', 1, true),
      message)
  end)

  it("are saved, and set anew by every start", function()
    local m = model()
    local function run(sim)
      assert(sim:advance(2))
      return sim:state():joint("J").angle
    end
    local slow = run(assert(m:simulate {}))
    local fast = run(assert(m:simulate { joints = { J = { rate = 30 } } }))
    assert.equal(slow, run(assert(m:simulate {})))
    assert.equal(fast, run(assert(m:simulate { joints = { J = { rate = 30 } } })))
    local sim = assert(m:simulate { joints = { J = { rate = 30 } } })
    assert(sim:advance(0.01))
    local clone, restored = sim:clone(), assert(m:restore(sim:save()))
    local expected = run(sim)
    assert.equal(expected, run(clone))
    assert.equal(expected, run(restored))
  end)
end)
