--- The decomposition method, classical form: L u + R u + N(u) = f with L = d^m/dt^m,
---   u_0     = u(0) + u'(0) t + … + L^-1 f,
---   u_{n+1} = -L^-1 (R u_n) - L^-1 A_n,
--- where L^-1 integrates m times from 0 and A_n are the Adomian polynomials of N.  All are series.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local indexed = require "sarrus.series.indexed"
local nested = require "sarrus.series.nested"
local series = require "sarrus.series"
local trace = require "sarrus.expr.trace"

local unpack = table.unpack or unpack -- luacheck: ignore

local what = "adomian.solve"
local HIGHEST_ORDER, MOST_COMPONENTS, HIGHEST_DERIVATIVE = 1000, 1000, 20

local specification = {
  { "derivative", fields.integer(1, HIGHEST_DERIVATIVE), default = 1 },
  { "linear", fields.callable },
  { "nonlinear", fields.callable },
  { "source", fields.callable },
  { "initial", fields.table, required = true },
  { "components", fields.integer(1, MOST_COMPONENTS) },
  { "order", fields.integer(0, HIGHEST_ORDER), default = 10 },
}

--- The problem, checked: `initial` as a list of lists, one for each unknown.
local function read(given)
  local problem = fields.check(specification, given, what)
  local m = problem.derivative
  local fault, faults = fields.faults(what, errors.where())
  problem.is_system = type(problem.initial[1]) == "table"
  local values = fields.list(fields.number, m)
  if problem.is_system then
    problem.initial = fields.list(values)(problem.initial, "initial", fault)
  else
    problem.initial = { values(problem.initial, "initial", fault) }
  end
  fields.raise(faults)
  problem.components = problem.components or problem.order + 1
  problem.unknowns = #problem.initial
  -- Derivatives up to m - 1 must keep a coefficient.
  problem.working_order = math.max(problem.order, m)
  problem.zero = series.variable(problem.working_order) * 0
  return problem
end

--- Integrate m times from 0.
local function invert(problem, s)
  for _ = 1, problem.derivative do
    s = s:integral() + problem.zero
  end
  return s
end

--- What a function of the problem returned, one value for each unknown.
local function read_values(problem, field, value)
  local values = problem.is_system and value or { value }
  if type(values) ~= "table" or nested.is(values) then
    errors.raise(("%s: %s returned %s, want a list of %d"):format(what, field, errors.show(values),
      problem.unknowns))
  end
  local checked = {}
  for i = 1, problem.unknowns do
    local x = values[i]
    if not series.is(x) and not nested.is(x) then
      fields.number(x, ("%s: what %s returned%s"):format(what, field,
        problem.is_system and " for unknown " .. i or ""), errors.raise)
    end
    checked[i] = x
  end
  return checked
end

