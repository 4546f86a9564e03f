--- What runs between steps: events and controllers of the script, and recordings.

local core = require "sarrus.core"

local callback = {}

--- Run a callback of the script; nil, or the failure.
---@return sarrus.Failure?
local function call(self, what, action, s)
  local outer = rawget(self, "busy")
  self.busy = true
  local good, message = core.call(action, self, s)
  self.busy = outer
  if good then
    return nil
  end
  local shown, text = pcall(tostring, message)
  message = shown and text or "an error that has no text"
  if message:find("attempt to yield", 1, true) then
    message = "a callback cannot yield; keep what it needs in upvalues instead: " .. message
  end
  return { code = "CALLBACK", t = self.time, what = what, reason = message }
end

--- Bring the recordings up to the present time, `here` included or not; the failure of one.
---@return sarrus.Failure?
function callback.follow(self, here)
  if #self.recordings == 0 then
    return nil
  elseif here then
    self.core:feed()
  end
  local outer = rawget(self, "busy")
  self.busy = true
  local failed
  for _, recording in ipairs(self.recordings) do
    failed = recording.own:follow(recording, here)
    if failed then
      break
    end
  end
  self.busy = outer
  return failed
end

--- Deliver an event; the failure of its action, or of a recording where it stops.
---@param event sarrus.Event
---@return sarrus.Failure?
function callback.deliver(self, event)
  local failed
  if event.action then
    failed = call(self, ("event %q"):format(event.name), event.action, self:state())
  end
  if event.stop and not failed then
    failed = callback.follow(self, true)
  end
  return failed
end

--- The time at which a controller is due next; they only run forwards.
local function due(controller)
  return controller.began + controller.count * controller.period
end

--- Run the controllers that are due at the present time.
function callback.control(self)
  for _, controller in ipairs(self.controllers) do
    while due(controller) < self.time do
      controller.count = controller.count + 1
    end
    if due(controller) == self.time then
      controller.count = controller.count + 1
      controller.state = self:state(controller.state)
      local failed = call(self, "controller", controller.action, controller.state)
      if failed then
        return failed
      end
    end
  end
end

--- The next time, on the way to t, at which to stop for recordings and controllers.
function callback.next_stop(self, t)
  for _, recording in ipairs(self.recordings) do
    t = recording.own:next_stop(self.time, t)
  end
  for _, controller in ipairs(self.controllers) do
    local at = due(controller)
    if at >= self.time and at < t then
      t = at
    end
  end
  return t
end

return callback
