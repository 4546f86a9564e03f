--- `sarrus equilibrium`: where a model comes to rest.

local eigenvalues = require "sarrus.command.eigenvalues"
local errors = require "sarrus.base.errors"
local options = require "sarrus.command.options"
local simulation = require "sarrus.command.simulation"
local warnings = require "sarrus.command.warnings"

local equilibrium = {
  summary = "find where a model comes to rest, and whether it stays there",
  usage = "sarrus equilibrium script.lua [options] [-- arguments of the script]",
  about = [[
Goes from the drawing, or from where the script's simulation stands, downhill to an equilibrium,
and tells where that is, what moved, and by its eigenvalues whether it is stable.  Contacts,
limits and dry friction are left aside; the command fails where one is in the way.]],
  words = 1,
  options = {
    { "set", "name=value", "give a parameter another value; may be repeated",
      kind = options.assignment, list = true },
    { "html", "file", "write a page that shows its modes moving", kind = options.path },
  },
  examples = {
    "sarrus equilibrium crane.lua",
    "sarrus equilibrium crane.lua --set load=4000 --html modes.html",
  },
}

local function describe(model, s, report)
  local lines = { tostring(s) }
  lines[#lines + 1] = report.most
    and ("%s moved most, by %.6g m"):format(errors.show(report.most), report.moved)
    or "nothing had to move"
  lines[#lines + 1] = ("%s%s; forces are balanced to %.1e of them"):format(
    report.stable and "stable" or "unstable", report.neutral > 0
    and (", free to stay elsewhere in %s"):format(errors.count(report.neutral, "direction")) or "",
    report.residual)
  lines[#lines + 1] = "eigenvalues, 1/s"
  for _, line in ipairs(eigenvalues(report.eigenvalues)) do
    lines[#lines + 1] = line
  end
  warnings(model:warnings())
  return table.concat(lines, "\n") .. "\n"
end

--- Write the page of the modes.
local function write(model, s, path)
  local modes, message, code = model:modes { at = s }
  if not modes then
    return nil, message, code
  end
  return modes:html(path)
end

function equilibrium.perform(subject, values)
  local sim, message, code = simulation(subject, values)
  if not sim then
    return code, message
  end
  local model = rawget(sim.system, "model")
  if not model then
    return 1, ("%s: only models have equilibria to be found"):format(sim.system.what)
  end
  local s, report, failed = model:equilibrium(sim:state())
  if not s then
    return 1, ("%s [%s]"):format(report, failed)
  end
  io.stdout:write(describe(model, s, report))
  if values.html then
    local done, why, kind = write(model, s, values.html)
    if not done then
      return 1, ("%s [%s]"):format(why, kind)
    end
    io.stdout:write("written: ", values.html, "\n")
  end
  return 0
end

return equilibrium
