-- Contacts of systems, in the plane and in space, against closed forms.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local near, misuse = check.near, check.misuse

local g = 9.81

local function diagonal(...)
  local given, rows = { ... }, {}
  for i = 1, #given do
    rows[i] = {}
    for j = 1, #given do
      rows[i][j] = i == j and given[i] or 0
    end
  end
  return function() return rows end
end

--- A mass with contacts, one list for each.
local function system(names, mass, force, ...)
  return sarrus.system { coordinates = names, mass = mass, force = force, contacts = { ... } }
end

local function above(q) return q.y end

local function ball(restitution)
  return system({ "y" }, diagonal(1), function() return { -g } end,
    { "floor", gap = above, restitution = restitution })
end

--- A block on an incline, x upwards; a push that grows by `rate`.
local function block(slope, friction, rate)
  return system({ "x", "y" }, diagonal(1, 1), function(_, _, t)
    return { (rate or 0) * t - g * math.sin(slope), -g * math.cos(slope) }
  end, { "floor", gap = above, slip = function(_, v) return v.x end, friction = friction })
end

describe("a ball", function()
  it("is stopped by a wall that is flat where it starts", function()
    for _, most in ipairs { 0.3, 0.5, 0.9 } do -- |x| <= most, the gap's gradient being 0 at first
      local wall = system({ "x" }, diagonal(1), function() return { -2 } end,
        { "wall", gap = function(q) return most ^ 2 - q.x ^ 2 end, restitution = 1 })
      local sim = assert(wall:simulate { q = { 0 }, v = { 2 } })
      for k = 1, 40 do
        assert(sim:advance(0.05 * k))
        local s = sim:state()
        assert.is_true(math.abs(s.q.x) <= most + 1e-12)
        near(2, s.v.x ^ 2 / 2 + 2 * s.q.x)
      end
    end
  end)

  it("bounces 44 times in 8.5 s, and rests for ever", function()
    local sim = assert(ball(0.9):simulate { q = { 1 }, tolerance = 1e-14 })
    assert(sim:advance(8.5))
    near(5.565551008992671e-6, sim:state().q.y)
    near(-0.04166519580981356, sim:state().v.y)
    assert.are.equal("open", sim:state():contact("floor").mode)
    assert(sim:advance(8.578949178728887))
    assert.are.equal("slip", sim:state():contact("floor").mode)
    assert(sim:advance(1000))
    near(0, sim:state().q.y, 1e-15)
    near(0, sim:state().v.y, 1e-15)
    near(g, sim:state():contact("floor").normal_force)
  end)

  it("rests where it starts at rest", function()
    for _, e in ipairs { 0, 0.5, 1 } do
      local sim = assert(ball(e):simulate { q = { 0 } })
      assert(sim:advance(100))
      near(0, sim:state().q.y, 0)
    end
  end)

  it("bounces for ever without loss", function()
    local sim = assert(ball(1):simulate { q = { 1 }, tolerance = 1e-14 })
    local period = 2 * math.sqrt(2 / g)
    assert(sim:advance(100 * period))
    near(1, sim:state().q.y, 1e-11)
  end)

  it("falls back where time goes on, from whatever is asked between", function()
    local sim = assert(ball(0.5):simulate { q = { 1 }, tolerance = 1e-14 })
    local plain = assert(ball(0.5):simulate { q = { 1 }, tolerance = 1e-14 })
    for i = 1, 50 do
      assert(sim:advance(0.02 * i))
    end
    assert(plain:advance(1))
    assert.are.equal(plain:state().q.y, sim:state().q.y)
  end)
end)

