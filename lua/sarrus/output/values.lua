--- Channels as functions of states.

local channel = require "sarrus.output.channel"
local evaluator = require "sarrus.expr.evaluate"
local quantities = require "sarrus.output.quantities"

--- The values that a simulation's parameters have now.
local function parameters_of(sim)
  local values = {}
  for i, parameter in ipairs(sim.parameters) do
    values[parameter.name] = sim.core:get(i)
  end
  return values
end

--- A function that answers the numbers of some channels at a state of a simulation; nil and what is
--- wrong with a name.
---@param sim sarrus.Sim of the subject whose states will be read
---@param labels string[]
---@return (fun(sim: sarrus.Sim, s: sarrus.State): number[])?
---@return string? message
return function(sim, labels)
  local sources, found, expressions = quantities.of(sim), {}, {}
  for i, label in ipairs(labels) do
    local one, message = channel.named(sources, label)
    if not one then
      return nil, message
    end
    found[i], expressions[i] = one, one.expression or 0
  end
  local evaluate = evaluator(expressions)
  return function(now, s)
    local x, values = evaluate(s.t, rawget(s, "q"), rawget(s, "v"), rawget(s, "a"),
      rawget(s, "lambda"), parameters_of(now), rawget(s, "modes")), {}
    for i, one in ipairs(found) do
      values[i] = one.f and one.f(s) or x[i]
    end
    return values
  end
end
