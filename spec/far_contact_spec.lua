-- Contacts that are far away: the motion is that without them, until they come near.
local sarrus = require "sarrus"
local bits = dofile("spec/check.lua").bits
local body, joint, shape, contact = sarrus.body, sarrus.joint, sarrus.shape, sarrus.contact

--- A double pendulum with a rusty hinge, and a ball that falls past it from high above the floor.
local function scene()
  return sarrus.model { gravity = { 0, -9.81 },
    shape.line { "floor", "ground", at = { 0, -6 }, normal = { 0, 1 } },
    shape.line { "wall", "ground", at = { 40, 0 }, normal = { -1, 0 } },
    body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
    body.rod { "b", from = { 1, 0 }, to = { 2, 0.2 }, mass = 1 },
    body.disk { "ball", position = { 4, 30 }, radius = 0.2, mass = 1, spin = 3,
      velocity = { 0.5, 0 } },
    joint.revolute { "rusty", "ground", "a", at = { 0, 0 }, friction = 0.3 },
    joint.revolute { "free", "a", "b", at = { 1, 0 } },
    contact.pair { "hop", "ball", "floor", friction = 0.4, restitution = 0.6 },
    contact.pair { "side", "ball", "wall" },
    contact.pair { "low", "b", "floor" } }
end

