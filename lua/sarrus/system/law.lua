--- Laws of contact: one-sided conditions gap >= 0 with dry friction (T45), of systems and of
--- models.

local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local functions = require "sarrus.expr.functions".public
local results = require "sarrus.base.result"
local trace = require "sarrus.expr.trace"

---@class sarrus.ContactLaw what the core wants of a contact: expressions, or nil where there is none
---@field name string
---@field gap sarrus.Scalar?
---@field slip sarrus.Scalar[] velocities along the surface: none, one in the plane, two in space
---@field friction sarrus.Scalar?
---@field static_friction sarrus.Scalar?
---@field restitution sarrus.Scalar?
---@field load sarrus.Scalar[]? what presses a bearing: its length, times these, adds to the bounds
---@field load_friction sarrus.Scalar?
---@field load_static sarrus.Scalar?
---@field bound sarrus.Scalar? positive only where the gap is, and cheaper: T49

local law = {}

-- Kinds of fields --------------------------------------------------------------------------------

--- A number of at least 0, or an expression of parameters.
local function coefficient(most)
  return function(value, path, fault)
    if expr.is(value) then
      return value
    end
    local x = fields.number(value, path, fault)
    if x and (x < 0 or x > most) then
      return fault(("%s = %s; must be %s"):format(path, errors.show(x),
        most < math.huge and ("from 0 to %d"):format(most) or "0 or positive"))
    end
    return x
  end
end

local one_coefficient = coefficient(math.huge)
law.restitution = coefficient(1)

--- A coefficient, or { static =, sliding = }.
function law.friction(value, path, fault)
  if type(value) ~= "table" or expr.is(value) then
    local x = one_coefficient(value, path, fault)
    return x and { sliding = x }
  end
  local both = fields.record {
    { "static", one_coefficient, required = true },
    { "sliding", one_coefficient, required = true, also = { "kinetic", "dynamic" } },
  }(value, path, fault)
  if both and type(both.static) == "number" and type(both.sliding) == "number"
    and both.static < both.sliding then
    return fault(("%s: static = %s is below sliding = %s"):format(path, errors.show(both.static),
      errors.show(both.sliding)))
  end
  return both
end

law.fields = {
  friction = { "friction", law.friction, also = { "mu" } },
  restitution = { "restitution", law.restitution, also = { "e", "bounce", "elasticity" } },
}

local specification = {
  { 1, fields.string },
  { "name", fields.string },
  { "gap", fields.callable, required = true },
  { "slip", fields.callable },
  law.fields.friction, law.fields.restitution,
}

--- A kind for fields: a list of contacts, whose names differ.
function law.list(value, path, fault)
  local list = fields.list(function(one, at, wrong)
    return fields.record(specification)(one, at, wrong)
  end)(value, path, fault)
  local seen = {}
  for i, one in ipairs(list or {}) do
    one.name = one.name or one[1]
    if not one.name then
      fault(('%s[%d]: the name is missing: it stands first, { "name", gap = … }'):format(path, i))
    elseif seen[one.name] then
      fault(("%s[%d]: the name %s is taken"):format(path, i, errors.show(one.name)))
    elseif one.friction and not one.slip then
      fault(("%s[%d]: friction needs slip, the velocity along the surface"):format(path, i))
    end
    seen[one.name or i] = true
  end
  return list
end

-- Tracing ----------------------------------------------------------------------------------------

