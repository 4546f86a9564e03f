--- Events and controllers: what a simulation does between steps.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"

local event = {}

---@class sarrus.Event
---@field name string
local Event = { __name = "sarrus.event" }
Event.__index = Event

---@class sarrus.Controller
---@field period number
local Controller = { __name = "sarrus.controller" }
Controller.__index = Controller

local directions = { up = 1, down = -1, both = 0 }

--- A zero of `when`, an expression of the state, found on the series of each step; or a change of a
--- contact.
---@param given { [1]: string, when?: function, direction?: "up"|"down"|"both", contact?: string, on?: "touch"|"leave"|"stick"|"slip", action?: function, stop?: boolean }
---@return sarrus.Event
function event.new(given)
  local where = errors.where()
  local what = "event"
  if type(given) == "table" and type(given[1] or given.name) == "string" then
    what = ("event %q"):format(given[1] or given.name)
  end
  local values = fields.check({
    { 1, fields.string },
    { "name", fields.string },
    { "when", fields.callable },
    { "direction", fields.one_of { "up", "down", "both" }, default = "both" },
    { "contact", fields.string, also = { "joint" } }, -- takes the name of a joint, too
    { "on", fields.one_of { "touch", "leave", "stick", "slip" } },
    { "action", fields.callable },
    { "stop", fields.boolean, default = false },
  }, given, what, where)
  if not (values[1] or values.name) then
    errors.raise('event: the name is missing: it stands first, { "name", when = … }', where)
  end
  if (values.when == nil) == (values.contact == nil) then
    errors.raise(what .. ": give either when, whose zeros count, or contact and on", where)
  elseif (values.contact == nil) ~= (values.on == nil) then
    errors.raise(what .. ': contact and on go together: on = "touch", "leave", "stick" or "slip"',
      where)
  elseif values.contact and given.direction then
    errors.raise(what .. ": direction goes with when; on says which change of the contact counts",
      where)
  end
  return setmetatable({
    name = values[1] or values.name,
    contact = values.contact,
    on = values.on,
    what = what,
    where = where,
    when = values.when,
    direction = directions[values.direction],
    action = values.action,
    stop = values.stop,
  }, Event)
end

--- Sampled control: `action(sim, s)` every period, first at the start.
---@param given { period: number, action: fun(sim: sarrus.Sim, s: sarrus.State) }
---@return sarrus.Controller
function event.controller(given)
  local where = errors.where()
  local values = fields.check({
    { "period", fields.number, required = true },
    { "action", fields.callable, required = true },
  }, given, "controller", where)
  if values.period <= 0 then
    errors.raise("controller: period: " .. errors.show(values.period) .. " is not positive", where)
  end
  return setmetatable({ period = values.period, action = values.action }, Controller)
end

--- A kind for fields: a list of events (or controllers).
local function list_of(class, wanted)
  local list = fields.list(function(value, path, fault)
    if getmetatable(value) == class then
      return value
    end
    fault(path .. ": " .. errors.got(value) .. ", want " .. wanted)
  end)
  return function(value, path, fault)
    if getmetatable(value) == class then
      return fault(("%s: %s, want a list: { %s }"):format(path, errors.got(value), wanted))
    end
    return list(value, path, fault)
  end
end

local events = list_of(Event, "sarrus.event { … }")

--- A kind for fields: a list of events, whose names differ.
function event.list(value, path, fault)
  local list, seen = events(value, path, fault), {}
  for i, one in ipairs(list or {}) do
    local other = seen[one.name]
    if other then
      fault(("%s[%d]: the name %s is taken by the event at %s"):format(path, i,
        errors.show(one.name), other.where or "?"))
    end
    seen[one.name] = one
  end
  return list
end

event.controllers = list_of(Controller, "sarrus.controller { … }")

return event
