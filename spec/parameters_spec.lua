--- Parameters that parts name: one value each, whoever names them.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")

local function model(first, second, drawn)
  return sarrus.model { name = "m", gravity = { 0, -10 },
    sarrus.body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = sarrus.parameter("k", first) },
    sarrus.body.point { "b", position = { drawn or 2, 0 }, mass = sarrus.parameter("k", second) },
    sarrus.joint.revolute { "J", "ground", "a", at = { 0, 0 } },
  }
end

describe("a parameter", function()
  it("that several parts name has one value", function()
    local sim = assert(model(3, 3):simulate())
    assert.equal(3, sim:get("k"))
    sim = assert(model(3, 3):simulate { parameters = { k = 4 } })
    assert.equal(4, sim:get("k"))
  end)

  it("of two values is misuse, which names both parts", function()
    local good, message = pcall(model, 3, 4)
    assert.is_false(good)
    assert.equal('body.point "b": parameter "k" is 4, but 3 in body.rod "a"',
      (message:gsub("^[^:]*:%d+: ", "")))
  end)

  it("of two values is told in the order of names, however many there are", function()
    local good, message = pcall(function()
      return sarrus.model { name = "m",
        sarrus.body.point { "a", position = { 0, sarrus.parameter("y", 1) },
          mass = sarrus.parameter("x", 2) },
        sarrus.body.point { "b", position = { 1, sarrus.parameter("y", 5) },
          mass = sarrus.parameter("x", 6) },
      }
    end)
    assert.is_false(good)
    local told = {}
    for name in message:gmatch('parameter "(%a)" is') do
      told[#told + 1] = name
    end
    assert.same({ "x", "y" }, told)
    assert.is_truthy(message:find('"x" is 6, but 2 in body.point "a"', 1, true), message)
    assert.is_truthy(message:find('"y" is 5, but 1 in body.point "a"', 1, true), message)
  end)

  it("that says where something is cannot be set in a simulation, and is given to it", function()
    local moved = sarrus.model { name = "m", gravity = { 0, -10 },
      sarrus.body.point { "b", position = { sarrus.parameter("x", 2), 0 }, mass = 1 } }
    local sim = assert(moved:simulate { parameters = { x = 7 } })
    assert.equal(7, sim:state():body("b").x)
    local good, message = pcall(sim.set, sim, "x", 8)
    assert.is_false(good)
    assert.is_truthy(message:find('set: "x" says where or how large something is (', 1, true),
      message)
    check.near(7, assert(moved:simulate { parameters = { x = 7 } }):state():body("b").x, 0)
    check.near(2, assert(moved:simulate()):state():body("b").x, 0)
  end)
end)

describe("a parameter of a place", function()
  local k = sarrus.parameter("k", 1)
  local body, joint, shape = sarrus.body, sarrus.joint, sarrus.shape

  it("may stand in corners, in places of one body, and in matrices", function()
    local drawn = sarrus.model { gravity = { 0, -10 },
      body.rigid { "b", position = { 0, 3 }, mass = 2, inertia = 1 },
      shape.polygon { "foot", "b", points = { { -1, 2 }, { 0, 2 - k }, { 1, 2 } } },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      sarrus.contact.pair { "c", "floor", "foot" },
    }
    for value = 0.5, 1.5, 0.5 do
      local s = assert(drawn:simulate { parameters = { k = value } }):state()
      assert.near(2 - value, s:contact("c").gap, 1e-14)
    end
    assert.near(1, assert(drawn:simulate {}):state():contact("c").gap, 1e-14)
    local hung = sarrus.model {
      body.rigid { "b", position = { 0, 0, 0 }, mass = 2,
        inertia = { { 2 + k, 0, 0 }, { 0, 2, 0 }, { 0, 0, k } } },
      joint.revolute { "J", "ground", "b", axis = { 0, 0, 1 }, torque = 3,
        at = { a = { 0, 1 - k, 0 }, b = { 0, 0, 0 } } },
    }
    for _, value in ipairs { 1, 2, 1.5 } do
      local sim = assert(hung:simulate { parameters = { k = value } })
      assert.near(1 - value, sim:state():body("b").position.y, 1e-14)
      assert(sim:advance(1))
      assert.near(3 / value, sim:state():joint("J").rate, 1e-12)
    end
  end)

  it("of two values is misuse wherever it stands", function()
    local good, message = pcall(function()
      return sarrus.model {
        body.point { "a", position = { 0, k }, mass = 1 },
        shape.polygon { "s", "a", points = { { 0, 0 }, { sarrus.parameter("k", 2), 0 },
          { 0, 1 } } },
      }
    end)
    assert.is_false(good)
    assert.equal('shape.polygon "s": parameter "k" is 2, but 1 in body.point "a"',
      (message:gsub("^[^:]*:%d+: ", "")))
  end)

  it("of two values in one part is misuse, too", function()
    local good, message = pcall(function()
      return sarrus.model { body.rod { "a", from = { k, 0 }, to = { 2, sarrus.parameter("k", 3) },
        mass = 1 } }
    end)
    assert.is_false(good)
    assert.equal('body.rod "a": parameter "k" is 3, but 1 in body.rod "a"',
      (message:gsub("^[^:]*:%d+: ", "")))
  end)

  it("keeps what it draws for several values at once", function()
    local drawn = sarrus.model { gravity = { 0, -10 },
      body.point { "bob", position = { 0, -k }, mass = 1 },
      joint.distance { "rope", "ground", "bob", from = { 0, 0 }, to = { 0, -k } },
    }
    local sims = {}
    for i = 1, 7 do
      sims[i] = assert(drawn:simulate { parameters = { k = i / 2 } })
    end
    for i, sim in ipairs(sims) do
      assert.near(-i / 2, sim:state():body("bob").position.y, 1e-14)
      assert.near(10, sim:state():joint("rope").force.y, 1e-12)
      assert(sim:advance(0.5))
      assert.near(0, sim:state():residual().position, 1e-14)
    end
  end)
end)
