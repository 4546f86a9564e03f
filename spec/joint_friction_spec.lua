-- Dry friction in joints, against closed forms.
local sarrus = require "sarrus"
local near = dofile("spec/check.lua").near
local body, joint = sarrus.body, sarrus.joint

local g = 9.81

--- A block of 2 kg on a horizontal rail.
local function slider(friction, force)
  return sarrus.model { gravity = { 0, -g },
    body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 2 },
    joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 }, friction = friction,
      force = force } }
end

--- A bar of 2 kg that hangs from its end, 1 m from the centre, horizontal at first.
local function pendulum(friction)
  return sarrus.model { gravity = { 0, -g },
    body.rod { "b", from = { 0, 0 }, to = { 2, 0 }, mass = 2 },
    joint.revolute { "j", "ground", "b", at = { 0, 0 }, friction = friction } }
end

local function message(make, ...)
  local ok, text = pcall(make, ...)
  assert.is_false(ok)
  return (tostring(text):gsub("^[^:]*:%d+: ", ""))
end

describe("friction of a sliding joint", function()
  it("stops it after v^2 / (2 mu g)", function()
    local sim = assert(slider { coefficient = 0.25 }:simulate { joints = { j = { speed = 3 } },
      tolerance = 1e-14 })
    assert.is_false(sim:state():joint("j").sticks)
    assert(sim:advance(1))
    near(3 - 0.25 * g / 2, sim:state():joint("j").length, 1e-13)
    near(3 - 0.25 * g, sim:state():joint("j").speed, 1e-13)
    assert(sim:advance(1000))
    local j = sim:state():joint("j")
    assert.is_true(j.sticks)
    near(9 / (2 * 0.25 * g), j.length, 1e-13)
    near(0, j.speed, 0)
  end)

  it("may be a force", function()
    local sim = assert(slider(4):simulate { joints = { j = { speed = 3 } } })
    assert(sim:advance(10))
    near(9 / 4, sim:state():joint("j").length, 1e-12)
    assert.is_true(sim:state():joint("j").sticks)
  end)

  it("holds up to its static bound, and brakes with the other", function()
    local push = sarrus.parameter("push", 4.9)
    local sim = assert(slider({ static = 5, sliding = 3 }, push):simulate {})
    assert(sim:advance(10))
    near(0, sim:state():joint("j").length, 0)
    assert.is_true(sim:state():joint("j").sticks)
    assert(sim:set("push", 5.1))
    assert.is_false(sim:state():joint("j").sticks)
    assert(sim:advance(12))
    near((5.1 - 3) / 2 * 2, sim:state():joint("j").length, 1e-12)
    near((5.1 - 3) / 2 * 2, sim:state():joint("j").speed, 1e-12)
    assert(sim:set("push", 1) and sim:advance(20)) -- it brakes by 1 m/s^2, and sticks
    near(2.1 + 2.1 ^ 2 / 2, sim:state():joint("j").length, 1e-12)
    assert.is_true(sim:state():joint("j").sticks)
    assert(sim:set("push", -4.9) and sim:advance(30))
    near(2.1 + 2.1 ^ 2 / 2, sim:state():joint("j").length, 1e-12)
  end)

  it("may be a parameter", function()
    local sim = assert(slider(sarrus.parameter("bound", 4)):simulate {
      joints = { j = { speed = 3 } } })
    assert(sim:advance(1)) -- 2 m/s^2
    assert(sim:set("bound", 0) and sim:advance(2))
    near(2 + 1, sim:state():joint("j").length, 1e-12)
    assert(sim:set("bound", 2) and sim:advance(10))
    near(3 + 0.5, sim:state():joint("j").length, 1e-12)
  end)

  it("does not hold against an impulse", function()
    for _, friction in ipairs { 4, { static = 6, sliding = 4 }, { coefficient = 2 / g } } do
      local sim = assert(slider(friction):simulate {})
      assert(sim:advance(1) and sim:state():joint("j").sticks)
      assert(sim:impulse("b", { 6, 0 }))
      near(3, sim:state():joint("j").speed, 1e-14)
      assert(sim:advance(2))
      near(3 - 2, sim:state():joint("j").speed, 1e-13)
      assert(sim:advance(4) and sim:state():joint("j").sticks)
      near(9 / 4, sim:state():joint("j").length, 1e-12)
    end
  end)

  it("goes on from a record, stuck or not", function()
    local model = slider { coefficient = 0.25 }
    for _, t in ipairs { 0.5, 5 } do
      local sim = assert(model:simulate { joints = { j = { speed = 3 } } })
      assert(sim:advance(t))
      local copy = assert(model:restore(sim:save()))
      assert.are.equal(sim:state():joint("j").sticks, copy:state():joint("j").sticks)
      assert(sim:advance(8) and copy:advance(8))
      assert.are.equal(sim:state():joint("j").length, copy:state():joint("j").length)
    end
  end)
end)