--- What a function of slips gave: one expression, or a list of one or two.
function law.slips(what, value)
  if type(value) ~= "table" or expr.is(value) then
    return { trace.scalar(what, "slip", value) }
  end
  local list = trace.vector(what, "slip", value)
  if #list > 2 then
    errors.raise(("%s: slip: %d velocities, want one in the plane or two in space"):format(what,
      #list))
  end
  return list
end

--- The law of a contact, its functions called with symbols.
---@return sarrus.ContactLaw
function law.trace(what, given, q, v, t)
  what = ("%s: contact %q"):format(what, given.name)
  local friction = given.friction or {}
  return {
    name = given.name,
    gap = trace.scalar(what, "gap", trace.call(what, "gap", given.gap, q, t)),
    slip = given.slip and law.slips(what, trace.call(what, "slip", given.slip, q, v, t)) or {},
    friction = friction.sliding, static_friction = friction.static,
    restitution = given.restitution,
  }
end

--- The expressions of a law in the order of the core, false where there is none.
---@param own sarrus.ContactLaw
function law.expressions(own)
  local load = own.load or {}
  return { own.gap or false, own.slip[1] or false, own.slip[2] or false, own.friction or false,
    own.static_friction or false, own.restitution or false, load[1] or false, load[2] or false,
    load[3] or false, own.load_friction or false, own.load_static or false, own.bound or false }
end

--- How many slips have rows: without friction none.
---@param own sarrus.ContactLaw
---@return integer
function law.slip_count(own)
  local rough = own.friction or own.static_friction or own.load_friction or own.load_static
  return rough and #own.slip or 0
end

-- Readings ---------------------------------------------------------------------------------------

-- The core's modes of a contact: a fixed direction (two), whether it is free, whether a bearing has
-- no friction of its load, whether it has no load, the number of the mode.
law.MODES = 6

local modes = { [0] = "open", "slip", "stick" }

--- The name of a mode, from its number in the core.
---@param number number
---@return "open"|"slip"|"stick"
function law.mode(number)
  return modes[number]
end

--- The number of a contact's mode, as a symbol, and in the core's list of modes.
---@param index integer of the contact, from 1
function law.mode_symbol(index)
  return expr.symbol("u", law.MODES * index - 1, "mode" .. index)
end

---@param list number[]
---@param index integer
---@return number
function law.mode_number(list, index)
  return list[law.MODES * index]
end

--- The mode of a contact, from the core's list of modes.
---@param list number[]
---@param index integer of the contact, from 1
---@return "open"|"slip"|"stick"
function law.mode_at(list, index)
  return modes[list[law.MODES * index]]
end

--- The bound of a bearing, or the coefficient: the load adds its length, 0 where there is none.
local function bound_of(own, bound, by_load, unloaded)
  if not own.load then
    return bound or 0
  end
  local square = 0
  for _, force in ipairs(own.load) do
    square = square + force ^ 2
  end
  local size = (1 - unloaded) * functions.sqrt((1 - unloaded) * square + unloaded)
  return (bound or 0) + (by_load or 0) * size
end

--- What a contact exerts, as expressions of the state: N, and the forces along its slips.
---@param own sarrus.ContactLaw
---@param index integer of the contact, from 1
---@param rows { gap: integer?, slip: integer? } multipliers, from 1
function law.forces(own, index, multipliers)
  local function lambda(i)
    return expr.symbol("lambda", i - 1, "lambda" .. i)
  end
  local function mode(which)
    return expr.symbol("u", law.MODES * (index - 1) + which, "mode" .. which)
  end
  local normal = multipliers.gap and -lambda(multipliers.gap) or 0
  local pressed = multipliers.gap and normal or 1
  local bound = bound_of(own, own.friction, own.load_friction, mode(3)) * pressed
  local friction = {}
  for k, slip in ipairs(multipliers.slip and own.slip or {}) do
    local along = mode(k - 1)
    if #own.slip == 2 then
      local square, free = own.slip[1] ^ 2 + own.slip[2] ^ 2, mode(2)
      along = along + free * slip / functions.sqrt(square + (1 - free))
    end
    friction[k] = -lambda(multipliers.slip + k - 1) - bound * along
    if #own.slip == 1 and (own.static_friction or own.load_static) then -- tied at its static bound
      local still = bound_of(own, own.static_friction, own.load_static, mode(3)) * pressed
      friction[k] = friction[k] - still * mode(1)
    end
  end
  return normal, friction
end

--- The multipliers of a contact, from 1, behind `before` others: those of slips without a gap,
--- those of gaps, those of the other slips.
---@param list sarrus.ContactLaw[]
---@param index integer
---@param before integer
---@return { gap: integer?, slip: integer? }
function law.multipliers(list, index, before)
  local alone, gaps, slips, gap, slip = 0, 0, 0, nil, nil
  for i, one in ipairs(list) do
    local own = law.slip_count(one)
    if i == index then
      gap, slip = one.gap and gaps + 1, own > 0 and (one.gap and slips or alone) + 1 or nil
    end
    if one.gap then
      gaps, slips = gaps + 1, slips + own
    else
      alone = alone + own
    end
  end
  local first = list[index].gap and before + alone + gaps or before
  return { gap = gap and before + alone + gap, slip = slip and first + slip }
end

---@class sarrus.ContactReading
---@field mode "open"|"slip"|"stick"
---@field gap number
---@field force sarrus.Vector? on B, of models
---@field normal_force number
---@field friction_force number
---@field impulse number along the gap, of the impact at this instant
---@field unique boolean
---@field points table[]? of models

law.reading = results.kind("a contact's reading", { "mode", "gap", "force", "normal_force",
  "friction_force", "impulse", "unique", "points" })

--- Whether multipliers are the same whatever redundant ones are: no direction in which these may
--- change has a part of theirs.
local function unique(null, first, count)
  for _, direction in ipairs(null) do
    local largest = 0
    for _, x in ipairs(direction) do
      largest = math.max(largest, math.abs(x))
    end
    for i = first or 1, (first or 1) + count - 1 do
      if math.abs(direction[i] or 0) >= 1e-9 * largest then
        return false
      end
    end
  end
  return true
end

--- The size of a friction force; one along a line has no corner where it vanishes.
local function size_of(friction)
  return #friction > 1 and functions.sqrt(friction[1] ^ 2 + friction[2] ^ 2)
    or functions.abs(friction[1] or 0)
end

--- What a contact of a system does: numbers at a state, expressions in events and channels.
---@return sarrus.ContactReading
function law.read(system, s, index)
  local own, multipliers = system.contacts[index], system:contact_multipliers(index)
  local normal, friction = law.forces(own, index, multipliers)
  if s.symbolic then
    return law.reading {
      gap = own.gap, normal_force = normal, friction_force = size_of(friction),
      mode = law.mode_symbol(index),
    }
  end
  system.contact_readers = system.contact_readers or {}
  local list = { own.gap or 0, normal, friction[1] or 0, friction[2] or 0 }
  local evaluate = system.contact_readers[index] or evaluator(list)
  system.contact_readers[index] = evaluate
  local x = evaluate(s.t, s.q, s.v, s.a, s.lambda, s.parameters, s.modes)
  local mode = law.mode_at(s.modes, index)
  local touches = mode ~= "open"
  return law.reading {
    mode = mode, gap = x[1], unique = unique(s.null, multipliers.gap, 1)
      and unique(s.null, multipliers.slip, multipliers.slip and #own.slip or 0),
    normal_force = touches and x[2] or 0,
    friction_force = touches and math.sqrt(x[3] ^ 2 + x[4] ^ 2) or 0,
    impulse = s.impulses[index][1] or 0,
  }
end

--- The contact to which a row of constraints belongs, if it is one's, and its number.
function law.of_row(equations, row)
  local list = equations.contacts or {}
  local before = #(equations.constraints or {}) + #(equations.velocity_constraints or {})
  for i, own in ipairs(list) do
    local multipliers = law.multipliers(list, i, before)
    local slip = multipliers.slip and row - multipliers.slip
    if multipliers.gap == row or slip and slip >= 0 and slip < law.slip_count(own) then
      return own, i
    end
  end
end

return law
