--- Meshes that a file names: where they are, and their triangles.

local core = require "sarrus.core"
local mesh = require "sarrus.model.drawing.mesh"

local meshes = {}

--- Whether there is a file.
---@param path string
---@return boolean
local function exists(path)
  return core.read_file(path, 0) ~= nil
end
meshes.exists = exists

--- The folder of a path, with its slash; "" for the present one.
---@param path string
---@return string
function meshes.folder(path)
  return path:match("^(.*[/\\])[^/\\]*$") or ""
end

--- The folder above one; nil above the last.
local function above(folder)
  if folder == "/" then
    return nil
  elseif folder == "" or folder:find("%.%./$") then
    return folder .. "../"
  end
  return folder:match("^(.*/)[^/]+/$") or ""
end

local MOST_ABOVE = 8

--- Where a URDF's mesh is: beside the file, or for package://name/rest, in a folder above it; nil
--- if it is nowhere.
---@param file string the robot's
---@param name string
---@return string?
function meshes.find(file, name)
  local folder = meshes.folder(file)
  local package, rest = name:match("^package://([^/]+)/(.+)$")
  if not package then
    package, rest = name:match("^model://([^/]+)/(.+)$")
  end
  local plain = name:match("^file://(.+)$") or name
  if not package then
    local path = plain:sub(1, 1) == "/" and plain or folder .. plain
    return exists(path) and path or nil
  end
  for _ = 0, MOST_ABOVE do
    for _, path in ipairs { folder .. package .. "/" .. rest, folder .. rest } do
      if exists(path) then
        return path
      end
    end
    folder = above(folder)
    if not folder then
      return nil
    end
  end
end

--- The triangles of a mesh, read once per import; nil and what is wrong.
---@param cache table<string, table>
---@param path string
---@return number[][]? points
---@return string? message
function meshes.read(cache, path)
  if not cache[path] then
    local points, message = mesh.read(path)
    cache[path] = { points = points, message = message }
  end
  return cache[path].points, cache[path].message
end

--- Triangles stretched along the axes; a mirrored one is turned round, so that its outside stays.
---@param points number[][]
---@param scale number[]
---@return number[][]
function meshes.scaled(points, scale)
  local list, mirrored = {}, scale[1] * scale[2] * scale[3] < 0
  for i, p in ipairs(points) do
    local corner = (i - 1) % 3
    local to = mirrored and (corner == 0 and i or corner == 1 and i + 1 or i - 1) or i
    list[to] = { scale[1] * p[1], scale[2] * p[2], scale[3] * p[3] }
  end
  return list
end

return meshes
