--- Series in a parameter L whose coefficients are numbers or series in t: what Adomian polynomials
--- of series are the coefficients of.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local functions = require "sarrus.expr.functions"

local f = functions.public

local nested = {}

---@class sarrus.Nested: { [integer]: sarrus.Series|number, order: integer }
local Nested = { __name = "sarrus.series" }

--- A nested series; coefficients from index 0.
function nested.new(coefficients, order)
  local s = { order = order }
  for k = 0, order do
    s[k] = coefficients[k]
  end
  return setmetatable(s, Nested)
end

function nested.is(x)
  return getmetatable(x) == Nested
end

--- The operands as nested series of one order; a number or a series is a constant.
local function lift(a, b)
  local order = nested.is(a) and a.order or b.order
  if nested.is(b) then
    order = math.min(order, b.order)
  end
  local function full(x)
    if nested.is(x) then
      return x
    end
    local s = { [0] = x, order = order }
    for k = 1, order do
      s[k] = 0
    end
    return setmetatable(s, Nested)
  end
  return full(a), full(b), order
end

--- sum_{i=first..last} a_i b_{n-i}; exact zeros are skipped.
local function convolve(a, b, n, first, last)
  local sum = 0
  for i = first, last do
    if a[i] ~= 0 and b[n - i] ~= 0 then
      sum = sum + a[i] * b[n - i]
    end
  end
  return sum
end

local function by_coefficient(operation)
  return function(a, b)
    local x, y, order = lift(a, b)
    local s = setmetatable({ order = order }, Nested)
    for k = 0, order do
      s[k] = operation(x, y, k, s)
    end
    return s
  end
end

Nested.__add = by_coefficient(function(a, b, k)
  return a[k] + b[k]
end)

Nested.__sub = by_coefficient(function(a, b, k)
  return a[k] - b[k]
end)

Nested.__mul = by_coefficient(function(a, b, k)
  return convolve(a, b, k, 0, k)
end)

--- q_k = (a_k - sum_{i<k} q_i b_{k-i}) / b_0
Nested.__div = by_coefficient(function(a, b, k, q)
  local rest = a[k] - convolve(q, b, k, 0, k - 1)
  if b[0] == 0 then
    errors.raise("division by zero")
  end
  return rest == 0 and 0 or rest / b[0]
end)

function Nested.__unm(a)
  return 0 - a
end

--- Powers by squaring, which hold where u_0 vanishes.
local function integer_power(u, exponent)
  local result
  while exponent > 0 do
    if exponent % 2 == 1 then
      result = result and result * u or u
    end
    exponent = math.floor(exponent / 2)
    u = exponent > 0 and u * u or u
  end
  return result
end

--- u_0 n v_n = sum_{j=1..n} (r j - (n - j)) u_j v_{n-j}
local function real_power(u, r)
  local v = setmetatable({ [0] = u[0] ^ r, order = u.order }, Nested)
  for n = 1, u.order do
    local sum = 0
    for j = 1, n do
      sum = sum + u[j] * v[n - j] * (r * j - (n - j))
    end
    v[n] = sum / (u[0] * n)
  end
  return v
end

function Nested.__pow(a, b)
  if type(b) ~= "number" then
    return f.exp(b * f.log(a))
  elseif b ~= math.floor(b) then
    return real_power(a, b)
  elseif b == 0 then
    return a * 0 + 1
  end
  return b > 0 and integer_power(a, b) or 1 / integer_power(a, -b)
end

--- The sign of a number or a series, near t = 0.
local function coefficient_sign(x)
  local s = f.sign(x)
  return type(s) == "number" and s or s[0]
end

--- The sign of a nested series near L = 0, t = 0: of the first coefficient that has one.
local function sign_of(u)
  for k = 0, u.order do
    local s = coefficient_sign(u[k])
    if s ~= 0 then
      return s
    end
  end
  return 0
end

local apply = {
  add = Nested.__add, sub = Nested.__sub, mul = Nested.__mul, div = Nested.__div,
  pow = Nested.__pow,
}

--- A function by the core; where it fails, coefficient 0 often says why.
local function by_core(name)
  return function(a, b)
    local u, v, order
    if b == nil then
      u, order = a, a.order
    else
      u, v, order = lift(a, b)
    end
    local coefficients = core.series.nested(name, order, u, v)
    if not coefficients then
      functions.apply(name, core.arity[name], u[0], v and v[0])
      errors.raise(name .. " of series: a coefficient is not finite")
    end
    return nested.new(coefficients, order)
  end
end

for name in pairs(core.smooth) do
  apply[name] = by_core(name)
end

function apply.abs(u) return sign_of(u) < 0 and -u or u end
function apply.sign(u) return u * 0 + sign_of(u) end
function apply.min(a, b) return sign_of(a - b) <= 0 and a or b end
function apply.max(a, b) return sign_of(a - b) >= 0 and a or b end

function apply.select(x, a, b)
  return (nested.is(x) and sign_of(x) or coefficient_sign(x)) >= 0 and a or b
end

functions.join(Nested, 2, function(name, ...)
  return apply[name](...)
end)

return nested
