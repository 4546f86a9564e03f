--- Warnings: what deserves attention but stops nothing.  They never print; equal ones are kept
--- once and counted, and `sarrus.on_warning` hears them as they come.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local results = require "sarrus.base.result"

---@class sarrus.Warning
---@field code string
---@field message string
---@field object any the part, coordinate or constraint it is about
---@field time number when it came first
---@field last number when it came last
---@field count integer how often

local new_warning = results.kind("a warning",
  { "code", "message", "object", "time", "last", "count" })

local warnings = {}

-- So many different ones are kept; of further ones only the count.
local MOST = 1000

--- An empty list of warnings.
function warnings.new()
  return { list = {}, known = {} }
end

--- The kept warning that equals this one, made if there is none; it has not been counted yet.
local function kept(self, code, message, object, time)
  local list, known = self.list, self.known
  local key = code .. "\n" .. message
  if not known[key] and #list >= MOST then
    key, code, object = "", "more", nil
    message = ("more than %d different warnings: these are only counted"):format(MOST)
  end
  if not known[key] then
    known[key] = new_warning {
      code = code, message = message, object = object, time = time, count = 0,
    }
    list[#list + 1] = known[key]
  end
  return known[key]
end

--- Keep a warning, and let the script hear it.
---@param self table from warnings.new
---@param code string
---@param message string
---@param object any
---@param time number
function warnings.add(self, code, message, object, time)
  local warning = kept(self, code, message, object, time)
  warning.count, warning.last = warning.count + 1, time
  local hear = rawget(require "sarrus", "on_warning")
  if hear ~= nil and fields.callable(hear, "sarrus.on_warning", errors.raise) then
    hear(warning)
  end
end

return warnings
