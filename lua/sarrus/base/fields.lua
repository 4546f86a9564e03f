--- The one checker of declaration tables.
---
--- A specification is a list of fields, `{ name, kind, required = true, default = value, also =
--- what others call it }`, in the order in which faults are told.  A kind is a function
--- `kind(value, path, fault)` that returns the value to use, or calls `fault(message)` and returns
--- nil.  Faults are collected: one message tells them all, up to 20.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"

local fields = {}

fields.LIMIT = 20

local got, show = errors.got, errors.show

--- A place inside a declaration: `mass`, `q[2]`, `limits.low`.
local function path_to(path, key)
  if path == "" then
    return type(key) == "string" and key or "[" .. show(key) .. "]"
  end
  return path .. (type(key) == "string" and "." .. key or "[" .. show(key) .. "]")
end

local function is_finite(x)
  return x - x == 0
end

local function is_callable(value)
  return type(value) == "function" or core.has(value, "__call")
end
fields.is_callable = is_callable

--- A kind that accepts values of one Lua type.
local function of_type(wanted)
  return function(value, path, fault)
    if type(value) == wanted then
      return value
    end
    fault(path .. ": " .. got(value) .. ", want " .. wanted)
  end
end

fields.string = of_type("string")
fields.boolean = of_type("boolean")
fields.table = of_type("table")

--- A finite number.
function fields.number(value, path, fault)
  if type(value) ~= "number" then
    fault(path .. ": " .. got(value) .. ", want number")
  elseif not is_finite(value) then
    fault(path .. ": " .. show(value) .. " is not finite")
  else
    return value
  end
end

--- A whole number from low to high.
---@param low number
---@param high number
function fields.integer(low, high)
  local range = "a whole number from " .. show(low) .. " to " .. show(high)
  return function(value, path, fault)
    if type(value) ~= "number" then
      fault(path .. ": " .. got(value) .. ", want " .. range)
    elseif not (value >= low and value <= high and value == math.floor(value)) then
      fault(path .. ": " .. show(value) .. " is not " .. range)
    else
      return value
    end
  end
end

--- A function, or an object that can be called.
function fields.callable(value, path, fault)
  if is_callable(value) then
    return value
  end
  fault(path .. ": " .. got(value) .. ", want function")
end

--- One of some strings.
---@param words string[]
function fields.one_of(words)
  local accepted = '"' .. table.concat(words, '", "') .. '"'
  return function(value, path, fault)
    for _, word in ipairs(words) do
      if value == word then
        return value
      end
    end
    local hint = errors.suggest(value, words)
    fault(path .. ": " .. got(value) .. hint .. ", want one of " .. accepted)
  end
end