describe("a block on an incline", function()
  it("stops, sticks, and slips again under a growing force", function()
    local slope, mu, rate = 0.2, 0.3, 0.5
    local up = g * (math.sin(slope) + mu * math.cos(slope))
    local sim = assert(block(slope, mu):simulate { q = { 0, 0 }, v = { 2, 0 }, tolerance = 1e-14 })
    assert(sim:advance(20))
    near(2 / up, sim:state().q.x)
    local c = sim:state():contact("floor")
    assert.are.equal("stick", c.mode)
    near(g * math.cos(slope), c.normal_force)
    near(g * math.sin(slope), c.friction_force)
    sim = assert(block(slope, mu, rate):simulate { q = { 0, 0 }, tolerance = 1e-14 })
    assert(sim:advance(up / rate + 2))
    near(rate * 8 / 6, sim:state().q.x)
    assert.are.equal("slip", sim:state():contact("floor").mode)
    near(mu * g * math.cos(slope), sim:state():contact("floor").friction_force)
  end)

  it("stays below the friction angle, for 1000 s", function()
    local sim = assert(block(0.29, 0.3):simulate { q = { 0, 0 } })
    assert(sim:advance(1000))
    near(0, sim:state().q.x, 1e-13)
  end)

  it("slides above it", function()
    local sim = assert(block(0.5, 0.3):simulate { q = { 0, 0 }, tolerance = 1e-14 })
    assert(sim:advance(2))
    near(-2 * g * (math.sin(0.5) - 0.3 * math.cos(0.5)), sim:state().q.x)
  end)

  it("is held by static friction, and slides with the other", function()
    local friction = { static = 0.6, sliding = 0.3 }
    local sim = assert(block(0.5, friction):simulate { q = { 0, 0 } })
    assert(sim:advance(10))
    near(0, sim:state().q.x, 0)
    sim = assert(block(0.5, friction):simulate { q = { 0, 0 }, v = { -1, 0 }, tolerance = 1e-14 })
    assert(sim:advance(1))
    near(-1 - g * (math.sin(0.5) - 0.3 * math.cos(0.5)) / 2, sim:state().q.x)
  end)
end)

--- A box, 2 a wide and 2 b high, on two corners; the ground turns by `turn` rad/s.
local function box(a, b, mu, turn, slope)
  local function corner(name, side)
    return { name, friction = mu,
      gap = function(q) return q.y + side * a * sarrus.sin(q.w) - b * sarrus.cos(q.w) end,
      slip = function(q, v)
        return v.x + (b * sarrus.cos(q.w) - side * a * sarrus.sin(q.w)) * v.w
      end }
  end
  return system({ "x", "y", "w" }, diagonal(1, 1, (a ^ 2 + b ^ 2) / 3), function(_, _, t)
    local angle = slope + turn * t
    return { -g * sarrus.sin(angle), -g * sarrus.cos(angle), 0 }
  end, corner("left", -1), corner("right", 1))
end

describe("a box on two corners", function()
  it("shares its weight among them", function()
    local a, b, slope = 0.5, 0.3, 0.2
    local sim = assert(box(a, b, 0.9, 0, slope):simulate { q = { 0, b, 0 } })
    assert(sim:advance(10))
    local left, right = sim:state():contact("left"), sim:state():contact("right")
    local half, lever = g * math.cos(slope) / 2, g * math.sin(slope) * b / (2 * a)
    near(half + lever, left.normal_force)
    near(half - lever, right.normal_force)
    assert.are.equal("stick", left.mode)
    near(0, sim:state().q.x, 1e-14)
  end)

  it("slips where tan reaches mu", function()
    local mu, turn, t = 0.4, 0.1, 1.5
    local from = math.atan(mu) / turn
    local sim = assert(box(0.5, 0.3, mu, turn, 0):simulate { q = { 0, 0.3, 0 }, tolerance = 1e-14 })
    assert(sim:advance(from))
    near(0, sim:state().q.x, 1e-14)
    assert(sim:advance(from + t))
    -- x'' = g (mu cos - sin), integrated twice
    local first, last = turn * from, turn * (from + t)
    near(g / turn ^ 2 * (math.sin(last) - math.sin(first) - mu * (math.cos(last) - math.cos(first)))
      - g / turn * t * (math.cos(first) + mu * math.sin(first)), sim:state().q.x, 1e-11)
    assert.are.equal("slip", sim:state():contact("left").mode)
    assert.are.equal("slip", sim:state():contact("right").mode)
  end)

  it("tips where tan reaches a / b", function()
    local at
    local sim = assert(box(0.3, 0.5, 0.9, 0.1, 0):simulate { q = { 0, 0.5, 0 }, tolerance = 1e-14,
      events = { sarrus.event { "tips", contact = "right", on = "leave",
        action = function(_, s) at = at or s.t end } } })
    local from = 10 * math.atan(0.6)
    assert(sim:advance(from + 0.1))
    near(from, at, 1e-11)
    assert.are.equal("stick", sim:state():contact("left").mode)
    assert.is_true(sim:state():contact("right").gap > 0)
  end)
end)

