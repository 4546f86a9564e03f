--- What is wrong with names that --set gives.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"

--- A message for the first name that is none of the parameters; nil if all are.
---@param what string whose parameters they are
---@param parameters table[]
---@param given string[]
---@return string?
return function(what, parameters, given)
  local names, known = expr.known(parameters), {}
  table.sort(names)
  for _, name in ipairs(names) do
    known[name] = true
  end
  for _, name in ipairs(given) do
    if not known[name] then
      return ("--set %s: %s has no such parameter%s; it has %s"):format(name, what,
        errors.suggest(name, names), #names > 0 and table.concat(names, ", ") or "none")
    end
  end
end
