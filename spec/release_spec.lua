-- Joints and contacts that are let go and engaged, several parameters at once.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, joint, shape, contact = sarrus.body, sarrus.joint, sarrus.shape, sarrus.contact
local near, misuse = check.near, check.misuse

--- Two bars, one hanging from the other, at rest in a straight line.
local function chain()
  return sarrus.model { gravity = { 0, -10 },
    body.rod { "upper", from = { 0, 0 }, to = { 0, -1 }, mass = 1 },
    body.rod { "lower", from = { 0, -1 }, to = { 0, -2 }, mass = 1 },
    joint.revolute { "top", "ground", "upper", at = { 0, 0 } },
    joint.revolute { "knee", "upper", "lower", at = { 0, -1 } } }
end

local function box(restitution)
  return sarrus.model { gravity = { 0, -10 },
    body.box { "b", position = { 0, 0.0625 }, size = { 0.25, 0.125 }, mass = 2 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair { "sole", "b", "floor", restitution = restitution } }
end

describe("a joint that is released", function()
  it("lets go, and energy is kept", function()
    local sim = assert(chain():simulate { tolerance = 1e-14 })
    assert(sim:advance(0.5))
    local before = sim:state():energy().total
    assert.is_true(sim:release("knee"))
    near(before, sim:state():energy().total, 1e-13)
    assert(sim:advance(1.5))
    near(-1.5 - 5, sim:state():point("lower").y, 1e-12)
    near(-0.5, sim:state():point("upper").y, 1e-12)
    near(0, sim:state():joint("knee").force.y, 0)
    near(before, sim:state():energy().total, 1e-11)
  end)

  it("is engaged where it fits, as in an inelastic impact", function()
    local sim = assert(chain():simulate {})
    assert(sim:release("knee"))
    assert(sim:impulse("lower", { 3, 0 }, { 0, -1 })) -- its end moves away with 3/m + 3 h^2/J
    local before = sim:state():energy().total
    assert.is_true(sim:engage("knee"))
    local s = sim:state()
    assert.is_true(s:energy().total < before)
    local upper, lower = s:joint("top").rate, s:joint("knee").rate
    -- The same impulse on the chain: 4/3 w1 + 1/2 w2 = 3, 1/2 w1 + 1/3 w2 = 0, w2 of the lower bar.
    near(36 / 7, upper, 1e-12)
    near(-54 / 7 - 36 / 7, lower, 1e-12)
  end)

  it("says by how much it does not fit, and stays released", function()
    local sim = assert(chain():simulate {})
    assert(sim:release("knee") and sim:advance(1))
    local done, message, code = sim:engage("knee")
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    assert.are.equal('model: positions miss joint.revolute "knee" by 5 m (t = 1)', message)
    assert(sim:advance(2))
    near(-1.5 - 20, sim:state():point("lower").y, 1e-11)
  end)

  it("tells what a distance is off by in metres", function()
    local sim = assert(sarrus.model { body.point { "p", position = { 3, 0 }, mass = 1 },
      joint.distance { "bar", "ground", "p", from = { 0, 0 }, to = { 3, 0 } } }:simulate {})
    assert(sim:release("bar") and sim:impulse("p", { 0, 4 }) and sim:advance(1))
    local _, message = sim:engage("bar")
    assert.are.equal('model: positions miss joint.distance "bar" by 2 m (t = 1)', message)
  end)

  it("takes its drive, friction and stops with it", function()
    local model = sarrus.model {
      body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 2 },
      joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 }, limits = { -1, 1 },
        friction = 3, force = 5, stiffness = 7 } }
    local sim = assert(model:simulate { joints = { j = { speed = 2 } } })
    assert(sim:release("j") and sim:advance(2))
    near(4, sim:state():point("b").x, 1e-13) -- past the stop, and nothing brakes or drives it
    near(0, sim:state():joint("j").force.x, 0)
    near(4, sim:state():energy().total, 1e-12)
    local other = assert(model:restore(sim:save()))
    assert(other:advance(3) and sim:advance(3))
    near(sim:state():point("b").x, other:state():point("b").x, 0)
  end)

  it("is engaged with its stops, or not at all", function()
    local model = sarrus.model {
      body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 2 },
      joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 }, limits = { -1, 1 },
        friction = 3, force = 5, stiffness = 7 } }
    local sim = assert(model:simulate { joints = { j = { speed = 2 } } })
    assert(sim:release("j") and sim:advance(1))
    local done, message, code = sim:engage("j")
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    assert.are.equal(
      'model: joint.prismatic "j": it is at length 2, outside of its limits -1 to 1 (t = 1)',
      message)
    assert(sim:impulse("b", { 0, 2 }) and sim:advance(2))
    near(4, sim:state():point("b").x, 1e-13) -- it is free, and nothing brakes it
    near(1, sim:state():point("b").y, 1e-13)
  end)

  it("is part of the record", function()
    local model = chain()
    local sim = assert(model:simulate {})
    assert(sim:release("knee") and sim:advance(0.3))
    local copy = assert(model:restore(sim:save()))
    assert(sim:advance(1) and copy:advance(1))
    assert.are.equal(sim:state():point("lower").y, copy:state():point("lower").y)
    near(-1.5 - 5, copy:state():point("lower").y, 1e-12)
  end)

  it("may be released by an event's action", function()
    local sim = assert(chain():simulate { events = { sarrus.event { "cut",
      when = function(s) return s.t - 0.5 end,
      action = function(self) assert(self:release("knee")) end } } })
    assert(sim:advance(1.5))
    near(-1.5 - 5, sim:state():point("lower").y, 1e-12)
  end)

  it("may be released twice, and engaged when it is", function()
    local sim = assert(chain():simulate {})
    assert(sim:engage("knee") and sim:release("knee") and sim:release("knee"))
    assert(sim:engage("knee"))
    assert(sim:advance(1))
    near(-1.5, sim:state():point("lower").y, 1e-12)
  end)
