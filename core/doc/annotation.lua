--- Annotations taken apart: `@param`, `@return`, `@type`, `@field` and the sentences beside them.

local annotation = {}

--- The end of the type that a text begins with: before the first space outside of brackets and
--- quotes that does not follow a comma or the colon of a function's result.
local function end_of_type(text)
  local depth, i = 0, 1
  while i <= #text do
    local c = text:sub(i, i)
    if c:find("[%(%[{<]") then
      depth = depth + 1
    elseif c:find("[%)%]}>]") then
      depth = depth - 1
    elseif c == '"' then
      i = text:find('"', i + 1, true) or #text
    elseif c == " " and depth == 0 and not text:sub(1, i - 1):find("[,:]$") then
      return i - 1
    end
    i = i + 1
  end
  return #text
end

--- A type, and what is said behind it.
---@param text string
---@return string type
---@return string rest
function annotation.take_type(text)
  local last = end_of_type(text)
  return text:sub(1, last), text:sub(last + 2)
end

--- The text up to a comma outside of brackets, and what follows it.
local function split(text)
  local depth = 0
  for i = 1, #text do
    local c = text:sub(i, i)
    depth = depth + (c:find("[%(%[{<]") and 1 or c:find("[%)%]}>]") and -1 or 0)
    if c == "," and depth == 0 then
      return text:sub(1, i - 1), text:sub(i + 1)
    end
  end
  return text, ""
end

--- The arguments and the result of `fun(a: A, b: B): R`.
---@param text string
---@return { name: string, type: string, about: string }[]
---@return string? result
function annotation.of_function(text)
  local rest, result = text:match("^fun(%b()):?%s*(.*)$")
  local list = {}
  rest = rest:sub(2, -2)
  while rest ~= "" do
    local one, others = split(rest)
    rest = others
    local name, kind = one:match("^%s*([%w_.?]+)%s*:%s*(.-)%s*$")
    list[#list + 1] = { name = name, type = kind, about = "" }
  end
  return list, result ~= "" and result or nil
end

local tags = {}

function tags.param(parsed, text)
  local name, rest = text:match("^(%S+)%s*(.*)$")
  local kind, about = annotation.take_type(rest)
  table.insert(parsed.params, { name = name, type = kind, about = about })
end

tags["return"] = function(parsed, text)
  local kind, about = annotation.take_type(text)
  table.insert(parsed.returns, { type = kind, about = about })
end

function tags.type(parsed, text)
  local kind, about = annotation.take_type(text)
  local result
  parsed.params, result = annotation.of_function(kind)
  table.insert(parsed.returns, result and { type = result, about = "" })
  table.insert(parsed.text, about ~= "" and about or nil)
end

function tags.field(parsed, text)
  tags.param(parsed, text)
end

--- What an annotation says: `text`, `params`, `returns`.
---@param comment string[] lines without dashes
function annotation.parse(comment)
  local parsed = { text = {}, params = {}, returns = {} }
  for _, line in ipairs(comment) do
    local tag, rest = line:match("^@(%a+)%s+(.*)$")
    if not tag then
      table.insert(parsed.text, (line:gsub("^ ", "")))
    elseif tags[tag] then
      tags[tag](parsed, rest)
    end
  end
  return parsed
end

return annotation
