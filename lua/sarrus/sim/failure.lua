--- What to say where the core stopped.

local core = require "sarrus.core"

--- Why steps came to an end, and whose coefficients kept them small.
local function step_fault(self, column, size, node)
  local system = self.system
  local kept = column > 0 and ("; %s keeps them small"):format(system:coordinate_name(column)) or ""
  if size > 0 then
    return ("%d steps were not enough%s; raise max_steps or the tolerance"):format(size, kept)
  end
  local largest, resolution = self.core:stats().largest, math.abs(self.time) * 2.3e-16
  if resolution > 1e-6 * (largest > 0 and largest or 1) then
    return ("steps vanish beside the time itself, which a double knows only to %.1e s; count time "
      .. "from a later zero"):format(resolution)
  end
  if node >= 0 then
    return ("the steps became too small%s: %s grows without bound there, or ends"):format(kept,
      system:expression(node))
  end
  return ("the steps became too small%s: does the motion blow up there, or is a spring or a gain "
    .. "very stiff?"):format(kept)
end

--- What is wrong with an event.
local function event_fault(column, size)
  if column > 0 then
    return ("has %d zeros that follow each other ever faster, the last after %.1e s; let the "
      .. "action bring things to rest below a threshold"):format(column, size)
  elseif size == 0 then
    return "is not finite, or outside of a function's domain"
  end
  return "vanishes identically, or has too many zeros in one step"
end

--- nil, message, code from what the core answered.
local function failure(self, code, row, column, size, node)
  local system, t = self.system, core.number(self.time)
  local message
  if code == "EVENT" and row > 0 and self.events[row] then
    message = ("%s: event %q %s"):format(system.what, self.events[row].name,
      event_fault(column, size))
  elseif code == "EVENT" then
    message = ("%s: the motion sticks or chatters at a switch%s; smooth it, or use an event")
      :format(system.what, node >= 0 and " of " .. system:expression(node) or "")
  elseif code == "STEP" then
    message = system.what .. ": " .. step_fault(self, column, size, node)
  elseif code == "CANCELLED" then
    message = system.what .. ": interrupted"
  else
    message = system:explain_fault(code, row, column, size, node)
  end
  return nil, message .. (" (t = %s)"):format(t), code
end

return failure
