--- From what a script gives to a model: parts are checked, declared and put into equations.  All
--- faults are in one message, in the order of the parts.

local equations = require "sarrus.model.equations"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local fields = require "sarrus.base.fields"
local garbage = require "sarrus.base.garbage"
local kinds = require "sarrus.model.part.kinds"
local parameters = require "sarrus.model.part.parameters"
local later = require "sarrus.base.later"
local parts = require "sarrus.model.part"
local redrawn = later "sarrus.model.part.redrawn"

local build = {}

local MOST_PARTS = 100000

-- The list of parts ------------------------------------------------------------------------------

--- The largest number among the keys, or 0.
local function length_of(list)
  local length = 0
  for key in pairs(list) do
    if type(key) == "number" then
      length = math.max(length, key)
    end
  end
  return length
end

--- Whether a table may be a list of parts: it has some, or nothing, or what an import has noted.
local function is_list(value)
  return type(value) == "table" and getmetatable(value) == nil
    and (length_of(value) > 0 or next(value) == nil or rawget(value, "notes") ~= nil)
end

--- Flatten lists of parts, in order; what is neither is a fault, and so is a list in itself.
local function flatten(list, path, into, fault, above)
  local around = { list = list, above = above }
  while above do
    if above.list == list then
      return fault(path .. ": the list contains itself")
    end
    above = above.above
  end
  local length = length_of(list)
  if length > MOST_PARTS then
    return fault(("LIMIT: %s parts, at most %d are allowed"):format(errors.show(length),
      MOST_PARTS))
  end
  for i = 1, length do
    local value, at = rawget(list, i), path .. "[" .. i .. "]"
    if parts.is(value) then
      into[#into + 1] = value
    elseif is_list(value) then
      flatten(value, at, into, fault, around)
    elseif value == nil then
      fault(at .. " is missing: the list of parts has a hole")
    else
      fault(("%s: %s, want a part, such as body.rod { … }"):format(at, errors.got(value)))
    end
  end
end

local PLACES = { "position", "from", "to", "at", "velocity", "size", "axis" }

local function is_vector(p)
  return type(p) == "table" and not expr.is(p) and (#p == 2 or #p == 3)
    and (type(p[1]) == "number" or expr.is(p[1]))
end

--- The number of components of the first place that is drawn; nil if there is none.
local function dimension_of(list)
  for _, part in ipairs(list) do
    for _, name in ipairs(PLACES) do
      local p = type(part.given) == "table" and rawget(part.given, name)
      p = type(p) == "table" and (rawget(p, "a") or p)
      if is_vector(p) then
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
      errors.show(name), parts.title(other.part), other.part.where or "?"))
    return false
  end
  model.index[name] = { family = part.family, part = part }
  table.insert(model.names[part.family], name)
  return true
end

local NO_PARAMETERS = { found = {}, others = {} }

--- The parameters of a part, by name; whether it makes the model a parametric one is seen.
local function find_parameters(model, part)
  if not parameters.any(part.given, parameters.DEPTH) then
    return NO_PARAMETERS
  end
  local found, others = parameters.find(part, parts.title(part))
  local measures = parameters.measure(found)
  model.parametric = model.parametric or measures
  model.measures[part] = measures and found or nil
  return { found = found, others = others }
end

--- Check a part's fields; its record, nil after faults.
local function declare(model, part, own, fault)
  local family = families.of(part.family)
  local record = family.declare(model, part, fault)
  if next(own.found) then
    parameters.check(model, own.found, own.others, fault)
  end
  if record then
    record.what, record.family = parts.title(part), family.name
  end
  return record
end

--- Put the equations of a part that has been declared.
local function put(model, record, own, fault)
  local family = families.of(record.family)
  local mark = model.equations:mark()
  local good, message = pcall(family.put, model.equations, record, model)
  if not good then
    model.equations:rewind(mark)
    return fault(tostring(message), true)
  end
  parameters.keep(model, own.found)
  model.index[record.name].record = record
  table.insert(model[family.list], record)
  if family.lint and not model.parametric then
    family.lint(model, record)
  end
  return record
end

--- A collector of faults for a part.
local function collector(list, part)
  return function(message, placed)
    local where = part.where and part.where .. ": " or ""
    list[#list + 1] = placed and message or where .. parts.title(part) .. ": " .. message
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

--- Check what a parametric model is as declared: all its parts, of which these are new.
local function check_numbers(model, list, faults)
  local collectors, failed = {}, false
  for i, part in ipairs(list) do
    local collect = collector(faults[i], part)
    collectors[part] = function(message)
      failed = true
      collect(message)
    end
  end
  local view = redrawn.check(model, function(part)
    return collectors[part] or function() end
  end)
  for _, part in ipairs(failed and {} or list) do
    local lint, entry = families.of(part.family).lint, view.index[part.given[1]]
    if lint and entry then
      lint(model, entry.record)
    end
  end
end

--- Check parts, stage by stage, and put their equations.
local function put_all(model, list, faults)
  local entered, own, good = {}, {}, true
  for i, part in ipairs(list) do
    faults[i] = {}
    entered[i] = enter(model, part, collector(faults[i], part))
    own[i] = find_parameters(model, part)
  end
  for _, i in ipairs(staged(list)) do
    local fault = collector(faults[i], list[i])
    local record = entered[i] and declare(model, list[i], own[i], fault)
    if record then
      put(model, record, own[i], fault)
    end
    good = good and #faults[i] == 0
  end
  if good and model.parametric then
    check_numbers(model, list, faults)
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
function build.model(self, given, where)
  local fault, faults = fields.faults(self.what, where)
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
  self.index, self.names, self.parameters, self.measures = {}, {}, {}, {}
  self.touching = {} -- pairs of shapes that contacts have
  families.prepare(self)
  local of_gravity, others = parameters.find({ given = { gravity = self.gravity } }, "gravity")
  parameters.check(self, of_gravity, others, fault)
  parameters.keep(self, of_gravity)
  self.parametric = parameters.measure(of_gravity)
  prepare(self, type(g) == "table" and (#g == 2 or #g == 3) and #g or dimension_of(list))
  local of_parts = {}
  if not self.dimension and #list > 0 then
    fault("no part says with two or three numbers whether the model is planar or spatial")
    prepare(self, 2) -- what else is wrong does not depend on it
  end
  if self.dimension then
    garbage.wait(#list, 1, put_all, self, list, of_parts)
  end
  for _, found in ipairs(of_parts) do
    for _, message in ipairs(found) do
      faults[#faults + 1] = message
    end
  end
  fields.raise(faults)
end

--- Check the numbers of a part that is declared, but not yet one of the model's.
local function check_one(model, record, faults)
  local list = model[families.of(record.family).list]
  list[#list + 1] = record
  check_numbers(model, { record.part }, { faults })
  list[#list] = nil
  return #faults == 0
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
  local faults, parametric = {}, self.parametric
  local fault = collector(faults, part)
  local entered, own = enter(self, part, fault), find_parameters(self, part)
  local record = entered and declare(self, part, own, fault)
  local good = record and #faults == 0
    and (not self.parametric or check_one(self, record, faults))
    and put(self, record, own, fault)
  if entered and not good then
    self.index[part.given[1]] = nil
    table.remove(self.names[part.family])
    self.parametric, self.measures[part] = parametric, nil
  end
  self.measured = nil
  fields.raise(faults)
end

return build
