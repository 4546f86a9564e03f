--- Modes and eigenvalues of what has a closed form: chains of springs, hanging chains, beams of
--- rods and springs, parallelograms, damped oscillators, tops that spin upright.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local class = { cases = 40, bound = 1e-10 }

local PI = math.pi

--- How far frequencies are from wanted ones in rad/s, ascending, relative.
local function compare(modes, wanted)
  table.sort(wanted)
  assert(#modes == #wanted, ("%d modes, want %d"):format(#modes, #wanted))
  local worst = 0
  for i, mode in ipairs(modes) do
    worst = math.max(worst, math.abs(2 * PI * mode.frequency / wanted[i] - 1),
      math.abs(mode.damping))
  end
  return worst
end

local kinds = {}

--- n masses between springs, the ends held: 2 sqrt(k / m) sin(i pi / (2 n + 2)).
function kinds.springs(draw)
  local n, k, m = draw:whole(1, 8), 10 ^ draw:between(-1, 6), 10 ^ draw:between(-2, 2)
  local parts, wanted = { gravity = { draw:between(-5, 5), -9.81 } }, {}
  for i = 1, n do
    parts[#parts + 1] = body.box { "m" .. i, position = { i, 0 }, size = { 0.2, 0.2 }, mass = m }
    parts[#parts + 1] = joint.prismatic { "p" .. i, "ground", "m" .. i, at = { i, 0 },
      axis = { 1, 0 } }
    wanted[i] = 2 * math.sqrt(k / m) * math.sin(i * PI / (2 * n + 2))
  end
  for i = 0, n do
    parts[#parts + 1] = force.spring { "s" .. i, i == 0 and "ground" or "m" .. i,
      i == n and "ground" or "m" .. i + 1, from = { i, 0 }, to = { i + 1, 0 }, stiffness = k,
      length = 0 }
  end
  return compare(assert(sarrus.model(parts):modes()), wanted)
end

--- The zeros of the polynomial of Laguerre of degree n, between which signs change.
local function laguerre_zeros(n)
  local function value(x)
    local before, now = 0, 1
    for k = 1, n do
      before, now = now, ((2 * k - 1 - x) * now - (k - 1) * before) / k
    end
    return now
  end
  local zeros, last = {}, 0
  while #zeros < n do
    local x = last + 0.004
    if (value(last) < 0) ~= (value(x) < 0) then
      local low, high = last, x
      for _ = 1, 60 do
        local middle = (low + high) / 2
        if (value(middle) < 0) == (value(low) < 0) then
          low = middle
        else
          high = middle
        end
      end
      zeros[#zeros + 1] = low
    end
    last = x
  end
  return zeros
end

--- n equal masses on strings, one below the other: g / l times the zeros of Laguerre's polynomial.
function kinds.hanging(draw)
  local n, l, g = draw:whole(1, 6), draw:between(0.1, 3), draw:between(1, 20)
  local spatial = draw:chance(0.3)
  local function place(y)
    return spatial and { 0, y, 0 } or { 0, y }
  end
  local parts, wanted = { gravity = place(-g) }, {}
  for i = 1, n do
    parts[#parts + 1] = body.point { "m" .. i, position = place(-i * l), mass = 0.7 }
    parts[#parts + 1] = joint.distance { "d" .. i, i == 1 and "ground" or "m" .. i - 1, "m" .. i,
      from = place(-(i - 1) * l), to = place(-i * l) }
  end
  for _, x in ipairs(laguerre_zeros(n)) do
    wanted[#wanted + 1] = math.sqrt(x * g / l)
    wanted[#wanted + 1] = spatial and math.sqrt(x * g / l) or nil
  end
  return compare(assert(sarrus.model(parts):modes()), wanted)
end

--- n rods with springs between them, the ends held at their height: with c = cos(i pi / n),
--- omega^2 = k (2 - 2 c)^2 / l^2 * 3 / (m (2 + c)).
function kinds.beam(draw)
  local n, l, k, m = draw:whole(2, 10), draw:between(0.2, 2), 10 ^ draw:between(0, 5),
    draw:between(0.1, 10)
  local parts, wanted = {}, {}
  for i = 1, n do
    parts[#parts + 1] = body.rod { "r" .. i, from = { (i - 1) * l, 0 }, to = { i * l, 0 },
      mass = m }
    parts[#parts + 1] = joint.revolute { "j" .. i, i == 1 and "ground" or "r" .. i - 1, "r" .. i,
      at = { (i - 1) * l, 0 }, stiffness = i > 1 and k or nil }
    local c = math.cos(i * PI / n)
    wanted[i] = i < n and math.sqrt(3 * k / m / (2 + c)) * (2 - 2 * c) / l or nil
  end
  parts[#parts + 1] = joint.slot { "end", "ground", "r" .. n, at = { n * l, 0 }, axis = { 1, 0 } }
  return compare(assert(sarrus.model(parts):modes()), wanted)
end

--- Two cranks of length l and mass m, a coupler of mass c between them:
--- omega^2 = g (m + c) / (l (2 m / 3 + c)).
function kinds.parallelogram(draw)
  local l, w, m, c = draw:between(0.3, 2), draw:between(0.3, 2), draw:between(0.1, 5),
    draw:between(0.1, 5)
  local a = draw:between(-0.9, 0.9) -- drawn aside, so that it has to sink first
  local x, y = l * math.sin(a), -l * math.cos(a)
  local model = sarrus.model {
    gravity = { 0, -9.81 },
    body.rod { "left", from = { 0, 0 }, to = { x, y }, mass = m },
    body.rod { "right", from = { w, 0 }, to = { w + x, y }, mass = m },
    body.rod { "coupler", from = { x, y }, to = { w + x, y }, mass = c },
    joint.revolute { "A", "ground", "left", at = { 0, 0 } },
    joint.revolute { "B", "ground", "right", at = { w, 0 } },
    joint.revolute { "C", "left", "coupler", at = { x, y } },
    joint.revolute { "D", "right", "coupler", at = { w + x, y } },
  }
  return compare(assert(model:modes()), { math.sqrt(9.81 * (m + c) / (l * (2 * m / 3 + c))) })
end

--- m x'' + d x' + k x = 0, from weakly to strongly damped.
function kinds.damped(draw)
  local m, k, ratio = draw:between(0.1, 10), 10 ^ draw:between(0, 5), 10 ^ draw:between(-3, 1)
  local d = 2 * ratio * math.sqrt(k * m)
  local model = sarrus.model {
    gravity = { 0, -9.81 },
    body.box { "m", position = { 0, 0 }, size = { 1, 1 }, mass = m },
    joint.prismatic { "p", "ground", "m", at = { 0, 0 }, axis = { 0, 1 }, stiffness = k,
      damping = d },
  }
  local modes = assert(model:modes())
  if ratio < 1 then
    return math.max(math.abs(2 * PI * modes[1].frequency / math.sqrt(k / m) - 1),
      math.abs(modes[1].damping / ratio - 1))
  end
  local slow = -k / (d / 2 + math.sqrt(d * d / 4 - k * m))
  return math.max(math.abs(modes[1].eigenvalue.re / slow - 1),
    math.abs(modes[2].eigenvalue.re * m * slow / k - 1), math.abs(modes[1].damping - 1))
end

--- A top that spins upright at w: A th'' - i C w th' - m g l th = 0, th = x + i y.
function kinds.top(draw)
  local m, l, along, across = draw:between(0.2, 2), draw:between(0.05, 0.5),
    draw:between(0.005, 0.01), draw:between(0.006, 0.02)
  local w, about = draw:signed(5, 200), across + m * l * l
  local model = sarrus.model {
    gravity = { 0, 0, -9.81 },
    body.rigid { "top", mass = m, position = { 0, 0, l }, inertia = { across, across, along } },
    joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
  }
  local linear = assert(model:linearise { at = { bodies = { top = { spin = { 0, 0, w } } } } })
  assert(linear.steady and #linear.states == 6)
  local b, inside = along * w / (2 * about), (along * w / (2 * about)) ^ 2 - m * 9.81 * l / about
  local im = { b, b }
  local re = inside < 0 and math.sqrt(-inside) or 0
  if inside > 0 then
    im = { b + math.sqrt(inside), b - math.sqrt(inside) }
  end
  local size, worst = math.sqrt(re ^ 2 + b * b), 0
  for _, one in ipairs(im) do
    local nearest = math.huge
    for _, value in ipairs(linear.eigenvalues) do
      nearest = math.min(nearest, math.sqrt((value.re - re) ^ 2 + (value.im - one) ^ 2))
    end
    worst = math.max(worst, nearest / size)
  end
  local near = math.abs(inside) / (b * b) -- two that coincide are known to half of the digits
  return near < 1e-3 and 0 or worst
end

local names = { "springs", "hanging", "beam", "parallelogram", "damped", "top" }

function class.case(draw)
  return kinds[draw:pick(names)](draw)
end

return class
