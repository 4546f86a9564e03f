--- Parts: what a script says of a body, a joint or a force, and where it said so.
---
--- A part only records; `sarrus.model` checks it.  Parts come in families (body, joint, force),
--- each with types; a type is a table in a file of its own.

local errors = require "sarrus.errors"

---@class sarrus.Part
---@field family "body"|"joint"|"force"
---@field type string
---@field given any the table of the script
---@field place string? where
local Part = { __name = "sarrus.part" }
Part.__index = Part

local part = {}

--- Whether a value is a part.
---@param value any
---@return boolean
function part.is(value)
  return getmetatable(value) == Part
end

--- How messages name a part: `joint.revolute "B"`.
---@param self sarrus.Part
---@return string
function part.title(self)
  local name = type(self.given) == "table" and rawget(self.given, 1)
  local label = self.family .. "." .. self.type
  return type(name) == "string" and label .. " " .. errors.show(name) or label
end
Part.__tostring = part.title

--- What the script gave, so that later changes of its table change nothing.
local function record(given)
  if type(given) ~= "table" or getmetatable(given) ~= nil then
    return given
  end
  local copy = {}
  for key, value in pairs(given) do
    copy[key] = value
  end
  return copy
end

-- What other tools call our types.
local synonyms = {
  hinge = "revolute", pin = "revolute", slider = "prismatic", ball = "spherical", weld = "fixed",
  rope = "distance", helical = "screw", cuboid = "box", particle = "point", link = "rod",
  cardan = "universal",
}

--- The constructors of a family: `joint.revolute { … }`.
---@param family string
---@param types string[]
---@return table<string, fun(given: table): sarrus.Part>
function part.family(family, types)
  local constructors = {}
  for _, name in ipairs(types) do
    constructors[name] = function(given)
      return setmetatable({
        family = family, type = name, definition = require("sarrus." .. family .. "." .. name),
        given = record(given), place = errors.place(),
      }, Part)
    end
  end
  return setmetatable(constructors, {
    __index = function(_, key)
      local near = synonyms[key]
      local hint = near and constructors[near] and " (did you mean '" .. near .. "'?)"
        or errors.suggest(key, types)
      errors.raise(("unknown %s type %s%s; there are %s"):format(family, errors.show(key), hint,
        table.concat(types, ", ")))
    end,
  })
end

return part
