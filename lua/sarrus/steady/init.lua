--- Analyses of a model about a state: equilibria, linear models, modes.

local aside = require "sarrus.steady.aside"
local assemble = require "sarrus.model.start.assemble"
local channel = require "sarrus.output.channel"
local eigen = require "sarrus.steady.eigen"
local equilibrium = require "sarrus.steady.equilibrium"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local failure = require "sarrus.sim.failure"
local fields = require "sarrus.base.fields"
local linearise = require "sarrus.steady.linearise"
local modes = require "sarrus.steady.modes"
local point = require "sarrus.steady.point"
local quantities = require "sarrus.output.quantities"
local results = require "sarrus.base.result"
local stand = require "sarrus.steady.stand"
local vibration = require "sarrus.steady.vibration"

local steady = {}

--- What scripts are told where an analysis cannot be made.
local function refused(model, verb, message, code)
  if type(message) == "table" then
    return failure.answer(model.system, message)
  end
  return nil, ("%s: %s: %s"):format(model.what, verb, message), code
end

--- Eigenvalues as scripts get them.
local function values_of(list)
  local values = {}
  for i, pair in ipairs(list) do
    values[i] = { pair[1], pair[2], re = pair[1], im = pair[2] }
  end
  table.sort(values, function(a, b)
    if a.re ~= b.re then
      return a.re > b.re
    elseif math.abs(a.im) ~= math.abs(b.im) then
      return math.abs(a.im) < math.abs(b.im)
    end
    return a.im > b.im
  end)
  return values
end

-- Equilibria -------------------------------------------------------------------------------------

---@class sarrus.Equilibrium
---@field stable boolean whether nothing grows: no eigenvalue has a positive real part
---@field eigenvalues { re: number, im: number }[] of small motions about it, the largest `re` first
---@field neutral integer in how many directions it could stay elsewhere, too
---@field residual number the largest force that is left, relative to those that act
---@field steps integer that it took to get there
---@field moved number how far a body's centre is from the start at most, in m
---@field most string? the body that moved furthest
---@field bodies table<string, { moved: number, turned: number }> in m and rad

local new_report = results.kind("the report of an equilibrium",
  { "stable", "eigenvalues", "neutral", "residual", "steps", "moved", "most", "bodies" })

local function still(n)
  local list = {}
  for i = 1, n do
    list[i] = 0
  end
  return list
end

