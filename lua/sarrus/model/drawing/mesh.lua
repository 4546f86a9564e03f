--- Meshes of triangles, from STL files (text or binary) and OBJ files.

local core = require "sarrus.core"

local mesh = {}

local MOST_TRIANGLES = 1000000

-- STL --------------------------------------------------------------------------------------------

--- A little-endian single-precision number.
local function float(text, i)
  local a, b, c, d = text:byte(i, i + 3)
  local sign = d >= 128 and -1 or 1
  local exponent = d % 128 * 2 + math.floor(c / 128)
  local fraction = c % 128 * 65536 + b * 256 + a
  if exponent == 255 then
    return 0 / 0
  elseif exponent == 0 then
    return sign * fraction * 2 ^ -149
  end
  return sign * (1 + fraction / 8388608) * 2 ^ (exponent - 127)
end

local function binary_count(text)
  if #text < 84 then
    return nil
  end
  local a, b, c, d = text:byte(81, 84)
  local count = a + 256 * (b + 256 * (c + 256 * d))
  return #text == 84 + 50 * count and count or nil
end

local function of_binary(text, count)
  local points = {}
  for i = 0, count - 1 do
    for k = 0, 2 do
      local at = 85 + 50 * i + 12 + 12 * k
      points[#points + 1] = { float(text, at), float(text, at + 4), float(text, at + 8) }
    end
  end
  return points
end

local function of_text(text)
  local points = {}
  for x, y, z in text:gmatch("vertex%s+(%S+)%s+(%S+)%s+(%S+)") do
    points[#points + 1] = { tonumber(x), tonumber(y), tonumber(z) }
  end
  return points
end

-- OBJ --------------------------------------------------------------------------------------------

--- The corners of a face, by number; negative ones count from the last.  One that is not there has
--- no coordinates, so that the mesh is not whole.
local function face_of(line, vertices)
  local list = {}
  for word in line:gmatch("%S+") do
    local i = tonumber(word:match("^%-?%d+"))
    list[#list + 1] = i and vertices[i < 0 and #vertices + 1 + i or i] or {}
  end
  return list
end

local function of_obj(text)
  local vertices, points = {}, {}
  for line in text:gmatch("[^\r\n]+") do
    local kind, rest = line:match("^%s*(%a+)%s+(.*)$")
    if kind == "v" then
      local x, y, z = rest:match("^(%S+)%s+(%S+)%s+(%S+)")
      vertices[#vertices + 1] = { tonumber(x), tonumber(y), tonumber(z) }
    elseif kind == "f" then
      local face = face_of(rest, vertices)
      for i = 2, #face - 1 do -- a fan
        points[#points + 1], points[#points + 2] = face[1], face[i]
        points[#points + 1] = face[i + 1]
      end
    end
  end
  return points
end

-- Files ------------------------------------------------------------------------------------------

local function is_whole(points)
  for _, p in ipairs(points) do
    for k = 1, 3 do
      if not p[k] or p[k] - p[k] ~= 0 then
        return false
      end
    end
  end
  return #points > 0 and #points % 3 == 0
end

local function points_of(path, text)
  if path:lower():find("%.obj$") then
    return of_obj(text)
  elseif path:lower():find("%.stl$") then
    local count = binary_count(text)
    return count and of_binary(text, math.min(count, MOST_TRIANGLES + 1)) or of_text(text)
  end
end

--- The corners of a mesh's triangles, three after three; nil and what is wrong.
---@param path string
---@return number[][]? points
---@return string? message
function mesh.read(path)
  local text, reason = core.read_file(path)
  if not text then
    return nil, path .. ": " .. reason
  end
  local points = points_of(path, text)
  if not points then
    return nil, path .. " is neither an .stl nor an .obj file"
  elseif not is_whole(points) then
    return nil, path .. " has no triangles, or some that are not whole"
  elseif #points > 3 * MOST_TRIANGLES then
    return nil, ("%s has more than %d triangles"):format(path, MOST_TRIANGLES)
  end
  return points
end

return mesh
