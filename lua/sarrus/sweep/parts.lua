--- Parts of a sweep, and how they are put together: tables whose first line says which part they
--- are, so that a missing one is noticed.
---
---   run (part 2/4 of 400 runs),k,t [s],…

local file = require "sarrus.base.file"

local parts = {}

--- The first line of a part's table, from that of the whole one.
---@param header string
---@param part { index: integer, count: integer }
---@param runs integer of the whole sweep
---@return string
function parts.header(header, part, runs)
  return (header:gsub("^run", ("run (part %d/%d of %d runs)"):format(part.index, part.count, runs)))
end

--- Where the record that begins at `from` ends: line breaks in quotes do not count.
local function record_end(text, from)
  local quoted, at = false, from
  while true do
    local place, byte = text:match('()(["\n])', at)
    if not place then
      return nil
    elseif byte == '"' then
      quoted = not quoted
    elseif not quoted then
      return place
    end
    at = place + 1
  end
end

--- A table as its first line and its records, in order; nil and a message where it is none.
local function read(path)
  local opened, reason = io.open(path, "rb")
  if not opened then
    return nil, "--merge: " .. reason, "IO"
  end
  local text = opened:read("*a")
  opened:close()
  local header, records, at = nil, {}, 1
  while at <= #text do
    local stop = record_end(text, at)
    if not stop then
      return nil, ("--merge: %s: the last row is cut short"):format(path), "FORMAT"
    end
    local record = text:sub(at, stop)
    if not header then
      header = record
    else
      records[#records + 1] = record
    end
    at = stop + 1
  end
  if not header or not header:find("^run[ ,]") then
    return nil, ("--merge: %s: this is no table of a sweep"):format(path), "FORMAT"
  end
  return { header = header, records = records }
end
parts.read = read

--- Put the records of a table among those that are known.
local function gather(path, tables, rows)
  for _, record in ipairs(tables.records) do
    local run = tonumber(record:match("^(%d+),"))
    if not run then
      return nil, ("--merge: %s: a row without its run: %s"):format(path, record:sub(1, 40)),
        "FORMAT"
    elseif rows[run] and rows[run] ~= record then
      return nil, ("--merge: %s: run %d stands in another table with other numbers"):format(path,
        run), "FORMAT"
    end
    rows[run] = record
  end
  return true
end

--- What is wrong with which rows there are; nil if nothing is.
local function missing(rows, count)
  local list, total, last = {}, 0, 0
  for run in pairs(rows) do
    last = math.max(last, run)
  end
  for run = 1, count or last do
    if not rows[run] then
      total = total + 1
      list[#list + 1] = total <= 5 and tostring(run) or nil
    end
  end
  if total > 0 then
    return ("--merge: %d of %d runs are missing: %s%s"):format(total, count or last,
      table.concat(list, ", "), total > 5 and ", …" or "")
  end
end

--- Put parts together into one table, the same as that of a sweep in one go.
---@param path string of the table
---@param paths string[] of the parts
---@return integer? runs
---@return string? message
---@return string? code IO, FORMAT
function parts.merge(path, paths)
  local rows, header, count = {}, nil, nil
  for _, from in ipairs(paths) do
    local one, message, code = read(from)
    if not one then
      return nil, message, code
    end
    local whole = one.header:gsub("^run %b()", "run")
    local runs = tonumber(one.header:match("^run %(part %d+/%d+ of (%d+) runs%)"))
    if header and header ~= whole or count and runs and count ~= runs then
      return nil, ("--merge: %s: a part of another sweep than %s"):format(from, paths[1]),
        "FORMAT"
    end
    header, count = whole, runs or count
    local good
    good, message, code = gather(from, one, rows)
    if not good then
      return nil, message, code
    end
  end
  local wrong = missing(rows, count)
  if wrong then
    return nil, wrong, "FORMAT"
  end
  local done, message, code = file.write("--merge", path, header .. table.concat(rows))
  return done and #rows, message, code
end

return parts
