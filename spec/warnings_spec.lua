-- Warnings: what is told of, how often, and that it costs no memory.
local sarrus = require "sarrus"
local problems = dofile("spec/problems.lua")
local warnings = require "sarrus.base.warnings"
local body, contact, force, shape = sarrus.body, sarrus.contact, sarrus.force, sarrus.shape

--- The warning with a code; nil if there is none.
local function coded(sim, code)
  for _, warning in ipairs(sim:warnings()) do
    if warning.code == code then
      return warning
    end
  end
end

describe("a warning", function()
  after_each(function()
    sarrus.on_warning = nil
  end)

  it("78: tells of singular positions that were passed", function()
    local heard = {}
    sarrus.on_warning = function(w)
      heard[#heard + 1] = w.code
    end
    local sim = problems.simulate(problems.four_bars(2))
    assert(sim:advance(0.4))
    assert.is_nil(coded(sim, "nearly_singular"))
    assert.are.same({}, heard)
    assert(sim:advance(1))
    local warning = coded(sim, "nearly_singular")
    assert.is_true(math.abs(warning.time - 0.714355529) < 0.2)
    assert.are.same({ "nearly_singular" }, heard)
    for t = 2, 10 do
      assert(sim:advance(t))
    end
    assert.are.equal(1, #sim:warnings())
    assert.is_true(warning.count > 3 and warning.last > 9)
    assert.is_true(warning.time < 1)
    assert.are.equal(#heard, warning.count)
  end)

  it("says where what should hear it is no function", function()
    sarrus.on_warning = 3
    local ok, message = pcall(function()
      return sarrus.model { sarrus.body.point { "p", position = { 0, 0 }, mass = 1 },
        sarrus.body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1e15 },
        sarrus.joint.revolute { "J", "p", "a", at = { 0, 0 } } }
    end)
    assert.is_false(ok)
    assert.truthy(message:find("warnings_spec%.lua:%d+: sarrus%.on_warning: got number 3, want "))
  end)

  it("tells of shapes that touch by two contacts, or twice by one", function()
    local function of(size)
      local model = sarrus.model {
        name = "twice", gravity = { 0, -9.81 },
        body.box { "a", position = { 0, 0.1 }, size = size, mass = 1 },
        body.box { "b", position = { 1, 0.1 }, size = { 0.2, 0.2 }, mass = 1 },
        shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
        shape.disk { "knob", "a", at = { 0, 0.2 }, radius = 0.1 },
        contact.pair { "c", "floor", "a" },
        contact.pair { "knocks", "knob", "b" },
        contact.pair { "d", { "a", "b" }, "floor" },
        contact.pair { "e", { "a", "b" }, { "b", "a" } },
        contact.pair { "f", { "b", "floor", "a" } },
      }
      local list = {}
      for i, w in ipairs(model:warnings()) do
        list[i] = w.code .. " " .. w.object .. ": " .. w.message:gsub("; give a pair once$", "")
          :gsub(": which of the two carries how much is not determined$", "")
      end
      return list
    end
    local expected = {
      'twice d: model "twice": contact.pair "d": "floor" and "a" touch by contact.pair "c", too',
      'twice e: model "twice": contact.pair "e": "b" and "a" touch by it twice',
      'twice f: model "twice": contact.pair "f": "floor" and "a" touch by contact.pair "c", too',
      'twice f: model "twice": contact.pair "f": "a" and "floor", and 1 pair more, touch by '
        .. 'contact.pair "d", too',
      'twice f: model "twice": contact.pair "f": "a" and "b", and 1 pair more, touch by '
        .. 'contact.pair "e", too',
    }
    assert.same(expected, of { 0.2, 0.2 })
    assert.same(expected, of { 0.2, sarrus.parameter("height", 0.2) })
  end)

  it("tells of a rod that is joined more than 1e-9 of its length away from its ends", function()
    local joint = sarrus.joint
    for dimension = 2, 3 do
      local function at(x)
        return dimension == 2 and { x, 0 } or { x, 0, 0 }
      end
      for x, count in pairs { [-4e-9] = 1, [-1e-9] = 0, [1e-9] = 0, [4e-9] = 1, [1] = 1,
        [2 - 4e-9] = 1, [2 - 1e-9] = 0, [2 + 4e-9] = 1 } do
        for _, order in ipairs { { "ground", "rod" }, { "rod", "ground" } } do
          local list = sarrus.model {
            body.rod { "rod", from = at(0), to = at(2), mass = 1 },
            joint.revolute { "J", order[1], order[2], at = at(x),
              axis = dimension == 3 and { 0, 0, 1 } or nil },
          }:warnings()
          assert.equal(count, #list)
          assert.equal(count == 1 and 'model: joint.revolute "J" is at neither end of the rod "rod"'
            or nil, list[1] and list[1].message)
        end
      end
    end
  end)

  it("tells of an axis that does not run along its rod, to 1e-9", function()
    local function count(y)
      return #sarrus.model {
        body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
        sarrus.joint.prismatic { "P", "ground", "rod", at = { 1, 0 }, axis = { -1, y } },
      }:warnings()
    end
    assert.equal(0, count(3e-5)) -- the cosine is 1 - 4.5e-10
    assert.equal(1, count(6e-5)) -- 1 - 1.8e-9
    assert.equal(1, count(1))
  end)

  it("tells of masses that are ten powers of ten apart", function()
    local function of(m, n)
      return sarrus.model {
        body.rigid { "a", position = { 0, 0 }, mass = m, inertia = 1 },
        body.rigid { "b", position = { 1, 0 }, mass = n, inertia = 1 },
        sarrus.joint.revolute { "J", "a", "b", at = { 0, 0 } },
      }:warnings()
    end
    assert.equal('model: joint.revolute "J" joins "a" of 2 kg and "b" of 20000000000 kg: expect to '
      .. "lose digits", of(2, 2e10)[1].message)
    assert.equal("ill_scaled", of(2e10, 2)[1].code)
    assert.same({ 0, 0, 0, 0 }, { #of(1, 9.9e9), #of(9.9e9, 1), #of(0, 1), #of(1, 0) })
  end)

  it("tells of stiffness and damping below 0", function()
    local function of(stiffness, damping)
      local model = sarrus.model {
        body.rigid { "a", position = { 0, 0 }, mass = 1, inertia = 1 },
        sarrus.joint.revolute { "J", "ground", "a", at = { 0, 0 }, stiffness = stiffness,
          damping = damping },
        force.spring { "S", "ground", "a", from = { 0, 1 }, to = { 0, 0 }, stiffness = stiffness,
          damping = damping },
      }
      local list = {}
      for i, warning in ipairs(model:warnings()) do
        list[i] = warning.message
      end
      return list
    end
    assert.same({}, of(0, 0))
    assert.same({}, of(sarrus.parameter("k", -1), 3))
    assert.same({ 'model: joint.revolute "J": stiffness = -2 is negative, so it feeds energy in',
      'model: force.spring "S": stiffness = -2 is negative, so it feeds energy in' }, of(-2, 0))
    assert.same({ 'model: joint.revolute "J": damping = -1 is negative, so it feeds energy in',
      'model: force.spring "S": damping = -1 is negative, so it feeds energy in' }, of(1, -1))
  end)

  it("tells of limits that look like degrees, which are angles above four turns", function()
    local function of(low, high, kind)
      local list = sarrus.model {
        body.rigid { "a", position = { 0, 0 }, mass = 1, inertia = 1 },
        sarrus.joint[kind or "revolute"] { "J", "ground", "a", at = { 0, 0 },
          axis = kind and { 1, 0 } or nil, limits = { low, high } },
      }:warnings()
      assert.is_true(#list <= 1)
      return list[1] and list[1].message or ""
    end
    local text = 'model: joint.revolute "J": the limit %s looks like degrees; angles are in radians'
    assert.equal(text:format("90"), of(0, 90))
    assert.equal(text:format("-90"), of(-90, 0))
    assert.equal(text:format("-90"), of(-90, 90))
    assert.equal(text:format("25.2"), of(0, 25.2))
    assert.equal("", of(-25.1, 25.1))
    assert.equal("", of(0, 90, "prismatic"))
  end)

  it("76: tells of what is stiff, and of nothing else", function()
    local function held(stiffness, damping, method)
      local model = sarrus.model {
        gravity = { 0, -9.81 },
        body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
        force.bushing { "pin", "ground", "arm", at = { 0, 0 }, stiffness = stiffness,
          damping = damping },
      }
      local sim = assert(model:simulate { method = method })
      assert(sim:advance(0.2))
      return sim
    end
    local warning = coded(held(1e8, 2e4, "series"), "stiff")
    assert.is_nil(coded(held(1e8, 2e4), "stiff")) -- implicit steps are as long as the motion allows
    assert.truthy(warning.message:find("keeps the steps short, at arm.", 1, true))
    assert.truthy(warning.object:find("^arm%."))
    assert.is_nil(coded(held(100, 1), "stiff"))
    for _, problem in ipairs { problems.pendulum(), problems.double_pendulum(),
      problems.robot() } do
      local sim = problems.simulate(problem)
      assert(sim:advance(20))
      assert.are.equal(0, #sim:warnings())
    end
    local sim = problems.simulate(problems.pendulum(), { max_step = 1e-3 })
    assert(sim:advance(1))
    assert.are.equal(0, #sim:warnings())
  end)

  it("tells of redundancy that appears on the way", function()
    local on = sarrus.parameter("on", 0)
    local sim = assert(sarrus.system {
      coordinates = { "x", "y", "z" },
      lagrangian = function(q, v)
        return (v.x ^ 2 + v.y ^ 2 + v.z ^ 2) / 2 - 9.81 * q.y
      end,
      constraints = function(q)
        local circle = q.x ^ 2 + q.y ^ 2 - 1
        return { circle, on * circle + (1 - on) * q.z }
      end,
    }:simulate { q = { -1, 0, 0 } })
    assert(sim:advance(1))
    assert.are.equal(0, #sim:warnings())
    sim:set(on, 1)
    local warning = coded(sim, "redundant")
    assert.are.same({ 1, 1 }, { warning.time, #sim:warnings() })
    assert(sim:advance(10))
    assert.is_true(math.abs(sim:state().q.x - problems.at(problems.pendulum(), 10).q[1]) < 1e-9)
    assert.are.equal(1, warning.count)
  end)

  it("comes with two stops that hold the same rod", function()
    local joint = sarrus.joint
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "r", at = { 0, 0 }, limits = { -0.5, 1 } },
      joint.revolute { "B", "ground", "r", at = { 0, 0 }, limits = { -0.5, 1 } },
    }
    local sim = assert(model:simulate {})
    assert(sim:advance(50))
    assert.is_true(math.abs(sim:state():joint("A").angle + 0.5) < 1e-12)
    assert.is_true(coded(sim, "redundant").count > 1)
  end)

  it("100: a million of them are counted, in constant memory", function()
    local list = warnings.new()
    for i = 1, 2000 do
      warnings.add(list, "code", "message " .. i, nil, i)
    end
    collectgarbage()
    collectgarbage()
    local before = collectgarbage("count")
    for i = 1, 1000000 do
      warnings.add(list, "code", "message " .. i % 5000, nil, i)
    end
    collectgarbage()
    collectgarbage()
    assert.is_true(collectgarbage("count") - before < 1000)
    assert.are.equal(1001, #list.list)
    local total = 0
    for _, warning in ipairs(list.list) do
      total = total + warning.count
    end
    assert.are.equal(1002000, total)
    assert.are.equal("more", list.list[1001].code)
  end)
end)
