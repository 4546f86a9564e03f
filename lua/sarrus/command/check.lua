--- `sarrus check`: does the model assemble, and what is to be known about it.

local errors = require "sarrus.base.errors"
local script = require "sarrus.command.script"
local warnings = require "sarrus.command.warnings"

local check = {
  summary = "assemble a model; tell its freedoms, redundancies and warnings",
  usage = "sarrus check script.lua [-- arguments of the script]",
  about = [[
Assembles the model that the script returns, and tells its freedoms, what had to be moved, and
warnings: redundant joints, masses of very different size, and the like.  Fails when the parts
do not fit together.]],
  words = 1,
  options = {},
  examples = { "sarrus check robot.lua" },
}

local function was_moved(sim)
  for _, warning in ipairs(sim:warnings()) do
    if warning.code == "moved" then
      return true
    end
  end
  return false
end

--- What assembly moved, in words.
local function movement(sim)
  local report = sim:stats().assembly
  if not was_moved(sim) then
    return "assembled; nothing had to be moved"
  elseif report.most then
    return ("assembled; %s moved most, by %.3g m"):format(errors.show(report.most), report.moved)
  end
  return ("assembled; moved by up to %.3g"):format(report.moved)
end

local function model_lines(model)
  local sim, message, code = model:simulate()
  if not sim then
    return nil, ("%s [%s]"):format(message, code)
  end
  local freedoms = errors.count(model:freedoms(), "freedom")
  return { tostring(model), freedoms, movement(sim) }, sim
end

local function simulation_lines(sim)
  local model = rawget(sim.system, "model")
  local lines = { tostring(sim), movement(sim) }
  if model then
    table.insert(lines, 1, tostring(model))
    table.insert(lines, 3, errors.count(model:freedoms(), "freedom"))
  end
  return lines, sim
end

local function system_lines(system)
  return { tostring(system), "compiled; where it starts, a simulation tells" }
end

function check.perform(subject)
  local kind = script.kind(subject)
  local describe = kind == "model" and model_lines or kind == "simulation" and simulation_lines
    or system_lines
  local lines, sim = describe(subject)
  if not lines then
    return 1, sim
  end
  local count = 0
  if sim then
    local model = rawget(sim.system, "model")
    count = (model and warnings(model:warnings()) or 0) + warnings(sim:warnings())
  end
  lines[#lines + 1] = count == 0 and "no warnings" or errors.count(count, "warning")
  io.stdout:write(table.concat(lines, "\n"), "\n")
  return 0
end

return check
