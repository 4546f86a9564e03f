--- Dry friction in joints: a contact without a gap, whose slip is the joint's rate.
---
--- Its bound is a torque or force, or a coefficient times the size of the joint's force, in
--- revolute joints times a radius.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local laws = require "sarrus.system.law"
local observe = require "sarrus.model.equations.observe"

local bearing = {}

local by_force = fields.record {
  { "coefficient", kinds.not_negative, required = true },
  { "radius", kinds.positive },
}

--- A bound, or { coefficient =, radius = }; where nothing turns there is no radius.
local function one_of(turns)
  return function(value, path, fault)
    if type(value) ~= "table" or expr.is(value) then
      return kinds.not_negative(value, path, fault)
    end
    local given = by_force(value, path, fault)
    if turns and given and given.coefficient and rawget(value, "radius") == nil then
      fault(path .. ": coefficient needs radius, where the bearing slides")
    elseif not turns and given and given.radius then
      fault(path .. ": radius: nothing turns here; the bound is the coefficient times the force")
    end
    return given
  end
end

--- A kind for fields: one of these, or { static =, sliding = } of them.
---@param turns boolean whether the joint's coordinate is an angle
function bearing.kind(turns)
  local one = one_of(turns)
  local both = fields.record {
    { "static", one, required = true },
    { "sliding", one, required = true, also = { "kinetic", "dynamic" } },
  }
  return function(value, path, fault)
    if type(value) == "table" and not expr.is(value)
      and (rawget(value, "static") ~= nil or rawget(value, "sliding") ~= nil) then
      local given = both(value, path, fault)
      if given and type(given.static) == "number" and type(given.sliding) == "number"
        and given.static < given.sliding then
        return fault(("%s: static = %s is below sliding = %s"):format(path,
          errors.show(given.static), errors.show(given.sliding)))
      end
      return given
    end
    local bound = one(value, path, fault)
    return bound and { sliding = bound }
  end
end

--- What a joint's own constraints exert, component by component: neither drives nor springs along
--- its coordinate press.
local function load_of(model, joint)
  local force, load = observe.reaction(model, joint, true), {}
  for _, component in ipairs { force.x, force.y, force.z } do
    if component ~= 0 then
      load[#load + 1] = component
    end
  end
  return load
end

--- A bound, and what the size of the load counts in it; nil where there is none.
local function parts_of(given)
  if type(given) ~= "table" or expr.is(given) then
    return given, nil
  end
  return nil, given.coefficient * (given.radius or 1)
end

--- Give a joint with friction its contact; its bounds are found when all constraints are there.
---@param equations sarrus.Equations
---@param joint table
function bearing.put(equations, joint)
  local given, model = joint.checked.friction, { equations = equations }
  local law = {
    name = joint.name .. " friction", slip = { joint.coordinate.rate },
    unit = joint.coordinate.unit, owner = joint, friction = 1,
  }
  local index = equations:contact(law)
  joint.friction = index
  function law.complete()
    law.friction, law.load_friction = parts_of(given.sliding)
    law.static_friction, law.load_static = parts_of(given.static)
    if law.load_friction or law.load_static then
      law.load = load_of(model, joint)
    end
    local _, along = laws.forces(law, index, equations:contact_multipliers(index))
    joint.friction_force = along[1]
  end
end

return bearing
