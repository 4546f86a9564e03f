--- What holds a body together in a picture, where neither its form nor its shapes reach the places
--- that joints and forces take hold of.

local drawing = require "sarrus.model.drawing"
local forms = require "sarrus.model.drawing.shape"

local struts = {}

local function along(p, from, axis)
  local sum = 0
  for k, x in ipairs(p) do
    sum = sum + (x - from[k]) * axis[k]
  end
  return sum
end

--- The place a share of the way from one to another.
local function between(from, to, share)
  local p = {}
  for k, x in ipairs(from) do
    p[k] = x + share * (to[k] - x)
  end
  return p
end

local function middle_of(places)
  local sum = {}
  for _, p in ipairs(places) do
    for k, x in ipairs(p) do
      sum[k] = (sum[k] or 0) + x / #places
    end
  end
  return sum
end

-- Forms ------------------------------------------------------------------------------------------

--- The farthest that a place lies outside of some half spaces.
local function outside(p, faces)
  local most = -math.huge
  for _, face in ipairs(faces) do
    most = math.max(most, along(p, face.at, face.normal))
  end
  return most
end

--- How far a place is from a form, 0 or less inside; of a mesh, from its middle beyond its extent.
local function gap(form, p)
  local radius = form.radius or 0
  if form.normal then
    return along(p, form.at, form.normal)
  elseif form.corners and #form.corners > 1 then
    return outside(p, form.faces)
  elseif form.half then
    local most = -math.huge
    for k, axis in ipairs(form.axes) do
      most = math.max(most, math.abs(along(p, form.at, axis)) - form.half[k])
    end
    return most
  elseif form.from then
    local axis, length = {}, drawing.distance(form.from, form.to)
    for k, x in ipairs(form.from) do
      axis[k] = (form.to[k] - x) / length
    end
    local share = math.min(1, math.max(0, along(p, form.from, axis) / length))
    return drawing.distance(p, between(form.from, form.to, share)) - radius
  elseif form.points then
    return drawing.distance(p, middle_of(form.points)) - drawing.size(form.points) / 2
  end
  return drawing.distance(p, form.at) - radius
end

local function middle(form)
  if form.corners then
    local places = {}
    for i, corner in ipairs(form.corners) do
      places[i] = corner.at
    end
    return middle_of(places)
  end
  return form.at or form.points and middle_of(form.points) or between(form.from, form.to, 0.5)
end

--- The distance from a place to the nearest of some shapes, and that shape.
local function nearest(shapes, p)
  local least, found = math.huge, nil
  for _, shape in ipairs(shapes) do
    local d = gap(forms.form(shape), p)
    if d < least then
      least, found = d, shape
    end
  end
  return least, found
end

-- Bodies -----------------------------------------------------------------------------------------

--- The places of a body that are held, in its axes, each once.
local function held(record, ends)
  local list, seen = {}, {}
  for _, e in ipairs(ends) do
    local p = e.body == record and drawing.place(record, e.place)
    local key = p and table.concat(p, " ")
    if p and not seen[key] then
      seen[key] = true
      list[#list + 1] = p
    end
  end
  return list
end

--- Places that are farther away than `near` from all of a body's shapes; with these the middle of
--- the nearest shape, if the centre of mass is in none.
local function unreached(shapes, places, centre, near)
  local list = {}
  for _, p in ipairs(places) do
    list[#list + 1] = nearest(shapes, p) > near and p or nil
  end
  local off, shape = nearest(shapes, centre)
  if #list > 0 and off > near then
    list[#list + 1] = middle(forms.form(shape))
  end
  return list
end

--- Give a body of a scene its struts, from the centre of mass to places that its form does not
--- reach.  One without a form is its shapes (`bare`); without these, what connects its places
--- (`points`).
---@param record table the model's body
---@param body table the scene's
---@param shapes sarrus.Shape[] those of the body that are parts of their own
---@param ends { body: table, place: number[] }[] see places.lua
---@param near number what counts as reached
function struts.attach(record, body, shapes, ends, near)
  local reaches, places, centre = record.definition.reaches, held(record, ends), {}
  for k in ipairs(record.position) do
    centre[k] = 0
  end
  body.struts = {}
  if reaches then
    for _, p in ipairs(places) do
      if not reaches(body, p, near) then
        table.insert(body.struts, p)
      end
    end
  elseif #shapes > 0 then
    body.kind, body.struts = "bare", unreached(shapes, places, centre, near)
  else
    if #places < 2 and not (places[1] and drawing.norm(places[1]) <= near) then
      table.insert(places, centre)
    end
    body.points = places
  end
end

return struts
