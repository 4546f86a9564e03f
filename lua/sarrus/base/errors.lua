--- Messages of misuse: where in the script, what, and what was probably meant.

local core = require "sarrus.core"

local errors = {}

-- The folder of sarrus's own files, above this one's, as the sources of its functions are named.
local own = core.frame(1):match("^(@.*[/\\])[^/\\]*[/\\][^/\\]*$") or "@sarrus/"

--- Where in the script: the line of the innermost frame outside sarrus, from a level on.
---@param level? integer 1 is who asks
---@return string? where `file:line`, nil where only C called
---@return integer? level of it
function errors.where(level)
  level = (level or 1) + 1
  local source, short, line, what = core.frame(level)
  while source do
    if what ~= "C" and line > 0 and source:sub(1, #own) ~= own then
      return short .. ":" .. line, level - 1
    end
    level = level + 1
    source, short, line, what = core.frame(level)
  end
  return nil
end

--- Raise `file:line: message`.
---@param message string
---@param where? string where it was caused; default the innermost frame outside sarrus
function errors.raise(message, where)
  where = where or errors.where()
  error(where and where .. ": " .. message or message, 0)
end

--- Insertions, deletions, changes and swaps of neighbours that turn a into b.
local function distance(a, b)
  local before, row = {}, {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local older = before
    before, row = row, { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      local best = math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        best = math.min(best, older[j - 2] + 1)
      end
      row[j] = best
    end
  end
  return row[#b]
end

--- What was probably meant; nil where nothing is near.
---@param word any what was written
---@param candidates string[] what is accepted; of equally near ones the first is taken
---@return string?
function errors.nearest(word, candidates)
  if type(word) ~= "string" or #word > 64 then
    return nil
  end
  local best, least = nil, math.max(1, math.floor(#word / 3)) + 1
  for _, candidate in ipairs(candidates) do
    local d = distance(word:lower(), tostring(candidate):lower())
    if d < least and d < #candidate then
      best, least = candidate, d
    end
  end
  return best
end

--- A hint for a near miss.
---@param word any what was written
---@param candidates string[] what is accepted
---@return string hint ` (did you mean 'at'?)`, or nothing
function errors.suggest(word, candidates)
  local best = errors.nearest(word, candidates)
  return best and " (did you mean '" .. best .. "'?)" or ""
end

-- More names than these are not listed.
local MOST_LISTED = 10

--- A name that is not there: the near miss, or else those that there are.
---@param noun string
---@param name any
---@param candidates string[]
---@return string text `unknown body "amr" (did you mean 'arm'?)`, `unknown body "x"; there is arm`
function errors.unknown(noun, name, candidates)
  local hint, count = errors.suggest(name, candidates), #candidates
  if hint == "" and count <= MOST_LISTED then
    hint = (count == 1 and "; there is " or "; there are ")
      .. (count == 0 and "none" or table.concat(candidates, ", "))
  end
  return ("unknown %s %s%s"):format(noun, errors.show(name), hint)
end

local escapes = { ["\n"] = "\\n", ['"'] = '\\"', ["\\"] = "\\\\" }

local function quote(text)
  if #text > 60 then
    text = text:sub(1, 57) .. "..."
  end
  return '"' .. text:gsub("[%c\"\\]", function(c)
    return escapes[c] or ("\\%d"):format(c:byte())
  end) .. '"'
end

--- A value as messages show it.
---@param value any
---@return string
function errors.show(value)
  local kind = type(value)
  if kind == "string" then
    return quote(value)
  elseif kind == "number" then
    return core.number(value)
  elseif kind == "nil" or kind == "boolean" then
    return tostring(value)
  end
  local name = core.class(value)
  return errors.article(name and name:gsub("^sarrus%.", "") or kind)
end

--- A noun with its article.
---@param noun string
---@return string
function errors.article(noun)
  return (noun:find("^[aeiou]") and "an " or "a ") .. noun
end

--- So many of something, as in `1 body`, `2 bodies`.
---@param n integer
---@param noun string
---@param plural? string default the noun with an s
---@return string
function errors.count(n, noun, plural)
  return errors.show(n) .. " " .. (n == 1 and noun or plural or noun .. "s")
end

--- The type of a value and the value, as in `got string "2"`.
---@param value any
---@return string
function errors.got(value)
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean" then
    return "got " .. kind .. " " .. errors.show(value)
  end
  return "got " .. errors.show(value)
end

--- Check that a method was called on its object: with a colon.
---@param self any what it was called on
---@param class table the metatable of its objects
---@param method string
---@param noun string what scripts call an object
function errors.check_self(self, class, method, noun)
  if getmetatable(self) ~= class then
    errors.raise(("%s: called on %s; use %s:%s(…)"):format(method, errors.show(self), noun, method))
  end
end

return errors
