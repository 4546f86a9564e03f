-- Events that watch contacts: order, times, once for each change.
local sarrus = require "sarrus"
local checks = dofile("spec/check.lua")
local body, joint, shape, contact = sarrus.body, sarrus.joint, sarrus.shape, sarrus.contact
local near, misuse = checks.near, checks.misuse

local g = 10

--- Events for all changes of a contact, which write into a log { name, t }.
local function watch(name, log)
  local list = {}
  for i, on in ipairs { "touch", "leave", "stick", "slip" } do
    list[i] = sarrus.event { on, contact = name, on = on, action = function(_, s)
      log[#log + 1] = { on, s.t }
    end }
  end
  return list
end

local function check(expected, log, bound)
  local names = {}
  for i, one in ipairs(log) do
    names[i] = one[1]
  end
  local wanted = {}
  for i, one in ipairs(expected) do
    wanted[i] = one[1]
  end
  assert.are.same(wanted, names)
  for i, one in ipairs(expected) do
    near(one[2], log[i][2], bound or 1e-12)
  end
end

--- A block on a plane; it falls from `height` at the speed 3, and is lifted by "lift".
local function block()
  return sarrus.system { coordinates = { "x", "y" },
    mass = function() return { { 1, 0 }, { 0, 1 } } end,
    force = function()
      return { sarrus.parameter("push", 0), sarrus.parameter("lift", 0) - g }
    end,
    contacts = { { "floor", gap = function(q) return q.y end,
      slip = function(_, v) return v.x end, friction = 0.25 } } }
end

describe("events of a contact", function()
  it("come in the order of time, then of declaration", function()
    local log, fall = {}, math.sqrt(2 * 0.05 / g)
    local sim = assert(block():simulate { q = { 0, 0.05 }, v = { 3, 0 },
      events = watch("floor", log) })
    assert(sim:advance(5))
    local left = 3 - 0.25 * g * fall -- friction of the impact
    check({ { "touch", fall }, { "slip", fall }, { "stick", fall + left / (0.25 * g) } }, log)
  end)

  it("come where parameters change things, and once", function()
    local log = {}
    local sim = assert(block():simulate { q = { 0, 0 }, events = watch("floor", log) })
    assert(sim:advance(1) and sim:set("push", 3) and sim:advance(2) and sim:set("push", 0))
    assert(sim:advance(4) and sim:set("lift", 11) and sim:advance(5) and sim:set("lift", 0))
    assert(sim:advance(10))
    -- It slips from 1 s on by 0.5 m/s^2, stops 0.2 s after 2 s, rises by 1 m/s^2 from 4 s on, and
    -- falls from 5 s on: 0.5 + t - 5 t^2 = 0.
    local down = 5 + (1 + math.sqrt(11)) / 10
    local seen = {}
    for _, one in ipairs(log) do
      if one[1] == "touch" or one[1] == "stick" then
        seen[#seen + 1] = one
      end
    end
    check({ { "stick", 2.2 }, { "touch", down }, { "stick", down } }, seen)
  end)

  it("come once for each bounce, and none at rest", function()
    local log = {}
    local ball = sarrus.system { coordinates = { "y" }, mass = function() return { { 1 } } end,
      force = function() return { -9.81 } end,
      contacts = { { "floor", gap = function(q) return q.y end, restitution = 0.9 } } }
    local sim = assert(ball:simulate { q = { 1 }, tolerance = 1e-14, events = watch("floor", log) })
    assert(sim:advance(8.5))
    local t, v = math.sqrt(2 / 9.81), math.sqrt(2 * 9.81)
    assert.are.equal(44, #log)
    for i = 1, 44 do
      assert.are.equal("touch", log[i][1])
      near(t, log[i][2], 1e-12)
      v = 0.9 * v
      t = t + 2 * v / 9.81
    end
    assert(sim:advance(9))
    local count = #log
    assert(sim:advance(1000))
    assert.are.equal(count, #log)
  end)

  it("tell where a joint's push ends", function()
    local log = {}
    local model = sarrus.model { gravity = { 0, -g },
      body.box { "b", position = { 0, 0.5 }, size = { 1, 1 }, mass = 1 },
      shape.line { "ground line", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "sole", "b", "ground line", friction = 0.5 },
      joint.prismatic { "lift", "ground", "b", at = { 0, 0.5 }, axis = { 0, 1 },
        force = function(_, _, t) return 4 * t end } }
    local sim = assert(model:simulate { events = watch("sole", log) })
    assert(sim:advance(3))
    check({ { "leave", 2.5 } }, log)
    near(4 * 0.5 ^ 3 / 6, sim:state():joint("lift").length, 1e-12)
  end)

  it("speak of all points of a contact together", function()
    -- A box falls flat: both corners touch, one event.
    local log = {}
    local model = sarrus.model { gravity = { 0, -g },
      body.box { "b", position = { 0, 0.55 }, size = { 1, 1 }, mass = 1 },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "sole", "b", "floor", friction = 0.5 } }
    local sim = assert(model:simulate { events = watch("sole", log) })
    assert(sim:advance(1))
    check({ { "touch", 0.1 }, { "stick", 0.1 } }, log)
  end)

  it("may stop, and go on", function()
    local sim = assert(block():simulate { q = { 0, 0.05 }, events = {
      sarrus.event { "down", contact = "floor", on = "touch", stop = true } } })
    local _, event = sim:advance(1)
    assert.are.equal("down", event)
    near(0.1, sim:state().t, 1e-14)
    near(10 * 0.1, sim:state():contact("floor").impulse, 1e-14)
    assert(sim:advance(1))
    near(1, sim:state().t, 0)
  end)

  it("come the same after a record in the middle", function()
    local system = block()
    local plain = {}
    local sim = assert(system:simulate { q = { 0, 0.05 }, v = { 3, 0 },
      events = watch("floor", plain) })
    assert(sim:advance(5))
    for _, t in ipairs { 0.05, 0.1, 0.3, 1, 2 } do
      local log = {}
      local first = assert(system:simulate { q = { 0, 0.05 }, v = { 3, 0 },
        events = watch("floor", log) })
      assert(first:advance(t))
      local record = first:save()
      local second = assert(system:restore(record, { events = watch("floor", log) }))
      assert(second:advance(5))
      assert.are.same(plain, log)
    end
  end)

  it("are refused where they name nothing", function()
    assert.are.equal('event "e": give either when, whose zeros count, or contact and on',
      misuse(sarrus.event, { "e" }))
    assert.are.equal(
      'event "e": contact and on go together: on = "touch", "leave", "stick" or "slip"',
      misuse(sarrus.event, { "e", contact = "floor" }))
    assert.are.equal(
      'event "e": direction goes with when; on says which change of the contact counts',
      misuse(sarrus.event, { "e", contact = "floor", on = "touch", direction = "up" }))
    assert.is_truthy(misuse(sarrus.event, { "e", contact = "floor", on = "bounce" }):find(
      'event "e": on', 1, true))
    local system = block()
    local text = misuse(system.simulate, system, { q = { 0, 1 },
      events = { sarrus.event { "e", contact = "flor", on = "touch" } } })
    assert.is_truthy(text:find('"flor"', 1, true), text)
    assert.is_truthy(text:find("floor", 1, true), text)
  end)
end)

describe("many events before a touch", function()
  it("leave room for it", function()
    for _, many in ipairs { 63, 64, 65 } do
      local fall, list, zeros, touches = math.sqrt(2 / 9.81), {}, 0, 0
      for i = 1, many do
        list[i] = sarrus.event { "zero " .. i,
          when = function(s) return s.t - fall * i / (many + 1) end,
          action = function() zeros = zeros + 1 end }
      end
      list[many + 1] = sarrus.event { "touch", contact = "sole", on = "touch",
        action = function() touches = touches + 1 end }
      local sim = assert(sarrus.model { gravity = { 0, -9.81 },
        body.disk { "b", position = { 0, 1.1 }, radius = 0.1, mass = 1 },
        shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
        contact.pair { "sole", "floor", "b", restitution = 0.5 } }:simulate { events = list })
      assert(sim:advance(0.5))
      assert.are.equal(many, zeros)
      assert.are.equal(1, touches)
    end
  end)
end)

describe("events of contacts", function()
  local force = sarrus.force

  --- A box of 1 kg on a floor, friction 0.5, under a force; what it does, with times.
  local function told(push, T, act)
    local list = {}
    local events = {}
    for i, change in ipairs { "touch", "leave", "stick", "slip" } do
      events[i] = sarrus.event { change, contact = "sole", on = change, action = function(_, s)
        list[#list + 1] = ("%s %.6f"):format(change, s.t)
      end }
    end
    local sim = assert(sarrus.model { gravity = { 0, -10 },
      body.box { "b", position = { 0, 0.1 }, size = { 0.4, 0.2 }, mass = 1 },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "sole", "b", "floor", friction = 0.5 },
      force.applied { "push", "b", force = push } }:simulate { events = events })
    assert(sim:advance(1))
    if act then
      assert(act(sim))
    end
    assert(sim:advance(T))
    return table.concat(list, ", ")
  end

  local t = sarrus.time

  it("tell of what is lifted with friction", function()
    assert.are.equal("leave 2.000000", told({ 0, 5 * t }, 3))
  end)

  it("do not tell of slips that last no time", function()
    assert.are.equal("", told({ 4.5 * sarrus.sin(t), 0 }, 12))
  end)

  it("tell of what forces that jump, impulses and letting go change", function()
    assert.are.equal("slip 1.500000", told({ sarrus.select(t - 1.5, 8, 0), 0 }, 3))
    assert.are.equal("leave 1.000000, touch 1.400000, stick 1.400000", told({ 0, 0 }, 3,
      function(sim) return sim:impulse("b", { 0, 2 }) end))
    assert.are.equal("slip 1.000000, stick 1.400000", told({ 0, 0 }, 3,
      function(sim) return sim:impulse("b", { 2, 0 }) end))
    assert.are.equal("leave 1.000000", told({ 0, 0 }, 3,
      function(sim) return sim:release("sole") end))
  end)

  it("tell of a box at rest that a parameter pushes", function()
    local push = sarrus.parameter("push", 0)
    assert.are.equal("slip 1.000000", told({ push, 0 }, 3,
      function(sim) return sim:set("push", 8) end))
    assert.are.equal("", told({ push, 0 }, 3, function(sim) return sim:set("push", 2) end))
  end)

  it("tell of friction and limits of joints", function()
    local list, events = {}, {}
    for i, change in ipairs { "touch", "leave", "stick", "slip" } do
      events[i] = sarrus.event { change, contact = "rail", on = change, action = function(_, s)
        list[#list + 1] = ("%s %.6f"):format(change, s.t)
      end }
    end
    local model = sarrus.model {
      body.box { "b", position = { 0, 0 }, size = { 0.2, 0.2 }, mass = 1 },
      joint.prismatic { "rail", "ground", "b", at = { 0, 0 }, axis = { 1, 0 }, friction = 1,
        limits = { -1, 0.5 }, force = function(_, _, time) return 2 * time end } }
    assert(model:simulate { events = events }:advance(4))
    -- x'' = 2t - 1 from t = 0.5 on: x = (t - 1/2)^3 / 3 reaches 0.5, where it stays, pressed
    assert.are.equal(("slip 0.500000, touch %.6f"):format(0.5 + 1.5 ^ (1 / 3)),
      table.concat(list, ", "))
    local bare = sarrus.model {
      body.box { "b", position = { 0, 0 }, size = { 0.2, 0.2 }, mass = 1 },
      joint.prismatic { "rail", "ground", "b", at = { 0, 0 }, axis = { 1, 0 } } }
    local ok, text = pcall(bare.simulate, bare, { events = { sarrus.event { "e", contact = "rail",
      on = "slip" } } })
    assert.is_false(ok)
    assert.is_truthy(text:find(
      'joint.prismatic "rail" has no friction, so there is no "slip" of it', 1, true))
  end)

  it("may watch friction that is 0 at first", function()
    for _, thing in ipairs {
      body.box { "b", position = { 0, 0.5 }, size = { 2, 1 }, mass = 1 },
      body.disk { "b", position = { 0, 0.5 }, radius = 0.5, mass = 1 }, -- it rolls
    } do
      local model = sarrus.model { gravity = { 0, -g }, thing,
        shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
        contact.pair { "sole", "floor", "b", friction = 0.2 },
        sarrus.force.applied { "push", "b", at = { 0, 0.5 }, force = { -sarrus.time, 0 } } }
      local sim = assert(model:simulate { events = { sarrus.event { "half", stop = true,
        when = function(s) return s:contact("sole").friction_force - 1 end } } })
      local _, name, time = sim:advance(10)
      assert.are.equal("half", name)
      near(thing.type == "box" and 1 or 3, time)
    end
  end)
end)

describe("the impulse of an impact", function()
  it("is the sum over the corners that strike", function()
    for _, angle in ipairs { 0, 0.3 } do -- both, or one
      local told, before
      local sim = assert(sarrus.model {
        body.box { "b", position = { 0, 2 }, mass = 3, size = { 0.4, 0.2 }, angle = angle,
          velocity = { 0, -1 } },
        shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
        contact.pair { "hit", "floor", "b", friction = 0.7, restitution = 0.5 },
      }:simulate { events = { sarrus.event { "touch", contact = "hit", on = "touch", stop = true,
        action = function(own, s)
          told, before = s:contact("hit").impulse, own:at(s.t):body("b").velocity.y
        end } } })
      assert.equal("EVENT", (sim:advance(3)))
      local s = sim:state()
      assert.near(3 * (s:body("b").velocity.y - before), told, 1e-12)
      assert.near(told, s:contact("hit").impulse, 1e-12)
      assert.is_true(told > 1)
      assert(sim:advance(sim.time + 0.01))
      assert.equal(0, sim:state():contact("hit").impulse)
    end
  end)
end)
