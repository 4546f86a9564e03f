--- Warnings: what deserves attention but stops nothing.  They never print; equal ones are kept
--- once and counted, and `sarrus.on_warning` hears them as they come.

local results = require "sarrus.result"

---@class sarrus.Warning
---@field code string
---@field message string
---@field object any the part, coordinate or constraint it is about
---@field time number when it came first
---@field last number when it came last
---@field count integer how often

local new_warning = results.kind("a warning",
  { "code", "message", "object", "time", "last", "count" })

local warnings = {}

-- So many different ones are kept; of further ones only the count.
local MOST = 1000

--- An empty list of warnings.
function warnings.new()
  return { list = {}, known = {} }
end

--- The kept warning that equals this one, made if there is none; it has not been counted yet.
local function kept(self, code, message, object, time)
  local list, known = self.list, self.known
  local key = code .. "\n" .. message
  if not known[key] and #list >= MOST then
    key, code, object = "", "more", nil
    message = ("more than %d different warnings: these are only counted"):format(MOST)
  end
  if not known[key] then
    known[key] = new_warning {
      code = code, message = message, object = object, time = time, count = 0,
    }
    list[#list + 1] = known[key]
  end
  return known[key]
end

--- Keep a warning, and let the script hear it.
---@param self table from warnings.new
---@param code string
---@param message string
---@param object any
---@param time number
function warnings.add(self, code, message, object, time)
  local warning = kept(self, code, message, object, time)
  warning.count, warning.last = warning.count + 1, time
  local hear = rawget(require "sarrus", "on_warning")
  if hear then
    hear(warning)
  end
end

-- Simulations ------------------------------------------------------------------------------------

--- Warn as a simulation; its method `warn`.
local function warn(sim, code, message, object, time)
  warnings.add(sim.warned, code, sim.system.what .. ": " .. message, object, time or sim.time)
end

--- Tell of constraints that depend on others.
local function tell_redundant(sim)
  if sim.system.tell_redundant then
    return sim.system:tell_redundant(sim)
  end
  for _, i in ipairs(sim.core:dependent()) do
    sim:warn("redundant", sim.system:row_name(#sim.system.coordinates + i)
      .. " depends on the others; its multiplier is not unique", i)
  end
end

--- Give a simulation its warnings; what the core has noted so far is old.
---@param sim sarrus.Sim
function warnings.attach(sim)
  local singular, _, stiff, _, _, dependent = sim.core:notes()
  sim.warned, sim.warn = warnings.new(), warn
  sim.noted = { singular = singular, stiff = stiff, dependent = dependent }
end

--- Tell of a start that was moved, and of redundant constraints.
---@param sim sarrus.Sim
---@param moved boolean
function warnings.start(sim, moved)
  if moved then
    sim:warn("moved", ("the start was moved by up to %.3g to meet the constraints")
      :format(sim.core:stats().moved))
  end
  tell_redundant(sim)
end

--- Tell of what the core has noted since it was asked last.
---@param sim sarrus.Sim
function warnings.listen(sim)
  local noted = sim.noted
  local singular, singular_at, stiff, stiff_at, column, dependent = sim.core:notes()
  if singular > noted.singular then
    noted.singular = singular
    sim:warn("nearly_singular", "passed next to a singular configuration, where multipliers and "
      .. "reactions are large and less exact", nil, singular_at)
  end
  if stiff > noted.stiff then
    noted.stiff = stiff
    local name = sim.system:coordinate_name(column)
    sim:warn("stiff", ("something much faster than the motion keeps the steps short, at %s: a "
      .. "stiff spring or damper, or a large gain? method = \"auto\" may take longer ones")
      :format(name), name, stiff_at)
  end
  if dependent > noted.dependent then
    tell_redundant(sim)
  end
  noted.dependent = dependent
end

return warnings
