--- Readers: channels of the present state as a list of numbers, for loops that must not wait.
---
--- Channels that are expressions are evaluated by the core, in one call that makes no garbage;
--- functions of the script, and orientations, are asked for with a state that is refilled.

local channel = require "sarrus.output.channel"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local quantities = require "sarrus.output.quantities"
local recorder = require "sarrus.output.recorder"

---@class sarrus.Reader
---@field channels { label: string, unit: string }[] in order
local methods = {}

local Reader = { __name = "sarrus.reader", __index = methods }

local function check_list(list)
  if type(list) ~= "table" then
    errors.raise(("reader:read: %s, want a list to fill"):format(errors.got(list)))
  end
  return list
end

--- What the functions of the script say, as values of the core's.
local function ask(self, own)
  own.state = self.sim:state(own.state)
  for i, one in ipairs(own.scripted) do
    local value = one.f(own.state)
    if type(value) ~= "number" then
      errors.raise(("reader:read: channel %s: %s, want number"):format(errors.show(one.label),
        errors.got(value)))
    end
    own.recorder:set(i, value)
  end
end

--- The numbers of all channels, in order, now; into a list that is given, or a new one.
---@param list? number[] to fill
---@return number[] list
function methods:read(list)
  errors.check_self(self, Reader, "read", "reader")
  local own = self.own
  if rawget(self.sim, "closed") then
    errors.raise("reader:read: the simulation is closed")
  end
  list = list == nil and {} or check_list(list)
  if own.scripted then
    ask(self, own)
  end
  return own.recorder:read(list)
end

function Reader:__tostring()
  return ("reader of %s: %s"):format(self.sim.system.what,
    errors.count(#self.channels, "channel"))
end

--- A reader of a simulation.
---@param sim sarrus.Sim
---@param given (string|table)[]
---@return sarrus.Reader
return function(sim, given)
  local what = sim.system.what .. ": reader"
  if type(given) ~= "table" then
    errors.raise(("%s: %s, want a list of channels"):format(what, errors.got(given)))
  end
  local kind = channel.list(quantities.of(sim), {})
  local checked = fields.check({ { "channels", kind, required = true } }, { channels = given },
    what)
  local public = {}
  for i, one in ipairs(checked.channels) do
    public[i] = { label = one.label, unit = one.unit }
  end
  local own = {}
  recorder.watch(own, sim, checked.channels)
  return setmetatable({ sim = sim, channels = public, own = own }, Reader)
end
