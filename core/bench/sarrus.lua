-- The rows of sarrus: lua5.4 core/bench/sarrus.lua [quick | rows [problem …]], one per problem and
-- setting:
--   problem|program|setting|CPU ms|error|steps
-- and lines of "note|…": start-up, frames, time per body, memory.  From the root of the tree.
package.cpath = "build/bench/?.so;" .. package.cpath
local clock = require "clock"

local sarrus = require "sarrus"
local mechanisms = dofile "core/bench/mechanisms.lua"
local contacts = dofile "core/bench/contacts.lua"
local stiff = dofile "core/bench/stiff.lua"
local quick = arg[1] == "quick"
io.stdout:setvbuf("line")

local function note(format, ...)
  print("note|" .. format:format(...))
end

-- Work and precision ------------------------------------------------------------------------------

--- Advance copies of one start, so that only the steps are timed; the least of several times
--- counts: what the machine does besides only adds.  A run that fails answers nil and why.
local function measure(problem, options)
  local budget = quick and 30 or 60
  local start = problem.simulate(options)
  local best, total, count = math.huge, 0, 0
  local sim
  repeat
    sim = start:clone()
    local from = clock()
    local done, message = sim:advance(problem.t)
    local time = clock() - from
    if not done then
      return nil, message
    end
    best, total, count = math.min(best, time), total + time, count + 1
  until total > budget and count >= 3 or total > 1000
  return { ms = best, error = problem.error(sim, start), steps = sim:stats().steps }
end

local function row(problem, setting, options)
  local m, message = measure(problem, options)
  if m then
    print(("%s|sarrus|%s|%.5g|%.2e|%d"):format(problem.name, setting, m.ms, m.error, m.steps))
  else
    note("sarrus fails: %s, %s: %s", problem.name, setting, message)
  end
end

local quarter_decades = {} -- as fine as the settings of the others
for i = 8, 56 do
  quarter_decades[#quarter_decades + 1] = tonumber(("%.1e"):format(10 ^ (-i / 4)))
end

local function rows(problem)
  for _, tolerance in ipairs(quick and { 1e-10, 1e-12 } or problem.tolerances or quarter_decades) do
    row(problem, ("tolerance %g"):format(tolerance), { tolerance = tolerance })
    for _, order in ipairs(quick and {} or problem.orders or {}) do
      row(problem, ("order %d, tolerance %g"):format(order, tolerance),
        { order = order, tolerance = tolerance })
    end
    for _, method in ipairs(quick and {} or problem.methods or {}) do
      row(problem, ("%s, tolerance %g"):format(method, tolerance),
        { method = method, tolerance = tolerance })
    end
  end
  collectgarbage()
end

-- What else is promised ---------------------------------------------------------------------------

local function resident_kb()
  for line in io.lines("/proc/self/status") do
    local kb = line:match("^VmRSS:%s*(%d+)")
    if kb then
      return tonumber(kb)
    end
  end
end

--- Memory of running simulations, in kB per body, at order 20; alone in a process.
local function memory(n)
  local problem, before, kept = mechanisms.chain(n), 0, {}
  local copies = math.ceil(10000 / n)
  for i = 0, copies do
    kept[i] = problem.simulate { order = 20, tolerance = 1e-12 }
    assert(kept[i]:step())
    collectgarbage()
    before = i == 0 and resident_kb() or before
  end
  return (resident_kb() - before) / copies / n
end

--- A number from another process: lua5.4 with these arguments.
local function from_other(arguments)
  local pipe = assert(io.popen("lua5.4 " .. arguments))
  local number = pipe:read("n")
  pipe:close()
  return number
end

local function scale(n)
  local m = assert(measure(mechanisms.chain(n), { order = 20, tolerance = 1e-12 }))
  note("chain of %d: %.3f us per body and step, %.1f kB per body (order 20)", n,
    1e3 * m.ms / m.steps / n, from_other("core/bench/sarrus.lua memory " .. n))
end

local function start_up()
  local loading = math.huge
  for _ = 1, 5 do
    loading = math.min(loading, from_other([[-e 'package.cpath = "build/bench/?.so;"
      .. package.cpath local clock = require "clock" local from = clock()
      require "sarrus" print(clock() - from)']]))
  end
  note('require "sarrus": %.2f ms', loading)
  for _, n in ipairs { 10, 1000 } do
    local from = clock()
    local sim = assert(sarrus.model(mechanisms.chain_parts(n)):simulate {})
    assert(sim:step())
    note("%d bodies, from script to first step: %.1f ms", n, clock() - from)
  end
end

--- In a game: 1/60 s at a time.
local function frames(what, parts)
  local best, worst = math.huge, math.huge
  for _ = 1, 5 do
    local sim = assert(sarrus.model(parts):simulate { tolerance = 1e-6 })
    local count, total, longest = 600, 0, 0
    for i = 1, count do
      local from = clock()
      assert(sim:advance(i / 60))
      local time = clock() - from
      total, longest = total + time, math.max(longest, time)
    end
    best, worst = math.min(best, total / count), math.min(worst, longest)
  end
  note("a frame of %s: %.1f us on average, %.0f us at worst", what, 1e3 * best, 1e3 * worst)
end

if arg[1] == "once" then -- for counting instructions: a problem, a number of rods
  local problem = mechanisms[arg[2]](tonumber(arg[3]))
  assert(problem.simulate({ tolerance = 1e-12 }):advance(problem.t))
  return
elseif arg[1] == "memory" then
  print(memory(tonumber(arg[2])))
  return
end
if arg[1] ~= "rows" then
  start_up()
  frames("the four-bar", mechanisms.four_bar_parts())
  frames("ten boxes at rest", contacts.boxes(10))
  for _, n in ipairs(quick and { 10, 1000 } or { 10, 100, 1000, 10000 }) do
    scale(n)
  end
end

local wanted = {}
for i = 2, #arg do
  wanted[arg[i]] = true
end
local function rows_of(source, ...)
  for _, name in ipairs { ... } do
    if #arg < 2 or wanted[name] then
      rows(source[name]())
    end
  end
end

rows_of(mechanisms, "squeezer", "robot")
for _, n in ipairs(quick and { 10, 1000 } or { 1, 10, 100, 1000, 10000 }) do
  if #arg < 2 or wanted["chain-" .. n] then
    rows(mechanisms.chain(n))
  end
end
rows_of(mechanisms, "four_bar", "arm", "stewart")
rows_of(contacts, "ball", "block", "rolling", "rocking")
rows_of(stiff, "spring", "springs", "gains", "bushing", "car")
