--- The drawing for values of the parameters.
---
--- In a parametric model places, sizes and masses are expressions of parameters.  The equations
--- hold these, and are compiled once.  What needs numbers (starts, sizes, pages) reads a drawn
--- model: the parts of the model, declared anew with numbers in the place of expressions and
--- checked as those of any model; what it does not have itself, it has from the model.  A model
--- that is not parametric is its own drawn one.

local later = require "sarrus.base.later"
local redrawn = later "sarrus.model.part.redrawn"

local drawn = {}

--- The model as drawn for values of its parameters; nil and a message where they allow none.
---@param model sarrus.Model
---@param given? table<string, number> as declared where one is not given
---@return table? view with `size` and `weights`
---@return string? message
function drawn.of(model, given)
  if model.parametric then
    return redrawn.of(model, given)
  end
  return model
end

--- The model as a simulation has it.
---@param model sarrus.Model
---@param sim sarrus.Sim
---@return table view
function drawn.of_sim(model, sim)
  return model.parametric and assert(drawn.of(model, drawn.values(sim))) or model
end

--- The values that a simulation's parameters have now.
---@param sim sarrus.Sim
---@return table<string, number>
function drawn.values(sim)
  local values = {}
  for i, parameter in ipairs(sim.parameters) do
    values[parameter.name] = sim.core:get(i)
  end
  return values
end

return drawn
