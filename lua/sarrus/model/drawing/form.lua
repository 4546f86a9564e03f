--- Forms: what shapes are, in the axes of their bodies.
---
---   line, plane        at, normal: material behind it
---   disk, sphere       at, radius
---   polygon, box, bar  planar: corners, sides, faces, size, inside (whether there is one),
---                      half_thickness (of a bar, else 0); a box in space: at, axes, half
---   capsule, cylinder  from, to, radius; a cylinder without length is flat, and has an axis
---   point              at; in the plane like a polygon of one corner
---   mesh               triangles
--- The first entry is what messages call it; `kind` is "polygon" for all that are one.

local drawing = require "sarrus.model.drawing"
local functions = require "sarrus.expr.functions".public

local forms = {}

local function minus(a, b)
  local d = {}
  for k = 1, #a do
    d[k] = a[k] - b[k]
  end
  return d
end

local function unit(d)
  local norm, u = drawing.norm(d), {}
  for k, x in ipairs(d) do
    u[k] = norm ~= 0 and x / norm or 0
  end
  return u, norm
end

-- Polygons ---------------------------------------------------------------------------------------

--- A side from one corner to the next, the inside to its left.
local function side(a, b)
  local along, length = unit(minus(b, a))
  return { from = a, to = b, along = along, length = length, normal = { along[2], -along[1] } }
end

--- Half the way between the directions to both neighbours: into the polygon.
local function inward(points, i)
  local n, p = #points, points[i]
  local a, b = unit(minus(points[(i - 2) % n + 1], p)), unit(minus(points[i % n + 1], p))
  return (unit { a[1] + b[1], a[2] + b[2] })
end

--- The extent of some places, which may be expressions.
local function extent(points)
  local max, min, size = functions.max, functions.min, 0
  for k = 1, 2 do
    local low, high = points[1][k], points[1][k]
    for _, p in ipairs(points) do
      low, high = min(low, p[k]), max(high, p[k])
    end
    size = max(size, high - low)
  end
  return size
end

--- Half the thickness of a bar, of its length, for bars and points that meet it.  What crosses it
--- must be seen to touch before it is on the other side: with 1e-9, 48 of 300 things that fell by
--- up to 300 lengths fell through it; with 1e-8 none.
local HALF_THICKNESS = 1e-8

--- A convex polygon by its corners, which go round to the left.  Of two corners it is a bar without
--- thickness, whose faces are both sides and both ends; of one, a point.
---@param name string
---@param points number[][]
function forms.polygon(name, points)
  local form = {
    name, kind = #points > 1 and "polygon" or "point", corners = {}, sides = {}, faces = {},
    size = extent(points), inside = #points > 2,
  }
  form.half_thickness = #points == 2 and HALF_THICKNESS * form.size or 0
  for i, p in ipairs(points) do
    form.corners[i] = { at = p, inward = inward(points, i) }
  end
  for i = 1, #points > 1 and #points or 0 do
    local one = side(points[i], points[i % #points + 1])
    form.sides[i] = one
    table.insert(form.faces, { at = one.from, normal = one.normal })
    if #points == 2 then
      table.insert(form.faces, { at = one.to, normal = one.along })
    end
  end
  return form
end

--- A rectangle or a box about its middle, with edges along these axes.
---@param at number[]
---@param axes number[][]
---@param size number[]
function forms.box(at, axes, size)
  if #at == 3 then
    return { "box", at = at, axes = axes, half = { size[1] / 2, size[2] / 2, size[3] / 2 } }
  end
  local corners = {}
  for i, sign in ipairs { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } do
    local a, b = sign[1] * size[1] / 2, sign[2] * size[2] / 2
    corners[i] = {
      at[1] + a * axes[1][1] + b * axes[2][1], at[2] + a * axes[1][2] + b * axes[2][2],
    }
  end
  return forms.polygon("box", corners)
end

-- Balls about forms ------------------------------------------------------------------------------

local function middle(places)
  local m = {}
  for k = 1, #places[1] do
    m[k] = 0
    for _, p in ipairs(places) do
      m[k] = m[k] + p[k] / #places
    end
  end
  return m
end

--- A ball that contains some places, and what is within `radius` of them; they may be expressions.
local function about(places, radius)
  local at, square = middle(places), 0
  for _, p in ipairs(places) do
    local own, d = 0, minus(p, at)
    for k = 1, #d do
      own = own + d[k] * d[k]
    end
    square = functions.max(square, own)
  end
  return { at = at, radius = functions.sqrt(square) + radius }
end

local BALLS = {
  disk = function(form) return { at = form.at, radius = form.radius, exact = true } end,
  point = function(form) return { at = form.at, radius = 0, exact = true } end,
  polygon = function(form)
    local places = {}
    for i, corner in ipairs(form.corners) do
      places[i] = corner.at
    end
    return about(places, form.half_thickness)
  end,
  box = function(form) return { at = form.at, radius = drawing.norm(form.half) } end,
  capsule = function(form) return about({ form.from, form.to }, form.radius) end,
  cylinder = function(form) return about({ form.from, form.to }, form.radius) end,
}
BALLS.sphere = BALLS.disk

--- A ball about a form, { at =, radius =, exact = }: exact where the form is the ball.  nil of
--- lines, planes and meshes.
function forms.ball(form)
  local make = BALLS[form.kind or form[1]]
  return make and make(form)
end

-- Bodies -----------------------------------------------------------------------------------------

local IDENTITY = {
  [2] = { { 1, 0 }, { 0, 1 } },
  [3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
}

--- What bodies are, by the shape that their definitions tell.
local OF_BODY = {
  box = function(shape, dimension)
    return forms.box(dimension == 2 and { 0, 0 } or { 0, 0, 0 }, IDENTITY[dimension], shape.size)
  end,
  sphere = function(shape, dimension)
    return { dimension == 2 and "disk" or "sphere", at = dimension == 2 and { 0, 0 } or { 0, 0, 0 },
      radius = shape.radius }
  end,
  cylinder = function(shape, dimension, axis)
    if dimension == 2 then
      return { "disk", at = { 0, 0 }, radius = shape.radius }
    end
    local half, from, to = shape.length / 2, {}, {}
    for k = 1, 3 do
      from[k], to[k] = -half * axis[k], half * axis[k]
    end
    return {
      "cylinder", from = from, to = to, axis = axis, radius = shape.radius,
      flat = shape.length == 0,
    }
  end,
  rod = function(shape, dimension)
    local half = shape.length / 2
    if dimension == 2 then
      return forms.polygon("bar", { { -half, 0 }, { half, 0 } })
    end
    return { "capsule", from = { -half, 0, 0 }, to = { half, 0, 0 }, radius = shape.radius }
  end,
}

--- The form of a body that is a box, disk, sphere, cylinder or rod; nil of others.
---@param body table the model's record
---@param dimension integer
function forms.of_body(body, dimension)
  local make = body.shape and OF_BODY[body.shape[1]]
  return make and make(body.shape, dimension, body.axis)
end

return forms
