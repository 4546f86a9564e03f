--- Rows of runs as CSV: the run, the time, the channels, code and message.
---
---   run,t [s],J1.angle [rad],code,message
---   1,10,1.5,,
---   2,3.25,nan,STEP,"model ""arm"": the steps became too small …"

local core = require "sarrus.core"
local file = require "sarrus.base.file"

local sheet = {}

--- A word as RFC 4180 wants it.
---@param text string
---@return string
function sheet.field(text)
  if text:find('[",\n\r]') then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

local function title(label, unit)
  return sheet.field(unit == "" and label or ("%s [%s]"):format(label, unit))
end

--- The first line; `before` are columns between the run and the time.
---@param channels { label: string, unit: string }[]
---@param before? string[]
---@return string
function sheet.header(channels, before)
  local words = { "run" }
  for _, name in ipairs(before or {}) do
    words[#words + 1] = sheet.field(name)
  end
  words[#words + 1] = title("t", "s")
  for _, one in ipairs(channels) do
    words[#words + 1] = title(one.label, one.unit)
  end
  return table.concat(words, ",") .. ",code,message\n"
end

--- A number, the shortest that reads back; what is none is nan.
local function number(x)
  return x ~= x and "nan" or core.number(x)
end

--- A line: numbers, then code and message where there are some.
---@param run integer
---@param numbers number[]
---@param code? string
---@param message? string
---@return string
function sheet.line(run, numbers, code, message)
  local words = { ("%d"):format(run) }
  for i, x in ipairs(numbers) do
    words[i + 1] = number(x)
  end
  words[#words + 1] = code or ""
  words[#words + 1] = sheet.field(message or "")
  return table.concat(words, ",") .. "\n"
end

--- The lines of a run: one, or with lists one for each instant and, where it failed, one more.
---@param i integer
---@param run sarrus.Run
---@param channels { label: string, unit: string }[]
---@param append fun(line: string)
local function lines(i, run, channels, append)
  local t, columns = run.t, {}
  for k, one in ipairs(channels) do
    columns[k] = run[one.label]
  end
  if type(t) == "number" then
    table.insert(columns, 1, t)
    return append(sheet.line(i, columns, run.code, run.message))
  end
  for row = 1, #t do
    local numbers = { t[row] }
    for k in ipairs(channels) do
      numbers[k + 1] = columns[k][row]
    end
    append(sheet.line(i, numbers))
  end
  if run.code then
    local numbers = {}
    for k = 1, #channels + 1 do
      numbers[k] = 0 / 0
    end
    append(sheet.line(i, numbers, run.code, run.message))
  end
end

--- Write runs.
---@param what string as messages name the call
---@param path string
---@param channels { label: string, unit: string }[]
---@param count integer
---@param run_of fun(i: integer): sarrus.Run
---@return true? done
---@return string? message
---@return string? code IO
function sheet.write(what, path, channels, count, run_of)
  local list = { sheet.header(channels) }
  for i = 1, count do
    lines(i, run_of(i), channels, function(line)
      list[#list + 1] = line
    end)
  end
  return file.write(what, path, table.concat(list))
end

return sheet
