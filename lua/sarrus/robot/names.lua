--- Names of parts: unique, and such as models take.

local errors = require "sarrus.base.errors"
local kinds = require "sarrus.model.part.kinds"

local names = {}

---@class sarrus.RobotNames
local Names = {}
Names.__index = Names

---@return sarrus.RobotNames
function names.new()
  return setmetatable({ taken = { ground = true } }, Names)
end

--- A name that no part has: the wanted one, with points replaced, and where it is taken with what
--- is to stand behind it, then with a number.
---@param wanted string
---@param behind string
---@param element? sarrus.Element whose note tells of a change
---@return string
function Names:take(wanted, behind, element)
  local plain = wanted:gsub("[.%c]", "_")
  local name, count = plain, 1
  while self.taken[name] do
    name = plain .. behind .. (count > 1 and count or "")
    count = count + 1
  end
  local wrong = kinds.name_fault(name)
  if wrong and element then
    element:fault(wrong)
  elseif name ~= wanted and element then
    element:note(("the name %s became %s"):format(errors.show(wanted), errors.show(name)))
  end
  self.taken[name] = true
  return name
end

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
  return then true until while angle rate length speed sarrus body joint shape contact force]])
  :gmatch("%a+") do
  KEYWORDS[word] = true
end

--- A name as a variable of Lua.
---@param name string
---@return string
function names.variable(name)
  local word = name:gsub("[^%w_]", "_"):gsub("^(%d)", "_%1")
  return KEYWORDS[word] and word .. "_" or word
end

return names
