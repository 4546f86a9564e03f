--- A failure is one table from the binding on; its words are those of failure.lua.

local core = require "sarrus.core"
local failure = require "sarrus.sim.failure"
local sarrus = require "sarrus"

local function pendulum()
  return sarrus.system {
    name = "pendulum",
    coordinates = { "x", "y" },
    mass = function() return { { 1, 0 }, { 0, 1 } } end,
    force = function() return { 0, -10 } end,
    constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
  }
end

local OPTIONS = { tolerance = 1e-9, scale = 1, order = 0, step = 0, max_step = 0, max_steps = 0 }

describe("a failure", function()
  it("of a point tells what violates which equation, by how much, when", function()
    local system = pendulum()
    local q, failed = system.compiled:expand(2, 3, { 0, -2 }, { 0, 0 }, {}, 1e-9)
    assert.is_nil(q)
    assert.same({ code = "INCONSISTENT", t = 3, row = 3, derivative = 0, size = 3, count = 0 },
      failed)
    local answer, message, code = failure.answer(system, failed)
    assert.is_nil(answer)
    assert.same({ 'system "pendulum": the positions violate constraint 1 by 3', "INCONSISTENT" },
      { message, code })
  end)

  it("of a simulation has the time at which it stands", function()
    local system = sarrus.system {
      coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function(q) return { 6 * q.x ^ 2 } end, -- x = (1 - t)^-2
    }
    local object = core.sim(system.compiled, nil, OPTIONS)
    assert.equal("END", object:start(0, { 1 }, { 2 }))
    local result, failed = object:advance(2)
    assert.is_nil(result)
    assert.same({ "STEP", object:time(), 0 }, { failed.code, failed.t, failed.count })
    assert.is_nil(failed.row)
    assert.is_nil(failed.event)
  end)

  it("of a declaration has no time", function()
    local graph = core.graph()
    local zero, one = graph:constant(0), graph:constant(1)
    local compiled, failed = core.system(graph, {
      coordinates = 2, parameters = 0, mass = { 1, 1, one, 1, 2, one, 2, 1, zero, 2, 2, one },
    })
    assert.is_nil(compiled)
    assert.same({ "ARGUMENT", 1, 2 }, { failed.code, failed.row, failed.column })
    assert.is_nil(failed.t)
  end)

  it("of a callback has its reason as it was raised", function()
    local sim = assert(pendulum():simulate {
      q = { 0, -1 },
      controllers = { sarrus.controller { period = 1, action = function() error("no", 0) end } },
    })
    local result, message, code = sim:advance(1)
    assert.is_nil(result)
    assert.equal("CALLBACK", code)
    assert.equal('system "pendulum": controller at t = 0: no', message:match("^[^\n]*"))
  end)

  it("is in the subject's own words where it has some", function()
    local subject = { what = "toy", words = function(_, failed)
      return failed.code == "SINGULAR" and "row " .. failed.row .. " is too much" or nil
    end }
    local _, own = failure.answer(subject, { code = "SINGULAR", row = 2, size = 1 })
    local _, usual = failure.answer(subject, { code = "CANCELLED" })
    assert.same({ "toy: row 2 is too much", "toy: interrupted" }, { own, usual })
  end)
end)
