--- Words of a command line, by a table of options; help from the same table.
---
--- An option is `{ name, value, about, kind = , list = , short = }`: `value` names its value, nil
--- for a switch; `kind(text)` gives the value to use, or nil and what is wanted; a `list` may be
--- given several times; `short = "o"` lets it be written -o too.

local errors = require "sarrus.base.errors"

local options = {}

-- Kinds ------------------------------------------------------------------------------------------

--- A finite number.
function options.number(text)
  local x = tonumber(text)
  if x and x - x == 0 then
    return x
  end
  return nil, "a number"
end

--- A positive number.
function options.positive(text)
  local x = options.number(text)
  if x and x > 0 then
    return x
  end
  return nil, "a positive number"
end

--- A kind: a whole number from low to high.
function options.count(low, high)
  return function(text)
    local x = options.number(text)
    if x and x >= low and x <= high and x % 1 == 0 then
      return x
    end
    return nil, ("a whole number from %d to %d"):format(low, high)
  end
end

--- What `simulate` takes as a tolerance.
function options.tolerance(text)
  local x = options.number(text)
  if x and x >= 2.3e-15 and x < 1 then
    return x
  end
  return nil, "a number from 2.3e-15 to below 1"
end

--- What `simulate` takes as a method.
function options.method(text)
  if text == "auto" or text == "series" or text == "stiff" then
    return text
  end
  return nil, "auto, series or stiff"
end

--- The path of a file.
function options.path(text)
  if text ~= "" then
    return text
  end
  return nil, "the path of a file"
end

--- Words between commas; `\,` is a comma within a word.
function options.words(text)
  local list = {}
  for word in text:gsub("\\,", "\1"):gmatch("[^,]+") do
    list[#list + 1] = word:match("^%s*(.-)%s*$"):gsub("\1", ",")
  end
  if #list > 0 then
    return list
  end
  return nil, "names with commas between them"
end

--- `name=value` with a number.
function options.assignment(text)
  local name, value = text:match("^%s*([^=]-)%s*=(.*)$")
  value = value and options.number(value)
  if value and name ~= "" then
    return { name = name, value = value }
  end
  return nil, "name=value with a number"
end

-- Parsing ----------------------------------------------------------------------------------------

local function find(command, name)
  local names = {}
  for i, option in ipairs(command.options) do
    if "--" .. option[1] == name or option.short and "-" .. option.short == name then
      return option
    end
    names[i] = "--" .. option[1]
  end
  names[#names + 1] = "--help"
  return nil, ("unknown option %s%s"):format(name, errors.suggest(name, names))
end

--- The value of an option: behind its `=`, or the next word.  Answers the place it was at, too.
local function value_of(option, given, words, i)
  if not option[2] then
    if given then
      return nil, ("--%s takes no value"):format(option[1])
    end
    return true, i
  elseif not given then
    i = i + 1
    given = words[i]
    if not given or given:find("^%-%-") then
      return nil, ("--%s needs a value: --%s %s"):format(option[1], option[1], option[2])
    end
  end
  local value, wanted = option.kind(given)
  if value == nil then
    return nil, ("--%s: got %s, want %s"):format(option[1], errors.show(given), wanted)
  end
  return value, i
end

local function store(values, option, value)
  local name = option[1]
  if option.list then
    values[name] = values[name] or {}
    table.insert(values[name], value)
  elseif values[name] ~= nil then
    return nil, ("--%s is given twice"):format(name)
  else
    values[name] = value
  end
  return true
end

--- Options by name, the words between them as a list, and `arguments`, the words after `--`.
---@param command table
---@param words string[]
---@return table? values nil for wrong usage
---@return string? message
function options.parse(command, words)
  local values, i = { arguments = {} }, 1
  while i <= #words do
    local word = words[i]
    local name, given = word:match("^(%-%-[^=]+)=(.*)$")
    if not name then
      name, given = word:match("^(%-%a)(%d+)$") -- -j8
    end
    if word == "--" then
      for j = i + 1, #words do
        table.insert(values.arguments, words[j])
      end
      return values
    elseif word == "--help" or word == "-h" then
      return { help = true }
    elseif word:find("^%-.") then
      local option, message = find(command, name or word)
      if not option then
        return nil, message
      end
      local value, at = value_of(option, given, words, i)
      if value == nil then
        return nil, at
      end
      local stored, twice = store(values, option, value)
      if not stored then
        return nil, twice
      end
      i = at
    else
      values[#values + 1] = word
    end
    i = i + 1
  end
  return values
end

-- Help -------------------------------------------------------------------------------------------

local function columns(rows)
  local width, lines = 0, {}
  for _, row in ipairs(rows) do
    width = math.max(width, #row[1])
  end
  for i, row in ipairs(rows) do
    lines[i] = ("  %s%s  %s"):format(row[1], (" "):rep(width - #row[1]), row[2])
  end
  return table.concat(lines, "\n")
end
options.columns = columns

--- The help of a command.
---@param command table
---@return string
function options.help(command)
  local rows = {}
  for i, option in ipairs(command.options) do
    local name = (option.short and "-" .. option.short .. ", " or "") .. "--" .. option[1]
    rows[i] = { name .. (option[2] and " " .. option[2] or ""), option[3] }
  end
  rows[#rows + 1] = { "--help", "this text" }
  return ("usage: %s\n\n%s\n\n%s\n\nexamples\n%s\n"):format(command.usage, command.about,
    columns(rows), "  " .. table.concat(command.examples, "\n  "))
end

return options