--- Call a function of the problem with u, u', … and t; `pick(i, d)` gives the d-th derivative of
--- unknown i.
local function call(problem, field, pick)
  local arguments = {}
  for d = 0, problem.derivative - 1 do
    local unknowns = {}
    for i = 1, problem.unknowns do
      unknowns[i] = pick(i, d)
    end
    arguments[d + 1] = problem.is_system and unknowns or unknowns[1]
  end
  arguments[#arguments + 1] = series.variable(problem.working_order)
  return read_values(problem, field, trace.call(what, field, problem[field], unpack(arguments)))
end

--- u and its derivatives below m.
local function with_derivatives(problem, u)
  local list = { [0] = u }
  for d = 1, problem.derivative - 1 do
    list[d] = list[d - 1]:derivative()
  end
  return list
end

--- u_0 of unknown i
local function start(problem, i, source)
  local t, u, power = series.variable(problem.working_order), problem.zero, 1
  for d, value in ipairs(problem.initial[i]) do
    u = u + power * value
    power = power * t / d
  end
  return u + invert(problem, problem.zero + source)
end

local function starts(problem)
  local sources, list = {}, {}
  if problem.source then
    local t = series.variable(problem.working_order)
    sources = read_values(problem, "source", trace.call(what, "source", problem.source, t))
  end
  for i = 1, problem.unknowns do
    list[i] = with_derivatives(problem, start(problem, i, sources[i] or 0))
  end
  return list
end

--- R u_n
local function linear_part(problem, latest, factor)
  return call(problem, "linear", function(i, d)
    return latest[i][d] * factor
  end)
end

--- A function that is not homogeneous spoils the method silently: R(2 u) = 2 R(u) is asked once.
local function check_linear(problem, latest)
  local once, twice = linear_part(problem, latest, 1), linear_part(problem, latest, 2)
  for i = 1, problem.unknowns do
    local a, b = problem.zero + once[i] * 2, problem.zero + twice[i]
    for k = 0, math.min(a.order, b.order) do
      if math.abs(a[k] - b[k]) > 1e-9 * (math.abs(a[k]) + math.abs(b[k])) then
        errors.raise(what .. ": linear is not linear in u: "
          .. "constants belong into source, the rest into nonlinear")
      end
    end
  end
end

--- A_n from the components so far
local function nonlinear_part(problem, components, n)
  local values = call(problem, "nonlinear", function(i, d)
    local list = {}
    for k = 0, n do
      list[k] = components[k][i][d]
    end
    return nested.new(list, n)
  end)
  for i, value in ipairs(values) do
    if nested.is(value) then
      values[i] = value[n]
    elseif n > 0 then
      values[i] = 0
    end
  end
  return values
end

--- u_{n+1}
local function advance(problem, components, n)
  local R = problem.linear and linear_part(problem, components[n], 1) or {}
  local A = problem.nonlinear and nonlinear_part(problem, components, n) or {}
  local list = {}
  for i = 1, problem.unknowns do
    local sum = problem.zero + (R[i] or 0) + (A[i] or 0)
    list[i] = with_derivatives(problem, -invert(problem, sum))
  end
  return list
end

---@class sarrus.AdomianSolution
---@field components sarrus.Indexed series u_0, u_1, … (a system: a list of these)
---@field sum sarrus.Series (a system: a list of these)
local Solution = { __name = "sarrus.adomian_solution" }

function Solution:__tostring()
  local lines = {}
  for i, one in ipairs(#self > 0 and self or { self }) do
    local name = #self > 0 and "u" .. i or "u"
    for k = 0, one.components.order do
      lines[#lines + 1] = ("%s_%d = %s"):format(name, k, tostring(one.components[k]))
    end
    lines[#lines + 1] = ("%s = %s"):format(name, tostring(one.sum))
  end
  return table.concat(lines, "\n")
end

--- The components of unknown i to the order asked for, and their sum.
local function collect(problem, components, i)
  local list = indexed(problem.components - 1)
  local zero = series.variable(problem.order) * 0
  local sum = zero
  for k = 0, problem.components - 1 do
    list[k] = zero + components[k][i][0]
    sum = sum + list[k]
  end
  return setmetatable({ components = list, sum = sum }, Solution)
end

--- For a system the parts stand in lists, `sol.sum[i]` and `sol.components[i][n]`, and `sol[i]` is
--- the solution for unknown i alone.
local function collect_system(problem, components)
  local result = { components = {}, sum = {} }
  for i = 1, problem.unknowns do
    result[i] = collect(problem, components, i)
    result.components[i], result.sum[i] = result[i].components, result[i].sum
  end
  return setmetatable(result, Solution)
end

---@class sarrus.AdomianProblem
---@field derivative? integer m in L = d^m/dt^m, default 1
---@field linear? function R: function(u, du, …, t), up to the derivative m - 1
---@field nonlinear? function N, likewise
---@field source? function f: function(t)
---@field initial number[]|number[][] u(0), u'(0), … (a system: a list of these)
---@field components? integer how many components, default order + 1
---@field order? integer of the series, default 10

--- The decomposition method for L u + R u + N(u) = f.
---@param given sarrus.AdomianProblem
---@return sarrus.AdomianSolution
return function(given)
  local problem = read(given)
  local components = { [0] = starts(problem) }
  if problem.linear then
    check_linear(problem, components[0])
  end
  for n = 0, problem.components - 2 do
    components[n + 1] = advance(problem, components, n)
  end
  if problem.is_system then
    return collect_system(problem, components)
  end
  return collect(problem, components, 1)
end
