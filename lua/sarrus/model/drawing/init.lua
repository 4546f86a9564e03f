--- The drawing: where bodies are as declared, and places of it in body axes.  Where these are
--- expressions of parameters, so are the answers.

local functions = require "sarrus.expr.functions".public

local drawing = {}

--- The square root of an expression, or of a number, which may have become infinite.
---@param x sarrus.Scalar
---@return sarrus.Scalar
function drawing.sqrt(x)
  return type(x) == "number" and math.sqrt(x) or functions.sqrt(x)
end

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
    local c, s = functions.cos(body.angle), functions.sin(body.angle)
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

--- Where a joint or a force is, on A and on B: as its definition says, else by its fields.
---@param record table
---@return number[]? on_a nil where it has no place
---@return number[]? on_b
function drawing.places(record)
  local checked, places = record.checked, record.definition.places
  if places then
    return places(checked)
  elseif checked.at and checked.at.a then
    return checked.at.a, checked.at.b
  end
  return checked.from, checked.to
end

--- A circle about the axis of a joint, on the body that turns as seen from a frame that carries it.
---@param joint table
---@param frame table a body of the joint
---@param radius number
---@return { body: table, at: number[], radius: number, axis: number[]? } in the axes of the body
function drawing.circle(joint, frame, radius)
  local turned = joint.bodies[1] == frame and 2 or 1
  local body, axis = joint.bodies[turned], joint.checked.axis
  return {
    body = body, at = drawing.place(body, turned == 2 and joint.checked.at.b or joint.checked.at.a),
    radius = math.abs(radius), axis = axis and drawing.direction(body, axis),
  }
end

--- How far a place is from the origin.
---@param p number[]
---@return number
function drawing.norm(p)
  local square = 0
  for _, x in ipairs(p) do
    square = square + x * x
  end
  return drawing.sqrt(square)
end

--- How far a place is from the origin along an axis, and across it.
---@param p number[]
---@param axis number[] a unit vector
---@return number along
---@return number across
function drawing.off_axis(p, axis)
  local along = 0
  for k, x in ipairs(p) do
    along = along + x * axis[k]
  end
  return math.abs(along), math.sqrt(math.max(0, drawing.norm(p) ^ 2 - along ^ 2))
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
  return drawing.sqrt(square)
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

--- The largest extent of some places; 0 if they coincide.
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
