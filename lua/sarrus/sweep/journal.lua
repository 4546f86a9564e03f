--- The journal of a sweep, beside its table: each row as soon as it is known, so that a sweep that
--- was ended in any way goes on where it was.
---
---   sarrus sweep journal 1 <checksum of what the sweep is>
---   <run> <length> <checksum>
---   <row, of that length>
---   …
--- A record that was cut short does not count; the next one begins on a new line.

local file = require "sarrus.base.file"

---@class sarrus.Journal
---@field rows table<integer, string> by run
local Journal = {}
Journal.__index = Journal

local journal = {}

local MAGIC = "sarrus sweep journal 1 "

--- Two polynomials of the bytes modulo primes, in which products stay below 2^53.
---@param text string
---@return string
function journal.checksum(text)
  local a, b = 1, 1
  for i = 1, #text do
    local byte = text:byte(i)
    a = (a * 65599 + byte) % 2147483647
    b = (b * 31337 + byte) % 2147483629
  end
  return ("%08x%08x"):format(a, b)
end

--- The record at a place of a text: its run, its row, and where it ends; nil if there is none.
local function record(text, at)
  local run, length, sum, from = text:match("^(%d+) (%d+) (%x+)\n()", at)
  local row = run and text:sub(from, from + length - 1)
  if row and #row == tonumber(length) and journal.checksum(row) == sum then
    return tonumber(run), row, from + #row
  end
end

--- The rows of a text behind its first line, by run, and whether it ends with a whole one.
local function records(text, at)
  local rows, whole = {}, true
  while at and at <= #text do
    local run, row, behind = record(text, at)
    whole = run ~= nil
    if whole then
      rows[run], at = row, behind
    else
      at = text:match("\n()", at)
    end
  end
  return rows, whole
end

local function read(path)
  local opened = io.open(path, "rb")
  if not opened then
    return nil
  end
  local text = opened:read("*a")
  opened:close()
  return text
end

--- The rows that are known of a sweep, and what is to be written before others follow.
---@param path string
---@param identity string what the sweep is, in any words
---@return table<integer, string>? rows
---@return string? first, or a message
---@return string? code FORMAT
local function recover(path, identity)
  local first = MAGIC .. journal.checksum(identity) .. "\n"
  local text = read(path) or ""
  if text:sub(1, #MAGIC) ~= MAGIC:sub(1, #text) then
    return nil, path .. ": this is no journal of a sweep; remove it, or give another --csv",
      "FORMAT"
  elseif #text < #first then -- cut short before there was a row
    os.remove(path)
    return {}, first
  elseif text:sub(1, #first) ~= first then
    return nil, path .. ": the journal of another sweep: its script, values or options differ; "
      .. "remove it to begin anew", "FORMAT"
  end
  local rows, whole = records(text, #first + 1)
  return rows, whole and "" or "\n"
end

--- Go on with the journal of a sweep, or begin one.
---@param path string
---@param identity string
---@return sarrus.Journal?
---@return string? message
---@return string? code IO, FORMAT
function journal.open(path, identity)
  local rows, first, code = recover(path, identity)
  if not rows then
    return nil, first, code
  end
  local opened, reason = io.open(path, "ab")
  if not opened then
    return nil, "sweep: " .. reason, "IO"
  end
  opened:setvbuf("full", 2 ^ 20) -- a record leaves the process at once
  opened:write(first)
  return setmetatable({ path = path, file = opened, rows = rows }, Journal)
end

--- Keep a row.
---@param run integer
---@param row string
---@return true? done
---@return string? message
---@return string? code IO
function Journal:add(run, row)
  local written, reason = self.file:write(("%d %d %s\n"):format(run, #row, journal.checksum(row)),
    row)
  if written then
    written, reason = self.file:flush()
  end
  if not written then
    return file.answer("sweep", self.path, nil, reason, "IO")
  end
  self.rows[run] = row
  return true
end

function Journal:close()
  self.file:close()
end

--- The table is written: nothing is left to go on with.
function Journal:remove()
  self:close()
  os.remove(self.path)
end

return journal
