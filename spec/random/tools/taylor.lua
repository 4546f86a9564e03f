--- Truncated power series written for the tests alone: lists from index 0, products term by term,
--- and functions by their Taylor series in what is left of the argument, sum f_k w^k.  Nothing of
--- it is a recurrence that the core uses.

local taylor = {}

--- Highest power that is kept.
taylor.ORDER = 8
local ORDER = taylor.ORDER

function taylor.new(coefficients)
  local s = {}
  for k = 0, ORDER do
    s[k] = coefficients[k] or 0
  end
  return s
end

function taylor.constant(x)
  return taylor.new { [0] = x }
end

function taylor.sum(a, b, factor)
  local s = {}
  for k = 0, ORDER do
    s[k] = a[k] + (factor or 1) * b[k]
  end
  return s
end

function taylor.scale(a, factor)
  return taylor.sum(taylor.constant(0), a, factor)
end

function taylor.product(a, b)
  local s = {}
  for k = 0, ORDER do
    s[k] = 0
    for j = 0, k do
      s[k] = s[k] + a[j] * b[k - j]
    end
  end
  return s
end

--- sum_k f_k (u - u_0)^k
local function composed(u, f)
  local w, power, s = taylor.new(u), taylor.constant(1), taylor.constant(0)
  w[0] = 0
  for k = 0, ORDER do
    s = taylor.sum(s, power, f(k))
    power = taylor.product(power, w)
  end
  return s
end

local function factorial(k)
  return k < 2 and 1 or k * factorial(k - 1)
end

--- binomial(r, k)
local function binomial(r, k)
  local x = 1
  for j = 1, k do
    x = x * (r - j + 1) / j
  end
  return x
end

--- Of negative numbers too, where r is whole.
function taylor.power(u, r)
  return composed(u, function(k) return binomial(r, k) * u[0] ^ (r - k) end)
end

function taylor.exp(u)
  return composed(u, function(k) return math.exp(u[0]) / factorial(k) end)
end

function taylor.log(u)
  return composed(u, function(k)
    return k == 0 and math.log(u[0]) or -(-1 / u[0]) ^ k / k
  end)
end

function taylor.sin(u)
  return composed(u, function(k) return math.sin(u[0] + k * math.pi / 2) / factorial(k) end)
end

function taylor.cos(u)
  return composed(u, function(k) return math.cos(u[0] + k * math.pi / 2) / factorial(k) end)
end

function taylor.sinh(u)
  local plus, minus = taylor.exp(u), taylor.exp(taylor.scale(u, -1))
  return taylor.scale(taylor.sum(plus, minus, -1), 0.5)
end

function taylor.cosh(u)
  local plus, minus = taylor.exp(u), taylor.exp(taylor.scale(u, -1))
  return taylor.scale(taylor.sum(plus, minus), 0.5)
end

function taylor.quotient(a, b)
  return taylor.product(a, taylor.power(b, -1))
end

function taylor.tan(u)
  return taylor.quotient(taylor.sin(u), taylor.cos(u))
end

--- 1 - 2 e / (1 + e) with e = exp(-2 u), for u_0 > 0; it is odd.
function taylor.tanh(u)
  local side = u[0] < 0 and -1 or 1
  local e, one = taylor.exp(taylor.scale(u, -2 * side)), taylor.constant(1)
  return taylor.scale(taylor.sum(one, taylor.quotient(e, taylor.sum(one, e)), -2), side)
end

function taylor.sqrt(u)
  return taylor.power(u, 0.5)
end

--- 1/(1 + x^2) is the imaginary part of 1/(x - i), so
--- atan(x + w) = atan x + sum_k (-1)^(k-1) sin(k phi) / (k r^k) w^k, r and phi of the point (x, 1).
function taylor.atan(u)
  local r, phi = math.sqrt(u[0] ^ 2 + 1), math.pi / 2 - math.atan(u[0])
  return composed(u, function(k)
    return k == 0 and math.atan(u[0]) or -(-1 / r) ^ k * math.sin(k * phi) / k
  end)
end

--- The integral of slope u', with a value at 0.
local function integral(value, slope, u)
  local s = taylor.constant(value)
  for k = 1, ORDER do
    for j = 1, k do
      s[k] = s[k] + j * u[j] * slope[k - j] / k
    end
  end
  return s
end

function taylor.asin(u)
  local square = taylor.sum(taylor.constant(1), taylor.product(u, u), -1)
  return integral(math.asin(u[0]), taylor.power(square, -0.5), u)
end

function taylor.acos(u)
  return taylor.sum(taylor.constant(math.pi / 2), taylor.asin(u), -1)
end

--- The angle of the point (x, y), by the half angle: its tangent is y / (r + x) = (r - x) / y.
function taylor.atan2(y, x)
  local r = taylor.sqrt(taylor.sum(taylor.product(x, x), taylor.product(y, y)))
  local half = x[0] > 0 and taylor.quotient(y, taylor.sum(r, x))
    or taylor.quotient(taylor.sum(r, x, -1), y)
  return taylor.scale(taylor.atan(half), 2)
end

--- max_k |c_k| r^k
function taylor.size(a, r)
  local size, power = 0, 1
  for k = 0, ORDER do
    size, power = math.max(size, math.abs(a[k]) * power), power * r
  end
  return size
end

--- By how much b differs from a, k counting r^k; relative to `scale`, or the size of a.
function taylor.difference(a, b, r, scale)
  local off = taylor.size(taylor.sum(a, b, -1), r)
  return off == 0 and 0 or off / (scale or taylor.size(a, r))
end

return taylor
