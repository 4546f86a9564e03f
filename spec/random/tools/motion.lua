--- Motions that are known: sums of a parabola and a sine, as expressions of the time and as
--- numbers.
local sarrus = require "sarrus"

local motion = {}

--- A motion: `at(t, d)` its d-th derivative as a number, `of(d)` as an expression.
function motion.draw(draw)
  local c0, c1, c2 = draw:between(-1, 1), draw:between(-1, 1), draw:between(-1, 1)
  local a, w, p = draw:between(-1, 1), draw:between(0.5, 2), draw:between(0, 6)
  local function value(t, d, sin)
    local polynomial = d == 0 and c0 + c1 * t + c2 * t * t or d == 1 and c1 + 2 * c2 * t or 2 * c2
    return polynomial + a * w ^ d * sin(w * t + p + d * math.pi / 2)
  end
  return {
    at = function(t, d) return value(t, d or 0, math.sin) end,
    of = function(d) return value(sarrus.time, d or 0, sarrus.sin) end,
  }
end

function motion.list(draw, n)
  local list = {}
  for i = 1, n do
    list[i] = motion.draw(draw)
  end
  return list
end

--- All at a time.
function motion.at(list, t, d)
  local values = {}
  for i, one in ipairs(list) do
    values[i] = one.at(t, d)
  end
  return values
end

function motion.of(list, d)
  local values = {}
  for i, one in ipairs(list) do
    values[i] = one.of(d)
  end
  return values
end

--- The largest |a_i - b_i| relative to the largest b, at least 1.
function motion.error(a, b)
  local off, size = 0, 1
  for i = 1, #b do
    off, size = math.max(off, math.abs(a[i] - b[i])), math.max(size, math.abs(b[i]))
  end
  return off / size
end

--- sum_j m_ij x_j
function motion.times(matrix, x)
  local result = {}
  for i, row in ipairs(matrix) do
    result[i] = 0
    for j = 1, #x do
      result[i] = result[i] + row[j] * x[j]
    end
  end
  return result
end

return motion
