--- How recordings follow a moving simulation.
---
--- The core feeds its recorders by itself; here are those whose channels ask the script, and what
--- failures become.

local core = require "sarrus.core"
local errors = require "sarrus.errors"
local file = require "sarrus.output.file"

local feed = {}

--- The next time, on the way to t, at which to stop for channels that ask the script.
---@param list sarrus.Recording[]
---@param now number
---@param t number
---@return number
function feed.next_stop(list, now, t)
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
local function rows(own, sim, here)
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
local function lost(self, code)
  local own = self.own
  for i = #own.sheets, 1, -1 do
    local one = own.sheets[i]
    local good, reason = one.rows:failure()
    if not good then
      table.remove(own.sheets, i)
      one.rows:abandon()
      if not own.kept and #own.sheets == 0 then
        self:close()
      end
      return select(2, file.answer("record", one.path, nil, reason))
    end
  end
  return "record: " .. core.status_text(code)
end

--- Bring all recordings up to the present time; the failure of the first that cannot.
---@param list sarrus.Recording[]
---@param here boolean whether the present instant is as it will be recorded
---@return sarrus.Failure?
function feed.all(list, here)
  for _, self in ipairs(list) do
    local own = self.own
    local message = own.scripted and rows(own, self.sim, here)
    if message then
      return { code = "CALLBACK", reason = "record: " .. message }
    end
    local code = own.recorder:failure() or own.frame_recorder and own.frame_recorder:failure()
    if code then
      return { code = code, reason = lost(self, code) }
    end
  end
end

return feed
