--- The simulation that a run drives: of the script's model, or the script's own; with --set,
--- --tolerance and --method.

local errors = require "sarrus.base.errors"
local mechanism = require "sarrus.model.mechanism"
local script = require "sarrus.command.script"
local unknown = require "sarrus.sweep.unknown"

local function of_model(model, values)
  local parameters = {}
  for _, one in ipairs(values.set or {}) do
    local message = unknown(model.what, mechanism.system(model).parameters, { one.name })
    if message then
      return nil, message, "usage"
    end
    parameters[one.name] = one.value
  end
  local sim, message, code = model:simulate {
    tolerance = values.tolerance, method = values.method, parameters = parameters,
  }
  return sim, not sim and ("%s [%s]"):format(message, code) or nil, 1
end

local function of_simulation(sim, values)
  for _, name in ipairs { "tolerance", "method" } do
    if values[name] then
      return nil, ("--%s: the script returns a simulation, which has its own; return the model")
        :format(name), "usage"
    end
  end
  for _, one in ipairs(values.set or {}) do
    local message = unknown(sim.system.what, sim.parameters, { one.name })
    if message then
      return nil, message, "usage"
    end
    local done, why, code = sim:set(one.name, one.value)
    if not done then
      return nil, ("%s [%s]"):format(why, code), 1
    end
  end
  return sim
end

--- A simulation of what the script returned.
---@param subject table
---@param values table options of the command
---@return sarrus.Sim? simulation
---@return string? message
---@return integer|"usage"|nil code for the shell
local function simulation(subject, values)
  local kind = script.kind(subject)
  if kind == "model" then
    return of_model(subject, values)
  elseif kind == "simulation" then
    return of_simulation(subject, values)
  end
  return nil, ("%s: the script returns %s, which does not say where it starts; end it with "
    .. "'return %s:simulate { … }'"):format(values[1], errors.article(kind), kind), 1
end

return simulation
