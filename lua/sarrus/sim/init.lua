--- Simulations of systems.

local callback = require "sarrus.sim.callback"
local changes = require "sarrus.sim.changes"
local class = require "sarrus.sim.class"
local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local later = require "sarrus.base.later"
local notes = require "sarrus.sim.notes"
local results = require "sarrus.base.result"
local failure = later "sarrus.sim.failure"
local reader = later "sarrus.output.reader"
local recording = later "sarrus.output.recording"
local sensitivity = later "sarrus.sim.sensitivity"
local states = later "sarrus.sim.state"

local Sim, methods, open = class.metatable, class.methods, class.open
class.more "sarrus.sim.intervene"

local residual_reading = results.kind("a residual", { "position", "velocity" })
local stats_reading = results.kind("the statistics of a simulation", { "steps", "implicit",
  "rejected", "factorisations", "order", "smallest", "largest", "seconds", "compiled",
  "assembly" })

local sim = {}

local function check_time(name, t)
  if type(t) ~= "number" or t - t ~= 0 then
    errors.raise(("%s: %s, want a finite time"):format(name, errors.got(t)))
  end
end

-- States -----------------------------------------------------------------------------------------

--- The time of a state that the core has filled; states of models keep more.
local function finish(self, s, t, now)
  s.t = t
  if s.filled then
    s:filled(self)
  end
  if rawget(self, "sensitivity") then
    sensitivity.fill(self, s, not now and t or nil)
  end
  return s
end

--- The state to fill: what a script gives, which must be one of the same system, or a fresh one.
local function to_fill(self, name, s)
  if s == nil then
    return self.system:new_state()
  elseif not (states.is(s) and self.system:has_made(s)) then
    errors.raise(("%s: %s, want a state of %s to fill"):format(name,
      states.is(s) and "got the state of another" or errors.got(s), self.system.what))
  end
  return s
end

--- The state now, fresh or refilled.
---@param s? sarrus.State to refill
---@return sarrus.State
function methods:state(s)
  local object = open(self, "state")
  s = to_fill(self, "state", s)
  object:state(nil, s.q, s.v, s.a, s.lambda, rawget(s, "modes"))
  return finish(self, s, object:time(), true)
end

--- The state at any time of the span, fresh or refilled.
---@param t number
---@param s? sarrus.State to refill
---@return sarrus.State
function methods:at(t, s)
  local object = open(self, "at")
  check_time("at", t)
  s = to_fill(self, "at", s)
  if not object:at(t, s.q, s.v, s.a, s.lambda, rawget(s, "modes")) then
    local from, to = object:span()
    errors.raise(("at: t = %s is outside of the span, %s to %s"):format(core.number(t),
      core.number(from), core.number(to)))
  end
  return finish(self, s, t)
end

--- The interval that `at` accepts.
---@return number from
---@return number to
function methods:span()
  return open(self, "span"):span()
end

-- Moving -----------------------------------------------------------------------------------------

--- Move by a method of the core, up to t, and do what is due there: the event that came, if one
--- did, or the failure.
---@return sarrus.Event?
---@return sarrus.Failure?
---@return boolean? late time was up before t
local function move(self, method, t, deadline)
  local result, found = method(self.core, t, deadline)
  notes.listen(self)
  local failed = callback.follow(self, result ~= "EVENT")
  if failed then
    return nil, failed
  elseif result == "EVENT" then
    local event = self.events[found]
    return event, callback.deliver(self, event)
  elseif result == "BUDGET" then
    return nil, nil, true
  elseif result ~= "END" then
    return nil, found
  end
end

--- Tell of a failure on the way, and keep its message for pages, until the simulation goes on.
local function stopped(self, failed)
  local _, message, code = failure.of_sim(self, failed)
  self.failed = ("%s [%s]"):format(message, code)
  return nil, message, code
end

