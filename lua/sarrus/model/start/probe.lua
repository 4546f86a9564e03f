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
function probe.prepare(model, start)
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
  local object = probe.prepare(model, start)
  object:start(start.t, start.q, start.v)
  object:reached(q)
  local directions = object:null()
  object:close()
  return directions
end

return probe
