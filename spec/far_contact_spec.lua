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
end)
