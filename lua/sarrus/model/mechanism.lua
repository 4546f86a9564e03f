--- The system behind a model: compiled once, speaking of bodies and joints.

local assemble = require "sarrus.model.start.assemble"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local start_fields = require "sarrus.model.start.fields"
local parameters = require "sarrus.model.part.parameters"
local posing = require "sarrus.model.start.posing"
local simulate = require "sarrus.sim.simulate"
local speed = require "sarrus.model.start.speed"
local states = require "sarrus.sim.state"
local model_state = require "sarrus.model.state"
local systems = require "sarrus.system"
local probe = require "sarrus.model.start.probe"
local vec = require "sarrus.expr.vec"
local later = require "sarrus.base.later"
local coefficients = later "sarrus.system.coefficients"
local failure = later "sarrus.model.failure"
local law = later "sarrus.system.law"
local naming = later "sarrus.model.equations.naming"
local nearby = later "sarrus.model.start.nearby"
local redundancy = later "sarrus.model.start.redundancy"
local start_tangent = later "sarrus.model.start.tangent"

--- The system of a model, which speaks of bodies and joints.
---@class sarrus.Mechanism: sarrus.System
local Mechanism, System = systems.class {
  row_name = later.call(naming, "row_name"), expression = later.call(naming, "expression"),
  coordinate_name = later.call(naming, "coordinate_name"),
  touch_name = later.call(naming, "touch_name"),
  tell_redundant = later.call(redundancy, "report"),
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

-- Impulses ---------------------------------------------------------------------------------------

local function vector(value, dimension, name)
  if type(value) ~= "table" or #value ~= dimension then
    errors.raise(("impulse: %s: %s, want %d numbers"):format(name, errors.got(value), dimension))
  end
  return vec.new(value)
end

--- The impulse on each coordinate of a vector at a world point of a body (default its centre of
--- mass).
function Mechanism:impulse_list(sim, name, impulse, place)
  local list, model = simulate.zeros(#self.coordinates), self.model
  if type(name) == "table" then
    return System.impulse_list(self, sim, name)
  end
  if not families.find(model, "body", name) then
    errors.raise("impulse: " .. errors.unknown("body", name, model.names.body))
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
    if rawget(sim, "sensitivity") then
      sim.core:lose_tangents() -- the arm of the impulse changes with the state
    end
    at:twist(add, vec.cross(vector(place, model.dimension, "the point") - center, j))
  end
  return list
end

-- Letting go -------------------------------------------------------------------------------------

--- The constraints of a joint, by their numbers among all.
local function constraints_of(model, joint)
  local list = { joint.motion_constraint }
  for _, i in ipairs(joint.constraints or {}) do
    list[#list + 1] = i
  end
  for _, i in ipairs(joint.velocity_constraints or {}) do
    list[#list + 1] = #model.equations.constraints + i
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
  local nouns = table.concat(kinds, ", "):gsub(", (%a+)$", " or %1")
  errors.raise(method .. ": " .. errors.unknown(nouns, name, names))
end

--- What of the system a joint, a force or a contact is: constraints, laws (nil: none) and the
--- number of a force, which is its drive if it is a joint.
---@return integer[] constraints
---@return integer[]? laws
---@return integer? force
function Mechanism:share(method, name)
  local model = self.model
  local joint, contact = families.find(model, "joint", name), families.find(model, "contact", name)
  local force = families.find(model, "force", name)
  if not joint and not contact and not force then
    unknown(model, method, name, { "joint", "force", "contact" })
  end
  local laws = contact and self:contact_indices(method, name) or joint and { joint.friction }
  for _, i in ipairs(joint and joint.stops or {}) do
    laws[#laws + 1] = i
  end
  return joint and constraints_of(model, joint) or {}, laws, (force or joint or {}).number
end

--- How to let a joint, a force or a contact go, or to engage it.
function Mechanism:releaser(method, name)
  local constraints, laws, number = self:share(method, name)
  return function(object, released)
    if laws then
      local done, failed = object:release(constraints, laws, released)
      if not done then
        return nil, failed
      end
    end
    if number then
      return object:release_force(number, released)
    end
    return true
  end
end

--- Motions are prescribed, and a joint that they move cannot be held: say by which.
local function tell_driven(model, joint, failed)
  local drivers = {}
  for _, other in ipairs(model.joints) do
    drivers[#drivers + 1] = other.motion_constraint and errors.show(other.name) or nil
  end
  if failed.code == "INCONSISTENT" and #drivers > 0 then
    failed.reason = ("%s cannot be held: its rate stays %s, by the motion that is prescribed for "
      .. "%s (t = %s)"):format(joint.what, errors.show(failed.size), table.concat(drivers, ", "),
      errors.show(failed.t))
  end
  return nil, failed
end

--- How to hold the coordinates of a joint, or to let them go.
function Mechanism:locker(method, name)
  local joint = families.find(self.model, "joint", name)
  if not joint then
    unknown(self.model, method, name, { "joint" })
  elseif not joint.locks then
    local types = families.types_that("joint", function(definition)
      return definition.coordinate
    end)
    local last = table.remove(types)
    errors.raise(("%s: %s has no coordinate to hold; %s and %s joints have"):format(method,
      joint.what, table.concat(types, ", "), last))
  end
  return function(object, locked)
    for _, i in ipairs(joint.locks) do
      local done, failed = object:lock(i, locked)
      if not done then
        return tell_driven(self.model, joint, failed)
      end
    end
    return true
  end
end

--- What is locked, and what is released: joints by their constraints, forces by their modes.
function Mechanism:changes(sim)
  local model, list = self.model, {}
  local function put(name, word)
    list[#list + 1] = { name = name, word = word }
  end
  for i, lock in ipairs(model.equations.locks) do
    if sim.core:locked(i) and lock.owner.locks[1] == i then
      put(lock.owner.name, "locked")
    end
  end
  for _, joint in ipairs(model.joints) do
    local first = constraints_of(model, joint)[1]
    if first and sim.core:released(first) then
      put(joint.name, "released")
    end
  end
  local modes = {}
  sim.core:state(nil, {}, {}, {}, {}, modes)
  for _, force in ipairs(model.forces) do
    if modes[law.MODES * #model.equations.contacts + force.number] == 1 then
      put(force.name, "released")
    end
  end
  return list
end

-- Parameters -------------------------------------------------------------------------------------

--- What a model has against new values in a simulation: misuse, or a failure.
function Mechanism:refuses(sim, indices, numbers)
  local model, values = self.model, nil
  local refused = coefficients.refuse(self, sim, indices, numbers)
  if refused or not model.parametric then
    return refused
  end
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

--- A simulation from what a script gave, with what it was checked to.
---@param model sarrus.Model
---@param given table
---@param unheard? boolean it is for an ensemble: nobody asks for warnings, nor what assembly has moved
---@return sarrus.Sim?
---@return string? message
---@return string? code
---@return { checked: table, model: table }? start with q, v and options, and the model as drawn
function mechanism.started(model, given, unheard)
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
