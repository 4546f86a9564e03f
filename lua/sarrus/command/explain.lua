--- `sarrus explain`: a stage of the pipeline as text.

local errors = require "sarrus.errors"
local script = require "sarrus.command.script"

local explain = {
  summary = "print the model, its equations, structure or tape",
  usage = "sarrus explain script.lua [model | equations | structure | tape]",
  about = [[
Prints how the script was understood: the parts of the model (the default), the equations made
of them, the structure of their matrix, or the compiled tape.]],
  words = 2,
  options = {},
  examples = {
    "sarrus explain robot.lua",
    "sarrus explain robot.lua equations",
  },
}

--- What can explain itself: the model or the system behind a simulation.
local function explainable(subject, kind)
  if kind ~= "simulation" then
    return subject, kind
  end
  local system = subject.system
  return rawget(system, "model") or system, rawget(system, "model") and "model" or "system"
end

function explain.perform(subject, values)
  local object, kind = explainable(subject, script.kind(subject))
  local stages = { "model", "equations", "structure", "tape" }
  if kind ~= "model" then
    table.remove(stages, 1)
  end
  local stage = values[2] or stages[1]
  for _, known in ipairs(stages) do
    if stage == known then
      io.stdout:write(object:explain(stage):match("^(.-)\n*$"), "\n")
      return 0
    end
  end
  return "usage", ("%s has no stage %s%s; it has %s"):format(errors.article(kind),
    errors.show(stage), errors.suggest(stage, stages), table.concat(stages, ", "))
end

return explain
