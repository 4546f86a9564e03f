--- Truncated power series c0 + c1 t + c2 t^2 + ... + O(t^(order + 1)).
---
--- A series never changes.  Operands of different order truncate to the lower; a number goes with
--- any order.  Orders reach up to `sarrus.series.max_order`.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local functions = require "sarrus.expr.functions"

local kernel = core.series
local is_series = kernel.is
local raise, show = errors.raise, errors.show

---@class sarrus.Series
---@field order integer the highest power it knows
---@field [integer] number coefficient of t^k; nil outside 0..order
---@operator add(sarrus.Series|number): sarrus.Series
---@operator sub(sarrus.Series|number): sarrus.Series
---@operator mul(sarrus.Series|number): sarrus.Series
---@operator div(sarrus.Series|number): sarrus.Series
---@operator pow(sarrus.Series|number): sarrus.Series
---@operator unm: sarrus.Series
---@overload fun(t: number): number
---@overload fun(u: sarrus.Series): sarrus.Series
local methods = kernel.methods

---@class sarrus.series
---@field max_order integer the highest order a series may have
---@field metatable table what all series share
---@overload fun(coefficients: number[]): sarrus.Series
local series = { max_order = kernel.max_order, metatable = kernel.metatable }

local function is_finite(x)
  return type(x) == "number" and x - x == 0
end

--- Raise unless x is a finite number or a series.
local function check_operand(x, what)
  if is_series(x) or is_finite(x) then
    return
  elseif type(x) == "number" then
    raise(("%s: %s is not finite"):format(what, show(x)))
  end
  raise(("%s: a series goes with numbers and series, got %s"):format(what, show(x)))
end

local function check_self(s, name)
  if not is_series(s) then
    raise(("series:%s: called on %s; use s:%s() on a series s"):format(name, show(s), name))
  end
end

--- A whole number from low to high, named in the message.
local function check_integer(x, what, low, high)
  fields.integer(low, high)(x, what, raise)
end

--
-- Functions and operators
--

-- What constant terms an operation accepts, and how to say it.
local domains = {
  div = { function(_, b) return b ~= 0 end, "division by a series", 2, "must not be" },
  sqrt = { function(a) return a > 0 end, "sarrus.sqrt", 1,
    "must be positive, or the whole series zero" },
  atan2 = { function(a, b) return a ~= 0 or b ~= 0 end, "sarrus.atan of two series", 1,
    "must not be for both" },
  root = { function(a) return a > 0 end, "power of a series", 1,
    "must be positive for a fractional exponent" },
  inverse = { function(a) return a ~= 0 end, "negative power of a series", 1, "must not be" },
}

--- In words, that x is in an open interval.
local function say_interval(low, high)
  if high < math.huge then
    return low > -math.huge and ("must lie between %s and %s"):format(show(low), show(high))
      or "must be below " .. show(high)
  end
  return low == 0 and "must be positive" or "must be above " .. show(low)
end

for name, interval in pairs(core.smooth) do
  local low, high = interval[1], interval[2]
  local function holds(a)
    return a > low and a < high
  end
  domains[name] = domains[name] or { holds, "sarrus." .. name, 1, say_interval(low, high) }
end

local function constant_term(x)
  return type(x) == "number" and x or x and x[0]
end

--- Say why a function of series has no value.
local function refuse(name, ...)
  local domain = domains[name]
  if domain and not domain[1](constant_term((...)), constant_term((select(2, ...)))) then
    local culprit = select(domain[3], ...)
    if type(culprit) == "number" then
      raise(("%s: the operand is %s, it %s"):format(domain[2], show(culprit), domain[4]))
    end
    raise(("%s: the constant term is %s, it %s"):format(domain[2], show(culprit[0]), domain[4]))
  end
  raise(("%s of series: a coefficient is not finite"):format(name))
end

--- What a kernel gave, or the reason why it could not.
local function or_refuse(result, name, ...)
  if result == nil then
    refuse(name, ...)
  end
  return result
end

local function power_kind(exponent)
  if exponent ~= math.floor(exponent) then
    return "root"
  end
  return exponent < 0 and "inverse" or "pow"
end

--- a ^ b; for a series in the exponent exp(b log a).
local function power(a, b)
  if type(b) == "number" then
    return or_refuse(kernel.power(a, b), power_kind(b), a)
  end
  if type(a) == "number" then
    if a <= 0 then
      raise(("series as exponent: the base is %s, it must be positive"):format(show(a)))
    end
    return series.apply("exp", b * core.functions.log(a))
  end
  return series.apply("exp", b * series.apply("log", a))
end

local arity = core.arity

--- A function of section "Expressions" by name, at least one operand being a series.
---@param name string
---@param a sarrus.Series|number
---@param b? sarrus.Series|number
---@param c? sarrus.Series|number
---@return sarrus.Series
function series.apply(name, a, b, c)
  if arity[name] == 1 then
    check_operand(a, name)
    return or_refuse(kernel.apply(name, a), name, a)
  end
  check_operand(a, name)
  check_operand(b, name)
  if name == "pow" then
    return power(a, b)
  elseif arity[name] == 2 then
    return or_refuse(kernel.apply(name, a, b), name, a, b)
  end
  check_operand(c, name)
  return or_refuse(kernel.apply(name, a, b, c), name, a, b, c)
