--- Rows as text in a file.
---
---   CSV    t [s],J1.angle [rad]
---          0,1.5
---   JSONL  {"channels":[{"label":"t","unit":"s"},{"label":"J1.angle","unit":"rad"}]}
---          [0,1.5]
--- CSV follows RFC 4180 but for the ends of lines, which are "\n"; a number that is none is nan, or
--- null.

local core = require "sarrus.core"
local file = require "sarrus.base.file"
local json = require "sarrus.output.json"

---@alias sarrus.SheetFormat "csv"|"jsonl"

local sheet = {}

sheet.formats = { "csv", "jsonl" }

local function csv_field(label, unit)
  local text = unit == "" and label or ("%s [%s]"):format(label, unit)
  if text:find('[",\n\r]') then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

local header = {}

function header.csv(channels)
  local words = { csv_field("t", "s") }
  for _, one in ipairs(channels) do
    words[#words + 1] = csv_field(one.label, one.unit)
  end
  return table.concat(words, ",") .. "\n"
end

function header.jsonl(channels)
  local list = { { label = "t", unit = "s" } }
  for _, one in ipairs(channels) do
    list[#list + 1] = one
  end
  return json.encode { channels = list } .. "\n"
end

--- A sheet that has its header; rows follow.
---@param what string as messages name the call
---@param format sarrus.SheetFormat
---@param path string
---@param channels { label: string, unit: string }[]
---@return userdata? rows
---@return string? message
---@return string? code IO
function sheet.open(what, format, path, channels)
  return file.answer(what, path, core.sheet(file.path(what, path), format, #channels + 1,
    header[format](channels)))
end

return sheet
