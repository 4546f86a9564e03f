--- A joint by its equations: `equations(a, b, …, t)` of frames answers expressions that vanish.

local expr = require "sarrus.expr"
local fields = require "sarrus.fields"
local trace = require "sarrus.trace"

local custom = { bodies = "several" }

function custom.fields()
  return { { "equations", fields.callable }, { "velocity_equations", fields.callable } }
end

function custom.check(joint, fault)
  if not joint.given.equations and not joint.given.velocity_equations then
    fault("missing field 'equations' or 'velocity_equations'")
  end
end

local function call(joint, field)
  local f, arguments = joint.given[field], {}
  if not f then
    return {}
  end
  for i, at in ipairs(joint.frames) do
    arguments[i] = at
  end
  arguments[#arguments + 1] = expr.time
  local unpack = table.unpack or unpack -- luacheck: std max
  local list = trace.vector(joint.what, field, trace.call(joint.what, field, f, unpack(arguments)))
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
