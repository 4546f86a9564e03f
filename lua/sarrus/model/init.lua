--- Models: bodies, joints and forces, checked, and turned into a system of equations.

local build = require "sarrus.model.build"
local errors = require "sarrus.base.errors"
local families = require "sarrus.model.part.family"
local fields = require "sarrus.base.fields"
local later = require "sarrus.base.later"
local mechanism = require "sarrus.model.mechanism"
local strict = require "sarrus.base.strict"
local warnings = require "sarrus.base.warnings"
local explain = later "sarrus.model.explain"
local export = later "sarrus.output.export"
local reach = later "sarrus.model.reach"
local steady = later "sarrus.steady"

---@class sarrus.Model
---@field name string
local Model = strict({ __name = "sarrus.model" }, "a model", { "name" },
  { "frozen", "system", "nearest", "dimension", "gravity", "equations", "observers", "measured" })

local model = {}

local function own(self, name)
  errors.check_self(self, Model, name, "model")
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
---@field sensitivity string[]? parameters and starting values by which states tell derivatives

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

---@class sarrus.Target
---@field [1] string the body
---@field point number[]? of the body, in its axes; default its centre of mass
---@field position number[]? where the point is to be
---@field orientation any? of the body: as a body's orientation; in the plane an angle

---@class sarrus.ReachReport
---@field joints table<string, { angle?: number, length?: number }> as a start takes them
---@field off number largest distance that is left, in m
---@field turned number largest angle that is left, in rad
---@field limits string[] joints at their limits that stand in the way
---@field iterations integer of all attempts
---@field attempts integer from how many starts it was tried

--- Inverse kinematics: a state at rest in which points of bodies are at places and bodies turned as
--- wanted, loops closed and joints within their limits.
---@param given { targets: sarrus.Target[], at?: sarrus.ModelState, joints?: table, bodies?: table, parameters?: table<string, number>, t?: number }
---@return sarrus.ModelState? state
---@return sarrus.ReachReport|string report, or the message
---@return string? code INCONSISTENT where a target is out of reach
---@return sarrus.ModelState? nearest state that was found
---@return sarrus.ReachReport? report of it
function Model:reach(given)
  own(self, "reach")
  self.frozen = true
  mechanism.system(self)
  return reach.solve(self, given)
end

--- Go on, bit for bit, from what `sim:save()` gave.
---@param record string
---@param given? { events?: sarrus.Event[], controllers?: sarrus.Controller[], sensitivity?: string[] }
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

-- Analyses ---------------------------------------------------------------------------------------

local function analysis(name)
  return function(self, given)
    own(self, name)
    self.frozen = true
    return steady[name](self, given)
  end
end

--- Where the model, at rest, stays so: from the start downhill to what is near.  Contacts, limits
--- and dry friction are left aside; where one would be in the way, that is a failure.
---@type fun(self: sarrus.Model, given?: sarrus.Start): sarrus.ModelState?, sarrus.Equilibrium|string, string?
Model.equilibrium = analysis "equilibrium"

--- The linear model x' = A x + B u, y = C x + D u about a state, at rest or moving steadily: the
--- states are independent joint coordinates and coordinates of free bodies, and rates.
---@type fun(self: sarrus.Model, given?: { at?: sarrus.ModelState|sarrus.Start, inputs?: (string|sarrus.Expression)[], outputs?: string[] }): sarrus.Linear?, string?, string?
Model.linearise = analysis "linearise"

--- The motions about an equilibrium (default: the one that is found from the drawing), or about a
--- steady motion, of which every small one is a sum: by frequency.
---@type fun(self: sarrus.Model, given?: { at?: sarrus.ModelState|sarrus.Start }): sarrus.Modes?, string?, string?
Model.modes = analysis "modes"

--- Write the model to a file that the C library loads (`sarrus_model_load`) and runs without Lua,
--- with the same bits: equations, names, what is needed to draw it, and the start that is given.
---@param path string
---@param given? sarrus.Start without events and controllers, which stay in the script
---@return true? done
---@return string? message
---@return string? code IO, or why it cannot be started
function Model:export(path, given)
  own(self, "export")
  self.frozen = true
  return export(self, path, given or {})
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
