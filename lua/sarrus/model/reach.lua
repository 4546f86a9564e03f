--- Inverse kinematics: targets for bodies, found by damped least squares along the constraints
--- (core/src/instant_reach.c), from the start and, where that gets stuck, from others.

local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local failure = require "sarrus.sim.failure"
local fields = require "sarrus.base.fields"
local frame = require "sarrus.model.equations.frame"
local kinds = require "sarrus.model.part.kinds"
local posing = require "sarrus.model.start.posing"
local probe = require "sarrus.model.start.probe"
local rest = require "sarrus.model.state.rest"
local results = require "sarrus.base.result"
local rotation = require "sarrus.expr.rotation"
local simulate = require "sarrus.sim.simulate"
local start_fields = require "sarrus.model.start.fields"
local states = require "sarrus.sim.state"
local systems = require "sarrus.system"

local reach = {}

-- So many starts are tried beside the one that is given.
local MOST_STARTS = 100

-- What scripts give ------------------------------------------------------------------------------

local function target_kind(model)
  local dimension = model.dimension
  local record = fields.record {
    { 1, fields.string, required = true },
    { "point", kinds.numbers(dimension) },
    { "position", kinds.numbers(dimension) },
    { "orientation", dimension == 2 and fields.number or rotation.kind(fields.number) },
  }
  return function(value, path, fault)
    local failed = false
    local given = record(value, path, function(message)
      failed = true
      fault(message)
    end)
    if failed or not given then
      return nil
    end
    given.body = families.find(model, "body", given[1])
    if not given.body then
      fault(path .. ": " .. errors.unknown("body", given[1], model.names.body))
    elseif not given.position and not given.orientation then
      fault(path .. ": neither position nor orientation is given")
    elseif given.point and not given.position then
      fault(path .. ": a point needs a position")
    elseif given.orientation and not given.body.turns then
      fault(("%s: %s is a point and has no orientation"):format(path, errors.show(given[1])))
    end
    return given
  end
end

local function state_kind(model)
  return function(value, path, fault)
    if not states.is(value) or rawget(value, "model") ~= model then
      return fault(path .. ": " .. errors.got(value) .. ", want a state of this model")
    end
    return value
  end
end

