--- Ticks of control loops at 1 kHz, in CPU time: the six-axis arm and the Stewart platform of
--- spec/deadlines.lua.  `eval "$(make -s env)"; lua5.4 core/bench/deadlines.lua [runs]`.  All
--- runs have the same ticks, garbage collected included: the least of a tick's times is its own,
--- the rest is what else the machine did.
local sarrus = require "sarrus"
local deadlines = dofile("spec/deadlines.lua")

local runs = tonumber(arg[1]) or 5

--- The least time of each tick.
local function least(what, run)
  local ticks = {}
  for _ = 1, runs do
    collectgarbage()
    for k, seconds in ipairs(run()) do
      ticks[k] = math.min(ticks[k] or seconds, seconds)
    end
  end
  table.sort(ticks)
  print(("%-44s median %7.1f us  p99 %7.1f us  worst %7.1f us"):format(what,
    1e6 * ticks[math.ceil(#ticks / 2)], 1e6 * ticks[math.ceil(0.99 * #ticks)], 1e6 * ticks[#ticks]))
end

--- Six parameters set, and 1 ms advanced.
local function drive(name, rest)
  local sim = assert(deadlines[name]():simulate { tolerance = 1e-9 })
  local given, ticks = {}, {}
  for k = 1, 2000 do
    for i, parameter in ipairs(deadlines.parameters[name]) do
      given[parameter] = rest[i] + 1e-3 * math.sin(0.01 * k * i)
    end
    local began = os.clock()
    assert(sim:set(given))
    assert(sim:advance(k / 1000))
    ticks[k] = os.clock() - began
  end
  return ticks
end

--- Computed torque towards a target, in a controller; all that a tick takes, after the first
--- second.
local function control(name, joint, coordinate, rate, targets)
  local names, drives, wanted, given = {}, deadlines.parameters[name], {}, {}
  for i = 1, 6 do
    names[i] = joint .. i
  end
  local sim = assert(deadlines[name]():simulate { tolerance = 1e-9, controllers = {
    sarrus.controller { period = 1e-3, action = function(sim, s)
      for i, one in ipairs(names) do
        local j = s:joint(one)
        wanted[one] = 40 * (targets[i] - j[coordinate]) - 12 * j[rate]
      end
      local efforts = assert(s:efforts(wanted))
      for i, one in ipairs(names) do
        given[drives[i]] = efforts[one]
      end
      assert(sim:set(given))
    end },
  } })
  local ticks = {}
  for k = 1, 2000 do
    local began = os.clock()
    assert(sim:advance(k / 1000))
    ticks[#ticks + 1] = k > 1000 and os.clock() - began or nil
  end
  return ticks
end

local function both(name, rest, joint, coordinate, rate, targets)
  least(name .. ": six parameters set, 1 ms advanced", function()
    return drive(name, rest)
  end)
  least(name .. ": computed torque at 1 kHz", function()
    return control(name, joint, coordinate, rate, targets)
  end)
end

both("arm", { 0, 0, 0, 0, 0, 0 }, "J", "angle", "rate", { 0.5, 0.6, 0.8, -0.4, 0.5, 1 })
both("stewart", { 50, 50, 50, 50, 50, 50 }, "leg", "length", "speed",
  { 0.05, 0.03, 0.05, 0.03, 0.05, 0.03 })
