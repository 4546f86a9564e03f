--- Expressions as functions of states.

local core = require "sarrus.core"
local graphs = require "sarrus.expr.graph"

--- Expressions compiled for evaluation at states.
---@param expressions sarrus.Scalar[]
---@return fun(t: number, q: number[], v?: number[], a?: number[], lambda?: number[], p?: table)
return function(expressions)
  local graph = graphs()
  local nodes = graph:nodes(expressions)
  local observer = core.observer(graph.core, nodes)
  local parameters, values, results = graph.parameters, {}, {}
  return function(t, q, v, a, lambda, given, modes)
    for i, parameter in ipairs(parameters) do
      values[i] = given and given[parameter.name] or parameter.value
    end
    return observer:evaluate(t, q, v, a, lambda, values, modes, results)
  end
end
