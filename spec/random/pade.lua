--- Padé approximants: a random rational function is found again from its Taylor series.
local sarrus = require "sarrus"

local class = { cases = 400, bound = 1e-12 }

local function polynomial(coefficients, x)
  local value = 0
  for k = #coefficients, 1, -1 do
    value = value * x + coefficients[k]
  end
  return value
end

--- p/q as a series: q_0 = 1, c_k = p_k - sum_{j>0} q_j c_{k-j}
local function expand(p, q, order)
  local c = {}
  for k = 0, order do
    c[k + 1] = p[k + 1] or 0
    for j = 1, math.min(k, #q - 1) do
      c[k + 1] = c[k + 1] - q[j + 1] * c[k - j + 1]
    end
  end
  return c
end

function class.case(draw)
  local m, n = draw:whole(0, 4), draw:whole(0, 4)
  local p, q = draw:list(m + 1, -2, 2), draw:list(n + 1, -0.5, 0.5)
  q[1] = 1
  local found = sarrus.series(expand(p, q, m + n)):pade(m, n)
  if not found then
    return 0 -- numerator and denominator have a factor in common, almost
  end
  local worst = 0
  for _ = 1, 4 do
    local x = draw:between(-0.5, 0.5)
    local exact = polynomial(p, x) / polynomial(q, x)
    worst = math.max(worst, math.abs(found(x) - exact) / math.max(math.abs(exact), 1))
  end
  return worst
end

return class
