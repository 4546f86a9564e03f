-- What must hold of simulations, with figures: a list of rows { point, what, bound, measure }, each
-- of which holds where measure() <= bound; points M… are of mechanisms.  `make bench-accuracy`
-- prints them in one table; the specs assert those that are not slow.
local problems = dofile("spec/problems.lua")
local soak = dofile("spec/soak.lua")
local unpack = table.unpack or unpack -- luacheck: std max
local difference, simulate = problems.difference, problems.simulate

local rows = {}

local TIGHT = { tolerance = 1e-14 }

local function row(point, what, bound, measure, slow)
  rows[#rows + 1] = { point = point, what = what, bound = bound, measure = measure, slow = slow }
end

--- The state at time t of a run with these options.
local function run(problem, t, options)
  local sim = simulate(problem, options or TIGHT)
  assert(sim:advance(t))
  return sim:state(), sim
end

-- 1: the problems at tolerance 1e-14 --------------------------------------------------------------

local function error_of(problem, t, field)
  local state, known = run(problem, t), problems.at(problem, t)
  return difference(field == "rates" and problem.rates(state) or state[field], known[field])
end

local function errors_of(point, problem, t, bound, fields, slow)
  for _, field in ipairs(fields or { "q" }) do
    row(point, ("%s, t = %g: %s"):format(problem.name, t, field), bound, function()
      return error_of(problem, t, field)
    end, slow)
  end
end

errors_of(1, problems.robot(), 10, 1e-12, { "q", "v", "lambda" })
errors_of(1, problems.pendulum(), 10, 1e-12, { "q" })
errors_of(1, problems.pendulum(), 100, 1e-11, { "q" })
errors_of(1, problems.pendulum(), 100, 1e-10, { "lambda" })
errors_of(1, problems.squeezer(), 0.03, 1e-11, { "q" })
row(1, "squeezer, t = 0.03: lambda, relative", 1e-8, function()
  local squeezer = problems.squeezer()
  local state, known = run(squeezer, 0.03), problems.at(squeezer, 0.03)
  local worst = 0
  for i, lambda in ipairs(known.lambda) do
    worst = math.max(worst, math.abs(state.lambda[i] - lambda) / math.abs(lambda))
  end
  return worst
end)
errors_of(1, problems.squeezer(), 0.05, 1e-11)
errors_of(1, problems.four_bars(2), 10, 1e-8)
errors_of(1, problems.four_bars(40), 20, 1e-6, { "q" }, true)
errors_of(1, problems.free_body(), 50, 1e-11, { "rates" })
errors_of(1, problems.double_pendulum(), 5, 1e-10)
errors_of(1, problems.double_pendulum(), 10, 1e-8)
errors_of(1, problems.sleigh(), 1, 1e-11)
errors_of(1, problems.sleigh(), 5, 1e-11)
for _, equation in ipairs(problems.literature()) do
  errors_of(1, equation, equation.known[1].t, 1e-12)
end

-- 2: error follows tolerance ----------------------------------------------------------------------

--- How much an error of the start, in q or in v times a usual step, grows until t.
local function sensitivity(problem, t)
  local delta = 1e-7
  local plain, sim = run(problem, t)
  local h = t / sim:stats().steps
  local worst = 1
  for _, field in ipairs { "q", "v" } do
    for i = 1, #problem.q do
      local start = { q = { unpack(problem.q) }, v = { unpack(problem.v) } }
      start[field][i] = start[field][i] + (field == "q" and delta or delta / h)
      local moved = simulate(problem, { q = start.q, v = start.v, tolerance = 1e-14 })
      assert(moved:advance(t))
      worst = math.max(worst, difference(moved:state().q, plain.q) / delta)
    end
  end
  return worst
end

--- Errors in q for tolerances 1e-4 to 1e-13, and what they should be about.
local function errors_by_tolerance(problem, t)
  local exact = run(problem, t, { tolerance = soak.TIGHTEST })
  for _, known in ipairs(problem.known) do
    exact = known.t == t and known or exact
  end
  local grows = sensitivity(problem, t)
  local errors, expected = {}, {}
  for k = 4, 13 do
    local state, sim = run(problem, t, { tolerance = 10 ^ -k })
    errors[#errors + 1] = difference(state.q, exact.q)
    expected[#expected + 1] = 10 ^ -k * sim:stats().steps * grows
  end
  return errors, expected
end

for _, case in ipairs { { problems.robot(), 10 }, { problems.pendulum(), 10 },
  { problems.squeezer(), 0.03 }, { problems.double_pendulum(), 2 } } do
  local problem, t = case[1], case[2]
  row(2, problem.name .. ": error / (tolerance steps sensitivity)", 100, function()
    local errors, expected = errors_by_tolerance(problem, t)
    local worst = 0
    for i in ipairs(errors) do
      worst = math.max(worst, errors[i] / expected[i])
    end
    return worst
  end)
  row(2, problem.name .. ": error at 1e-10 to 1e-13 / at 1e-4 to 1e-6", 1e-3, function()
    local errors = errors_by_tolerance(problem, t)
    return math.max(errors[7], errors[8], errors[9], errors[10])
      / math.max(errors[1], errors[2], errors[3])
  end)
end

-- 3: drift ----------------------------------------------------------------------------------------

local function drift(steps, slow)
  local memo
  local function measure(key)
    return function()
      if not memo then
        local worst, growth = soak.run(steps)
        memo = { position = worst.position, velocity = worst.velocity, energy = worst.energy,
          exponent = soak.exponent(growth) }
      end
      return memo[key]
    end
  end
  local name = ("pendulum, 10^%d steps: "):format(math.floor(math.log(steps) / math.log(10) + 0.5))
  row(3, name .. "constraint", 1e-14, measure "position", slow)
  row(3, name .. "rate of the constraint", 1e-13, measure "velocity", slow)
  row(3, name .. "energy", 1e-11, measure "energy", slow)
  if slow then
    row(3, name .. "energy grows like steps^", 0.75, measure "exponent", slow)
  end
end

drift(10000)
drift(1000000, true)

-- 4: time reversal --------------------------------------------------------------------------------

for _, case in ipairs { { problems.pendulum(), 10 }, { problems.squeezer(), 0.03 } } do
  local problem, t = case[1], case[2]
  row(4, ("%s, to %g and back: error / sensitivity"):format(problem.name, t), 1e-13, function()
    local sim = simulate(problem, TIGHT)
    assert(sim:advance(t))
    assert(sim:advance(0))
    return difference(sim:state().q, problem.q) / sensitivity(problem, t)
  end)
end

-- 5: duplicated constraints -----------------------------------------------------------------------

for copy = 1, 6 do
  row(5, ("squeezer, constraint %d twice: change of q"):format(copy), 1e-12, function()
    return difference(run(problems.squeezer(copy), 0.03).q, run(problems.squeezer(), 0.03).q)
  end)
  row(5, ("squeezer, constraint %d twice: lambdas differ by"):format(copy), 1e-12, function()
    local lambda = run(problems.squeezer(copy), 0.03).lambda
    return math.abs(lambda[copy] - lambda[7]) / math.abs(lambda[copy])
  end)
end

-- 7: the same bits --------------------------------------------------------------------------------

--- How many numbers of two states are not the same.
local function differing(a, b)
  local count = a.t == b.t and 0 or 1
  for _, field in ipairs { "q", "v", "a", "lambda" } do
    for i, x in ipairs(a[field]) do
      count = count + (x == b[field][i] and 0 or 1)
    end
  end
  return count
end

row(7, "squeezer: numbers that differ between two runs", 0, function()
  return differing(run(problems.squeezer(), 0.03), run(problems.squeezer(), 0.03))
end)
row(7, "squeezer: numbers that differ after save, restore", 0, function()
  local squeezer = problems.squeezer()
  local sim = simulate(squeezer, TIGHT)
  assert(sim:advance(0.0123))
  local copy = assert(squeezer.system:restore(sim:save()))
  assert(sim:advance(0.03) and copy:advance(0.03))
  return differing(sim:state(), copy:state())
end)

-- 8: cost, by build/bench/step --------------------------------------------------------------------

local function bench(key)
  return function()
    local pipe = assert(io.popen("OPENBLAS_NUM_THREADS=1 ./build/bench/step", "r"))
    local text = pipe:read("*a")
    pipe:close()
    local worst
    for value in text:gmatch(key .. " ([%d%.]+)") do
      worst = math.max(worst or 0, tonumber(value))
    end
    return assert(worst, "build/bench/step does not print " .. key)
  end
end

row(8, "allocations of a step", 0, bench "allocations", true)
row(8, "time of a step / time of its expansion", 1.3, bench "ratio", true)

-- 9: convergence ----------------------------------------------------------------------------------

--- The largest error at the end of n steps to t_end, of positions and velocities.
local function fixed_error(problem, exact, t_end, n, order)
  local sim = simulate(problem, { order = order, step = t_end / n })
  local worst = 0
  for k = 1, n do
    assert(sim:advance(t_end * k / n))
    local state, known = sim:state(), exact(t_end * k / n)
    worst = math.max(worst, difference(state.q, known.q), difference(state.v, known.v))
  end
  return worst
end

--- The order p of errors C n^-p, by least squares over those that rounding does not hide.
local function observed_order(problem, exact, t_end, order, least, most)
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for steps = 3, 40 do
    local e = fixed_error(problem, exact, t_end, steps, order)
    if e > least and e < most then
      local x, y = math.log(steps), -math.log(e)
      n, sx, sy, sxx, sxy = n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y
    end
  end
  assert(n >= 4, "too few errors between rounding and nonsense")
  return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

for _, order in ipairs { 8, 12, 16, 20 } do
  -- Small swings: the robot's rounding errors grow like (h / r)^k, and r with 1 / amplitude.
  row(9, "robot, order " .. order .. ": distance of the observed order", 1.5, function()
    local robot, size = problems.robot(), 0.01
    robot.v = { size, -2 * size }
    return math.abs(order - observed_order(robot, function(t)
      local s, c = size * math.sin(t), size * math.cos(t)
      return { q = { s, -2 * s }, v = { c, -2 * c } }
    end, 12, order, 1e-16, order == 16 and 1e-10 or 1e-6))
  end)
  row(9, "pendulum, order " .. order .. ": distance of the observed order", 1.5, function()
    local pendulum = problems.pendulum()
    local reference = simulate(pendulum, { tolerance = soak.TIGHTEST })
    return math.abs(order - observed_order(pendulum, function(t)
      if t < reference.time then -- going back would add to its errors
        reference = simulate(pendulum, { tolerance = soak.TIGHTEST })
      end
      assert(reference:advance(t))
      return reference:state()
    end, 1, order, 2e-14, 1e-5))
  end)
end

-- Mechanisms --------------------------------------------------------------------------------------

dofile("spec/mechanisms.lua").rows(function(point, what, ...)
  row("M" .. point, what, ...)
end)

-- The table ---------------------------------------------------------------------------------------

local accuracy = { rows = rows, differing = differing }

--- Print all rows; returns how many are missed.
function accuracy.print()
  local missed = 0
  print(("%-5s %-60s %9s %9s"):format("point", "what", "bound", "measured"))
  for _, r in ipairs(rows) do
    local good, value = pcall(r.measure)
    local holds = good and value <= r.bound
    missed = missed + (holds and 0 or 1)
    print(("%-5s %-60s %9.3g %9s %s"):format(r.point, r.what, r.bound,
      good and ("%.2g"):format(value) or "failed", holds and "ok" or "MISSED"))
    if not good then
      print("      " .. tostring(value))
    end
    io.stdout:flush()
  end
  print(("%d of %d bounds missed"):format(missed, #rows))
  return missed
end

return accuracy
