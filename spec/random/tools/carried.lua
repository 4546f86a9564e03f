--- What hinges carry at least: of all reactions that balance the bodies, the shortest.
local mechanism = dofile("spec/random/tools/mechanism.lua")
local balance = dofile("spec/random/tools/balance.lua")
local space = mechanism.space
local cross, less, scale = space.cross, space.less, space.scale

local carried = {}

local AXES = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }

--- The axis of a hinge, turned with its body.
local function axis_of(s, joint)
  local body = joint.b or joint.a
  local _, _, axes = mechanism.accelerations(3, s, body)
  local own = space.apply(space.transposed(body.rotation), joint.axis)
  return space.apply(space.transposed(axes), own)
end

--- What a hinge can exert: a force of any direction, a torque across its axis.
local function unit_loads(axis)
  local across = cross(axis, math.abs(axis[1]) < 0.7 and AXES[1] or AXES[2])
  across = scale(across, 1 / space.norm(across))
  return { { force = AXES[1] }, { force = AXES[2] }, { force = AXES[3] },
    { torque = across }, { torque = cross(axis, across) } }
end

--- Entries of a column: a load at a place as force and torque on a body, whose rows begin after
--- `first`.
local function put(column, load, at, body, sign)
  if not body then
    return
  end
  local torque = load.torque or cross(less(at, body.centre), load.force)
  for i = 1, 3 do
    if load.force then
      column[#column + 1] = { body.first + i, sign * load.force[i] }
    end
    column[#column + 1] = { body.first + 3 + i, sign * torque[i] }
  end
end

local function columns_of(s, joints, needed)
  local columns = {}
  for _, joint in ipairs(joints) do
    local _, _, at = mechanism.reaction(3, s, joint)
    for _, load in ipairs(unit_loads(axis_of(s, joint))) do
      local column = {}
      put(column, load, at, joint.b and needed[joint.b], 1)
      put(column, load, at, joint.a and needed[joint.a], -1)
      columns[#columns + 1] = column
    end
  end
  return columns
end

--- A A^T, a little more on its diagonal: along its freedoms, nothing can be carried.
local function normal_matrix(columns, count)
  local matrix = {}
  for i = 1, count do
    matrix[i] = {}
    for j = 1, count do
      matrix[i][j] = i == j and 1e-12 or 0
    end
  end
  for _, column in ipairs(columns) do
    for _, x in ipairs(column) do
      local row = matrix[x[1]]
      for _, y in ipairs(column) do
        row[y[1]] = row[y[1]] + x[2] * y[2]
      end
    end
  end
  return matrix
end

--- The length of A^T y
local function length_of(columns, y)
  local sum = 0
  for _, column in ipairs(columns) do
    local part = 0
    for _, x in ipairs(column) do
      part = part + x[2] * y[x[1]]
    end
    sum = sum + part * part
  end
  return math.sqrt(sum)
end

--- The length of the shortest reactions at a state, forces and torques alike.
function carried.least(s, gravity, bodies, joints)
  local needed, right = balance.needed(3, s, gravity, bodies), {}
  for _, body in ipairs(bodies) do
    local load = needed[body]
    load.first = #right
    for _, part in ipairs { load.force, load.torque } do
      for i = 1, 3 do
        right[#right + 1] = part[i]
      end
    end
  end
  local columns = columns_of(s, joints, needed)
  return length_of(columns, space.solve(normal_matrix(columns, #right), right))
end

--- The length of those that the joints report.
function carried.reported(s, joints)
  local sum = 0
  for _, joint in ipairs(joints) do
    local force, torque = mechanism.reaction(3, s, joint)
    sum = sum + space.dot(force, force) + space.dot(torque, torque)
  end
  return math.sqrt(sum)
end

return carried
