--- A one-sided condition: `gap(a, b, …, t)` of frames answers what is never negative, `slip` the
--- velocities along the surface, one in the plane, two in space.

local fields = require "sarrus.base.fields"
local law = require "sarrus.system.law"
local trace = require "sarrus.expr.trace"

local custom = { bodies = "several" }

function custom.fields()
  return { { "gap", fields.callable, required = true }, { "slip", fields.callable } }
end

function custom.check(contact, fault)
  if contact.checked.friction and not contact.checked.slip then
    fault("friction needs slip, the velocity along the surface")
  end
end

function custom.meets(contact, frame_of)
  local checked, what, frames = contact.checked, contact.what, {}
  for i, body in ipairs(contact.bodies) do
    frames[i] = frame_of(body)
  end
  local one = {
    a = contact.bodies[1].name, b = (contact.bodies[2] or contact.bodies[1]).name,
    gap = trace.scalar(what, "gap", trace.call_at(what, "gap", checked.gap, frames)),
    slip = {},
  }
  if checked.slip then
    one.slip = law.slips(what, trace.call_at(what, "slip", checked.slip, frames))
  end
  return { one }
end

return custom