--- Why nothing is at rest at a start: a motion is prescribed; nil where that may be.
local function moved_by(sim, q)
  local model, start = point.frame(sim)
  local p, message, code = point.new(model, start, q, still(#q))
  if not p then
    return message, code
  end
  local most, of = 0, nil
  for _, body in ipairs(model.bodies) do
    for k = 1, body.count do
      local speed = math.abs(p.v[body.offset + k]) / start.scales[body.offset + k]
      if speed > most then
        most, of = speed, body.name
      end
    end
  end
  return most > 1e-9 and ("nothing can be at rest at t = %s: a prescribed motion moves %s"):format(
    errors.show(sim.time), errors.show(of)) or nil
end

local function report_of(model, found, from, s, list)
  local report = assemble.report(model, { q = from, v = s.v }, s, {})
  local neutral = 0
  for _, pair in ipairs(list) do
    neutral = neutral + (pair.neutral and not pair.again and 1 or 0)
  end
  return new_report {
    stable = vibration.stable(found, list), eigenvalues = values_of(list), neutral = neutral,
    residual = found.rest:residual(), steps = found.steps, moved = report.moved,
    most = report.most, bodies = report.bodies,
  }
end

--- Find an equilibrium; what is known of it, too.
local function find(model, verb, at)
  local sim, message, code = stand.at(model, verb, at)
  if not sim then
    return nil, message, code
  end
  local from = sim:state()
  local moved, why = moved_by(sim, from.q)
  if moved then
    return refused(model, verb, moved, why or "INCONSISTENT")
  end
  local view, start = point.frame(sim)
  local found
  found, message, code = equilibrium.find(view, start, from.q)
  if not found then
    return refused(model, verb, message, code)
  end
  local passed = aside.passed(found.rest.point)
  if passed then
    return refused(model, verb, passed, "CONTACT")
  end
  local list, failed = vibration.pairs(found)
  if not list then
    return refused(model, verb, failed)
  end
  sim, message, code = stand.moved(from, found.rest.point.q, still(#from.q))
  if not sim then
    return nil, message, code
  end
  aside.warn(model, verb)
  return { sim = sim, from = from, found = found, pairs = list, view = view }
end

--- `model:equilibrium`.
---@param model sarrus.Model
---@param given sarrus.Start?
---@return sarrus.ModelState?
---@return sarrus.Equilibrium|string
---@return string? code
function steady.equilibrium(model, given)
  local found, message, code = find(model, "equilibrium", given)
  if not found then
    return nil, message, code
  end
  local s = found.sim:state()
  local report = report_of(found.view, found.found, found.from.q, s, found.pairs)
  return s, report
end

-- Linear models ----------------------------------------------------------------------------------

---@class sarrus.Linear
---@field A number[][] rows: x' = A x + B u
---@field B number[][]
---@field C number[][] y = C x + D u
---@field D number[][]
---@field states string[] names of x: coordinates, then rates
---@field inputs string[] names of u, parameters
---@field outputs string[] names of y, channels
---@field eigenvalues { re: number, im: number }[] of A, the largest `re` first
---@field steady boolean whether the rates stay as they are at the state

local new_linear = results.kind("a linear model", { "A", "B", "C", "D", "states", "inputs",
  "outputs", "eigenvalues", "steady" })

local function parameter_names(model)
  local known = expr.known(model.system.parameters)
  return fields.list(function(given, path, fault)
    local value = expr.named(given)
    for _, name in ipairs(known) do
      if name == value then
        return value
      end
    end
    fault(path .. ": " .. errors.unknown("parameter", value, known))
  end)
end

local function check_outputs(model, outputs)
  for _, one in ipairs(outputs) do
    if not one.expression then
      errors.raise(("%s: linearise: outputs: %s is no expression of the state, so it has no "
        .. "derivative here"):format(model.what, one.label))
    end
  end
end

-- Accelerations that are rounding, relative to gravity and to those that turn what moves.
local STEADY = 1e-9

local function is_steady(p, acceleration)
  local scale = 0
  for i, a in ipairs(p.a) do
    scale = math.max(scale, math.abs(a) / p.start.scales[i] * p.model.size)
  end
  for _, x in ipairs(p.model.gravity or {}) do
    scale = math.max(scale, math.abs(x))
  end
  return acceleration <= STEADY * scale
end

--- The point at which a simulation stands, and where nothing touches.
local function open_point(model, verb, sim)
  local view, start = point.frame(sim)
  local s = sim:state()
  local p, message, code = point.new(view, start, s.q, s.v)
  if not p then
    return nil, message, code
  end
  local touching = aside.touching(p)
  if touching then
    return refused(model, verb, touching, "CONTACT")
  end
  aside.warn(model, verb)
  return p
end

--- `model:linearise`.
---@param model sarrus.Model
---@param given table?
---@return sarrus.Linear?
---@return string? message
---@return string? code
function steady.linearise(model, given)
  given = given or {}
  local what = model.what .. ": linearise"
  local at = type(given) == "table" and rawget(given, "at") or nil
  local sim, message, code = stand.at(model, "linearise", at)
  if not sim then
    return nil, message, code
  end
  local checked = fields.check({
    { "at", function(value) return value end },
    { "inputs", parameter_names(model), default = {} },
    { "outputs", channel.list(quantities.of(sim), {}), default = {} },
  }, given, what)
  check_outputs(model, checked.outputs)
  local p
  p, message, code = open_point(model, "linearise", sim)
  if not p then
    return nil, message, code
  end
  local linear, failed = linearise.at(p, checked.inputs, checked.outputs)
  if not linear then
    return refused(model, "linearise", failed)
  end
  local list
  list, message, code = eigen.pairs(linear.A)
  local steadily = is_steady(p, linear.acceleration)
  if not list then
    return refused(model, "linearise", message, code)
  end
  local outputs = {}
  for i, one in ipairs(checked.outputs) do
    outputs[i] = one.label
  end
  return new_linear {
    A = linear.A, B = linear.B, C = linear.C, D = linear.D, states = linear.states,
    inputs = checked.inputs, outputs = outputs, eigenvalues = values_of(list), steady = steadily,
  }
end

-- Modes ------------------------------------------------------------------------------------------

--- The modes of a model at rest, of equal frequencies in the order of the core.
local function modes_at_rest(found)
  local p = found.rest.point
  local basis, failed = linearise.basis(p)
  if not basis then
    return nil, failed
  end
  local list = {}
  for _, pair in ipairs(found.pairs) do
    if not pair.again then
      local d = { re = found.rest:displacement(pair.re), im = found.rest:displacement(pair.im) }
      local mode = modes.mode(pair, linearise.seen(p, basis, d), d)
      list[#list + 1] = mode
    end
  end
  return list
end

--- The modes of what moves steadily: of its linear model, without those in which only coordinates
--- on which nothing depends have other values.
local function modes_in_motion(p)
  local linear, failed = linearise.at(p, {}, {})
  if not linear then
    return nil, failed
  elseif not is_steady(p, linear.acceleration) then
    return nil, { code = "INCONSISTENT", reason = ("modes: it does not move steadily: %s changes "
      .. "by %.3g m/s^2; begin with model:equilibrium"):format(linear.whose, linear.acceleration) }
  end
  local pairs_list, message, code = eigen.pairs(linear.A)
  if not pairs_list then
    return nil, { code = code, reason = message }
  end
  local list = {}
  for _, pair in ipairs(pairs_list) do
    if pair[2] >= 0 and (pair[1] ~= 0 or pair[2] ~= 0) then
      local d = {
        re = linearise.displacement(p, linear, pair.re),
        im = linearise.displacement(p, linear, pair.im),
      }
      local mode = modes.mode(pair, linearise.seen(p, linear.basis, d), d)
      list[#list + 1] = mode
    end
  end
  return list
end

local function moves(p)
  for i, x in ipairs(p.v) do
    if math.abs(x) > 1e-12 * p.start.scales[i] then
      return true
    end
  end
  return false
end

--- Modes at the state of a simulation.
local function modes_at(model, sim)
  local p, message, code = open_point(model, "modes", sim)
  if not p then
    return nil, message, code
  end
  local list, failed
  if moves(p) then
    list, failed = modes_in_motion(p)
  else
    local found
    found, message, code = equilibrium.stay(p.model, p.start, p.q)
    if not found then
      return refused(model, "modes", message, code)
    end
    found.pairs, failed = vibration.pairs(found)
    if found.pairs then
      list, failed = modes_at_rest(found)
    end
  end
  if not list then
    return refused(model, "modes", failed)
  end
  return modes.new(sim:state(), list)
end

--- `model:modes`.
---@param model sarrus.Model
---@param given { at?: sarrus.ModelState|sarrus.Start }?
---@return sarrus.Modes?
---@return string? message
---@return string? code
function steady.modes(model, given)
  given = given or {}
  fields.check({ { "at", function(value) return value end } }, given, model.what .. ": modes")
  local sim, message, code
  if given.at == nil then
    local found
    found, message, code = find(model, "modes")
    if not found then
      return nil, message, code
    end
    sim = found.sim
  else
    sim, message, code = stand.at(model, "modes", given.at)
  end
  if not sim then
    return nil, message, code
  end
  return modes_at(model, sim)
end

return steady
