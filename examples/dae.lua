-- General DAEs in Hessenberg form: x' = f(x, y, t), 0 = g(x, y, t).  The index is found.
local sarrus = require "sarrus"

local function report(sim, name, value, exact)
  print(("  t = %-4g %s = %12.9f   error below 1e-12: %s"):format(sim.time, name, value,
    tostring(math.abs(value - exact) < 1e-12)))
end

-- Index 1: a diode-like law y^3 + y = x; along the motion 3/2 (y^2 - 1) + ln y = -t.
local one = sarrus.dae {
  name = "algebraic law", differential = { "x" }, algebraic = { "y" },
  derivative = function(_, y) return { -y.y } end,
  constraints = function(x, y) return { y.y ^ 3 + y.y - x.x } end,
}
print(one)
local sim = assert(one:simulate { x = { 2 }, y = { 0.5 }, tolerance = 1e-14 })
for _, t in ipairs { 1, 2, 4 } do
  assert(sim:advance(t))
  local y = sim:state().y.y
  report(sim, "y", y, math.exp(-t - 1.5 * (y ^ 2 - 1)))
end

-- Index 2: a is prescribed, y is the effort that it takes: y = cos t.
local two = sarrus.dae {
  name = "prescribed path", differential = { "a", "b" }, algebraic = { "y" },
  derivative = function(x, y) return { y.y, -x.a } end,
  constraints = function(x, _, t) return { x.a - sarrus.sin(t) } end,
}
print(two)
print(two:decompose { x = { 0, 1 }, order = 6 })
sim = assert(two:simulate { x = { 0, 1 }, tolerance = 1e-14 })
assert(sim:advance(10))
report(sim, "y", sim:state().y.y, math.cos(10))

-- Index 3: the pendulum of examples/pendulum.lua, as four equations of first order.
local three = sarrus.dae {
  name = "pendulum", differential = { "x", "y", "u", "v" }, algebraic = { "lambda" },
  derivative = function(x, y)
    return { x.u, x.v, -2 * x.x * y.lambda, -9.81 - 2 * x.y * y.lambda }
  end,
  constraints = function(x) return { x.x ^ 2 + x.y ^ 2 - 1 } end,
}
print(three)
local start = { x = { -1, 0, 0, 0 }, tolerance = 1e-14 }
sim = assert(three:simulate(start))
assert(sim:advance(10))
report(sim, "x", sim:state().x.x, -0.27508746257611686005)

return three:simulate(start) -- for the command: sarrus run examples/dae.lua
