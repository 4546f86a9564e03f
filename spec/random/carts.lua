--- Pendulums on carts that are 1e2 to 1e9 times lighter than the bob, for 10 s: right, or a
--- failure.  The answer: momentum along the rail leaves one equation for the angle a of the rod,
--- here from the rail,
---   (cos^2 a + e sin^2 a) a'' = (1 - e) sin a cos a a'^2 - g cos a,   e = m / (m + 1),
--- whose series are summed up in plain Lua.
local sarrus = require "sarrus"

local class = { cases = 25, bound = 1e-6 }

local G, T, ORDER = 9.81, 10, 24

local function product(x, y, k)
  local sum = 0
  for j = 0, k do
    sum = sum + x[j] * y[k - j]
  end
  return sum
end

--- Coefficients of the angle to t^(ORDER + 1).
local function series(e, angle, rate)
  local a, w, b = { [0] = angle, rate }, { [0] = rate }, {}
  local s, c, sc, ww, d = { [0] = math.sin(angle) }, { [0] = math.cos(angle) }, {}, {}, {}
  for k = 0, ORDER - 1 do
    if k > 0 then
      s[k], c[k] = 0, 0
      for j = 1, k do
        s[k], c[k] = s[k] + j * a[j] * c[k - j] / k, c[k] - j * a[j] * s[k - j] / k
      end
    end
    sc[k], ww[k] = product(s, c, k), product(w, w, k)
    d[k] = product(c, c, k) + e * product(s, s, k)
    local right = (1 - e) * product(sc, ww, k) - G * c[k]
    for j = 0, k - 1 do
      right = right - b[j] * d[k - j]
    end
    b[k] = right / d[0]
    w[k + 1] = b[k] / (k + 1)
    a[k + 2] = w[k + 1] / (k + 2)
  end
  return a
end

--- The angle after T.
local function swing(e, angle, rate)
  local t = 0
  while t < T do
    local a, h = series(e, angle, rate), T - t
    for k = ORDER - 4, ORDER + 1 do
      h = math.min(h, (1e-18 / math.max(math.abs(a[k]), 1e-200)) ^ (1 / k))
    end
    local x, v = 0, 0
    for k = ORDER + 1, 1, -1 do
      x, v = x * h + a[k], v * h + k * a[k]
    end
    angle, rate, t = angle + h * x, v, t + h
  end
  return angle
end

function class.case(draw)
  local m = 10 ^ draw:between(-9, -2)
  local angle, rate, speed = draw:between(-3.1, 3.1), draw:between(-3, 3), draw:between(-1, 1)
  local c, s, e = math.cos(angle), math.sin(angle), m / (m + 1)
  local sim = assert(sarrus.model {
    gravity = { 0, -G },
    sarrus.body.box { "cart", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = m,
      velocity = { speed, 0 } },
    sarrus.body.point { "bob", position = { c, s }, mass = 1,
      velocity = { speed - s * rate, c * rate } },
    sarrus.joint.prismatic { "rail", "ground", "cart", at = { 0, 0 }, axis = { 1, 0 } },
    sarrus.joint.distance { "rod", "cart", "bob", from = { 0, 0 }, to = { c, s } },
  }:simulate {})
  local done = sim:advance(T)
  if not done then
    return m > 1e-8 and math.huge or 0
  end
  local after, now = swing(e, angle, rate), sim:state()
  local x = (1 - e) * (c - math.cos(after)) + (speed - (1 - e) * s * rate) * T
  return math.max(math.abs(now:point("cart").x - x),
    math.abs(now:point("bob").x - x - math.cos(after)),
    math.abs(now:point("bob").y - math.sin(after)))
end

return class
