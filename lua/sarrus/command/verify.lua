--- `sarrus verify`: how many digits of a run are right.

local channel = require "sarrus.output.channel"
local options = require "sarrus.command.options"
local script = require "sarrus.command.script"
local simulation = require "sarrus.command.simulation"
local verified = require "sarrus.verify"

local verify = {
  summary = "tell how many digits of a run are right, and what the weakest depend on",
  usage = "sarrus verify script.lua [options] [-- arguments of the script]",
  about = [[
Runs what the script returns at its tolerance, and again tighter, in another order and from a start
moved by rounding; compares them at the end, and the run with the equations between its steps.
Tells the digits that are right of each channel, relative to the largest that it has been, the
weakest channel with the reason, and the nearest singularity of the motion in complex time.]],
  words = 1,
  options = {
    { "until", "t", "run to this time [10 s from the start]", kind = options.number },
    { "tolerance", "x", "local error of a step [1e-12]", kind = options.tolerance },
    { "method", "m", "of steps: series, stiff, or auto, whichever is cheaper [auto]",
      kind = options.method },
    { "set", "name=value", "give a parameter another value; may be repeated",
      kind = options.assignment, list = true },
    { "channels", "a,b", "what is looked at, as J1.angle,C.force.x [coordinates and energy]; "
      .. "\\, is a comma", kind = options.words },
  },
  examples = {
    "sarrus verify robot.lua --until 10",
    "sarrus verify robot.lua --until 2 --channels J1.angle,J1.torque --tolerance 1e-9",
  },
}

local LENGTH = 10 -- seconds, where --until is not given

--- The channels when none are given; errors of constraints have no digits.
local function default_channels(sim)
  local labels = {}
  for _, label in ipairs(channel.default(sim)) do
    if not label:find("^residual%.") then
      labels[#labels + 1] = label
    end
  end
  return labels
end

local function rows_of(channels)
  local rows = {}
  for i, one in ipairs(channels) do
    local shown = ("%." .. math.max(1, one.digits) .. "g"):format(one.value)
    rows[i] = { one.name, ("%2d digits  %s"):format(one.digits, shown) }
  end
  return rows
end

local function summary(sim, t_end, found)
  local lines = {
    tostring(rawget(sim.system, "model") or sim.system),
    ("right at t = %.10g s:"):format(t_end),
    options.columns(rows_of(found.channels)),
    ("weakest: %s: %s"):format(found.weakest, found.reason),
  }
  if #sim:state().lambda > 0 then
    lines[#lines + 1] = ("between steps constraints are met to %.1e%s"):format(found.closed,
      found.multipliers and (", reactions to %.1e of the largest"):format(found.multipliers) or "")
  end
  local z = found.singularity
  if z then
    lines[#lines + 1] = ("nearest singularity in complex time: t = %.6g%s s"):format(z.real,
      z.imaginary > 0 and (" +- %.3gi"):format(z.imaginary) or "")
  end
  for _, name in ipairs(found.failed) do
    lines[#lines + 1] = ("the run that was to be %s did not come to the end"):format(name)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The script is run, and kept to be run again.
function verify.open(path, arguments, values)
  local subject, message, code, again = script.run(path, arguments)
  values.again = again
  return subject, message, code
end

--- What makes the simulation once more, by running the script again.
local function repeated(values)
  return values.again and function()
    local subject, message = values.again()
    if not subject then
      return nil, message
    end
    return simulation(subject, values)
  end
end

function verify.perform(subject, values)
  local sim, message, code = simulation(subject, values)
  if not sim then
    return code, message
  elseif not rawget(sim, "given") or sim:stats().steps > 0 then
    return 1, ("%s: the script returns a simulation that has run already, or was restored; return "
      .. "it at its start"):format(values[1])
  end
  local t_end = values["until"] or sim.time + LENGTH
  local labels = values.channels or default_channels(sim)
  local found
  found, message, code = verified.run(sim, labels, t_end, repeated(values))
  if not found and code == "usage" then
    return "usage", "--channels: " .. message
  elseif not found then
    return 1, ("%s [%s]"):format(message, code)
  end
  io.stdout:write(summary(sim, t_end, found))
  return 0
end

return verify
