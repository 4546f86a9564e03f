--- Recordings: what a simulation goes through, written down at t0 + k every while it moves.
---
--- Channels that are expressions are evaluated by the core as the steps pass; those that ask the
--- script are fed from here, at each instant.  Rows are kept in memory, or go to files (`csv`,
--- `jsonl`), which get their names when the recording is closed: by `recording:close()`, with its
--- simulation, or by the collector, at the latest when the script ends.

local animation = require "sarrus.output.animation"
local channel = require "sarrus.output.channel"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local file = require "sarrus.base.file"
local follower = require "sarrus.output.follow"
local gltf = require "sarrus.output.gltf"
local page = require "sarrus.output.page"
local plot = require "sarrus.output.plot"
local quantities = require "sarrus.output.quantities"
local recorder = require "sarrus.output.recorder"
local sheet = require "sarrus.output.sheet"

---@class sarrus.Recording
---@field t number[] times
---@field channels { label: string, unit: string }[] in order
---@field frames { t: number, poses: number[], reactions: number[], touches: number[] }[]? of models: see output/animation.lua
---@field sim sarrus.Sim
---@field [string] number[] the values of a channel, by its label
local methods = {}

local Recording = { __name = "sarrus.recording" }

local recording = {}

local function own_of(self, name)
  errors.check_self(self, Recording, name, "recording")
  return self.own
end

-- Reading ----------------------------------------------------------------------------------------

local computed = {}

--- The list of a column, brought up to date; 0 is the time.
local function column(own, i)
  if not own.kept then
    errors.raise(("%s: keep = false: the rows went to %s and were not kept"):format(
      own.what, own.sheets[1] and own.sheets[1].path or "files"))
  end
  local list = own.lists[i] or {}
  own.lists[i] = list
  return own.recorder:column(i, list)
end

function computed.t(self)
  return column(self.own, 0)
end

function computed.frames(self)
  local source, list = self.own.animation, self.own.frames
  for k = #list + 1, source and source:count() or 0 do
    local last = list[k - 1]
    list[k] = animation.of_row(self.sim.system.model, source:row(k), last and last.poses)
  end
  return source and list or nil
end

--- `recording.t`, `recording.frames`, and the channels by their labels, are asked each time.
function Recording.__index(self, key)
  if methods[key] then
    return methods[key]
  elseif computed[key] then
    return computed[key](self)
  end
  local own = rawget(self, "own")
  if own.index[key] then
    return column(own, own.index[key])
  end
  local labels = {}
  for k, one in ipairs(rawget(self, "channels")) do
    labels[k] = one.label
  end
  errors.raise(("the recording has no channel %s%s"):format(errors.show(key),
    errors.suggest(key, labels)))
end

