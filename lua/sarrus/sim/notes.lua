--- What the core notes on the way, as warnings of a simulation.

local warnings = require "sarrus.base.warnings"

local notes = {}

--- Warn as a simulation; its method `warn`.
local function warn(sim, code, message, object, time)
  warnings.add(sim.warned, code, sim.system.what .. ": " .. message, object, time or sim.time)
end

--- Give a simulation its warnings; what the core has noted so far is old.
---@param sim sarrus.Sim
function notes.attach(sim)
  local singular, _, stiff, _, _, dependent = sim.core:notes()
  sim.warned, sim.warn = warnings.new(), warn
  sim.noted = { singular = singular, stiff = stiff, dependent = dependent }
end

--- Tell of what the core has noted since it was asked last.
---@param sim sarrus.Sim
function notes.listen(sim)
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
    sim.system:tell_redundant(sim)
  end
  noted.dependent = dependent
end

return notes
