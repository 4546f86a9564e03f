--- `sarrus run`: simulate what a script returns.

local drive = require "sarrus.command.drive"
local errors = require "sarrus.base.errors"
local options = require "sarrus.command.options"
local output = require "sarrus.command.output"
local simulation = require "sarrus.command.simulation"
local warnings = require "sarrus.command.warnings"

local run = {
  summary = "simulate what a script returns",
  usage = "sarrus run script.lua [options] [-- arguments of the script]",
  about = [[
Runs the script, simulates the model that it returns, or goes on with the simulation, and tells
how it went.  Ctrl-C ends the run after the present step; files are then as complete as the run.]],
  words = 1,
  options = {
    { "until", "t", "simulate to this time [10 s from the start]", kind = options.number },
    { "tolerance", "x", "local error of a step [1e-12]", kind = options.tolerance },
    { "method", "m", "of steps: series, stiff, or auto, whichever is cheaper [auto]",
      kind = options.method },
    { "set", "name=value", "give a parameter another value; may be repeated",
      kind = options.assignment, list = true },
    { "csv", "file", "write a table as CSV; - is the standard output", kind = options.path },
    { "jsonl", "file", "write it as JSON Lines", kind = options.path },
    { "html", "file", "write a page that shows the mechanism moving", kind = options.path },
    { "plot", "file", "write plots as SVG", kind = options.path },
    { "gltf", "file", "write the moving mechanism as glTF, for Blender", kind = options.path },
    { "every", "dt", "between rows [a thousandth of the run]", kind = options.positive },
    { "channels", "a,b", "what is written, as J1.angle,C.force.x [coordinates and energy]; "
      .. "\\, is a comma", kind = options.words },
    { "quiet", nil, "no progress and no summary" },
  },
  examples = {
    "sarrus run robot.lua",
    "sarrus run robot.lua --until 10 --html robot.html",
    "sarrus run robot.lua --until 60 --every 0.01 --csv robot.csv --channels J1.angle,J1.torque",
    "sarrus run robot.lua --until 5 --set damping=200 --set tau1=0.5",
    "sarrus run chain.lua --until 2 -- 50",
  },
}

local LENGTH = 10 -- seconds, where --until is not given

-- The summary ------------------------------------------------------------------------------------

local function number(x)
  return ("%.10g"):format(x)
end

--- Where a run began, to compare with.
local function beginning(sim)
  local s = sim:state()
  return { t = sim.time, energy = sim.system.model and s:energy().total }
end

local function summary(sim, before, paths)
  local stats, s = sim:stats(), sim:state()
  local implicit = stats.implicit > 0 and (" (%d implicit)"):format(stats.implicit) or ""
  local lines = {
    tostring(rawget(sim.system, "model") or sim.system),
    ("t = %s to %s s: %s%s of order %d, %.3g s of computing"):format(number(before.t),
      number(sim.time), errors.count(stats.steps, "step"), implicit, stats.order, stats.seconds),
  }
  if #s.lambda > 0 then
    local residual = sim:residual()
    lines[#lines + 1] = ("error of the constraints at the end: %.1e, of their rates %.1e"):format(
      residual.position, residual.velocity)
  end
  if before.energy then
    local energy = s:energy().total
    lines[#lines + 1] = ("energy: %s J, changed by %.1e"):format(number(energy),
      energy - before.energy)
  end
  lines[#lines + 1] = #paths > 0 and "written: " .. table.concat(paths, ", ") or nil
  return table.concat(lines, "\n") .. "\n"
end

-- Running ----------------------------------------------------------------------------------------

--- The exit code of a run, and what is to be said about it.
local function outcome(sim, result, name, code)
  if result == "SIGNAL" then
    return 128 + name, ("interrupted at t = %s"):format(number(sim.time))
  elseif result == "EVENT" then
    return 0, ("stopped by the event %s at t = %s"):format(errors.show(name), number(sim.time))
  elseif not result then
    return 1, ("%s [%s]"):format(name, code)
  end
  return 0
end

--- Drive the simulation and write its files, however far it comes; whether they are there, too.
local function produce(sim, files, t_end, quiet)
  local result, name, code = drive(sim, t_end, quiet)
  local exit, told = outcome(sim, result, name, code)
  local done, message, kind = files:finish()
  if not done and exit ~= 1 then
    exit, told = 1, ("%s [%s]"):format(message, kind)
  end
  return exit, told, done and code ~= "IO"
end

function run.perform(subject, values)
  local sim, message, code = simulation(subject, values)
  if not sim then
    return code, message
  end
  local t_end = values["until"] or sim.time + LENGTH
  local files
  files, message, code = output.open(sim, values, t_end)
  if not files then
    return code, message
  end
  local model = rawget(sim.system, "model")
  if model then
    warnings(model:warnings())
  end
  local seen, before = warnings(sim:warnings()), beginning(sim)
  local exit, told, written = produce(sim, files, t_end, values.quiet)
  warnings(sim:warnings(), seen)
  if not values.quiet and not output.on_stdout(values) then
    io.stdout:write(summary(sim, before, written and files.paths or {}))
  end
  return exit, told
end

return run
