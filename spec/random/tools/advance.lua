--- Going on: what fails is wrong, or, where contacts have no answer, the end of a case.
local advance = {}

local function raise(sim, message, code)
  error(("%s at %.17g: %s"):format(code, sim.time, message))
end

--- Go to t; whatever fails is raised.
function advance.to(sim, t)
  local result, message, code = sim:advance(t)
  if not result then
    raise(sim, message, code)
  end
end

--- The same; where it ends with CONTACT, the message is answered.
---@return string?
function advance.or_contact(sim, t)
  local result, message, code = sim:advance(t)
  if not result and code ~= "CONTACT" then
    raise(sim, message, code)
  end
  return not result and message or nil
end

return advance