describe("friction of a bearing", function()
  it("brings a pendulum to rest, where it can hold it", function()
    local model, torque = pendulum(1.5), 1.5
    local turned
    local sim = assert(model:simulate { tolerance = 1e-13, events = { sarrus.event { "turns",
      when = function(s) return s:joint("j").rate end,
      action = function(_, s) turned = turned or (s.t > 0 and s:joint("j").angle) end } } })
    assert(sim:advance(3))
    near(0, 2 * g * math.sin(turned) - torque * turned, 1e-9) -- m g L sin + torque times the way
    assert(sim:advance(200))
    local j = sim:state():joint("j")
    assert.is_true(j.sticks)
    near(0, j.rate, 0)
    assert.is_true(math.abs(2 * g * math.cos(j.angle)) <= torque)
    near(2 * g * math.cos(j.angle), j.torque, 1e-10)
    local angle = j.angle
    assert(sim:advance(1000))
    near(angle, sim:state():joint("j").angle, 1e-13)
  end)

  it("grows with the force on it", function()
    -- A wheel of 2 kg, centred: m g on the bearing, so that it turns by J w^2 / (2 c r m g).
    local model = sarrus.model { gravity = { 0, -g },
      body.disk { "wheel", position = { 0, 0 }, radius = 0.5, mass = 2 },
      joint.revolute { "j", "ground", "wheel", at = { 0, 0 },
        friction = { coefficient = 0.2, radius = 0.1 } } }
    local sim = assert(model:simulate { joints = { j = { rate = 3 } }, tolerance = 1e-14 })
    local torque = 0.2 * 0.1 * 2 * g
    assert(sim:advance(0.5))
    near(3 - torque / 0.25 * 0.5, sim:state():joint("j").rate, 1e-12)
    near(-torque, sim:state():joint("j").torque, 1e-12)
    assert(sim:advance(10))
    near(0.25 * 9 / (2 * torque), sim:state():joint("j").angle, 1e-12)
    assert.is_true(sim:state():joint("j").sticks)
  end)

  it("grows with a force that turns, too", function()
    local sim = assert(pendulum { coefficient = 0.2, radius = 0.1 }:simulate {})
    local before = sim:state():energy().total
    for i = 1, 100 do
      assert(sim:advance(i))
      local energy = sim:state():energy().total
      assert.is_true(energy <= before + 1e-9)
      before = energy
    end
    assert.is_true(sim:state():joint("j").sticks)
  end)

  it("works in space as in the plane", function()
    local model = sarrus.model { gravity = { 0, 0, -g },
      body.box { "b", position = { 0, 0, 0 }, size = { 0.2, 0.1, 0.1 }, mass = 2 },
      joint.prismatic { "j", "ground", "b", at = { 0, 0, 0 }, axis = { 1, 0, 0 },
        friction = { coefficient = 0.25 } } }
    local sim = assert(model:simulate { joints = { j = { speed = 3 } } })
    assert(sim:advance(10))
    near(9 / (2 * 0.25 * g), sim:state():joint("j").length, 1e-12)
    assert.is_true(sim:state():joint("j").sticks)
  end)
end)

--- A wheel of J = 0.25 kg m^2 about its centre, without gravity, under a force at the centre.
local function wheel(force, torque)
  return sarrus.model {
    body.disk { "wheel", position = { 0.3, 0.7 }, radius = 0.5, mass = 2 },
    joint.revolute { "j", "ground", "wheel", at = { 0.3, 0.7 }, torque = torque,
      friction = { coefficient = 0.2, radius = 0.1 } },
    sarrus.force.applied { "pull", "wheel", force = force } }
end

