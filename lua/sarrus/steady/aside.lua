--- What analyses leave aside: contacts, limits and dry friction.  What touches is refused, friction
--- is told of.

local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"

local aside = {}

-- Gaps so much smaller than the model are closed.
local CLOSED = 1e-9

--- The smallest gap of a model at positions, relative to its size or, of angles, to 1, and its law.
local function smallest(p)
  local model = p.model.system.model
  local gaps, laws = {}, {}
  for _, law in ipairs(model.equations.contacts) do
    if law.gap then
      gaps[#gaps + 1], laws[#laws + 1] = law.gap, law
    end
  end
  model.observers.gaps = model.observers.gaps or evaluator(gaps)
  local x = #gaps > 0 and model.observers.gaps(p.t, p.q, p.v, nil, nil, p.parameters, p.modes)
  local least, closest = math.huge, nil
  for i, law in ipairs(laws) do
    local gap = x[i] / (law.unit == "m" and p.model.size or 1)
    if gap < least then
      least, closest = gap, law
    end
  end
  return least, closest
end

local function name_of(law)
  local owner = rawget(law, "owner")
  return owner and owner.what or "contact " .. errors.show(law.name)
end

--- Why an equilibrium that was found without contacts is none; nil if it is.
---@param p sarrus.Point
---@return string?
function aside.passed(p)
  local gap, law = smallest(p)
  if gap < -CLOSED then
    local unit = law.unit == "m" and "m" or "rad"
    return ("on the way to where nothing would push any more it is stopped by %s, which that is "
      .. "beyond by %.3g %s; contacts and limits are left aside: put a joint where it is to rest")
      :format(name_of(law), -gap * (unit == "m" and p.model.size or 1), unit)
  end
end

--- Why there is no linear model at a point: something touches; nil where nothing does.
---@param p sarrus.Point
---@return string?
function aside.touching(p)
  local gap, law = smallest(p)
  if gap <= CLOSED then
    return ("%s touches here, and what may part has no linear model: put a joint where it is to "
      .. "stay, or move away from it"):format(name_of(law))
  end
end

--- Joints whose dry friction is left aside.
---@param model sarrus.Model
---@return string[]
function aside.friction(model)
  local names = {}
  for _, joint in ipairs(model.joints) do
    names[#names + 1] = joint.friction and joint.name or nil
  end
  return names
end

--- Warn of friction that is left aside.
---@param model sarrus.Model
---@param verb string
function aside.warn(model, verb)
  local names = {}
  for i, name in ipairs(aside.friction(model)) do
    names[i] = errors.show(name)
  end
  if #names > 0 then
    model:warn("friction", ("%s: the dry friction of %s is left aside"):format(verb,
      table.concat(names, ", ")), aside.friction(model)[1])
  end
end

return aside
