--- States of a model: bodies, joints, energies by name; numbers, or expressions in events.

local changes = require "sarrus.sim.changes"
local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local families = require "sarrus.model.part.family"
local frame = require "sarrus.model.equations.frame"
local rest = require "sarrus.model.state.rest"
local results = require "sarrus.base.result"
local strict = require "sarrus.base.strict"
local unique = require "sarrus.model.state.unique"
local vec = require "sarrus.expr.vec"
local later = require "sarrus.base.later"
local contact_reading = later "sarrus.model.state.contacts"
local efforts = later "sarrus.model.state.efforts"
local jacobian = later "sarrus.model.state.jacobian"
local laws = later "sarrus.system.law"
local observe = later "sarrus.model.equations.observe"
local rotation = later "sarrus.expr.rotation"
local sensitivity = later "sarrus.sim.sensitivity"

---@class sarrus.ModelState: sarrus.State
local State = strict({ is_state = true, __name = "sarrus.state" }, "a state",
  { "t", "q", "v", "a", "lambda" },
  { "symbolic", "null", "near_singular", "modes", "impulses", "at_rest", "derivatives", "changed" })
rest.allow(State)

local body_reading = results.kind("a body's reading",
  { "position", "velocity", "spin", "x", "y", "angle", "orientation", "rates" })
local joint_reading = results.kind("a joint's reading", { "angle", "rate", "length", "speed",
  "force", "torque", "unique", "unique_force", "unique_torque", "singular", "sticks" })
local energy_reading = results.kind("the energy", { "kinetic", "potential", "total" })
local residual_reading = results.kind("a residual", { "position", "velocity" })

local state = {}

--- What has struck at the instant of the state: impulses by law.
local function note_impulses(self, sim)
  local here, impulses = self.t == sim.core:time(), self.impulses
  for i = 1, #self.model.equations.contacts do
    local normal, first, second
    if here then
      normal, first, second = sim.core:struck(i)
    end
    impulses[i] = normal and { normal, first, second } or nil
  end
end

--- Called by the simulation when it has filled the lists.
function State:filled(sim)
  for i, parameter in ipairs(sim.parameters) do
    self.parameters[parameter.name] = sim.core:get(i)
  end
  for _, at in pairs(self.frames) do
    at.c = nil
  end
  self.null = sim.core:null(rawget(self, "null"))
  self.near_singular = sim.core:singular()
  unique.forget(self)
  self.changed = changes.of(sim)
  note_impulses(self, sim)
end

--- The derivative of a channel by a parameter or a starting value that `sensitivity` of `simulate`
--- lists; in an event's action, that of `"time"` is how the event's instant changes.
---@param channel string
---@param name string|sarrus.Expression
---@return number
function State:derivative(channel, name)
  errors.check_self(self, State, "derivative", "s")
  return sensitivity.derivative(self, channel, name)
end

-- Bodies -----------------------------------------------------------------------------------------

local function frame_of(self, name, method)
  errors.check_self(self, State, method, "s")
  local at = self.frames[name]
  if not at then
    local model = self.model
    local body = name == "ground" and model.ground or families.find(model, "body", name)
    if not body then
      errors.raise(method .. ": " .. errors.unknown("body", name, model.names.body))
    end
    at = frame.new(body, model.dimension, self.q, self.v)
    self.frames[name] = at
  end
  return at
end

---@class sarrus.BodyState
---@field position sarrus.Vector
---@field velocity sarrus.Vector of the centre of mass
---@field spin number|sarrus.Vector in world axes
---@field x number? in the plane
---@field y number? in the plane
---@field angle number? in the plane
---@field orientation number[]? in space: a unit quaternion {w, x, y, z}
---@field rates sarrus.Vector? in space: the spin in body axes