local function check(model, given)
  local specification = start_fields(model)
  for _, field in ipairs {
    { "targets", fields.list(target_kind(model)), required = true },
    { "at", state_kind(model) },
    { "parameters", simulate.parameter_values(model.system.parameters) },
    { "t", fields.number },
  } do
    specification[#specification + 1] = field
  end
  local what = model.what .. ": reach"
  local checked = fields.check(specification, given, what)
  checked.joints, checked.bodies = checked.joints or {}, checked.bodies or {}
  if #checked.targets == 0 then
    errors.raise(what .. ": targets: there are none")
  end
  for _, name in ipairs(checked.at and { "joints", "bodies", "parameters", "t" } or {}) do
    if given[name] ~= nil then
      errors.raise(("%s: %s: `at` is a start already"):format(what, name))
    end
  end
  return checked
end

-- Problems, compiled once ------------------------------------------------------------------------

local function name_of(i, what, k)
  return ("target %d %s%d"):format(i, what, k)
end

--- The rows of a target: each { expression that is to be 0, unit }.
local function target_rows(model, i, target)
  local at, rows = model.equations:frame(target.body), {}
  local place
  if target.point then
    place = {}
    for k = 1, model.dimension do
      place[k] = expr.parameter(name_of(i, "point", k), 0)
    end
  end
  local p = at:point(place)
  for k = 1, target.position and model.dimension or 0 do
    rows[#rows + 1] = { p[k] - expr.parameter(name_of(i, "position", k), 0), "m" }
  end
  if target.orientation and model.dimension == 2 then
    rows[#rows + 1] = { at:angle() - expr.parameter(name_of(i, "angle", 1), 0), "rad" }
  end
  return rows
end

--- The gaps of all limits of joints.
local function bounds_of(model)
  local list = {}
  for _, joint in ipairs(model.joints) do
    for _, i in ipairs(joint.stops or {}) do
      list[#list + 1] = model.equations.contacts[i]
    end
  end
  return list
end

local function key_of(targets)
  local texts = { "reach" }
  for i, target in ipairs(targets) do
    texts[i + 1] = ("%s %s%s%s"):format(target.body.name, target.point and "p" or "",
      target.position and "x" or "", target.orientation and "o" or "")
  end
  return table.concat(texts, "\n")
end

--- Every coordinate counts alike, lengths over the size of the model.
local function measures(model)
  local list, of_length = {}, expr.parameter("of lengths", 1)
  for i, unit in ipairs(model.equations.units) do
    list[i] = { i, i, unit == "m" and of_length or 1 }
  end
  return list
end

--- The model's system with the goals behind its constraints.
local function compile(model, targets)
  local lists = model.equations:lists()
  local constraints, units, axes = {}, {}, {}
  for i, one in ipairs(lists.constraints or {}) do
    constraints[i] = one
  end
  for i, target in ipairs(targets) do
    for _, row in ipairs(target_rows(model, i, target)) do
      constraints[#constraints + 1], units[#units + 1] = row[1], row[2]
    end
    if target.orientation and model.dimension == 3 then
      axes[#axes + 1] = target.body.offset + 4
    end
  end
  local bounds = bounds_of(model)
  for _, law in ipairs(bounds) do
    constraints[#constraints + 1] = law.gap
  end
  lists.constraints, lists.velocity_constraints, lists.contacts = constraints, nil, nil
  lists.mass, lists.force = measures(model), nil
  return {
    system = systems.of_equations(model.what, model.name, model.equations.names, lists),
    units = units, axes = axes, bounds = bounds, values = {},
  }
end

local function problem_of(model, targets)
  local key = key_of(targets)
  local problem = model.problems[key]
  if not problem then
    problem = compile(model, targets)
    model.problems[key] = problem
  end
  return problem
end

--- Scales and the instant, for the size of the model as drawn.
local function instant_of(problem, view)
  if problem.view ~= view then
    problem.view, problem.starts = view, {}
    problem.instant = core.instant(problem.system.compiled, #problem.system.parameters,
      view.equations:scales(view.size), #problem.units + #problem.bounds)
    problem.unit = {}
    for i, unit in ipairs(problem.units) do
      problem.unit[i] = unit == "m" and view.size or 1
    end
  end
  return problem.instant
end

--- Values of all parameters: the model's, and those of the targets.
local function parameters_of(problem, checked, angles)
  local own, list = { ["of lengths"] = 1 / problem.view.size ^ 2 }, problem.values
  for i, target in ipairs(checked.targets) do
    for k, x in ipairs(target.point or {}) do
      own[name_of(i, "point", k)] = x
    end
    for k, x in ipairs(target.position or {}) do
      own[name_of(i, "position", k)] = x
    end
    own[name_of(i, "angle", 1)] = angles[i]
  end
  for i, parameter in ipairs(problem.system.parameters) do
    list[i] = own[parameter.name] or checked.parameters[parameter.name] or parameter.value
  end
  return list
end

--- In the plane, the wanted angle of each body that is nearest to where it starts.
local function nearest_angles(checked, q, dimension)
  local angles = {}
  for i, target in ipairs(dimension == 2 and checked.targets or {}) do
    if target.orientation then
      local now = q[target.body.offset + 3]
      local turns = math.floor((now - target.orientation) / (2 * math.pi) + 0.5)
      angles[i] = target.orientation + 2 * math.pi * turns
    end
  end
  return angles
end

--- The wanted axes of bodies in space, one after the other.
local function wanted_axes(checked, dimension)
  local list = {}
  for _, target in ipairs(dimension == 3 and checked.targets or {}) do
    for i = 1, target.orientation and 3 or 0 do
      for k = 1, 3 do
        list[#list + 1] = target.orientation[k][i]
      end
    end
  end
  return list
end

-- Starts -----------------------------------------------------------------------------------------

--- Where a joint's coordinate may be.
local function range(view, joint, parameters)
  local coordinate, limits = joint.coordinate, joint.checked.limits
  if limits then
    local x = evaluator { limits[1], limits[2] }(0, {}, nil, nil, nil, parameters)
    return x[1], x[2]
  end
  local half = coordinate.unit == "m" and view.size / 2 or math.pi
  return -half, half
end

--- Positions from values of joints; loops are closed where that can be done.
local function posed(view, checked, joints)
  local start = {
    joints = joints, bodies = {}, parameters = checked.parameters, t = checked.t,
    tolerance = 1e-12, scales = view.equations:scales(view.size), scale = 1,
    order = 0, step = 0, max_step = 0, max_steps = 0,
  }
  local q, v = posing.guess(view, start)
  if #view.joints <= #view.bodies then
    return q
  end
  local system = probe.system(view)
  return probe.close(system.compiled, system.parameters, start, q, v) or q
end

--- The positions of start number i, which has all joints anywhere: the fractional parts of
--- multiples of irrational numbers fill their ranges evenly.
local function other_start(view, checked, i)
  local joints, k = {}, 0
  for _, joint in ipairs(view.joints) do
    local coordinate = joint.coordinate
    if coordinate and not joint.motion and joint.definition.tree then
      k = k + 1
      local low, high = range(view, joint, checked.parameters)
      local part = (i * math.sqrt(k * k + 1) * 0.6180339887498949) % 1
      joints[joint.name] = { [coordinate.kind] = low + part * (high - low) }
    end
  end
  return posed(view, checked, joints)
end

--- The drawing; where no loops are, with all joints turned a little, since drawings like right
--- angles, at which arms are singular and orders of elimination wear out.
local function near_drawing(view, checked)
  local joints, k = {}, 0
  if #view.joints <= #view.bodies then
    for _, joint in ipairs(view.joints) do
      local coordinate = joint.coordinate
      if coordinate and not joint.motion and joint.definition.tree then
        k = k + 1
        local low, high = range(view, joint, checked.parameters)
        local x = 0.05 + 0.1 * ((k * 0.6180339887498949) % 1)
        x = coordinate.unit == "m" and 0.1 * x * view.size or x
        joints[joint.name] = { [coordinate.kind] = math.max(low, math.min(high, x)) }
      end
    end
  end
  return posed(view, checked, joints)
end

--- The positions to begin with: i = 0 is what was given.
local function start_of(problem, view, checked, i)
  if i == 0 and checked.at then
    local q = {}
    for k = 1, #checked.at.q do
      q[k] = checked.at.q[k]
    end
    return q
  elseif i == 0 and (next(checked.joints) or next(checked.bodies)) then
    return (posing.guess(view, checked))
  end
  local kept = problem.starts[i]
  if not kept then
    kept = i == 0 and near_drawing(view, checked) or other_start(view, checked, i)
    problem.starts[i] = kept
  end
  local q = {}
  for k = 1, #kept do
    q[k] = kept[k]
  end
  return q
end

--- The angle between the axes of a body at positions q and those that are wanted.
local function turned_by(view, q, target)
  local o, square = target.body.offset, 0
  if view.dimension == 2 then
    local off = q[o + 3] - target.orientation
    return math.abs(off - 2 * math.pi * math.floor(off / (2 * math.pi) + 0.5))
  end
  for i = 1, 3 do
    for k = 1, 3 do
      square = square + (q[o + 3 * i + k] - target.orientation[k][i]) ^ 2
    end
  end
  return 2 * math.asin(math.min(1, math.sqrt(square / 8)))
end

--- How far positions are from all targets, lengths over the size of the model.
local function distance(view, checked, q)
  local sum = 0
  for _, target in ipairs(checked.targets) do
    local at = frame.new(target.body, view.dimension, q, q)
    local p = target.position and at:point(target.point)
    for k = 1, p and view.dimension or 0 do
      sum = sum + ((p[k] - target.position[k]) / view.size) ^ 2
    end
    if target.orientation then
      sum = sum + turned_by(view, q, target) ^ 2
    end
  end
  return sum
end

--- The other starts, those first that are near the targets.
local function other_starts(problem, view, checked)
  local order, far = {}, {}
  for i = 1, MOST_STARTS do
    problem.starts[i] = problem.starts[i] or other_start(view, checked, i)
    order[i], far[i] = i, distance(view, checked, problem.starts[i])
  end
  table.sort(order, function(a, b)
    return far[a] < far[b] or far[a] == far[b] and a < b
  end)
  return order
end

-- Answers ----------------------------------------------------------------------------------------

local report_kind = results.kind("what a target was reached by",
  { "joints", "off", "turned", "limits", "iterations", "attempts" })

--- Coordinates of all joints, as a start takes them.
local function coordinates(model, s)
  local known = model.observers.reach
  if not known then
    known = { list = {}, expressions = {} }
    for _, joint in ipairs(model.joints) do
      for _, kind in ipairs { "angle", "length" } do
        if joint[kind] then
          known.list[#known.list + 1] = { joint.name, kind }
          known.expressions[#known.list] = joint[kind].value
        end
      end
    end
    known.evaluate = evaluator(known.expressions)
    model.observers.reach = known
  end
  local x, joints = known.evaluate(s.t, s.q, s.v, nil, nil, s.parameters), {}
  for i, one in ipairs(known.list) do
    joints[one[1]] = joints[one[1]] or {}
    joints[one[1]][one[2]] = x[i]
  end
  return joints
end

--- How far each target is missed: { m, rad }.
local function misses(s, checked)
  local list = {}
  for i, target in ipairs(checked.targets) do
    local off = 0
    if target.position then
      local p = s:point(target.body.name, target.point)
      for k = 1, s.model.dimension do
        off = off + (p[k] - target.position[k]) ^ 2
      end
    end
    list[i] = { math.sqrt(off), target.orientation and turned_by(s.model, s.q, target) or 0 }
  end
  return list
end

--- Joints at limits that stand in the way: names, and words.
local function limits_of(problem, found)
  local names, words, known = {}, {}, {}
  for i, law in ipairs(problem.bounds) do
    local joint = law.owner
    if found.held[#problem.units + i] and not known[joint] then
      known[joint] = true
      names[#names + 1] = joint.name
      words[#words + 1] = ("%s is at its %s limit"):format(joint.what, law.side)
    end
  end
  return names, words
end

--- Joints whose motion is prescribed, in words.
local function prescribed(model)
  local words = {}
  for _, joint in ipairs(model.joints) do
    if joint.motion then
      words[#words + 1] = joint.what .. " is led by its motion"
    end
  end
  return #words <= 6 and words or { words[1], ("and so are %d more"):format(#words - 1) }
end

local function report_of(model, problem, s, checked, found)
  local off, turned = 0, 0
  for _, miss in ipairs(misses(s, checked)) do
    off, turned = math.max(off, miss[1]), math.max(turned, miss[2])
  end
  return report_kind {
    joints = coordinates(model, s), off = off, turned = turned,
    limits = limits_of(problem, found), iterations = found.iterations, attempts = found.attempts,
  }
end

--- What cannot be reached, by how much, and what stands in the way.
local function out_of_reach(model, problem, s, checked, found)
  local texts = {}
  for i, miss in ipairs(misses(s, checked)) do
    local target, parts = checked.targets[i], {}
    if miss[1] > 1e-9 * problem.view.size then
      parts[1] = ("%.6g m away"):format(miss[1])
    end
    if miss[2] > 1e-9 then
      parts[#parts + 1] = ("turned by %.6g rad"):format(miss[2])
    end
    if #parts > 0 then
      texts[#texts + 1] = ("%s stays %s"):format(errors.show(target.body.name),
        table.concat(parts, " and "))
    end
  end
  local _, words = limits_of(problem, found)
  for _, text in ipairs(prescribed(model)) do
    words[#words + 1] = text
  end
  return ("%s: reach: out of reach: the nearest that was found from %s: %s%s"):format(model.what,
    errors.count(found.attempts, "start"), table.concat(texts, ", "),
    #words > 0 and "; " .. table.concat(words, ", ") or "")
end

local function state_of(model, checked, q)
  return rest.fill(model.system:new_state(), checked.t, q, checked.parameters)
end

-- The whole --------------------------------------------------------------------------------------

--- Search from one start after the other; what was found, the best of it where nothing was.
---@return boolean? reached nil: a failure
---@return table found with q
local function search(problem, view, checked)
  local instant, best, failed = instant_of(problem, view), nil, nil
  local iterations, attempts, order = 0, 0, nil
  local aim = {
    unit = problem.unit, axes = problem.axes, wanted = wanted_axes(checked, view.dimension),
  }
  local function try(q)
    local angles = nearest_angles(checked, q, view.dimension)
    local reached, found = instant:reach(checked.t, q, parameters_of(problem, checked, angles), aim)
    if reached == nil then
      failed = failed or found
      return false
    end
    iterations = iterations + found.iterations
    if found.closed and (reached or not best or found.off < best.off) then
      found.q, best = q, found
    end
    return reached
  end
  local reached = false
  while not reached and attempts <= MOST_STARTS do
    order = attempts == 1 and other_starts(problem, view, checked) or order
    reached = try(start_of(problem, view, checked, attempts > 0 and order[attempts] or 0))
    attempts = attempts + 1
  end
  if not reached and best then
    aim.thorough = true
    reached = try(best.q)
  end
  if best then
    best.attempts, best.iterations = attempts, iterations
    return reached, best
  end
  return nil, failed or { code = "INCONSISTENT", reason = "the loops do not close from any start" }
end

--- A state that meets the targets, and a report; or nil, message, code, the nearest state, and its
--- report.
---@param model sarrus.Model
---@param given table
function reach.solve(model, given)
  local checked = check(model, given)
  if checked.at then
    checked.t, checked.parameters = checked.at.t, checked.at.parameters
  end
  checked.t, checked.parameters = checked.t or 0, checked.parameters or {}
  local view, message = drawn.of(model, checked.parameters)
  if not view then
    return nil, model.what .. ": " .. message, "INCONSISTENT"
  end
  local problem = problem_of(model, checked.targets)
  local reached, found = search(problem, view, checked)
  if reached == nil then
    local _, text, code = failure.answer(model.system, found)
    return nil, (text:gsub(": ", ": reach: ", 1)), code
  end
  local s = state_of(model, checked, found.q)
  local report = report_of(model, problem, s, checked, found)
  if reached then
    return s, report
  end
  return nil, out_of_reach(model, problem, s, checked, found), "INCONSISTENT", s, report
end

return reach
