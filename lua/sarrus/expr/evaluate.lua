--- Expressions as functions of states.

local core = require "sarrus.core"
local graphs = require "sarrus.expr.graph"

--- Expressions compiled for evaluation at states; and, as a second function, their derivatives as
--- a state changes, with a list of how its coordinates do, and by which names parameters do.
---@param expressions sarrus.Scalar[]
---@return fun(t: number, q: number[], v?: number[], a?: number[], lambda?: number[], p?: table, modes?: number[]): number[]
---@return fun(s: table, change: { q: number[], v: number[], a: number[], lambda: number[], p: table }): number[]
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
  end, function(s, change)
    local rates = {}
    for i, parameter in ipairs(parameters) do
      values[i] = s.p[parameter.name] or parameter.value
      rates[i] = change.p[parameter.name] or 0
    end
    return observer:slopes(s.t, s.q, s.v, s.a, s.lambda, values, s.modes, 0, change.q, change.v,
      change.a, change.lambda, rates)
  end
end