--- Pose and velocities of a body.
---@param name string
---@return sarrus.BodyState
function State:body(name)
  local at = frame_of(self, name, "body")
  local result = body_reading {
    position = at:point(), velocity = at:velocity(), spin = at:spin(),
  }
  if at.dimension == 2 then
    result.x, result.y, result.angle = result.position[1], result.position[2], at:angle()
  else
    result.rates = at:rates()
    if not self.symbolic then
      local e1, e2, e3 = at:axis(1), at:axis(2), at:axis(3)
      result.orientation = rotation.quaternion {
        { e1[1], e2[1], e3[1] }, { e1[2], e2[2], e3[2] }, { e1[3], e2[3], e3[3] },
      }
    end
  end
  return result
end

--- A point of a body, in world axes.
---@param name string
---@param place? number[] in body axes; default the centre of mass
---@return sarrus.Vector
function State:point(name, place)
  return frame_of(self, name, "point"):point(place)
end

--- The velocity of a point of a body, in world axes.
---@param name string
---@param place? number[] in body axes
---@return sarrus.Vector
function State:velocity(name, place)
  return frame_of(self, name, "velocity"):velocity(place)
end

-- What has to be computed ------------------------------------------------------------------------

--- The values of expressions that `make` lists: themselves, or numbers at this state.
local function values(self, key, make)
  local observers = self.model.observers
  local known = observers[key]
  if not known then
    local list, extra = make()
    known = { list = list, extra = extra }
    observers[key] = known
  end
  if self.symbolic then
    return known.list, known.extra
  end
  known.evaluate = known.evaluate or evaluator(known.list)
  return known.evaluate(self.t, self.q, self.v, self.a, self.lambda, self.parameters, self.modes),
    known.extra
end

local function joint_of(self, name)
  errors.check_self(self, State, "joint", "s")
  local joint = families.find(self.model, "joint", name)
  if not joint then
    errors.raise("joint: " .. errors.unknown("joint", name, self.model.names.joint))
  end
  return joint
end

