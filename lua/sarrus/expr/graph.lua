--- Graphs of the core, into which expressions are copied: equal ones become one node.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"

local setmetatable, type = setmetatable, type

-- Operands of each operation.
local arity = { symbol = 0, parameter = 0, graph = 0, table = 1, diff = 2 }
for name, operands in pairs(core.arity) do
  arity[name] = operands
end

--- A graph, and the names of what is in it.  `parameters` lists those met so far, in order.
---@class sarrus.Graph
---@field core userdata
---@field parameters { name: string, value: number, hidden: boolean? }[] the i-th is the symbol ("parameter", i - 1)
local Graph = {}
Graph.__index = Graph

--- An empty graph.
---@return sarrus.Graph
local function new()
  return setmetatable({
    core = core.graph(),
    memo = {}, -- node or number -> index in the graph
    uses = {}, -- node -> how many nodes and roots use it
    names = {}, -- kind -> index -> name
    parameters = {},
    parameter_index = {}, -- name -> index
    tables = {}, -- sarrus.table -> its number in the graph
  }, Graph)
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
function Graph:name(kind, index)
  local names = self.names[kind]
  return names and names[index] or kind .. index
end

local build = {}

function build.symbol(self, node)
  learn(self, node.kind, node.index, node.name)
  return self.core:symbol(node.kind, node.index)
end

function build.parameter(self, node)
  local index = self.parameter_index[node.name]
  if not index then
    index = #self.parameters
    self.parameters[index + 1] = {
      name = node.name, value = node.value, hidden = rawget(node, "hidden"),
    }
    self.parameter_index[node.name] = index
    learn(self, "parameter", index, node.name)
  elseif self.parameters[index + 1].value ~= node.value then
    errors.raise(("parameter '%s' has two values, %s and %s"):format(node.name,
      errors.show(self.parameters[index + 1].value), errors.show(node.value)))
  end
  return self.core:symbol("parameter", index)
end

--- A node of a graph keeps its indices, so its parameters must have the same ones here.
function build.graph(self, node)
  for i, parameter in ipairs(node.names.parameters) do
    build.parameter(self, parameter)
    if self.parameter_index[parameter.name] ~= i - 1 then
      errors.raise(("parameter '%s' came too late: use it first"):format(parameter.name))
    end
  end
  for kind, names in pairs(node.names.names) do
    for index, name in pairs(names) do
      learn(self, kind, index, name)
    end
  end
  return self.core:import(node.graph, node.node)
end

function build.table(self, node)
  local data = node.data
  local number = self.tables[data]
  if not number then
    number = self.core:new_table(data.x, data.y)
    self.tables[data] = number
  end
  return self.core:table(number, self.memo[node[1]])
end

function build.diff(self, node)
  return self.core:diff(self.memo[node[1]], self.memo[node[2]])
end

function build.pow(self, node)
  if type(node[2]) == "number" then
    return self.core:power(self.memo[node[1]], node[2])
  end
  return self.core:apply("pow", self.memo[node[1]], self.memo[node[2]])
end

local function build_plain(self, node)
  local memo, n = self.memo, arity[node.op]
  return self.core:apply(node.op, memo[node[1]], n > 1 and memo[node[2]] or nil,
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
  local memo, ids, check = self.memo, {}, sum.constant
  for i = 1, sum.count do
    ids[i] = memo[sum.nodes[i]]
    check = check + sum.factors[i] * 0
  end
  if check - check ~= 0 then
    errors.raise("a constant of the expression is too large")
  end
  return self.core:linear(sum.constant, sum.count, sum.factors, ids)
end

--- Put the operands that are not yet copied on the stack, the first on top; numbers are copied at
--- once.
local function push_operands(self, stack, top, operands, count)
  local memo = self.memo
  for i = count, 1, -1 do
    local x = operands[i]
    if not memo[x] then
      if type(x) == "number" then
        memo[x] = self.core:constant(x)
      else
        top = top + 1
        stack[top] = x
      end
    end
  end
  return top
end

--- Depth first: a node is opened when it is met, and built when its operands are.
local function copy(self, root)
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

--- The nodes of expressions and numbers, copied where they are new; what they share is shared.
---@param roots sarrus.Scalar[]
---@return integer[] nodes their indices in the graph
function Graph:nodes(roots)
  local nodes = {}
  for i = 1, #roots do
    count_uses(self, roots[i])
  end
  for i = 1, #roots do
    nodes[i] = copy(self, roots[i])
  end
  return nodes
end

--- The names of the graph's symbols, for its printer.
---@return fun(kind: string, index: integer): string
function Graph:namer()
  return function(kind, index)
    return self:name(kind, index)
  end
end

return new
