--- What went wrong with a model, in terms of its bodies and joints.

local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local later = require "sarrus.base.later"
local naming = require "sarrus.model.equations.naming"
local stop = require "sarrus.model.equations.stop"
local failure = later "sarrus.sim.failure"

local model_failure = {}

local sqrt = math.sqrt

-- Loops that do not close ------------------------------------------------------------------------

local units = { "m", "rad", "" } -- "": of equations that a script gave

--- The gap of each joint at a state, by unit, and its size in metres.
local function gaps(model, s)
  local list, owners = {}, {}
  for i, one in ipairs(model.equations.constraints) do
    list[i] = one.gap or one[1]
  end
  local x = evaluator(list)(s.t, s.q, s.v, nil, nil, s.parameters)
  for i, one in ipairs(model.equations.constraints) do
    local owner, unit = one.owner, one.unit or ""
    if not one.internal then
      if not owners[owner] then
        owners[owner] = { owner = owner, size = 0 }
        owners[#owners + 1] = owners[owner]
      end
      local gap, arm = owners[owner], unit == "m" and 1 or model.size
      gap[unit] = sqrt((gap[unit] or 0) ^ 2 + x[i] ^ 2)
      gap.size = sqrt(gap.size ^ 2 + (arm * x[i]) ^ 2)
    end
  end
  return owners
end

--- A joint's gap in words: `joint.revolute "C" by 0.1 m and 0.02 rad (0.06 m over 3 m)`.
local function gap_text(model, gap)
  local texts = {}
  for _, unit in ipairs(units) do
    local x, arm = gap[unit], unit == "m" and 1 or model.size
    if x and arm * x > 0.01 * gap.size then
      texts[#texts + 1] = (unit == "" and "%.6g" or unit == "m" and "%.6g m"
        or "%.6g rad (%.6g m over %.3g m)"):format(x, arm * x, arm)
    end
  end
  return naming.title(gap.owner) .. " by " .. table.concat(texts, " and ")
end

--- Joints that depend on each other, and what to do about it.
local function against_each_other(model, names)
  if #names == 0 then
    return ""
  end
  return ("; these work against each other: %s%s"):format(table.concat(names, ", "),
    model.dimension == 3 and " (if the loop is redundant, a gap across it cannot close: draw it "
    .. "away, or let one of them be spherical or cylindrical)" or "")
end

--- Which joints stay open at the nearest configuration, and by how much.
---@param fighting string[] joints whose equations depend on each other there
---@return string? message nil if all are closed
---@return string? fighting what then is to be said of these joints
function model_failure.unclosed(model, s, fighting)
  local largest, texts = 0, {}
  local list = gaps(model, s)
  for _, gap in ipairs(list) do
    largest = math.max(largest, gap.size)
  end
  for _, gap in ipairs(list) do
    if gap.size > 0.1 * largest and #texts < 5 then
      texts[#texts + 1] = gap_text(model, gap)
    end
  end
  if #texts == 0 then
    return nil, against_each_other(model, fighting)
  end
  return ("%s: the joints cannot be closed at t = %s; in the nearest configuration there stay open "
    .. "%s%s. Are the lengths right? If they are, start nearer to a position that closes: give "
    .. "`joints` or `bodies`, or draw it so. model:assemble returns the nearest configuration as "
    .. "its fourth value"):format(model.what, core.number(s.t), table.concat(texts, ", "),
    against_each_other(model, fighting))
end

-- Failures of the core ---------------------------------------------------------------------------

--- Bodies that lack mass or inertia, quoted.
local function weightless(model)
  local names = {}
  for _, body in ipairs(model.bodies) do
    local moment = type(body.inertia) == "table" and body.inertia[3][3] or body.inertia
    if body.mass == 0 or moment == 0 then
      names[#names + 1] = errors.show(body.name)
    end
  end
  return names
end

local function singular(system, failed, sim)
  local n, row = #system.coordinates, failed.row
  if not row then
    local names = weightless(sim and drawn.of_sim(system.model, sim) or system.model)
    return "the accelerations are not determined: " .. (#names > 0
      and "zero mass or inertia, carried by no neighbour, of " .. table.concat(names, ", ")
      or "the configuration is singular; start a little beside it")
  elseif row <= n then
    local _, name, freedom = system:coordinate_name(row)
    return ("nothing determines the acceleration of body %s in its freedom %s%s: is its mass "
      .. "or inertia zero?"):format(errors.show(name), errors.show(freedom),
      failure.condition(failed))
  end
  return ("singular configuration%s at %s; start a little beside it"):format(
    failure.condition(failed), system:row_name(row))
end

--- A start where joints depend on each other that do not elsewhere.
---@param names string[] of the joints
---@param moves boolean whether there is a configuration beside it
---@return string message
function model_failure.singular_start(model, names, moves)
  return ("%s: the start is a singular configuration (the condition is infinite): there the joints "
    .. "%s depend on each other, and %s; start a little beside it, with `joints` or `bodies`")
    :format(model.what, table.concat(names, ", "), moves
    and "the motion could go on in several ways" or "nothing near it closes"
    .. (model.dimension == 3 and " (are axes that should be parallel a little off?)" or ""))
end

--- The contacts whose points have no normal where a start is, as centres that coincide have none.
local function without_normal(model, given)
  local names = {}
  for _, contact in ipairs(given and model.contacts or {}) do
    local list = {}
    for _, one in ipairs(contact.laws) do
      for _, x in ipairs(one.touch.normal or {}) do
        list[#list + 1] = x
      end
    end
    local normals = #list > 0
      and evaluator(list)(given.t, given.q, given.v, nil, nil, given.parameters)
    for i = 1, #list do
      if normals[i] ~= normals[i] and names[#names] ~= contact.what then
        names[#names + 1] = contact.what
      end
    end
  end
  return names
end

local function nonfinite(system, failed)
  local names = without_normal(system.model, failed.given)
  if #names > 0 then
    return ("%s: the centres of two shapes coincide, so that there is no normal; move them apart")
      :format(table.concat(names, " and "))
  end
  for _, list in ipairs { system.model.forces, system.model.joints } do
    for _, record in ipairs(list) do
      if record.checked.from and #names < 3 then
        names[#names + 1] = record.what
      end
    end
  end
  return ("%s is not finite, or outside its domain%s"):format(system:expression(failed.node),
    #names > 0 and "; do the two points of " .. table.concat(names, " or ") .. " coincide?" or "")
end

--- A motion that a joint prescribes and the mechanism cannot follow: it jumps by the failure's
--- size, or leads out of reach.
local function motion_lost(joint, failed)
  if failed.size == 0 then
    return ("%s: its motion cannot be followed from here on: no position of the mechanism "
      .. "within reach meets it, as beyond a dead centre"):format(joint.what)
  elseif failed.derivative then
    return ("%s: its motion cannot be followed: its %s is off by %.6g %s/s%s"):format(joint.what,
      failed.derivative == 1 and "rate" or "acceleration", failed.size, joint.coordinate.unit,
      failed.derivative == 1 and "" or "^2")
  end
  return ("%s: its motion cannot be followed: it jumps by %.6g %s"):format(joint.what, failed.size,
    joint.coordinate.unit)
end

--- The unit in which what touches penetrates; at a start, a line or plane may be drawn the wrong
--- way round.
---@param system sarrus.System
---@param failed sarrus.Failure
---@return string unit
---@return string advice
function model_failure.penetration_words(system, failed)
  local law = system.contacts[failed.contact]
  local half = failed.starts and (naming.touch(law) or {}).half
  return " " .. law.unit, half and (", or turn the normal of %s round, if it points away"):format(
    errors.show(half)) or ""
end

--- What a joint is off by as things stand, in its own units; nil where it fits.
local function open_joint(model, joint, s)
  for _, gap in ipairs(gaps(model, s)) do
    if gap.owner == joint and gap.size > 1e-9 * model.size then
      return ("positions miss %s"):format(gap_text(model, gap))
    end
  end
end

--- What a model says of a failure; nil where that is what all systems say.
---@param system sarrus.System
---@param failed sarrus.Failure
---@param sim? sarrus.Sim
---@return string?
function model_failure.words(system, failed, sim)
  local i = failed.row and failed.row - #system.coordinates or 0
  local law = failed.contact and system.contacts[failed.contact] or {}
  local constraint = failed.code == "INCONSISTENT" and i > 0 and naming.constraint(system.model, i)
  if constraint and constraint.owner.motion_constraint == i then
    return motion_lost(constraint.owner, failed)
  elseif constraint and sim and not failed.starts and failed.size > 0 and not failed.derivative then
    return open_joint(drawn.of_sim(system.model, sim), constraint.owner, sim:state())
  elseif failed.code ~= "ARGUMENT" and law.side and failed.size > 0 then
    local message = stop.words(law, failed.size, failed.starts)
    return failed.starts and errors.raise(system.what .. ": " .. message) or message
  elseif failed.code == "SINGULAR" then
    return singular(system, failed, sim)
  elseif failed.code == "NONFINITE" and failed.node then
    return nonfinite(system, failed)
  end
end

return model_failure
