--- What a model looks like: shapes of the bodies, places of joints and forces in body axes.
---
--- A scene is plain data.  Its `size` is what symbols are measured by, `drawn` the extent of the
--- drawing, `unit` the thickness of what has none.  Bodies are counted from 0 in the order of the
--- model, -1 is the ground.
---   bodies   { name, kind, tone, color, …, slender, slim, round, struts }: kind rod (length and
---            radius, along x), box (size), cylinder (radius, length, axis), sphere (radius),
---            point, rigid (points: what it joins), bare (its shapes are all that is seen); slim
---            ones are drawn thinner, exact ones, which others touch, as thick as they are, round
---            ones marked; struts lead from the centre of mass to places that the shape does not
---            reach
---   joints   { name, kind, symbol, a, b, at_a, at_b, axis (of A), axis_b, normal, circles, room
---            (to the next joint), reach (how far it can stretch) }
---   forces   { name, kind, symbol, a, b, at_a, at_b }: those that have a symbol
---   shapes   { name, body, kind, tone, color, … }: those that are parts of their own, by kind:
---            line and plane (at, normal), disk and sphere (at, radius), polygon (points), box (at,
---            axes, size), capsule and cylinder (from, to, radius), point (at), mesh (points)
---   contacts { name, a, b }: one for every point at which shapes can touch, as in frames
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

local contact_reading = require "sarrus.model.state.contacts"
local drawing = require "sarrus.model.drawing"
local drawn = require "sarrus.model.part.drawn"
local places = require "sarrus.output.places"
local shapes = require "sarrus.model.drawing.shape"
local struts = require "sarrus.output.struts"
local tracing = require "sarrus.output.tracing"

local scene = {}

local norm = drawing.norm

local WAY = 1.8 -- how many times the size of a drawing bodies may go before that counts as small

-- Bodies -----------------------------------------------------------------------------------------

--- A name without the number at its end.
local function stem_of(name)
  return (name:gsub("[%s_%-.]*%d+$", ""))
end

--- The bodies that may touch one whose name differs only by a number at the end.
local function touching_alike(model)
  local found = {}
  for _, contact in ipairs(model.contacts) do
    for _, pair in ipairs(contact.pairs or {}) do
      local a, b = pair[1].body, pair[2].body
      if stem_of(a.name) == stem_of(b.name) then
        found[a], found[b] = true, true
      end
    end
  end
  return found
end

--- Bodies whose names differ only by a number at the end have one tone, unless they may touch each
--- other, as dominoes do.
local function tones(model)
  local known, count, alike = {}, 0, touching_alike(model)
  return function(body)
    local key = alike[body] and body.name .. "\n" or stem_of(body.name)
    if not known[key] then
      known[key], count = count, count + 1
    end
    return known[key]
  end
end

local function body_of(record, tone)
  local shape, definition = record.shape or { "rigid" }, record.definition
  return {
    name = record.name, kind = shape[1], tone = tone, color = record.color,
    length = shape.length, radius = shape.radius,
    size = shape.size, axis = record.axis, slender = definition.slender, round = definition.round,
  }
end

--- A slender body that slides inside another slender one is drawn thinner.
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
  local form, body = shapes.form(shape), bodies[index[shape.body] + 1]
  local planar = form.corners and #form.corners > 1
  return {
    name = shape.name, body = index[shape.body], kind = planar and "polygon" or form[1],
    color = shape.color or body and body.color, tone = body and body.tone,
    at = form.at, normal = form.normal, radius = form.radius, from = form.from,
    to = form.to, axes = form.axes, points = planar and points_of(form) or form.points,
    size = form.half and { 2 * form.half[1], 2 * form.half[2], 2 * form.half[3] },
  }
end

--- The shapes that are parts of their own.
local function shapes_of(model, index, bodies)
  local list = {}
  for i, shape in ipairs(rawget(model, "shapes") or {}) do
    list[i] = shape_of(shape, index, bodies)
  end
  return list
end

--- The shapes that are fixed to each body.
local function carried(model)
  local by_body = {}
  for _, body in ipairs(model.bodies) do
    by_body[body] = {}
  end
  for _, shape in ipairs(rawget(model, "shapes") or {}) do
    table.insert(by_body[shape.body] or {}, shape)
  end
  return by_body
end

