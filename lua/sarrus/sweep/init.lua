--- Sweeps: the runs of a model over the points of some axes, a row of a table for each.

local engine = require "sarrus.ensemble.engine"
local mechanism = require "sarrus.model.mechanism"
local sheet = require "sarrus.ensemble.sheet"
local unknown = require "sarrus.sweep.unknown"

---@class sarrus.Sweep
---@field axes sarrus.Axes
---@field header string the first line of its table
local Sweep = {}
Sweep.__index = Sweep

local sweep = {}

local RESERVED = { t = true, run = true, code = true, message = true }

-- Where runs start -------------------------------------------------------------------------------

--- Runs of a model, from starts of their own.
local function of_model(model, options)
  return mechanism.system(model), function(start)
    for name, value in pairs(options) do
      start[name] = value
    end
    return model:simulate(start)
  end
end

--- Runs of a simulation: copies of it, with other parameters.
local function of_simulation(sim)
  return sim.system, function(start)
    local copy = sim:clone()
    local done, message, code = copy:set(start.parameters)
    if not done then
      copy:close()
      return nil, message, code
    end
    return copy
  end
end

--- What of a simulation asks the script, which cannot run beside other runs; nil if nothing does.
local function asks(sim)
  for _, event in ipairs(sim.events) do
    if event.action then
      return event.what .. " has an action"
    end
  end
  return #sim.controllers > 0 and "it has controllers" or nil
end

--- What is wrong with the names of starting values: `simulate` says it of the first run, before
--- anything is written; nil if nothing is.
local function wrong_start(self)
  if #self.axes:parameters() == #self.axes.names then
    return nil
  end
  local good, sim = pcall(self.simulate, self.axes:start(1))
  if not good then
    return "--set: " .. tostring(sim)
  elseif sim then
    sim:close()
  end
end

-- Making -----------------------------------------------------------------------------------------

--- A sweep; nil and a message for wrong usage.
---@param given { model?: sarrus.Model, sim?: sarrus.Sim, axes: sarrus.Axes, t_end: number, channels?: string[], threads: integer, options: table }
---@return sarrus.Sweep?
---@return string? message
function sweep.new(given)
  local self = setmetatable({ axes = given.axes, t_end = given.t_end, threads = given.threads },
    Sweep)
  if given.sim then
    local why = asks(given.sim)
    if why then
      return nil, ("the script's simulation cannot be swept: %s, and no script runs beside others; "
        .. "return the model"):format(why)
    elseif #given.axes:parameters() < #given.axes.names then
      return nil, "--set start.…: the script returns a simulation, which has started; return the "
        .. "model"
    end
    self.subject, self.simulate = of_simulation(given.sim)
  else
    self.subject, self.simulate = of_model(given.model, given.options)
  end
  local message = unknown(self.subject.what, self.subject.parameters, given.axes:parameters())
    or wrong_start(self)
  if message then
    return nil, message
  end
  local kind = engine.channels(self.subject, setmetatable({}, { __index = RESERVED }))
  self.channels = kind(given.channels or engine.default_channels(self.subject), "--channels",
    function(fault)
      message = message or fault:gsub("^%-%-channels%[%d+%]", "--channels")
    end)
  if message then
    return nil, message
  end
  local public = engine.new { channels = self.channels }.channels
  self.header = sheet.header(public, given.axes.names)
  return self
end

-- Running ----------------------------------------------------------------------------------------

--- The row of a run that has ended.
local function row_of(self, runs, k, run)
  local numbers, failed = self.axes:point(run), runs.failures[k] or {}
  for column = 0, #self.channels do
    numbers[#numbers + 1] = runs:value(k, column)
  end
  return sheet.line(run, numbers, failed.code, failed.message)
end

--- The simulation of a run, at its start; or nil, message, code.
---@param run integer
---@return sarrus.Sim?
---@return string? message
---@return string? code
function Sweep:simulation(run)
  return self.simulate(self.axes:start(run))
end

--- Run some of the points; `told(run, row, failed)` hears of each as it ends.
---@param list integer[]
---@param told fun(run: integer, row: string, failed: boolean)
---@return boolean whole false: cancelled
function Sweep:run(list, told)
  local runs = engine.new {
    runs = #list, t_end = self.t_end, threads = math.min(self.threads, #list),
    channels = self.channels,
  }
  local whole = runs:run(function(k)
    return self:simulation(list[k])
  end, function(k)
    told(list[k], row_of(self, runs, k, list[k]), runs.failures[k] ~= nil)
  end)
  runs:close()
  return whole
end

return sweep
