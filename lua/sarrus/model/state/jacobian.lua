--- Velocities that rates of joints bring about, and the mass that these rates have.

local errors = require "sarrus.base.errors"
local frame = require "sarrus.model.equations.frame"
local leading = require "sarrus.model.state.leading"

local jacobian = {}

--- The joints that a script names, as a set and as a key; all of them where it names none.
local function check(model, what, joints)
  if joints ~= nil and type(joints) ~= "table" then
    errors.raise(("%s: joints: %s, want a list of names"):format(what, errors.got(joints)))
  end
  local named = {}
  for i, name in ipairs(joints or {}) do
    local joint = leading.joint(model, what, name)
    if joint.motion then
      errors.raise(("%s: the motion of %s is prescribed: it has no rate of its own"):format(what,
        errors.show(name)))
    elseif named[name] then
      errors.raise(("%s: %s is named twice"):format(what, errors.show(name)))
    end
    named[name] = i
  end
  local names = {}
  for name in pairs(named) do
    names[#names + 1] = name
  end
  table.sort(names)
  return named, table.concat(names, "\n")
end

--- The rates of leading joints at a state: for each joint wanted, velocities of all coordinates;
--- the mass matrix of the rates; and the joints' names.
---@return number[][]? velocities
---@return number[][]|string mass, or a message
---@return string[]|string names, or a code
local function rates(model, s, what, joints)
  local named, key = check(model, what, joints)
  local velocities, mass, names
  local done, message, code = leading.solve(model, s, what, key, named, function(problem)
    local own, list = {}, {}
    for i, joint in ipairs(problem.joints) do
      own[joint.name] = problem.constraints[i]
    end
    names = {}
    for i, joint in ipairs(joints or problem.joints) do
      names[i] = joints and joint or joint.name
      list[i] = own[names[i]]
      if not list[i] then
        return nil, { code = "SINGULAR", reason = ("%s depends on the other joints named, and has "
          .. "no rate of its own here"):format(errors.show(names[i])) }
      end
    end
    local failed
    velocities, failed = problem.instant:rates(s.t, s.q, leading.parameters(problem, s, {}), list)
    mass = failed
    return velocities and true or nil, failed
  end)
  if not done then
    return nil, message, code
  end
  return velocities, mass, names
end

--- Rows (velocity of a point, then spin, in world axes) by rates of joints.
---@param model sarrus.Model
---@param s sarrus.ModelState
---@param body table
---@param place? number[] in body axes
---@param joints? string[]
---@return number[][]? rows
---@return string[]|string names of the columns, or a message
---@return string? code
function jacobian.of_point(model, s, body, place, joints)
  local velocities, message, names = rates(model, s, "jacobian", joints)
  if not velocities then
    return nil, message, names
  end
  local rows, dimension = {}, model.dimension
  for i = 1, dimension == 2 and 3 or 6 do
    rows[i] = {}
  end
  for j, v in ipairs(velocities) do
    local at = frame.new(body, dimension, s.q, v)
    local linear, spin = at:velocity(place), at:spin()
    for k = 1, dimension do
      rows[k][j] = linear[k]
    end
    for k = dimension + 1, #rows do
      rows[k][j] = type(spin) == "table" and spin[k - dimension] or spin
    end
  end
  return rows, names
end

--- The mass matrix in the rates of joints.
---@param model sarrus.Model
---@param s sarrus.ModelState
---@param joints? string[]
---@return number[][]? rows
---@return string[]|string names of rows and columns, or a message
---@return string? code
function jacobian.mass(model, s, joints)
  local velocities, mass, names = rates(model, s, "mass_matrix", joints)
  if not velocities then
    return nil, mass, names
  end
  return mass, names
end

return jacobian
