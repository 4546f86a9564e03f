--- The system behind a model: compiled once, speaking of bodies and joints.

local assemble = require "sarrus.model.start.assemble"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local garbage = require "sarrus.base.garbage"
local start_fields = require "sarrus.model.start.fields"
local parameters = require "sarrus.model.part.parameters"
local posing = require "sarrus.model.start.posing"
local simulate = require "sarrus.sim.simulate"
local size = require "sarrus.model.drawing.size"
local speed = require "sarrus.model.start.speed"
local systems = require "sarrus.system"
local probe = require "sarrus.model.start.probe"
local later = require "sarrus.base.later"
local changes = later "sarrus.model.change"
local coefficients = later "sarrus.system.coefficients"
local failure = later "sarrus.model.failure"
local model_state = later "sarrus.model.state"
local naming = later "sarrus.model.equations.naming"
local nearby = later "sarrus.model.start.nearby"
local redundancy = later "sarrus.model.start.redundancy"
local start_tangent = later "sarrus.model.start.tangent"
local states = later "sarrus.sim.state"

--- The system of a model, which speaks of bodies and joints.
---@class sarrus.Mechanism: sarrus.System
local Mechanism, System = systems.class {
  row_name = later.call(naming, "row_name"), expression = later.call(naming, "expression"),
  coordinate_name = later.call(naming, "coordinate_name"),
  touch_name = later.call(naming, "touch_name"),
  tell_redundant = later.call(redundancy, "report"),
  share = later.call(changes, "share"), releaser = later.call(changes, "releaser"),
  locker = later.call(changes, "locker"), changes = later.call(changes, "list"),
  refuses = later.call(changes, "refuses"),
}

local mechanism = {}

function Mechanism:penetration_words(failed)
  return failure.penetration_words(self, failed)
end

function Mechanism:words(...)
  return failure.words(self, ...)
end

--- A model tells of its start itself, once it knows what assembly has moved.
function Mechanism:tell_start(_, _) end

function Mechanism:new_state()
  self.naming = self.naming or states.naming(self.coordinates)
  return model_state.new(self.model, self.naming)
end

function Mechanism:start_fields()
  return start_fields(self.model)
end

function Mechanism:symbols()
  return model_state.symbols(self.model, System.symbols(self))
end

function Mechanism:contact_indices(what, name, change)
  return model_state.contact_indices(self.model, what, name, change)
end

function Mechanism:impulse_list(sim, name, impulse, place)
  if type(name) == "table" then
    return System.impulse_list(self, sim, name)
  end
  return changes.impulse(self.model, sim, name, impulse, place)
end

-- The system -------------------------------------------------------------------------------------

-- Here `model` is as drawn for the values of a start.

--- Keep what assembly moved, and tell of it and of redundant joints.
local function report_start(model, sim, checked, before)
  local after = { q = {}, v = {} }
  sim.core:state(nil, after.q, after.v, {}, {})
  local report = assemble.report(model, before, after,
    assemble.not_kept(model, checked, before, after))
  sim.assembly = report
  if report.moved > 1e-9 * model.size then
    sim:warn("moved", ("the start was moved to close the joints, most of all %s by %.3g m")
      :format(errors.show(report.most), report.moved), report.most)
  end
  for _, list in ipairs { checked.brought, checked.stopped } do
    for _, one in ipairs(list) do
      sim:warn("limits", ("%s is drawn outside of its limits; it starts at %s %s"):format(
        one.joint.what, one.kind, errors.show(one.limit)), one.joint.name)
    end
  end
  for _, miss in ipairs(report.not_kept) do
    local name = miss.object .. "." .. miss.field
    sim:warn("not_kept", miss.got and ("%s = %s was given, the constraints allow %s"):format(name,
      errors.show(miss.given), errors.show(miss.got))
      or ("%s was given; where the constraints hold it is off by %.3g %s"):format(name, miss.off,
      miss.unit), miss.object)
  end
  if #sim.core:null() > 0 then
    redundancy.report(model.system, sim)
  end
end

--- All parameters that the parts name, whether equations have them or not.
local function declared_parameters(model)
  local list = {}
  for i, name in ipairs(parameters.names(model.parameters)) do
    list[i] = expr.parameter(name, model.parameters[name][1])
  end
  return list
end

--- All equations of a model, as `systems.of_equations` takes them.
---@param model sarrus.Model
---@return table
function mechanism.equations(model)
  local equations = model.equations
  local lists = equations:lists()
  lists.locks, lists.shares, lists.forces = equations:changes()
  lists.elements = equations.elements
  lists.parameters = declared_parameters(model)
  return lists
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
  local system = setmetatable(systems.of_equations(model.what, model.name, model.equations.names,
    mechanism.equations(model)), Mechanism)
  system.model = model
  model.observers, model.holding, model.problems, model.probes = {}, {}, {}, {}
  model.system = system
  model.drawings = {}
  if not model.parametric then
    size.measure(model)
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
  local directions = probe.reached(model, checked, s.q)
  s.t = checked.t
  for i = 1, #s.q do
    s.v[i], s.a[i] = 0, 0
  end
  for i = 1, #model.weights do
    s.lambda[i] = 0
  end
  posing.straighten(model, s)
  model.system.model.nearest = s
  return failure.unclosed(model, s, redundancy.joints(model, directions))
