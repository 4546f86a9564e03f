--- Expressions: what a traced function computes with.
---
--- A node is a table that records an operation and its operands, `{ op = "add", a, b }`; numbers
--- stand for themselves; a scalar product is one node, `{ op = "dot2", a1, b1, a2, b2 }`, since
--- models have many.  Nothing is simplified here: that is the core's work, once the nodes are
--- copied into one of its graphs.  Leaves are symbols `{ op = "symbol", kind, index, name }`
--- (kinds as in the core: time q v a lambda u; index from 0), parameters `{ op = "parameter",
--- name, value }`, and nodes of a graph `{ op = "graph", graph, node, names }`.

local errors = require "sarrus.base.errors"
local later = require "sarrus.base.later"
local graphs = later "sarrus.expr.graph"

---@class sarrus.Expression
---@operator add(sarrus.Scalar): sarrus.Expression
---@operator sub(sarrus.Scalar): sarrus.Expression
---@operator mul(sarrus.Scalar): sarrus.Expression
---@operator div(sarrus.Scalar): sarrus.Expression
---@operator pow(sarrus.Scalar): sarrus.Expression
---@operator unm: sarrus.Expression
local Expr = { __name = "sarrus.expression" }

---@alias sarrus.Scalar number|sarrus.Expression

local expr = {}

local getmetatable, setmetatable, type = getmetatable, setmetatable, type

--- Whether a value is an expression.
---@param value any
---@return boolean
function expr.is(value)
  return getmetatable(value) == Expr
end

local MOST_OPERANDS = 6

--- A node of an expression that passes a test; nil if there is none.
---@param e sarrus.Expression
---@param test fun(node: sarrus.Expression): boolean?
---@return sarrus.Expression?
function expr.find(e, test)
  local stack, seen, top = { e }, {}, 1
  while top > 0 do
    local node = stack[top]
    top = top - 1
    if expr.is(node) and not seen[node] then
      seen[node] = true
      if test(node) then
        return node
      end
      for i = 1, MOST_OPERANDS do
        if rawget(node, i) ~= nil then
          top = top + 1
          stack[top] = rawget(node, i)
        end
      end
    end
  end
end

--- A node; operands must have been checked.
---@return sarrus.Expression
function expr.node(op, a, b, c)
  return setmetatable({ op = op, a, b, c }, Expr)
end

local dots = { [2] = "dot2", [3] = "dot3" }