--- The deadline that `{ seconds = budget }` sets, nil for none.
local function deadline_of(given)
  if given == nil then
    return nil
  elseif type(given) ~= "table" then
    errors.raise(("advance: %s, want { seconds = budget }"):format(errors.got(given)))
  end
  for key in next, given do
    if key ~= "seconds" then
      errors.raise(("advance: unknown field %s%s"):format(errors.show(key),
        errors.suggest(key, { "seconds" })))
    end
  end
  local seconds = given.seconds
  if seconds ~= nil and (type(seconds) ~= "number" or seconds ~= seconds or seconds < 0) then
    errors.raise(("advance: seconds: %s, want a time of 0 or more"):format(errors.got(seconds)))
  end
  return seconds and core.seconds() + seconds
end

--- Go to exactly t, backwards too; or as far as the steps that begin within `seconds` reach.
---@param t number
---@param budget? { seconds: number } of real time, for this call
---@return "END"|"EVENT"|"BUDGET"|nil result nil after a failure
---@return string? name of the event at which it stopped, or the message
---@return number|string|nil time of the event, or the code
function methods:advance(t, budget)
  local core_sim = open(self, "advance", true)
  check_time("advance", t)
  local deadline = deadline_of(budget)
  self.failed = nil
  if t >= self.time then
    local failed = callback.control(self)
    if failed then
      return stopped(self, failed)
    end
  end
  local method = core_sim.advance
  while true do
    local stop = callback.next_stop(self, t)
    local event, failed, late = move(self, method, stop, deadline)
    method = core_sim.advance_on -- max_steps counts on
    if not failed and not event and not late and stop < t then
      failed = callback.control(self)
    end
    if failed then
      return stopped(self, failed)
    elseif event and event.stop then
      return "EVENT", event.name, core_sim:time()
    elseif not event and not late and stop == t then
      return "END"
    elseif late or deadline and core.seconds() >= deadline then
      return "BUDGET"
    end
  end
end

--- One natural step, or what is left of the present expansion.
---@return number? size
---@return string? message
---@return string? code
function methods:step()
  local core_sim = open(self, "step", true)
  local before = core_sim:time()
  self.failed = nil
  local failed = callback.control(self)
  if not failed then
    local limit = #self.controllers > 0 and callback.next_stop(self, math.huge) or nil
    failed = select(2, move(self, core_sim.step, limit))
  end
  if failed then
    return stopped(self, failed)
  end
  return core_sim:time() - before
end

--- Iterate `t, state` at the present time, every dt after it, and t_end; ends at an event with
--- stop.
---@param t_end number
---@param dt number
---@return fun(): number?, sarrus.State?
function methods:samples(t_end, dt)
  open(self, "samples", true)
  check_time("samples", t_end)
  if type(dt) ~= "number" or not (dt > 0 and dt < math.huge) then
    errors.raise(("samples: %s, want a positive interval"):format(errors.got(dt)))
  end
  local from = self.time
  local sign = t_end < from and -1 or 1
  local count = math.floor(math.abs(t_end - from) / dt * (1 + 1e-12))
  local k, done = -1, false
  return function()
    k = k + 1
    local t = from + sign * k * dt
    if k > count or (k == count and k > 0 and math.abs(t - t_end) < 1e-9 * dt) then
      t = t_end
    end
    if done or sign * t > sign * t_end then
      return nil
    end
    local result, message = self:advance(t)
    if not result then
      error(message, 0)
    end
    done = result == "EVENT" or t == t_end
    return self.time, self:state()
  end
end

-- Recordings --------------------------------------------------------------------------------------

