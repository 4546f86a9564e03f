--- Systems: the equations of motion themselves, as functions of coordinates and velocities.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local simulate = require "sarrus.sim.simulate"
local strict = require "sarrus.base.strict"
local subjects = require "sarrus.sim.subject"
local later = require "sarrus.base.later"
local coefficients = later "sarrus.system.coefficients"
local decomposition = later "sarrus.system.decomposition"
local failure = later "sarrus.sim.failure"
local laws = later "sarrus.system.law"
local modes = later "sarrus.system.modes"
local sensitivity = later "sarrus.sim.sensitivity"
local states = later "sarrus.sim.state"
local trace = later "sarrus.expr.trace"

---@class sarrus.System
---@field name string
---@field coordinates string[]
local System = subjects.class { __name = "sarrus.system" }

--- Let unknown fields of a class of systems raise.
local function closed(class)
  return strict(class, "a system", { "name", "coordinates" },
    { "naming", "model", "algebraic", "contact_readers", "coefficients" })
end
closed(System)

-- What a declaration may say ---------------------------------------------------------------------

local function names(value, path, fault)
  local list = simulate.names(value, path, fault)
  if list and #list == 0 then
    fault(path .. " is empty: a system has at least one coordinate")
  end
  return list
end

local declaration = {
  { "name", fields.string, default = "system" },
  { "coordinates", names, required = true },
  { "mass", fields.callable },
  { "lagrangian", fields.callable },
  { "force", fields.callable },
  { "constraints", fields.callable },
  { "velocity_constraints", fields.callable },
  { "contacts", later.call(laws, "list") },
}

-- Tracing ----------------------------------------------------------------------------------------

