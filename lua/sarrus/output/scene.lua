--- What a model looks like: shapes of the bodies, places of joints and forces in body axes.
---
--- A scene is plain data.  Bodies are counted from 0 in the order of the model, -1 is the ground.
---   bodies   { name, kind, tone, color, …, slender, slim, round, struts }: kind rod (length and
---            radius, along x), box (size), cylinder (radius, length, axis), sphere (radius), point,
---            rigid (points: what it joins), bare (its shapes are all that is seen); slim ones are drawn thinner, round ones marked; struts
---            lead from the centre of mass to places that the shape does not reach
---   joints   { name, kind, symbol, a, b, at_a, at_b, axis (of A), axis_b, normal, circles }
---   forces   { name, kind, symbol, a, b, at_a, at_b }: those that have a symbol
---   shapes   { name, body, kind, tone, color, … }: those that are parts of their own, by kind: line
---            and plane (at, normal), disk and sphere (at, radius), polygon (points), box (at, axes,
---            size), capsule and cylinder (from, to, radius), point (at), mesh (points)
---   contacts { name }: one for every point at which shapes can touch, as in frames
---   traces   { body, point }
--- `kind` of joints and forces is their type; pages draw the symbol, at the places:
---   hinge    a pin along `axis`, on a support where A is the ground
---   slider   a shoe on a rail, or in space a sleeve, along `axis`
---   groove   a pin or ball on a rail along `axis`
---   sleeve, thread   a round sleeve about `axis`, with a thread
---   weld, ball, ring   a block, a ball, a soft ring
---   cross    two pins, along `axis` and `axis_b`
---   table, track   the plane across `normal` on which B slides, or rolls
---   bar, coil, dashpot   what stretches from the place of A to that of B

local contact_reading = require "sarrus.model.contact_reading"
local drawing = require "sarrus.model.drawing"
local observe = require "sarrus.model.observe"
local places = require "sarrus.output.places"
local tracing = require "sarrus.output.tracing"

local scene = {}

local norm = drawing.norm

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

local function body_of(record, tone)
  local shape, definition = record.shape or { "rigid" }, record.definition
  return {
    name = record.name, kind = shape[1], tone = tone, color = record.color,
    length = value_of(shape.length), radius = value_of(shape.radius),
    size = shape.size, axis = record.axis, slender = definition.slender, round = definition.round,
  }
end

--- Of a slender body that slides in a slender one: drawn thinner.
local function mark_slim(model, bodies, index)
  for _, joint in ipairs(model.joints) do
    local slides = joint.definition.slides
    local a = slides and bodies[index[joint.bodies[1]] + 1]
    local b = slides and bodies[index[joint.bodies[2]] + 1]
    if a and b and a.slender and b.slender then
      b.slim = true
    end
  end
end

-- Shapes -----------------------------------------------------------------------------------------

--- The corners of a form in the plane.
local function points_of(form)
  local list = {}
  for i, corner in ipairs(form.corners) do
    list[i] = corner.at
  end
  return list
end

local function shape_of(shape, index, bodies)
  local form, body = shape.form, bodies[index[shape.body] + 1]
  local planar = form.corners and #form.corners > 1
  return {
    name = shape.name, body = index[shape.body], kind = planar and "polygon" or form[1],
    color = shape.color or body and body.color, tone = body and body.tone,
    at = form.at, normal = form.normal, radius = value_of(form.radius), from = form.from,
    to = form.to, axes = form.axes, points = planar and points_of(form) or form.points,
    size = form.half and { 2 * form.half[1], 2 * form.half[2], 2 * form.half[3] },
  }
end

--- The shapes that are parts of their own; a body without a form of its own, and without joints, is
--- nothing but these.
local function shapes_of(model, index, bodies)
  local list = {}
  for i, shape in ipairs(rawget(model, "shapes") or {}) do
    list[i] = shape_of(shape, index, bodies)
    local body = bodies[list[i].body + 1]
    if body and body.points and drawing.size(body.points) == 0 then
      body.kind, body.struts = "bare", {}
    end
  end
  return list
end

--- Names of all points of contact.
local function contacts_of(model)
  local list = {}
  for i, touch in ipairs(contact_reading.places(model)) do
    list[i] = { name = touch.contact.name }
  end
  return list
end

-- Sizes ------------------------------------------------------------------------------------------

--- Places of shapes, in the drawing: middles and ends of those that have some, and corners.
local function shape_places(model)
  local list = {}
  for _, shape in ipairs(rawget(model, "shapes") or {}) do
    local given = shape.given
    if not given.normal then
      list[#list + 1] = given.at
      list[#list + 1], list[#list + 2] = given.from, given.to
      for _, p in ipairs(given.points or {}) do
        list[#list + 1] = p
      end
    end
  end
  return list
end

--- The largest extent of the drawing.
local function size_of(model, bodies, ends)
  local all = {}
  for i, record in ipairs(model.bodies) do
    local extent = record.definition.extent
    local reach = extent and extent(bodies[i]) or 0
    for _, side in ipairs { -1, 1 } do
      local corner = {}
      for k, x in ipairs(record.position) do
        corner[k] = x + side * reach
      end
      all[#all + 1] = corner
    end
  end
  for _, e in ipairs(ends) do
    all[#all + 1] = e.place
  end
  for _, p in ipairs(shape_places(model)) do
    all[#all + 1] = p
  end
  local size = drawing.size(all)
  return size > 0 and size or 1
end

--- The thickness of what has none: thin beside the whole and beside short rods.
local function unit_of(size, bodies)
  local unit = 0.014 * size
  for _, body in ipairs(bodies) do
    if body.slender then
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

--- Struts to the places that shapes do not reach; bodies without a shape consist of their places.
local function attach(model, bodies, ends, near)
  for i, record in ipairs(model.bodies) do
    local body, reaches, seen = bodies[i], record.definition.reaches, {}
    local points = not reaches and {} or nil
    body.struts = {}
    for _, e in ipairs(ends) do
      local p = e.body == record and drawing.place(record, e.place)
      local key = p and table.concat(p, " ")
      if p and not seen[key] then
        seen[key] = true
        if not reaches or not reaches(body, p, near) then
          table.insert(points or body.struts, p)
        end
      end
    end
    if points and #points == 0 then
      points[1] = model.dimension == 2 and { 0, 0 } or { 0, 0, 0 }
    end
    body.points = points
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
  local shapes = shapes_of(model, index, bodies)
  local paths = {}
  for i, trace in ipairs(traces or tracing.default(model)) do
    paths[i] = { body = index[trace.body], point = trace.point }
  end
  return {
    name = model.name, dimension = model.dimension, size = size, unit = unit, down = down(model),
    bodies = bodies, joints = places.joints(model, index), forces = places.forces(model, index),
    traces = paths, shapes = shapes, contacts = contacts_of(model),
  }
end

return scene
