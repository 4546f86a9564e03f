--- `sarrus fit`: parameters of a script's model from a table of measurements.

local errors = require "sarrus.base.errors"
local fit = require "sarrus.fit"
local mechanism = require "sarrus.model.mechanism"
local options = require "sarrus.command.options"
local script = require "sarrus.command.script"
local unknown = require "sarrus.sweep.unknown"

--- name, or name=low:high
local function parameter(text)
  local name, low, high = text:match("^([^=]+)=([^:]*):([^:]*)$")
  if not name then
    return not text:find("=") and { text } or nil
  end
  low, high = options.number(low), options.number(high)
  return low and high and low < high and { name, low = low, high = high } or nil
end

--- Parameters between commas.
local function parameters(text)
  local list = {}
  for _, word in ipairs(options.words(text) or {}) do
    list[#list + 1] = parameter(word)
    if #list == 0 then
      return nil, "names, or name=low:high, with commas between them"
    end
  end
  if #list > 0 and #list == #options.words(text) then
    return list
  end
  return nil, "names, or name=low:high, with commas between them"
end

local command = {
  summary = "find parameters for which a run comes nearest to measurements",
  usage = "sarrus fit script.lua --data file.csv --parameters a,b [options] [-- arguments]",
  about = [[
Finds the values of parameters, and of the start, for which the model that the script returns comes
nearest to what was measured, and how well the data tell them.  The table is one as `sarrus run
--csv` writes: a column t, and one for each channel, by name.]],
  words = 1,
  options = {
    { "data", "file", "the table of measurements, as CSV", kind = options.path },
    { "parameters", "a,b", "what is fitted: k, L=0.1:2 within bounds, start.J1.angle",
      kind = parameters },
    { "set", "name=value", "give a parameter that is not fitted another value; may be repeated",
      kind = options.assignment, list = true },
    { "tolerance", "x", "local error of a step [1e-12]", kind = options.tolerance },
  },
  examples = {
    "sarrus fit arm.lua --data measured.csv --parameters k,c",
    "sarrus fit arm.lua --data measured.csv --parameters L=0.1:2,start.J1.rate --set m=2",
  },
}

--- The cells of a line of CSV; names may stand in quotes.
local function cells(line)
  local list, rest = {}, line:gsub("\r$", "") .. ","
  while rest ~= "" do
    local quoted, after = rest:match('^"(.-)",(.*)$')
    if not quoted then
      quoted, after = rest:match("^([^,]*),(.*)$")
    end
    list[#list + 1], rest = quoted:match("^%s*(.-)%s*$"), after
  end
  return list
end

--- Columns of a file by name; nil and a message.
local function read(path)
  local file, message = io.open(path, "r")
  if not file then
    return nil, message
  end
  local names, data, number = nil, {}, 0
  for line in file:lines() do
    number = number + 1
    if not line:find("^%s*$") and not line:find("^#") then
      local list = cells(line)
      if not names then
        names = {}
        for i, name in ipairs(list) do
          names[i] = name:gsub("%s*%[[^%]]*%]$", "") -- without its unit
          data[names[i]] = {}
        end
      else
        for i, name in ipairs(names) do
          local x = tonumber(list[i])
          if not x or x - x ~= 0 then
            file:close()
            return nil, ("%s:%d: %s: %s, want a number"):format(path, number, name,
              errors.got(list[i]))
          end
          table.insert(data[name], x)
        end
      end
    end
  end
  file:close()
  if not names or not data.t then
    return nil, ("%s: there is no column t"):format(path)
  end
  return data
end

--- The values that --set gives; nil and a message for wrong usage.
local function fixed_values(model, values)
  local fixed, names, fitted = {}, {}, {}
  for _, one in ipairs(values.parameters) do
    fitted[one[1]] = true
  end
  for i, one in ipairs(values.set or {}) do
    if fitted[one.name] then
      return nil, ("--set %s: it is fitted; give its bounds with --parameters"):format(one.name)
    end
    fixed[one.name], names[i] = one.value, one.name
  end
  local message = unknown(model.what, mechanism.system(model).parameters, names)
  return not message and fixed or nil, message
end

function command.perform(subject, values)
  if not values.data or not values.parameters then
    return "usage", ("fit needs --%s"):format(values.data and "parameters" or "data")
  elseif script.kind(subject) ~= "model" then
    return 1, ("%s: the script returns a %s; return a model"):format(values[1],
      script.kind(subject))
  end
  local data, message = read(values.data)
  if not data then
    return 1, message
  end
  local fixed, wrong = fixed_values(subject, values)
  if not fixed then
    return "usage", wrong
  end
  local good, found, why, code = pcall(fit.new, {
    subject, parameters = values.parameters, data = data, fixed = fixed,
    tolerance = values.tolerance,
  })
  if not good and script.exit_code(found) == 1 then
    return "usage", tostring(found)
  elseif not good then
    error(found, 0)
  elseif not found then
    return 1, ("%s [%s]"):format(why, code)
  end
  io.stdout:write(tostring(found), "\n")
  return 0
end

return command
