--- An element of a file, and how its attributes are read.

local errors = require "sarrus.base.errors"

local element = {}

---@class sarrus.Element
---@field name string
---@field file string
---@field line integer
---@field attributes table<string, string>
---@field children sarrus.Element[]
---@field parent sarrus.Element?
---@field report sarrus.RobotReport
---@field seen boolean? something asked for it
---@field asked table<string, true> attributes that something asked for
local Element = {}
Element.__index = Element

--- An element, the last child of its parent.
---@param attributes table names as a list, and values by name
---@return sarrus.Element
function element.new(name, attributes, file, line, report, parent)
  local order, values = {}, {}
  for i, key in ipairs(attributes) do
    order[i], values[key] = key, attributes[key]
  end
  local self = setmetatable({
    name = name, attributes = values, order = order, children = {}, file = file, line = line,
    report = report, parent = parent, asked = {}, texts = {},
  }, Element)
  if parent then
    parent.children[#parent.children + 1] = self
  end
  return self
end

function Element:add_text(text)
  self.texts[#self.texts + 1] = text
end

--- What stands between its tags.
---@return string
function Element:text()
  self.asked["its text"] = true
  return (table.concat(self.texts):match("^%s*(.-)%s*$"))
end

--- How messages name it: `<joint "elbow">`.
---@return string
function Element:title()
  local name = self.attributes.name
  return name and ("<%s %s>"):format(self.name, errors.show(name)) or "<" .. self.name .. ">"
end

function Element:fault(message)
  self.report:fault(self, message)
end

function Element:note(message)
  self.report:note(self, message)
end

--- Attributes, and text, that nothing asked for.
---@return string[]
function Element:unread()
  local list = {}
  for _, name in ipairs(self.order) do
    if not self.asked[name] then
      list[#list + 1] = name
    end
  end
  if not self.asked["its text"] and table.concat(self.texts):find("%S") then
    list[#list + 1] = "the text in it"
  end
  return list
end

-- Children ---------------------------------------------------------------------------------------

--- All children of a name, in order.
---@param name string
---@return sarrus.Element[]
function Element:all(name)
  local list = {}
  for _, child in ipairs(self.children) do
    if child.name == name then
      child.seen = true
      list[#list + 1] = child
    end
  end
  return list
end

--- The first child of a name; further ones are left over.
---@param name string
---@return sarrus.Element?
function Element:first(name)
  for _, child in ipairs(self.children) do
    if child.name == name then
      child.seen = true
      return child
    end
  end
end

-- Attributes -------------------------------------------------------------------------------------

--- An attribute as text.
---@param name string
---@param default? string
---@return string?
function Element:string(name, default)
  self.asked[name] = true
  local value = self.attributes[name]
  if value == nil then
    return default
  end
  return value
end

--- An attribute that has to be there; nil and a fault.
---@param name string
---@return string?
function Element:required(name)
  local value = self:string(name)
  if not value or value == "" then
    self:fault(("%s: the attribute %s is %s"):format(self:title(), name,
      value and "empty" or "missing"))
    return nil
  end
  return value
end

--- The decimal point of this process, which 5.1 reads numbers by.
local function point()
  return ("%.1f"):format(0.5):sub(2, 2)
end

--- A finite number from a word; nil for anything else.
local function number(word)
  local digits = word:match("^[+-]?(%d*%.?%d*)$") or word:match("^[+-]?(%d*%.?%d*)[eE][+-]?%d+$")
  if not digits or not digits:find("%d") then
    return nil
  end
  local x = tonumber((word:gsub("^%+", ""):gsub("%.", point())))
  return x and x - x == 0 and x + 0.0 or nil
end

--- Numbers between blanks; nil and a fault where something is none, or their count is wrong.
---@param text string
---@param what string as the fault names them
---@param least? integer
---@param most? integer
---@return number[]?
function Element:numbers_in(text, what, least, most)
  local list = {}
  for word in text:gmatch("%S+") do
    local x = number(word)
    if not x then
      return self:fault(("%s: %s: %s is no finite number"):format(self:title(), what,
        errors.show(word)))
    end
    list[#list + 1] = x
  end
  if #list < (least or 0) or #list > (most or math.huge) then
    return self:fault(("%s: %s has %s, want %s"):format(self:title(), what,
      errors.count(#list, "number"), least == most and errors.show(least)
      or least .. " to " .. most))
  end
  return list
end

--- An attribute of several numbers.
---@param name string
---@param least? integer how many
---@param most? integer default `least`
---@param default? number[]
---@return number[]?
function Element:numbers(name, least, most, default)
  local text = self:string(name)
  if not text then
    return default
  end
  return self:numbers_in(text, name, least, most or least) or default
end

--- An attribute of one number.
---@param name string
---@param default? number
---@return number?
function Element:number(name, default)
  local list = self:numbers(name, 1, 1)
  if not list then
    return default
  end
  return list[1]
end

return element
