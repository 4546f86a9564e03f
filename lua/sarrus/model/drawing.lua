--- The drawing: where bodies are as declared, and places of it in body axes.

local drawing = {}

local function difference(body, p)
  local d = {}
  for k = 1, #p do
    d[k] = p[k] - body.position[k]
  end
  return d
end

--- A direction of the world, in the axes of a body as drawn.
---@param body table
---@param d number[]
---@return number[]
function drawing.direction(body, d)
  if body.angle then
    local c, s = math.cos(body.angle), math.sin(body.angle)
    return { c * d[1] + s * d[2], c * d[2] - s * d[1] }
  elseif body.rotation then
    local r, l = body.rotation, {}
    for i = 1, 3 do
      l[i] = r[1][i] * d[1] + r[2][i] * d[2] + r[3][i] * d[3]
    end
    return l
  end
  return d
end

--- A place of the world, in the axes of a body as drawn, from its centre of mass.
---@param body table
---@param p number[]
---@return number[]
function drawing.place(body, p)
  return body.ground and p or drawing.direction(body, difference(body, p))
end

--- The drawn coordinates of a body, appended to a list.
---@param body table
---@param list number[]
function drawing.coordinates(body, list)
  local o = body.offset
  for k, x in ipairs(body.position) do
    list[o + k] = x
  end
  if body.angle then
    list[o + 3] = body.angle
  elseif body.rotation then
    for i = 1, 3 do
      for k = 1, 3 do
        list[o + 3 * i + k] = body.rotation[k][i]
      end
    end
  end
end

--- How far two places are apart.
---@param p number[]
---@param q number[]
---@return number
function drawing.distance(p, q)
  local square = 0
  for k = 1, #p do
    square = square + (p[k] - q[k]) ^ 2
  end
  return math.sqrt(square)
end

--- Whether two places are one, up to rounding.
---@param p number[]
---@param q number[]
---@return boolean
function drawing.same(p, q)
  local largest = 0
  for k = 1, #p do
    largest = math.max(largest, math.abs(p[k]), math.abs(q[k]))
  end
  return drawing.distance(p, q) <= 1e-12 * largest
end

--- The largest extent of some places; 0 if they are one.
---@param places number[][]
---@return number
function drawing.size(places)
  local low, high, size = {}, {}, 0
  for _, p in ipairs(places) do
    for k, x in ipairs(p) do
      low[k], high[k] = math.min(low[k] or x, x), math.max(high[k] or x, x)
    end
  end
  for k in ipairs(low) do
    size = math.max(size, high[k] - low[k])
  end
  return size
end

return drawing
