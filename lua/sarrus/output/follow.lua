--- How recordings follow a moving simulation: what it asks of them between steps.
---
--- The core's recorders follow by themselves; here are those whose channels ask the script, and
--- what failures become.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local file = require "sarrus.base.file"

--- What a recording keeps to itself.
---@class sarrus.Follower
local Follower = {}
Follower.__index = Follower

--- The next time, on the way to t, at which to stop for channels that ask the script.
---@param now number
---@param t number
---@return number
function Follower:next_stop(now, t)
  local at = self.scripted and self.recorder:next(t)
  if at and (now <= at and at < t or t < at and at <= now) then
    return at
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

--- Record what channels ask of the script; the failure of one of them.
local function ask_all(own, sim, here)
  local recorder = own.recorder
  local t, now = recorder:due(here)
  while t do
    own.state = now and sim:state(own.state) or sim:at(t, own.state)
    for i, one in ipairs(own.scripted) do
      local value, message = ask(one, own.state)
      if own.closed or not value then
        return message
      end
      recorder:set(i, value)
    end
    recorder:take()
    t, now = recorder:due(here)
  end
end

--- Why a recorder failed; a file that could not be written is given up.
local function lost(own, recording, code)
  for i = #own.sheets, 1, -1 do
    local one = own.sheets[i]
    local good, reason = one.sheet:failure()
    if not good then
      table.remove(own.sheets, i)
      one.sheet:abandon()
      if not own.kept and #own.sheets == 0 then
        recording:close()
      end
      return select(2, file.answer("record", one.path, nil, reason))
    end
  end
  return "record: " .. core.status_text(code)
end

--- Bring a recording up to the present time.
---@param recording sarrus.Recording whose own this is
---@param here boolean whether the present instant is as it will be recorded
---@return sarrus.Failure?
function Follower:follow(recording, here)
  local message = self.scripted and ask_all(self, recording.sim, here)
  if message then
    return { code = "CALLBACK", reason = "record: " .. message }
  end
  local code = self.recorder:failure() or self.animation and self.animation:failure()
  if code then
    return { code = code, reason = lost(self, recording, code) }
  end
end

--- Let what a recording keeps to itself follow.
---@param own table
---@return sarrus.Follower
return function(own)
  return setmetatable(own, Follower)
end
