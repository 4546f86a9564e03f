--- What drives many simulations: they are started here, one after the other, and run by the
--- threads of the core meanwhile.

local channel = require "sarrus.output.channel"
local core = require "sarrus.core"
local expr = require "sarrus.expr"
local failure = require "sarrus.sim.failure"
local quantities = require "sarrus.output.quantities"

---@class sarrus.RunEngine
---@field channels { label: string, unit: string }[]
---@field failures table<integer, { code: string, message: string, t: number }>
local Engine = {}
Engine.__index = Engine

local engine = {}

--- A kind for fields: a list of channels.
---@param subject sarrus.Subject
---@param reserved table<string, boolean> names that have a meaning
function engine.channels(subject, reserved)
  local sources = quantities.of { system = subject, parameters = subject.parameters }
  sources.many = true
  return channel.list(sources, reserved)
end

--- The channels of a subject when none are given.
---@param subject sarrus.Subject
---@return string[]
function engine.default_channels(subject)
  return channel.default { system = subject }
end

--- An engine for some runs.
---@param given { runs: integer, t_end: number, every?: number, threads: integer, channels: sarrus.Channel[] }
---@return sarrus.RunEngine
function engine.new(given)
  local public, asks = {}, false
  for i, one in ipairs(given.channels) do
    public[i], asks = { label = one.label, unit = one.unit }, asks or one.f ~= nil
  end
  return setmetatable({ given = given, channels = public, asks = asks, failures = {}, flying = {},
    here = {} }, Engine)
end

--- The core's ensemble, made for the first simulation.
local function prepare(self, sim)
  local given, graph = self.given, expr.graph()
  for _, parameter in ipairs(sim.parameters) do
    local make = parameter.hidden and expr.hidden or expr.parameter
    graph:nodes { make(parameter.name, parameter.value) }
  end
  local expressions, stop = {}, {}
  for i, one in ipairs(given.channels) do
    expressions[i] = one.expression
  end
  for i, event in ipairs(sim.events) do
    stop[i] = event.stop
  end
  self.core = core.ensemble(graph.core, graph:nodes(expressions), {
    runs = given.runs, t_end = given.t_end, every = given.every or 0, threads = given.threads,
    stop = stop,
  })
end

local function fail(self, i, code, message, t)
  self.failures[i] = { code = code, message = message, t = t }
end

--- Hear of the runs that are done.
local function listen(self, told)
  local i, code = self.core:done()
  while i do
    local sim = self.flying[i]
    if code ~= "OK" and code ~= "STOPPED" then
      local failed = self.core:failed(i, sim.core)
      local _, message = failure.of_sim(sim, failed)
      fail(self, i, code, message, failed.t)
    end
    sim:close()
    self.flying[i] = nil
    if code ~= "CANCELLED" and told then
      told(i)
    end
    i, code = self.core:done()
  end
end

-- Runs that ask the script ------------------------------------------------------------------------

--- Attach a recording of the channels.
local function record(self, sim, every)
  local list = {}
  for k, one in ipairs(self.given.channels) do
    list[k] = one.f and { one.label, one.f, unit = one.unit } or one.label
  end
  return sim:record { every = every, channels = list }
end

--- The columns of a recording, the time first: lists, or what they begin with.
local function columns_of(self, recording, first)
  local list = { [0] = first and recording.t[1] or recording.t }
  for k, one in ipairs(self.channels) do
    local column = recording[one.label]
    list[k] = first and column[1] or not first and column or nil
  end
  return list
end

--- Run a simulation in the script's thread; false where it was cancelled.
local function run_here(self, i, sim)
  local every = self.given.every
  local recording = every and record(self, sim, every)
  local result, message, code = sim:advance(self.given.t_end)
  if not result then
    fail(self, i, code, message, sim.time)
  end
  if every then
    self.here[i] = columns_of(self, recording)
  else
    self.here[i] = { [0] = sim.time }
    if result then
      local last = record(self, sim, 1)
      result, message, code = sim:advance(sim.time)
      if not result then
        fail(self, i, code, message, sim.time)
      else
        self.here[i] = columns_of(self, last, true)
      end
    end
  end
  sim:close()
  return code ~= "CANCELLED"
end

-- Running ----------------------------------------------------------------------------------------

--- Hand a simulation to the core's threads, which take it over if it is apart; false where all
--- was cancelled.
local function run_there(self, i, sim)
  if not self.core then
    prepare(self, sim)
  end
  self.flying[i] = sim
  return self.core:put(i, sim.core)
end

--- Start all runs and hear of them as they end; whether none was cancelled.
local function run_all(self, start, told)
  for i = 1, self.given.runs do
    local sim, message, code, asks = start(i)
    local here = asks or self.asks
    if sim then
      local run = here and run_here or run_there
      if not run(self, i, sim) then
        return false
      end
    else
      fail(self, i, code, message, 0 / 0)
    end
    if told and (here or not sim) then
      told(i)
    end
    if self.core then
      listen(self, told)
    end
  end
  local whole = not self.core or self.core:wait()
  if self.core then
    listen(self, told)
  end
  return whole and true or false
end

--- Run all: `start(i)` gives a started simulation, or nil, message, code, and then whether it asks
--- the script and so has to run in its thread; `told(i)` hears of each run that has ended, in the
--- order in which they do.  Errors of both end all runs.
---@param start fun(i: integer): sarrus.Sim?, string?, string?, boolean?
---@param told? fun(i: integer)
---@return boolean whole false: cancelled
function Engine:run(start, told)
  local good, whole = pcall(run_all, self, start, told)
  if not good or not whole then
    self:close()
  end
  if not good then
    error(whole, 0)
  end
  return whole
end

--- End what is under way; rows are gone.
function Engine:close()
  if self.core then
    self.core:close()
  end
  for _, sim in pairs(self.flying) do
    sim:close()
  end
  self.flying = {}
end

--- The values of column k of a run, 0 being the time: a number, that of the end, or with `every` a
--- list.
---@param i integer
---@param k integer
---@return number|number[]
function Engine:value(i, k)
  local failed, here = self.failures[i], self.here[i]
  if here then
    return here[k] or 0 / 0
  elseif not self.core or failed and failed.t ~= failed.t then -- it did not even start
    return self.given.every and {} or 0 / 0
  end
  local list = self.core:column(i, k)
  return self.given.every and list or list[1]
end

return engine
