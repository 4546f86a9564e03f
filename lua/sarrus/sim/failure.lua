--- Failures: one table from where something failed to what scripts are told, and its words.
---
--- The binding makes one where the core fails, sim/callback.lua and output/follow.lua where
--- callbacks or recordings do; all others pass it on as it is.  Rows, columns and nodes are the
--- core's.  The subject (subject.lua) knows their names; that of a model has words of its own for
--- some.

local core = require "sarrus.core"

---@class sarrus.Failure
---@field code string an upper-case word, such as "SINGULAR"
---@field t number? the time
---@field row integer? an equation: of coordinates, then constraints, then velocity constraints
---@field column integer? a variable: coordinates first, then multipliers or algebraic variables
---@field node integer? an expression of the system's graph
---@field contact integer? CONTACT: which one
---@field event integer? EVENT: which one; none where the motion sticks at a switch
---@field size number? how much: a condition, a violation, the last interval between zeros
---@field count integer? STEP: steps that were not enough; EVENT: zeros that come ever faster
---@field derivative integer? which derivative of a given point violates a constraint
---@field starts boolean? whether it is of a start, and what was given for that
---@field given table?
---@field what string? the callback, as messages name it
---@field reason string? what a callback or a recording says

local failure = {}

-- What scripts are told, by code, after the subject's name ---------------------------------------

---@type table<string, fun(subject: table, failed: sarrus.Failure, sim: sarrus.Sim?): string>
local words = {}

--- What is wrong with an event.
local function event_fault(failed)
  if failed.size > 0 then
    return ("has %d zeros that follow each other ever faster, the last after %.1e s; let the "
      .. "action bring things to rest below a threshold"):format(failed.count, failed.size)
  elseif failed.size == 0 then
    return "vanishes identically, or has too many zeros in one step"
  end
  return "is not finite, or outside of a function's domain"
end

function words.EVENT(subject, failed, sim)
  local event = failed.event and sim and sim.events[failed.event]
  if event then
    return ("event %q %s"):format(event.name, event_fault(failed))
  end
  return ("the motion sticks or chatters at a switch%s; smooth it, or use an event"):format(
    failed.node and " of " .. subject:expression(failed.node) or "")
end

--- Why steps came to an end, and which coordinate kept them small.
function words.STEP(subject, failed, sim)
  local kept = failed.column and ("; %s keeps them small"):format(
    subject:coordinate_name(failed.column)) or ""
  if failed.count > 0 then
    return ("%d steps were not enough%s; raise max_steps or the tolerance"):format(failed.count,
      kept)
  end
  local largest, resolution = sim.core:stats().largest, math.abs(failed.t) * 2.3e-16
  if resolution > 1e-6 * (largest > 0 and largest or 1) then
    return ("steps vanish beside the time itself, which a double knows only to %.1e s; count time "
      .. "from a later zero"):format(resolution)
  elseif failed.node then
    return ("the steps became too small%s: %s grows without bound there, or ends"):format(kept,
      subject:expression(failed.node))
  end
  return ("the steps became too small%s: does the motion blow up there, or is a spring or a gain "
    .. "very stiff?"):format(kept)
end

--- The friction of a contact, and the angle of its cone, if it is a number; "" where it has none.
local function friction_of(law)
  local friction = law.gap and law.friction or 0
  if friction == 0 then
    return ""
  elseif type(friction) ~= "number" then
    return ("; its friction is %s"):format(tostring(friction))
  end
  return ("; its friction of %s is a cone of %.3g degrees"):format(core.number(friction),
    math.deg(math.atan(friction)))
end

function words.CONTACT(subject, failed)
  local name = subject:touch_name(failed.contact)
  if failed.size > 0 then
    return ("%s penetrates by %.6g%s; move what touches apart%s"):format(name, failed.size,
      subject:penetration_words(failed))
  end
  if failed.count < 0 then
    return ("%s: going backwards, what was before cannot be told: it sticks, or an impact has lost "
      .. "energy"):format(name)
  elseif failed.count > 0 then
    return ("%s changes again and again at one instant: it jams or chatters"):format(name)
  end
  return ("no forces at %s, and at what touches besides, are possible, or several are%s"):format(
    name, friction_of(subject.contacts[failed.contact]))
end

--- What a law became in time; what it is by its parameters is checked where they get values.
function words.ARGUMENT(subject, failed)
  if not failed.contact then
    return "an argument is not acceptable"
  end
  return ("%s: friction must not be negative, and restitution be from 0 to 1"):format(
    subject:contact_name(failed.contact))
end

function words.CANCELLED()
  return "interrupted"
end

-- What the core's check of a point was about, by the derivative it checked.
local levels = { [0] = "positions", "velocities", "accelerations" }

function words.INCONSISTENT(subject, failed)
  if failed.contact then
    return words.CONTACT(subject, failed)
  end
  local row, level = subject:row_name(failed.row), levels[failed.derivative]
  if level then
    return ("the %s violate %s by %s"):format(level, row, core.number(failed.size))
  elseif failed.size == 0 then
    return ("%s cannot be met from here on: no position within reach does, as beyond a dead centre")
      :format(row)
  end
  return ("%s is violated by %s"):format(row, core.number(failed.size))
end

--- How singular a matrix is, if that is known.
---@param failed sarrus.Failure
---@return string
function failure.condition(failed)
  return failed.size < math.huge and (" (condition about %.0e)"):format(failed.size) or ""
end

function words.SINGULAR(subject, failed)
  return ("the matrix of the equations is singular%s: %s depends on "
    .. "the others; is a mass or a constraint missing, or the configuration singular?")
    :format(failure.condition(failed), subject:row_name(failed.row))
end

function words.NONFINITE(subject, failed)
  return failed.node and ("%s is not finite, or outside its domain, at the given point"):format(
    subject:expression(failed.node)) or core.status_text(failed.code)
end

--- The code of a failure: an argument that is none is the core's word for numbers of a law.
local function code_of(failed)
  return failed.code == "ARGUMENT" and failed.contact and "INCONSISTENT" or failed.code
end

-- Answers ----------------------------------------------------------------------------------------

--- A failure in words: those of the callback, else the subject's own, else those above.
local function text(subject, failed, sim)
  if failed.what then
    return ("%s at t = %s: %s"):format(failed.what, core.number(failed.t), failed.reason)
  elseif failed.reason then
    return failed.reason
  end
  local own = subject:words(failed, sim)
  local usual = words[failed.code]
  return own or usual and usual(subject, failed, sim) or core.status_text(failed.code)
end

--- What scripts are told of a failure at a point.
---@param subject table
---@param failed sarrus.Failure
---@return nil
---@return string message
---@return string code
function failure.answer(subject, failed)
  return nil, subject.what .. ": " .. text(subject, failed), code_of(failed)
end

--- What scripts are told where a simulation has failed.
---@param sim sarrus.Sim
---@param failed sarrus.Failure
---@return nil
---@return string message
---@return string code
function failure.of_sim(sim, failed)
  local message = sim.system.what .. ": " .. text(sim.system, failed, sim)
  if not failed.reason then
    message = message .. (" (t = %s)"):format(core.number(failed.t))
  end
  return nil, message, code_of(failed)
end

return failure
