--- A simulation driven to a time, with progress, until a signal asks to end.

local core = require "sarrus.core"
local progress = require "sarrus.command.progress"

local PARTS = 2000 -- after each of which progress may be shown

--- Go to t_end part by part; what `sim:advance` answered last.
local function advance(sim, t_end, shown)
  local from = sim.time
  local result, name, time = "END", nil, nil
  for i = 1, PARTS do
    result, name, time = sim:advance(i < PARTS and from + (t_end - from) * i / PARTS or t_end)
    if result ~= "END" then
      break
    elseif shown then
      local stats = sim:stats()
      shown:show(sim.time, stats.steps, core.seconds(), stats.implicit)
    end
  end
  return result, name, time
end

--- Advance a simulation.
---@param sim sarrus.Sim
---@param t_end number
---@param quiet? boolean no progress
---@return "END"|"EVENT"|"SIGNAL"|nil result nil after a failure
---@return string|integer|nil name of the event, number of the signal, or the message
---@return string|number|nil time of the event, or the code
local function drive(sim, t_end, quiet)
  local long = not quiet and sim.time ~= t_end
  local shown = long and progress.on_stderr(sim.time, t_end) or nil
  core.catch(true)
  local good, result, name, time = pcall(advance, sim, t_end, shown)
  local signal = core.caught()
  core.catch(false)
  if shown then
    shown:finish()
  end
  if not good then
    error(result, 0)
  elseif signal and result ~= "EVENT" and sim.time ~= t_end then
    return "SIGNAL", signal
  end
  return result, name, time
end

return drive
