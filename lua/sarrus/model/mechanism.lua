--- The system behind a model: compiled once, speaking of bodies and joints.

local assemble = require "sarrus.model.assemble"
local drawn = require "sarrus.model.drawn"
local errors = require "sarrus.errors"
local expr = require "sarrus.expr"
local families = require "sarrus.model.family"
local fault = require "sarrus.model.fault"
local start_given = require "sarrus.model.given"
local parameters = require "sarrus.model.parameters"
local posing = require "sarrus.model.posing"
local redundancy = require "sarrus.model.redundancy"
local simulate = require "sarrus.simulate"
local speed = require "sarrus.model.speed"
local states = require "sarrus.state"
local model_state = require "sarrus.model.state"
local systems = require "sarrus.system"
local trial = require "sarrus.model.trial"
local vec = require "sarrus.vec"

local mechanism = {}

-- Impulses ---------------------------------------------------------------------------------------

local function vector(value, dimension, name)
  if type(value) ~= "table" or #value ~= dimension then
    errors.raise(("impulse: %s: %s, want %d numbers"):format(name, errors.got(value), dimension))
  end
  return vec.new(value)
end

--- The impulse on each coordinate of a vector at a world point of a body (default its centre of
--- mass).
local function impulse_list(system, sim, name, impulse, place)
  local list, model = simulate.zeros(#system.coordinates), system.model
  if type(name) == "table" then
    return getmetatable(system).impulse_list(system, sim, name)
  end
  local s = sim:state()
  local center = s:point(name)
  local j = vector(impulse, model.dimension, "the impulse")
  local at = s.frames[name]
  local function add(i, x)
    list[i] = list[i] + x
  end
  at:push(add, j)
  if place ~= nil then
    at:twist(add, vec.cross(vector(place, model.dimension, "the point") - center, j))
  end
  return list
end

-- Letting go -------------------------------------------------------------------------------------

--- The rows of a joint, among all constraints.
local function rows_of(model, joint)
  local list = { joint.motion_row }
  for _, i in ipairs(joint.rows or {}) do
    list[#list + 1] = i
  end
  for _, i in ipairs(joint.velocity_rows or {}) do
    list[#list + 1] = #model.equations.rows + i
  end
  return list
end

local function unknown(model, method, name, kinds)
  local names = {}
  for _, family in ipairs(kinds) do
    for _, known in ipairs(model.names[family] or {}) do
      names[#names + 1] = known
    end
  end
  errors.raise(("%s: unknown %s %s%s"):format(method, table.concat(kinds, ", "):gsub(", (%a+)$",
    " or %1"), errors.show(name), errors.suggest(name, names)))
end

--- Let a joint, a force or a contact go, or engage it.
local function releases(system, object, method, name, released)
  local model = system.model
  local joint, contact = families.find(model, "joint", name), families.find(model, "contact", name)
  local force = families.find(model, "force", name)
  if force then
    return object:release_force(force.number, released)
  elseif not joint and not contact then
    unknown(model, method, name, { "joint", "force", "contact" })
  end
  local laws = contact and system:contact_indices(method, name) or { joint.friction }
  for _, i in ipairs(joint and joint.stops or {}) do
    laws[#laws + 1] = i
  end
  local done, failed = object:release(joint and rows_of(model, joint) or {}, laws, released)
  if done and joint and joint.number then -- its drive
    return object:release_force(joint.number, released)
  end
  return done, failed
end

--- Hold the coordinates of a joint, or let them go.
local function locks(system, object, method, name, locked)
  local joint = families.find(system.model, "joint", name)
  if not joint then
    unknown(system.model, method, name, { "joint" })
  elseif not joint.locks then
    errors.raise(("%s: %s has no coordinate to hold; revolute, prismatic, cylindrical, slot and "
      .. "screw joints have"):format(method, joint.what))
  end
  for _, i in ipairs(joint.locks) do
    local done, failed = object:lock(i, locked)
    if not done then
      return done, failed
    end
  end
  return true
end

-- Parameters -------------------------------------------------------------------------------------

--- What a parametric model has against new values in a simulation: misuse, or a failure.
local function refuses(system, sim, indices, numbers)
  local model, values = system.model, nil
  for i, index in ipairs(indices) do
    local name = sim.parameters[index].name
    local entry = model.parameters[name] or {}
    if entry.drawn then
      errors.raise(("set: %s says where or how large something is (%s), which stays so in a "
        .. "simulation: give it to simulate, parameters = { %s = … }"):format(errors.show(name),
        entry.drawn, name))
    end
    if entry.measured then
      values = values or drawn.values(sim)
      values[name] = numbers[i]
    end
  end
  local view, message = model, nil
  if values then
    view, message = drawn.of(model, values)
  end
  return not view and { code = "INCONSISTENT", reason = message } or nil
end

-- The system -------------------------------------------------------------------------------------

-- Here `model` is as drawn for the values of a start.

--- Keep what assembly moved, and tell of it and of redundant joints.
local function report_start(model, sim, checked, before)
  local s = sim:state()
  local report = assemble.report(model, before, s, assemble.not_kept(model, checked, before, s))
  sim.assembly = report
  if report.moved > 1e-9 * model.size then
    sim:warn("moved", ("the start was moved to close the joints, most of all %s by %.3g m")
      :format(errors.show(report.most), report.moved), report.most)
  end
  for _, one in ipairs(checked.brought) do
    sim:warn("limits", ("%s is drawn outside of its limits; it starts at %s %s"):format(
      one.joint.what, one.joint.coordinate.kind, errors.show(one.limit)), one.joint.name)
  end
  for _, miss in ipairs(report.not_kept) do
    local name = miss.object .. "." .. miss.field
    sim:warn("not_kept", miss.got and ("%s = %s was given, the constraints allow %s"):format(name,
      errors.show(miss.given), errors.show(miss.got))
      or ("%s was given; where the constraints hold it is off by %.3g %s"):format(name, miss.off,
      miss.unit), miss.object)
  end
  redundancy.report(model.system, sim)
end

--- All parameters that the parts name, whether equations have them or not.
local function declared_parameters(model)
  local list = {}
  for i, name in ipairs(parameters.names(model.parameters)) do
    list[i] = expr.parameter(name, model.parameters[name][1])
  end
  return list
end

--- The model's system, compiled at the first call.
---@param model sarrus.Model
---@return sarrus.System
function mechanism.system(model)
  if model.system then
    return model.system
  elseif not model.equations or #model.bodies == 0 then
    errors.raise(model.what .. ": there are no bodies in it")
  end
  local equations = model.equations
  local lists = equations:lists()
  lists.locks, lists.shares, lists.forces = equations:changes()
  lists.parameters = declared_parameters(model)
  local system = systems.of_equations(model.what, model.name, equations.names, lists)
  local naming = states.naming(equations.names)
  local plain_symbols = system.symbols
  system.model = model
  system.row_name, system.own_words = fault.row_name, fault.words
  system.coordinate_name, system.expression = fault.coordinate_name, fault.expression
  system.tell_redundant, system.impulse_list = redundancy.report, impulse_list
  system.releases, system.locks = releases, locks
  system.refuses = model.parametric and refuses or nil
  function system.new_state()
    return model_state.new(model, naming)
  end
  function system.contact_indices(_, what, name, change)
    return model_state.contact_indices(model, what, name, change)
  end
  function system.symbols(self)
    return model_state.symbols(model, plain_symbols(self))
  end
  model.observers, model.holding, model.problems, model.trials = {}, {}, {}, {}
  model.system = system
  model.drawings = {}
  if not model.parametric then
    drawn.measure(model)
  end
  return system
end

--- What is left open at the configuration that a failed start reached, which is kept as
--- model.nearest.
local function unclosed(model, checked)
  local s = model.system:new_state()
  for _, parameter in ipairs(model.system.parameters) do
    s.parameters[parameter.name] = parameter.value
  end
  for name, value in pairs(checked.parameters or {}) do
    s.parameters[name] = value
  end
  local directions = trial.reached(model, checked, s.q)
  s.t = checked.t
  for i = 1, #s.q do
    s.v[i], s.a[i] = 0, 0
  end
  for i = 1, #model.weights do
    s.lambda[i] = 0
  end
  posing.straighten(model, s)
  model.system.model.nearest = s
  return fault.unclosed(model, s, redundancy.joints(model, directions))
end

--- Check what a script gave for a simulation, and draw the model for it.
---@return table? checked
---@return table|string model as drawn, or a message
---@return string? code
local function check(model, given)
  local checked = simulate.check(mechanism.system(model), given, start_given.fields(model))
  local view, message = drawn.of(model, checked.parameters)
  if not view then
    return nil, model.what .. ": " .. message, "INCONSISTENT"
  end
  checked.scales = model.equations:scales(view.size)
  for i in ipairs(given.scale and checked.scales or {}) do
    checked.scales[i] = given.scale
  end
  return checked, view
end

--- A simulation at its start.
local function start(model, checked)
  local q, v, code, before = assemble.start(model, checked)
  if not q then
    return nil, v, code
  end
  checked.q, checked.v = q, v
  speed.preset(model, checked)
  local sim, message
  sim, message, code = simulate.run(model.system, checked)
  if code == "INCONSISTENT" then
    message = unclosed(model, checked) or message
  end
  return sim, message, code, before
end

--- How many constraints depend on others at a start; that contacts do, is no matter of the model.
local function dependent_now(model, sim)
  local equations, count = model.equations, 0
  for _, row in ipairs(sim.core:dependent()) do
    count = count + (row <= #equations.rows + #equations.velocity_rows and 1 or 0)
  end
  return count
end

--- How many constraints depend on others beside the start, and whether exactly.
local function dependent_beside(model, checked, sim, dependent)
  checked.rate = speed.natural(model, checked) / model.size
  return trial.dependent_beside(model, checked, sim:state().q, dependent)
end

--- A simulation from what a script gave.
---@return sarrus.Sim?
---@return string? message
---@return string? code
function mechanism.simulate(model, given)
  local checked, view, refused = check(model, given)
  if not checked then
    return nil, view, refused
  end
  local sim, message, code, before = start(view, checked)
  if not sim then
    return nil, message, code
  end
  local dependent = dependent_now(model, sim)
  local beside, exact = dependent, true
  if dependent > 0 then
    beside, exact = dependent_beside(view, checked, sim, dependent)
  end
  if beside ~= dependent then
    local names = redundancy.joints(view, sim.core:null())
    return nil, fault.singular_start(model, names, beside ~= nil), "SINGULAR"
  end
  report_start(view, sim, checked, before)
  if not exact then
    redundancy.report_inexact(model.system, sim)
  end
  return sim
end

--- A simulation from what `sim:save()` gave.
function mechanism.restore(model, record, given)
  return simulate.restore(mechanism.system(model), record, given)
end

--- Mobility in the drawing; where that is a singular configuration, beside it.
function mechanism.freedoms(model)
  local system = mechanism.system(model)
  local checked, view, refused = check(model, {})
  if not checked then
    return nil, view, refused
  end
  local sim, message, code = start(view, checked)
  if not sim then
    return nil, message, code
  end
  local equations, dependent = model.equations, dependent_now(model, sim)
  if dependent > 0 then
    dependent = dependent_beside(view, checked, sim, dependent) or dependent
  end
  local rows = system.constraint_count + system.velocity_constraint_count - dependent
  return #equations.names - rows
end

return mechanism
