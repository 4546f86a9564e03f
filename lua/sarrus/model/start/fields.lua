--- What scripts give for a start: values for joints and bodies, by name.

local errors = require "sarrus.base.errors"
local families = require "sarrus.model.part.family"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local later = require "sarrus.base.later"
local rotation = later "sarrus.expr.rotation"

--- By name, each a table of fields of its own.
local function by_name(model, noun, specification)
  local kinds_of = {} -- per record
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(path .. ": " .. errors.got(value) .. ", want a table by names of " .. noun)
    end
    local names, result = {}, {}
    for name in pairs(value) do
      names[#names + 1] = tostring(name)
    end
    table.sort(names)
    for _, name in ipairs(names) do
      local record = families.find(model, noun, name)
      if not record then
        fault(path .. ": " .. errors.unknown(noun, name, model.names[noun]))
      else
        kinds_of[record] = kinds_of[record] or fields.record(specification(record))
        result[name] = kinds_of[record](value[name], path .. "." .. name, fault)
      end
    end
    return result
  end
end

local function joint_fields(joint)
  local list = {}
  for _, kind in ipairs { "angle", "length" } do
    if joint[kind] then
      list[#list + 1] = { kind, fields.number }
      list[#list + 1] = { joint[kind].rate_name, fields.number }
    end
  end
  return list
end

local function body_fields(dimension)
  return function(body)
    local list = {
      { "position", kinds.numbers(dimension) }, { "velocity", kinds.numbers(dimension) },
    }
    if body.turns then
      list[3] = dimension == 2 and { "angle", fields.number }
        or { "orientation", rotation.kind(fields.number) }
      list[4] = { "spin", dimension == 2 and fields.number or kinds.numbers(3) }
    end
    return list
  end
end

--- The fields of a start.
---@param model sarrus.Model
return function(model)
  return {
    { "joints", by_name(model, "joint", joint_fields) },
    { "bodies", by_name(model, "body", body_fields(model.dimension)) },
  }
end