--- The scalar product of lists of expressions, a1 b1 + a2 b2 [+ a3 b3], as one node in place of
--- five; nil where there are numbers among them.
---@param a sarrus.Scalar[]
---@param b sarrus.Scalar[]
---@return sarrus.Expression?
function expr.dot(a, b)
  local node, n = { op = dots[#a] }, 0
  for i = 1, #a do
    if getmetatable(a[i]) ~= Expr or getmetatable(b[i]) ~= Expr then
      return nil
    end
    node[n + 1], node[n + 2] = a[i], b[i]
    n = n + 2
  end
  return setmetatable(node, Expr)
end

--- A symbol of the core.
---@param kind "time"|"q"|"v"|"a"|"lambda"|"u"
---@param index integer from 0
---@param name string
---@return sarrus.Expression
function expr.symbol(kind, index, name)
  return setmetatable({ op = "symbol", kind = kind, index = index, name = name }, Expr)
end

--- A node of a graph of the core, as an expression.
---@param names sarrus.Graph which knows the names in it
---@return sarrus.Expression
function expr.of_graph(graph, node, names)
  return setmetatable({ op = "graph", graph = graph, node = node, names = names }, Expr)
end

--- A table of data, looked up at an expression.
---@param data sarrus.Table
---@param x sarrus.Expression
---@return sarrus.Expression
function expr.table(data, x)
  return setmetatable({ op = "table", data = data, x }, Expr)
end

---@type sarrus.Expression
expr.time = expr.symbol("time", 0, "t")

--- A number that can be changed while a simulation runs, known by its name within a model.
---@param name string
---@param value number
---@return sarrus.Expression
function expr.parameter(name, value)
  if type(name) ~= "string" or name == "" then
    errors.raise("sarrus.parameter: " .. errors.got(name) .. ", want a name")
  elseif type(value) ~= "number" or value - value ~= 0 then
    errors.raise(("sarrus.parameter %q: %s, want a finite number"):format(name, errors.got(value)))
  end
  return setmetatable({ op = "parameter", name = name, value = value }, Expr)
end

--- A parameter of a model's own, which scripts neither see nor set.
---@param name string
---@param value number
---@return sarrus.Expression
function expr.hidden(name, value)
  return setmetatable({ op = "parameter", name = name, value = value, hidden = true }, Expr)
end

--- The name of a parameter, where scripts may give the parameter itself; else the value.
---@param value any
function expr.named(value)
  return type(value) == "table" and rawget(value, "op") == "parameter" and value.name or value
end

--- Names of the parameters that scripts know.
---@param parameters { name: string, hidden: boolean? }[]
---@return string[]
function expr.known(parameters)
  local names = {}
  for _, parameter in ipairs(parameters) do
    if not parameter.hidden then
      names[#names + 1] = parameter.name
    end
  end
  return names
end

--- The derivative of an expression with respect to a symbol or parameter.
---@param e sarrus.Scalar
---@param variable sarrus.Expression a coordinate, a velocity, the time, a parameter …
---@return sarrus.Scalar
function expr.diff(e, variable)
  if getmetatable(variable) ~= Expr or (variable.op ~= "symbol" and variable.op ~= "parameter") then
    errors.raise("sarrus.diff: the variable is " .. errors.show(variable)
      .. ", want a coordinate, a parameter or the time")
  elseif type(e) == "number" then
    return 0
  elseif getmetatable(e) ~= Expr then
    errors.raise("sarrus.diff: " .. errors.got(e) .. ", want an expression")
  end
  return expr.node("diff", e, variable)
end

-- Operators ------------------------------------------------------------------------------------

local function noun(value)
  if type(value) == "number" then
    return value - value == 0 and "a number" or errors.show(value)
  end
  return type(value) == "string" and "a string" or errors.show(value)
end

local function hint(a, b)
  local other = a
  if getmetatable(a) == Expr then
    other = b
  end
  if other == nil then
    return ": is a name misspelt?"
  elseif type(other) == "number" then
    return ": constants must be finite"
  end
  return ""
end

--- Operands that cannot be recorded: another class may know what to do with them, otherwise it is
--- misuse.
local function refuse(event, verb, a, b)
  local other = getmetatable(a) == Expr and b or a
  local meta = type(other) == "table" and getmetatable(other)
  if type(meta) == "table" and meta ~= Expr and meta[event] then
    return meta[event](a, b)
  end
  errors.raise(("attempt to %s %s and %s%s"):format(verb, noun(a), noun(b), hint(a, b)))
end

local function binary(event, op, verb)
  Expr[event] = function(a, b)
    if (getmetatable(a) == Expr or type(a) == "number" and a - a == 0)
      and (getmetatable(b) == Expr or type(b) == "number" and b - b == 0) then
      return setmetatable({ op = op, a, b }, Expr)
    end
    return refuse(event, verb, a, b)
  end
end

binary("__add", "add", "add")
binary("__sub", "sub", "subtract")
binary("__mul", "mul", "multiply")
binary("__div", "div", "divide")
binary("__pow", "pow", "exponentiate")

function Expr.__unm(a)
  return setmetatable({ op = "neg", a }, Expr)
end

--- Uses of an expression that Lua tells us of, but that have no meaning: each raises.
local function forbid(event, message)
  Expr[event] = function()
    errors.raise(message)
  end
end

local branch = "attempt to compare expressions, which have no value yet: "
  .. "use sarrus.select, sarrus.min or sarrus.max"
forbid("__lt", branch)
forbid("__le", branch)
forbid("__mod", "expressions have no operator %")
forbid("__idiv", "expressions have no operator //")
forbid("__len", "attempt to get the length of an expression")
forbid("__concat", "attempt to concatenate an expression: use tostring")
forbid("__call", "attempt to call an expression: is an operator missing before the parenthesis?")
forbid("__newindex", "attempt to change an expression")

function Expr.__index(_, key)
  errors.raise("an expression has no field " .. errors.show(key))
end

-- Graphs ---------------------------------------------------------------------------------------

--- A graph of the core, empty.
---@type fun(): sarrus.Graph
expr.graph = graphs

function Expr:__tostring()
  if self.op == "graph" then
    return self.graph:print(self.node, self.names:namer())
  end
  local graph = graphs()
  local nodes = graph:nodes { self }
  return graph.core:print(nodes[1], graph:namer())
end

return expr
