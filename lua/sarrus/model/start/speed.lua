--- The natural speed of a mechanism, with which its speeds are compared.

local drawing = require "sarrus.model.drawing"
local probe = require "sarrus.model.start.probe"

local speed = {}

-- Speeds that count as rest where a function of the speed needs a power series, relative to the
-- natural speed.
local REST = 1e-5

--- The largest of some rates of coordinates, turning counted at the size of the model.
---@param model sarrus.Model
---@param rates number[]
---@return number
function speed.largest(model, rates)
  local most = 0
  for i, unit in ipairs(model.equations.units) do
    most = math.max(most, (unit == "m" and 1 or model.size) * math.abs(rates[i]))
  end
  return most
end

--- What gravity brings about over the size of the model.
local function of_gravity(model)
  return math.sqrt(drawing.norm(model.gravity or {}) * model.size)
end

--- The natural speed at a start: the larger of what gravity brings about over the size and of what
--- moves at the start; without either, what the first accelerations bring about; where nothing
--- moves or begins to, 1.
---@param model sarrus.Model
---@param start table with q and v
---@return number
function speed.natural(model, start)
  local system = model.system
  local _, v, a = probe.close(system.compiled, system.parameters, start, start.q, start.v)
  local found = math.max(of_gravity(model), speed.largest(model, v or start.v))
  if found == 0 and a then
    found = math.sqrt(speed.largest(model, a) * model.size)
  end
  return found > 0 and found < math.huge and found or 1
end

--- Give the forces that need it the speed that counts as rest.
---@param model sarrus.Model
---@param start table
---@return boolean done whether there are such
function speed.preset(model, start)
  local rest
  for _, force in ipairs(model.forces) do
    if force.rest then
      rest = rest or REST * speed.natural(model, start)
      start.parameters = start.parameters or {}
      start.parameters[force.rest.name] = rest
    end
  end
  return rest ~= nil
end

return speed
