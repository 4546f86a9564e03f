--- The system behind a model: compiled once, speaking of bodies and joints.

local assemble = require "sarrus.model.assemble"
local core = require "sarrus.core"
local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.errors"
local simulate = require "sarrus.simulate"
local states = require "sarrus.state"
local model_state = require "sarrus.model.state"
local systems = require "sarrus.system"
local vec = require "sarrus.vec"

local mechanism = {}

-- Names --------------------------------------------------------------------------------------------

--- The record of a constraint, by its number among all of them.
local function row_of(model, i)
  local rows = model.equations.rows
  return rows[i] or model.equations.velocity_rows[i - #rows]
end

local function owner_title(owner)
  return owner.what or owner.name
end

--- The core's row in words.
local function row_name(system, row)
  local model, n = system.model, #system.coordinates
  if row <= n then
    return "the motion of " .. system.coordinates[row]
  end
  local found = row_of(model, row - n)
  return ("%s (%s)"):format(owner_title(found.owner), found[2] or "equation")
end

-- Faults -------------------------------------------------------------------------------------------

local function inconsistent(system, row, size)
  local found = row_of(system.model, row - #system.coordinates)
  return ("%s: %s cannot be closed: %s is left of it (%s); are the lengths right, or is the drawing too "
    .. "far from a position that closes? model:assemble() answers the nearest configuration too")
    :format(system.what, owner_title(found.owner), core.number(size) .. (
      found[2]:find("rotation", 1, true) and "" or " m"), found[2])
end

local function singular(system, row, size)
  local n = #system.coordinates
  if row <= n then
    local name = system.coordinates[row]
    return ("%s: nothing gives %s of body %s an acceleration (condition about %.0e): is a mass or "
      .. "an inertia zero?"):format(system.what, errors.show(name:match("[^.]*$")),
      errors.show(name:match("^[^.]*")), size)
  end
  return ("%s: singular configuration (condition about %.0e) at %s; start a little beside it"):format(
    system.what, size, row_name(system, row))
end

local function nonfinite(system, node)
  local names, seen = {}, {}
  local model = system.model
  for _, list in ipairs { model.forces, model.joints } do
    for _, record in ipairs(list) do
      local given = record.given
      if given.from and given.to and not seen[record] then
        seen[record] = true
        names[#names + 1] = record.what
      end
    end
  end
  return ("%s: %s is not finite, or outside its domain%s"):format(system.what,
    system.compiled:print_expr(node, system.namer), #names > 0
    and "; do two points of " .. table.concat(names, " or ", 1, math.min(3, #names)) .. " coincide?" or "")
end

local function explain_fault(system, code, row, column, size, node)
  if code == "INCONSISTENT" and row > #system.coordinates then
    return inconsistent(system, row, size)
  elseif code == "SINGULAR" and row > 0 then
    return singular(system, row, size)
  elseif code == "NONFINITE" and node >= 0 then
    return nonfinite(system, node)
  end
  return simulate.explain_fault(system, code, row, column, size, node)
end

-- Redundancy ---------------------------------------------------------------------------------------

--- The multipliers that are not unique at present; nil if all are.
local function open_rows(_, sim)
  local dependent = sim.core:dependent()
  if #dependent == 0 then
    return nil
  end
  local open = {}
  for _, i in ipairs(sim.core.open and sim.core:open() or dependent) do
    open[i] = true
  end
  return open
end

--- Whether a joint has such a multiplier.
local function is_open(system, joint, open)
  local rows = #system.model.equations.rows
  for _, i in ipairs(joint.rows) do
    if open[i] then
      return true
    end
  end
  for _, i in ipairs(joint.velocity_rows or {}) do
    if open[rows + i] then
      return true
    end
  end
  return open[joint.motion_row or 0] or false
end

--- Joints with dependent rows, in order, each with what is redundant about it.
local function redundancies(system, dependent)
  local order, about = {}, {}
  for _, i in ipairs(dependent) do
    local row = row_of(system.model, i)
    if not about[row.owner] then
      about[row.owner] = {}
      order[#order + 1] = row.owner
    end
    table.insert(about[row.owner], row[2])
  end
  return order, about
end

--- What the start of a simulation deserves to be told about.
local function start_warnings(system, sim, warn)
  local model, stats = system.model, sim.core:stats()
  if stats.moved > 1e-9 * model.size then
    warn(sim, "moved", ("%s: the start was moved by up to %.3g to close the joints"):format(
      system.what, stats.moved))
  end
  local dependent = sim.core:dependent()
  local order, about = redundancies(system, dependent)
  local open, others = open_rows(system, sim), {}
  for _, joint in ipairs(open and model.joints or {}) do
    if is_open(system, joint, open) then
      others[#others + 1] = errors.show(joint.name)
    end
  end
  for _, owner in ipairs(order) do
    warn(sim, "redundant", ("%s: %s: redundant %s; the reactions of %s are not unique"):format(
      system.what, owner_title(owner), table.concat(about[owner], ", "),
      table.concat(others, ", ")), owner.name)
  end
end

-- Impulses -----------------------------------------------------------------------------------------

local function vector(value, dimension, name)
  if type(value) ~= "table" or #value ~= dimension then
    errors.raise(("impulse: %s: %s, want %d numbers"):format(name, errors.got(value), dimension))
  end
  return vec.new(value)
end

--- The impulse on each coordinate of a vector at a world point of a body (default its centre of mass).
local function impulse_list(system, sim, name, impulse, place)
  local list, model = simulate.zeros(#system.coordinates), system.model
  if type(name) == "table" then
    return systems.impulse_list(system, sim, name)
  end
  local s = sim:state()
  local center = s:point(name)
  local j = vector(impulse, model.dimension, "the impulse")
  local at = s.frames[name]
  local function add(i, x)
    list[i] = list[i] + x
  end
  at:push(add, j)
  if place ~= nil then
    at:twist(add, vec.cross(vector(place, model.dimension, "the point") - center, j))
  end
  return list
end

-- The system ---------------------------------------------------------------------------------------

local function size_of(model)
  local places = {}
  for _, body in ipairs(model.bodies) do
    places[#places + 1] = body.position
    for _, p in ipairs(body.ends or {}) do
      places[#places + 1] = p
    end
  end
  for _, joint in ipairs(model.joints) do
    local at = joint.given.at
    for _, p in ipairs { at and at.a or joint.given.from, at and at.b or joint.given.to } do
      places[#places + 1] = p
    end
  end
  return drawing.size(places)
end

--- The model's system, compiled at the first call.
---@param model sarrus.Model
---@return sarrus.System
function mechanism.system(model)
  if model.system then
    return model.system
  elseif not model.equations or #model.bodies == 0 then
    errors.raise(model.what .. ": there are no bodies in it")
  end
  local equations = model.equations
  local system = systems.of_equations(model.what, model.name, equations.names, equations:lists())
  local naming = states.naming(equations.names)
  local plain_symbols = system.symbols
  system.model = model
  system.row_name, system.explain_fault = row_name, explain_fault
  system.open_rows, system.is_open = open_rows, is_open
  system.start_warnings, system.impulse_list = start_warnings, impulse_list
  function system.new_state()
    return model_state.new(model, naming)
  end
  function system.symbols(self)
    return model_state.symbols(model, plain_symbols(self))
  end
  model.size = size_of(model)
  model.observers, model.holding = {}, {}
  model.system = system
  return system
end

--- A simulation from checked fields.
---@return sarrus.Sim?
---@return string? message
---@return string? code
function mechanism.simulate(model, checked, given)
  local system = mechanism.system(model)
  if given.scale == nil then
    checked.scale = math.min(1, model.size)
  end
  local q, v, code = assemble.start(model, checked)
  if not q then
    return nil, v, code
  end
  checked.q, checked.v = q, v
  return simulate.run(system, checked)
end

--- Mobility in the drawing.
function mechanism.freedoms(model)
  local sim, message, code = model:simulate {}
  if not sim then
    return nil, message, code
  end
  local equations = model.equations
  local rows = #equations.rows + #equations.velocity_rows - #sim.core:dependent()
  return #equations.names - rows
end

return mechanism