describe("contacts that are far away", function()
  it("leave the fall exact, and are there when it ends", function()
    local strikes = {}
    local event = sarrus.event { "strike", contact = "hop", on = "touch", action = function(_, s)
      strikes[#strikes + 1] = s.t
    end }
    local sim = assert(scene():simulate { events = { event } })
    assert(sim:advance(3))
    local fallen = math.sqrt(2 * 35.8 / 9.81)
    assert.are.equal(1, #strikes)
    assert.is_true(math.abs(strikes[1] - fallen) < 1e-13)
    assert.are.equal("open", sim:state():contact("low").mode)
    assert.are.equal(0, sim:state():contact("low").normal_force)
  end)

  it("give the same bits saved, restored and cloned on the way", function()
    local whole = assert(scene():simulate {})
    assert(whole:advance(9))
    for k = 1, 29 do
      local model = scene()
      local sim = assert(model:simulate {})
      assert(sim:advance(0.3 * k))
      for _, other in ipairs { assert(model:restore(sim:save())), sim:clone(), sim } do
        assert(other:advance(9))
        assert.are.equal(bits(whole), bits(other))
      end
    end
  end)

  it("are found where something changes from outside", function()
    local slide = sarrus.model {
      body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 2 },
      joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 },
        limits = { -100, 100, restitution = 1 } } }
    local sim = assert(slide:simulate { joints = { j = { speed = 1 } }, max_step = 0.5 })
    assert(sim:advance(10))
    assert(sim:impulse("b", { 198, 0 }))
    assert(sim:advance(11))
    assert.is_true(math.abs(sim:state():joint("j").length - 90) < 1e-11)
    assert.is_true(math.abs(sim:state():joint("j").speed + 100) < 1e-11)
  end)

  it("may have gaps of any functions", function()
    local x = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function() return { 0 } end,
      contacts = {
        { "steep", gap = function(q) return sarrus.cosh(q.x) - 1.5 end, restitution = 1 },
        { "ripple", gap = function(q) return 30 - q.x + sarrus.sin(q.x) end, restitution = 1 },
      } }
    local sim = assert(x:simulate { q = { -20 }, v = { 1 }, max_step = 1 })
    assert(sim:advance(30))
    local wall = math.log(1.5 + math.sqrt(1.25)) -- cosh x = 1.5
    assert.is_true(math.abs(sim:state().q.x - (-wall - (30 - 20 + wall))) < 1e-11)
  end)

  --- A double pendulum of rods, with things around it that it never reaches.
  local function among(dimension, things, own)
    local function at(x) return dimension == 2 and { x, 0 } or { x, 0, 0 } end
    local axis = dimension == 3 and { 0, 0, 1 } or nil
    local parts = {
      gravity = dimension == 2 and { 0, -9.81 } or { 0, -9.81, 0 },
      body.rod { "a", from = at(0), to = at(1), mass = 1 },
      body.rod { "b", from = at(1), to = at(2), mass = 1 },
      joint.revolute { "hinge", "ground", "a", at = at(0), axis = axis },
      joint.revolute { "elbow", "a", "b", at = at(1), axis = axis }, own,
    }
    for i = 1, things and 6 or 0 do
      local x, y = 8 * math.cos(i), 8 * math.sin(i)
      table.insert(parts, things("far" .. i, dimension == 2 and { x, y } or { x, y, 1 }))
      table.insert(parts, contact.pair { "pair" .. i, own and "own" or "b", "far" .. i,
        friction = 0.3 })
    end
    local sim = assert(sarrus.model(parts):simulate { tolerance = 1e-10, order = 20 })
    assert(sim:advance(2))
    return sim:stats().steps, sim:state():point("b", dimension == 2 and { 0.5, 0 } or { 0.5, 0, 0 })
  end

  local function disk(name, at) return shape.disk { name, "ground", at = at, radius = 0.3 } end
  local function line(name, at)
    return shape.line { name, "ground", at = at, normal = { -at[1], -at[2] } }
  end
  local function box(name, at)
    return shape.box { name, "ground", at = at,
      size = #at == 2 and { 0.6, 0.5 } or { 0.6, 0.5, 0.4 } }
  end
  local corners = { { 1.3, -0.1 }, { 1.7, -0.1 }, { 1.5, 0.2 } }

  for what, one in pairs {
    ["disks and a bar"] = { 2, disk }, ["boxes and a bar"] = { 2, box },
    ["boxes and a box"] = { 2, box,
      shape.box { "own", "b", at = { 1.5, 0 }, size = { 0.4, 0.2 } } },
    ["lines and a polygon"] = { 2, line, shape.polygon { "own", "b", points = corners } },
    ["boxes and a capsule"] = { 3, box, shape.capsule { "own", "b", from = { 1.2, 0, 0 },
      to = { 1.8, 0, 0 }, radius = 0.1 } },
  } do
    it(("leave steps as they are: %s"):format(what), function()
      local steps, at = among(one[1], one[2], one[3])
      local alone, there = among(one[1])
      assert.are.equal(alone, steps) -- no step ends where the nearest side or corner changes
      for k = 1, one[1] do
        assert.is_true(math.abs(at[k] - there[k]) < 1e-8)
      end
    end)
  end

  --- Boxes that fly at each other, face to face, from 60 m; their sides follow from a parameter.
  local function boxes()
    local side = sarrus.parameter("side", 0.5)
    return sarrus.model {
      body.rigid { "left", position = { -30, 0 }, velocity = { 6, 0 }, mass = 1, inertia = 1 },
      body.rigid { "right", position = { 30, 0.1 }, velocity = { -9, 0 }, mass = 1, inertia = 1 },
      shape.box { "l", "left", at = { -30, 0 }, size = { side, side } },
      shape.box { "r", "right", at = { 30, 0.1 }, size = { 1, 1 } },
      contact.pair { "hit", "l", "r", restitution = 1 } }
  end

  it("are met where boxes come from far away, however large they are", function()
    for _, side in ipairs { 0.5, 3 } do
      local strikes = {}
      local sim = assert(boxes():simulate { parameters = { side = side }, events = {
        sarrus.event { "hit", contact = "hit", on = "touch", action = function(_, s)
          strikes[#strikes + 1] = s.t
        end } } })
      assert(sim:advance(4.5))
      assert.are.equal(1, #strikes)
      assert.is_true(math.abs(strikes[1] - (60 - (side + 1) / 2) / 15) < 1e-12)
    end
  end)

  it("give the same bits with boxes, saved, restored and cloned on the way", function()
    local whole = assert(boxes():simulate {})
    assert(whole:advance(6))
    for k = 1, 19 do
      local model = boxes()
      local sim = assert(model:simulate {})
      assert(sim:advance(0.3 * k))
      for _, other in ipairs { assert(model:restore(sim:save())), sim:clone(), sim } do
        assert(other:advance(6))
        assert.are.equal(bits(whole), bits(other))
      end
    end
  end)

  it("that are let go are seen once they are engaged again", function()
    local met = assert(boxes():simulate {})
    assert(met:advance(6))
    local sim = assert(boxes():simulate {})
    assert(sim:release("hit"))
    assert(sim:advance(3))
    assert(sim:engage("hit"))
    assert(sim:advance(6))
    for _, name in ipairs { "left", "right" } do
      local apart = sim:state():body(name).position - met:state():body(name).position
      assert.is_true(sarrus.vec.norm(apart) < 1e-10)
    end
  end)
end)
