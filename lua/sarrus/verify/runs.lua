--- Runs of one simulation in several ways, sampled at the same times.

local changed = require "sarrus.sim.changes"
local errors = require "sarrus.base.errors"
local values_of = require "sarrus.output.values"

local runs = {}

-- No number of control periods: at these instants forces jump.
local SAMPLES = 197

--- How a simulation was made, and what has been set since.
---@param sim sarrus.Sim at its start
---@return fun(changes: table): sarrus.Sim?, string?, string?
local function maker(sim)
  local given, set = sim.given, {}
  for _, parameter in ipairs(sim.parameters) do
    if not parameter.hidden then
      set[parameter.name] = sim:get(parameter.name)
    end
  end
  local subject = rawget(sim.system, "model") or sim.system
  return function(changes)
    local copy = {}
    for key, value in pairs(given) do
      copy[key] = value
    end
    for key, value in pairs(changes) do
      copy[key] = value
    end
    local made, message, code = subject:simulate(copy)
    if not made then
      return nil, message, code
    end
    for name, value in pairs(set) do
      if made:get(name) ~= value then
        local done, why, kind = made:set(name, value)
        if not done then
          return nil, why, kind
        end
      end
    end
    return made
  end
end

--- Move the start of a simulation by rounding, as much as it rounds to.
---@return boolean? moved
local function perturb(sim)
  local q, v, x = {}, {}, 0.5
  sim.core:state(nil, q, v, {}, {})
  for _, list in ipairs { q, v } do
    local largest = 0
    for _, value in ipairs(list) do
      largest = math.max(largest, math.abs(value))
    end
    for i, value in ipairs(list) do
      x = (x * 997 + 0.123456789) % 1 -- any numbers that have no pattern
      list[i] = value + (x > 0.5 and 2.2e-16 or -2.2e-16) * math.max(math.abs(value), largest / 8)
    end
  end
  return sim.core:start(sim.time, q, v) and true or nil
end

---@class sarrus.Sampled
---@field t number[]
---@field values number[][] per sample, in the order of the channels
---@field stats table
---@field singular integer steps next to singular positions
---@field singular_at number when the last of these was

--- Run to t_end and sample.
---@return sarrus.Sampled?
---@return string? message
---@return string? code
local function sample(sim, read, t_end, visit)
  local from, result, s = sim.time, { t = {}, values = {} }, nil
  for i = 0, SAMPLES do
    local t = i == SAMPLES and t_end or from + (t_end - from) * i / SAMPLES
    local done, message, code = sim:advance(t)
    if done == "EVENT" then
      return nil, ("the run stops at event %s, t = %s"):format(errors.show(message),
        errors.show(sim.time)), "EVENT"
    elseif not done then
      return nil, message, code
    end
    s = sim:state(s)
    result.t[i + 1], result.values[i + 1] = t, read(sim, s)
    if visit and i > 0 and i < SAMPLES then -- at the ends forces may jump
      visit(sim, s)
    end
  end
  result.stats = sim:stats()
  result.singular, result.singular_at = sim.core:notes()
  return result
end

--- Whether functions of the script take part in a run: what they keep, as upvalues, one run would
--- leave to the next.
local function asks(sim)
  for _, event in ipairs(sim.events) do
    if event.action then
      return true
    end
  end
  return #sim.controllers > 0
end

--- Why other runs would not be those of a simulation: its script has changed it since its start by
--- more than parameters; nil where they are.
local function changed_since(sim, made)
  local first = changed.of(sim)[1]
  if first then
    return ("the script returns a simulation in which %s is %s, and other runs would not know it")
      :format(errors.show(first.name), first.word)
  end
  local v, other, fastest = {}, {}, 0
  sim.core:state(nil, {}, v, {}, {})
  made.core:state(nil, {}, other, {}, {})
  for i, x in ipairs(v) do
    fastest = math.max(fastest, math.abs(x), math.abs(other[i]))
  end
  for i, x in ipairs(v) do
    if math.abs(x - other[i]) > 1e-9 * fastest then
      return "the script returns a simulation to which it has given an impulse, and other runs "
        .. "would not have it; give velocities to simulate"
    end
  end
end

--- The ways in which a run is repeated: tighter, in another order, from a start moved by rounding.
local function ways(base, tolerance)
  local tight = math.max(tolerance / 100, 1e-14)
  local list = {
    { name = "tighter", { tolerance = tight } },
    { name = "moved", {}, moved = true },
  }
  if base.stats.implicit == 0 then
    local order = base.stats.order > 16 and 14 or 22
    table.insert(list, 2, { name = "order", { tolerance = tight, order = order,
      method = "series" } })
  else
    table.insert(list, 2, { name = "tightest", { tolerance = math.max(tolerance / 1e4, 1e-14) } })
  end
  return list
end

--- A run as asked for, and the others; nil, message, code where it fails itself.
---@param sim sarrus.Sim
---@param labels string[]
---@param t_end number
---@param visit fun(sim: sarrus.Sim, s: sarrus.State) at each sample of the run itself
---@param again? fun(): sarrus.Sim? makes the simulation anew, with all that the script's functions keep
---@return { base: sarrus.Sampled, others: table<string, sarrus.Sampled>, failed: string[] }?
---@return string? message
---@return string? code
function runs.all(sim, labels, t_end, visit, again)
  local make = maker(sim)
  local read, unknown = values_of(sim, labels)
  if not read then
    return nil, unknown, "usage"
  end
  local own, message, code = make {}
  if not own then
    return nil, message, code
  end
  local differs = changed_since(sim, own)
  if differs then
    return nil, differs, "LIMIT"
  end
  local base
  base, message, code = sample(own, read, t_end, visit)
  if not base then
    return nil, message, code
  end
  local result = { base = base, others = {}, failed = {} }
  for _, way in ipairs(ways(base, sim.given.tolerance or 1e-12)) do
    local from = sim
    if again and asks(sim) then
      from = again()
    end
    local other = from and maker(from)(way[1])
    local good = other and (not way.moved or perturb(other))
    local sampled = good and sample(other, from == sim and read or values_of(from, labels), t_end)
    result.others[way.name] = sampled or nil
    if not sampled then
      table.insert(result.failed, way.name)
    end
  end
  return result
end

return runs
