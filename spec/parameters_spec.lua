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