describe("a rod that slides on its end", function()
  it("has no forces where Painleve found none, and only there", function()
    local rod = system({ "x", "y", "w" }, diagonal(1, 1, 1 / 3), function() return { 0, -g, 0 } end,
      { "end", friction = 1.8, gap = function(q) return q.y - sarrus.sin(q.w) end,
        slip = function(q, v) return v.x + sarrus.sin(q.w) * v.w end })
    local angle = math.atan(2)
    local refused = {}
    for _, speed in ipairs { 1, -1 } do
      local sim, message, code = rod:simulate { q = { 0, math.sin(angle), angle },
        v = { speed, 0, 0 } }
      refused[#refused + 1] = code or "none"
      if not sim then
        assert.are.equal('system: no forces at contact "end", and at what touches besides, are '
          .. "possible, or several are; its friction of 1.8 is a cone of 60.9 degrees (t = 0)",
          message)
      end
    end
    table.sort(refused)
    assert.are.same({ "CONTACT", "none" }, refused)
  end)
end)

describe("a disk", function()
  it("slides, then rolls", function()
    -- A sphere of 2/5 m r^2, v0 = 2, mu = 0.3, no spin: it rolls at 10/7 m/s from 2 v0 / (7 mu g)
    -- on.
    local disk = system({ "x", "y", "a" }, diagonal(1, 1, 2 / 5),
      function() return { 0, -g, 0 } end,
      { "floor", gap = function(q) return q.y - 1 end,
        slip = function(_, v) return v.x + v.a end, friction = 0.3 })
    local rolls
    local sim = assert(disk:simulate { q = { 0, 1, 0 }, v = { 2, 0, 0 }, tolerance = 1e-14,
      events = { sarrus.event { "rolls", contact = "floor", on = "stick",
        action = function(_, s) rolls = s.t end } } })
    assert(sim:advance(3))
    near(0.19416533178001068, rolls)
    near(10 / 7, sim:state().v.x)
    near(-10 / 7, sim:state().v.a)
  end)
end)

describe("Newton's cradle", function()
  it("hands the speed to the last ball", function()
    local contacts = {}
    for i = 1, 4 do
      contacts[i] = { "c" .. i, gap = function(q) return q[i + 1] - q[i] - 1 end, restitution = 1 }
    end
    local cradle = sarrus.system { coordinates = { "a", "b", "c", "d", "e" },
      mass = diagonal(1, 1, 1, 1, 1), contacts = contacts }
    local sim = assert(cradle:simulate { q = { -1, 1, 2, 3, 4 }, v = { 1, 0, 0, 0, 0 } })
    assert(sim:advance(3))
    local v = sim:state().v
    for i = 1, 5 do
      near(i == 5 and 1 or 0, v[i], 1e-14)
    end
    near(6, sim:state().q.e, 1e-13)
  end)
end)

describe("in space", function()
  local function puck(force)
    return system({ "x", "y", "z" }, diagonal(1, 1, 1), force,
      { "floor", gap = function(q) return q.z end,
        slip = function(_, v) return { v.x, v.y } end, friction = 0.3 })
  end

  it("a point that is thrown across a force stops at a known time and place", function()
    for _, k in ipairs { 1.5, 2, 3, 6 } do
      local F, v0 = 0.3 * g / k, 2
      local stops
      local sim = assert(puck(function() return { F, 0, -g } end):simulate { q = { 0, 0, 0 },
        v = { 0, v0, 0 }, tolerance = 1e-14, events = { sarrus.event { "stops", contact = "floor",
          on = "stick", action = function(_, s) stops = s.t end } } })
      assert(sim:advance(10))
      near(v0 * k / (0.3 * g * (k - 1 / k)), stops)
      local q, size = sim:state().q, v0 ^ 2 / (4 * F)
      near(size * (1 / (2 * k - 2) - 1 / (2 * k + 2)), q.x)
      near(2 * size * (1 / (2 * k - 1) + 1 / (2 * k + 1)), q.y)
    end
  end)

  it("friction holds a point in any direction, and lets go in that of the force", function()
    for i = 0, 7 do
      local c, s = math.cos(i * math.pi / 4), math.sin(i * math.pi / 4)
      local go = 0.3 * g / 0.7
      local sim = assert(puck(function(_, _, t) return { 0.7 * t * c, 0.7 * t * s, -g } end)
        :simulate { q = { 0, 0, 0 }, tolerance = 1e-14 })
      assert(sim:advance(0.999 * go))
      assert.are.equal("stick", sim:state():contact("floor").mode)
      near(0.999 * 0.3 * g, sim:state():contact("floor").friction_force)
      assert(sim:advance(go + 1))
      near(0.7 / 6 * c, sim:state().q.x)
      near(0.7 / 6 * s, sim:state().q.y)
    end
  end)

  it("a sphere slides, then rolls", function()
    local sphere = system({ "x", "y", "z", "a", "b" }, diagonal(1, 1, 1, 2 / 5, 2 / 5),
      function() return { 0, 0, -g, 0, 0 } end,
      { "floor", gap = function(q) return q.z end,
        slip = function(_, v) return { v.x + v.a, v.y + v.b } end, friction = 0.3 })
    local sim = assert(sphere:simulate { q = { 0, 0, 0, 0, 0 }, v = { 1.2, 1.6, 0, 0, 0 },
      tolerance = 1e-14 })
    assert(sim:advance(0.19416533178001068 - 1e-9))
    assert.are.equal("slip", sim:state():contact("floor").mode)
    assert(sim:advance(1))
    assert.are.equal("stick", sim:state():contact("floor").mode)
    near(1.2 * 5 / 7, sim:state().v.x)
    near(1.6 * 5 / 7, sim:state().v.y)
  end)
end)

describe("s:contact in events", function()
  it("has the gap and the force as expressions", function()
    local seen = {}
    local lifted = system({ "y" }, diagonal(1), function(_, _, t) return { 4 * t - 10 } end,
      { "floor", gap = above })
    local sim = assert(lifted:simulate { q = { 0 }, events = {
      sarrus.event { "half", when = function(s) return s:contact("floor").normal_force - 5 end,
        action = function(_, s) seen[#seen + 1] = s.t end },
      sarrus.event { "high", when = function(s) return s:contact("floor").gap - 1 end,
        action = function(_, s) seen[#seen + 1] = s.t end } } })
    assert(sim:advance(5))
    assert.are.equal(2, #seen)
    near(1.25, seen[1])
    near(2.5 + 1.5 ^ (1 / 3), seen[2]) -- 4 t^3 / 6 = 1
  end)
end)

describe("contacts that are none", function()
  local function with(contact)
    return misuse(system, { "x", "y" }, diagonal(1, 1), nil, contact)
  end

  it("are refused, with one message each", function()
    local slip = function(_, v) return v.x end
    local list = {
      { { gap = above },
        'contacts[1]: the name is missing: it stands first, { "name", gap = … }' },
      { { "c" }, [[missing field 'contacts[1].gap']] },
      { { "c", gap = 3 }, "contacts[1].gap: got number 3, want function" },
      { { "c", gap = above, friction = 0.3 },
        "contacts[1]: friction needs slip, the velocity along the surface" },
      { { "c", gap = above, slip = slip, friction = -0.3 },
        "contacts[1].friction = -0.3; must be 0 or positive" },
      { { "c", gap = above, slip = slip, friction = { static = 0.1, sliding = 0.2 } },
        "contacts[1].friction: static = 0.1 is below sliding = 0.2" },
      { { "c", gap = above, slip = slip, friction = { static = 0.1 } },
        [[missing field 'contacts[1].friction.sliding']] },
      { { "c", gap = above, restitution = 1.5 },
        "contacts[1].restitution = 1.5; must be from 0 to 1" },
      { { "c", gap = above, slip = function(_, v) return { v.x, v.y, v.x } end, friction = 1 },
        'contact "c": slip: 3 velocities, want one in the plane or two in space' },
    }
    for _, case in ipairs(list) do
      assert.are.equal("system: " .. case[2], with(case[1]))
    end
  end)

  it("are refused where names are taken, or unknown", function()
    assert.are.equal('system: contacts[2]: the name "c" is taken', misuse(system, { "y" },
      diagonal(1), nil, { "c", gap = above }, { "c", gap = above }))
    local sim = assert(ball(0):simulate { q = { 1 } })
    local s = sim:state()
    assert.is_truthy(misuse(s.contact, s, "flor"):find('"flor"', 1, true))
  end)

  it("are refused where they contain what they must not", function()
    assert.is_truthy(with { "c", gap = function(q) return q.y * q.z end }:find("z", 1, true))
    assert.are.equal('system: contact "c": slip must be affine in the velocities',
      with { "c", gap = above, slip = function(_, v) return v.x ^ 2 end, friction = 1 })
  end)

  it("do not start within each other", function()
    local sim, message, code = ball(0):simulate { q = { -0.25 } }
    assert.is_nil(sim)
    assert.are.equal("CONTACT", code)
    assert.are.equal('system: contact "floor" penetrates by 0.25; move what touches apart (t = 0)',
      message)
  end)
end)

describe("parameters that move what is touched", function()
  --- A mass that rests on a floor of the height h, which goes up with w from t = 1 on; then one of
  --- them is set.
  local function floor(restitution)
    local h, w = sarrus.parameter("h", 0), sarrus.parameter("w", 0)
    local sim = assert(system({ "y" }, diagonal(1), function() return { -g } end,
      { "floor", gap = function(q, t) return q.y - h - w * (t - 1) end,
        restitution = restitution }):simulate { q = { 0 } })
    assert(sim:advance(1))
    return sim
  end

  it("do not pull", function()
    for _, set in ipairs { { h = -1 }, { w = -2 } } do
      local sim = floor(0)
      assert(sim:set(set))
      near(0, sim:state().q.y, 0)
      near(0, sim:state().v.y, 0)
      assert(sim:advance(1.25))
      near(-g / 32, sim:state().q.y)
    end
  end)

  it("strike", function()
    for _, e in ipairs { 0, 0.5 } do
      local sim = floor(e)
      assert(sim:set("w", 2))
      near(0, sim:state().q.y, 0)
      near(2 * (1 + e), sim:state().v.y)
      near(2 * (1 + e), sim:state():contact("floor").impulse)
    end
  end)

  it("do not lift without time, and then change nothing", function()
    local sim = floor(0)
    local _, message, code = sim:set("h", 0.5)
    assert.equal("CONTACT", code)
    assert.equal('system: contact "floor" penetrates by 0.5; move what touches apart (t = 1)',
      message)
    assert(sim:advance(2))
    near(0, sim:state().q.y, 0)
  end)
end)

describe("an impact that cannot be gone on from", function()
  it("is not told", function()
    local sim = assert(system({ "y" }, diagonal(1),
      function(_, v) return { -g - sarrus.sqrt(2 - v.y) / 1e9 } end,
      { "floor", gap = above, restitution = 1 }):simulate { q = { 0 } })
    local _, _, code = sim:impulse { y = -3 }
    assert.equal("NONFINITE", code)
    near(0, sim:state():contact("floor").impulse, 0)
    assert(sim:impulse { y = -1 })
    near(2, sim:state():contact("floor").impulse, 1e-9)
  end)
end)

describe("what is told of contacts", function()
  it("has channels, also those of friction along a line and in a plane", function()
    local sim = assert(block(0, 0.3):simulate { q = { 0, 0 }, v = { 3, 0 } })
    local stop = 3 / (0.3 * g)
    local recording = assert(sim:record { every = 2 * stop,
      channels = { "floor.gap", "floor.normal_force", "floor.friction_force", "floor.mode" } })
    assert(sim:advance(2 * stop))
    assert.same({ 1, 2 }, recording["floor.mode"])
    for i, friction in ipairs { 0.3 * g, 0 } do
      near(0, recording["floor.gap"][i])
      near(g, recording["floor.normal_force"][i])
      near(friction, recording["floor.friction_force"][i])
    end
    local flat = system({ "x", "y", "z" }, diagonal(2, 2, 2), function() return { 0, 0, -10 } end,
      { "floor", gap = function(q) return q.z end, slip = function(_, v) return { v.x, v.y } end,
        friction = 0.3 })
    local thrown = assert(flat:simulate { q = { 0, 0, 0 }, v = { 3, 4, 0 } })
    near(3, thrown:reader({ "floor.friction_force" }):read()[1])
    assert.equal('system: reader: channels[1]: unknown quantity of floor "mod" '
      .. "(did you mean 'mode'?), want one of gap, normal_force, friction_force, mode",
      misuse(thrown.reader, thrown, { "floor.mod" }))
  end)

  it("says where several share what they hold, by name", function()
    local sim = assert(system({ "y" }, diagonal(1), function() return { -g } end,
      { "left", gap = above }, { "right", gap = above }):simulate { q = { 0 } })
    near(g, sim:state():contact("left").normal_force + sim:state():contact("right").normal_force)
    assert.is_false(sim:state():contact("left").unique)
    assert.is_false(sim:state():contact("right").unique)
    assert.equal('system: contact "right" depends on the others; its multiplier is not unique',
      sim:warnings()[1].message)
    assert.is_true(ball(0):simulate({ q = { 0 } }):state():contact("floor").unique)
  end)
end)

describe("what has just met, with so much friction that it might jam", function()
  -- W = M^-1; without forces it leaves; held, it would be pressed, since W_nn < mu W_nt.
  local W, leaves, along, mu = { 1.146, 0.689, 1.149 }, 0.795, 7.617, 2.39

  local function corner(mass)
    local left = (W[1] * W[3] - W[2] ^ 2) / mass
    return system({ "n", "s" }, function()
      return { { W[3] / left, -W[2] / left }, { -W[2] / left, W[1] / left } }
    end, function()
      return { (W[3] * leaves - W[2] * along) / left,
        (W[1] * along - W[2] * leaves) / left }
    end, { "wall", gap = function(q) return q.n end, slip = function(_, v) return v.s end,
      friction = mu })
  end

  it("leaves, in any units", function()
    for k = -9, 9 do
      local sim = assert(corner(10 ^ k):simulate { q = { 0, 0 } })
      assert(sim:advance(1))
      near(leaves / 2, sim:state().q.n)
      near(along / 2, sim:state().q.s)
      assert.are.equal("open", sim:state():contact("wall").mode)
    end
  end)
end)
