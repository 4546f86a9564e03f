--- A joint by its equations: `equations(a, b, …, t)` of frames answers expressions that vanish.

local fields = require "sarrus.base.fields"
local trace = require "sarrus.expr.trace"

local custom = { bodies = "several" }

function custom.fields()
  return { { "equations", fields.callable }, { "velocity_equations", fields.callable } }
end

function custom.check(joint, fault)
  if not joint.checked.equations and not joint.checked.velocity_equations then
    fault("missing field 'equations' or 'velocity_equations'")
  end
end

local function call(joint, field)
  local f, what = joint.checked[field], joint.what
  local list = f and trace.vector(what, field, trace.call_at(what, field, f, joint.frames)) or {}
  for i, e in ipairs(list) do
    list[i] = { e, ("%s[%d]"):format(field, i) }
  end
  return list
end

function custom.equations(_, _, _, joint)
  return call(joint, "equations")
end

function custom.velocity_equations(_, _, _, joint)
  return call(joint, "velocity_equations")
end

return custom
