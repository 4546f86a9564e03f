--- What contact and friction must reach, against closed forms: 1e-12 at a tolerance of 1e-14, and
--- 1e-9 at the usual one; of systems, and of bodies in the plane and in space.
local sarrus = require "sarrus"
local near = dofile("spec/check.lua").near
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local G = 9.81

--- Run at both tolerances: `run` gets the options of `simulate`, to which it may add, and a check
--- of numbers against what they should be.
local function both(run)
  for _, case in ipairs { { 1e-14, 1e-12 }, { nil, 1e-9 } } do
    run({ tolerance = case[1] }, function(expected, value)
      near(expected, value, case[2])
    end)
  end
end

--- Options with an event, and where the times are kept at which it comes.
local function watching(options, name, on)
  local times = {}
  options.events = { sarrus.event { on, contact = name, on = on, action = function(_, s)
    times[#times + 1] = s.t
  end } }
  return options, times
end

local function floor(dimension)
  return dimension == 2 and shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } }
    or shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } }
end

--- A place or direction: along the floor, and up.
local function at(dimension, x, up)
  return dimension == 2 and { x, up } or { x, 0, up }
end

local function ball(dimension, given)
  return (dimension == 2 and body.disk or body.sphere)(given)
end

local function up_of(dimension, vector)
  return dimension == 2 and vector.y or vector.z
end