end

--- Check what a script gave for a simulation, and draw the model for it.
---@return table? checked
---@return table|string model as drawn, or a message
---@return string? code
local function check(model, given)
  local checked = simulate.check(mechanism.system(model), given)
  checked.joints, checked.bodies = checked.joints or {}, checked.bodies or {}
  local view, message = drawn.of(model, checked.parameters)
  if not message and #model.system.contacts > 0 then
    message = coefficients.refusal(model.system, checked.parameters or {}, checked.t)
  end
  if not view or message then
    return nil, model.what .. ": " .. message, "INCONSISTENT"
  end
  checked.view = view
  checked.scales = model.equations:scales(view.size)
  for i in ipairs(given.scale and checked.scales or {}) do
    checked.scales[i] = given.scale
  end
  return checked, view
end

--- A simulation at its start.
local function start(model, checked)
  local q, v, code, before, object = assemble.start(model, checked)
  if not q then
    return nil, v, code
  end
  checked.q, checked.v = q, v
  local whole = not speed.preset(model, checked) and #(checked.events or {}) == 0
    and probe.system(model) == model.system
  if whole then
    checked.standing = object
  elseif object then
    object:close()
  end
  local sim, message
  sim, message, code = simulate.run(model.system, checked)
  if code == "INCONSISTENT" then
    local open, fighting = unclosed(model, checked)
    message = open or message .. fighting
  end
  return sim, message, code, before
end

--- Positions and velocities of a start without all that does not concern it.
local function start_point(model, given)
  local plain = { joints = given.joints, bodies = given.bodies, parameters = given.parameters,
    t = given.t }
  local checked, view, refused = check(model, plain)
  if not checked then
    return nil, view, refused
  end
  local sim, message, code = start(view, checked)
  if not sim then
    return nil, message, code
  end
  local s = sim:state()
  return s.q, s.v
end

function Mechanism:start_tangent(sim, checked, name, tangent)
  return start_tangent.fill(checked.view, sim, checked.given, name, tangent, function(given)
    return start_point(self.model, given)
  end)
end

--- How many constraints depend on others at a start; that contacts do, is no matter of the model.
local function dependent_now(model, sim)
  local directions = #sim.core:dependent() > 0 and sim.core:null() or {}
  return #directions > 0 and #redundancy.of_joints(model, directions) or 0
end

--- How many constraints depend on others beside the start, and whether exactly.
local function dependent_beside(model, checked, sim, dependent)
  checked.rate = speed.natural(model, checked) / model.size
  return nearby.dependent(model, checked, sim:state().q, dependent)
end

local function started(model, given, unheard)
  local checked, view, refused = check(model, given)
  if not checked then
    return nil, view, refused
  end
  checked.apart = unheard
  local sim, message, code, before = start(view, checked)
  if not sim then
    return nil, message, code
  end
  local dependent = dependent_now(view, sim)
  local beside, exact = dependent, true
  if dependent > 0 then
    beside, exact = dependent_beside(view, checked, sim, dependent)
  end
  if beside ~= dependent then
    local names = redundancy.joints(view, sim.core:null())
    return nil, failure.singular_start(model, names, beside ~= nil), "SINGULAR"
  end
  if not unheard then
    report_start(view, sim, checked, before)
  end
  if not exact and not unheard then
    redundancy.report_inexact(model.system, sim)
  end
  return sim, nil, nil, { checked = checked, model = view }
end

--- A simulation from what a script gave, with what it was checked to.
---@param model sarrus.Model
---@param given table
---@param unheard? boolean it is for an ensemble: nobody asks for warnings, nor what assembly has moved
---@return sarrus.Sim?
---@return string? message
---@return string? code
---@return { checked: table, model: table }? start with q, v and options, and the model as drawn
function mechanism.started(model, given, unheard)
  if model.system then
    return started(model, given, unheard)
  end
  return garbage.wait(#model.bodies, 2, started, model, given, unheard)
end

--- A simulation from what a script gave.
---@return sarrus.Sim?
---@return string? message
---@return string? code
function mechanism.simulate(model, given)
  local sim, message, code = mechanism.started(model, given)
  if sim then
    return sim
  end
  return nil, message, code
end

--- A simulation that stands at positions and velocities, as a state has them.
---@param model sarrus.Model
---@param given { t: number, parameters: table<string, number> }
---@param q number[]
---@param v number[]
---@return sarrus.Sim?
---@return string? message
---@return string? code
function mechanism.stand(model, given, q, v)
  local checked, view, refused = check(model, given)
  if not checked then
    return nil, view, refused
  end
  checked.q, checked.v = q, v
  speed.preset(view, checked)
  return simulate.run(model.system, checked)
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
  local equations, dependent = model.equations, dependent_now(view, sim)
  if dependent > 0 then
    dependent = dependent_beside(view, checked, sim, dependent) or dependent
  end
  local constraints = system.constraint_count + system.velocity_constraint_count - dependent
  return #equations.names - constraints
end

return mechanism
