--- Names of equations and expressions, as scripts know them.
local naming = require "sarrus.model.equations.naming"

--- What an expression that the core prints is called, in a model of some bodies.
local function called(text, ...)
  local bodies = {}
  for i, name in ipairs { ... } do
    bodies[i] = { name = name }
  end
  return naming.expression({ model = { bodies = bodies },
    compiled = { print_expr = function() return text end } }, 1)
end

describe("the name of an expression", function()
  it("is what the core prints, where scripts know its symbols", function()
    assert.equal("sqrt(a.x - 2)", called("sqrt(a.x - 2)", "a", "b"))
    assert.equal("1/x", called("1/x"))
  end)

  it("is that of a body's orientation, where it is of its axes", function()
    local one, two = 'what depends on the orientation of "a"',
      'what depends on the orientation of "a" and "b"'
    assert.equal(one, called("sqrt(a.e1x - 2)", "a", "b"))
    assert.equal(one, called("a.e3z", "a", "b"))
    assert.equal(two, called("a.e2y * b.e1x + a.e1x", "a", "b"))
    assert.equal('what depends on the orientation of "arm.2"', called("2 arm.2.e1x", "arm.2"))
  end)

  it("does not take a part of a name for it", function()
    assert.equal("beta.e1x", called("beta.e1x", "a"))
    assert.equal("a_b.e1x", called("a_b.e1x", "b"))
    assert.equal("a.e1w", called("a.e1w", "a"))
    assert.equal("armX2.e1x", called("armX2.e1x", "arm.2"))
  end)
end)