--- The length of a list by its largest whole key, so that holes are seen; nil (and a fault) if it
--- has other keys.
---@param list table
---@param path string
---@param fault fun(message: string)
---@return integer?
function fields.length(list, path, fault)
  local length, others = 0, {}
  for key in pairs(list) do
    if type(key) == "number" and key >= 1 and key == math.floor(key) then
      length = math.max(length, key)
    else
      others[#others + 1] = show(key)
    end
  end
  if #others > 0 then
    table.sort(others)
    fault(path .. ": unexpected key " .. others[1] .. " in a list")
    return nil
  end
  return length
end

local function check_elements(list, length, kind, path, fault)
  local result, missing = {}, 0
  for i = 1, length do
    local value = list[i]
    if value ~= nil then
      result[i] = kind(value, path_to(path, i), fault)
    elseif missing < fields.LIMIT then
      missing = missing + 1
      fault(path_to(path, i) .. " is missing")
    else
      break
    end
  end
  return result
end

--- A list of `count` elements of one kind (any number of them without count).
---@param kind function
---@param count? integer
function fields.list(kind, count)
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(path .. ": " .. got(value) .. ", want a list")
    end
    local length = fields.length(value, path, fault)
    if not length then
      return nil
    elseif count and length ~= count then
      return fault(("%s: %s, want %d"):format(path, errors.count(length, "element"), count))
    end
    return check_elements(value, length, kind, path, fault)
  end
end

--- Any of several kinds; `wanted` says in words what is accepted.
function fields.either(wanted, ...)
  local kinds = { ... }
  return function(value, path, fault)
    for _, kind in ipairs(kinds) do
      local failed = false
      local result = kind(value, path, function()
        failed = true
      end)
      if not failed then
        return result
      end
    end
    fault(path .. ": " .. got(value) .. ", want " .. wanted)
  end
end

--- Anything.
function fields.any(value)
  return value
end

--- The names of a specification, as keys; those that are used again and again keep them.
local function known_to(specification)
  local known = specification.known
  if not known then
    known = {}
    for _, field in ipairs(specification) do
      known[field[1]] = true
    end
    specification.known = known
  end
  return known
end

local function names_of(specification)
  local names = {}
  for _, field in ipairs(specification) do
    if type(field[1]) == "string" then
      names[#names + 1] = field[1]
    end
  end
  return names
end

--- Tell faults in an order that does not depend on the hash seed.
---@param messages string[]
---@param fault fun(message: string)
function fields.tell(messages, fault)
  table.sort(messages)
  for _, message in ipairs(messages) do
    fault(message)
  end
end

--- The field that was meant by one that is not there: what others call it, else a near miss.
local function meant_by(specification, key)
  for _, field in ipairs(specification) do
    for _, word in ipairs(field.also or {}) do
      if word == key then
        return field[1]
      end
    end
  end
  return errors.nearest(key, names_of(specification))
end

--- What there is where no field was meant.
local function accepted(specification)
  local names = names_of(specification)
  return #names > 0 and ", want one of " .. table.concat(names, ", ") or ""
end

--- Faults for keys that no field has; the fields that were meant, as keys.
local function unknown_keys(specification, given, path, fault)
  local known, messages, meant = known_to(specification), nil, nil
  for key in pairs(given) do
    if known[key] == nil then
      local name = type(key) == "string" and "'" .. path_to(path, key) .. "'" or path_to(path, key)
      local field = meant_by(specification, key)
      messages, meant = messages or {}, meant or {}
      messages[#messages + 1] = "unknown field " .. name
        .. (field and " (did you mean '" .. field .. "'?)" or accepted(specification))
      meant[field or key] = true
    end
  end
  if messages then
    fields.tell(messages, fault)
  end
  return meant or {}
end

--- A fault for required fields that are missing, but for those that were misspelt.
local function missing_fields(specification, given, path, misspelt, fault)
  local missing
  for _, field in ipairs(specification) do
    if field.required and given[field[1]] == nil and not misspelt[field[1]] then
      missing = missing or {}
      missing[#missing + 1] = "'" .. path_to(path, field[1]) .. "'"
    end
  end
  if missing then
    fault("missing field" .. (#missing > 1 and "s " or " ") .. table.concat(missing, ", "))
  end
end

--- Check a table against a specification and collect the faults.
---@param specification table
---@param given table
---@param path string the table's own place, "" for the declaration itself
---@param fault fun(message: string) called with every fault
---@return table values by name, defaults filled in
function fields.collect(specification, given, path, fault)
  local values = {}
  local misspelt = unknown_keys(specification, given, path, fault)
  missing_fields(specification, given, path, misspelt, fault)
  for _, field in ipairs(specification) do
    local name, kind = field[1], field[2]
    local value = given[name]
    if value == nil then
      values[name] = field.default
    else
      values[name] = kind(value, path_to(path, name), fault)
    end
  end
  return values
end

--- A table with fields of its own, as a kind.
---@param specification table
function fields.record(specification)
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(path .. ": " .. got(value) .. ", want a table")
    end
    return fields.collect(specification, value, path, fault)
  end
end

--- A collector of faults: call it with a message, `file:line: what: message` lines come out.
---@param what string the object, as in `system "robot"`
---@param where? string default: the innermost frame outside sarrus, asked at the first fault
---@return fun(message: string) fault
---@return string[] faults
function fields.faults(what, where)
  local faults, prefix = {}, nil
  return function(message)
    if not prefix then
      where = where or errors.where()
      prefix = (where and where .. ": " or "") .. what .. ": "
    end
    faults[#faults + 1] = prefix .. message
  end, faults
end

--- Raise all faults in one message, if there are any.
---@param faults string[]
function fields.raise(faults)
  if #faults == 0 then
    return
  end
  local lines = {}
  for i = 1, math.min(#faults, fields.LIMIT) do
    lines[i] = faults[i]
  end
  if #faults > fields.LIMIT then
    lines[#lines + 1] = ("and %d more"):format(#faults - fields.LIMIT)
  end
  error(table.concat(lines, "\n"), 0)
end

--- Check a declaration; raise one message with all its faults.
---@param specification table
---@param given any what the script gave
---@param what string the object, as in `system "robot"`
---@param where? string default: the innermost frame outside sarrus
---@return table values
function fields.check(specification, given, what, where)
  if type(given) ~= "table" then
    errors.raise(what .. ": " .. got(given) .. ", want a table of fields", where)
  end
  local fault, faults = fields.faults(what, where)
  local values = fields.collect(specification, given, "", fault)
  fields.raise(faults)
  return values
end

return fields
