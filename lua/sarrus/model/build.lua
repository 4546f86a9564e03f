--- From what a script gives to a model: parts are checked, declared and put into equations.  All
--- faults are in one message, in the order of the parts.

local equations = require "sarrus.model.equations"
local errors = require "sarrus.errors"
local families = require "sarrus.model.family"
local fields = require "sarrus.fields"
local kinds = require "sarrus.model.kinds"
local parameters = require "sarrus.model.parameters"
local parts = require "sarrus.model.part"

local build = {}

local MOST_PARTS = 100000

-- The list of parts ------------------------------------------------------------------------------

--- Flatten lists of parts, in order; what is neither is a fault.
local function flatten(list, path, into, fault)
  local length = 0
  for key in pairs(list) do
    if type(key) == "number" then
      length = math.max(length, key)
    end
  end
  if length > MOST_PARTS then
    return fault(("LIMIT: %s parts, at most %d are allowed"):format(errors.show(length),
      MOST_PARTS))
  end
  for i = 1, length do
    local value, at = rawget(list, i), path .. "[" .. i .. "]"
    if parts.is(value) then
      into[#into + 1] = value
    elseif type(value) == "table" and getmetatable(value) == nil and next(value) ~= nil then
      flatten(value, at, into, fault)
    elseif value == nil then
      fault(at .. " is missing: the list of parts has a hole")
    else
      fault(("%s: %s, want a part, such as body.rod { … }"):format(at, errors.got(value)))
    end
  end
end

local drawn = { "position", "from", "to", "at", "velocity", "size", "axis" }

--- How many components the first place has that is drawn; nil if there is none.
local function dimension_of(list)
  for _, part in ipairs(list) do
    for _, name in ipairs(drawn) do
      local p = type(part.given) == "table" and rawget(part.given, name)
      p = type(p) == "table" and (rawget(p, "a") or p)
      if type(p) == "table" and (#p == 2 or #p == 3) and type(p[1]) == "number" then
        return #p
      end
    end
  end
end

-- Parts ------------------------------------------------------------------------------------------

--- Enter a part's name; false and faults if that cannot be.
local function enter(model, part, fault)
  if type(part.given) ~= "table" then
    fault(errors.got(part.given) .. ", want a table of fields")
    return false
  end
  local name = part.given[1]
  local wrong = kinds.name_fault(name)
  if wrong then
    fault(wrong)
    return false
  end
  local other = model.index[name]
  if other then
    fault(("the name %s is taken by %s at %s: names are unique over all parts"):format(
      errors.show(name), parts.title(other.part), other.part.place or "?"))
    return false
  end
  model.index[name] = { family = part.family, part = part }
  table.insert(model.names[part.family], name)
  return true
end

--- Check a part and put its equations.
local function put(model, part, fault)
  local family = families.of(part.family)
  local record = family.declare(model, part, fault)
  local found = parameters.check(model, parts.title(part), part.given, fault)
  if not record then
    return nil
  end
  record.what, record.family = parts.title(part), family.name
  local mark = model.equations:mark()
  local good, message = pcall(family.put, model.equations, record, model)
  if not good then
    model.equations:rewind(mark)
    return fault(tostring(message), true)
  end
  parameters.keep(model, found)
  model.index[record.name].record = record
  local list = model[family.list]
  list[#list + 1] = record
  if family.lint then
    family.lint(model, record)
  end
  return record
end

--- A collector of faults for a part.
local function collector(list, part)
  local prefix = (part.place and part.place .. ": " or "") .. parts.title(part) .. ": "
  return function(message, placed)
    list[#list + 1] = placed and message or prefix .. message
  end
end

--- The parts by stage, each stage in the order of the script: numbers in the list.
local function staged(list)
  local stages, used = {}, {}
  for i, part in ipairs(list) do
    local stage = families.of(part.family).stage
    if not stages[stage] then
      stages[stage] = {}
      used[#used + 1] = stage
    end
    table.insert(stages[stage], i)
  end
  table.sort(used)
  local order = {}
  for _, stage in ipairs(used) do
    for _, i in ipairs(stages[stage]) do
      order[#order + 1] = i
    end
  end
  return order
end

--- Check parts, stage by stage, and put their equations.
local function put_all(model, list, faults)
  local entered = {}
  for i, part in ipairs(list) do
    faults[i] = {}
    entered[i] = enter(model, part, collector(faults[i], part))
  end
  for _, i in ipairs(staged(list)) do
    if entered[i] then
      put(model, list[i], collector(faults[i], list[i]))
    end
  end
end

local function gravity_kind(dimension)
  local kind = dimension and kinds.vector(dimension)
  return function(value, path, fault)
    if type(value) == "table" and (#value == 2 or #value == 3) then
      return (kind or kinds.vector(#value))(value, path, fault)
    end
    fault(path .. ": " .. errors.got(value) .. ", want a vector of 2 or 3 numbers")
  end
end

local function prepare(self, dimension)
  if dimension and not self.dimension then
    self.dimension = dimension
    self.ground = {
      name = "ground", ground = true, position = dimension == 2 and { 0, 0 } or { 0, 0, 0 },
    }
    self.equations = equations.new(dimension)
  end
end

--- Check what a script gave for a model, and fill the model.
function build.model(self, given, place)
  local fault, faults = fields.faults(self.what, place)
  local list, own = {}, {}
  for key, value in pairs(given) do
    if type(key) ~= "number" then
      own[key] = value
    end
  end
  flatten(given, "", list, fault)
  local g = own.gravity
  local values = fields.collect({
    { "name", fields.string, default = "model" },
    { "gravity", gravity_kind() },
  }, own, "", fault)
  self.name, self.gravity = values.name, values.gravity
  self.index, self.names, self.parameters = {}, {}, {}
  families.prepare(self)
  parameters.keep(self, parameters.check(self, "gravity", self.gravity, fault))
  prepare(self, type(g) == "table" and (#g == 2 or #g == 3) and #g or dimension_of(list))
  local of_parts = {}
  if self.dimension then
    put_all(self, list, of_parts)
  elseif #list > 0 then
    fault("no part says with two or three numbers whether the model is planar or spatial")
  end
  for _, found in ipairs(of_parts) do
    for _, message in ipairs(found) do
      faults[#faults + 1] = message
    end
  end
  fields.raise(faults)
end

--- Check one more part, and add it; after a fault the model is as before.
function build.add(self, part)
  local what = self.what .. ": add: "
  if not parts.is(part) then
    errors.raise(what .. errors.got(part) .. ", want a part, such as body.rod { … }")
  end
  families.prepare(self)
  prepare(self, dimension_of { part })
  if not self.dimension then
    errors.raise(what .. "the part does not say whether the model is planar or spatial")
  end
  local faults = {}
  local fault = collector(faults, part)
  local entered = enter(self, part, fault)
  if entered and not put(self, part, fault) then
    self.index[part.given[1]] = nil
    table.remove(self.names[part.family])
  end
  fields.raise(faults)
end

return build
