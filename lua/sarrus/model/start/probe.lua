--- Probes: starts of the core that only serve to find out something.

local core = require "sarrus.core"
local systems = require "sarrus.system"

local probe = {}

--- The system of a model without its contacts, which do not matter here.
---@param model sarrus.Model
---@return sarrus.System
function probe.system(model)
  if #model.equations.contacts == 0 then
    return model.system
  elseif not model.probes.without_contacts then
    local lists = model.equations:lists()
    lists.contacts = nil
    model.probes.without_contacts = systems.of_equations(model.what, model.name,
      model.equations.names, lists)
  end
  return model.probes.without_contacts
end

--- Give the core's simulation of a start the values of its parameters.
local function preset(object, parameters, start)
  for i, parameter in ipairs(parameters) do
    local given = start.parameters and start.parameters[parameter.name]
    object:preset(i, given or start.held and start.held[parameter.name] or parameter.value)
  end
  return object
end

--- The core's simulation of a start, not yet started.
local function prepare(compiled, parameters, start)
  return preset(core.sim(compiled, nil, start), parameters, start)
end

--- The core's simulation of a start of a model, not yet started.
local function prepare_free(model, start)
  local system = probe.system(model)
  return prepare(system.compiled, system.parameters, start)
end

--- The core's simulation of a model without its contacts, started at positions and velocities; nil
--- and the failure where they do not close.  It is kept with the model, as what it compiles is
--- dear, and stands there until the next call.
---@return userdata? object
---@return sarrus.Failure? failed
function probe.start(model, start, q, v)
  local kept, system = model.probes.kept, probe.system(model)
  if not kept or kept.size ~= model.size then
    kept = { object = core.sim(system.compiled, nil, start), size = model.size }
    model.probes.kept = kept
  end
  preset(kept.object, system.parameters, start)
  local started, failed = kept.object:start(start.t, q, v)
  if not started then
    return nil, failed
  end
  return kept.object
end

--- Closed positions and velocities of a system, from a guess, and accelerations there; nil where
--- it does not close.  The last is the core's simulation that stands there, for who closes it.
function probe.stand(compiled, parameters, start, q, v)
  local object = prepare(compiled, parameters, start)
  if not object:start(start.t, q, v) then
    object:close()
    return nil
  end
  local closed, rates, accelerations = {}, {}, {}
  object:state(nil, closed, rates, accelerations, {})
  return closed, rates, accelerations, object
end

--- The same without the simulation.
function probe.close(compiled, parameters, start, q, v)
  local closed, rates, accelerations, object = probe.stand(compiled, parameters, start, q, v)
  if object then
    object:close()
  end
  return closed, rates, accelerations
end

--- Fill q with the positions that a start reaches though it fails.
---@param model sarrus.Model
---@param start table with q and v
---@param q number[]
---@return number[][] directions in which multipliers are not unique there
function probe.reached(model, start, q)
  local object = prepare_free(model, start)
  object:start(start.t, start.q, start.v)
  object:reached(q)
  local directions = object:null()
  object:close()
  return directions
end

--- A velocity that the constraints allow at a closed configuration, of size 1 relative to scale;
--- zeros if there is none.
local function allowed(model, start, q)
  local object = prepare_free(model, start)
  local x, found, largest = 0.5, {}, 0
  for sample = 1, 2 do -- their difference: time-dependent constraints may ask for a velocity
    local v = {}
    for i = 1, #q do
      x = (x * 997 + 0.123456789) % 1 -- any numbers that have no pattern
      v[i] = (x - 0.5) * start.scales[i]
    end
    if not object:start(start.t, q, v) then
      break
    end
    found[sample] = {}
    object:state(nil, {}, found[sample], {}, {})
  end
  object:close()
  local velocity = {}
  for i = 1, #q do
    velocity[i] = found[2] and found[2][i] - found[1][i] or 0
    largest = math.max(largest, math.abs(velocity[i]) / start.scales[i])
  end
  for i = 1, #q do
    velocity[i] = largest > 1e-9 and velocity[i] / largest or 0
  end
  return velocity
end

-- How far beside a configuration to look, relative to scale: near, and so far that constraints
-- that only nearly depend on each other come apart.
local BESIDE, FAR = { 1e-4, 1e-3, 1e-5 }, { 0.1, -0.1 }

-- So much faster than the natural rate of the mechanism, forces do nothing on the way.
local HURRY = 1e3

-- Where they do something all the same, it may take long.
local MOST_STEPS = 100

--- Positions at a distance from q along a velocity, following the constraints as the series do,
--- those that depend on others being left out of them.
---@return number[] positions straight ahead where the series do not lead there
---@return boolean followed whether they do: left-out constraints hold all the way
local function go(model, start, q, velocity, distance)
  local object = prepare_free(model, setmetatable({ max_steps = MOST_STEPS }, { __index = start }))
  local beside, fast, hurry = {}, {}, HURRY * start.rate
  for i = 1, #q do
    beside[i], fast[i] = q[i] + distance * velocity[i], hurry * velocity[i]
  end
  local followed = object:start(start.t, q, fast)
    and object:advance(start.t + distance / hurry) and true or false
  if followed then
    object:state(nil, beside, {}, {}, {})
  end
  object:close()
  return beside, followed
end

--- How many constraints depend on others at a distance from q along a velocity; nil where nothing
--- closes there.
local function dependent_at(model, start, q, velocity, distance)
  local beside, rest, closed, moved = go(model, start, q, velocity, distance), {}, {}, 0
  for i = 1, #q do
    rest[i] = 0
  end
  local object = prepare_free(model, start)
  local count
  if object:start(start.t, beside, rest) then
    count = #object:dependent()
    object:state(nil, closed, rest, {}, {})
    for i = 1, #q do
      moved = math.max(moved, math.abs(closed[i] - q[i]) / start.scales[i])
    end
  end
  object:close()
  return moved > 0.1 * math.abs(distance) and count or nil
end

local function first(distances, f)
  for _, distance in ipairs(distances) do
    local found = f(distance)
    if found then
      return found
    end
  end
end

--- How many constraints depend on others at a configuration a little beside q: redundant joints do
--- so everywhere, at a singular configuration it is more.
---@param model sarrus.Model
---@param start table with `rate`, natural speed over size
---@param q number[]
---@param count integer how many do at q
---@return integer? count nil where nothing beside q can be closed
---@return boolean exact whether they still hold together farther away
function probe.dependent_beside(model, start, q, count)
  local velocity = allowed(model, start, q)
  local function at(distance)
    return dependent_at(model, start, q, velocity, distance)
  end
  local function hold(distance)
    local _, followed = go(model, start, q, velocity, distance)
    return followed and count or nil
  end
  return first(FAR, hold) or first(BESIDE, at), first(FAR, at) ~= nil
end

return probe
