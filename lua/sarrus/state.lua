--- States of a system: snapshots that can be refilled.

local errors = require "sarrus.errors"

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
local State = {}
State.__index = State
State.__name = "sarrus.state"
State.is_state = true -- so are those of models, which have more methods

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
        errors.raise(("unknown coordinate %s%s"):format(errors.show(key),
          errors.suggest(key, names)))
      end
    end,
  }
end

function State:__tostring()
  return ("t = %s, q = %s, v = %s"):format(errors.show(self.t), tostring(self.q), tostring(self.v))
end

--- An empty state; the simulation fills it.
---@return sarrus.State
function state.new(naming)
  return setmetatable({
    t = 0,
    q = setmetatable({}, naming),
    v = setmetatable({}, naming),
    a = setmetatable({}, naming),
    lambda = {},
  }, State)
end

--- Whether a value is a state.
function state.is(value)
  local meta = getmetatable(value)
  return type(meta) == "table" and rawget(meta, "is_state") == true
end

return state
