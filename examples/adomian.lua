-- Adomian polynomials of several nonlinearities, and the decomposition method on equations of its
-- literature.  Where a series stops converging, its Padé approximant often goes on.

local sarrus = require "sarrus"
local adomian = sarrus.adomian

local function show(title, N, n)
  print(title)
  local A = adomian.polynomials(N, n)
  for k = 0, A.order do
    print(("  A%d = %s"):format(k, tostring(A[k])))
  end
end

show("N(u), any function", nil, 4)
show("u^2", function(u) return u ^ 2 end, 4)
show("exp(u)", sarrus.exp, 3)
show("sin(u)", sarrus.sin, 3)
show("u v", function(u, v) return u * v end, 2)

local A = adomian.evaluate(sarrus.exp, { 0, 1, 1 / 2, 1 / 3 })
print(("exp, u = (0, 1, 1/2, 1/3): %g, %g, %g, %g"):format(A[0], A[1], A[2], A[3]))

-- The equation, the point where it is compared, the solution there, the degree of the approximant.
local function solve(title, problem, t, exact, degree)
  local u = adomian.solve(problem).sum
  local rational = assert(u:pade(degree, degree))
  print(title)
  print("  u = " .. tostring(u))
  local line = "  at t = %.1f: series %.6f, Padé %.6f, exact %.6f"
  print(line:format(t, u(t), rational(t), exact))
end

solve("u' = 1 - u^2, u(0) = 0: tanh t", {
  nonlinear = function(u) return u ^ 2 end, source = function() return 1 end,
  initial = { 0 }, order = 11,
}, 1.5, sarrus.tanh(1.5), 5)

solve("u' = u^2, u(0) = 1: 1/(1 - t)", {
  nonlinear = function(u) return -u ^ 2 end, initial = { 1 }, order = 6,
}, 1.5, -2, 1)

solve("u' = u (1 - u), u(0) = 1/2", {
  linear = function(u) return -u end, nonlinear = function(u) return u ^ 2 end,
  initial = { 1 / 2 }, order = 9,
}, 3.5, 1 / (1 + math.exp(-3.5)), 4)

solve("u'' = 2 exp u, u(0) = u'(0) = 0: -2 ln cos t", {
  derivative = 2, nonlinear = function(u) return -2 * sarrus.exp(u) end,
  initial = { 0, 0 }, order = 12,
}, 1.4, -2 * math.log(math.cos(1.4)), 6)

solve("u'' + u + u^3 = 0, u(0) = 1, u'(0) = 0", {
  derivative = 2, linear = function(u) return u end, nonlinear = function(u) return u ^ 3 end,
  initial = { 1, 0 }, order = 10,
}, 1.2, -0.009791110, 4) -- cn(t sqrt 2, 1/2)
