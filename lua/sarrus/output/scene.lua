--- What a model looks like: shapes of the bodies, places of joints and forces in body axes.
---
--- A scene is plain data.  Bodies are counted from 0 in the order of the model, -1 is the ground.
---   bodies   { name, kind, tone, color, …, struts }: kind rod (length, radius, slim; along x), box (size),
---            cylinder (radius, length, axis), sphere (radius), point, rigid (points: what it
---            joins); struts lead from the centre of mass to places that the shape does not reach
---   joints   { name, kind, a, b, at_a, at_b, axis (of A), axis_b, normal, circles }
---   forces   { name, kind, a, b, at_a, at_b }: springs, dampers and bushings
---   traces   { body, point }

local drawing = require "sarrus.model.drawing"
local observe = require "sarrus.model.observe"
local places = require "sarrus.output.places"
local tracing = require "sarrus.output.tracing"

local scene = {}

-- Bodies -----------------------------------------------------------------------------------------

--- The value of a number, or of an expression of parameters as declared.
local function value_of(x)
  return type(x) == "table" and observe.compile { x }(0, {})[1] or x
end

--- Bodies whose names differ only by a number at the end have one tone.
local function tones()
  local known, count = {}, 0
  return function(name)
    local stem = name:gsub("[%s_%-.]*%d+$", "")
    if not known[stem] then
      known[stem], count = count, count + 1
    end
    return known[stem]
  end
end

local function norm(p)
  local square = 0
  for _, x in ipairs(p) do
    square = square + x * x
  end
  return math.sqrt(square)
end

--- How far a shape reaches, along an axis of it and across.
local function off_axis(p, axis)
  local along = 0
  for k, x in ipairs(p) do
    along = along + x * axis[k]
  end
  return math.abs(along), math.sqrt(math.max(0, norm(p) ^ 2 - along ^ 2))
end

-- Whether a shape reaches a place, within `near`.
local reaches = {
  rod = function(body, p, near)
    local along, across = off_axis(p, { 1, 0, 0 })
    return along <= body.length / 2 + near and across <= body.radius + near
  end,
  box = function(body, p, near)
    for k, x in ipairs(p) do
      if math.abs(x) > body.size[k] / 2 + near then
        return false
      end
    end
    return true
  end,
  cylinder = function(body, p, near)
    if not body.axis then
      return norm(p) <= body.radius + near
    end
    local along, across = off_axis(p, body.axis)
    return along <= body.length / 2 + near and across <= body.radius + near
  end,
  sphere = function(body, p, near)
    return norm(p) <= body.radius + near
  end,
  point = function(_, p, near)
    return norm(p) <= near
  end,
  rigid = function()
    return true
  end,
}

local function body_of(record, tone)
  local shape = record.shape or { "rigid" }
  return {
    name = record.name, kind = shape[1], tone = tone, color = record.color,
    length = value_of(shape.length), radius = value_of(shape.radius),
    size = shape.size, axis = record.axis,
  }
end

--- Of a rod that slides in a rod: drawn thinner.
local function mark_slim(model, bodies, index)
  local slides = { prismatic = true, cylindrical = true, screw = true }
  for _, joint in ipairs(model.joints) do
    local a = slides[joint.type] and bodies[index[joint.bodies[1]] + 1]
    local b = slides[joint.type] and bodies[index[joint.bodies[2]] + 1]
    if a and b and a.kind == "rod" and b.kind == "rod" then
      b.slim = true
    end
  end
end

--- How far a body reaches from its centre of mass.
local function radius_of(body)
  if body.kind == "box" then
    return norm(body.size) / 2
  elseif body.kind == "rod" then
    return body.length / 2
  end
  return norm { body.radius or 0, (body.length or 0) / 2 }
end

-- Sizes ------------------------------------------------------------------------------------------

--- The largest extent of the drawing.
local function size_of(model, bodies, ends)
  local all = {}
  for i, record in ipairs(model.bodies) do
    for _, side in ipairs { -1, 1 } do
      local corner = {}
      for k, x in ipairs(record.position) do
        corner[k] = x + side * radius_of(bodies[i])
      end
      all[#all + 1] = corner
    end
  end
  for _, e in ipairs(ends) do
    all[#all + 1] = e.place
  end
  local size = drawing.size(all)
  return size > 0 and size or 1
end

--- The thickness of what has none: thin beside the whole and beside short rods.
local function unit_of(size, bodies)
  local unit = 0.014 * size
  for _, body in ipairs(bodies) do
    if body.kind == "rod" then
      unit = math.min(unit, 0.2 * body.length)
    end
  end
  return math.max(unit, 0.002 * size)
end

--- The direction that things fall in.
local function down(model)
  local g = {}
  for k, x in ipairs(model.gravity or {}) do
    g[k] = value_of(x)
  end
  local size = norm(g)
  if size == 0 then
    return model.dimension == 2 and { 0, -1 } or { 0, 0, -1 }
  end
  for k, x in ipairs(g) do
    g[k] = x / size
  end
  return g
end

--- Struts to the places that shapes do not reach; of rigid bodies, all places.
local function attach(model, bodies, ends, near)
  for i, record in ipairs(model.bodies) do
    local body, seen = bodies[i], {}
    body.struts = {}
    for _, e in ipairs(ends) do
      local p = e.body == record and drawing.place(record, e.place)
      local key = p and table.concat(p, " ")
      if p and not seen[key] then
        seen[key] = true
        local list = body.kind == "rigid" and "points" or "struts"
        body[list] = body[list] or {}
        if list == "points" or not reaches[body.kind](body, p, near) then
          table.insert(body[list], p)
        end
      end
    end
    if body.kind == "rigid" and not body.points then
      body.points = { model.dimension == 2 and { 0, 0 } or { 0, 0, 0 } }
    end
  end
end

--- The scene of a model.
---@param model sarrus.Model
---@param traces? { body: table, point: number[] }[] one of its own choice if not given
---@return table
function scene.of(model, traces)
  local tone, bodies, index = tones(), {}, { [model.ground] = -1 }
  for i, record in ipairs(model.bodies) do
    bodies[i] = body_of(record, tone(record.name))
    index[record] = i - 1
  end
  mark_slim(model, bodies, index)
  local ends = places.ends(model)
  local size = size_of(model, bodies, ends)
  local unit = unit_of(size, bodies)
  attach(model, bodies, ends, unit)
  local paths = {}
  for i, trace in ipairs(traces or tracing.default(model)) do
    paths[i] = { body = index[trace.body], point = trace.point }
  end
  return {
    name = model.name, dimension = model.dimension, size = size, unit = unit, down = down(model),
    bodies = bodies, joints = places.joints(model, index), forces = places.forces(model, index),
    traces = paths,
  }
end

return scene
