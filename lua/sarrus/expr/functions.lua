--- The functions: a number in gives a number out, a series a series, an expression an expression.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"

---@alias sarrus.Value number|sarrus.Expression|sarrus.Series

-- The core lists the functions of one variable; for editors and the reference they stand here too.
---@class sarrus.functions
---@field sin fun(x: sarrus.Value): sarrus.Value
---@field cos fun(x: sarrus.Value): sarrus.Value
---@field tan fun(x: sarrus.Value): sarrus.Value
---@field asin fun(x: sarrus.Value): sarrus.Value
---@field acos fun(x: sarrus.Value): sarrus.Value
---@field sinh fun(x: sarrus.Value): sarrus.Value
---@field cosh fun(x: sarrus.Value): sarrus.Value
---@field tanh fun(x: sarrus.Value): sarrus.Value
---@field exp fun(x: sarrus.Value): sarrus.Value
---@field log fun(x: sarrus.Value): sarrus.Value natural logarithm
---@field sqrt fun(x: sarrus.Value): sarrus.Value
---@field abs fun(x: sarrus.Value): sarrus.Value
---@field sign fun(x: sarrus.Value): sarrus.Value -1, 0 or 1
local functions = {}

local getmetatable, type = getmetatable, type
local is_expression, node = expr.is, expr.node

-- metatable -> { rank, apply }: classes other than numbers and expressions.  Of the operands'
-- classes the one with the highest rank computes.
local classes = {}

--- Let a class take part: `apply(name, a, b, c)` computes a function with at least one operand of
--- the class.
---@param meta table its metatable
---@param rank integer
---@param apply fun(name: string, ...): any
local function join(meta, rank, apply)
  classes[meta] = { rank = rank, apply = apply }
end

--- Apply an operator by the class of x, if that has a higher rank.
---@param rank integer
---@param x any
---@return nil|fun(name: string, ...): any
local function above(rank, x)
  local class = classes[getmetatable(x)]
  return class and class.rank > rank and class.apply or nil
end

local function call_text(name, arguments)
  local texts = {}
  for i, x in ipairs(arguments) do
    texts[i] = errors.show(x)
  end
  return "sarrus." .. name:gsub("2$", "") .. "(" .. table.concat(texts, ", ") .. ")"
end

--- A function of numbers, by the C library.
local function of_numbers(name, ...)
  local value = core.functions[name](...)
  if value - value ~= 0 then
    errors.raise(call_text(name, { ... }) .. " is outside the domain, or too large")
  end
  return value
end

local function refuse(name, i, x)
  errors.raise(("sarrus.%s: argument %d is %s, want a number, a series or an expression%s"):format(
    name:gsub("2$", ""), i, errors.show(x), x == nil and ": is a name misspelt?" or ""))
end

--- Apply a function of n operands, whatever they are.
local function apply(name, n, ...)
  local best, expressions = nil, 0
  for i = 1, n do
    local x = (select(i, ...))
    local class = type(x) ~= "number" and classes[getmetatable(x)]
    if is_expression(x) then
      expressions = expressions + 1
    elseif class then
      best = best and best.rank > class.rank and best or class
    elseif type(x) ~= "number" or x - x ~= 0 then
      refuse(name, i, x)
    end
  end
  if best and expressions > 0 then
    errors.raise("sarrus." .. name .. ": cannot mix expressions and series")
  elseif best then
    return best.apply(name, ...)
  elseif expressions > 0 then
    return node(name, ...)
  end
  return of_numbers(name, ...)
end

local function unary(name)
  local f = core.functions[name]
  return function(x)
    if is_expression(x) then
      return node(name, x)
    elseif type(x) == "number" then
      local value = f(x)
      return value - value == 0 and value or of_numbers(name, x)
    end
    return apply(name, 1, x)
  end
end

for name, operands in pairs(core.arity) do
  if operands == 1 and core.functions[name] then
    functions[name] = unary(name)
  end
end

local atan = functions.atan

--- The angle whose tangent is y, or, with two arguments, the angle of the point (x, y), from -pi to
--- pi.
---@param y sarrus.Value
---@param ... sarrus.Value x
---@return sarrus.Value
function functions.atan(y, ...)
  if select("#", ...) == 0 then
    return atan(y)
  end
  return apply("atan2", 2, y, (...))
end

--- Fold a function of two operands over two or more.
local function fold(name)
  return function(first, ...)
    local count = select("#", ...)
    if count == 0 then
      errors.raise("sarrus." .. name .. ": want two or more arguments")
    end
    local result = first
    for i = 1, count do
      result = apply(name, 2, result, (select(i, ...)))
    end
    return result
  end
end

---@type fun(a: sarrus.Value, b: sarrus.Value, ...: sarrus.Value): sarrus.Value the smallest
functions.min = fold("min")
---@type fun(a: sarrus.Value, b: sarrus.Value, ...: sarrus.Value): sarrus.Value the largest
functions.max = fold("max")

--- `a` where x >= 0, else `b`.
---@param x sarrus.Value
---@param a sarrus.Value
---@param b sarrus.Value
---@return sarrus.Value
function functions.select(x, a, b)
  return apply("select", 3, x, a, b)
end

return { public = functions, apply = apply, join = join, above = above }
