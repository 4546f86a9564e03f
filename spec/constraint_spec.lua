--- What equations of joints are called.

local constraint = require "sarrus.model.equations.constraint"

describe("a direction in words", function()
  it("is an axis where it lies along one, to 1e-9", function()
    local small = math.sqrt(2 * 5e-10)
    assert.equal("x", constraint.direction { 1 - 5e-10, small, 0 })
    assert.equal("y", constraint.direction { 0, -1 })
    assert.equal("z", constraint.direction { 0, 0, 1 })
    assert.equal("(1, 6.32e-05, 0)", constraint.direction { 1 - 2e-9, 2 * small, 0 })
    assert.equal("(0.6, -0.8)", constraint.direction { 0.6, -0.8 })
  end)
end)
