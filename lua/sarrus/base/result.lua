--- Results: tables that print themselves, as in `{ angle = 0.5, force = { 1, 2 }, rate = 0 }`, and
--- whose unknown fields raise.

local errors = require "sarrus.base.errors"
local strict = require "sarrus.base.strict"

local result = {}

--- A value as text: numbers as they read back, lists and tables in braces, keys in order.
---@param value any
---@return string
function result.text(value)
  if type(value) ~= "table" then
    return errors.show(value)
  end
  local meta = getmetatable(value)
  if meta and meta.__tostring and meta.__tostring ~= result.text then
    return tostring(value)
  end
  local texts, keys = {}, {}
  for i, x in ipairs(value) do
    texts[i] = result.text(x)
  end
  for key in pairs(value) do
    if type(key) == "string" then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    texts[#texts + 1] = key .. " = " .. result.text(value[key])
  end
  return #texts > 0 and "{ " .. table.concat(texts, ", ") .. " }" or "{}"
end

--- A kind of results.
---@param noun string what one is called in messages
---@param fields string[] what it may have
---@return fun(values: table): table
function result.kind(noun, fields)
  local class = strict({ __name = "sarrus.result", __tostring = result.text }, noun, fields)
  return function(values)
    return setmetatable(values, class)
  end
end

return result
