--- <include file="…"/> of MJCF files: the content of another file stands in its place.

local meshes = require "sarrus.robot.meshes"
local xml = require "sarrus.robot.xml"

local MOST_DEPTH = 20

local expand

--- Where an included file is: beside the first file, or beside the one that includes it.
local function find(name, folder, element)
  local path = name:sub(1, 1) == "/" and name or folder .. name
  local near = meshes.folder(element.file) .. name
  return not meshes.exists(path) and meshes.exists(near) and near or path
end

--- The children of an included file; nil and a fault.
local function content(element, folder, open)
  local name = element:required "file"
  if not name then
    return nil
  end
  local path = find(name, folder, element)
  if open[path] then
    return element:fault(("<include>: %s includes itself"):format(path))
  elseif open.depth >= MOST_DEPTH then
    return element:fault(("<include>: more than %d files within each other"):format(MOST_DEPTH))
  end
  local root, message = xml.read(path, element.report)
  if not root then
    return element:fault("<include>: " .. message)
  end
  root:string "model"
  open[path], open.depth = true, open.depth + 1
  local good = expand(root, folder, open)
  open[path], open.depth = nil, open.depth - 1
  return good and root.children
end

--- Replace all <include> below an element; false after faults.
function expand(element, folder, open)
  local list, good = {}, true
  for _, child in ipairs(element.children) do
    if child.name == "include" then
      local inner = content(child, folder, open)
      good = good and inner ~= nil and inner ~= false
      for _, one in ipairs(inner or {}) do
        one.parent = element
        list[#list + 1] = one
      end
    else
      good = expand(child, folder, open) and good
      list[#list + 1] = child
    end
  end
  element.children = list
  return good
end

--- Replace all <include> of a file; false after faults.
---@param root sarrus.Element
---@return boolean
return function(root)
  return expand(root, meshes.folder(root.file), { depth = 0, [root.file] = true })
end