--- Call the declaration's functions with symbols; what they return, checked and flat.
local function trace_equations(what, checked)
  local n = #checked.coordinates
  local q = trace.symbols("q", checked.coordinates, "coordinate")
  local v = trace.symbols("v", checked.coordinates, "velocity")
  local t = expr.time
  local traced = {}
  if checked.mass then
    local rows = trace.matrix(what, "mass", trace.call(what, "mass", checked.mass, q, t), n)
    traced.mass = {}
    for i, row in ipairs(rows) do
      for j, entry in ipairs(row) do
        if entry ~= 0 then
          traced.mass[#traced.mass + 1] = { i, j, entry }
        end
      end
    end
  else
    local value = trace.call(what, "lagrangian", checked.lagrangian, q, v, t)
    traced.lagrangian = { trace.scalar(what, "lagrangian", value) }
  end
  if checked.force then
    traced.force = trace.vector(what, "force", trace.call(what, "force", checked.force, q, v, t), n)
  end
  if checked.constraints then
    local value = trace.call(what, "constraints", checked.constraints, q, t)
    traced.constraints = trace.vector(what, "constraints", value)
  end
  if checked.velocity_constraints then
    local value = trace.call(what, "velocity_constraints", checked.velocity_constraints, q, v, t)
    traced.velocity_constraints = trace.vector(what, "velocity_constraints", value)
  end
  for i, one in ipairs(checked.contacts or {}) do
    traced.contacts = traced.contacts or {}
    traced.contacts[i] = laws.trace(what, one, q, v, t)
  end
  return traced
end

local sections = { "mass", "lagrangian", "force", "constraints", "velocity_constraints", "locks",
  "shares" }

-- Those of which an entry is two indices and an expression.
local with_indices = { mass = true, shares = true }

--- Nodes of the expressions of all contacts, one after the other; false where there is none.
local function contact_nodes(graph, contacts)
  local list = {}
  for _, law in ipairs(contacts) do
    for _, e in ipairs(laws.expressions(law)) do
      list[#list + 1] = e ~= false and graph:nodes { e }[1] or false
    end
  end
  return list
end

--- Elements, as the core wants them.
local function element_nodes(graph, elements)
  local list = {}
  for _, element in ipairs(elements) do
    local nodes = graph:nodes { element.length, element.rate or 0, element.effort }
    list[#list + 1], list[#list + 2] = element.force, nodes[1]
    list[#list + 1], list[#list + 2] = element.rate and nodes[2] or false, nodes[3]
  end
  return list
end

--- Copy all equations into one graph; node lists by the same names, masses as the core wants
--- them.
local function nodes_of(graph, equations)
  local roots = {}
  for _, section in ipairs(sections) do
    for _, root in ipairs(equations[section] or {}) do
      roots[#roots + 1] = with_indices[section] and root[3] or root
    end
  end
  local nodes, lists, used = graph:nodes(roots), {}, 0
  for _, section in ipairs(sections) do
    local list = equations[section] and {}
    for i, root in ipairs(equations[section] or {}) do
      if with_indices[section] then
        list[#list + 1], list[#list + 2] = root[1], root[2]
      end
      list[#list + 1] = nodes[used + i]
    end
    used = used + #(equations[section] or {})
    lists[section] = list
  end
  lists.contacts = equations.contacts and contact_nodes(graph, equations.contacts)
  lists.forces = equations.forces or 0
  lists.elements = equations.elements and element_nodes(graph, equations.elements)
  return lists
end

-- Names and faults -------------------------------------------------------------------------------

--- What the core's symbols are called: q theta1, its rates theta1' and theta1'', lambda1 …
local function namer(system)
  local coordinates, parameters = system.coordinates, system.parameters
  return function(kind, index)
    if kind == "time" then
      return "t"
    elseif kind == "parameter" then
      return parameters[index + 1].name
    elseif kind == "lambda" then
      return "lambda" .. index + 1
    elseif kind == "u" then
      return "mode" .. index + 1
    end
    return coordinates[index + 1] .. (kind == "v" and "'" or kind == "a" and "''" or "")
  end
end

--- The name of the core's row: a coordinate's motion, or a constraint.
function System:row_name(row)
  local n, constraints = #self.coordinates, self.constraint_count
  if not row then
    return "one equation"
  elseif row <= n then
    return "the equation of motion of " .. self.coordinates[row]
  elseif row <= n + constraints then
    return "constraint " .. row - n
  end
  local own = laws.of_row(self, row - n)
  return own and ("contact %q"):format(own.name) or "velocity constraint " .. row - n - constraints
end

--- How messages name a contact.
function System:contact_name(index)
  local law = index and self.contacts[index]
  return law and ("contact %q"):format(law.name) or "a contact"
end

--- Compile faults are misuse.
local function raise_compile_fault(what, where, names_of, failed, equations)
  local code, row, column = failed.code, failed.row, failed.column
  local own = code == "ARGUMENT" and row and laws.of_row(equations, row - #names_of)
  if own then
    errors.raise(("%s: contact %q: %s"):format(what, own.name, column
      and "slip must be affine in the velocities"
      or "gap may depend on coordinates and time, on nothing else"), where)
  elseif code == "ARGUMENT" and row and column and row <= #names_of then
    errors.raise(("%s: mass is not symmetric: entries [%d][%d] and [%d][%d] differ")
      :format(what, row, column, column, row), where)
  elseif code == "ARGUMENT" and row and not column then
    errors.raise(what .. ": constraints may depend on coordinates and time, "
      .. "velocity_constraints on velocities too, on nothing else", where)
  elseif code == "ARGUMENT" then
    errors.raise(what .. ": velocity_constraints must be affine in the velocities", where)
  end
  errors.raise(what .. ": " .. core.status_text(code), where)
end

-- Public -----------------------------------------------------------------------------------------

local system = {}

--- The graph of equations, as `of_equations` takes them, and lists of its nodes by their names.
---@param equations table
---@return sarrus.Graph
---@return table<string, integer[]>
function system.graph_of(equations)
  local graph = expr.graph()
  local lists = nodes_of(graph, equations)
  graph:nodes(equations.parameters or {})
  return graph, lists
end

--- A system from its equations.
---@param what string as messages name it, `system "robot"`
---@param name string
---@param coordinates string[]
---@param equations { mass?: { [1]: integer, [2]: integer, [3]: sarrus.Scalar }[], lagrangian?: sarrus.Scalar[], parameters?: sarrus.Expression[], force?: sarrus.Scalar[], constraints?: sarrus.Scalar[], velocity_constraints?: sarrus.Scalar[], contacts?: sarrus.ContactLaw[], locks?: sarrus.Scalar[], forces?: integer, shares?: { [1]: integer, [2]: integer, [3]: sarrus.Scalar }[], elements?: sarrus.Element[] }
---@param where? string of the declaration
---@return sarrus.System
function system.of_equations(what, name, coordinates, equations, where)
  local graph, lists = system.graph_of(equations)
  lists.coordinates, lists.parameters = #coordinates, #graph.parameters
  local compiled, failed = core.system(graph.core, lists)
  if not compiled then
    raise_compile_fault(what, where, coordinates, failed, equations)
  end
  local self = setmetatable({
    name = name,
    what = what,
    coordinates = coordinates,
    parameters = graph.parameters,
    constraints = equations.constraints or {},
    velocity_constraints = equations.velocity_constraints or {},
    contacts = equations.contacts or {},
    constraint_count = lists.constraints and #lists.constraints or 0,
    velocity_constraint_count = lists.velocity_constraints and #lists.velocity_constraints or 0,
    compiled = compiled,
  }, System)
  self.namer = namer(self)
  return self
end

--- A system of equations: M v' = f - G^T lambda, g = 0, in the coordinates that are named.
---@param given { name?: string, coordinates: string[], mass?: function, lagrangian?: function, force?: function, constraints?: function, velocity_constraints?: function, contacts?: table[] }
---@return sarrus.System
function system.new(given)
  local where = errors.where()
  local what = "system"
  if type(given) == "table" and type(given.name) == "string" then
    what = ("system %q"):format(given.name)
  end
  local checked = fields.check(declaration, given, what, where)
  if (checked.mass == nil) == (checked.lagrangian == nil) then
    errors.raise(what .. ": give either mass or lagrangian", where)
  end
  local equations = trace_equations(what, checked)
  return system.of_equations(what, checked.name, checked.coordinates, equations, where)
end

--- A kind for fields: numbers by position or by the coordinate's name.
---@param default? number for those that are not given
function System:coordinate_list(default)
  return simulate.variables(self.coordinates, "coordinate", default)
end

--- A kind for fields: a finite number that is not negative.
local function not_negative(value, path, fault)
  local number = fields.number(value, path, fault)
  if number and number < 0 then
    fault(path .. ": " .. errors.show(number) .. " is negative")
  end
  return number
end

--- The solution about one point as power series, without stepping: q to t^order, v to
--- t^(order - 1), lambda to t^(order - 2), all at least to t^0.  The point meets the constraints to
--- `tolerance`, relative to what they are made of.
---@param given { q: number[], v: number[], order: integer, t?: number, tolerance?: number, parameters?: table<string, number> }
---@return sarrus.Decomposition? solution
---@return string? message
---@return string? code SINGULAR, INCONSISTENT or NONFINITE
function System:decompose(given)
  errors.check_self(self, System, "decompose", "system")
  local checked = fields.check({
    { "q", self:coordinate_list(), required = true },
    { "v", self:coordinate_list(), required = true },
    { "order", fields.integer(0, core.max_expansion), required = true },
    { "t", fields.number, default = 0 },
    { "tolerance", not_negative, default = 1e-9 },
    { "parameters", simulate.parameter_values(self.parameters) },
  }, given, self.what .. ": decompose")
  local parameters = simulate.values_of(self.parameters, checked.parameters)
  local q, v, lambda = self.compiled:expand(checked.order, checked.t, checked.q, checked.v,
    parameters, checked.tolerance)
  if not q then
    return failure.answer(self, v)
  end
  return decomposition.new(self, q, v, lambda)
end

-- Simulating -------------------------------------------------------------------------------------

--- The fields of a start.
function System:start_fields()
  return {
    { "q", self:coordinate_list(), required = true },
    { "v", self:coordinate_list(0) },
  }
end

--- A simulation that starts from positions q and velocities v.
---@param given { q: number[], v?: number[], tolerance?: number, order?: integer, step?: number, max_step?: number, max_steps?: integer, method?: "auto"|"series"|"stiff", scale?: number, t?: number, events?: sarrus.Event[], controllers?: sarrus.Controller[], parameters?: table<string, number>, sensitivity?: string[] }
---@return sarrus.Sim? simulation
---@return string? message
---@return string? code INCONSISTENT, SINGULAR or NONFINITE
function System:simulate(given)
  errors.check_self(self, System, "simulate", "system")
  return self:started(given)
end

function System:started(given, apart)
  local checked = simulate.check(self, given)
  checked.apart = apart
  checked.v = checked.v or simulate.zeros(#self.coordinates)
  local refused = #self.contacts > 0
    and coefficients.refusal(self, checked.parameters or {}, checked.t)
  if refused then
    return nil, self.what .. ": " .. refused, "INCONSISTENT"
  end
  return simulate.run(self, checked)
end

System.refuses = later.call(coefficients, "refuse")

--- A coordinate or velocity of the start, "start.q.theta1", changes alone.
function System:start_tangent(_, _, name, tangent)
  local known = {}
  for _, list in ipairs { "q", "v" } do
    for i, coordinate in ipairs(self.coordinates) do
      known[#known + 1] = ("start.%s.%s"):format(list, coordinate)
      if known[#known] == name then
        tangent[list] = simulate.zeros(#self.coordinates)
        tangent[list][i] = 1
        return true
      end
    end
  end
  if not tangent.parameter then
    sensitivity.unknown(self, name, known)
  end
  return true
end

--- The impulse on each coordinate, from what a script gave to `sim:impulse`.
---@param impulses table<string|integer, number>
---@return number[]
function System:impulse_list(_, impulses)
  local faults = {}
  local list = self:coordinate_list(0)(impulses, "impulse", function(message)
    faults[#faults + 1] = message
  end)
  if #faults > 0 then
    errors.raise(faults[1])
  end
  return list
end

--- An empty state, for the simulation to fill.
---@return sarrus.State
function System:new_state()
  self.naming = self.naming or states.naming(self.coordinates)
  return states.new(self.naming, #self.contacts > 0 and self or nil)
end

--- Whether a state is one of this system: its lists are read by the same names.
function System:has_made(s)
  return getmetatable(rawget(s, "q")) == self.naming
end

--- Symbols for the state in events: everything in the core's terms.
function System:symbols()
  local multipliers = {}
  for i = 1, self.constraint_count + self.velocity_constraint_count do
    multipliers[i] = "lambda" .. i
  end
  return states.symbols {
    system = #self.contacts > 0 and self or nil,
    symbolic = true,
    t = expr.time,
    q = trace.symbols("q", self.coordinates, "coordinate"),
    v = trace.symbols("v", self.coordinates, "velocity"),
    a = trace.symbols("a", self.coordinates, "acceleration"),
    lambda = trace.symbols("lambda", multipliers, "multiplier"),
  }
end

-- Contacts ---------------------------------------------------------------------------------------

--- Which laws a contact's name stands for; raises where there is none.
---@param what string who asks
---@param name any
---@return integer[]
function System:contact_indices(what, name)
  local known = {}
  for i, law in ipairs(self.contacts) do
    if law.name == name then
      return { i }
    end
    known[i] = law.name
  end
  errors.raise(what .. ": " .. errors.unknown("contact", name, known))
end

--- How to let a contact go, or to engage it.
---@param method string of the simulation that was called
---@param name any
---@return fun(object: userdata, released: boolean): true?, sarrus.Failure?
function System:releaser(method, name)
  local indices = self:contact_indices(method, name)
  return function(object, released)
    return object:release({}, indices, released)
  end
end

--- The multipliers of a contact, from 1: behind all constraints, in the order of law.multipliers.
---@param index integer
---@return { gap: integer?, slip: integer? }
function System:contact_multipliers(index)
  return laws.multipliers(self.contacts, index,
    self.constraint_count + self.velocity_constraint_count)
end

--- What a contact does at a state, or as expressions in events.
---@return sarrus.ContactReading
function System:read_contact(s, name)
  local i = self:contact_indices("contact", name)[1]
  return laws.read(self, s, i)
end

--- Go on, bit for bit, from what `sim:save()` gave.
---@param record string
---@param given? { events?: sarrus.Event[], controllers?: sarrus.Controller[], sensitivity?: string[] }
---@return sarrus.Sim? simulation
---@return string? message
---@return string? code FORMAT or VERSION
function System:restore(record, given)
  errors.check_self(self, System, "restore", "system")
  return simulate.restore(self, record, given)
end

--- A stage of the pipeline as text.
---@param stage "equations"|"tape"|"structure"
---@return string
function System:explain(stage)
  return simulate.explain(self, stage)
end

--- What touches, slips and sticks in a simulation, now.
---@return string
function System:modes_text(sim)
  return modes.text(sim)
end

function System:__tostring()
  return ("%s: %s, %s"):format(self.what, errors.count(#self.coordinates, "coordinate"),
    errors.count(self.constraint_count + self.velocity_constraint_count, "constraint"))
end

--- A class of systems that has methods in the place of the usual ones.
---@param methods table
---@return table class
---@return sarrus.System usual methods
function system.class(methods)
  for name, value in pairs(System) do
    methods[name] = methods[name] or value
  end
  return closed(methods), System
end

return system
