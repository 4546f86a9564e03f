--- A force by a potential, or by what acts on each body.
---
--- `potential(a, b, …, t)` answers an energy; `force(a, b, …, t)` a list with one entry for each
--- body, { force = vector, at = local place, torque = … }, in world axes.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local trace = require "sarrus.expr.trace"
local vec = require "sarrus.expr.vec"

local custom = { bodies = "several" }

function custom.fields()
  return { { "potential", fields.callable }, { "force", fields.callable } }
end

function custom.check(force, fault)
  if (force.checked.potential == nil) == (force.checked.force == nil) then
    fault("give either 'potential' or 'force'")
  end
end

local function put_potential(self, force, apply)
  local energy = trace.call_at(force.what, "potential", self.potential, force.frames)
  energy = trace.scalar(force.what, "potential", energy)
  apply.potential(energy)
  for _, at in ipairs(force.frames) do
    for k = 1, at.body.count or 0 do
      apply.add(at.offset + k, -expr.diff(energy, at.q[at.offset + k]))
    end
  end
end

local function put_entry(force, apply, i, entry)
  local at = force.frames[i]
  local known = { force = true, at = true, torque = true }
  for key in pairs(entry) do
    if not known[key] then
      errors.raise(("%s: force: entry %d: unknown field %s"):format(force.what, i,
        errors.show(key)))
    end
  end
  if entry.force then
    apply.push(at, vec.new(entry.force), entry.at)
  end
  if entry.torque then
    apply.twist(at, at.dimension == 3 and vec.new(entry.torque) or entry.torque)
  end
end

function custom.build(self, force, apply)
  if self.potential then
    return put_potential(self, force, apply)
  end
  local entries = trace.call_at(force.what, "force", self.force, force.frames)
  if type(entries) ~= "table" or #entries ~= #force.frames then
    errors.raise(("%s: force returned %s, want a list with one entry for each of %d bodies"):format(
      force.what, type(entries) == "table" and #entries .. " entries" or errors.show(entries),
      #force.frames))
  end
  for i, entry in ipairs(entries) do
    put_entry(force, apply, i, entry)
  end
end

return custom
