--- sarrus: simulation of constrained mechanisms.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local families = require "sarrus.families"
local functions = require "sarrus.expr.functions"

---@class sarrus: sarrus.functions
---@field _VERSION string name and version
---@field time sarrus.Expression the time
---@field vec sarrus.vec vectors
---@field series sarrus.series power series
---@field adomian sarrus.adomian Adomian polynomials and the decomposition method
---@field body sarrus.body bodies of models
---@field joint sarrus.joint joints of models
---@field force sarrus.force forces of models
---@field shape sarrus.shape shapes of models
---@field contact sarrus.contact contacts of models
---@field on_warning fun(warning: { code: string, message: string, object: any, time: number })? hears warnings
local sarrus = { _VERSION = "sarrus " .. require "sarrus.core".version }

for name, f in pairs(functions.public) do
  sarrus[name] = f
end

sarrus.time = expr.time
sarrus.parameter = expr.parameter
sarrus.diff = expr.diff
-- Loaded when they are first asked for: `require "sarrus"` takes 4 ms in place of 14.
local later = {
  table = { "sarrus.expr.table" },
  vec = { "sarrus.expr.vec" },
  series = { "sarrus.series" },
  adomian = { "sarrus.series.adomian" },
  system = { "sarrus.system", "new" },
  dae = { "sarrus.system.dae" },
  model = { "sarrus.model", "new" },
  event = { "sarrus.sim.event", "new" },
  controller = { "sarrus.sim.event", "controller" },
  checkpoint = { "sarrus.sim.checkpoint" },
  ensemble = { "sarrus.ensemble", "new" },
  sandbox = { "sarrus.output.sandbox" },
  import = { "sarrus.robot", "import" },
  fit = { "sarrus.fit", "new" },
}

for _, name in ipairs(families) do
  later[name] = { "sarrus." .. name }
end

local function fetch(name)
  local module, field = later[name][1], later[name][2]
  local value = require(module)
  value = field and value[field] or value
  rawset(sarrus, name, value)
  return value
end

local function public_names()
  local names = {}
  for _, list in ipairs { sarrus, later } do
    for name in next, list do
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

-- Fields that a script may set and that are nil until then.
local settable = { on_warning = true }

return setmetatable(sarrus, {
  __index = function(_, key)
    if later[key] then
      return fetch(key)
    elseif not settable[key] then
      local hint = errors.suggest(key, public_names())
      errors.raise("sarrus has no field " .. errors.show(key) .. hint)
    end
  end,
  __pairs = function()
    for name in pairs(later) do
      fetch(name)
    end
    return next, sarrus
  end,
})