function Recording:__tostring()
  local own = self.own
  local where = own.sheets[1] and "to " .. own.sheets[1].path
    or own.kept and ("%d instant(s)"):format(own.recorder:count()) or "closed"
  return ("recording of %s: %d channel(s), %s"):format(self.sim.system.what, #self.channels, where)
end

-- Making -----------------------------------------------------------------------------------------

local reserved = { sim = true, channels = true, own = true }

local function positive(value, path, fault)
  local number = fields.number(value, path, fault)
  if number and number <= 0 then
    fault(path .. ": " .. errors.show(number) .. " is not positive")
  end
  return number
end

--- Open the files that were asked for, or nil, message, code; then none is left.
local function open_sheets(what, checked, channels)
  local list = {}
  for _, format in ipairs(sheet.formats) do
    local path = checked[format]
    if path then
      local opened, message, code = sheet.open(what, format, path, channels)
      if not opened then
        for _, one in ipairs(list) do
          one.sheet:abandon()
        end
        return nil, message, code
      end
      list[#list + 1] = { path = path, sheet = opened }
    end
  end
  return list
end

--- What `sim:record` takes; a file for each format of rows.
local function given_fields(kind)
  local list = { { "every", positive, required = true }, { "channels", kind } }
  for _, format in ipairs(sheet.formats) do
    list[#list + 1] = { format, fields.string }
  end
  list[#list + 1] = { "keep", fields.boolean, default = true }
  return list
end

--- Attach a recording to a simulation.
---@param sim sarrus.Sim
---@param given table what `sim:record` takes
---@return sarrus.Recording? recording
---@return string? message
---@return string? code IO
function recording.new(sim, given)
  local what = sim.system.what .. ": record"
  local kind = channel.list(quantities.of(sim), reserved)
  local checked = fields.check(given_fields(kind), given, what)
  if sim.time + checked.every == sim.time then
    errors.raise(("%s: every: %s is nothing beside the time, %s"):format(what,
      errors.show(checked.every), errors.show(sim.time)))
  end
  local channels = checked.channels or kind(channel.default(sim), "channels", errors.raise)
  local public, index = {}, {}
  for i, one in ipairs(channels) do
    public[i], index[one.label] = { label = one.label, unit = one.unit }, i
  end
  local sheets, message, code = open_sheets(what, checked, public)
  if not sheets then
    return nil, message, code
  end
  local own = follower {
    what = what, index = index, lists = {}, frames = {}, sheets = sheets, kept = checked.keep,
  }
  recorder.attach(own, sim, channels, checked.every)
  return setmetatable({ sim = sim, channels = public, own = own }, Recording)
end

-- Writing ----------------------------------------------------------------------------------------

--- Write the rows that are kept.
local function write(self, format, path)
  local own = own_of(self, format)
  local what = "recording:" .. format
  if not own.kept then
    column(own, 0)
  end
  local opened, message, code = sheet.open(what, format, path, self.channels)
  if not opened then
    return nil, message, code
  end
  if not own.recorder:copy(opened) then
    local _, reason = opened:failure()
    opened:abandon()
    return file.answer(what, path, nil, reason, "IO")
  end
  return file.answer(what, path, opened:commit())
end

--- Write what was recorded as CSV: a line of labels with units, then a line for each instant.
---@param path string
---@return true? done
---@return string? message
---@return string? code IO
function methods:csv(path)
  return write(self, "csv", path)
end

--- Write what was recorded as JSON Lines: an object with the channels, then an array for each
--- instant.
---@param path string
---@return true? done
---@return string? message
---@return string? code IO
function methods:jsonl(path)
  return write(self, "jsonl", path)
end

--- Plot channels over time, or over one of them, as SVG: `recording:plot("x.svg", { "J1.angle", …
--- })`.
---@param path string
---@param given? { [integer]: string, x?: string, title?: string, log?: boolean|"x"|"y"|"xy", width?: number, height?: number, labels?: table<string, string> }
---@return true? done
---@return string? message
---@return string? code IO
function methods:plot(path, given)
  own_of(self, "plot")
  return plot.write(self, path, given)
end

--- Write a page that shows the recording in a browser: one file that needs nothing else.
---@param path string
---@param given? { title?: string, traces?: (string|table)[] }
---@return true? done
---@return string? message
---@return string? code IO
function methods:html(path, given)
  own_of(self, "html")
  local text, reason, code = page.of(self, given)
  if not text then
    return file.answer("recording:html", file.path("recording:html", path), nil, reason, code)
  end
  return file.write("recording:html", path, text)
end

--- Write the moving mechanism as glTF 2.0, for Blender, three.js and game engines: one .gltf file.
---@param path string
---@return true? done
---@return string? message
---@return string? code IO
function methods:gltf(path)
  own_of(self, "gltf")
  if file.path("recording:gltf", path):lower():find("%.glb$") then
    errors.raise(("recording:gltf: %s: the file is text; name it .gltf"):format(errors.show(path)))
  end
  return file.write("recording:gltf", path, gltf.of(self))
end

local function detach(self)
  local list = self.sim.recordings
  for i = #list, 1, -1 do
    if list[i] == self then
      table.remove(list, i)
    end
  end
end

--- Record no more: files get their names, what is kept in memory stays.
---@return true? done
---@return string? message
---@return string? code IO
function methods:close()
  local own = own_of(self, "close")
  own.closed = true
  detach(self)
  own.recorder:close()
  if own.animation then
    own.animation:close()
  end
  local sheets, message, code = own.sheets, nil, nil
  own.sheets = {}
  for _, one in ipairs(sheets) do
    local done, why, kind = file.answer(own.what, one.path, one.sheet:commit())
    if not done then
      message, code = message or why, code or kind
    end
  end
  if message then
    return nil, message, code
  end
  return true
end
Recording.__close = methods.close

for _, names in ipairs { methods, computed } do
  for name in pairs(names) do
    reserved[name] = true
  end
end

return recording