--- Attach a recording, which every later `advance`, `step` and `samples` feeds.
---@param given { every: number, channels?: (string|table)[], csv?: string, jsonl?: string, keep?: boolean }
---@return sarrus.Recording? recording
---@return string? message
---@return string? code IO: a file could not be opened
function methods:record(given)
  open(self, "record", true)
  local new, message, code = recording.new(self, given)
  self.recordings[#self.recordings + 1] = new
  return new, message, code
end

--- Numbers of the present state, by channels as of `record`, without garbage: `reader:read(list)`.
---@param channels (string|table)[]
---@return sarrus.Reader
function methods:reader(channels)
  open(self, "reader")
  return reader(self, channels)
end

-- Reports ----------------------------------------------------------------------------------------

---@class sarrus.Stats
---@field steps integer
---@field implicit integer how many of the steps were implicit
---@field rejected integer steps tried again with a smaller size
---@field factorisations integer
---@field order integer of the last step
---@field smallest number step
---@field largest number step
---@field seconds number CPU time spent in steps
---@field compiled boolean equations were compiled for it; false: an earlier simulation had them
---@field assembly { moved: number, moved_velocity: number } what the start was corrected by

--- What the simulation has done so far.
---@return sarrus.Stats
function methods:stats()
  local stats = open(self, "stats"):stats()
  stats.assembly = rawget(self, "assembly")
    or { moved = stats.moved, moved_velocity = stats.moved_velocity }
  stats.compiled = self.first
  stats.moved, stats.moved_velocity = nil, nil
  return stats_reading(stats)
end

--- Largest errors of the constraints, and of their rates, now.
---@return { position: number, velocity: number }
function methods:residual()
  local position, velocity = open(self, "residual"):residual()
  if not position then
    return failure.of_sim(self, velocity)
  end
  return residual_reading { position = position, velocity = velocity }
end

--- What touches, slips and sticks now ("modes"); other stages are those of its model or system.
---@param stage "modes"|"model"|"equations"|"structure"|"tape"
---@return string
function methods:explain(stage)
  open(self, "explain")
  if stage == "modes" then
    return self.system:modes_text(self)
  end
  return (rawget(self.system, "model") or self.system):explain(stage)
end

--- What deserves attention but stops nothing.
---@return sarrus.Warning[]
function methods:warnings()
  open(self, "warnings")
  return self.warned.list
end

--- Release the memory; the object is of no further use.  Recordings are closed too.
---@return true? done
---@return string? message
---@return string? code IO: a recording's file could not be written
function methods:close()
  errors.check_self(self, Sim, "close", "sim")
  if not rawget(self, "closed") then
    local object = open(self, "close", true)
    local message, code
    for i = #self.recordings, 1, -1 do
      local done, why, kind = self.recordings[i]:close()
      if not done then
        message, code = why, kind
      end
    end
    object:close()
    self.closed = true
    if message then
      return nil, message, code
    end
  end
  return true
end
Sim.__close = methods.close

function Sim:__tostring()
  if rawget(self, "closed") then
    return "simulation (closed)"
  end
  return ("simulation of %s at t = %s"):format(self.system.what, core.number(self.time))
end

-- Making -----------------------------------------------------------------------------------------

--- An object around the core's simulation.
local function wrap(system, object, given, parameters)
  local first = not rawget(system, "simulated")
  system.simulated = true
  return setmetatable({
    first = first, -- of its equations; later ones find them compiled
    system = system,
    core = object,
    events = given.events or {},
    compiled_events = given.compiled_events,
    given = given.given, -- of the script, for who makes others like it
    controllers = {},
    recordings = {},
    parameters = parameters,
  }, Sim)
end

--- Whether the start was moved by more than rounding: positions relative to their scales,
--- velocities to the fastest.
---@return boolean positions
---@return boolean velocities
local function moved_far(self, given)
  local q, v, worst, rates, fastest = {}, {}, 0, 0, 0
  self.core:state(nil, q, v, {}, {})
  for i, x in ipairs(given.q) do
    local scale = given.scales and given.scales[i] or given.scale
    worst = math.max(worst, math.abs(q[i] - x) / math.max(scale, math.abs(x)))
    rates = math.max(rates, math.abs(v[i] - given.v[i]) / scale)
    fastest = math.max(fastest, math.abs(v[i]) / scale, math.abs(given.v[i]) / scale)
  end
  return worst > 1e-9, rates > 1e-9 * fastest
end

--- Start the core's simulation; as its method `start` answers.
local function start_core(object, given, parameters)
  for i, parameter in ipairs(parameters) do
    object:preset(i, given.parameters and given.parameters[parameter.name] or parameter.value)
  end
  if given.guess then
    object:guess(given.guess)
  end
  return object:start(given.t, given.q, given.v)
end

--- A started simulation, or nil, message, code.
---@param system sarrus.Subject
---@param given table checked options and start; where `standing` is a simulation of the core that
--- stands at that start, it becomes this one
---@param events userdata? compiled
---@param parameters { name: string, value: number }[]
---@return sarrus.Sim?
---@return string? message
---@return string? code
function sim.new(system, given, events, parameters)
  given.compiled_events = events
  local object = given.standing or core.sim(system.compiled, events, given)
  local self = wrap(system, object, given, parameters)
  for i, controller in ipairs(given.controllers or {}) do
    self.controllers[i] = {
      period = controller.period, action = controller.action, began = given.t, count = 0,
    }
  end
  local result, failed = given.standing, nil
  if not result then
    result, failed = start_core(object, given, parameters)
  end
  if not result then
    failed.starts, failed.given = true, given
    return failure.of_sim(self, failed)
  end
  local function moved()
    return moved_far(self, given)
  end
  if given.strict then
    local positions, velocities = moved()
    if positions or velocities then
      local by = self.core:stats()
      return nil, ("%s: the start does not meet the constraints: positions off by up to %.3g, "
        .. "velocities by %.3g (strict)"):format(system.what, by.moved, by.moved_velocity),
        "INCONSISTENT"
    end
  end
  changes.begin(self)
  notes.attach(self)
  if not given.apart then -- nobody hears warnings of an ensemble's runs
    system:tell_start(self, moved)
  end
  return self
end

-- Saving -----------------------------------------------------------------------------------------

--- The whole state as a string, for `restore`; functions are not in it.
---@return string
function methods:save()
  local object = open(self, "save")
  local numbers = {}
  for _, controller in ipairs(self.controllers) do
    numbers[#numbers + 1] = controller.began
    numbers[#numbers + 1] = controller.count
  end
  return object:save(numbers)
end

--- A simulation from what `save` gave; it continues bit for bit.
---@param system sarrus.Subject
---@param record string
---@param given { events?: sarrus.Event[], controllers?: sarrus.Controller[] } checked
---@return sarrus.Sim?
---@return string? message
---@return string? code FORMAT or VERSION
function sim.restore(system, record, given, events, parameters)
  given.compiled_events = events
  local object, numbers, code = core.restore(system.compiled, events, record)
  if not object then
    local count = #(given.events or {})
    local reason = code ~= "FORMAT" and numbers or ("this is damaged, or was saved from another "
      .. "model (one in which a number differs is another one), or with other events (%s given): "
      .. "give `restore` the same `events`"):format(count > 0 and count or "none")
    return nil, ("%s: restore: %s"):format(system.what, reason), code
  end
  local controllers = given.controllers or {}
  if #numbers ~= 2 * #controllers then
    return nil, ("%s: restore: saved with %s, given %d"):format(system.what,
      errors.count(#numbers / 2, "controller"), #controllers), "FORMAT"
  end
  local names = given.sensitivity or {}
  if #names ~= object:direction_count() then
    return nil, ("%s: restore: saved with %s of sensitivity, given %d: give `restore` the same "
      .. "`sensitivity`"):format(system.what, errors.count(object:direction_count(), "name"),
      #names), "FORMAT"
  end
  local self = wrap(system, object, given, parameters)
  notes.attach(self)
  if #names > 0 then
    sensitivity.attach(self, names)
  end
  for i, controller in ipairs(controllers) do
    self.controllers[i] = {
      period = controller.period, action = controller.action,
      began = numbers[2 * i - 1], count = numbers[2 * i],
    }
  end
  return self
end

--- A copy that goes its own way.
---@return sarrus.Sim
function methods:clone()
  open(self, "clone")
  local given = { events = self.events, controllers = self.controllers,
    sensitivity = (rawget(self, "sensitivity") or {}).names }
  return assert(sim.restore(self.system, self:save(), given, rawget(self, "compiled_events"),
    self.parameters))
end

--- Options of `simulate` that all kinds of systems take.
sim.options = {
  { "tolerance", fields.number, default = 1e-12 },
  { "order", fields.integer(2, 60), default = 0 },
  { "step", fields.number, default = 0 },
  { "max_step", fields.number, default = 0 },
  { "max_steps", fields.integer(1, 2 ^ 53), default = 0 },
  { "scale", fields.number, default = 1 },
  { "method", fields.one_of { "auto", "series", "stiff" }, default = "auto" },
  { "t", fields.number, default = 0 },
  { "strict", fields.boolean, default = false },
  { "sensitivity", later.call(sensitivity, "names") },
}

return sim
