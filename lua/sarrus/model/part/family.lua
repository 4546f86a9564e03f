--- Families: what models are made of.
---
--- A family is a folder beside `model`: its `init.lua` calls `family.new`, and every other file in
--- it is the definition of a type, by the file's name.  What treats all parts alike (build.lua,
--- explain.lua, channels of recordings) asks the family's table and knows no family by name.

local require = require -- a host may take it away from scripts

local errors = require "sarrus.base.errors"
local later = require "sarrus.base.later"
local parts = require "sarrus.model.part"

---@class sarrus.Family
---@field name string what messages call a part of it, "joint", and the folder of its types
---@field list string? the model's list of its records; of those in families.lua it stands there
---@field stage integer when its parts are put: see family.STAGES
---@field types string[] as messages list them
---@field synonyms table<string, string>? what other tools call them
---@field declare (fun(model, part: sarrus.Part, fault): table?) its record; nil after faults
---@field put fun(equations: sarrus.Equations, record, model) its share; what it raises is a fault
---@field lint (fun(model, record))? warns of what is probably not meant
---@field line fun(record): string a part as `model:explain "model"` lists it
---@field channels (fun(model, record): sarrus.FamilyChannel[])? what recordings have of its parts
---@field optional boolean? `tostring(model)` counts it only where there are some

---@class sarrus.FamilyChannel
---@field [1] string a field of what `s:joint(part)`, or the family's other name, answers
---@field [2] string its unit
---@field [3] string[]? names of its components; nil for a number
---@field numeric boolean? there is no expression for it

local family = {}

--- Names of the families, in the order of lists and texts, and the lists of models by name.
family.names = require "sarrus.families"
local lists = family.names.lists

--- Parts of lower stages are put first, whatever their order in the script; of one stage, in it.
family.STAGES = {
  body = 1, -- has coordinates
  fixture = 2, -- is fixed to one body
  connection = 3, -- joins bodies, or acts on them
  contact = 4, -- acts between fixtures
}

local known = {}

-- Constructors -----------------------------------------------------------------------------------

--- The constructor of a type: `joint.revolute`.
---@param name string of the family
---@param kind string the type
---@param definition? table if not given, that of the type's own file
---@return fun(given: table): sarrus.Part
function family.constructor(name, kind, definition)
  local path = "sarrus." .. name .. "." .. kind
  if not definition then
    later.note(path)
  end
  return function(given)
    return parts.new(name, kind, definition or require(path), given)
  end
end

local function contains(list, value)
  for _, x in ipairs(list) do
    if x == value then
      return true
    end
  end
  return false
end

--- Make a family known; its constructors, by type.
---@param given sarrus.Family
---@return table<string, fun(given: table): sarrus.Part>
function family.new(given)
  local name, types, synonyms = given.name, given.types, given.synonyms or {}
  if not contains(family.names, name) then
    family.names[#family.names + 1] = name
  end
  known[name], given.list = given, given.list or lists[name]
  local constructors = {}
  for _, kind in ipairs(types) do
    constructors[kind] = family.constructor(name, kind)
  end
  return setmetatable(constructors, {
    __index = function(_, key)
      local near = synonyms[key]
      local hint = near and " (did you mean '" .. near .. "'?)" or errors.suggest(key, types)
      errors.raise(("unknown %s type %s%s; there are %s"):format(name, errors.show(key), hint,
        table.concat(types, ", ")))
    end,
  })
end

-- Asking -----------------------------------------------------------------------------------------

--- A family by name.
---@param name string
---@return sarrus.Family
function family.of(name)
  if not known[name] then
    require("sarrus." .. name)
  end
  return known[name]
end

--- The types of a family whose definitions are such, in its order.
---@param name string of the family
---@param is fun(definition: table): any
---@return string[]
function family.types_that(name, is)
  local list = {}
  for _, kind in ipairs(family.of(name).types) do
    if is(require("sarrus." .. name .. "." .. kind)) then
      list[#list + 1] = kind
    end
  end
  return list
end

--- All families, in their order.
---@return sarrus.Family[]
function family.all()
  local list = {}
  for i, name in ipairs(family.names) do
    list[i] = family.of(name)
  end
  return list
end

--- Give a model the lists that it does not have yet.
---@param model table
function family.prepare(model)
  for _, name in ipairs(family.names) do
    if not model.names[name] then
      model.names[name], model[lists[name] or known[name].list] = {}, {}
    end
  end
end

--- The record of a part of a model; false where it has faults itself, nil where there is none.
---@param model table
---@param name string of the family
---@param part any its name
---@return table|false|nil
function family.find(model, name, part)
  local found = part ~= nil and model.index[part]
  if not found or found.family ~= name then
    return nil
  end
  return found.record or false
end

return family
