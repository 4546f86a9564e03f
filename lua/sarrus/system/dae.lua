--- General semi-explicit DAEs in Hessenberg form: x' = f(x, y, t), 0 = g(x, y, t); the index is
--- found.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local later = require "sarrus.base.later"
local sensitivity = require "sarrus.sim.sensitivity"
local simulate = require "sarrus.sim.simulate"
local states = require "sarrus.sim.state"
local strict = require "sarrus.base.strict"
local subjects = require "sarrus.sim.subject"
local trace = require "sarrus.expr.trace"
local decomposition = later "sarrus.system.decomposition"
local failure = later "sarrus.sim.failure"
local modes = later "sarrus.system.modes"

---@class sarrus.Dae
---@field name string
---@field index integer the differentiation index, 0 to 3
local Dae = strict(subjects.class { __name = "sarrus.dae" }, "a dae", { "name", "index" },
  { "x_naming", "y_naming", "model", "constraint_count", "velocity_constraint_count" })

--- The name of the core's row.
function Dae:row_name(row)
  local n = #self.coordinates
  if not row then
    return "one equation"
  end
  return row <= n and "the equation of " .. self.coordinates[row] .. "'" or "constraint " .. row - n
end

--- An empty state, for the simulation to fill.
function Dae:new_state()
  self.x_naming = self.x_naming or states.naming(self.coordinates)
  self.y_naming = self.y_naming or states.naming(self.algebraic)
  return states.of_dae(self.x_naming, self.y_naming)
end

function Dae:has_made(s)
  return getmetatable(rawget(s, "x")) == self.x_naming
end

--- There are no masses.
function Dae:impulse_list()
  errors.raise("impulse: a general DAE has no masses: change what it depends on by parameters")
end

--- There are no contacts, and so no modes.
---@return string
function Dae:modes_text(sim)
  return modes.text(sim)
end

