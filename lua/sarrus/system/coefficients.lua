--- Friction and restitution that parameters make: what cannot be checked where it is declared is
--- checked where parameters get values.

local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"

local coefficients = {}

-- The numbers of a law, as scripts call them, and the most that they may be.
local NUMBERS = {
  { "friction", "friction" }, { "static_friction", "friction.static" },
  { "load_friction", "friction" }, { "load_static", "friction.static" },
  { "restitution", "restitution", 1 },
}

-- What holds at rest, and what it must not be less than.
local STATIC = { static_friction = "friction", load_static = "load_friction" }

--- Note the parameters of an expression; whether it has nothing but these and the time.
local function learn(e, names)
  return not expr.find(e, function(node)
    if node.op == "parameter" then
      names[node.name] = true
    end
    return node.op == "symbol" and node ~= expr.time or node.op == "graph"
  end)
end

--- Whether parameters make a number of a law; those are noted.
local function by_parameters(e, other, names)
  return (expr.is(e) or expr.is(other)) and learn(e, names) and (not other or learn(other, names))
end

--- All of a list of laws that parameters make, each once for all points of a contact: what is not
--- negative, and, where there are two numbers, what is not below the second.
---@param laws sarrus.ContactLaw[]
local function of(laws)
  local list, expressions, names, seen = {}, {}, {}, {}
  local function put(one, e, least)
    list[#list + 1] = one
    one.e, one.least = e, least
    expressions[2 * #list - 1], expressions[2 * #list] = e, least or 0
  end
  for i, law in ipairs(laws) do
    for _, number in ipairs(NUMBERS) do
      local e, key = law[number[1]], law.name .. "\n" .. number[1]
      local sliding = law[STATIC[number[1]]]
      if expr.is(e) and not seen[key] and learn(e, names) then
        local static = number[2] == "friction" and (law.static_friction or law.load_static)
        put({ index = i, name = static and "friction.sliding" or number[2],
          most = number[3] or math.huge }, e)
      end
      if e and sliding and not seen[key] and by_parameters(e, sliding, names) then
        put({ index = i }, e, sliding)
      end
      seen[key] = true
    end
  end
  return { list = list, names = names, evaluate = #list > 0 and evaluator(expressions) }
end

--- Those of a system, found once.
local function known(system)
  local found = rawget(system, "coefficients")
  if not found then
    found = of(rawget(system, "contacts") or {})
    system.coefficients = found
  end
  return found
end

--- Who has a law, as scripts know it: a joint its friction and its stops.
local function owner_of(system, index)
  local owner = system.contacts[index].owner
  return owner and not owner.laws and owner.what or system:contact_name(index)
end

local function shown(e, x)
  return expr.is(e) and ("%s = %s"):format(tostring(e), errors.show(x)) or errors.show(x)
end

--- What is wrong with a number, or with one and what it must not be below; nil if nothing is.
local function fault_of(one, x, least)
  if one.least and x < least then
    return ("friction: static = %s is below sliding = %s"):format(shown(one.e, x),
      shown(one.least, least))
  elseif not one.least and not (x >= 0 and x <= one.most) then
    return ("%s = %s; must be %s"):format(one.name, shown(one.e, x),
      one.most < math.huge and ("from 0 to %d"):format(one.most) or "0 or positive")
  end
end

--- What is wrong with friction or restitution by some values of parameters; nil if nothing is.
---@param system sarrus.System
---@param values table<string, number>
---@param t number
---@return string?
function coefficients.refusal(system, values, t)
  local found = known(system)
  local x = found.evaluate and found.evaluate(t, {}, {}, {}, {}, values, {})
  for i, one in ipairs(found.list) do
    local fault = fault_of(one, x[2 * i - 1], x[2 * i])
    if fault then
      return owner_of(system, one.index) .. ": " .. fault
    end
  end
end

--- Whether a simulation's parameters can have new values: nil, or a failure.
---@param system sarrus.System
---@param sim sarrus.Sim
---@param indices integer[]
---@param numbers number[]
---@return sarrus.Failure?
function coefficients.refuse(system, sim, indices, numbers)
  local values, names = nil, known(system).names
  for i, index in ipairs(indices) do
    local name = sim.parameters[index].name
    if names[name] then
      values = values or {}
      values[name] = numbers[i]
    end
  end
  if not values then
    return nil
  end
  for i, parameter in ipairs(sim.parameters) do
    values[parameter.name] = values[parameter.name] or sim.core:get(i)
  end
  local reason = coefficients.refusal(system, values, sim.core:time())
  return reason and { code = "INCONSISTENT", reason = reason, t = sim.core:time() } or nil
end

return coefficients
