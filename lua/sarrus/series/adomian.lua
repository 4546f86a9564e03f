--- Adomian polynomials, and the decomposition method for L u + R u + N(u) = f.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local indexed = require "sarrus.series.indexed"
local nested = require "sarrus.series.nested"
local series = require "sarrus.series"
local trace = require "sarrus.expr.trace"

local unpack = table.unpack or unpack -- luacheck: ignore

---@class sarrus.adomian
local adomian = {}

-- Symbols --------------------------------------------------------------------------------------

--- How many parameters a function has; one in C, or what is called otherwise, has one.
local function count_parameters(f)
  return type(f) == "function" and math.max(core.parameters(f), 1) or 1
end

local function component_name(variables, j, i)
  return variables == 1 and "u" .. i or ("u%d_%d"):format(j, i)
end

--- `N''(u0)`, `N^(4)(u0)`, `N^(1,0)(u1_0, u2_0)`
local function derivative_name(variables, p)
  local arguments, total = {}, 0
  for j = 1, variables do
    arguments[j] = component_name(variables, j, 0)
    total = total + p[j]
  end
  local mark = ""
  if total > 0 and (variables > 1 or total > 3) then
    mark = "^(" .. table.concat(p, ",") .. ")"
  elseif total > 0 then
    mark = ("'"):rep(total)
  end
  return "N" .. mark .. "(" .. table.concat(arguments, ", ") .. ")"
end

--- Name the derivatives of a general N: the digits of rank in base order + 1 are p.
local function name_derivatives(names, variables, order)
  local base = order + 1
  for rank = 0, base ^ variables - 1 do
    local p, total, digits = {}, 0, rank
    for j = 1, variables do
      p[j] = digits % base
      digits = math.floor(digits / base)
      total = total + p[j]
    end
    if total <= order then
      for j = 1, variables do
        p[j] = errors.show(p[j])
      end
      names[variables * base + rank] = derivative_name(variables, p)
    end
  end
end

--- The symbols u_j0 of all variables; every component has its name.
local function make_symbols(graph, variables, order)
  local names, symbols = {}, {}
  graph.names.u = names
  for j = 1, variables do
    for i = 0, order do
      names[(j - 1) * (order + 1) + i] = component_name(variables, j, i)
    end
    symbols[j] = expr.symbol("u", (j - 1) * (order + 1), component_name(variables, j, 0))
  end
  return symbols
end

local what = "adomian.polynomials"

local function check_polynomials(f, n, variables)
  local fault = errors.raise
  if f ~= nil then
    fields.callable(f, what .. ": N", fault)
  end
  fields.integer(0, 255)(n, what .. ": n", fault)
  if variables ~= nil then
    fields.integer(1, 16)(variables, what .. ": variables", fault)
  end
  return variables or (f ~= nil and count_parameters(f)) or 1
end

--- The Adomian polynomials A[0] … A[n] as expressions in u0 … un (several variables: u1_0, u2_0).
---@param N function? `function(u) return u^2 end`; nil for a general N
---@param n integer the highest order
---@param variables? integer how many variables N has; default: its parameters, or 1
---@return sarrus.Indexed A
function adomian.polynomials(N, n, variables)
  variables = check_polynomials(N, n, variables)
  local graph = expr.graph()
  local symbols = make_symbols(graph, variables, n)
  local root
  if N ~= nil then
    local value = trace.call(what, "N", N, unpack(symbols))
    root = graph:nodes({ trace.scalar(what, "N", value) })[1]
  end
  local nodes, message = core.adomian(graph.core, root, variables, n)
  if not nodes then
    errors.raise(("%s: n = %d for %s: %s"):format(what, n,
      errors.count(variables, "variable"), message))
  elseif N == nil then
    name_derivatives(graph.names.u, variables, n)
  end
  local A = indexed(n)
  for k = 0, n do
    A[k] = expr.of_graph(graph.core, nodes[k], graph)
  end
  return A
end

-- Numbers --------------------------------------------------------------------------------------

--- The components of one variable as a table from index 0, its order, and whether one is a series.
local function read_components(j, list)
  local name = ("adomian.evaluate: components of variable %d"):format(j)
  if type(list) ~= "table" and not series.is(list) then
    errors.raise(name .. ": " .. errors.got(list) .. ", want a list")
  end
  local first = list[0] ~= nil and 0 or 1
  local order = first == 0 and list.order or fields.length(list, name, errors.raise) - 1
  if order < 0 then
    errors.raise(name .. ": the list is empty")
  end
  local components, has_series = {}, false
  for i = 0, order do
    local u = list[i + first]
    if not series.is(u) then
      fields.number(u, ("%s: u%d"):format(name, i), errors.raise)
    end
    components[i] = u
    has_series = has_series or series.is(u)
  end
  return components, order, has_series
end

local function as_series(components, order)
  local list = {}
  for i = 0, order do
    list[i + 1] = components[i]
  end
  return series(list)
end

--- Coefficient k of what N returned: a series over L, or a constant.
local function coefficient(value, k, is_series)
  if is_series then
    return value[k]
  end
  return k == 0 and value or 0
end

--- The Adomian polynomials of N as numbers, or as series where components are series.
---@param N function
---@param ... table the components { u0, u1, … } of each variable
---@return sarrus.Indexed A A[0] … A[A.order]
function adomian.evaluate(N, ...)
  fields.callable(N, "adomian.evaluate: N", errors.raise)
  local variables, lists, orders, any_series = select("#", ...), {}, {}, false
  if variables == 0 then
    errors.raise("adomian.evaluate: want the components { u0, u1, ... } of each variable")
  end
  for j = 1, variables do
    local has_series
    lists[j], orders[j], has_series = read_components(j, (select(j, ...)))
    any_series = any_series or has_series
  end
  local order = math.min(unpack(orders))
  local arguments, make = {}, any_series and nested.new or as_series
  for j = 1, variables do
    arguments[j] = make(lists[j], order)
  end
  local value = trace.call("adomian.evaluate", "N", N, unpack(arguments))
  local is_series = nested.is(value) or (not any_series and series.is(value))
  if not is_series and not series.is(value) then
    fields.number(value, "adomian.evaluate: what N returned", errors.raise)
  end
  local A = indexed(order)
  for k = 0, order do
    A[k] = coefficient(value, k, is_series)
  end
  return A
end

adomian.solve = require "sarrus.series.adomian_solve"

return adomian
