--- A robot as a script that its owner edits: the parts that `sarrus.import` would make, with the
--- same digits.

local core = require "sarrus.core"

local script = {}

local WIDTH = 100

-- The order in which fields are written; the name and the bodies stand before them.
local ORDER = {
  "at", "from", "to", "axis", "axes", "normal", "position", "mass", "inertia", "orientation",
  "size", "radius", "length", "file", "scale", "motion", "torque", "force", "stiffness", "rest",
  "damping", "friction", "restitution", "limits", "coefficients", "color",
}
local RANK = {}
for i, name in ipairs(ORDER) do
  RANK[name] = i
end

-- Values -----------------------------------------------------------------------------------------

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c)
    return c == '"' and '\\"' or c == "\\" and "\\\\" or ("\\%03d"):format(c:byte())
  end) .. '"'
end

local value

local function keys_of(given)
  local keys = {}
  for key in pairs(given) do
    if type(key) == "string" then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, function(a, b)
    local one, other = RANK[a] or #ORDER + 1, RANK[b] or #ORDER + 1
    if one ~= other then
      return one < other
    end
    return a < b
  end)
  return keys
end

--- The words of a table: its list, then its fields.
local function words(given)
  local list = {}
  for i, one in ipairs(given) do
    list[i] = value(one)
  end
  for _, key in ipairs(keys_of(given)) do
    list[#list + 1] = ("%s = %s"):format(key, value(given[key]))
  end
  return list
end

function value(x)
  if type(x) == "number" then
    return core.number(x)
  elseif type(x) == "string" then
    return quoted(x)
  elseif type(x) == "table" and x.text then
    return x.text
  elseif type(x) == "table" then
    return "{ " .. table.concat(words(x), ", ") .. " }"
  end
  return tostring(x)
end

-- Parts ------------------------------------------------------------------------------------------

--- A call with its words, in as many lines as it takes.
local function call(head, list)
  local line = ("  %s { %s },"):format(head, table.concat(list, ", "))
  if #line <= WIDTH and not line:find("\n") then
    return line
  end
  local lines, open = {}, ("  %s {"):format(head)
  for i, word in ipairs(list) do
    local more = " " .. word .. (i < #list and "," or "")
    if #open + #more > WIDTH - 3 and open:find("%S") then
      lines[#lines + 1] = open
      open = "   "
    end
    open = open .. more
  end
  lines[#lines + 1] = open .. " },"
  return table.concat(lines, "\n")
end

local function part(item)
  return call(item[1] .. "." .. item[2], words(item.given))
end

--- The families that a script uses, in the order of the manual.
local function families_of(result)
  local used, list = {}, {}
  for _, section in ipairs(result.sections) do
    for _, item in ipairs(section) do
      used[item[1]] = true
    end
  end
  for _, name in ipairs(require "sarrus.families") do
    list[#list + 1] = used[name] and name or nil
  end
  return list
end

local function heading(result)
  local names = families_of(result)
  local lines = {
    ("-- %s, from %s."):format(result.name:gsub("%c", " "), (result.path:gsub("%c", " "))),
    'local sarrus = require "sarrus"',
    ("local %s = sarrus.%s"):format(table.concat(names, ", "), table.concat(names, ", sarrus.")),
  }
  if #result.parameters > 0 then
    lines[#lines + 1] = "\n-- What motors are told: sim:set(name, value).\nlocal motor = {"
    for _, parameter in ipairs(result.parameters) do
      lines[#lines + 1] = ("  %s = sarrus.parameter(%s, 0),"):format(parameter.variable,
        quoted(parameter.name))
    end
    lines[#lines + 1] = "}"
  end
  return lines
end

local function put_notes(lines, notes)
  if #notes > 0 then
    lines[#lines + 1] = "\n-- What was ignored or changed:"
  end
  for _, note in ipairs(notes) do
    lines[#lines + 1] = "-- " .. note:gsub("%c", " ")
  end
end

--- The text of a script that returns the model.
---@param result table what robot.read returns
---@return string
function script.of(result)
  local lines = heading(result)
  put_notes(lines, result.notes)
  lines[#lines + 1] = "\nreturn sarrus.model {"
  lines[#lines + 1] = ("  name = %s, gravity = %s,"):format(quoted(result.name),
    value(result.gravity))
  for _, section in ipairs(result.sections) do
    if #section > 0 then
      lines[#lines + 1] = ("\n  -- %s"):format(section.title)
    end
    for _, item in ipairs(section) do
      lines[#lines + 1] = part(item)
    end
  end
  lines[#lines + 1] = "}\n"
  return table.concat(lines, "\n")
end

return script
