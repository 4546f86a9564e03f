--- What scripts change in simulations of models: impulses, what is let go or held, and values of
--- parameters.

local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local families = require "sarrus.model.part.family"
local law = require "sarrus.system.law"
local simulate = require "sarrus.sim.simulate"
local vec = require "sarrus.expr.vec"
local later = require "sarrus.base.later"
local coefficients = later "sarrus.system.coefficients"

local change = {}

-- Impulses ---------------------------------------------------------------------------------------

local function vector(value, dimension, name)
  if type(value) ~= "table" or #value ~= dimension then
    errors.raise(("impulse: %s: %s, want %d numbers"):format(name, errors.got(value), dimension))
  end
  return vec.new(value)
end

--- The impulse on each coordinate of a vector at a world point of a body.
---@param model sarrus.Model
---@param sim sarrus.Sim
---@param name string the body
---@param impulse number[]
---@param place? number[] default its centre of mass
---@return number[]
function change.impulse(model, sim, name, impulse, place)
  local list = simulate.zeros(#model.equations.names)
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
function change.share(mechanism, method, name)
  local model = mechanism.model
  local joint, contact = families.find(model, "joint", name), families.find(model, "contact", name)
  local force = families.find(model, "force", name)
  if not joint and not contact and not force then
    unknown(model, method, name, { "joint", "force", "contact" })
  end
  local laws = contact and mechanism:contact_indices(method, name) or joint and { joint.friction }
  for _, i in ipairs(joint and joint.stops or {}) do
    laws[#laws + 1] = i
  end
  return joint and constraints_of(model, joint) or {}, laws, (force or joint or {}).number
end

--- How to let a joint, a force or a contact go, or to engage it.
function change.releaser(mechanism, method, name)
  local constraints, laws, number = change.share(mechanism, method, name)
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
function change.locker(mechanism, method, name)
  local joint = families.find(mechanism.model, "joint", name)
  if not joint then
    unknown(mechanism.model, method, name, { "joint" })
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
        return tell_driven(mechanism.model, joint, failed)
      end
    end
    return true
  end
end

--- What is locked, and what is released: joints by their constraints, forces by their modes.
function change.list(mechanism, sim)
  local model, list = mechanism.model, {}
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
function change.refuses(mechanism, sim, indices, numbers)
  local model, values = mechanism.model, nil
  local refused = coefficients.refuse(mechanism, sim, indices, numbers)
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

return change
