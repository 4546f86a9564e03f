-- explain "modes": what touches, slips and sticks.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local function box()
  return sarrus.model { name = "box", gravity = { 0, -10 },
    body.box { "box", position = { 0, 0.2 }, size = { 0.4, 0.2 }, mass = 1, velocity = { 1, 0 } },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair { "sole", "floor", "box", friction = 0.5 } }
end

describe('explain "modes"', function()
  it("tells of contacts and how many of their points touch", function()
    local model = box()
    assert.equal("at t = 0\n  sole                             open", model:explain "modes")
    local sim = assert(model:simulate {})
    assert(sim:advance(0.15))
    assert.equal("at t = 0.15\n  sole                             slip, 2 of 4 points",
      sim:explain "modes")
    assert(sim:advance(1))
    assert.equal("at t = 1\n  sole                             stick, 2 of 4 points",
      sim:explain "modes")
    assert.equal(model:explain "model", sim:explain "model")
  end)

  it("tells of limits and dry friction", function()
    local model = sarrus.model { gravity = { 0, -10 },
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "hinge", "ground", "rod", at = { 0, 0 }, friction = 0.1,
        limits = { -1, 1 } },
      body.point { "ball", position = { 0, -0.5 }, mass = 1 },
      joint.distance { "rope", "ground", "ball", from = { 0, 0 }, to = { 0, -0.5 },
        limits = { 0, 0.5 } } }
    local sim = assert(model:simulate {})
    assert(sim:advance(0.1))
    assert.equal([[
at t = 0.1
  hinge at its lower limit         open
  hinge at its upper limit         open
  hinge friction                   slip
  rope at its upper limit          closed]], sim:explain "modes")
  end)

  it("tells of the contacts of systems", function()
    local system = sarrus.system { coordinates = { "z" }, mass = function() return { { 1 } } end,
      force = function() return { -10 } end,
      contacts = { { "floor", gap = function(q) return q.z end } } }
    local sim = assert(system:simulate { q = { 1 } })
    assert.equal("at t = 0\n  floor                            open", sim:explain "modes")
    assert(sim:advance(1))
    assert.equal("at t = 1\n  floor                            slip", sim:explain "modes")
    assert.equal(system:explain "equations", sim:explain "equations")
  end)

  it("says where there are none, or no start", function()
    local system = sarrus.system { coordinates = { "z" }, mass = function() return { { 1 } } end }
    assert.equal("at t = 0\n  no contacts, limits or dry friction",
      assert(system:simulate { q = { 1 } }):explain "modes")
    local open = sarrus.model { name = "open",
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "left", "ground", "rod", at = { 0, 0 } },
      joint.revolute { "right", "ground", "rod", at = { a = { 3, 0 }, b = { 1, 0 } } } }
    local words = "does not start: model \"open\": the joints cannot"
    assert.truthy(open:explain("modes"):find("^" .. words))
    assert.truthy(open:explain("model"):find("\n" .. words))
  end)

  it("is none of the stages of a system, which has no state", function()
    local system = sarrus.system { coordinates = { "z" }, mass = function() return { { 1 } } end }
    local good, message = pcall(system.explain, system, "modes")
    assert.is_false(good)
    assert.truthy(message:find('want one of "equations", "tape", "structure"', 1, true))
  end)
end)

describe('explain "model"', function()
  it("lists parts, what they join and give, and the freedoms", function()
    local force = sarrus.force
    local model = sarrus.model {
      name = "all", gravity = { 0, -10 },
      body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 10 / 3 },
      body.point { "p", position = { 4, 1 }, mass = sarrus.parameter("m", 2) },
      body.disk { "d", position = { 6, 1 }, radius = 1, mass = 2 },
      joint.revolute { "J", "ground", "rod", at = { 0, 0 }, motion = sarrus.time, damping = 0.1,
        limits = { -9, 9 } },
      joint.rolling { "R", "ground", "d", radius = 1, normal = { 0, 1 } },
      joint.distance { "D", "rod", "p", from = { 2, 0 }, to = { 4, 1 } },
      force.spring { "S", "ground", "p", from = { 4, 0 }, to = { 4, 1 }, stiffness = 2 },
      force.drag { "air", "p", linear = 1 },
      shape.line { "floor", "ground", at = { 0, -5 }, normal = { 0, 1 } },
      sarrus.contact.pair { "c", "floor", { "d", "rod" } },
      sarrus.contact.pair { "c2", { "d", "rod" } },
      sarrus.contact.custom { "k", { "p" }, gap = function(a) return a:point().y + 9 end },
    }
    assert.equal(table.concat({
      "all, planar, gravity {0, -10}",
      "bodies",
      "  rod          rod       mass 3.33333  at {1, 0}  inertia 1.11111",
      "  p            point     mass m  at {4, 1}",
      "  d            disk      mass 2  at {6, 1}  inertia 1",
      "joints",
      "  J            revolute    ground - rod           3 equations, motion, damping, limits",
      "  R            rolling     ground - d             2 equations",
      "  D            distance    rod - p                1 equation",
      "forces",
      "  S            spring      ground - p",
      "  air          drag        p",
      "shapes",
      "  floor        line        ground",
      "contacts",
      "  c            pair        floor - d, rod",
      "  c2           pair        d, rod",
      "  k            custom      p",
      "8 coordinates, 6 constraints, 2 freedoms",
    }, "\n"), (model:explain "model"))
  end)
end)
