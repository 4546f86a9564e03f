--- `sarrus explain`: a stage of the pipeline as text.

local errors = require "sarrus.base.errors"
local script = require "sarrus.command.script"

local explain = {
  summary = "print the model, its equations, structure, tape or modes",
  usage = "sarrus explain script.lua [model | equations | structure | tape | modes]",
  about = [[
Prints how the script was understood: the parts of the model (the default), the equations made
of them, the structure of their matrix, the compiled tape, or what touches, slips and sticks at
the start of a model, or now in a simulation.]],
  words = 2,
  options = {},
  examples = {
    "sarrus explain robot.lua",
    "sarrus explain robot.lua equations",
  },
}

--- What is explained: of a simulation "model" or "system"; and its stages, the usual one first.
local function stages_of(subject)
  local kind, stages = script.kind(subject), { "equations", "structure", "tape" }
  if kind ~= "system" then
    stages[4] = "modes"
  end
  if kind == "simulation" then
    kind = rawget(subject.system, "model") and "model" or "system"
  end
  if kind == "model" then
    table.insert(stages, 1, "model")
  end
  return kind, stages
end

function explain.perform(subject, values)
  local kind, stages = stages_of(subject)
  local stage = values[2] or stages[1]
  for _, known in ipairs(stages) do
    if stage == known then
      io.stdout:write(subject:explain(stage):match("^(.-)\n*$"), "\n")
      return 0
    end
  end
  return "usage", ("%s has no stage %s%s; it has %s"):format(errors.article(kind),
    errors.show(stage), errors.suggest(stage, stages), table.concat(stages, ", "))
end

return explain
