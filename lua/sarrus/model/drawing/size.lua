--- The size of a model, with which its lengths are compared.

local drawing = require "sarrus.model.drawing"

local size = {}

local norm = drawing.norm

--- The largest that `f` tells of a body.
local function largest(model, f)
  local most = 0
  for _, body in ipairs(model.bodies) do
    most = math.max(most, f(body) or 0)
  end
  return most
end

local function put(places, ...)
  for k = 1, select("#", ...) do
    places[#places + 1] = (select(k, ...))
  end
end

--- Places of bodies and joints.
local function drawn(model)
  local places = {}
  for _, body in ipairs(model.bodies) do
    put(places, body.position)
    for _, p in ipairs(body.ends or {}) do
      put(places, p)
    end
  end
  for _, joint in ipairs(model.joints) do
    if not joint.definition.touches then
      put(places, drawing.places(joint))
    end
  end
  return places
end

--- Where the lines of forces end.
local function lines(model)
  local places = {}
  for _, force in ipairs(model.forces) do
    local from, to = force.checked.from, force.checked.to
    if type(from) == "table" and type(to) == "table" then
      put(places, from, to)
    end
  end
  return places
end

--- The radius of gyration of a body, about the axis for which it is largest.
local function gyration(body)
  local mass, inertia = body.mass, body.turns and body.inertia
  local most = type(inertia) == "number" and inertia or 0
  for i, row in ipairs(type(inertia) == "table" and inertia or {}) do
    most = math.max(most, row[i])
  end
  return mass and mass > 0 and math.sqrt(most / mass)
end

--- How far a body rises against gravity by its speed, v^2 / g: twice the height.
local function rise(model)
  local gravity = norm(model.gravity or {})
  return largest(model, function(body)
    return gravity > 0 and body.velocity and norm(body.velocity) ^ 2 / gravity
  end)
end

--- The size of a model: the extent of its drawing; of one that is a single place, that of the
--- lines of its forces, the radius of gyration of its bodies, their distance from the origin, the
--- height that they rise to; else 1.
---@param model table a drawn one
---@return number in m
function size.of(model)
  for _, found in ipairs {
    drawing.size(drawn(model)), drawing.size(lines(model)), largest(model, gyration),
    largest(model, function(body) return norm(body.position) end), rise(model),
  } do
    if found > 0 and found < math.huge then
      return found
    end
  end
  return 1
end

--- Give a drawn model its size, and its constraints the weights that follow from it.
---@param model table a drawn one
function size.measure(model)
  model.size = size.of(model)
  model.weights = model.equations:weights(model.size)
end

return size
