--- Objects whose unknown fields raise, with a suggestion for a near miss.

local errors = require "sarrus.base.errors"

--- What a script may ask: fields, and the methods of the class.
local function public_names(class, fields)
  local names = {}
  for _, name in ipairs(fields) do
    names[#names + 1] = name
  end
  for name, value in next, class do
    if type(value) == "function" and not name:find("^__") then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

--- Let unknown fields of a class's objects raise.  Numbers as keys are left alone: lists end with
--- nil.
---@generic T: table
---@param class T the metatable, and its methods
---@param noun string what an object is called in the message
---@param fields string[] those that objects have; nil where they are not set
---@param internal? string[] likewise, for sarrus alone
---@return T class
return function(class, noun, fields, internal)
  local known = {}
  for _, list in ipairs { fields, internal or {} } do
    for _, name in ipairs(list) do
      known[name] = true
    end
  end
  function class.__index(_, key)
    local value = rawget(class, key)
    if value == nil and not known[key] and type(key) ~= "number" then
      errors.raise(("%s has no field %s%s"):format(noun, errors.show(key),
        errors.suggest(key, public_names(class, fields))))
    end
    return value
  end
  return class
end
