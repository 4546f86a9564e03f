--- States of a system: snapshots that can be refilled.

local errors = require "sarrus.base.errors"
local later = require "sarrus.base.later"
local strict = require "sarrus.base.strict"
local sensitivity = later "sarrus.sim.sensitivity"

--- Numbers by position and by the coordinate's name.
---@class sarrus.Named
---@field [integer] number
---@field [string] number

---@class sarrus.State
---@field t number
---@field q sarrus.Named positions
---@field v sarrus.Named velocities
---@field a sarrus.Named accelerations
---@field lambda number[] multipliers
---@field modes number[] of contacts, as the core has them
local State = { __name = "sarrus.state", is_state = true } -- so are those of models
strict(State, "a state", { "t", "q", "v", "a", "lambda", "contact" },
  { "filled", "modes", "impulses", "null", "system", "parameters", "symbolic", "derivatives" })

--- States of general DAEs, whose x and y the core calls q and lambda.
local DaeState = { __name = "sarrus.state", is_state = true }
strict(DaeState, "a state", { "t", "x", "y" },
  { "filled", "derivatives" })

local state = {}

--- The metatable by which lists are read by name too.
---@param names string[]
function state.naming(names)
  local position = {}
  for i, name in ipairs(names) do
    position[name] = i
  end
  return {
    __tostring = function(list)
      local texts = {}
      for i, x in ipairs(list) do
        texts[i] = names[i] .. " = " .. errors.show(x)
      end
      return "{ " .. table.concat(texts, ", ") .. " }"
    end,
    __index = function(list, key)
      local i = position[key]
      if i then
        return rawget(list, i)
      elseif type(key) ~= "number" then
        errors.raise(errors.unknown("coordinate", key, names))
      end
    end,
  }
end

--- The derivative of a channel by a parameter or a starting value that `sensitivity` of `simulate`
--- lists; in an event's action, that of `"time"` is how the event's instant changes.
---@param channel string
---@param name string|sarrus.Expression
---@return number
function State:derivative(channel, name)
  errors.check_self(self, State, "derivative", "s")
  return sensitivity.derivative(self, channel, name)
end

function DaeState:derivative(channel, name)
  errors.check_self(self, DaeState, "derivative", "s")
  return sensitivity.derivative(self, channel, name)
end

function State:__tostring()
  return ("t = %s, q = %s, v = %s"):format(errors.show(self.t), tostring(self.q), tostring(self.v))
end

function DaeState:__tostring()
  return ("t = %s, x = %s, y = %s"):format(errors.show(self.t), tostring(self.x), tostring(self.y))
end

--- What a contact does: `mode`, `gap`, `normal_force`, `friction_force`, `impulse`, `unique`.
---@param name string
---@return sarrus.ContactReading
function State:contact(name)
  errors.check_self(self, State, "contact", "s")
  if not self.system then
    errors.raise("contact: " .. errors.unknown("contact", name, {}))
  end
  return self.system:read_contact(self, name)
end

--- Called by the simulation when it has filled the lists of a system with contacts.
function State:filled(sim)
  if not self.system then
    return
  end
  self.null = sim.core:null(rawget(self, "null"))
  for i in ipairs(self.system.contacts) do
    self.impulses[i] = { sim.core:struck(i) }
  end
  for i, parameter in ipairs(sim.parameters) do
    self.parameters[parameter.name] = sim.core:get(i)
  end
end

--- An empty state; the simulation fills it.
---@param naming table
---@param system? sarrus.System one with contacts
---@return sarrus.State
function state.new(naming, system)
  return setmetatable({
    t = 0,
    system = system,
    modes = system and {},
    impulses = system and {},
    parameters = system and {},
    q = setmetatable({}, naming),
    v = setmetatable({}, naming),
    a = setmetatable({}, naming),
    lambda = {},
  }, State)
end

--- An empty state of a general DAE.
---@return sarrus.State
function state.of_dae(x_naming, y_naming)
  local s = state.new(x_naming)
  s.lambda = setmetatable({}, y_naming)
  s.x, s.y = s.q, s.lambda
  return setmetatable(s, DaeState)
end

--- What events see of a state.
---@param symbols table by field
function state.symbols(symbols)
  return setmetatable(symbols, symbols.x and DaeState or State)
end

--- Whether a value is a state.
function state.is(value)
  local meta = getmetatable(value)
  return type(meta) == "table" and rawget(meta, "is_state") == true
end

return state
