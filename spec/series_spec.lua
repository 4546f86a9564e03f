local sarrus = require "sarrus"
local series = sarrus.series

local huge = math.huge
local t8 = series.variable(8)

--- Every coefficient within a tolerance of the list, and no more of them.
local function assert_near(list, s, tolerance)
  assert.are.equal(#list - 1, s.order)
  for k = 0, s.order do
    local error_k = math.abs(s[k] - list[k + 1])
    assert.is_true(error_k <= (tolerance or 0), ("coefficient %d is %.17g"):format(k, s[k]))
  end
end

--- The message of a failure; it begins with this file and a line.
local function message_of(f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok)
  local place, text = message:match("^(.-series_spec%.lua:%d+): (.*)$")
  assert.is_truthy(place, "no place in: " .. tostring(message))
  return text
end

describe("a series", function()
  it("reads its coefficients from 0", function()
    local s = series { 1, 2, 3 }
    assert.are.equal(2, s.order)
    assert.are.equal(1, s[0])
    assert.are.equal(3, s[2])
    assert.is_nil(s[3])
    assert.is_nil(s[-1])
    assert.is_nil(s[0.5])
    assert.is_nil(s["1"])
    assert.is_nil(s.missing)
    assert.is_true(series.is(s))
    assert.is_false(series.is({}))
  end)

  it("is t for variable", function()
    assert_near({ 0, 1, 0, 0 }, series.variable(3))
    assert_near({ 0, 1 }, series.variable(1))
    assert_near({ 0 }, series.variable(0))
  end)

  it("prints fractions, decimals and the order", function()
    assert.are.equal("t - 1/6 t^3 + 1/120 t^5 + O(t^7)", tostring(sarrus.sin(series.variable(6))))
    assert.are.equal("t - 1/6 t^3 + 1/120 t^5 - 1/5040 t^7 + O(t^9)", tostring(sarrus.sin(t8)))
    assert.are.equal("1 - 1/2 t^2 + 1/24 t^4 + O(t^6)", tostring(sarrus.cos(series.variable(5))))
    assert.are.equal("-1 - t + O(t^2)", tostring(series { -1, -1 }))
    assert.are.equal("O(t^2)", tostring(series { 0, 0 }))
    assert.are.equal("5/2 + O(t)", tostring(series { 2.5 }))
    assert.are.equal("2.718281828459045 t + 1e-20 t^2 + O(t^3)",
      tostring(series { 0, 2.718281828459045, 1e-20 }))
  end)

  it("is evaluated by calling it", function()
    local s = series { 1, 2, 3 }
    assert.are.equal(2.75, s(0.5))
    assert.is_true(math.abs(sarrus.exp(series.variable(20))(0.1) - math.exp(0.1)) < 1e-15)
  end)

  it("equals another with the same order and coefficients", function()
    assert.is_true(series { 1, 2 } == series { 1, 2 })
    assert.is_false(series { 1, 2 } == series { 1, 3 })
    assert.is_false(series { 1, 2 } == series { 1, 2, 0 })
  end)

  it("does not change", function()
    local s = series { 1 }
    assert.are.equal("a series cannot be changed", message_of(function()
      s[0] = 2
    end))
  end)

  it("is not confused by a forged metatable", function()
    local forged = io.tmpfile and io.tmpfile() or io.stdout
    local own = debug.getmetatable(forged)
    debug.setmetatable(forged, series.metatable)
    local fine = not series.is(forged) and not pcall(function() return forged[0] end)
    debug.setmetatable(forged, own)
    assert.is_true(fine)
  end)
end)

describe("operators", function()
  local a, b = series { 1, 2, 3 }, series { 4, -5 }

  it("truncate to the lower order", function()
    assert_near({ 5, -3 }, a + b)
    assert_near({ -3, 7 }, a - b)
    assert_near({ 4, 3 }, a * b)
    assert_near({ 1 / 4, 13 / 16 }, a / b)
  end)

  it("take numbers on either side", function()
    assert_near({ 3, 2, 3 }, a + 2)
    assert_near({ 3, 2, 3 }, 2 + a)
    assert_near({ -1, 2, 3 }, a - 2)
    assert_near({ 1, -2, -3 }, 2 - a)
    assert_near({ 2, 4, 6 }, 2 * a)
    assert_near({ 2, 4, 6 }, a * 2)
    assert_near({ 0.5, 1, 1.5 }, a / 2)
    assert_near({ 1, -2, 1 }, 1 / a)
    assert_near({ -1, -2, -3 }, -a)
  end)

  it("raise to powers", function()
    assert_near({ 1, 4, 10 }, a ^ 2)
    assert_near({ 1, 0, 0 }, a ^ 0)
    assert_near({ 1, -2, 1 }, a ^ -1)
    assert_near({ 1, -4, 6 }, a ^ -2)
    assert_near({ 1, 1, 1 }, a ^ 0.5)
    assert_near({ 0, 0, 0, 1, 0 }, series.variable(4) ^ 3)
    assert_near({ 2, 2 * math.log(2), math.log(2) ^ 2 }, 2 ^ (1 + series.variable(2)), 1e-15)
    assert_near({ 1, 0, 1 }, (1 + series.variable(2)) ^ series.variable(2), 1e-15)
  end)

  it("keep negative zero away", function()
    assert.are.equal(huge, 1 / (-series { 0 })[0])
  end)

  it("multiply exactly at order 1000", function()
    local ones, rising = {}, {}
    for k = 1, 1001 do
      ones[k], rising[k] = 1, k
    end
    local product = series(ones) * series(rising)
    assert.are.equal(1000, product.order)
    for k = 0, 1000 do
      assert.are.equal((k + 1) * (k + 2) / 2, product[k])
    end
  end)
end)

describe("functions of series", function()
  local u = series { 0.4, 0.5, -0.25, 0.125, 0.3, -0.1 }
  local one = { 1, 0, 0, 0, 0, 0 }

  local function coefficients(s)
    local list = {}
    for k = 0, s.order do
      list[k + 1] = s[k]
    end
    return list
  end

  it("fulfil identities", function()
    assert_near(one, sarrus.sin(u) ^ 2 + sarrus.cos(u) ^ 2, 1e-15)
    assert_near(one, sarrus.cosh(u) ^ 2 - sarrus.sinh(u) ^ 2, 1e-15)
    assert_near(coefficients(sarrus.tan(u)), sarrus.sin(u) / sarrus.cos(u), 1e-15)
    assert_near(coefficients(sarrus.tanh(u)), sarrus.sinh(u) / sarrus.cosh(u), 1e-15)
    assert_near(coefficients(u), sarrus.sqrt(u) ^ 2, 1e-15)
    assert_near(coefficients(u), sarrus.exp(sarrus.log(u)), 1e-15)
    assert_near(coefficients(u), sarrus.sin(sarrus.asin(u)), 1e-15)
    assert_near(coefficients(u), sarrus.cos(sarrus.acos(u)), 1e-15)
    assert_near(coefficients(u), sarrus.tan(sarrus.atan(u)), 1e-15)
    assert_near(coefficients(u), sarrus.atan(sarrus.sin(u), sarrus.cos(u)), 1e-15)
    assert_near(coefficients(sarrus.atan(u)), sarrus.atan(u, 1), 1e-15)
  end)

  it("choose the branch by the first coefficient that is not zero", function()
    local falls, zero = series { 0, 0, -2 }, series { 0, 0, 0 }
    assert_near({ 0, 0, 2 }, sarrus.abs(falls))
    assert_near({ -1, 0, 0 }, sarrus.sign(falls))
    assert_near({ 0, 0, 0 }, sarrus.sign(zero))
    assert_near({ 0, 0, -2 }, sarrus.min(falls, 0))
    assert_near({ 0, 0, 0 }, sarrus.max(falls, zero))
    assert_near({ 2, 0, 0 }, sarrus.select(falls, 1, 2))
    assert_near({ 1, 0, 0 }, sarrus.select(zero, 1, 2))
    assert_near({ 0, 0, -2 }, sarrus.select(-1, 3, falls))
  end)
end)

describe("calculus", function()
  it("differentiates and integrates", function()
    local s = series { 7, 1, 2, 3 }
    assert_near({ 1, 4, 9 }, s:derivative())
    assert_near({ 0, 1, 2, 3 }, s:derivative():integral())
    assert.is_true(s:derivative():integral(7) == s)
    assert_near({ 0, 2 }, series { 2 }:integral())
  end)

  it("composes", function()
    local s, u = series { 1, 2, 3, 4 }, series { 0, 1, 1, 0 }
    assert_near({ 1, 2, 5, 10 }, s:compose(u))
    assert.is_true(s(u) == s:compose(u))
    assert_near({ 49, 62, 27, 4 }, s:compose(series { 2, 1, 0, 0 }))
    assert_near({ 1, 2 }, s:compose(series.variable(1)))
  end)

  it("finds Padé approximants", function()
    local r = assert(sarrus.exp(t8):pade(2, 2))
    assert.are.equal("(1 + 1/2 t + 1/12 t^2)/(1 - 1/2 t + 1/12 t^2)", tostring(r))
    assert.are.equal(2, r.numerator.order)
    assert.are.equal(1, r.denominator[0])
    assert.is_true(math.abs(r(1) - 19 / 7) < 1e-15) -- LAPACKs differ in their last bits
    assert_near({ 2, 0, 0 }, assert((2 / (1 - t8 / 3)):pade(2, 3)).numerator, 1e-15)
  end)

  it("returns why there is no Padé approximant", function()
    local r, message, code = sarrus.cos(t8):pade(1, 1)
    assert.is_nil(r)
    assert.are.equal("SINGULAR", code)
    assert.is_truthy(message:find("pade(1, 1)", 1, true))
  end)
end)

describe("misuse of series", function()
  local zero, s = series { 0, 1 }, series { 1, 1 }

  local function same(expected, f, ...)
    assert.are.equal(expected, message_of(f, ...))
  end

  it("is told for coefficients", function()
    same("series: want one coefficient or more", function() series {} end)
    same("series: [2]: nan is not finite", function() series { 1, 0 / 0 * huge } end)
    same("series: [1]: inf is not finite", function() series { huge } end)
    same('series: [1]: got string "2", want number', function() series { "2" } end)
    same("series: [2] is missing", function() series { 1, nil, 3 } end)
    same("series: got number 3, want a list of coefficients", function() series(3) end)
    same('series: coefficients: unexpected key "order" in a list', function()
      series { 1, order = 3 }
    end)
    local long = {}
    for i = 1, series.max_order + 2 do
      long[i] = 0
    end
    same("series: order 10001 is above the limit of 10000", function() series(long) end)
    same("series: order 999999999 is above the limit of 10000", function() series { [1e9] = 1 } end)
  end)

  it("is told for orders", function()
    for _, order in ipairs { -1, 2.5, 10001, huge } do
      local text = message_of(function() series.variable(order) end)
      assert.is_truthy(text:find("is not a whole number from 0 to 10000", 1, true), text)
    end
    same('series.variable: order: got string "3", want a whole number from 0 to 10000', function()
      series.variable("3")
    end)
    same("series:derivative: a series of order 0 does not know its slope", function()
      series { 1 }:derivative()
    end)
    same("series:integral: order 10000 is the limit", function()
      series.variable(10000):integral()
    end)
    same("series:pade(1, 1): needs order 2, the series has 1", function() s:pade(1, 1) end)
  end)

  it("is told for domains", function()
    same("division by a series: the constant term is 0, it must not be", function()
      return s / zero
    end)
    same("division by a series: the operand is 0, it must not be", function() return s / 0 end)
    same("sarrus.log: the constant term is -1, it must be positive", function()
      sarrus.log(-s)
    end)
    same("sarrus.sqrt: the constant term is 0, it must be positive, or the whole series zero",
      function() sarrus.sqrt(zero) end)
    same("sarrus.asin: the constant term is 1, it must lie between -1 and 1", function()
      sarrus.asin(s)
    end)
    same("negative power of a series: the constant term is 0, it must not be", function()
      return zero ^ -2
    end)
    same("power of a series: the constant term is 0, it must be positive for a fractional exponent",
      function() return zero ^ 0.5 end)
    same("sarrus.atan of two series: the constant term is 0, it must not be for both", function()
      sarrus.atan(zero, zero)
    end)
    same("series as exponent: the base is -2, it must be positive", function()
      return (-2) ^ s
    end)
    same("exp of series: a coefficient is not finite", function() sarrus.exp(1000 * s) end)
    assert_near({ 0, 0 }, sarrus.sqrt(series { 0, 0 }))
  end)

  it("is told for operands", function()
    same("operator +: a series goes with numbers and series, got an expression", function()
      return s + sarrus.time
    end)
    same('operator *: a series goes with numbers and series, got "2"', function()
      return s * "2"
    end)
    same("operator -: nan is not finite", function() return s - 0 / 0 * huge end)
    same("series: the argument is a table, want a finite number or a series", function() s({}) end)
    same("series: the value at 1e+300 is not finite", function() series { 1, 1, 1 } (1e300) end)
    same("series:compose: got nil, want a series", function() s:compose() end)
    same("series:derivative: called on nil; use s:derivative() on a series s", function()
      s.derivative()
    end)
  end)
end)
