--- Leading joints: coordinates that lead all others at a state.
---
--- The model's own equations, without the joints' `torque` and `force`, get one constraint for each
--- joint coordinate,
---   c(q) = c0 + c2 t^2 / 2   (T30),
--- whose second derivative is the acceleration c2 that is wanted, and whose multiplier is the
--- effort that this takes.  In closed loops not all coordinates are free: they are left out until
--- none is redundant, those of joints that were not named first.

local changes = require "sarrus.sim.changes"
local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local later = require "sarrus.base.later"
local redundancy = require "sarrus.model.start.redundancy"
local systems = require "sarrus.system"
local failure = later "sarrus.sim.failure"

local leading = {}

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

--- Where each parameter of the system has its value: by name in a state, or from a joint.
local function sources(system, joints)
  local of, list = {}, {}
  for i, joint in ipairs(joints) do
    of[parameter(joint, 0).name], of[parameter(joint, 2).name] = { i, 0 }, { i, 2 }
  end
  for k, one in ipairs(system.parameters) do
    list[k] = { name = one.name, value = one.value, joint = of[one.name] }
  end
  return list
end

---@class sarrus.Leading
---@field joints table[] the joints that lead
---@field system sarrus.System
---@field first integer how many constraints come before theirs
---@field instant userdata
---@field sources table[]
---@field constraints integer[] theirs
---@field names string[] of all joints with a coordinate: prescribed ones, those that lead, others
---@field multipliers integer[] of the constraints that prescribe these or make them lead

--- The joints with a coordinate, and the multipliers of those that something leads.
local function led(model, joints, constraints)
  local names, multipliers, known = {}, {}, {}
  local function put(joint, constraint)
    names[#names + 1], known[joint] = joint.name, true
    multipliers[#multipliers + 1] = constraint
  end
  for _, joint in ipairs(model.joints) do
    if joint.motion then
      put(joint, joint.motion_constraint)
    end
  end
  for i, joint in ipairs(joints) do
    put(joint, constraints[i])
  end
  for _, joint in ipairs(model.joints) do
    if joint.coordinate and not known[joint] then
      put(joint)
    end
  end
  return names, multipliers
end

--- The model with a constraint for each of the joints.
---@return sarrus.Leading
local function compile(model, joints)
  local lists = model.equations:lists(true)
  local constraints, indices = {}, {}
  for i, one in ipairs(lists.constraints or {}) do
    constraints[i] = one
  end
  for i, joint in ipairs(joints) do
    constraints[#constraints + 1] = joint.coordinate.value - parameter(joint, 0)
      - parameter(joint, 2) * expr.time ^ 2 / 2
    indices[i] = #constraints
  end
  lists.constraints = constraints
  local system = systems.of_equations(model.what, model.name, model.equations.names, lists)
  local names, multipliers = led(model, joints, indices)
  return {
    names = names, multipliers = multipliers, joints = joints, system = system,
    constraints = indices,
    first = #model.equations.constraints,
    instant = core.instant(system.compiled, #system.parameters,
      model.equations:scales(model.size), 0),
    sources = sources(system, joints), values = {},
  }
end

--- Values of all parameters at a state: with wanted accelerations, or with coordinates as they
--- are.
---@param problem sarrus.Leading
---@param s sarrus.ModelState
---@param of fun(joint: table, index: integer, derivative: integer): number
---@return number[] which the next call fills anew
local function parameters_of(problem, s, of)
  local list = problem.values
  for i, one in ipairs(problem.sources) do
    local joint = one.joint
    local value = joint and of(problem.joints[joint[1]], joint[1], joint[2])
      or s.parameters[one.name]
    list[i] = value or one.value
  end
  return list
end

--- The parameters at a state, with accelerations by joint (0 where there is none).
---@return number[]
function leading.parameters(problem, s, accelerations)
  return parameters_of(problem, s, function(joint, _, derivative)
    return derivative == 2 and accelerations[joint.name] or 0
  end)
end

--- Leave out joints whose constraints are redundant.
local function independent(model, problem, s)
  local object = core.sim(problem.system.compiled, nil, {
    tolerance = 1e-9, scales = model.equations:scales(model.size),
    scale = 1, order = 0, step = 0, max_step = 0, max_steps = 0,
  })
  local expressions = {}
  for i, joint in ipairs(problem.joints) do
    expressions[i] = joint.coordinate.value
  end
  local x = evaluator(expressions)(s.t, s.q, s.v, nil, nil, s.parameters)
  for i, value in ipairs(parameters_of(problem, s, function(_, i, derivative)
    return derivative == 0 and x[i] or 0
  end)) do
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

--- The joint with a coordinate of that name; raises where there is none.
---@param what string who asks
function leading.joint(model, what, name)
  local joint = families.find(model, "joint", name)
  if not joint or not joint.coordinate then
    errors.raise(("%s: %s is no joint with a coordinate%s"):format(what, errors.show(name),
      joint and "" or errors.suggest(name, model.names.joint)))
  end
  return joint
end

--- Solve with the joints that lead at a state, those named before others; where they do not lead
--- here, others are looked for once.
---@param model sarrus.Model
---@param s sarrus.ModelState
---@param what string who asks
---@param key string the names, in order
---@param named table<string, any>
---@param solve fun(problem: sarrus.Leading): any, any what it answers, or nil and a failure
---@param accelerations? table<string, number> that are wanted: locked joints may have none
function leading.solve(model, s, what, key, named, solve, accelerations)
  local problems, refused = model.problems, changes.refusal(s, accelerations)
  if refused then
    return nil, ("%s: %s: %s"):format(model.what, what, refused), "LIMIT"
  end
  local known = problems[key]
  local function find()
    local view = drawn.of(model, s.parameters)
    problems[key] = independent(view, compile(view, candidates(view, named)), s)
  end
  if not known then
    find()
  end
  local first, second = solve(problems[key])
  if first == nil and known then
    find()
    first, second = solve(problems[key])
  end
  if first == nil then
    local _, message, code = failure.answer(problems[key].system, second)
    return nil, (message:gsub(": ", ": " .. what .. ": ", 1)), code
  end
  return first, second
end

return leading
