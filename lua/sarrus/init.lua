--- sarrus: simulation of constrained mechanisms.

local errors = require "sarrus.errors"
local expr = require "sarrus.expr"
local functions = require "sarrus.functions"

---@class sarrus: sarrus.functions
local sarrus = { _VERSION = "sarrus 0.1.0" }

for name, f in pairs(functions.public) do
  sarrus[name] = f
end

sarrus.time = expr.time
sarrus.parameter = expr.parameter
sarrus.diff = expr.diff
sarrus.table = require "sarrus.table"
sarrus.vec = require "sarrus.vec"
sarrus.series = require "sarrus.series"
sarrus.adomian = require "sarrus.adomian"
sarrus.system = require "sarrus.system".new
sarrus.dae = require "sarrus.dae"
sarrus.model = require "sarrus.model".new
sarrus.body = require "sarrus.body"
sarrus.joint = require "sarrus.joint"
sarrus.force = require "sarrus.force"
sarrus.event = require "sarrus.event".new
sarrus.controller = require "sarrus.event".controller
sarrus.checkpoint = require "sarrus.checkpoint"

local function public_names()
  local names = {}
  for name in pairs(sarrus) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- Fields that a script may set and that are nil until then.
local settable = { on_warning = true }

return setmetatable(sarrus, {
  __index = function(_, key)
    if not settable[key] then
      local hint = errors.suggest(key, public_names())
      errors.raise("sarrus has no field " .. errors.show(key) .. hint)
    end
  end,
})
