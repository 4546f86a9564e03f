--- How many digits of a run are right: the run compared with others of the same motion, and with
--- the equations between its steps.

local core = require "sarrus.core"
local results = require "sarrus.base.result"
local runs = require "sarrus.verify.runs"
local singularity = require "sarrus.verify.singularity"

local verify = {}

-- A number has no more digits.
local MOST_DIGITS = 16

-- Differences of runs are errors of both: the run's own is at most so many times as large.
local SAFETY = 2

--- Differences below this part of a channel are rounding of what it is made of.
local LEAST = 1.1e-16

-- Expansions at so many of the samples.
local EXPANSIONS = 20

-- Between steps ----------------------------------------------------------------------------------

--- What visits samples: the largest error of the constraints, of multipliers against the equations
--- there, and the nearest singularity.
local function inspector(sim)
  local system, found = sim.system, { position = 0, multipliers = nil, count = 0 }
  local smooth = #system.contacts == 0 and not system.algebraic
  local all, scales = {}, {}
  for i in ipairs(system.coordinates) do
    scales[i] = 1
  end
  local instant = smooth and core.instant(system.compiled, #system.parameters, scales, 0)
  return function(now, s)
    found.count = found.count + 1
    found.position = math.max(found.position, now:residual().position)
    if not smooth then
      return
    end
    local values = {}
    for i = 1, #system.parameters do
      values[i] = now.core:get(i)
    end
    for i = 1, #s.lambda do
      all[i] = i
    end
    local lambda = instant:motion(s.t, s.q, s.v, values, all)
    local off, size = 0, 0
    for i, x in ipairs(lambda or {}) do
      off, size = math.max(off, math.abs(x - s.lambda[i])), math.max(size, math.abs(x))
    end
    found.multipliers = math.max(found.multipliers or 0, size > 0 and off / size or 0)
    if found.count % 10 == 5 and (found.expansions or 0) < EXPANSIONS then
      found.expansions = (found.expansions or 0) + 1
      local real, imaginary = singularity.near(system, s, values)
      local away = real and math.sqrt(real * real + imaginary * imaginary)
      if real and away < (found.away or math.huge) then
        found.away, found.real, found.imaginary = away, s.t + real, imaginary
      end
    end
  end, found
end

-- Digits -----------------------------------------------------------------------------------------

--- The largest magnitude of a channel in a run; of energies, of what they are the sum of.
local function scale_of(base, labels, c)
  local largest, parts = 0, { c }
  if labels[c]:find("^energy%.") then
    for i = #labels - 1, #labels do -- kinetic and potential
      parts[#parts + 1] = i
    end
  end
  for _, values in ipairs(base.values) do
    for _, i in ipairs(parts) do
      largest = math.max(largest, math.abs(values[i]))
    end
  end
  return largest
end

--- The channels, and behind them those that energies are compared with.
local function with_energies(sim, labels)
  local list = {}
  for i, label in ipairs(labels) do
    list[i] = label
  end
  if rawget(sim.system, "model") then
    list[#list + 1], list[#list + 2] = "energy.kinetic", "energy.potential"
  end
  return list
end

--- The largest difference of two runs in a channel, over the last tenth of the samples.
local function difference(base, other, c)
  local most, count = 0, #base.values
  for i = math.floor(0.9 * count), count do
    local off = math.abs(base.values[i][c] - other.values[i][c])
    most = math.max(most, off == off and off or math.huge)
  end
  return most
end

local function log10(x)
  return math.log(x) / math.log(10)
end

--- What a channel's error is, by which comparison, and how many digits that leaves.
local function judge(all, labels, c)
  local scale, worst, by = scale_of(all.base, labels, c), 0, "rounding"
  local of = {}
  for _, name in ipairs { "tighter", "order", "tightest", "moved" } do
    local other = all.others[name]
    if other then
      of[name] = difference(all.base, other, c)
      if of[name] > worst then
        worst, by = of[name], name
      end
    end
  end
  local relative = scale > 0 and math.max(SAFETY * worst / scale, LEAST) or 0
  local digits = scale == 0 and MOST_DIGITS
    or math.max(0, math.min(MOST_DIGITS, math.floor(-log10(relative))))
  return { scale = scale, error = SAFETY * worst, digits = digits, by = by, of = of }
end

--- Why a channel has no more digits.
local function reason(all, one)
  local base = all.base
  local moved = one.of.moved or 0
  local growth = one.scale > 0 and moved / one.scale / 2.2e-16 or 0
  local others = math.max(one.of.order or 0, one.of.tightest or 0, one.of.tighter or 0)
  if one.digits >= 14 then
    return "rounding of a double"
  elseif base.singular > 0 then
    return ("singular positions: %d steps next to one, the last at t = %.6g"):format(base.singular,
      base.singular_at)
  elseif moved * 30 > others and growth > 100 then
    return ("errors grow: rounding at the start is %.1e times as large at the end"):format(growth)
  elseif others > 30 * moved then
    return "the tolerance: a tighter one gives more"
  end
  return "rounding that adds up over the steps, and small beside what it is made of"
end

---@class sarrus.Verified
---@field channels { name: string, digits: integer, error: number, scale: number, value: number }[]
---@field weakest string the channel with the fewest digits
---@field reason string why it has no more
---@field closed number largest error of the constraints
---@field multipliers number? largest error of multipliers against the equations, relative
---@field singularity { real: number, imaginary: number }? the nearest one of the motion, in time
---@field failed string[] runs that did not come to the end
local verified = results.kind("what verify found", { "channels", "weakest", "reason", "closed",
  "multipliers", "singularity", "failed" })

--- Run a simulation to t_end, and in other ways, and tell what is right.
---@param sim sarrus.Sim at its start
---@param labels string[] channels
---@param t_end number
---@param again? fun(): sarrus.Sim? makes the simulation anew
---@return sarrus.Verified?
---@return string? message
---@return string? code
function verify.run(sim, labels, t_end, again)
  local visit, found = inspector(sim)
  local read = with_energies(sim, labels)
  local all, message, code = runs.all(sim, read, t_end, visit, again)
  if not all then
    return nil, message, code
  end
  local channels, weakest = {}, nil
  for c, label in ipairs(labels) do
    local one = judge(all, read, c)
    one.name, one.value = label, all.base.values[#all.base.values][c]
    channels[c] = one
    if not weakest or one.digits < weakest.digits then
      weakest = one
    end
  end
  return verified {
    channels = channels, weakest = weakest.name, reason = reason(all, weakest),
    closed = found.position, multipliers = found.multipliers,
    singularity = found.away and { real = found.real, imaginary = found.imaginary },
    failed = all.failed,
  }
end

return verify