local function joint_expressions(model, joint)
  local force, torque = observe.reaction(model, joint)
  local list = {}
  for k = 1, model.dimension do
    list[k] = force[k]
  end
  if model.dimension == 2 then
    list[3] = torque
  else
    list[4], list[5], list[6] = torque[1], torque[2], torque[3]
  end
  for _, name in ipairs { "angle", "length" } do
    if joint[name] then
      list[#list + 1], list[#list + 2] = joint[name].value, joint[name].rate
    end
  end
  return list
end

---@class sarrus.JointState
---@field angle number?
---@field rate number?
---@field length number?
---@field speed number?
---@field force sarrus.Vector on B at the joint's point on B, in world axes
---@field torque number|sarrus.Vector on B about that point
---@field unique boolean false where redundancy leaves force or torque open
---@field unique_force boolean[] for each component
---@field unique_torque boolean[] for each component
---@field sticks boolean? whether dry friction holds it
---@field singular boolean next to a singular configuration, where reactions are not accurate

--- Which of the first `count` values of a joint do not depend on multipliers that are not unique.
local function uniqueness(self, joint, x, count)
  local others, same, now, model = unique.others(self), {}, {}, self.model
  for i = 1, count do
    same[i], now[i] = true, x[i]
  end
  for _, one in ipairs(others) do
    local other = model.observers[joint].evaluate(self.t, self.q, self.v, self.a, one.lambda,
      self.parameters, one.modes)
    for i = 1, count do
      local arm = i <= model.dimension and others.length or 1
      same[i] = same[i] and unique.same(others, now[i], other[i], arm)
    end
  end
  return same
end

--- Mark what is not unique, or not accurate, in the answer of `joint`.
local function mark(self, joint, x, result)
  local dimension = self.model.dimension
  local count = dimension == 2 and 3 or 6
  local same = uniqueness(self, joint, x, count)
  result.unique, result.singular = true, self.near_singular or false
  result.unique_force, result.unique_torque = {}, {}
  for i = 1, count do
    local list = i <= dimension and result.unique_force or result.unique_torque
    list[#list + 1] = same[i]
    result.unique = result.unique and same[i]
  end
end

--- Coordinate and rate of a joint, and what it exerts on B.
---@param name string
---@return sarrus.JointState
function State:joint(name)
  local joint, model = joint_of(self, name), self.model
  local x = values(self, joint, function()
    return joint_expressions(model, joint)
  end)
  local result = joint_reading {}
  local used = model.dimension == 2 and 3 or 6
  if model.dimension == 2 then
    result.force, result.torque = vec.new { x[1], x[2] }, x[3]
  else
    result.force, result.torque = vec.new { x[1], x[2], x[3] }, vec.new { x[4], x[5], x[6] }
  end
  if joint.angle then
    result.angle, result.rate = x[used + 1], x[used + 2]
    used = used + 2
  end
  if joint.length then
    result.length, result.speed = x[used + 1], x[used + 2]
  end
  if not self.symbolic then
    mark(self, joint, x, result)
    result.sticks = joint.friction and laws.mode_at(self.modes, joint.friction) == "stick"
  end
  return result
end

---@class sarrus.ContactPoint
---@field a string the shape, or body, of A
---@field b string
---@field position sarrus.Vector? where they touch; nil of custom contacts
---@field normal sarrus.Vector? from a to b
---@field gap number
---@field mode "slip"|"stick"
---@field force sarrus.Vector on b, in world axes
---@field unique boolean false where the force could be another

---@class sarrus.ContactState
---@field mode "open"|"slip"|"stick" "stick" where any of its points does
---@field gap number the least
---@field force sarrus.Vector on B, the sum of all points, in world axes
---@field normal_force number
---@field friction_force number its size
---@field impulse number along the normals, of the impact at this instant
---@field unique boolean false where the force could be another
---@field points sarrus.ContactPoint[] what touches, and may carry load

local function contact_of(model, what, name)
  local contact = families.find(model, "contact", name)
  if not contact then
    errors.raise(what .. ": " .. errors.unknown("contact", name, model.names.contact))
  end
  return contact
end

--- Of a joint, what can change so: its dry friction sticks and slips, its stops are touched and
--- left.
local function of_joint(what, joint, change)
  local frictional = change == "stick" or change == "slip"
  local list = frictional and { joint.friction } or not frictional and joint.stops or {}
  if #list == 0 then
    errors.raise(("%s: %s has no %s, so there is no %q of it"):format(what, joint.what,
      frictional and "friction" or "limits", change))
  end
  return list
end

--- The laws that a contact's name stands for, by number; of a joint, those that a change is of.
---@param model sarrus.Model
---@param what string who asks
---@param name any
---@param change? "touch"|"leave"|"stick"|"slip"
---@return integer[]
function state.contact_indices(model, what, name, change)
  local list, joint = {}, change and families.find(model, "joint", name)
  if joint then
    return of_joint(what, joint, change)
  end
  for i, one in ipairs(contact_of(model, what, name).laws) do
    list[i] = one.index
  end
  return list
end

--- Mode, gap and forces of a contact.
---@param name string
---@return sarrus.ContactState
function State:contact(name)
  errors.check_self(self, State, "contact", "s")
  local model = self.model
  local contact = contact_of(model, "contact", name)
  local x = values(self, contact, function()
    return contact_reading.expressions(model, contact)
  end)
  if self.symbolic then
    return contact_reading.symbolic(model, contact, x)
  end
  local function evaluate(lambda, modes)
    return model.observers[contact].evaluate(self.t, self.q, self.v, self.a, lambda,
      self.parameters, modes)
  end
  return contact_reading.numeric(model, contact, self, evaluate)
end

--- Kinetic and potential energy, and their sum.
---@return { kinetic: number, potential: number, total: number }
function State:energy()
  errors.check_self(self, State, "energy", "s")
  local x = values(self, "energy", function()
    return observe.energy(self.model)
  end)
  return energy_reading { kinetic = x[1], potential = x[2], total = x[1] + x[2] }
end

--- The largest error of the constraints, and of their rates.
---@return { position: number, velocity: number }
function State:residual()
  errors.check_self(self, State, "residual", "s")
  if self.symbolic then
    errors.raise("residual: events cannot watch it")
  end
  local x, positions = values(self, "residual", function()
    return observe.residual(self.model)
  end)
  local largest = { 0, 0 }
  for i = 1, #self.model.observers.residual.list do
    local k = i <= positions and 1 or 2
    largest[k] = math.max(largest[k], math.abs(x[i]))
  end
  return residual_reading { position = largest[1], velocity = largest[2] }
end

--- The joint torques and forces that give these accelerations; joints that are not named get 0.
---@param accelerations table<string, number>
---@return table<string, number>? efforts
---@return string? message
---@return string? code
function State:efforts(accelerations)
  errors.check_self(self, State, "efforts", "s")
  if self.symbolic then
    errors.raise("efforts: events cannot watch them")
  end
  return efforts.solve(self.model, self, accelerations)
end

--- The velocity of a point of a body, then its spin, in world axes: rows, by rates of joints, in
--- columns.  The joints that are named lead; others that are independent of them stand still, and
--- what is still free moves with the least kinetic energy.
---@param name string the body
---@param place? number[] in body axes; default the centre of mass
---@param joints? string[] default: as many as are independent, in the order of the model
---@return number[][]? rows
---@return string[]|string names of the joints, or the message
---@return string? code
function State:jacobian(name, place, joints)
  local at = frame_of(self, name, "jacobian")
  if self.symbolic then
    errors.raise("jacobian: events cannot watch it")
  elseif joints == nil and type(place) == "table" and type(place[1]) == "string" then
    place, joints = nil, place
  end
  at:point(place) -- raises where that is no place
  return jacobian.of_point(self.model, self, at.body, place, joints)
end

--- The mass matrix in the rates of joints, chosen as for `jacobian`: kinetic energy is rates * mass
--- * rates / 2.
---@param joints? string[]
---@return number[][]? rows
---@return string[]|string names of the joints, or the message
---@return string? code
function State:mass_matrix(joints)
  errors.check_self(self, State, "mass_matrix", "s")
  if self.symbolic then
    errors.raise("mass_matrix: events cannot watch it")
  end
  return jacobian.mass(self.model, self, joints)
end

--- Bodies, and joints with a coordinate, a line each.
function State:__tostring()
  local lines = { ("%s at t = %s"):format(self.model.what, errors.show(self.t)) }
  for _, body in ipairs(self.model.bodies) do
    lines[#lines + 1] = ("  %s %s"):format(body.name, tostring(self:body(body.name)))
  end
  for _, joint in ipairs(self.model.joints) do
    local all, own = self:joint(joint.name), {}
    for _, key in ipairs { "angle", "rate", "length", "speed" } do
      own[key] = all[key]
    end
    if next(own) then
      lines[#lines + 1] = ("  %s %s"):format(joint.name, results.text(own))
    end
  end
  return table.concat(lines, "\n")
end

-- Making -----------------------------------------------------------------------------------------

--- An empty state, for the simulation to fill.
---@return sarrus.ModelState
function state.new(model, naming)
  return setmetatable({
    t = 0,
    q = setmetatable({}, naming),
    v = setmetatable({}, naming),
    a = setmetatable({}, naming),
    lambda = {},
    modes = {},
    impulses = {},
    model = model,
    parameters = {},
    frames = {},
  }, State)
end

--- The state of symbols that events see.
function state.symbols(model, symbols)
  symbols.t = expr.time
  symbols.model, symbols.frames, symbols.symbolic = model, {}, true
  for _, body in ipairs(model.bodies) do
    symbols.frames[body.name] = model.equations:frame(body)
  end
  return setmetatable(symbols, State)
end

--- The drawing's coordinates.
function state.drawn(model)
  local q = {}
  for _, body in ipairs(model.bodies) do
    drawing.coordinates(body, q)
  end
  return q
end

return state
