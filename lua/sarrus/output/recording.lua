--- Recordings: what a simulation goes through, written down at t0 + k every while it moves.
---
--- Channels that are expressions are evaluated by the core as the steps pass; those that ask the script are fed
--- from here, at each instant.

local channel = require "sarrus.output.channel"
local core = require "sarrus.core"
local errors = require "sarrus.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.fields"
local frames = require "sarrus.output.frames"
local page = require "sarrus.output.page"
local quantities = require "sarrus.output.quantities"

---@class sarrus.Recording
---@field t number[] times
---@field channels { label: string, unit: string }[] in order
---@field frames { t: number, poses: number[], reactions: number[] }[]? of models: see output/frames.lua
---@field sim sarrus.Sim
---@field [string] number[] the values of a channel, by its label
local methods = {}

local Recording = { __name = "sarrus.recording" }

local recording = {}

-- Reading ----------------------------------------------------------------------------------------

local computed = {}

--- The list of a column, brought up to date; 0 is the time.
local function column(own, i)
  local list = own.lists[i] or {}
  own.lists[i] = list
  return own.recorder:column(i, list)
end

function computed.t(self)
  return column(self.own, 0)
end

function computed.frames(self)
  local recorder, list = self.own.frame_recorder, self.own.frames
  for k = #list + 1, recorder and recorder:count() or 0 do
    local last = list[k - 1]
    list[k] = frames.of_row(self.sim.system.model, recorder:row(k), last and last.poses)
  end
  return recorder and list or nil
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
  return ("recording of %s: %d channel(s), %d instant(s)"):format(self.sim.system.what,
    #self.channels, self.own.recorder:count())
end

-- Feeding ----------------------------------------------------------------------------------------

--- The next time, on the way to t, at which to stop for channels that ask the script.
---@param list sarrus.Recording[]
---@param now number
---@param t number
---@return number
function recording.next_stop(list, now, t)
  for _, self in ipairs(list) do
    local at = self.own.scripted and self.own.recorder:next(t)
    if at and (now <= at and at < t or t < at and at <= now) then
      t = at
    end
  end
  return t
end

--- What the script answers for a channel, or nil and the message.
local function ask(one, s)
  local good, value = core.call(one.f, s)
  if good and type(value) == "number" then
    return value
  end
  return nil, ("channel %s at t = %s: %s"):format(errors.show(one.label), core.number(s.t),
    good and errors.got(value) .. ", want number" or tostring(value))
end

--- Rows of a recording whose channels ask the script; the failure of one of them.
local function feed(own, sim, here)
  local recorder = own.recorder
  local t = recorder:due(here)
  while t do
    own.state = t == sim.time and sim:state(own.state) or sim:at(t, own.state)
    for i, one in ipairs(own.scripted) do
      local value, message = ask(one, own.state)
      if not value then
        return message
      end
      recorder:set(i, value)
    end
    recorder:take()
    t = recorder:due(here)
  end
end

--- Bring all recordings up to the present time; what went wrong, and its code.
---@param list sarrus.Recording[]
---@param here boolean whether the present instant is as it will be recorded
---@return string? message
---@return string? code
function recording.feed(list, here)
  for _, self in ipairs(list) do
    local message = self.own.scripted and feed(self.own, self.sim, here)
    if message then
      return message, "CALLBACK"
    end
  end
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

--- The core's recorder of some expressions; those of the script come as parameters behind the simulation's.
local function recorder_of(sim, expressions, options)
  local importer = expr.importer(core.graph())
  for _, parameter in ipairs(sim.parameters) do
    importer:import { expr.parameter(parameter.name, parameter.value) }
  end
  local nodes = importer:import(expressions)
  return core.recorder(sim.core, importer.graph, nodes, options)
end

--- The expressions of channels, and the list of those that ask the script.
local function expressions_of(channels)
  local list, scripted = {}, {}
  for i, one in ipairs(channels) do
    if one.f then
      scripted[#scripted + 1] = one
    end
    list[i] = one.expression or expr.parameter("channel " .. #scripted, 0)
  end
  return list, scripted
end

--- What the recording keeps to itself.
local function own_of(sim, channels, every)
  local list, scripted = expressions_of(channels)
  local own = { index = {}, lists = {}, frames = {}, scripted = #scripted > 0 and scripted }
  for i, one in ipairs(channels) do
    own.index[one.label] = i
  end
  own.recorder = recorder_of(sim, list, { every = every, values = #scripted, keep = true })
  if sim.system.model then
    own.frame_recorder = recorder_of(sim, frames.expressions(sim.system.model), {
      every = every, values = 0, keep = true, marked = true,
    })
  end
  return own
end

--- Attach a recording to a simulation.
---@param sim sarrus.Sim
---@param given { every: number, channels?: (string|table)[] }
---@return sarrus.Recording
function recording.new(sim, given)
  local what = sim.system.what .. ": record"
  local kind = channel.list(quantities.of(sim), reserved)
  local checked = fields.check({
    { "every", positive, required = true },
    { "channels", kind },
  }, given, what)
  local channels = checked.channels or kind(channel.default(sim), "channels", errors.raise)
  local public = {}
  for i, one in ipairs(channels) do
    public[i] = { label = one.label, unit = one.unit }
  end
  return setmetatable({
    sim = sim, channels = public, own = own_of(sim, channels, checked.every),
  }, Recording)
end

--- Write a page that shows the recording in a browser: one file that needs nothing else.
---@param path string
---@param given? { title?: string, traces?: (string|table)[] }
---@return true? done
---@return string? message
---@return string? code IO
function methods:html(path, given)
  return page.write(self, path, given)
end

--- Write no more; what is kept in memory stays.
function methods:close()
  local list = self.sim.recordings
  for i = #list, 1, -1 do
    if list[i] == self then
      table.remove(list, i)
    end
  end
  self.own.recorder:close()
  if self.own.frame_recorder then
    self.own.frame_recorder:close()
  end
end

for _, names in ipairs { methods, computed } do
  for name in pairs(names) do
    reserved[name] = true
  end
end

return recording
