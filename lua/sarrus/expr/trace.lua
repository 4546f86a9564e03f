--- Calls a script's function once with symbols, and says clearly what went wrong with it.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local functions = require "sarrus.expr.functions".public

local trace = {}

local show = errors.show

-- Symbols --------------------------------------------------------------------------------------

--- A list of symbols, read by name or by position: `q.theta1`, `q[1]`.
---@class sarrus.Symbols
---@field [integer] sarrus.Expression
---@field [string] sarrus.Expression

local function symbols_meta(names, noun)
  local meta = { __name = "sarrus.symbols" }
  function meta.__index(_, key)
    if type(key) == "number" then
      if key == #names + 1 then
        return nil -- where ipairs stops
      end
      errors.raise(("unknown %s %s: there are %d"):format(noun, show(key), #names))
    end
    errors.raise(("unknown %s '%s'%s"):format(noun, tostring(key), errors.suggest(key, names)))
  end
  function meta.__newindex(_, key)
    errors.raise(("attempt to set %s '%s': symbols are read only"):format(noun, tostring(key)))
  end
  return meta
end

--- Symbols of one kind, one for each name.
---@param kind string
---@param names string[]
---@param noun string what to call one of them, as in "coordinate"
---@return sarrus.Symbols
function trace.symbols(kind, names, noun)
  local list = {}
  local primes = kind == "v" and "'" or kind == "a" and "''" or ""
  for i, name in ipairs(names) do
    local symbol = expr.symbol(kind, i - 1, name .. primes)
    list[i] = symbol
    list[name] = symbol
  end
  return setmetatable(list, symbols_meta(names, noun))
end

-- Calls ----------------------------------------------------------------------------------------

--- The name that the innermost C function on the stack has in `math`.
local function math_function()
  for level = 2, 12 do
    for name, f in pairs(math) do
      if type(f) == "function" and core.runs(f, level) then
        return name
      end
    end
  end
end

--- A hint for what Lua itself complains about; nil if we have none.
local function advice(message)
  if message:find("sarrus.select", 1, true) then
    return nil
  elseif message:find("bad argument #", 1, true)
    and (message:find("got table", 1, true) or message:find("got sarrus.", 1, true)) then
    local name = math_function()
    if name and rawget(functions, name) then
      return "use sarrus." .. name .. " for expressions and series"
    end
    return "functions of expressions and series are in sarrus (sarrus.sin, sarrus.cos ...)"
  elseif message:find("attempt to compare", 1, true) then
    return "expressions have no value yet: use sarrus.select, sarrus.min or sarrus.max"
  elseif message:find("arithmetic on", 1, true) and message:find("nil value", 1, true) then
    return "is a name misspelt?"
  end
end

--- `file:line: owner: message; advice`
local function explain(owner, message)
  local where, rest = message:match("^(.-:%d+: )(.*)$")
  if not where then
    local line = errors.where()
    where, rest = line and line .. ": " or "", message
  end
  local hint = advice(rest)
  return where .. owner .. ": " .. rest .. (hint and "; " .. hint or "")
end

local function pack(...)
  return select("#", ...), { ... }
end

--- Call a script's function with symbols, protected.
---@param what string the object, as in `system "robot"`
---@param field string the function's field, as in "mass"
---@param f any
---@return any what it returns
function trace.call(what, field, f, ...)
  if not fields.is_callable(f) then
    errors.raise(("%s: %s: %s, want function"):format(what, field, errors.got(f)))
  end
  local arguments, given = { ... }, select("#", ...)
  local unpack = table.unpack or unpack -- luacheck: std max
  local count, results = pack(xpcall(function()
    return f(unpack(arguments, 1, given))
  end, function(problem)
    return type(problem) == "string" and explain(what .. ": " .. field, problem) or problem
  end))
  if not results[1] then
    error(results[2], 0)
  elseif count > 2 then
    errors.raise(("%s: %s returned %d results, want one: several go into a list"):format(what,
      field, count - 1))
  end
  return results[2]
end

--- Call a script's function with the frames of bodies, then the time.
---@param what string
---@param field string
---@param f any
---@param frames sarrus.Frame[]
---@return any what it returns
function trace.call_at(what, field, f, frames)
  local list = {}
  for i, at in ipairs(frames) do
    list[i] = at
  end
  list[#list + 1] = expr.time
  local unpack = table.unpack or unpack -- luacheck: std max
  return trace.call(what, field, f, unpack(list))
end

-- Results --------------------------------------------------------------------------------------

--- An expression or a finite number.
local function check_entry(what, name, value)
  if expr.is(value) or (type(value) == "number" and value - value == 0) then
    return value
  end
  errors.raise(("%s: %s is %s, want an expression or a finite number"):format(what, name,
    show(value)))
end

local function check_list(what, name, value, wanted)
  if type(value) ~= "table" or expr.is(value) then
    errors.raise(("%s: %s returned %s, want %s"):format(what, name, show(value), wanted))
  end
  return fields.length(value, what .. ": " .. name, errors.raise)
end

--- Check that a function returned a list of scalars.
---@param what string
---@param field string
---@param value any what it returned
---@param count? integer how many; any number without it
---@return sarrus.Scalar[]
function trace.vector(what, field, value, count)
  local wanted = count and "a list of " .. count or "a list"
  local length = check_list(what, field, value, wanted)
  if count and length ~= count then
    errors.raise(("%s: %s returned %s, expected %d"):format(what, field,
      errors.count(length, "value"), count))
  end
  local list = {}
  for i = 1, length do
    list[i] = check_entry(what, ("%s[%d]"):format(field, i), value[i])
  end
  return list
end

local function check_row(what, field, i, row, n)
  local name = ("%s[%d]"):format(field, i)
  if type(row) ~= "table" or expr.is(row) then
    errors.raise(("%s: %s is %s, want a row of %d"):format(what, name, show(row), n))
  end
  local length = fields.length(row, what .. ": " .. name, errors.raise)
  if length ~= n then
    errors.raise(("%s: %s has %s, expected %d"):format(what, name, errors.count(length, "value"),
      n))
  end
  local entries = {}
  for j = 1, n do
    entries[j] = check_entry(what, ("%s[%d]"):format(name, j), row[j])
  end
  return entries
end

--- Check that a function returned an n by n matrix of scalars.
---@param what string
---@param field string
---@param value any what it returned
---@param n integer
---@return sarrus.Scalar[][]
function trace.matrix(what, field, value, n)
  local length = check_list(what, field, value, ("a list of %d rows"):format(n))
  if length ~= n then
    errors.raise(("%s: %s returned %s, expected %d"):format(what, field,
      errors.count(length, "row"), n))
  end
  local rows = {}
  for i = 1, n do
    rows[i] = check_row(what, field, i, value[i], n)
  end
  return rows
end

--- Check that a function returned one scalar.
---@param what string
---@param field string
---@param value any
---@return sarrus.Scalar
function trace.scalar(what, field, value)
  return check_entry(what, field, value)
end

return trace
