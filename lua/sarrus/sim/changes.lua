--- What a simulation holds and has let go (`sim:lock`, `sim:release`), for states to know it.

local errors = require "sarrus.base.errors"

local changes = {}

local NONE = {}

--- Nothing yet: the simulation is at its start.
---@param sim sarrus.Sim
function changes.begin(sim)
  sim.changed = NONE
end

--- Something may have changed: the core is asked again, at the next state.
---@param sim sarrus.Sim
function changes.forget(sim)
  sim.changed = nil
end

--- The list, { name =, word = "locked" or "released" }; states keep it, nobody writes to it.
---@param sim sarrus.Sim
---@return { name: string, word: string }[]
function changes.of(sim)
  local list = rawget(sim, "changed")
  if not list then
    list = sim.system:changes(sim)
    sim.changed = list
  end
  return list
end

--- Why what is asked of a model has no answer at a state: something is locked or released there;
--- nil where nothing is.  Where accelerations are given, a locked joint is one that has none.
---@param s sarrus.State
---@param accelerations? table<string, number>
---@return string?
function changes.refusal(s, accelerations)
  for _, change in ipairs(rawget(s, "changed") or NONE) do
    local locked = change.word == "locked"
    if not (locked and accelerations and (accelerations[change.name] or 0) == 0) then
      return ("%s is %s, and this would be of the model without that; %s"):format(
        errors.show(change.name), change.word, locked
        and "unlock it, or make a model in which a fixed joint holds it"
        or "engage it, or make a model without it")
    end
  end
end

return changes
