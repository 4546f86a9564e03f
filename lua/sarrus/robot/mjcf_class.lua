--- The classes of defaults of an MJCF file.
---
--- An element gets the attributes that its class has for its kind and that it has not itself: it is
--- read as if they stood in it.

local mjcf_class = {}

---@class sarrus.MjcfClasses
local Classes = {}
Classes.__index = Classes

local function set(words)
  local known = {}
  for word in words:gmatch("%S+") do
    known[word] = true
  end
  return known
end

local ACTUATORS = set [[
  general motor position velocity intvelocity damper cylinder muscle adhesion
]]
-- What all kinds of actuators share, whichever of them the class names.
local SHARED = set "gear ctrlrange ctrllimited forcerange forcelimited group"

-- Of these an element has one: its own wins over that of the class.
local ORIENTATIONS = { "quat", "axisangle", "euler", "xyaxes", "zaxis" }

--- Add the attributes of an element of a class under a kind.
local function put(class, kind, element, only)
  class[kind] = class[kind] or {}
  for _, name in ipairs(element.order) do
    if name ~= "class" and (not only or only[name]) then
      class[kind][name] = { value = element.attributes[name], from = element }
    end
  end
end

local function inherit(parent)
  local class = {}
  for kind, attributes in pairs(parent or {}) do
    class[kind] = {}
    for name, one in pairs(attributes) do
      class[kind][name] = one
    end
  end
  return class
end

local function read(self, element, parent, name)
  local class = inherit(parent)
  self.by_name[name] = class
  local inner = {}
  for _, child in ipairs(element.children) do
    child.seen = true
    if child.name == "default" then
      inner[#inner + 1] = child
    else
      self.elements[#self.elements + 1] = child
      put(class, child.name, child)
      if ACTUATORS[child.name] then
        put(class, "actuators", child, SHARED)
      end
    end
  end
  for _, child in ipairs(inner) do
    local own = child:required "class"
    if own then
      read(self, child, class, own)
    end
  end
end

--- The classes of a file.
---@param root sarrus.Element
---@return sarrus.MjcfClasses
function mjcf_class.of(root)
  local self = setmetatable({ by_name = {}, elements = {}, users = {} }, Classes)
  for _, element in ipairs(root:all "default") do
    self.main = element:string("class", "main")
    read(self, element, self.by_name[self.main], self.main)
  end
  return self
end

local function has_orientation(element)
  for _, name in ipairs(ORIENTATIONS) do
    if element.attributes[name] then
      return true
    end
  end
  return false
end

--- Give an element what its class says of its kind.
---@param element sarrus.Element
---@param usual? string the class that stands further out
function Classes:apply(element, usual)
  local name = element:string "class" or usual or self.main
  if not name then
    return
  elseif not self.by_name[name] then
    return element:fault(("%s: unknown class %q"):format(element:title(), name))
  end
  local oriented = has_orientation(element)
  for _, kind in ipairs { element.name, ACTUATORS[element.name] and "actuators" } do
    for key, one in pairs(self.by_name[name][kind] or {}) do
      local turns = oriented and (key == "quat" or key == "axisangle" or key == "euler"
        or key == "xyaxes" or key == "zaxis")
      self.users[one.from] = self.users[one.from] or {}
      table.insert(self.users[one.from], element)
      if element.attributes[key] == nil and not turns then
        element.attributes[key] = one.value
      end
    end
  end
end

--- What nothing asked for in the elements of classes is left over there; of kinds that nothing
--- has, there is nothing to tell.
function Classes:close()
  for _, element in ipairs(self.elements) do
    local users = self.users[element]
    for _, name in ipairs(element.order) do
      element.asked[name] = name == "class" or not users or nil
      for _, user in ipairs(users or {}) do
        element.asked[name] = element.asked[name] or user.asked[name]
      end
    end
  end
end

return mjcf_class
