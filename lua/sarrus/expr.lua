--- Expressions: what a traced function computes with.
---
--- A node is a table that records an operation and its operands, `{ op = "add", a, b }`; numbers
--- stand for themselves.  Nothing is simplified here: that is the core's work, once the nodes are
--- imported into one of its graphs.  Leaves are symbols `{ op = "symbol", kind, index, name }`
--- (kinds as in the core: time q v a lambda u; index from 0), parameters `{ op = "parameter",
--- name, value }`, and nodes of a graph `{ op = "graph", graph, node, names }`.

local core = require "sarrus.core"
local errors = require "sarrus.errors"

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

--- A node; operands must have been checked.
---@return sarrus.Expression
function expr.node(op, a, b, c)
  return setmetatable({ op = op, a, b, c }, Expr)
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
---@param names table the importer that knows the graph's names
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

--- The operands are not what we can record: another class may know better, otherwise misuse.
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

--- What Lua lets us see and an expression cannot do.
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

-- Import ---------------------------------------------------------------------------------------

local arity = {
  symbol = 0, parameter = 0, graph = 0, table = 1, diff = 2, neg = 1, add = 2, sub = 2, mul = 2,
  div = 2, pow = 2, sin = 1, cos = 1, tan = 1, asin = 1, acos = 1, atan = 1, atan2 = 2, sinh = 1,
  cosh = 1, tanh = 1, exp = 1, log = 1, sqrt = 1, abs = 1, sign = 1, min = 2, max = 2, select = 3,
}

--- Copies expressions into one graph.  `parameters` lists those met so far, in order.
---@class sarrus.Importer
---@field graph userdata
---@field parameters { name: string, value: number }[] the i-th is the symbol ("parameter", i - 1)
local Importer = {}
Importer.__index = Importer

--- An importer into a graph of the core.
---@return sarrus.Importer
function expr.importer(graph)
  return setmetatable({
    graph = graph,
    memo = {}, -- node or number -> index in the graph
    uses = {}, -- node -> how many nodes and roots use it
    names = {}, -- kind -> index -> name
    parameters = {},
    parameter_index = {}, -- name -> index
    tables = {}, -- sarrus.table -> its number in the graph
  }, Importer)
end

--- Keep the name of a symbol; one symbol has one name.
local function learn(self, kind, index, name)
  local names = self.names[kind]
  if not names then
    names = {}
    self.names[kind] = names
  end
  if names[index] and names[index] ~= name then
    errors.raise(("'%s' and '%s' belong to different systems"):format(names[index], name))
  end
  names[index] = name
end

--- The name of a symbol met so far; serves the graph's printer.
---@return string
function Importer:name(kind, index)
  local names = self.names[kind]
  return names and names[index] or kind .. index
end

local build = {}

function build.symbol(self, node)
  learn(self, node.kind, node.index, node.name)
  return self.graph:symbol(node.kind, node.index)
end

function build.parameter(self, node)
  local index = self.parameter_index[node.name]
  if not index then
    index = #self.parameters
    self.parameters[index + 1] = { name = node.name, value = node.value }
    self.parameter_index[node.name] = index
    learn(self, "parameter", index, node.name)
  elseif self.parameters[index + 1].value ~= node.value then
    errors.raise(("parameter '%s' has two values, %s and %s"):format(node.name,
      errors.show(self.parameters[index + 1].value), errors.show(node.value)))
  end
  return self.graph:symbol("parameter", index)
end

function build.graph(self, node)
  for kind, names in pairs(node.names.names) do
    for index, name in pairs(names) do
      learn(self, kind, index, name)
    end
  end
  return self.graph:import(node.graph, node.node)
end

function build.table(self, node)
  local data = node.data
  local number = self.tables[data]
  if not number then
    number = self.graph:new_table(data.x, data.y)
    self.tables[data] = number
  end
  return self.graph:table(number, self.memo[node[1]])
end

function build.diff(self, node)
  return self.graph:diff(self.memo[node[1]], self.memo[node[2]])
end

function build.pow(self, node)
  if type(node[2]) == "number" then
    return self.graph:power(self.memo[node[1]], node[2])
  end
  return self.graph:apply("pow", self.memo[node[1]], self.memo[node[2]])
end

