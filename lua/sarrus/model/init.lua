--- Models: bodies, joints and forces, checked, and turned into a system of equations.

local build = require "sarrus.model.build"
local errors = require "sarrus.base.errors"
local explain = require "sarrus.model.explain"
local families = require "sarrus.model.part.family"
local fields = require "sarrus.base.fields"
local mechanism = require "sarrus.model.mechanism"
local strict = require "sarrus.base.strict"
local warnings = require "sarrus.base.warnings"

---@class sarrus.Model
---@field name string
local Model = strict({ __name = "sarrus.model" }, "a model", { "name" },
  { "frozen", "system", "nearest", "dimension", "gravity", "equations", "observers", "measured" })

local model = {}

local function own(self, name)
  if getmetatable(self) ~= Model then
    errors.raise(("%s: called on %s; use model:%s(…)"):format(name, errors.show(self), name))
  end
end

--- Where a model was made: `return sarrus.model { … }` leaves no frame to ask, but its parts know.
local function where_made(given)
  local where = errors.where()
  for _, part in ipairs(not where and type(given) == "table" and given or {}) do
    where = where or type(part) == "table" and rawget(part, "where") or nil
  end
  return where
end

--- A model from its parts.
---@param given { name?: string, gravity?: number[], [integer]: sarrus.Part }
---@return sarrus.Model
function model.new(given)
  local where, what = where_made(given), "model"
  if type(given) ~= "table" then
    errors.raise("model: " .. errors.got(given) .. ", want a table of parts", where)
  elseif type(rawget(given, "name")) == "string" then
    what = "model " .. errors.show(given.name)
  end
  local self = setmetatable({ what = what, warned = warnings.new() }, Model)
  build.model(self, given, where)
  return self
end

--- Add a part; not once the model has been simulated.
---@param part sarrus.Part
---@return sarrus.Model self
function Model:add(part)
  own(self, "add")
  if self.frozen then
    errors.raise(self.what .. ": add: the model has been simulated and does not change any more")
  end
  build.add(self, part)
  self.system = nil
  return self
end

--- Keep a warning, and let the script hear it.
function Model:warn(code, message, object)
  warnings.add(self.warned, code, self.what .. ": " .. message, object, 0)
end

--- What deserves attention but stops nothing.
---@return sarrus.Warning[]
function Model:warnings()
  own(self, "warnings")
  return self.warned.list
end

---@class sarrus.Start
---@field joints table<string, { angle?: number, rate?: number, length?: number, speed?: number }>?
---@field bodies table<string, table>? position, angle or orientation, velocity, spin by body
---@field parameters table<string, number>?
---@field t number?
---@field tolerance number? local error of a step, relative
---@field order integer? chosen if not given
---@field step number? fixed
---@field method "auto"|"series"|"stiff"? how steps are made; "stiff": implicit ones
---@field max_step number?
---@field max_steps integer?
---@field scale number? least magnitude that errors are compared with
---@field events sarrus.Event[]?
---@field controllers sarrus.Controller[]?

-- Simulating -------------------------------------------------------------------------------------

--- A simulation from the drawing, or from the start that is given.
---@param given? sarrus.Start
---@return sarrus.Sim? simulation
---@return string? message
---@return string? code
function Model:simulate(given)
  own(self, "simulate")
  self.frozen = true
  return mechanism.simulate(self, given or {})
end

--- The drawing, or the given start, moved to where all joints fit.
---@param given? sarrus.Start
---@return sarrus.ModelState? state
---@return table|string report of what moved, or the message
---@return string? code
---@return sarrus.ModelState? nearest configuration, where it could not be closed
function Model:assemble(given)
  own(self, "assemble")
  local started, message, code = mechanism.simulate(self, given or {})
  if not started then
    return nil, message, code, self.nearest
  end
  return started:state(), started:stats().assembly
end

--- Go on, bit for bit, from what `sim:save()` gave.
---@param record string
---@param given? { events?: sarrus.Event[], controllers?: sarrus.Controller[] }
---@return sarrus.Sim? simulation
---@return string? message
---@return string? code FORMAT or VERSION
function Model:restore(record, given)
  own(self, "restore")
  self.frozen = true
  return mechanism.restore(self, record, given)
end

--- The true mobility in the drawing: redundant constraints are counted out.
---@return integer? freedoms
---@return string? message
---@return string? code
function Model:freedoms()
  own(self, "freedoms")
  return mechanism.freedoms(self)
end

--- A stage of the pipeline as text.
---@param stage "model"|"equations"|"structure"|"tape"|"modes"
---@return string
function Model:explain(stage)
  own(self, "explain")
  if stage == "model" then
    return explain.model(self)
  elseif stage == "modes" then
    return explain.modes(self)
  end
  local stages = { "model", "equations", "structure", "tape", "modes" }
  fields.one_of(stages)(stage, "explain", function(message)
    errors.raise(self.what .. ": " .. message)
  end)
  return mechanism.system(self):explain(stage)
end

function Model:__tostring()
  local counts = {}
  for _, family in ipairs(families.all()) do
    local list = rawget(self, family.list) or {}
    if #list > 0 or not family.optional then
      counts[#counts + 1] = errors.count(#list, family.name, family.list)
    end
  end
  return self.what .. ": " .. table.concat(counts, ", ")
end

return model
