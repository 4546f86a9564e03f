--- Simulations: what changes them from the present instant on.

local changes = require "sarrus.sim.changes"
local class = require "sarrus.sim.class"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local later = require "sarrus.base.later"
local notes = require "sarrus.sim.notes"
local failure = later "sarrus.sim.failure"

local methods, open = class.methods, class.open

-- Parameters -------------------------------------------------------------------------------------

--- The number of a parameter by name or by the parameter itself; nil if there is none.
local function find(self, of)
  local hidden
  if type(of) == "table" and rawget(of, "op") == "parameter" then
    of, hidden = of.name, rawget(of, "hidden")
  end
  local known = rawget(self, "parameter_numbers")
  if not known then
    known = {}
    for i, parameter in ipairs(self.parameters) do
      known[parameter.name] = not parameter.hidden and i or known[parameter.name]
    end
    self.parameter_numbers = known
  end
  if not hidden then
    return known[of]
  end
  for i, parameter in ipairs(self.parameters) do
    if parameter.name == of and parameter.hidden == hidden then
      return i
    end
  end
end

local function parameter_index(self, name, of)
  local index = find(self, of)
  if not index then
    of = type(of) == "table" and rawget(of, "op") == "parameter" and of.name or of
    errors.raise(name .. ": " .. errors.unknown("parameter", of, expr.known(self.parameters)))
  end
  return index
end

local function is_number(value)
  return type(value) == "number" and value - value == 0
end

--- Two lists that `set` fills, the same ones each time, so that it makes no garbage; empty.
local function room(self)
  local lists = rawget(self, "settings")
  if not lists then
    lists = { indices = {}, values = {} }
    self.settings = lists
  end
  for i = #lists.indices, 1, -1 do
    lists.indices[i], lists.values[i] = nil, nil
  end
  return lists.indices, lists.values
end

--- What is wrong with { name = value, … }: the first in the order of names.
local function refuse(self, given)
  local names = {}
  for name in pairs(given) do
    names[#names + 1] = name
  end
  table.sort(names, function(a, b)
    return tostring(a) < tostring(b)
  end)
  for _, name in ipairs(names) do
    parameter_index(self, "set", name)
    if not is_number(given[name]) then
      errors.raise(("set: %s: %s, want a finite number"):format(errors.show(name),
        errors.got(given[name])))
    end
  end
  errors.raise("set: a parameter is given twice")
end

--- Fill the lists from { name = value, … }, in the order of the parameters.
local function collect(self, given, indices, values)
  local count = 0
  for name, value in next, given do
    local index, k = find(self, name), count
    if not index or not is_number(value) then
      refuse(self, given)
    end
    while k > 0 and indices[k] > index do
      indices[k + 1], values[k + 1] = indices[k], values[k]
      k = k - 1
    end
    if indices[k] == index then
      refuse(self, given)
    end
    indices[k + 1], values[k + 1] = index, value
    count = count + 1
  end
end

--- Change a parameter, or several, { name = value, … }, from the present instant on: all of them,
--- or none.
---@param parameter string|sarrus.Expression|table<string, number>
---@param value? number
---@return true? done
---@return string? message
---@return string? code
function methods:set(parameter, value)
  local core = open(self, "set")
  local indices, values = room(self)
  if type(parameter) == "table" and not expr.is(parameter) then
    collect(self, parameter, indices, values)
  else
    indices[1], values[1] = parameter_index(self, "set", parameter), value
    if not is_number(value) then
      errors.raise(("set: %s: %s, want a finite number"):format(self.parameters[indices[1]].name,
        errors.got(value)))
    end
  end
  local result, failed = nil, self.system:refuses(self, indices, values)
  if not failed then
    result, failed = core:set(indices, values)
  end
  if not result then
    return failure.of_sim(self, failed)
  end
  notes.listen(self)
  return true
end

--- The value of a parameter.
---@param parameter string|sarrus.Expression
---@return number
function methods:get(parameter)
  local core = open(self, "get")
  return core:get(parameter_index(self, "get", parameter))
end

--- Turn what a name stands for off, or on again: `by` is the subject's method.
local function turn(self, method, by, name, on)
  local core = open(self, method)
  local change = self.system[by](self.system, method, name)
  core:mark(false)
  local result, failed = change(core, on)
  changes.forget(self)
  core:mark(true)
  if not result then
    return failure.of_sim(self, failed)
  end
  return true
end

--- Let a joint, a force or a contact go, from the present instant on.
---@param name string
---@return true? done
---@return string? message
---@return string? code
function methods:release(name)
  return turn(self, "release", "releaser", name, true)
end

--- Engage a joint, a force or a contact again; velocities jump as in an inelastic impact.
---@param name string
---@return true? done
---@return string? message
---@return string? code INCONSISTENT: positions do not fit
function methods:engage(name)
  return turn(self, "engage", "releaser", name, false)
end

--- Hold the coordinate of a joint where it is, from the present instant on; velocities jump as in
--- an inelastic impact.
---@param name string
---@return true? done
---@return string? message
---@return string? code
function methods:lock(name)
  return turn(self, "lock", "locker", name, true)
end

--- Let a locked joint move again.
---@param name string
---@return true? done
---@return string? message
---@return string? code
function methods:unlock(name)
  return turn(self, "unlock", "locker", name, false)
end

--- Change velocities by impulses, consistently with the constraints: for systems `sim:impulse {
--- coordinate = j }`, for models `sim:impulse(body, {jx, jy[, jz]} [, world point])`.
---@param ... any
---@return true? done
---@return string? message
---@return string? code
function methods:impulse(...)
  local core = open(self, "impulse")
  local list = self.system:impulse_list(self, ...)
  core:mark(false)
  local result, failed = core:impulse(list)
  core:mark(true)
  if not result then
    return failure.of_sim(self, failed)
  end
  return true
end

