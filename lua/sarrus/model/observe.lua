--- What states tell beyond coordinates, as expressions: reactions, energies, errors.

local core = require "sarrus.core"
local expr = require "sarrus.expr"
local functions = require "sarrus.functions".public
local vec = require "sarrus.vec"

local observe = {}

-- Evaluation -------------------------------------------------------------------------------------

--- Expressions compiled for evaluation at states.
---@param expressions sarrus.Scalar[]
---@return fun(t: number, q: number[], v?: number[], a?: number[], lambda?: number[], p?: table)
function observe.compile(expressions)
  local importer = expr.importer(core.graph())
  local nodes = importer:import(expressions)
  local observer = core.observer(importer.graph, nodes)
  local parameters, values, results = importer.parameters, {}, {}
  return function(t, q, v, a, lambda, given, modes)
    for i, parameter in ipairs(parameters) do
      values[i] = given and given[parameter.name] or parameter.value
    end
    return observer:evaluate(t, q, v, a, lambda, values, modes, results)
  end
end

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
local function indices_of(owner)
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
  for _, row in ipairs(equations.rows) do
    list[#list + 1] = row[1]
  end
  local positions = #list
  for _, row in ipairs(equations.rows) do
    list[#list + 1] = rate(equations, row[1], indices_of(row.owner))
  end
  for _, row in ipairs(equations.velocity_rows) do
    list[#list + 1] = row[1]
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
  return expr.diff(equations.rows[coordinate.row][1], q) / length
end

--- The coordinates with symbols of their own that a joint's rows use.
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
    list[#list + 1] = { equations.locks[i].coordinate, -multiplier(equations:lock_row(i)) }
  end
  return list
end

--- The generalised force of a joint on the j-th coordinate; of its rows alone, or of all.
local function generalised(equations, joint, j, coordinates, rows_alone)
  local q, v, total = equations.q[j], equations.v[j], 0
  local indices = { joint.motion_row }
  for _, i in ipairs(joint.rows) do
    indices[#indices + 1] = i
  end
  for _, i in ipairs(indices) do
    total = total - multiplier(i) * slope(equations, equations.rows[i][1], q, coordinates)
  end
  for _, i in ipairs(joint.stops or {}) do
    local row = equations:contact_rows(i).gap
    total = total - multiplier(row) * slope(equations, equations.contacts[i].gap, q, coordinates)
  end
  for _, i in ipairs(joint.velocity_rows or {}) do
    total = total - multiplier(#equations.rows + i) * expr.diff(equations.velocity_rows[i][1], v)
  end
  for _, one in ipairs(rows_alone and {} or efforts_of(equations, joint)) do
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
  local given, definition = joint.given, joint.definition
  if definition.point then
    return definition.point(given, joint.frames[1], joint.frames[2], joint)
  elseif given.at then
    return joint.frames[2]:place(given.at.b)
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
---@param rows_alone? boolean without what acts along its coordinates
---@return sarrus.Vector force
---@return sarrus.Vector|sarrus.Scalar torque
function observe.reaction(model, joint, rows_alone)
  local equations = model.equations
  local body, sign = reaction_body(joint)
  local at, forces = equations:frame(body), {}
  local coordinates = own_coordinates(joint)
  for k = 1, body.count or 0 do
    forces[k] = generalised(equations, joint, body.offset + k, coordinates, rows_alone)
  end
  local force, torque = at:wrench(forces)
  local arm = at:point() - observe.point(model, joint)
  torque = torque + vec.cross(arm, force)
  return force * sign, torque * sign
end

return observe
