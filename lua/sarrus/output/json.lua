--- JSON of plain values.  Keys are sorted, so that the same value gives the same text; a table with
--- no string keys is a list; what JSON has no number for is null.

local core = require "sarrus.core"

local json = {}

local escapes = {
  ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t",
}

--- A string, also fit for a script element of a page.
---@param text string
---@return string
function json.string(text)
  return '"' .. text:gsub('[%c"\\<>&\127]', function(c)
    return escapes[c] or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

local function list(value)
  local words = {}
  for i = 1, #value do
    words[i] = json.encode(value[i])
  end
  return "[" .. table.concat(words, ",") .. "]"
end

local function object(value)
  local keys, words = {}, {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do
    words[i] = json.string(key) .. ":" .. json.encode(value[key])
  end
  return "{" .. table.concat(words, ",") .. "}"
end

--- A value as text.
---@param value any nil, booleans, numbers, strings, and tables of them
---@return string
function json.encode(value)
  local kind = type(value)
  if kind == "string" then
    return json.string(value)
  elseif kind == "number" then
    return value - value == 0 and core.number(value) or "null"
  elseif kind ~= "table" then
    return tostring(value == nil and "null" or value)
  end
  return type(next(value)) == "string" and object(value) or list(value)
end

return json
