--- Prints a hash of all digits of some simulations, small and large ones, redundant ones and DAEs;
--- first, which LAPACK is there.  spec/lapack_spec.lua compares what it prints.
local sarrus = require "sarrus"
local draw = dofile("spec/random/tools/draw.lua")
local mechanism = dofile("spec/random/tools/mechanism.lua")
local overconstrained = dofile("spec/random/tools/overconstrained.lua")
local problems = dofile("spec/problems.lua")
local units = dofile("spec/random/tools/units.lua")

--- A polynomial in the shortest decimals of numbers.
local function hash(lists)
  local sum = 0
  for _, list in ipairs(lists) do
    for i = 1, #list do
      for byte in ("%.17g "):format(list[i]):gmatch(".") do
        sum = (sum * 257 + byte:byte()) % 4294967291
      end
    end
  end
  return ("%08x"):format(sum)
end

local function print_model(name, model, start)
  local sim = assert(model:simulate(start))
  assert(sim:advance(2))
  local s = sim:state()
  print(name, hash { s.q, s.v, s.a, s.lambda })
end

local function print_problem(name, problem)
  local sim = assert(problems.simulate(problem))
  assert(sim:advance(sim.time + 0.01))
  local s = sim:state()
  print(name, hash { s.q, s.v, s.lambda })
end

--- x' = y - x, y (2 + sin y) = x + cos t
local function print_dae()
  local dae = sarrus.dae {
    differential = { "x" }, algebraic = { "y" },
    derivative = function(x, y) return { y.y - x.x } end,
    constraints = function(x, y)
      return { y.y * (2 + sarrus.sin(y.y)) - x.x - sarrus.cos(sarrus.time) }
    end,
  }
  local sim = assert(dae:simulate { x = { 1 }, y = { 0.7 } })
  assert(sim:advance(2))
  local s = sim:state()
  print("dae", hash { s.x, s.y })
end

local function print_lapack()
  local maps = assert(io.open("/proc/self/maps")):read("*a")
  print(maps:match("%S*/liblapack%.so%S*"))
end

print_lapack()
for _, name in ipairs { "robot", "pendulum", "squeezer", "double_pendulum", "sleigh" } do
  print_problem(name, problems[name]())
end
for _, name in ipairs(units.names) do
  local model, start = units[name](draw.new(1)).build(units.of(1, 1, 1))
  print_model(name, model, start)
end
for seed = 1, 6 do
  local bodies, joints = overconstrained.draw(draw.new(seed))
  print_model("loop " .. seed, mechanism.model(3, { 0, -9.81, 0 }, bodies, joints),
    { joints = { j1 = { rate = 2 } } })
end
print_dae()