for _, dimension in ipairs { 2, 3 } do
  describe(dimension == 2 and "in the plane" or "in space", function()
    it("a ball bounces 44 times, and rests from the end of its bounces on", function()
      local drop = sarrus.model { gravity = at(dimension, 0, -G), floor(dimension),
        ball(dimension, { "b", position = at(dimension, 0, 1.25), radius = 0.25, mass = 1 }),
        contact.pair { "hit", "floor", "b", restitution = 0.9 } }
      both(function(options, is)
        local _, touches = watching(options, "hit", "touch")
        local sim = assert(drop:simulate(options))
        assert(sim:advance(8.5))
        local b = sim:state():body("b")
        assert.equal(44, #touches)
        is(0.25 + 5.565551008992671e-6, up_of(dimension, b.position))
        is(-0.04166519580981356, up_of(dimension, b.velocity))
        assert(sim:advance(8.578949178728887))
        for _ = 1, 2 do
          b = sim:state():body("b")
          is(0.25, up_of(dimension, b.position))
          is(0, up_of(dimension, b.velocity))
          assert(sim:advance(1000))
        end
      end)
    end)

    it("a sphere that slides rolls", function()
      local skid = sarrus.model { gravity = at(dimension, 0, -G), floor(dimension),
        body.sphere { "b", position = at(dimension, 0, 0.3), radius = 0.3, mass = 2,
          velocity = at(dimension, 2, 0) },
        contact.pair { "sole", "floor", "b", friction = 0.3 } }
      both(function(options, is)
        local _, rolls = watching(options, "sole", "stick")
        local sim = assert(skid:simulate(options))
        assert(sim:advance(1))
        is(0.19416533178001068, rolls[1])
        local b = sim:state():body("b")
        local from = 2 * rolls[1] - 0.15 * G * rolls[1] ^ 2
        is(10 / 7, b.velocity.x)
        is(from + 10 / 7 * (1 - rolls[1]), b.position.x)
      end)
    end)

    it("a row of balls hands its speed on", function()
      local parts, names = {}, {}
      for i = 1, 5 do
        names[i] = "b" .. i
        parts[i] = ball(dimension, { names[i], position = at(dimension, i == 1 and -1 or i, 0),
          radius = 0.5, mass = 1, velocity = i == 1 and at(dimension, 1, 0) or nil })
      end
      parts[6] = contact.pair { "row", names, restitution = 1 }
      both(function(options, is)
        local sim = assert(sarrus.model(parts):simulate(options))
        assert(sim:advance(3))
        for i = 1, 5 do
          local b = sim:state():body(names[i])
          is(i == 5 and 1 or 0, b.velocity.x)
          is(i == 5 and 6 or i, b.position.x)
        end
      end)
    end)

    -- Up the incline with 2 m/s; it stays, and slips when what pulls upwards has grown.
    it("a block slides up an incline, sticks, and slips again", function()
      local angle, mu, rate = 0.3, 0.5, 0.5
      local c, s = math.cos(angle), math.sin(angle)
      local up = G * (s + mu * c)
      local stop, high, slips = 2 / up, 4 / (2 * up), up / rate
      local slope = sarrus.model { gravity = at(dimension, -G * s, -G * c), floor(dimension),
        body.box { "b", position = at(dimension, 0, 0.1), mass = 1, velocity = at(dimension, 2, 0),
          size = dimension == 2 and { 1, 0.2 } or { 1, 1, 0.2 } },
        sarrus.force.applied { "pull", "b", force = function(t)
          return dimension == 2 and { rate * t, 0 } or { rate * t, 0, 0 }
        end, at = at(dimension, 0, 0) },
        contact.pair { "sole", "floor", "b", friction = mu } }
      both(function(options, is)
        local sim = assert(slope:simulate(options))
        assert(sim:advance(slips + 1))
        local x = sim:state():body("b").position.x
        -- While it slides up x'' = rate t - up: the stop is the first root of its speed.
        local t = (up - math.sqrt(up ^ 2 - 4 * rate)) / rate
        is(2 * t - up * t ^ 2 / 2 + rate * t ^ 3 / 6 + rate / 6, x)
        assert.is_true(t > stop and x > high)
      end)
    end)
  end)
end

--- A system's mass matrix without products.
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

describe("a box on two corners", function()
  --- 2 a wide, 2 b high; the ground turns by 0.1 rad/s.
  local TURN = 0.1
  local function box(a, b, mu)
    local function corner(name, side)
      return { name, friction = mu,
        gap = function(q) return q.y + side * a * sarrus.sin(q.w) - b * sarrus.cos(q.w) end,
        slip = function(q, v)
          return v.x + (b * sarrus.cos(q.w) - side * a * sarrus.sin(q.w)) * v.w
        end }
    end
    return sarrus.system { coordinates = { "x", "y", "w" },
      mass = diagonal(1, 1, (a ^ 2 + b ^ 2) / 3), force = function(_, _, t)
        return { -G * sarrus.sin(TURN * t), -G * sarrus.cos(TURN * t), 0 }
      end, contacts = { corner("left", -1), corner("right", 1) } }
  end

  it("has the forces of a lever, and slips where tan reaches mu", function()
    local a, b, mu = 0.5, 0.3, 0.4
    local from = math.atan(mu) / TURN
    both(function(options, is)
      local _, slips = watching(options, "left", "slip")
      options.q = { 0, b, 0 }
      local sim = assert(box(a, b, mu):simulate(options))
      assert(sim:advance(2))
      local half, lever = G * math.cos(0.2) / 2, G * math.sin(0.2) * b / (2 * a)
      is(half + lever, sim:state():contact("left").normal_force)
      is(half - lever, sim:state():contact("right").normal_force)
      is(0, sim:state().q.x)
      assert(sim:advance(from + 0.1))
      is(from, slips[1])
    end)
  end)

  it("tips where tan reaches a / b", function()
    both(function(options, is)
      local _, leaves = watching(options, "right", "leave")
      options.q = { 0, 0.5, 0 }
      local sim = assert(box(0.3, 0.5, 0.9):simulate(options))
      assert(sim:advance(10 * math.atan(0.6) + 0.01))
      is(10 * math.atan(0.6), leaves[1])
    end)
  end)
end)

describe("a rod that slides on its end", function()
  --- At an angle, its end going along the floor with this speed, turning or not.
  local function start(mu, angle, speed, spin)
    local rod = sarrus.system { coordinates = { "x", "y", "w" }, mass = diagonal(1, 1, 1 / 3),
      force = function() return { 0, -G, 0 } end,
      contacts = { { "end", friction = mu, gap = function(q) return q.y - sarrus.sin(q.w) end,
        slip = function(q, v) return v.x + sarrus.sin(q.w) * v.w end } } }
    local s, c = math.sin(angle), math.cos(angle)
    return rod:simulate { q = { 0, s, angle }, v = { speed - s * spin, c * spin, spin },
      tolerance = 1e-14 }
  end

  --- 1 + 3 cos^2 w - 3 mu sin w cos w, which what slips backwards is pressed with
  local function p_of(mu, w)
    return 1 + 3 * math.cos(w) ^ 2 - 3 * mu * math.sin(w) * math.cos(w)
  end

  it("has forces up to mu = 4/3 where tan is 2, and none above", function()
    local angle = math.atan(2)
    for _, part in ipairs { 1e-2, 1e-4, 1e-5 } do
      near(0, p_of(4 / 3, angle))
      assert.truthy(start(4 / 3 * (1 - part), angle, -1, 0))
      local sim, message, code = start(4 / 3 * (1 + part), angle, -1, 0)
      assert.same({ nil, "CONTACT" }, { sim, code })
      assert.truthy(message:find('no forces at contact "end"', 1, true), message)
      assert.truthy(start(4 / 3 * (1 + part), angle, 1, 0))
    end
  end)

  it("never comes there from where it has forces", function()
    for _, mu in ipairs { 1.4, 1.8, 3 } do
      for _, spin in ipairs { 0, -2, -3 } do
        local sim = assert(start(mu, 1.5, -30, spin))
        local energy = math.huge
        for k = 1, 40 do
          assert(sim:advance(0.01 * k))
          local s = sim:state()
          local v, touch = s.v, s:contact("end")
          local now = (v.x ^ 2 + v.y ^ 2 + v.w ^ 2 / 3) / 2 + G * s.q.y
          assert.is_true(p_of(mu, s.q.w) > 0 or touch.mode == "open")
          assert.is_true(now < energy and touch.normal_force >= 0 and touch.gap > -1e-12)
          energy = now
        end
      end
    end
  end)
end)

describe("a point on a plane", function()
  -- k = mu N / F; thrown across F it turns into its direction and stops.
  it("stops at a known time and place", function()
    for _, k in ipairs { 1.5, 2, 3, 6 } do
      local F, v0 = 0.3 * G / k, 2
      local puck = sarrus.system { coordinates = { "x", "y", "z" }, mass = diagonal(1, 1, 1),
        force = function() return { F, 0, -G } end,
        contacts = { { "floor", gap = function(q) return q.z end, friction = 0.3,
          slip = function(_, v) return { v.x, v.y } end } } }
      both(function(options, is)
        local _, stops = watching(options, "floor", "stick")
        options.q, options.v = { 0, 0, 0 }, { 0, v0, 0 }
        local sim = assert(puck:simulate(options))
        assert(sim:advance(10))
        local q, size = sim:state().q, v0 ^ 2 / (4 * F)
        is(v0 * k / (0.3 * G * (k - 1 / k)), stops[1])
        is(size * (1 / (2 * k - 2) - 1 / (2 * k + 2)), q.x)
        is(2 * size * (1 / (2 * k - 1) + 1 / (2 * k + 1)), q.y)
      end)
    end
  end)
end)
