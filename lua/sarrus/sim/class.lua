--- The class of simulations: its methods, which several files define, and what each of them checks.

local require = require -- a host may take it away from scripts

local errors = require "sarrus.base.errors"
local later = require "sarrus.base.later"

---@class sarrus.Sim
---@field time number
local methods = {}

local Sim = { __name = "sarrus.sim" }

local class = { metatable = Sim, methods = methods }

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

--- A module that adds methods which most scripts do not call: it is loaded when one is missed.
---@param name string
function class.more(name)
  later.note(name)
  setmetatable(methods, { __index = function(_, key)
    require(name)
    return rawget(methods, key)
  end })
end

--- The time is what the core says; a field of that name would hide it.
function Sim.__newindex(self, key, value)
  if key == "time" then
    errors.raise("time: it cannot be set; use sim:advance(t)")
  end
  rawset(self, key, value)
end

--- The object behind `self`, which must be open and, for what moves it, not in a callback.
---@param name string of the method
---@param moves? boolean
---@return userdata
function class.open(self, name, moves)
  errors.check_self(self, Sim, name, "sim")
  if rawget(self, "closed") then
    errors.raise(name .. ": the simulation is closed")
  elseif moves and rawget(self, "busy") then
    errors.raise(("%s: the simulation is busy: a callback cannot move or close it"):format(name))
  end
  return rawget(self, "core")
end

return class
