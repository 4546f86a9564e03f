--- Holding what a start gives, where the constraints allow it.

local expr = require "sarrus.expr"
local later = require "sarrus.base.later"
local posing = require "sarrus.model.start.posing"
local probe = require "sarrus.model.start.probe"
local speed = require "sarrus.model.start.speed"
local systems = require "sarrus.system"
local evaluator = later "sarrus.expr.evaluate"

local holding = {}

--- At a stop.
function holding.at_stop(law)
  return { law.gap, 0, law.name, law.unit }
end

--- What is to be held: { expression, value, what, unit }, of positions and of velocities; units are
--- "m" and "rad", of their rates too.
function holding.wishes(model, start, with_bodies)
  local positions, velocities = {}, {}
  for _, joint in ipairs(model.joints) do
    local given = start.joints[joint.name] or {}
    for _, kind in ipairs { "angle", "length" } do
      local own, prefix = joint[kind], joint.name .. "."
      local rate_name = own and own.rate_name
      if own and given[kind] then
        positions[#positions + 1] = { own.value, given[kind], prefix .. kind, own.unit }
      end
      if own and given[rate_name] then
        velocities[#velocities + 1] = {
          own.rate, given[rate_name], prefix .. rate_name, own.unit,
        }
      end
    end
  end
  for _, one in ipairs(start.stopped or {}) do
    positions[#positions + 1] = holding.at_stop(one.law)
  end
  for _, body in ipairs(with_bodies and model.bodies or {}) do
    local given, at = posing.given_for(body, start), model.equations:frame(body)
    local spin = given.spin
    for k = 1, given.velocity and model.dimension or 0 do
      velocities[#velocities + 1] = {
        at:velocity()[k], given.velocity[k], body.name .. ".v" .. k, "m",
      }
    end
    for k = 1, spin and (type(spin) == "table" and 3 or 1) or 0 do
      local x = at:spin()
      velocities[#velocities + 1] = {
        type(spin) == "table" and x[k] or x, type(spin) == "table" and spin[k] or spin,
        body.name .. ".w" .. k, "rad",
      }
    end
  end
  return positions, velocities
end

--- What rounding is relative to, from what it is for lengths: the size of the model, or for rates
--- the largest of them.
function holding.scale_of(model, unit, lengths)
  return unit == "m" and lengths or lengths / model.size
end

--- What measures wishes, compiled once.
function holding.measuring(model, wanted)
  local names, list = {}, {}
  for i, wish in ipairs(wanted) do
    list[i], names[i] = wish[1], wish[3]
  end
  local key = "met " .. table.concat(names, "\n")
  model.holding[key] = model.holding[key] or evaluator(list)
  return model.holding[key]
end

--- The wishes that are not met at a state, each with the value there; v only where they are of
--- velocities.
function holding.unmet(model, wanted, start, q, v)
  local found = {}
  if #wanted == 0 then
    return found
  end
  local x = holding.measuring(model, wanted)(start.t, q, v, nil, nil, start.parameters)
  local lengths = v and speed.largest(model, v) or model.size
  for i, wish in ipairs(wanted) do
    local scale = math.max(holding.scale_of(model, wish[4], lengths), math.abs(wish[2]))
    if math.abs(x[i] - wish[2]) > 2e-11 * scale then
      found[#found + 1] = { wish[3], wish[2], x[i] }
    end
  end
  return found
end

--- Whether positions and velocities are as wanted.
function holding.met(model, positions, velocities, start, q, v)
  return #holding.unmet(model, positions, start, q) == 0
    and #holding.unmet(model, velocities, start, q, v) == 0
end

--- The model's system with wishes as further constraints.
local function extended(model, positions, velocities)
  local names = {}
  local lists = model.equations:lists()
  lists.force, lists.contacts = nil, nil
  local function extend(field, wanted)
    local list = {}
    for i, e in ipairs(lists[field] or {}) do
      list[i] = e
    end
    for _, wish in ipairs(wanted) do
      local name = "held " .. wish[3]
      names[#names + 1] = name
      list[#list + 1] = wish[1] - expr.parameter(name, 0)
    end
    lists[field] = #list > 0 and list or nil
  end
  extend("constraints", positions)
  extend("velocity_constraints", velocities)
  local key = table.concat(names, "\n")
  if not model.holding[key] then
    model.holding[key] = systems.of_equations(model.what, model.name, model.equations.names, lists)
  end
  return model.holding[key]
end

--- Close with wishes held; nil where that cannot be.  The last is whether no freedom is left.
function holding.hold(model, start, positions, velocities, q, v)
  local system = extended(model, positions, velocities)
  start.held = {}
  for _, list in ipairs { positions, velocities } do
    for _, wish in ipairs(list) do
      start.held["held " .. wish[3]] = wish[2]
    end
  end
  local closed, rates, _, object = probe.stand(system.compiled, system.parameters, start, q, v)
  start.held = nil
  if not closed then
    return nil
  end
  local rows = system.constraint_count + system.velocity_constraint_count - #object:dependent()
  object:close()
  if holding.met(model, positions, velocities, start, closed, rates) then
    return closed, rates, rows == #q
  end
end

return holding
