--- Parts: what a script says of a body, a joint or a force, and where it said so.
---
--- A part only records; `sarrus.model` checks it.  Parts come in families (family.lua), each with
--- types.  A type is a table in a file of its own, its definition.  What a definition has to say,
--- and may say, stands where the types are listed: sarrus.BodyDefinition in body/init.lua,
--- sarrus.JointDefinition in joint/init.lua, sarrus.ForceDefinition in force/init.lua.  The last
--- two begin with what they share.
---
--- Fields that mean the same in all types: `at`, or `from` on A and `to` on B; `axis`, or two
--- `axes`; `normal`.  `given` is what the script gave; `checked` are its fields, checked and filled
--- in; `record` is what the model keeps of a part: name, what (as messages name it), checked,
--- bodies or joints, frames.

---@class sarrus.ConnectionDefinition
---@field fields fun(dimension: integer): table[] what it takes besides names (see fields.lua)
---@field bodies ("two"|"one"|"several"|"joints"|"shapes"|"optional")? see REFERENCES in declare.lua; "two"
---@field dimension integer? exists only in planar (2) or in spatial (3) models
---@field oriented boolean|integer|nil its bodies have to turn; 3: in space
---@field instead string? what to use where they do not, or in models of the other dimension
---@field complete fun(record)? adds what follows from the fields to record or record.checked
---@field check fun(record, fault, model)? finds what fields do not show; all is numbers then
---@field places (fun(checked): number[]?, number[]?)? on A and B, in the drawing; usually by fields
---@field free table<string, true>? sizes among its fields that may change while it moves
---@field touches boolean? what is drawn of its bodies need not reach these places
---@field symbol string? what pages draw there (output/scene.lua lists symbols); nothing

local errors = require "sarrus.base.errors"

---@class sarrus.Part
---@field family string "body", "joint", "force", "shape", "contact"
---@field type string
---@field given any the table of the script
---@field where string? `file:line`
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

--- What a script sets behind the constructor would be nobody's.
function Part:__newindex(key)
  errors.raise(("%s: %s cannot be set: a part is what it was declared as"):format(part.title(self),
    type(key) == "string" and "'" .. key .. "'" or errors.show(key)))
end

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

--- A part with other fields, as drawn.lua makes them.
---@param self sarrus.Part
---@param given table
---@return sarrus.Part
function part.with(self, given)
  return setmetatable({
    family = self.family, type = self.type, definition = self.definition, given = given,
    where = self.where, origin = part.origin(self),
  }, Part)
end

--- The part that a script gave.
---@param self sarrus.Part
---@return sarrus.Part
function part.origin(self)
  return rawget(self, "origin") or self
end

--- A part as a script gives it.
---@param family string
---@param kind string its type
---@param definition table
---@param given any
---@return sarrus.Part
function part.new(family, kind, definition, given)
  return setmetatable({
    family = family, type = kind, definition = definition, given = record(given),
    where = errors.where(),
  }, Part)
end

return part
