--- Where joints and forces are, in the axes of their bodies.

local drawing = require "sarrus.model.drawing"

local places = {}

--- The places of a part in the drawing, on A and on B; nil where it has none.
local function of_part(record)
  local given = record.given
  if given.at and given.at.a then
    return given.at.a, given.at.b
  elseif given.from then
    return given.from, given.to
  elseif record.type == "rolling" then
    return given.touch
  end
end

--- Everything that is fastened to a body: { body =, place = in the drawing }.
---@param model sarrus.Model
---@return { body: table, place: number[] }[]
function places.ends(model)
  local list = {}
  local function put(body, place)
    if body and place then
      list[#list + 1] = { body = body, place = place }
    end
  end
  for _, records in ipairs { model.joints, model.forces } do
    for _, record in ipairs(records) do
      local a, b = of_part(record)
      if record.bodies and record.type ~= "rolling" then
        put(record.bodies[1], a)
        put(record.bodies[2], b)
      end
    end
  end
  return list
end

--- Part of the scene that joints and forces have in common.
local function connection(record, index)
  local a, b = record.bodies[1], record.bodies[2] or record.bodies[1]
  local at_a, at_b = of_part(record)
  return {
    name = record.name, kind = record.type, a = index[a], b = index[b],
    at_a = at_a and drawing.place(a, at_a), at_b = at_b and drawing.place(b, at_b),
  }
end

-- Gears ------------------------------------------------------------------------------------------

--- The body that a joint turns, seen from the frame that carries it.
local function wheel(joint, frame)
  local turned = joint.bodies[1] == frame and 2 or 1
  return joint.bodies[turned], turned == 2 and joint.given.at.b or joint.given.at.a
end

local function circle(joint, frame, radius, index)
  local body, at = wheel(joint, frame)
  return {
    body = index[body], at = drawing.place(body, at), radius = math.abs(radius),
    axis = joint.given.axis and drawing.direction(body, joint.given.axis),
  }
end

local function common_body(one, other)
  for _, x in ipairs(one.bodies) do
    if x == other.bodies[1] or x == other.bodies[2] then
      return x
    end
  end
end

--- Pitch circles: r1 + r2 is the distance of the axes, r2 = ratio r1; a rack has its radius.
local function circles(record, index)
  local one, other = record.joints[1], record.joints[2]
  if record.type == "rack" then
    local radius = record.given.radius
    return { type(radius) == "number" and circle(one, one.bodies[1], radius, index) or nil }
  end
  local frame, ratio = common_body(one, other), record.given.ratio
  local here, there = one.given.at.a, other.given.at.a
  if type(ratio) ~= "number" or ratio == -1 or drawing.same(here, there) then
    return {}
  end
  local radius = drawing.distance(here, there) / (1 + ratio)
  return { circle(one, frame, radius, index), circle(other, frame, ratio * radius, index) }
end

-- Lists ------------------------------------------------------------------------------------------

local function joint(record, index)
  if record.joints then
    local bodies = record.joints[2].bodies
    return {
      name = record.name, kind = record.type, a = index[bodies[1]], b = index[bodies[2]],
      circles = circles(record, index),
    }
  end
  local result, given = connection(record, index), record.given
  local axis, axis_b = given.axis, given.axis
  if given.axes then
    axis, axis_b = given.axes[1], given.axes[2]
  end
  local a, b = record.bodies[1], record.bodies[2]
  result.axis = axis and drawing.direction(a, axis)
  result.axis_b = axis_b and drawing.direction(b, axis_b)
  result.normal = given.normal and drawing.direction(a, given.normal)
  return result
end

--- The joints of a scene, in the order of the model.
---@param model sarrus.Model
---@param index table<table, integer> bodies by number
---@return table[]
function places.joints(model, index)
  local list = {}
  for i, record in ipairs(model.joints) do
    list[i] = joint(record, index)
  end
  return list
end

-- Forces that have a place on each body.
local drawn = { spring = true, damper = true, bushing = true }

--- The forces of a scene.
---@param model sarrus.Model
---@param index table<table, integer>
---@return table[]
function places.forces(model, index)
  local list = {}
  for _, record in ipairs(model.forces) do
    if drawn[record.type] then
      list[#list + 1] = connection(record, index)
    end
  end
  return list
end

return places
