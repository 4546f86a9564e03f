--- The core's recorders, from channels and animations.

local animation = require "sarrus.output.animation"
local core = require "sarrus.core"
local expr = require "sarrus.expr"

local recorder = {}

--- The core's recorder of some expressions; those of the script come as parameters behind the
--- simulation's.
local function recorder_of(sim, expressions, options)
  local graph = expr.graph()
  for _, parameter in ipairs(sim.parameters) do
    graph:nodes { expr.parameter(parameter.name, parameter.value) }
  end
  local nodes = graph:nodes(expressions)
  return core.recorder(sim.core, graph.core, nodes, options)
end

--- The expressions of channels, and the list of those that ask the script.
local function expressions_of(sim, channels)
  local list, scripted = {}, {}
  for i, one in ipairs(channels) do
    list[i] = one.expression
    if one.f then
      list[i] = expr.symbol("parameter", #sim.parameters + #scripted, one.label)
      scripted[#scripted + 1] = one
    end
  end
  return list, scripted
end

--- Let the core record: the rows of a recording, to memory and sheets, and frames where they are
--- kept.
---@param own table what the recording keeps to itself
---@param sim sarrus.Sim
---@param channels sarrus.Channel[]
---@param every number
function recorder.attach(own, sim, channels, every)
  local list, scripted = expressions_of(sim, channels)
  own.scripted = #scripted > 0 and scripted
  own.recorder = recorder_of(sim, list, { every = every, values = #scripted, keep = own.kept })
  for _, one in ipairs(own.sheets) do
    own.recorder:stream(one.sheet)
  end
  if sim.system.model and own.kept then
    own.animation = recorder_of(sim, animation.expressions(sim.system.model), {
      every = every, values = 0, keep = true, marked = true,
    })
  end
end

--- Let the core read channels, whenever it is asked.
---@param own table what the reader keeps to itself
---@param sim sarrus.Sim
---@param channels sarrus.Channel[]
function recorder.watch(own, sim, channels)
  local list, scripted = expressions_of(sim, channels)
  own.scripted = #scripted > 0 and scripted
  own.recorder = recorder_of(sim, list, { values = #scripted, reads = true })
end

return recorder
