--- Inverse dynamics: the efforts along joint coordinates that give wanted accelerations.
---
--- The model's own equations, without the joints' `torque` and `force`, get one constraint for each
--- joint coordinate,
---   c(q) = c0 + c1 (t - t0) + c2 (t - t0)^2 / 2,
--- whose multipliers are the efforts.  In closed loops not all coordinates are free: they are
--- left out until none is redundant, those of joints that were not named first.

local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local redundancy = require "sarrus.model.start.redundancy"
local systems = require "sarrus.system"

local efforts = {}

--- Joints with a coordinate that nothing prescribes: those named first.
local function candidates(model, named)
  local list = {}
  for _, wanted in ipairs { true, false } do
    for _, joint in ipairs(model.joints) do
      if joint.coordinate and not joint.motion and (named[joint.name] ~= nil) == wanted then
        list[#list + 1] = joint
      end
    end
  end
  return list
end

local function parameter(joint, k)
  return expr.parameter(("%s.wanted%d"):format(joint.name, k), 0)
end

--- The model with a constraint for each of the joints.
local function compile(model, joints)
  local lists = model.equations:lists(true)
  local begin = expr.parameter("t0", 0)
  local constraints, list = {}, {}
  for i, one in ipairs(lists.constraints or {}) do
    constraints[i] = one
  end
  for i, joint in ipairs(joints) do
    local t = expr.time - begin
    constraints[#constraints + 1] = joint.coordinate.value - parameter(joint, 0)
      - parameter(joint, 1) * t - parameter(joint, 2) * t ^ 2 / 2
    list[2 * i - 1], list[2 * i] = joint.coordinate.value, joint.coordinate.rate
  end
  lists.constraints = constraints
  return {
    joints = joints,
    system = systems.of_equations(model.what, model.name, model.equations.names, lists),
    first = #model.equations.constraints,
    measure = evaluator(list),
  }
end

--- Values of all parameters at a state, with wanted accelerations.
local function parameters_of(problem, s, accelerations)
  local values, list = { t0 = s.t }, {}
  local x = problem.measure(s.t, s.q, s.v, nil, nil, s.parameters)
  for i, joint in ipairs(problem.joints) do
    values[joint.name .. ".wanted0"], values[joint.name .. ".wanted1"] = x[2 * i - 1], x[2 * i]
    values[joint.name .. ".wanted2"] = accelerations[joint.name] or 0
  end
  for i, one in ipairs(problem.system.parameters) do
    local value = s.parameters[one.name]
    if value == nil then
      value = values[one.name]
    end
    list[i] = value or one.value
  end
  return list
end

--- Leave out joints whose constraints are redundant.
local function independent(model, problem, s)
  local object = core.sim(problem.system.compiled, nil, {
    tolerance = 1e-9, scales = model.equations:scales(model.size),
    scale = 1, order = 0, step = 0, max_step = 0, max_steps = 0,
  })
  for i, value in ipairs(parameters_of(problem, s, {})) do
    object:preset(i, value)
  end
  if not object:start(s.t, s.q, s.v) then
    return problem
  end
  local wanted, weights = {}, model.equations:weights(model.size)
  for i = #problem.joints, 1, -1 do
    wanted[#wanted + 1] = problem.first + i
  end
  for i, joint in ipairs(problem.joints) do
    table.insert(weights, problem.first + i, joint.coordinate.unit == "m" and model.size or 1)
  end
  local left_out = {}
  local directions = redundancy.weighed(object:null(), weights)
  for _, i in ipairs(redundancy.pivots(directions, wanted)) do
    left_out[problem.joints[i - problem.first]] = true
  end
  object:close()
  local kept = {}
  for _, joint in ipairs(problem.joints) do
    if not left_out[joint] then
      kept[#kept + 1] = joint
    end
  end
  return #kept == #problem.joints and problem or compile(model, kept)
end

local function check(model, accelerations)
  if type(accelerations) ~= "table" then
    errors.raise("efforts: " .. errors.got(accelerations) .. ", want accelerations by joint")
  end
  local names = {}
  for name in pairs(accelerations) do
    names[#names + 1] = tostring(name)
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local joint = families.find(model, "joint", name)
    if not joint or not joint.coordinate then
      errors.raise(("efforts: %s is no joint with a coordinate"):format(errors.show(name)))
    elseif type(accelerations[name]) ~= "number" then
      errors.raise(("efforts: %s: %s, want number"):format(name, errors.got(accelerations[name])))
    end
  end
  return table.concat(names, "\n")
end

--- The efforts at a state.
---@param model sarrus.Model
---@param s sarrus.ModelState
---@param accelerations table<string, number>
---@return table<string, number>? efforts
---@return string? message
---@return string? code
function efforts.solve(model, s, accelerations)
  local key = check(model, accelerations)
  local problems = model.problems
  if not problems[key] then
    problems[key] = independent(drawn.of(model, s.parameters),
      compile(model, candidates(model, accelerations)), s)
  end
  local problem = problems[key]
  local q, failed, lambda = problem.system.compiled:expand(2, s.t, s.q, s.v,
    parameters_of(problem, s, accelerations), 1e-6)
  if not q then
    return nil, ("%s: efforts: %s (%s)"):format(model.what, core.status_text(failed.code),
      errors.show(failed.size)), failed.code
  end
  local result = {}
  for _, joint in ipairs(model.joints) do
    if joint.motion then
      result[joint.name] = -lambda[joint.motion_constraint][0]
    elseif joint.coordinate then
      result[joint.name] = 0
    end
  end
  for i, joint in ipairs(problem.joints) do
    result[joint.name] = -lambda[problem.first + i][0]
  end
  return result
end

return efforts
