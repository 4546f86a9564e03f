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
