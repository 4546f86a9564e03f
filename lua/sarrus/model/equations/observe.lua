--- What states tell beyond coordinates, as expressions: reactions, energies, errors.

local expr = require "sarrus.expr"
local functions = require "sarrus.expr.functions".public
local vec = require "sarrus.expr.vec"

local observe = {}

-- Energy and errors ------------------------------------------------------------------------------

--- Kinetic and potential energy.
function observe.energy(model)
  return { model.equations:kinetic(), model.equations:potential() }
end

--- The rate of an expression of positions and time.
local function rate(equations, e, indices)
  local total = expr.diff(e, expr.time)
  for _, j in ipairs(indices) do
    total = total + expr.diff(e, equations.q[j]) * equations.v[j]
  end
  return total
end

--- The coordinates that the equations of a part can depend on.
---@param owner table the record of the part
---@return integer[]
function observe.coordinates_of(owner)
  local list = {}
  local function put(body)
    for j = 1, body.count or 0 do
      list[#list + 1] = body.offset + j
    end
  end
  local function put_joint(joint)
    for _, body in ipairs(joint.bodies or {}) do
      put(body)
    end
    for _, name in ipairs { "angle", "length" } do
      if type(joint[name]) == "table" and joint[name].index then
        list[#list + 1] = joint[name].index
      end
    end
    for _, other in ipairs(joint.joints or {}) do
      put_joint(other)
    end
  end
  put(owner)
  put_joint(owner)
  return list
end

--- All constraints, then all their rates.
function observe.residual(model)
  local equations, list = model.equations, {}
  for _, one in ipairs(equations.constraints) do
    list[#list + 1] = one[1]
  end
  local positions = #list
  for _, one in ipairs(equations.constraints) do
    list[#list + 1] = rate(equations, one[1], observe.coordinates_of(one.owner))
  end
  for _, one in ipairs(equations.velocity_constraints) do
    list[#list + 1] = one[1]
  end
  return list, positions
end

-- Reactions --------------------------------------------------------------------------------------

--- The derivative by q_j of a joint's coordinate that has a symbol of its own.
local function own_slope(equations, coordinate, q)
  if not coordinate.cosine then
    return expr.diff(coordinate.measured, q)
  end
  local x = coordinate.value
  local length = coordinate.cosine * functions.cos(x) + coordinate.sine * functions.sin(x)
  return expr.diff(equations.constraints[coordinate.constraint][1], q) / length
end

--- The coordinates with symbols of their own that a joint's constraints use.
local function own_coordinates(joint, list)
  list = list or {}
  for _, name in ipairs { "angle", "length" } do
    if joint[name] and joint[name].index then
      list[#list + 1] = joint[name]
    end
  end
  for _, other in ipairs(joint.joints or {}) do
    own_coordinates(other, list)
  end
  return list
end

--- de/dq_j, through those coordinates too.
local function slope(equations, e, q, coordinates)
  local total = expr.diff(e, q)
  for _, coordinate in ipairs(coordinates) do
    total = total + expr.diff(e, coordinate.value) * own_slope(equations, coordinate, q)
  end
  return total
end

local function multiplier(i)
  return expr.symbol("lambda", i - 1, "lambda" .. i)
end

--- What acts along the coordinates of a joint: its drive, dry friction, its own inertia, what holds
--- it.
local function efforts_of(equations, joint)
  local list = {
    { joint.coordinate, joint.effort or 0 },
    { joint.coordinate, joint.friction_force or 0 },
    { joint.coordinate, joint.inertial or 0 },
  }
  if joint.number and joint.effort ~= 0 then
    list[#list + 1] = { joint.coordinate, -equations:gone(joint.number) * joint.effort }
  end
  for _, i in ipairs(joint.locks or {}) do
    list[#list + 1] = { equations.locks[i].coordinate, -multiplier(equations:lock_multiplier(i)) }
  end
  return list
end

--- The generalised force of a joint on the j-th coordinate; of its constraints alone, or of all.
local function generalised(equations, joint, j, coordinates, constraints_alone)
  local q, v, total = equations.q[j], equations.v[j], 0
  local indices = { joint.motion_constraint }
  for _, i in ipairs(joint.constraints) do
    indices[#indices + 1] = i
  end
  for _, i in ipairs(indices) do
    total = total - multiplier(i) * slope(equations, equations.constraints[i][1], q, coordinates)
  end
  for _, i in ipairs(joint.stops or {}) do
    local pressing = multiplier(equations:contact_multipliers(i).gap)
    total = total - pressing * slope(equations, equations.contacts[i].gap, q, coordinates)
  end
  for _, i in ipairs(joint.velocity_constraints or {}) do
    local own = equations.velocity_constraints[i][1]
    total = total - multiplier(#equations.constraints + i) * expr.diff(own, v)
  end
  for _, one in ipairs(constraints_alone and {} or efforts_of(equations, joint)) do
    local coordinate, effort = one[1], one[2]
    if effort ~= 0 then
      local along = coordinate.index and own_slope(equations, coordinate, q)
        or expr.diff(coordinate.value, q)
      total = total + effort * along
    end
  end
  return total
end

--- The body on which a joint's reaction is computed, and the sign of it as seen from B.
local function reaction_body(joint)
  local bodies = joint.bodies
  if joint.joints then
    bodies = joint.joints[2].bodies
  end
  local b = bodies[2] or bodies[1]
  if not b.ground then
    return b, 1, b
  end
  return bodies[1], -1, b
end

--- The joint's point on B.
local function joint_point(joint, frame_of)
  local checked, definition = joint.checked, joint.definition
  if definition.point then
    return definition.point(checked, joint.frames[1], joint.frames[2], joint)
  elseif checked.at then
    return joint.frames[2]:place(checked.at.b)
  elseif joint.joints then
    return joint_point(joint.joints[2], frame_of)
  end
  return frame_of:point()
end

--- The joint's point on B, in world axes.
---@return sarrus.Vector
function observe.point(model, joint)
  local _, _, b = reaction_body(joint)
  return joint_point(joint, model.equations:frame(b))
end

--- Force and torque that a joint exerts on B at its point on B.
---@param constraints_alone? boolean without what acts along its coordinates
---@return sarrus.Vector force
---@return sarrus.Vector|sarrus.Scalar torque
function observe.reaction(model, joint, constraints_alone)
  local equations = model.equations
  local body, sign = reaction_body(joint)
  local at, forces = equations:frame(body), {}
  local coordinates = own_coordinates(joint)
  for k = 1, body.count or 0 do
    forces[k] = generalised(equations, joint, body.offset + k, coordinates, constraints_alone)
  end
  local force, torque = at:wrench(forces)
  local arm = at:point() - observe.point(model, joint)
  torque = torque + vec.cross(arm, force)
  return force * sign, torque * sign
end

return observe