end)

describe("a contact that is released", function()
  it("lets fall what rested on it", function()
    local sim = assert(box():simulate {})
    assert(sim:advance(1))
    near(0.0625, sim:state():point("b").y, 1e-14)
    assert(sim:release("sole") and sim:advance(2))
    near(0.0625 - 5, sim:state():point("b").y, 1e-12)
    assert.are.equal("open", sim:state():contact("sole").mode)
  end)

  it("cannot be engaged within what it touches", function()
    local sim = assert(box():simulate {})
    assert(sim:release("sole") and sim:advance(1))
    local done, message, code = sim:engage("sole")
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    assert.are.equal('model: contact "sole" of "b" and "floor" penetrates by 5 m; '
      .. "move what touches apart (t = 1)", message)
    assert(sim:advance(2))
    near(0.0625 - 20, sim:state():point("b").y, 1e-12)
  end)

  it("acts again where it is engaged in time", function()
    local sim = assert(box(0):simulate { bodies = { b = { position = { 0, 1.0625 } } } })
    assert(sim:release("sole") and sim:advance(0.2) and sim:engage("sole") and sim:advance(2))
    near(0.0625, sim:state():point("b").y, 1e-12)
  end)
end)

describe("a contact of a system", function()
  local function ball()
    return sarrus.system { coordinates = { "y" }, mass = function() return { { 2 } } end,
      force = function() return { -2 * 10 } end,
      contacts = { { "floor", gap = function(q) return q.y end } } }
  end

  it("is let go, engaged again and saved", function()
    local system = ball()
    local sim = assert(system:simulate { q = { 0 } })
    assert(sim:advance(1))
    near(20, sim:state():contact("floor").normal_force, 1e-12)
    assert(sim:release("floor"))
    near(0, sim:state():contact("floor").normal_force, 0)
    assert.are.equal("open", sim:state():contact("floor").mode)
    local saved = assert(system:restore(assert(sim:save())))
    for _, one in ipairs { sim, saved } do
      assert(one:advance(1.5))
      near(-1.25, one:state().q.y, 1e-13)
    end
    local done, message, code = sim:engage("floor")
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    assert.is_truthy(message:find('contact "floor" penetrates by 1.25', 1, true), message)
    assert(sim:impulse { y = 20 } and sim:advance(1.75)) -- up again, at 5 m/s - 2.5 m/s
    assert(sim:advance(2) and sim:impulse { y = 40 } and sim:advance(2.2))
    assert(sim:state().q.y > 0 and sim:engage("floor") and sim:advance(8))
    near(0, sim:state().q.y, 1e-12)
  end)
end)

describe("names that are none", function()
  it("are refused", function()
    local sim = assert(chain():simulate {})
    assert.are.equal([[release: unknown joint, force or contact "kne" (did you mean 'knee'?)]],
      misuse(sim.release, sim, "kne"))
    assert.are.equal("release: unknown joint, force or contact 3; there are top, knee",
      misuse(sim.release, sim, 3))
    assert.are.equal("engage: unknown joint, force or contact nil; there are top, knee",
      misuse(sim.engage, sim))
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
    local other = assert(system:simulate { q = { 0 } })
    assert.are.equal('release: unknown contact "x"; there are none',
      misuse(other.release, other, "x"))
  end)
end)

describe("several parameters", function()
  local function push()
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function() return { sarrus.parameter("a", 1) + sarrus.parameter("b", -1) } end }
    return assert(system:simulate { q = { 0 } })
  end

  local function both(sim)
    return { sim:get("a"), sim:get("b") }
  end

  it("are set at once", function()
    local sim = push()
    assert(sim:advance(1))
    assert.is_true(sim:set { a = 3, b = 1 })
    assert.are.same({ 3, 1 }, both(sim))
    assert(sim:advance(2))
    near(2, sim:state().q.x, 1e-14)
  end)

  it("are all set, or none", function()
    local sim = push()
    assert.are.equal('set: unknown parameter "c"; there are a, b',
      misuse(sim.set, sim, { a = 3, c = 4 }))
    assert.are.equal('set: "b": got string "x", want a finite number',
      misuse(sim.set, sim, { a = 3, b = "x" }))
    assert.are.equal('set: "b": got number inf, want a finite number',
      misuse(sim.set, sim, { a = 3, b = math.huge }))
    assert.are.equal("set: unknown parameter 1; there are a, b", misuse(sim.set, sim, { 1, 2 }))
    assert.are.same({ 1, -1 }, both(sim))
    assert.is_true(sim:set {})
    assert.are.same({ 1, -1 }, both(sim))
  end)

  it("are left as they were where they cannot be met together", function()
    -- A point on a rod of length a, whose foot is at b: 3 from the origin, which a second rod
    -- holds.
    local system = sarrus.system { coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      constraints = function(q)
        local a, b = sarrus.parameter("a", 5), sarrus.parameter("b", 4)
        return { (q.x - b) ^ 2 + q.y ^ 2 - a ^ 2, q.x ^ 2 + q.y ^ 2 - 9 }
      end }
    local sim = assert(system:simulate { q = { 0, 3 } })
    local done, _, code = sim:set { a = 1, b = 9 }
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    assert.are.same({ 5, 4 }, both(sim))
    near(0, sim:state().q.x, 1e-15)
    near(3, sim:state().q.y, 1e-15)
    assert(sim:advance(1))
  end)
end)
