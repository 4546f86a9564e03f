--- Graphs of the core, into which expressions are copied: equal ones become one node.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"

local setmetatable, type = setmetatable, type

-- Operands of each operation.
local arity = { symbol = 0, parameter = 0, graph = 0, table = 1, diff = 2, dot2 = 4, dot3 = 6 }
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
    stack = {}, opened = {}, pending = {}, signs = {}, -- workspace of `nodes`
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

--- Count the uses of what a root needs, but those of leaves, which nobody asks for.
local function count_uses(self, root)
  local uses, stack, top = self.uses, self.stack, 1
  stack[1] = root
  while top > 0 do
    local node = stack[top]
    top = top - 1
    local known = uses[node]
    uses[node] = (known or 0) + 1
    if not known then
      for i = 1, arity[node.op] do
        local x = node[i]
        if type(x) ~= "number" and arity[x.op] > 0 then
          top = top + 1
          stack[top] = x
        end
      end
    end
  end
end

local is_sum = { add = true, sub = true, neg = true, dot2 = true, dot3 = true }

--- The record of a sum that is taken apart: constant + sum of factors[i] * nodes[i] * seconds[i],
--- false where there is no second one.  The first `done` terms have nodes of the graph, `ids`.
local function new_record()
  return { factors = {}, nodes = {}, seconds = {}, ids = {}, constant = 0, count = 0, done = 0 }
end

--- Take a sum apart.  Sums and multiples inside that serve nothing else are opened too, so that a
--- sum of any length is one node of the graph.
local function open_sum(self, sum)
  local uses, memo, pending, signs = self.uses, self.memo, self.pending, self.signs
  local open = self.spare or new_record()
  local factors, nodes, seconds, constant, n = open.factors, open.nodes, open.seconds, 0, 0
  local top = 1
  self.spare, open.spare = open.spare, nil
  pending[1], signs[1] = sum, 1
  while top > 0 do
    local node, factor = pending[top], signs[top]
    top = top - 1
    local op = type(node) ~= "number" and node.op
    local opens = op and (node == sum or uses[node] == 1 and not memo[node])
    if not op then
      constant = constant + factor * node
    elseif opens and (op == "add" or op == "sub") then
      pending[top + 1], signs[top + 1] = node[2], op == "sub" and -factor or factor
      pending[top + 2], signs[top + 2] = node[1], factor
      top = top + 2
    elseif opens and op == "neg" then
      pending[top + 1], signs[top + 1] = node[1], -factor
      top = top + 1
    elseif opens and is_sum[op] then
      for i = 1, arity[op], 2 do
        n = n + 1
        factors[n], nodes[n], seconds[n] = factor, node[i], node[i + 1]
      end
    elseif opens and op == "mul" and type(node[1]) == "number" then
      pending[top + 1], signs[top + 1] = node[2], factor * node[1]
      top = top + 1
    elseif opens and op == "mul" and type(node[2]) == "number" then
      pending[top + 1], signs[top + 1] = node[1], factor * node[2]
      top = top + 1
    else
      n = n + 1
      factors[n], nodes[n], seconds[n] = factor, node, false
    end
  end
  open.constant, open.count, open.done = constant, n, 0
  return open
end

--- Go on with the terms of a sum, up to the first that needs a node which is not yet copied: that
--- node, or nil where all are done.
local function next_missing(self, open)
  local memo, nodes, seconds, ids = self.memo, open.nodes, open.seconds, open.ids
  for i = open.done + 1, open.count do
    local a, b = nodes[i], seconds[i]
    if not memo[a] then
      return a
    elseif b and not memo[b] then
      return b
    end
    ids[i] = b and self.core:apply("mul", memo[a], memo[b]) or memo[a]
    open.done = i
  end
end

--- The node of a sum whose terms are done; its record serves the next one.
local function build_sum(self, open)
  local factors, check = open.factors, open.constant
  for i = 1, open.count do
    check = check + factors[i] * 0
  end
  if check - check ~= 0 then
    errors.raise("a constant of the expression is too large")
  end
  open.spare, self.spare = self.spare, open
  return self.core:linear(open.constant, open.count, factors, open.ids)
end

local function build_constant(self, x)
  local node = self.core:constant(x)
  self.memo[x] = node
  return node
end

--- Put the operands of a node that are not yet copied on the stack, the first on top; numbers are
--- copied at once.
local function push_operands(self, top, node)
  local memo, stack, opened = self.memo, self.stack, self.opened
  for i = arity[node.op], 1, -1 do
    local x = node[i]
    if not memo[x] and type(x) == "number" then
      build_constant(self, x)
    elseif not memo[x] then
      top = top + 1
      stack[top], opened[top] = x, false
    end
  end
  return top
end

--- Depth first: a node is opened when it is met, and built when its operands are.
local function copy(self, root)
  local memo, stack, opened, top = self.memo, self.stack, self.opened, 1
  stack[1], opened[1] = root, false
  while top > 0 do
    local node, open = stack[top], opened[top]
    if memo[node] then
      top = top - 1
    elseif open == true then
      memo[node] = (build[node.op] or build_plain)(self, node)
      top = top - 1
    elseif not open and not is_sum[node.op] then
      opened[top] = true
      top = push_operands(self, top, node)
    else
      open = open or open_sum(self, node)
      opened[top] = open
      local missing = next_missing(self, open)
      if missing then
        top = top + 1
        stack[top], opened[top] = missing, false
      else
        memo[node] = build_sum(self, open)
        top = top - 1
      end
    end
  end
  return memo[root]
end

--- The nodes of expressions and numbers, copied where they are new; what they share is shared.
---@param roots sarrus.Scalar[]
---@return integer[] nodes their indices in the graph
function Graph:nodes(roots)
  local nodes, memo = {}, self.memo
  for i = 1, #roots do
    if type(roots[i]) ~= "number" then
      count_uses(self, roots[i])
    end
  end
  for i = 1, #roots do
    local root = roots[i]
    nodes[i] = memo[root] or type(root) == "number" and build_constant(self, root)
      or copy(self, root)
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
