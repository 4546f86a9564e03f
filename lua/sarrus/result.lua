--- Results: tables that print themselves, as in `{ angle = 0.5, force = { 1, 2 }, rate = 0 }`.

local errors = require "sarrus.errors"

local Result = { __name = "sarrus.result" }

local result = {}

--- A value as text: numbers as they read back, lists and tables in braces, keys in order.
---@param value any
---@return string
function result.text(value)
  if type(value) ~= "table" then
    return errors.show(value)
  end
  local meta = getmetatable(value)
  if meta and meta ~= Result and meta.__tostring then
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
Result.__tostring = result.text

--- Let a table print itself.
---@generic T: table
---@param values T
---@return T values
function result.new(values)
  return setmetatable(values, Result)
end

return result
