--- Where joints and forces are, in the axes of their bodies.

local drawing = require "sarrus.model.drawing"
local families = require "sarrus.model.part.family"

local places = {}

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
  for _, family in ipairs(families.all()) do
    for _, record in ipairs(rawget(model, family.list) or {}) do
      if record.bodies and not record.definition.touches then
        local a, b = drawing.places(record)
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
  local at_a, at_b = drawing.places(record)
  return {
    name = record.name, kind = record.type, symbol = record.definition.symbol, a = index[a],
    b = index[b], at_a = at_a and drawing.place(a, at_a), at_b = at_b and drawing.place(b, at_b),
  }
end

--- Part of the scene of a joint between joints.
local function coupling(record, index)
  local bodies = record.joints[2].bodies
  return {
    name = record.name, kind = record.type, symbol = record.definition.symbol,
    a = index[bodies[1]], b = index[bodies[2]],
  }
end

--- What a joint wants drawn, with the numbers of bodies.
local function circles(record, index)
  local list = {}
  for i, one in ipairs(record.definition.circles(record.checked, record)) do
    list[i] = { body = index[one.body], at = one.at, radius = one.radius, axis = one.axis }
  end
  return list
end

--- How far a distance or a rope can stretch, where that does not depend on parameters.
local function reach(checked)
  local most = checked.limits and checked.limits[2] or checked.length
  return checked.from and type(most) == "number" and most or nil
end

local function joint(record, index)
  local result = record.joints and coupling(record, index) or connection(record, index)
  result.circles = record.definition.circles and circles(record, index)
  if record.joints then
    return result
  end
  local checked, a, b = record.checked, record.bodies[1], record.bodies[2]
  local axis, axis_b = checked.axis, checked.axis
  if checked.axes then
    axis, axis_b = checked.axes[1], checked.axes[2]
  end
  result.axis = axis and drawing.direction(a, axis)
  result.axis_b = axis_b and drawing.direction(b, axis_b)
  result.normal = checked.normal and drawing.direction(a, checked.normal)
  result.reach = reach(checked)
  return result
end

--- Where each joint is on each body that it holds: { joint = its number, at }, by the body's
--- number.
local function held(joints)
  local by_body = {}
  for i, one in ipairs(joints) do
    for _, side in ipairs { "a", "b" } do
      local at = one["at_" .. side]
      if at then
        by_body[one[side]] = by_body[one[side]] or {}
        table.insert(by_body[one[side]], { joint = i, at = at })
      end
    end
  end
  return by_body
end

--- The room of each joint: how far the next one on a body of its own is away, unless they are at
--- one place.
local function put_rooms(joints, near)
  for _, list in pairs(held(joints)) do
    for i, p in ipairs(list) do
      for k = i + 1, #list do
        local q = list[k]
        local d = p.joint ~= q.joint and drawing.distance(p.at, q.at) or 0
        for _, one in ipairs(d > near and { joints[p.joint], joints[q.joint] } or {}) do
          one.room = math.min(one.room or d, d)
        end
      end
    end
  end
end

--- The joints of a scene, in the order of the model.
---@param model sarrus.Model
---@param index table<table, integer> bodies by number
---@param near number what counts as one place
---@return table[]
function places.joints(model, index, near)
  local list = {}
  for i, record in ipairs(model.joints) do
    list[i] = joint(record, index)
  end
  put_rooms(list, near)
  return list
end

--- The forces of a scene: those with a symbol.
---@param model sarrus.Model
---@param index table<table, integer>
---@return table[]
function places.forces(model, index)
  local list = {}
  for _, record in ipairs(model.forces) do
    if record.definition.symbol then
      list[#list + 1] = connection(record, index)
    end
  end
  return list
end

return places