describe("friction that grows with a load", function()
  local t, sin, cos = sarrus.time, sarrus.sin, sarrus.cos

  --- The rate after 2 s from 3 rad/s, less what |force| takes: 0.2 0.1 / 0.25 times its integral.
  local function off(force, integral)
    local sim = assert(wheel(force):simulate { joints = { j = { rate = 3 } }, tolerance = 1e-14 })
    assert(sim:advance(2))
    return sim:state():joint("j").rate - (3 - 0.08 * integral)
  end

  it("is none without one", function()
    near(0, off({ 0, 0 }, 0), 0)
    local sim = assert(wheel({ 0, 0 }):simulate {})
    assert(sim:advance(1000))
    near(0, sim:state():joint("j").rate, 0)
  end)

  it("comes with it, from 0 or at once, and goes with it", function()
    near(0, off({ 0, 3 * t }, 6), 1e-13)
    near(0, off({ 3 * t * cos(t), 3 * t * sin(t) }, 6), 1e-13)
    near(0, off({ 0, t ^ 4 }, 32 / 5), 1e-12)
    near(0, off({ 3 * sarrus.max(t - 1, 0), 0 }, 1.5), 1e-13)
    near(0, off({ 0, sarrus.select(t - 1, 5, 0) }, 5), 1e-12)
    near(0, off({ 4 * sarrus.max(1 - t, 0), 0 }, 2), 1e-13)
  end)

  it("follows one that passes 0", function()
    near(0, off({ 0, 4 * (t - 1) }, 4), 1e-12)
    near(0, off({ 3 * cos(math.pi * t), 0 }, 12 / math.pi), 1e-12)
  end)

  it("holds from the first instant on, if it grows faster than what pulls", function()
    for slope, rate in pairs { [0.019] = 0, [0.021] = 0.001 * 2 / 0.25 } do -- the bound is 0.02 t
      local sim = assert(wheel({ 0, t }, slope * t):simulate {})
      assert(sim:advance(2))
      near(rate, sim:state():joint("j").rate, 1e-12)
      assert.are.equal(rate == 0, sim:state():joint("j").sticks)
    end
  end)

  it("is one of a bar that spins: its own motion loads it", function()
    local sim = assert(sarrus.model { body.rod { "b", from = { 0, 0 }, to = { 2, 0 }, mass = 3 },
      joint.revolute { "j", "ground", "b", at = { 0, 0 },
        friction = { coefficient = 0.4, radius = 0.1 } } }:simulate { tolerance = 1e-14 })
    assert(sim:advance(1)) -- at rest: no load
    assert(sim:impulse("b", { 0, 6 }, { 2, 0 })) -- 12 Nms about the end, J = 4
    local k = 0.4 * 0.1 * 3 / 4 -- rate' = -k (rate'^2 + rate^4)^1/2
    assert(sim:advance(3))
    near(3 / (1 + 2 * 3 * k / math.sqrt(1 - k * k)), sim:state():joint("j").rate, 1e-12)
  end)
end)

