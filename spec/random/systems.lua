--- Systems with a motion that is known: chosen q(t), lambda(t); then
---   f = M a* + G^T lambda* + K (q - q*) + C (v - v*),
---   g = h(q) - h(q*),   w = c(q) . v - c(q*) . v*,
--- with a mass that depends on q and quadratic h.
local sarrus = require "sarrus"
local motion = dofile("spec/random/tools/motion.lua")
local times = motion.times

local class = { cases = 200, bound = 1e-11 }

--- B^T B + I and how it changes with q: symmetric, positive definite.
local function draw_mass(draw, n)
  local b, w = draw:matrix(n, n, 1), draw:list(n, -1, 1)
  return function(q)
    local rows = {}
    for i = 1, n do
      rows[i] = {}
      for j = 1, n do
        local sum = i == j and 1 + 0.3 * sarrus.cos(w[i] * q[i]) or 0
        for k = 1, n do
          sum = sum + b[k][i] * b[k][j]
        end
        rows[i][j] = sum
      end
    end
    return rows
  end
end

--- h(q) = q . S q / 2 + b . q with its gradient.
local function draw_constraint(draw, n, number)
  local s, b = draw:matrix(n, n, 0.1), draw:list(n, -0.3, 0.3)
  b[number] = b[number] + 2 -- rows that do not depend on each other
  for i = 1, n do
    for j = 1, i do
      s[i][j] = s[j][i]
    end
  end
  local function gradient(q)
    local row = times(s, q)
    for i = 1, n do
      row[i] = row[i] + b[i]
    end
    return row
  end
  return gradient, function(q)
    return (times({ gradient(q) }, q)[1] + times({ b }, q)[1]) / 2
  end
end

local function add(sum, x, factor)
  for i = 1, #sum do
    sum[i] = sum[i] + factor * x[i]
  end
end

local function less(a, b)
  local result = {}
  for i = 1, #b do
    result[i] = a[i] - b[i]
  end
  return result
end

local names = { "q1", "q2", "q3", "q4", "q5" }

function class.case(draw)
  local n = draw:whole(1, 5)
  local m = draw:whole(0, n - 1)
  local k = draw:whole(0, math.min(1, n - 1 - m))
  local q, lambda = motion.list(draw, n), motion.list(draw, m + k)
  local mass, K, C = draw_mass(draw, n), draw:matrix(n, n, 0.5), draw:matrix(n, n, 0.5)
  local gradients, values, coordinates = {}, {}, {}
  for i = 1, m + k do
    gradients[i], values[i] = draw_constraint(draw, n, i)
  end
  for i = 1, n do
    coordinates[i] = names[i]
  end
  local system = sarrus.system {
    coordinates = coordinates,
    mass = mass,
    force = function(x, v)
      local f = times(mass(x), motion.of(q, 2))
      for i = 1, m + k do
        add(f, gradients[i](x), lambda[i].of())
      end
      add(f, times(K, less(x, motion.of(q))), 1)
      add(f, times(C, less(v, motion.of(q, 1))), 1)
      return f
    end,
    constraints = function(x)
      local g = {}
      for i = 1, m do
        g[i] = values[i](x) - values[i](motion.of(q))
      end
      return g
    end,
    velocity_constraints = function(x, v)
      local w = {}
      for i = 1, k do
        local row, known = gradients[m + i](x), gradients[m + i](motion.of(q))
        w[i] = times({ row }, v)[1] - times({ known }, motion.of(q, 1))[1]
      end
      return w
    end,
  }
  local sim = assert(system:simulate { q = motion.at(q, 0), v = motion.at(q, 0, 1) })
  local t = draw:between(0.5, 1.5)
  assert(sim:advance(t))
  local s = sim:state()
  return math.max(motion.error(s.q, motion.at(q, t)), motion.error(s.v, motion.at(q, t, 1)),
    motion.error(s.a, motion.at(q, t, 2)), motion.error(s.lambda, motion.at(lambda, t)))
end

return class
