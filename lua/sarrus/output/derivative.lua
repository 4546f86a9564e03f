--- The derivative of a channel: a function of a state and of how it changes.

local channel = require "sarrus.output.channel"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local quantities = require "sarrus.output.quantities"

--- What an observer reads of a state, of whatever class.
local function sight(s)
  return {
    t = s.t, q = rawget(s, "q"), v = rawget(s, "v"), a = rawget(s, "a"),
    lambda = rawget(s, "lambda"), modes = rawget(s, "modes"), p = s.derivatives.parameters,
  }
end

---@param sim sarrus.Sim
---@param label string
---@return fun(s: sarrus.State, change: table): number
return function(sim, label)
  if type(label) ~= "string" then
    errors.raise(("derivative: %s, want a channel by name"):format(errors.got(label)))
  end
  local found, message = channel.named(quantities.of(sim), label)
  if not found then
    errors.raise("derivative: " .. message)
  elseif not found.expression then
    errors.raise(("derivative: %s has none"):format(label))
  end
  local _, slopes = evaluator { found.expression }
  return function(s, change)
    return slopes(sight(s), change)[1]
  end
end