describe("friction at its bound", function()
  it("does not count as held by what sticks elsewhere", function()
    -- The second bar sticks to the first; the first slips from 2 Nm on, as one body.
    local sim = assert(sarrus.model {
      body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.rod { "b", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
      joint.revolute { "j1", "ground", "a", at = { 0, 0 }, friction = 2,
        torque = 4 * sarrus.time },
      joint.revolute { "j2", "a", "b", at = { 1, 0 }, friction = 50 } }:simulate {})
    assert(sim:advance(1.5)) -- rate' = (4 t - 2) / J from t = 1/2 on, J = 8/3
    near(2 * 1 / (8 / 3), sim:state():joint("j1").rate, 1e-12)
    assert.is_false(sim:state():joint("j1").sticks)
    assert.is_true(sim:state():joint("j2").sticks)
  end)
end)

describe("events on the rate of a joint that sticks", function()
  it("come where it stops, and not for rounding", function()
    local count = 0
    local sim = assert(sarrus.model { gravity = { 0, -g },
      body.rod { "b", from = { 0.1, 0.3 }, to = { 1.2, 0.7 }, mass = 2 },
      joint.revolute { "j", "ground", "b", at = { 0.1, 0.3 }, friction = 4,
        torque = sarrus.sin(3 * sarrus.time) } }:simulate { events = { sarrus.event { "turns",
          when = function(s) return s:joint("j").rate end,
          action = function() count = count + 1 end } } })
    assert(sim:advance(60))
    assert.is_true(sim:state():joint("j").sticks)
    assert.are.equal(2, count)
  end)

  it("may vanish while it sticks from the start", function()
    local told = {}
    local sim = assert(slider(2, 4 * sarrus.time):simulate { events = { sarrus.event { "fast",
      when = function(s) return s:joint("j").speed - 1 end,
      action = function(_, s) told[#told + 1] = s.t end },
      sarrus.event { "moves", when = function(s) return s:joint("j").speed end } } })
    assert(sim:advance(3)) -- v = (t - 1/2)^2
    assert.are.equal(1, #told)
    near(1.5, told[1], 1e-12)
  end)
end)

describe("friction of several joints that hold the same", function()
  it("is within the bound of each", function()
    for _, bounds in ipairs { { 1, 0.1 }, { 0.1, 1 }, { { static = 1, sliding = 0.5 }, 0.1 } } do
      local sim = assert(sarrus.model {
        body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 1 },
        joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 },
          friction = bounds[1] },
        joint.prismatic { "k", "ground", "b", at = { 0, 0.1 }, axis = { 1, 0 },
          friction = bounds[2] },
        sarrus.force.applied { "pull", "b", force = { 0.8, 0 } } }:simulate {})
      for t = 0, 2 do
        assert(sim:advance(t))
        local s = sim:state()
        local j, k = s:joint("j").force.x, s:joint("k").force.x
        near(-0.8, j + k, 1e-14)
        near(0, s:joint("j").speed, 0)
        assert.is_true(math.abs(bounds[1] == 0.1 and j or k) <= 0.1 + 1e-14)
      end
    end
  end)
end)

describe("friction of two mechanisms", function()
  it("is decided about apart, whatever forces the other one has", function() -- jammed from 1e14 on
    local parts = {}
    for i, bound in ipairs { 1, 1e15 } do
      local at, name = { 0, 3 * i }, "box" .. i
      parts[#parts + 1] = body.box { name, position = at, size = { 1, 1 }, mass = bound }
      parts[#parts + 1] = joint.prismatic { "slide" .. i, "ground", name, at = at, axis = { 1, 0 },
        friction = { static = bound, sliding = 0.5 * bound },
        force = i == 1 and sarrus.time or 0.5 * bound }
    end
    local sim = assert(sarrus.model(parts):simulate {})
    assert(sim:advance(2))
    near(1 / 6 + 0.25, sim:state():joint("slide1").length, 1e-11) -- x'' = t - 1/2 from t = 1 on
    assert.is_true(sim:state():joint("slide2").sticks)
  end)
end)

--- A four-bar under a torque on its crank that grows by 2 Nm/s; without bounds, without friction.
local function fourbar(bounds, part, pin)
  local top, far = { 1.5, 1.3 }, { 2, 0 }
  pin = pin or { 0.3, 0.3 }
  local function friction(i)
    return bounds and { static = bounds[i], sliding = part * bounds[i] }
  end
  return sarrus.model { name = "fourbar",
    body.rod { "a", from = { 0, 0 }, to = pin, mass = 1 },
    body.rod { "b", from = pin, to = top, mass = 1 },
    body.rod { "c", from = top, to = far, mass = 1 },
    joint.revolute { "j1", "ground", "a", at = { 0, 0 }, friction = friction(1),
      torque = 2 * sarrus.time },
    joint.revolute { "j2", "a", "b", at = pin, friction = friction(2) },
    joint.revolute { "j3", "b", "c", at = top, friction = friction(3) },
    joint.revolute { "j4", "ground", "c", at = far, friction = friction(4) } }
end

--- The torque at which it begins to move.
local function onset_of(bounds, pin)
  local free = assert(fourbar(nil, nil, pin):simulate { joints = { j1 = { rate = 1 } } }):state()
  local onset = 0
  for k, bound in ipairs(bounds) do
    onset = onset + bound * math.abs(free:joint("j" .. k).rate) / 2
  end
  return onset
end

local function begins(bounds, part, pin)
  local sim, onset = assert(fourbar(bounds, part, pin):simulate {}), onset_of(bounds, pin)
  assert.are.equal(0, #sim:warnings()) -- joints that friction holds are not redundant
  assert(sim:advance(onset * (1 - 1e-8)))
  near(0, sim:state():joint("j1").rate, 1e-12)
  assert(sim:advance(onset * (1 + 1e-4)))
  assert.is_true(sim:state():joint("j1").rate > 1e-5)
  return sim
end

describe("friction at rest in all joints of a loop", function()
  local bounds = { { 0.6, 1.6, 1, 1.2 }, { 1.7, 0.3, 1.7, 0.8 }, { 0.8, 2, 2, 1.9 },
    { 0.9, 0.6, 1.4, 1.4 }, { 0.6, 0.8, 0.4, 0.6 } }

  it("holds it until all static bounds are reached", function()
    for i, each in ipairs(bounds) do
      begins(each, i <= 3 and 0.6 or 0)
    end
  end)

  it("holds it next to where one of them hardly moves, and where it does not", function()
    for i, each in ipairs(bounds) do -- j3 has the rate 0.4 angle, of the crank's
      for _, angle in ipairs { 1e-2, -1e-3, 1e-8, 0 } do
        local sim = begins(each, i <= 3 and 0.6 or 0,
          { 0.4 * math.cos(angle), 0.4 * math.sin(angle) })
        assert(sim:advance(sim.time + 0.5))
      end
    end
  end)
end)

--- A crank and a slider, drawn at a dead centre, at an angle: torque on the crank, bounds of all
-- joints.
local function dead_centre(bound, torque, angle)
  local c, s = math.cos(angle), math.sin(angle)
  local function at(x)
    return { x * c, x * s }
  end
  return sarrus.model { name = "crank",
    body.rod { "a", from = at(0), to = at(0.4), mass = 1 },
    body.rod { "b", from = at(0.4), to = at(1.9), mass = 1 },
    body.disk { "c", position = at(1.9), radius = 0.1, mass = 1 },
    joint.revolute { "j1", "ground", "a", at = at(0), friction = bound, torque = torque },
    joint.revolute { "j2", "a", "b", at = at(0.4), friction = bound },
    joint.revolute { "j3", "b", "c", at = at(1.9), friction = bound },
    joint.prismatic { "j4", "ground", "c", at = at(1.9), axis = { c, s }, friction = bound } }
end

--- The work of the torque and of friction on the way to 0.5 s.
local function work_on_the_way(sim, torque)
  local work = 0
  for k = 1, 100 do
    local last = sim:state()
    assert(sim:advance(0.005 * k))
    local s = sim:state()
    for i = 1, 4 do
      local a, b = last:joint("j" .. i), s:joint("j" .. i)
      local way = (b.angle or b.length) - (a.angle or a.length)
      work = work + (i == 1 and torque * way or 0) - math.abs(way)
    end
  end
  return work
end

describe("friction of a slider at a dead centre", function()
  it("does not hold it, and acts as soon as it moves", function()
    -- j2 turns 1 + 4/15 times as fast as the crank, j3 4/15 times: a power of 1 + 23/15 bounds
    for _, torque in ipairs { 1 + 23 / 15 - 1e-6, 1 + 23 / 15 + 0.1, 5, -5 } do
      for angle = 0, 6 do -- at an angle it stands there up to rounding: a third of them jammed
        local sim = assert(dead_centre(1, torque, angle):simulate {})
        local before = sim:state():energy().total
        near(work_on_the_way(sim, torque), sim:state():energy().total - before, 1e-9)
        assert.are.equal(math.abs(torque) > 1 + 23 / 15,
          math.abs(sim:state():joint("j1").angle) > 1e-3)
      end
    end
  end)
end)

describe("friction that is none", function()
  it("is refused by name", function()
    assert.are.equal('joint.prismatic "j": friction = -1; must be 0 or positive',
      message(slider, -1))
    assert.are.equal([[joint.prismatic "j": missing field 'friction.sliding']],
      message(slider, { static = 1 }))
    assert.are.equal('joint.prismatic "j": friction: static = 1 is below sliding = 2',
      message(slider, { static = 1, sliding = 2 }))
    assert.are.equal('joint.prismatic "j": friction.coefficient = -1; must be 0 or positive',
      message(slider, { coefficient = -1 }))
    assert.are.equal('joint.prismatic "j": friction: got string "much", want number',
      message(slider, "much"))
    assert.are.equal(
      'joint.revolute "j": friction: coefficient needs radius, where the bearing slides',
      message(pendulum, { coefficient = 0.2 }))
    assert.are.equal('joint.prismatic "j": friction.static: radius: nothing turns here; '
      .. "the bound is the coefficient times the force", message(slider,
      { static = { coefficient = 0.2, radius = 1 }, sliding = { coefficient = 0.1 } }))
  end)

  it("has no reading", function()
    assert.is_nil(assert(slider(nil):simulate {}):state():joint("j").sticks)
  end)
end)
