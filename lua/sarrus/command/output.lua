--- The files of a run: opened before it begins, so that a wrong path is not found out at its end.

local sheet = require "sarrus.output.sheet"

---@class sarrus.CommandOutput
---@field recording sarrus.Recording?
---@field paths string[] of the files that will have been written
local output = {}
output.__index = output

local ROWS = 1000 -- where --every is not given
local MOST_ROWS = 1e9 -- beyond that --every is a slip

local at_end = { "html", "plot", "gltf" } -- methods of recordings that keep their rows

local formats = {}
for _, list in ipairs { sheet.formats, at_end } do
  for _, format in ipairs(list) do
    formats[#formats + 1] = format
  end
end

--- "-" is the standard output.
local function path_of(values, format)
  return values[format] == "-" and "/dev/stdout" or values[format]
end

--- Whether the standard output is needed for data.
---@param values table
---@return boolean
function output.on_stdout(values)
  for _, format in ipairs(formats) do
    if path_of(values, format) == "/dev/stdout" then
      return true
    end
  end
  return false
end

--- Whether a file that is to be written at the end could be; nil, message, code if not.
local function probe(format, path)
  local opened, message, code = sheet.open("--" .. format, "csv", path, {})
  if opened then
    opened:abandon()
  end
  return opened and true, message, code
end

--- What `sim:record` says of wrong channels, in terms of the command line.
local function in_words(message)
  return (("\n" .. message):gsub("\n[^\n]-: record: channels%[%d+%]: ", "\n--channels: "):sub(2))
end

--- What is wrong with the names of the files; nil if nothing is.
local function wrong_name(values)
  local taken = {}
  for _, format in ipairs(formats) do
    local path = path_of(values, format)
    if path and taken[path] then
      return ("--%s and --%s would both write %s"):format(taken[path], format, path)
    elseif path then
      taken[path] = format
    end
  end
  local other = values.plot and values.plot:match("%.(%a+)$")
  if other and other:lower() ~= "svg" then
    return ("--plot %s: plots are SVG; name it %s.svg"):format(values.plot,
      values.plot:match("(.*)%.%a+$"))
  end
end

--- What is given for files, where there are none; nil if nothing is.
local function without_files(values)
  for _, option in ipairs { "channels", "every" } do
    if values[option] then
      return ("--%s is for what is written: give --%s too"):format(option,
        table.concat(formats, ", --", 1, #formats - 1) .. " or --" .. formats[#formats])
    end
  end
end

--- What `sim:record` is given for the options.
local function recorded(values, every)
  local given = { every = every, channels = values.channels }
  for _, format in ipairs(sheet.formats) do
    given[format] = path_of(values, format)
  end
  given.keep = false
  for _, format in ipairs(at_end) do
    given.keep = given.keep or values[format] ~= nil
  end
  return given
end

--- Attach a recording for the options that want one.
---@param sim sarrus.Sim
---@param values table options of the command
---@param t_end number
---@return sarrus.CommandOutput? nil where it cannot be done
---@return string? message
---@return integer|"usage"|nil code for the shell
function output.open(sim, values, t_end)
  local wrong = wrong_name(values)
  if wrong then
    return nil, wrong, "usage"
  end
  local self = setmetatable({ paths = {}, values = values }, output)
  for _, format in ipairs(formats) do
    self.paths[#self.paths + 1] = path_of(values, format)
  end
  for _, format in ipairs(at_end) do
    if values[format] then
      local writable, message, code = probe(format, path_of(values, format))
      if not writable then
        return nil, ("%s [%s]"):format(message, code), 1
      end
    end
  end
  if #self.paths == 0 then
    wrong = without_files(values)
    return not wrong and self or nil, wrong, "usage"
  end
  io.stdout:flush() -- what the script printed comes before a table there
  local length = math.abs(t_end - sim.time)
  if values.every and length / values.every > MOST_ROWS then
    return nil, ("--every %g: that would be %.0e rows"):format(values.every,
      length / values.every), "usage"
  end
  local good, recording, message, code = pcall(sim.record, sim,
    recorded(values, values.every or (length > 0 and length / ROWS or 1)))
  if not good then
    return nil, in_words(recording), "usage"
  elseif not recording then
    return nil, ("%s [%s]"):format(message, code), 1
  end
  self.recording = recording
  return self
end

--- Complete the files, however the run ended; the first that failed is told.
---@return true? done
---@return string? message
---@return string? code
function output:finish()
  local recording, values = self.recording, self.values
  if not recording then
    return true
  end
  local done, message, code = recording:close()
  for _, format in ipairs(at_end) do
    if values[format] then
      local written, why, kind = recording[format](recording, path_of(values, format))
      if not written then
        done, message, code = nil, message or why, code or kind
      end
    end
  end
  return done, message, code
end

return output
