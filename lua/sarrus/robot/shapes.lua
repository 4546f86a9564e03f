--- Shapes of links, as files describe them, in the frame of the link.
---
--- A shape is { kind =, at = placement, element =, role = "visual" or "collision" [, color] } and
--- by kind: box (size), sphere (radius), cylinder and capsule (radius, length, along z), ellipsoid
--- (half), plane (z is its normal), mesh (file, scale, points: unscaled).

local meshes = require "sarrus.robot.meshes"
local placement = require "sarrus.robot.placement"

local shapes = {}

--- How far a shape reaches from a place of its link.
local reach = {
  box = function(shape)
    local s = shape.size
    return math.sqrt(s[1] * s[1] + s[2] * s[2] + s[3] * s[3]) / 2
  end,
  sphere = function(shape) return shape.radius end,
  cylinder = function(shape) return shape.length / 2 + shape.radius end,
  capsule = function(shape) return shape.length / 2 + shape.radius end,
  ellipsoid = function(shape) return math.max(shape.half[1], shape.half[2], shape.half[3]) end,
}

local function distance(p, q)
  return math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2)
end
shapes.distance = distance

--- How far shapes reach from a place, at most; 0 if nothing is known.
---@param list table[]
---@param from number[]
---@return number
function shapes.reach(list, from)
  local most = 0
  for _, shape in ipairs(list) do
    if reach[shape.kind] then
      most = math.max(most, distance(shape.at.origin, from) + reach[shape.kind](shape))
    elseif shape.points then
      for _, p in ipairs(meshes.scaled(shape.points, shape.scale)) do
        most = math.max(most, distance(placement.point(shape.at, p), from))
      end
    end
  end
  return most
end

--- A colour of red, green, blue from 0 to 1.
---@param rgba number[]
---@return string
function shapes.color(rgba)
  local bytes = {}
  for k = 1, 3 do
    bytes[k] = ("%02x"):format(math.floor(255 * math.max(0, math.min(1, rgba[k])) + 0.5))
  end
  return "#" .. table.concat(bytes)
end

--- Give a shape the triangles of its file; false and a note where it has none.
---@param shape table
---@param element sarrus.Element
---@param path string? nil where the file was not found
---@param name string as the robot's file has it
---@param cache table
---@return boolean
function shapes.load(shape, element, path, name, cache)
  if not path then
    element:note(("the mesh %s was not found: it is not drawn"):format(name))
    return false
  end
  local points, message = meshes.read(cache, path)
  if not points then
    element:note(("the mesh is not drawn: %s"):format(message))
    return false
  end
  shape.file, shape.points = path, points
  return true
end

return shapes