local function build_plain(self, node)
  local memo, n = self.memo, arity[node.op]
  return self.graph:apply(node.op, memo[node[1]], n > 1 and memo[node[2]] or nil,
    n > 2 and memo[node[3]] or nil)
end

--- Count the uses of what the root needs.
local function count_uses(self, root)
  local uses, stack, top = self.uses, { root }, 1
  while top > 0 do
    local node = stack[top]
    top = top - 1
    if type(node) ~= "number" then
      local known = uses[node]
      uses[node] = (known or 0) + 1
      if not known then
        for i = 1, arity[node.op] do
          stack[top + i] = node[i]
        end
        top = top + arity[node.op]
      end
    end
  end
end

local is_sum = { add = true, sub = true, neg = true }

--- Take a sum apart: constant + sum of factors[i] * nodes[i].  Sums and multiples inside that serve
--- nothing else are opened too, so that a sum of any length is one node of the graph.
local function open_sum(self, sum)
  local uses, memo = self.uses, self.memo
  local constant, factors, nodes, n = 0, {}, {}, 0
  local pending, signs, top = { sum }, { 1 }, 1
  while top > 0 do
    local node, factor = pending[top], signs[top]
    top = top - 1
    local op = type(node) ~= "number" and node.op
    local open = node == sum or (op and uses[node] == 1 and not memo[node])
    if not op then
      constant = constant + factor * node
    elseif open and is_sum[op] then
      if op ~= "neg" then
        pending[top + 1], signs[top + 1] = node[2], op == "sub" and -factor or factor
        pending[top + 2], signs[top + 2] = node[1], factor
        top = top + 2
      else
        pending[top + 1], signs[top + 1] = node[1], -factor
        top = top + 1
      end
    elseif open and op == "mul" and type(node[1]) == "number" then
      pending[top + 1], signs[top + 1] = node[2], factor * node[1]
      top = top + 1
    elseif open and op == "mul" and type(node[2]) == "number" then
      pending[top + 1], signs[top + 1] = node[1], factor * node[2]
      top = top + 1
    else
      n = n + 1
      factors[n], nodes[n] = factor, node
    end
  end
  return { constant = constant, factors = factors, nodes = nodes, count = n }
end

local function build_sum(self, sum)
  local memo, ids = self.memo, {}
  for i = 1, sum.count do
    ids[i] = memo[sum.nodes[i]]
  end
  return self.graph:linear(sum.constant, sum.count, sum.factors, ids)
end

--- Put the operands that are not yet imported on the stack; numbers are imported at once.
local function push_operands(self, stack, top, operands, count)
  local memo = self.memo
  for i = 1, count do
    local x = operands[i]
    if not memo[x] then
      if type(x) == "number" then
        memo[x] = self.graph:constant(x)
      else
        top = top + 1
        stack[top] = x
      end
    end
  end
  return top
end

--- Depth first: a node is opened when it is met, and built when its operands are.
local function import(self, root)
  local memo, opened, stack = self.memo, {}, {}
  local top = push_operands(self, stack, 0, { root }, 1)
  while top > 0 do
    local node = stack[top]
    local open = opened[node]
    if memo[node] then
      top = top - 1
    elseif open then
      local op = node.op
      memo[node] = is_sum[op] and build_sum(self, open) or (build[op] or build_plain)(self, node)
      top = top - 1
    elseif is_sum[node.op] then
      open = open_sum(self, node)
      opened[node] = open
      top = push_operands(self, stack, top, open.nodes, open.count)
    else
      opened[node] = true
      top = push_operands(self, stack, top, node, arity[node.op])
    end
  end
  return memo[root]
end

--- Import expressions and numbers; what they share is shared in the graph.
---@param roots sarrus.Scalar[]
---@return integer[] nodes their indices in the graph
function Importer:import(roots)
  local nodes = {}
  for i = 1, #roots do
    count_uses(self, roots[i])
  end
  for i = 1, #roots do
    nodes[i] = import(self, roots[i])
  end
  return nodes
end

--- The names of the graph's symbols, for its printer.
---@return fun(kind: string, index: integer): string
function Importer:namer()
  return function(kind, index)
    return self:name(kind, index)
  end
end

function Expr:__tostring()
  if self.op == "graph" then
    return self.graph:print(self.node, self.names:namer())
  end
  local importer = expr.importer(core.graph())
  local nodes = importer:import { self }
  return importer.graph:print(nodes[1], importer:namer())
end

return expr