--- All points of contact, and which bodies meet there; a slender one is drawn as thick as it is.
local function contacts_of(model, index, bodies)
  local list, of_shape = {}, {}
  for _, contact in ipairs(model.contacts) do
    for _, pair in ipairs(contact.pairs or {}) do
      for _, shape in ipairs(pair) do
        of_shape[shape.name] = index[shape.body]
        local body = bodies[index[shape.body] + 1]
        if body and body.slender and body.name == shape.name then
          body.exact = true
        end
      end
    end
  end
  for i, touch in ipairs(contact_reading.places(model)) do
    list[i] = { name = touch.contact.name, a = of_shape[touch.a], b = of_shape[touch.b] }
  end
  return list
end

-- Sizes ------------------------------------------------------------------------------------------

local function as_drawn(x)
  return x
end

local DRAWN = { place = as_drawn, direction = as_drawn }

--- The corners of a shape's triangles, in the drawing.
local function corners(shape)
  return shape.checked.triangles and shape.definition.form(shape.checked, DRAWN).points or {}
end

--- Places of shapes, in the drawing: middles and ends of those that have some, and corners.
local function shape_places(model)
  local list = {}
  for _, shape in ipairs(rawget(model, "shapes") or {}) do
    local checked = shape.checked
    if not checked.normal then
      list[#list + 1] = checked.at
      list[#list + 1], list[#list + 2] = checked.from, checked.to
      for _, p in ipairs(checked.points or corners(shape)) do
        list[#list + 1] = p
      end
    end
  end
  return list
end

--- Places that bodies cover in the drawing, and those of joints, forces and shapes.
local function drawn_places(model, bodies, ends)
  local all = shape_places(model)
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
  return all
end

--- The corners of the box that centres of mass go through.
local function travelled(model, frames)
  local d, width = model.dimension, model.dimension == 2 and 6 or 13
  local low, high = {}, {}
  for _, frame in ipairs(frames) do
    for i = 0, #model.bodies - 1 do
      for k = 1, d do
        local x = frame.poses[i * width + k]
        low[k], high[k] = math.min(low[k] or x, x), math.max(high[k] or x, x)
      end
    end
  end
  return { low, high }
end

--- The largest extent of the drawing, as far as that is not small beside the way that bodies go;
--- and of the drawing alone.
local function size_of(model, all, frames)
  local extent = drawing.size(all)
  for _, p in ipairs(travelled(model, frames)) do
    all[#all + 1] = p
  end
  local size = math.max(extent, drawing.size(all) / WAY)
  return size > 0 and size < math.huge and size or 1, extent
end

--- The thickness to draw bodies with that have none: thin beside the whole drawing and beside short
--- rods.
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
  local g, unit = model.gravity or {}, {}
  local size = norm(g)
  if size == 0 then
    return model.dimension == 2 and { 0, -1 } or { 0, 0, -1 }
  end
  for k, x in ipairs(g) do
    unit[k] = x / size
  end
  return unit
end

--- The scene of a model.
---@param model sarrus.Model as drawn for values of parameters, or itself: then as declared
---@param traces? { body: table, point: number[] }[] one of its own choice if not given
---@param frames? table[] those of a recording: how far everything goes
---@return table
function scene.of(model, traces, frames)
  model = drawn.of(model)
  local tone, bodies, index = tones(model), {}, { [model.ground] = -1 }
  for i, record in ipairs(model.bodies) do
    bodies[i] = body_of(record, tone(record))
    index[record] = i - 1
  end
  mark_slim(model, bodies, index)
  local ends = places.ends(model)
  local size, extent = size_of(model, drawn_places(model, bodies, ends), frames or {})
  local unit, fixed = unit_of(size, bodies), carried(model)
  for i, record in ipairs(model.bodies) do
    struts.attach(record, bodies[i], fixed[record], ends, unit)
  end
  local paths = {}
  for i, trace in ipairs(traces or tracing.default(model)) do
    paths[i] = { body = index[trace.body], point = trace.point }
  end
  return {
    name = model.name, dimension = model.dimension, size = size, drawn = extent, unit = unit,
    down = down(model),
    bodies = bodies, joints = places.joints(model, index, 1e-3 * unit),
    forces = places.forces(model, index),
    traces = paths, shapes = shapes_of(model, index, bodies),
    contacts = contacts_of(model, index, bodies),
  }
end

return scene