end

--- Whether x is a series.
---@param x any
---@return boolean
series.is = is_series

local meta = kernel.metatable

local RANK = 1

--- An operator; a right operand of a higher class, a series of series, computes.
local function operator(name, symbol, compute)
  local what = "operator " .. symbol
  return function(a, b)
    local higher = type(b) == "table" and functions.above(RANK, b)
    if higher then
      return higher(name, a, b)
    end
    check_operand(a, what)
    check_operand(b, what)
    return compute(a, b)
  end
end

local function by_kernel(name)
  return function(a, b)
    return or_refuse(kernel.apply(name, a, b), name, a, b)
  end
end

meta.__add = operator("add", "+", by_kernel("add"))
meta.__sub = operator("sub", "-", by_kernel("sub"))
meta.__mul = operator("mul", "*", by_kernel("mul"))
meta.__div = operator("div", "/", by_kernel("div"))
meta.__pow = operator("pow", "^", power)

function meta.__unm(a)
  return kernel.apply("neg", a)
end

function meta.__newindex()
  raise("a series cannot be changed")
end

function meta.__call(s, t)
  if is_series(t) then
    return s:compose(t)
  elseif not is_finite(t) then
    raise(("series: the argument is %s, want a finite number or a series"):format(show(t)))
  end
  local value = kernel.eval(s, t)
  if not is_finite(value) then
    raise(("series: the value at %s is not finite"):format(show(t)))
  end
  return value
end

functions.join(meta, RANK, series.apply)

--
-- Constructors
--

--- Coefficients from order 0 on.
setmetatable(series, {
  __call = function(_, list)
    if type(list) ~= "table" then
      raise(("series: %s, want a list of coefficients"):format(errors.got(list)))
    end
    local fault, faults = fields.faults("series", errors.where())
    local count = fields.length(list, "coefficients", fault)
    if count == 0 then
      fault("want one coefficient or more")
    elseif count and count > series.max_order + 1 then
      fault(("order %s is above the limit of %d"):format(show(count - 1), series.max_order))
    elseif count then
      fields.list(fields.number, count)(list, "", fault)
    end
    fields.raise(faults)
    return kernel.new(list, count)
  end,
})

--- The series t.
---@param order integer
---@return sarrus.Series
function series.variable(order)
  check_integer(order, "series.variable: order", 0, series.max_order)
  return kernel.variable(order)
end

--
-- Methods
--

--- The derivative, one order lower.
---@return sarrus.Series
function methods:derivative()
  check_self(self, "derivative")
  if self.order == 0 then
    raise("series:derivative: a series of order 0 does not know its slope")
  end
  return or_refuse(kernel.derivative(self), "derivative")
end

--- The integral from 0, one order higher.
---@param constant? number the value at t = 0, default 0
---@return sarrus.Series
function methods:integral(constant)
  check_self(self, "integral")
  if constant ~= nil and not is_finite(constant) then
    raise(("series:integral: the constant is %s, want a finite number"):format(show(constant)))
  elseif self.order == series.max_order then
    raise(("series:integral: order %d is the limit"):format(series.max_order))
  end
  return kernel.integral(self, constant)
end

--- This series at another one: sum of c_k u^k.  Exact to the order where u starts with t; otherwise
--- the terms beyond the order of this series are missing.
---@param u sarrus.Series
---@return sarrus.Series
function methods:compose(u)
  check_self(self, "compose")
  if not is_series(u) then
    raise(("series:compose: %s, want a series"):format(errors.got(u)))
  end
  return or_refuse(kernel.compose(self, u), "compose")
end

--- A quotient of polynomials: call it for its value.
---@class sarrus.Rational
---@field numerator sarrus.Series
---@field denominator sarrus.Series with constant term 1
---@overload fun(t: number): number
local Rational = { __name = "sarrus.rational" }
Rational.__index = Rational

function Rational:__call(t)
  return self.numerator(t) / self.denominator(t)
end

function Rational:__tostring()
  return ("(%s)/(%s)"):format(
    kernel.polynomial_text(self.numerator), kernel.polynomial_text(self.denominator))
end

--- The Padé approximant of degrees m and n, which agrees with the series to t^(m + n).  Where the
--- quotient has a common factor, the lower degrees are found and the other coefficients are zero.
---@param m integer degree of the numerator
---@param n integer degree of the denominator
---@return sarrus.Rational? approximant
---@return string? message why there is none
---@return string? code
function methods:pade(m, n)
  check_self(self, "pade")
  local order = self.order
  check_integer(m, "series:pade: degree of the numerator", 0, order)
  check_integer(n, "series:pade: degree of the denominator", 0, math.min(order, kernel.max_pade))
  if m + n > order then
    raise(("series:pade(%d, %d): needs order %d, the series has %d"):format(m, n, m + n, order))
  end
  local numerator, denominator, code = kernel.pade(self, m, n) -- or nil, sentence, code
  if not numerator then
    local message = "series:pade(%d, %d): there is no such approximant; try other degrees"
    return nil, message:format(m, n), code
  end
  return setmetatable({ numerator = numerator, denominator = denominator }, Rational)
end

return series