--- A differential variable of the start, "start.x.charge", changes alone.
function Dae:start_tangent(_, _, name, tangent)
  local known = {}
  for i, variable in ipairs(self.coordinates) do
    known[i] = "start.x." .. variable
    if known[i] == name then
      tangent.q = simulate.zeros(#self.coordinates)
      tangent.q[i] = 1
      return true
    end
  end
  if not tangent.parameter then
    sensitivity.unknown(self, name, known)
  end
  return true
end

--- The state that events see.
function Dae:symbols()
  return states.symbols {
    t = expr.time,
    x = trace.symbols("q", self.coordinates, "variable"),
    y = trace.symbols("lambda", self.algebraic, "variable"),
  }
end

local function namer(self)
  return function(kind, index)
    if kind == "time" then
      return "t"
    elseif kind == "parameter" then
      return self.parameters[index + 1].name
    elseif kind == "lambda" then
      return self.algebraic[index + 1]
    end
    return self.coordinates[index + 1] .. (kind == "v" and "'" or "")
  end
end

local function raise_structure(what, where, self, failed)
  local code, row, column = failed.code, failed.row, failed.column
  if code == "SINGULAR" then
    errors.raise(("%s: the structure is singular: nothing is left for %s to determine"):format(what,
      Dae.row_name(self, row)), where)
  elseif code == "LIMIT" and column then
    local names = self.coordinates
    local name = names[column] or self.algebraic[column - #names]
    errors.raise(("%s: not of Hessenberg form with index up to 3 (see %s)"):format(what, name),
      where)
  end
  errors.raise(what .. ": " .. core.status_text(code), where)
end

--- A general DAE.
---@param given { name?: string, differential: string[], algebraic?: string[], derivative: function, constraints?: function }
---@return sarrus.Dae
local function new(given)
  local where = errors.where()
  local what = "dae"
  if type(given) == "table" and type(given.name) == "string" then
    what = ("dae %q"):format(given.name)
  end
  local checked = fields.check({
    { "name", fields.string, default = "dae" },
    { "differential", simulate.names, required = true },
    { "algebraic", simulate.names, default = {} },
    { "derivative", fields.callable, required = true },
    { "constraints", fields.callable },
  }, given, what, where)
  for _, name in ipairs(checked.algebraic) do
    for _, other in ipairs(checked.differential) do
      if name == other then
        errors.raise(("%s: '%s' is both differential and algebraic"):format(what, name), where)
      end
    end
  end
  local x = trace.symbols("q", checked.differential, "variable")
  local y = trace.symbols("lambda", checked.algebraic, "variable")
  local n, m = #checked.differential, #checked.algebraic
  local derivative = trace.vector(what, "derivative",
    trace.call(what, "derivative", checked.derivative, x, y, expr.time), n)
  local constraints = checked.constraints and trace.vector(what, "constraints",
    trace.call(what, "constraints", checked.constraints, x, y, expr.time), m) or {}
  if #constraints ~= m then
    errors.raise(("%s: %s, but no constraints"):format(what,
      errors.count(m, "algebraic variable")), where)
  end
  local graph = expr.graph()
  local roots = {}
  for i = 1, n + m do
    roots[i] = derivative[i] or constraints[i - n]
  end
  local nodes, lists = graph:nodes(roots), { derivative = {}, constraints = {} }
  for i = 1, n + m do
    local list = i <= n and lists.derivative or lists.constraints
    list[#list + 1] = nodes[i]
  end
  lists.parameters = #graph.parameters
  local self = setmetatable({
    name = checked.name,
    what = what,
    coordinates = checked.differential,
    algebraic = checked.algebraic,
    parameters = graph.parameters,
  }, Dae)
  local compiled, index = core.dae(graph.core, lists)
  if not compiled then
    raise_structure(what, where, self, index)
  end
  self.compiled, self.index, self.namer = compiled, index, namer(self)
  return self
end

function Dae:start_fields()
  return {
    { "x", simulate.variables(self.coordinates, "variable"), required = true },
    { "y", simulate.variables(self.algebraic, "variable", 0) },
  }
end

--- The solution about one point as power series.
---@param given { x: number[], y?: number[], order: integer, t?: number, tolerance?: number, parameters?: table<string, number> }
---@return sarrus.Decomposition? solution with `x` and `y`
---@return string? message
---@return string? code
function Dae:decompose(given)
  errors.check_self(self, Dae, "decompose", "dae")
  local specification = self:start_fields()
  for _, field in ipairs {
    { "order", fields.integer(2, core.max_expansion), required = true },
    { "t", fields.number, default = 0 },
    { "tolerance", fields.number, default = 1e-9 },
    { "parameters", simulate.parameter_values(self.parameters) },
  } do
    specification[#specification + 1] = field
  end
  local checked = fields.check(specification, given, self.what .. ": decompose")
  local parameters = simulate.values_of(self.parameters, checked.parameters)
  local x, v, y = self.compiled:expand(checked.order, checked.t, checked.x,
    simulate.zeros(#self.coordinates), parameters, checked.tolerance, checked.y)
  if not x then
    return failure.answer(self, v)
  end
  return decomposition.of_dae(self, x, y)
end

--- A simulation that starts from x, with a guess y where equations are nonlinear in it.
---@param given { x: number[], y?: number[], tolerance?: number, method?: "auto"|"series"|"stiff" }
---@return sarrus.Sim? simulation
---@return string? message
---@return string? code
function Dae:simulate(given)
  errors.check_self(self, Dae, "simulate", "dae")
  return self:started(given)
end

function Dae:started(given, apart)
  local checked = simulate.check(self, given)
  checked.apart = apart
  checked.q, checked.v = checked.x, simulate.zeros(#self.coordinates)
  checked.guess = checked.y
  return simulate.run(self, checked)
end

--- Go on, bit for bit, from what `sim:save()` gave.
---@param record string
---@param given? { events?: sarrus.Event[], controllers?: sarrus.Controller[], sensitivity?: string[] }
---@return sarrus.Sim? simulation
---@return string? message
---@return string? code
function Dae:restore(record, given)
  errors.check_self(self, Dae, "restore", "dae")
  return simulate.restore(self, record, given)
end

--- A stage of the pipeline as text.
---@param stage "equations"|"tape"|"structure"
---@return string
function Dae:explain(stage)
  return simulate.explain(self, stage)
end

function Dae:__tostring()
  return ("%s: %d differential and %s, index %d"):format(self.what, #self.coordinates,
    errors.count(#self.algebraic, "algebraic variable"), self.index)
end

return new
