--- Loops that move though counting says that they cannot; random ones are in
--- spec/random/overconstrained.lua.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

--- Six hinges, three of them the others turned by half a turn about the z axis.
local function bricard()
  local at = { { 1, 0, 0 }, { 0, 1, 1 }, { -1, 1, 0 } }
  local axes = { { 1, 1, 0 }, { 0, 1, 1 }, { 1, 0, 1 } }
  local parts = {}
  for k = 1, 3 do
    at[k + 3] = { -at[k][1], -at[k][2], at[k][3] }
    axes[k + 3] = { -axes[k][1], -axes[k][2], axes[k][3] }
  end
  for k = 1, 5 do
    parts[k] = body.rigid { "b" .. k, position = at[k], mass = 1, inertia = { 1, 2, 2 } }
  end
  for k = 1, 6 do
    parts[5 + k] = joint.revolute { "j" .. k, k > 1 and "b" .. k - 1 or "ground",
      k < 6 and "b" .. k or "ground", at = at[k], axis = axes[k] }
  end
  return sarrus.model(parts)
end

describe("an overconstrained loop", function()
  -- The rows kept at the start depend on each other at t = 8.48.
  it("goes on where the rows it started with become dependent", function()
    local sim = assert(bricard():simulate { joints = { j1 = { rate = 2 } } })
    local before = sim:state():energy().total
    assert(sim:advance(30))
    local s = sim:state()
    assert.is_true(math.abs(s:energy().total - before) < 1e-10 * before)
    assert.is_true(s:residual().position < 1e-12)
  end)

  it("goes on to the same digits after it was saved and restored", function()
    local model = bricard()
    local sim = assert(model:simulate { joints = { j1 = { rate = 2 } } })
    assert(sim:advance(9))
    local saved = sim:save()
    assert(sim:advance(20))
    local other = assert(model:restore(saved))
    assert(other:advance(20))
    for i = 1, #sim:state().q do
      assert.are.equal(sim:state().q[i], other:state().q[i])
    end
    for i = 1, #sim:state().lambda do
      assert.are.equal(sim:state().lambda[i], other:state().lambda[i])
    end
  end)
end)

describe("a light coupler between heavy bodies", function()
  --- A four-bar of hinges; in space three constraints are redundant.
  local function four_bar(mass, place, axis)
    local a, b, c, d = place(0, 0), place(0.6, 0.8), place(2, 2), place(2, 0)
    return sarrus.model { gravity = place(0, -9.81),
      body.rod { "crank", from = a, to = b, radius = 0.05, mass = 1 },
      body.rod { "coupler", from = b, to = c, radius = 0.05, mass = mass },
      body.rod { "rocker", from = c, to = d, radius = 0.05, mass = 1 },
      joint.revolute { "A", "ground", "crank", at = a, axis = axis },
      joint.revolute { "B", "crank", "coupler", at = b, axis = axis },
      joint.revolute { "C", "coupler", "rocker", at = c, axis = axis },
      joint.revolute { "D", "ground", "rocker", at = d, axis = axis } }
  end

  local function angle_after(mass, place, axis)
    local sim = assert(four_bar(mass, place, axis):simulate {})
    local before = sim:state():energy().total
    assert(sim:advance(3))
    assert.near(before, sim:state():energy().total, 1e-9)
    return sim:state():joint("A").angle
  end

  it("carries forces, whatever its mass", function()
    local function plane(x, y) return { x, y } end
    local function space(x, y) return { x, y, 0 } end
    for _, kind in ipairs { { plane }, { space, { 0, 0, 1 } } } do
      local expected = angle_after(1e-9, kind[1], kind[2])
      for power = -20, -10 do
        assert.near(expected, angle_after(10 ^ power, kind[1], kind[2]), 1e-7)
      end
    end
  end)
end)

describe("velocity constraints that say the same", function()
  local function held(count)
    local parts = { name = "held",
      body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 1 } }
    for i = 1, count do
      parts[i + 1] = joint.custom { "c" .. i, { "b" },
        velocity_equations = function(a) return { i * (a:velocity().x - 0.5 * a:spin()) } end }
    end
    return sarrus.model(parts)
  end

  it("take any velocity to the nearest that they allow, as one of them does", function()
    for count = 1, 3 do
      local model = held(count)
      assert.equal(2, model:freedoms())
      local sim = assert(model:simulate { bodies = { b = { velocity = { 1, 7 }, spin = 0 } } })
      local at = sim:state():body("b")
      assert.near(0.2, at.velocity.x, 1e-14) -- (1, 0) less its part along (1, -1/2)
      assert.near(7, at.velocity.y, 1e-14)
      assert.near(0.4, at.spin, 1e-14)
      local codes = {}
      for i, warning in ipairs(sim:warnings()) do
        codes[i] = warning.code .. " " .. warning.object
      end
      local expected = { "not_kept b", "not_kept b" }
      for i = count, 2, -1 do
        expected[#expected + 1] = "redundant c" .. i
      end
      assert.same(expected, codes)
      assert(sim:advance(1))
      assert.near(0, sim:state():residual().velocity, 1e-14)
    end
  end)

  it("are refused where they contradict each other", function()
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function() return { 0 } end,
      velocity_constraints = function(_, v) return { v.x - 1, 2 * v.x - 3 } end }
    local sim, message, code = system:simulate { q = { 0 }, v = { 0 } }
    assert.is_nil(sim)
    assert.equal("INCONSISTENT", code)
    assert.equal("system: the velocities violate velocity constraint 2 by 1 (t = 0)", message)
  end)
end)

describe("redundant equations", function()
  local function names(...)
    local parts = { name = "held",
      body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 1 }, ... }
    local list = {}
    for i, warning in ipairs(assert(sarrus.model(parts):simulate {}):warnings()) do
      list[i] = warning.message:gsub('^model "held": ', "")
    end
    return list
  end

  it("of one joint are named alone", function()
    assert.same({ 'joint.custom "c": redundant: equations[1]; the reactions of the joints "c" are '
      .. "not unique" }, names(joint.custom { "c", { "b" }, equations = function(a)
        return { a:point().x, 2 * a:point().x }
      end }))
  end)

  it("are those of the joints that come last", function()
    local list = {}
    for i, name in ipairs { "c", "d", "e" } do
      list[i] = joint.prismatic { name, "ground", "b", at = { 0, 0 }, axis = { 1, 0 } }
    end
    local text = ': redundant: motion along y, rotation; the reactions of the joints "c", "d", "e" '
      .. "are not unique"
    assert.same({ 'joint.prismatic "e"' .. text, 'joint.prismatic "d"' .. text },
      names(list[1], list[2], list[3]))
  end)
end)

describe("a constraint takes part in a direction", function()
  local pivots = require "sarrus.model.start.redundancy".pivots

  it("from 1e-6 of its largest part on", function()
    for part, found in pairs { [5e-7] = 1, [0.9e-6] = 1, [1.1e-6] = 2, [5e-6] = 2, [-5e-6] = 2 } do
      assert.same({ found }, pivots({ { 1, part } }, { 2, 1 }))
      assert.same({ found }, pivots({ { -8, 8 * part } }, { 2, 1 }))
    end
    assert.same({ 2, 1 }, pivots({ { 1, 1 }, { 1, 2 } }, { 2, 1 }))
    assert.same({ 1 }, pivots({ { 1, 1 } }, { 1, 2 }))
  end)
end)
