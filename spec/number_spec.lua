local core = require "sarrus.core"

describe("numbers", function()
  it("print in the shortest form that reads back", function()
    local texts = {
      [0] = "0", [3] = "3", [-12] = "-12", [0.1] = "0.1", [1 / 3] = "0.3333333333333333",
      [1e-5] = "1e-05", [1e20] = "1e+20", [2 ^ 53] = "9007199254740992",
      [0.1 + 0.2] = "0.30000000000000004", [5e-324] = "5e-324",
      [math.huge] = "inf", [-math.huge] = "-inf",
    }
    for x, text in pairs(texts) do
      assert.are.equal(text, core.number(x))
      assert.is_true(x - x ~= 0 or tonumber(text) == x)
    end
    assert.are.equal("nan", core.number(math.huge - math.huge))
  end)

  it("print as fractions in series", function()
    assert.are.equal("-1/5040", core.number_fraction(-1 / 5040))
    assert.are.equal("1/10", core.number_fraction(0.1))
    assert.are.equal("1/3", core.number_fraction(1 / 3 + 1e-13))
    assert.are.equal("0.33333333", core.number_fraction(0.33333333))
    assert.are.equal("1e-10", core.number_fraction(1e-10))
  end)

  it("print as exact fractions in expressions", function()
    assert.are.equal("1/2", core.number_exact(0.5))
    assert.are.equal("3/2", core.number_exact(1.5))
    assert.are.equal("1/3", core.number_exact(1 / 3))
    assert.are.equal("9.81", core.number_exact(9.81))
    assert.are.equal("0.1", core.number_exact(0.1))
    assert.are.equal("0.3333333333333", core.number_exact(0.3333333333333))
  end)
end)
