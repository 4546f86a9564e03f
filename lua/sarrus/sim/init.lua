--- Simulations of systems.

local callback = require "sarrus.sim.callback"
local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local failure = require "sarrus.sim.failure"
local fields = require "sarrus.base.fields"
local notes = require "sarrus.sim.notes"
local results = require "sarrus.base.result"
local states = require "sarrus.sim.state"

---@class sarrus.Sim
---@field time number
local methods = {}

local Sim = { __name = "sarrus.sim" }

--- `sim.time` is asked each time; all else are methods.
function Sim.__index(self, key)
  if key == "time" then
    if rawget(self, "closed") then
      errors.raise("time: the simulation is closed")
    end
    return rawget(self, "core"):time()
  end
  local method = methods[key]
  if method == nil then
    local names = { "time" }
    for name in pairs(methods) do
      names[#names + 1] = name
    end
    table.sort(names)
    errors.raise(("a simulation has no field %s%s"):format(errors.show(key),
      errors.suggest(key, names)))
  end
  return method
end

local residual_reading = results.kind("a residual", { "position", "velocity" })
local stats_reading = results.kind("the statistics of a simulation", { "steps", "implicit",
  "rejected", "factorisations", "order", "smallest", "largest", "seconds", "assembly" })

local sim = {}

-- Checks -----------------------------------------------------------------------------------------

--- The object behind `self`, which must be open and, for what moves it, not in a callback.
local function open(self, name, moves)
  if getmetatable(self) ~= Sim then
    errors.raise(("%s: called on %s; use sim:%s(…)"):format(name, errors.show(self), name))
  elseif rawget(self, "closed") then
    errors.raise(name .. ": the simulation is closed")
  elseif moves and rawget(self, "busy") then
    errors.raise(("%s: the simulation is busy: a callback cannot move or close it"):format(name))
  end
  return rawget(self, "core")
end

local function check_time(name, t)
  if type(t) ~= "number" or t - t ~= 0 then
    errors.raise(("%s: %s, want a finite time"):format(name, errors.got(t)))
  end
end

-- States -----------------------------------------------------------------------------------------

--- The time of a state that the core has filled; states of models keep more.
local function finish(self, s, t)
  s.t = t
  if s.filled then
    s:filled(self)
  end
  return s
end

--- The state now, fresh or refilled.
---@param s? sarrus.State to refill
---@return sarrus.State
function methods:state(s)
  local object = open(self, "state")
  s = states.is(s) and s or self.system:new_state()
  object:state(nil, s.q, s.v, s.a, s.lambda, rawget(s, "modes"))
  return finish(self, s, object:time())
end

--- The state at any time of the span, fresh or refilled.
---@param t number
---@param s? sarrus.State to refill
---@return sarrus.State
function methods:at(t, s)
  local object = open(self, "at")
  check_time("at", t)
  s = states.is(s) and s or self.system:new_state()
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
local function move(self, method, t)
  local began = os.clock()
  local result, found = method(self.core, t)
  self.seconds = self.seconds + (os.clock() - began)
  notes.listen(self)
  local failed = callback.follow(self, result ~= "EVENT")
  if failed then
    return nil, failed
  elseif result == "EVENT" then
    local event = self.events[found]
    return event, callback.deliver(self, event)
  elseif result ~= "END" then
    return nil, found
  end
end

--- Go to exactly t, backwards too.
---@param t number
---@return "END"|"EVENT"|nil result nil after a failure
---@return string? name of the event at which it stopped, or the message
---@return number|string|nil time of the event, or the code
function methods:advance(t)
  local object = open(self, "advance", true)
  check_time("advance", t)
  if t >= self.time then
    local failed = callback.control(self)
    if failed then
      return failure.of_sim(self, failed)
    end
  end
  while true do
    local stop = callback.next_stop(self, t)
    local event, failed = move(self, object.advance, stop)
    if not failed and not event and stop < t then
      failed = callback.control(self)
    end
    if failed then
      return failure.of_sim(self, failed)
    elseif event and event.stop then
      return "EVENT", event.name, object:time()
    elseif not event and stop == t then
      return "END"
    end
  end
end

--- One natural step, or what is left of the present expansion.
---@return number? size
---@return string? message
---@return string? code
function methods:step()
  local object = open(self, "step", true)
  local before = object:time()
  local failed = callback.control(self)
  if not failed then
    local limit = #self.controllers > 0 and callback.next_stop(self, math.huge) or nil
    failed = select(2, move(self, object.step, limit))
  end
  if failed then
    return failure.of_sim(self, failed)
  end
  return object:time() - before
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

-- Interventions ----------------------------------------------------------------------------------

--- The number of a parameter by name or by the parameter itself.
local function parameter_index(self, name, of)
  local hidden
  if type(of) == "table" and rawget(of, "op") == "parameter" then
    of, hidden = of.name, rawget(of, "hidden")
  end
  for i, parameter in ipairs(self.parameters) do
    if parameter.name == of and parameter.hidden == hidden then
      return i
    end
  end
  errors.raise(("%s: unknown parameter %s%s"):format(name, errors.show(of),
    errors.suggest(of, expr.known(self.parameters))))
end

--- Several parameters at one price: all of them, or none.
local function set_all(self, object, values)
  local names, indices, numbers = {}, {}, {}
  for name in pairs(values) do
    names[#names + 1] = name
  end
  table.sort(names, function(a, b)
    return tostring(a) < tostring(b)
  end)
  for i, name in ipairs(names) do
    indices[i], numbers[i] = parameter_index(self, "set", name), values[name]
    if type(numbers[i]) ~= "number" or numbers[i] - numbers[i] ~= 0 then
      errors.raise(("set: %s: %s, want a finite number"):format(errors.show(name),
        errors.got(numbers[i])))
    end
  end
  local why = self.system:refuses(self, indices, numbers)
  if why then
    return nil, why
  end
  return object:set_all(indices, numbers)
end

--- Change a parameter, or several, { name = value, … }, from the present instant on.
---@param parameter string|sarrus.Expression|table<string, number>
---@param value? number
---@return true? done
---@return string? message
---@return string? code
function methods:set(parameter, value)
  local object = open(self, "set")
  if type(parameter) == "table" and not expr.is(parameter) then
    local result, failed = set_all(self, object, parameter)
    if not result then
      return failure.of_sim(self, failed)
    end
    notes.listen(self)
    return true
  end
  local index = parameter_index(self, "set", parameter)
  if type(value) ~= "number" or value - value ~= 0 then
    errors.raise(("set: %s: %s, want a finite number"):format(self.parameters[index].name,
      errors.got(value)))
  end
  local why = self.system:refuses(self, { index }, { value })
  if why then
    return failure.of_sim(self, why)
  end
  local result, failed = object:set(index, value)
  if not result then
    return failure.of_sim(self, failed)
  end
  notes.listen(self)
  return true
end

--- The value of a parameter.
---@param parameter string|sarrus.Expression
---@return number
function methods:get(parameter)
  local object = open(self, "get")
  return object:get(parameter_index(self, "get", parameter))
end

--- Turn what a name stands for off, or on again: `by` is the subject's method.
local function turn(self, method, by, name, on)
  local object = open(self, method)
  local change = self.system[by](self.system, method, name)
  object:mark(false)
  local result, failed = change(object, on)
  object:mark(true)
  if not result then
    return failure.of_sim(self, failed)
  end
  return true
end

--- Let a joint, a force or a contact go, from the present instant on.
---@param name string
---@return true? done
---@return string? message
---@return string? code
function methods:release(name)
  return turn(self, "release", "releaser", name, true)
end

--- Engage a joint, a force or a contact again; velocities jump as in an inelastic impact.
---@param name string
---@return true? done
---@return string? message
---@return string? code INCONSISTENT: positions do not fit
function methods:engage(name)
  return turn(self, "engage", "releaser", name, false)
end

--- Hold the coordinate of a joint where it is, from the present instant on; velocities jump as in
--- an inelastic impact.
---@param name string
---@return true? done
---@return string? message
---@return string? code
function methods:lock(name)
  return turn(self, "lock", "locker", name, true)
end

--- Let a locked joint move again.
---@param name string
---@return true? done
---@return string? message
---@return string? code
function methods:unlock(name)
  return turn(self, "unlock", "locker", name, false)
end

--- Change velocities by impulses, consistently with the constraints: for systems `sim:impulse {
--- coordinate = j }`, for models `sim:impulse(body, {jx, jy[, jz]} [, world point])`.
---@param ... any
---@return true? done
---@return string? message
---@return string? code
function methods:impulse(...)
  local object = open(self, "impulse")
  local list = self.system:impulse_list(self, ...)
  object:mark(false)
  local result, failed = object:impulse(list)
  object:mark(true)
  if not result then
    return failure.of_sim(self, failed)
  end
  return true
end

--- Attach a recording, which every later `advance`, `step` and `samples` feeds.
---@param given { every: number, channels?: (string|table)[], csv?: string, jsonl?: string, keep?: boolean }
---@return sarrus.Recording? recording
---@return string? message
---@return string? code IO: a file could not be opened
function methods:record(given)
  open(self, "record", true)
  local recording = require "sarrus.output.recording" -- large, so not before it is needed
  local new, message, code = recording.new(self, given)
  self.recordings[#self.recordings + 1] = new
  return new, message, code
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
---@field assembly { moved: number, moved_velocity: number } what the start was corrected by

--- What the simulation has done so far.
---@return sarrus.Stats
function methods:stats()
  local stats = open(self, "stats"):stats()
  stats.assembly = rawget(self, "assembly")
    or { moved = stats.moved, moved_velocity = stats.moved_velocity }
  stats.moved, stats.moved_velocity = nil, nil
  stats.seconds = self.seconds
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
  if getmetatable(self) == Sim and not rawget(self, "closed") then
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
  return setmetatable({
    system = system,
    core = object,
    events = given.events or {},
    compiled_events = given.compiled_events,
    controllers = {},
    recordings = {},
    parameters = parameters,
    seconds = 0,
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

--- A started simulation, or nil, message, code.
---@param system sarrus.Subject
---@param given table checked options and start
---@param events userdata? compiled
---@param parameters { name: string, value: number }[]
---@return sarrus.Sim?
---@return string? message
---@return string? code
function sim.new(system, given, events, parameters)
  given.compiled_events = events
  local self = wrap(system, core.sim(system.compiled, events, given), given, parameters)
  for i, parameter in ipairs(parameters) do
    self.core:preset(i, given.parameters and given.parameters[parameter.name] or parameter.value)
  end
  for i, controller in ipairs(given.controllers or {}) do
    self.controllers[i] = {
      period = controller.period, action = controller.action, began = given.t, count = 0,
    }
  end
  if given.guess then
    self.core:guess(given.guess)
  end
  local result, failed = self.core:start(given.t, given.q, given.v)
  if not result then
    failed.starts = true
    return failure.of_sim(self, failed)
  end
  local positions, velocities = moved_far(self, given)
  if given.strict and (positions or velocities) then
    local moved = self.core:stats()
    return nil, ("%s: the start does not meet the constraints: positions off by up to %.3g, "
      .. "velocities by %.3g (strict)"):format(system.what, moved.moved, moved.moved_velocity),
      "INCONSISTENT"
  end
  notes.attach(self)
  system:tell_start(self, positions)
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
    local hint = code == "FORMAT" and "; it is damaged, or was saved from another model, or with "
      .. "other events: give `restore` the same `events`" or ""
    return nil, ("%s: restore: %s%s"):format(system.what, numbers, hint), code
  end
  local controllers = given.controllers or {}
  if #numbers ~= 2 * #controllers then
    return nil, ("%s: restore: saved with %s, given %d"):format(system.what,
      errors.count(#numbers / 2, "controller"), #controllers), "FORMAT"
  end
  local self = wrap(system, object, given, parameters)
  notes.attach(self)
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
  local given = { events = self.events, controllers = self.controllers }
  return assert(sim.restore(self.system, self:save(), given, rawget(self, "compiled_events"),
    self.parameters))
end

--- Options of `simulate` that all kinds of systems take.
function sim.options()
  return {
    { "tolerance", fields.number, default = 1e-12 },
    { "order", fields.integer(2, 60), default = 0 },
    { "step", fields.number, default = 0 },
    { "max_step", fields.number, default = 0 },
    { "max_steps", fields.integer(1, 2 ^ 53), default = 0 },
    { "scale", fields.number, default = 1 },
    { "method", fields.one_of { "auto", "series", "stiff" }, default = "auto" },
    { "t", fields.number, default = 0 },
    { "strict", fields.boolean, default = false },
  }
end

return sim
