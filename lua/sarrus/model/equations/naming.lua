--- Coordinates, equations and expressions of a model, as scripts know them.

local errors = require "sarrus.base.errors"
local laws = require "sarrus.system.law"

local naming = {}

--- The record of a constraint, by its number among all of them.
function naming.constraint(model, i)
  local equations = model.equations
  local of_positions, of_velocities = equations.constraints, equations.velocity_constraints
  local lock = equations.locks[i - equations:lock_multiplier(0)]
  return of_positions[i] or of_velocities[i - #of_positions]
    or lock and { "lock", owner = lock.owner }
end

--- Where a law holds: the touch of its contact, which knows the two shapes; nil of joints.
---@return sarrus.Touch?
function naming.touch(law)
  for _, one in ipairs(law.owner and law.owner.laws or {}) do
    if one.law == law then
      return one.touch
    end
  end
end

--- A contact, and which of its shapes touch.
---@param system sarrus.System
---@param index integer?
---@return string
function naming.touch_name(system, index)
  local law = index and system.contacts[index]
  local touch = law and naming.touch(law)
  if not law then
    return "a contact"
  elseif touch and touch.a ~= touch.b then
    return ("contact %s of %s and %s"):format(errors.show(law.name), errors.show(touch.a),
      errors.show(touch.b))
  end
  return "contact " .. errors.show(law.name)
end

--- How messages name the part that owns a constraint.
function naming.title(owner)
  return owner.what or owner.name
end

--- A coordinate as a script knows it: the axes of a body are its orientation.
---@return string name as in `arm.x`
---@return string body or joint
---@return string freedom
function naming.coordinate_name(system, column)
  local name, freedom = system.coordinates[column]:match("^(.*)%.([^.]*)$")
  freedom = freedom:find("^e%d") and "orientation" or freedom
  return name .. "." .. freedom, name, freedom
end

--- The core's row in words.
function naming.row_name(system, row)
  local n = #system.coordinates
  if not row then
    return "one equation"
  elseif row <= n then
    return "the motion of " .. naming.coordinate_name(system, row)
  end
  local found = naming.constraint(system.model, row - n)
  if not found then
    local _, index = laws.of_row(system, row - n)
    return naming.touch_name(system, index)
  end
  return ("%s (%s)"):format(naming.title(found.owner), found[2] or "equation")
end

--- An expression as a script knows it: one of the axes of bodies is one of their orientations.
---@return string
function naming.expression(system, node)
  local text = system.compiled:print_expr(node, system.namer)
  local bodies = {}
  for _, body in ipairs(system.model.bodies) do
    local at = (" " .. text):find("[^%w_]" .. body.name:gsub("%W", "%%%0") .. "%.e%d[xyz]")
    if at then
      bodies[#bodies + 1] = errors.show(body.name)
    end
  end
  return #bodies > 0 and "what depends on the orientation of " .. table.concat(bodies, " and ")
    or text
end

return naming
