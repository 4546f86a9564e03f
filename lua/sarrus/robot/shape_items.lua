--- The shapes of a robot as items, and contacts between them where they are asked for.

local placement = require "sarrus.robot.placement"

local shape_items = {}

--- The ends of what lies along z.
local function ends(at, length)
  return placement.point(at, { 0, 0, -length / 2 }), placement.point(at, { 0, 0, length / 2 })
end

--- What each kind of shape is given, from its placement in the drawing.
local makers = {}

function makers.box(shape, at)
  return "box", { at = at.origin, size = shape.size, orientation = placement.quaternion(at) }
end

function makers.sphere(shape, at)
  return "sphere", { at = at.origin, radius = shape.radius }
end

function makers.cylinder(shape, at)
  local from, to = ends(at, shape.length)
  return shape.kind, { from = from, to = to, radius = shape.radius }
end
makers.capsule = makers.cylinder

function makers.plane(_, at)
  return "plane", { at = at.origin, normal = placement.direction(at, { 0, 0, 1 }) }
end

local function even(scale)
  return scale[1] == scale[2] and scale[2] == scale[3]
end

function makers.mesh(shape, at)
  local s = shape.scale
  local scale = even(s) and s[1] or s
  return "mesh", {
    file = shape.file, at = at.origin, orientation = placement.quaternion(at),
    scale = scale ~= 1 and scale or nil,
  }
end

--- The capsule that an ellipsoid is drawn as: along its longest axis.
function makers.ellipsoid(shape, at)
  local half = shape.half
  local long = half[1] >= half[2] and half[1] >= half[3] and 1 or half[2] >= half[3] and 2 or 3
  local radius = math.max(half[long % 3 + 1], half[(long + 1) % 3 + 1])
  if half[long] - radius < 1e-9 * radius then
    return "sphere", { at = at.origin, radius = radius }
  end
  local d = { 0, 0, 0 }
  d[long] = half[long] - radius
  return "capsule", {
    from = placement.point(at, { -d[1], -d[2], -d[3] }), to = placement.point(at, d),
    radius = radius,
  }
end

--- The shapes of a link that are wanted: what is seen; of a link of which nothing is, and for
--- contacts, what touches.
local function wanted(link, options)
  local list, seen = {}, false
  for _, shape in ipairs(link.shapes) do
    seen = seen or shape.role == "visual"
  end
  for _, shape in ipairs(link.shapes) do
    if shape.role == "visual" or not seen or options.contacts then
      list[#list + 1] = shape
    end
  end
  return list
end

local function item_of(shape, link, taken, body_name)
  local kind, given = makers[shape.kind](shape, placement.product(link.at, shape.at))
  if shape.half then
    shape.element:note(("%s: an ellipsoid is drawn as a %s"):format(shape.element:title(), kind))
  end
  local own = shape.name or (link.name .. "_" .. (shape.role == "visual" and "shape" or "hull"))
  shape.part = taken:take(own, shape.name and "_shape" or "")
  given[1], given[2], given.color = shape.part, body_name(link), shape.color
  return { "shape", kind, given = given, element = shape.element, points = shape.points }
end

-- Contacts ---------------------------------------------------------------------------------------

local ROUND = { sphere = true, capsule = true }
local SOLID = { sphere = true, capsule = true, box = true }

--- Whether models know how two kinds of shapes touch.
local function known(a, b)
  if a == "plane" or b == "plane" then
    return a ~= b and a ~= "mesh" and b ~= "mesh"
  end
  return ROUND[a] and SOLID[b] or ROUND[b] and SOLID[a]
end

--- Whether two links may touch: they are not one body, nor joined, nor both fixed.
local function apart(a, b, body_name)
  local one, other = body_name(a), body_name(b)
  if one == other then
    return false
  end
  for _, link in ipairs { a, b } do
    local joint = link.body and link.body.link.joint
    local inner = joint and joint.kind.part and joint.a
    if inner and body_name(inner) == (link == a and other or one) then
      return false
    end
  end
  return true
end

--- Whether MuJoCo's masks let two shapes touch; what has none touches all.
local function unmasked(a, b)
  if not a.mask or not b.mask then
    return true
  end
  local function common(x, y)
    while x > 0 and y > 0 do
      if x % 2 == 1 and y % 2 == 1 then
        return true
      end
      x, y = math.floor(x / 2), math.floor(y / 2)
    end
    return false
  end
  return common(a.mask[1], b.mask[2]) or common(b.mask[1], a.mask[2])
end

local function put_pair(put, a, b, taken, options)
  if not known(a.shape.kind, b.shape.kind) then
    b.shape.element:note(("%s and %s do not touch: a %s and a %s cannot"):format(a.shape.part,
      b.shape.part, a.shape.kind, b.shape.kind))
    return
  end
  local friction = options.contacts.friction
    or math.max(a.shape.friction or 0, b.shape.friction or 0)
  put {
    "contact", "pair", element = b.shape.element, given = {
      taken:take(a.shape.part .. "_" .. b.shape.part, ""), a.shape.part, b.shape.part,
      friction = friction > 0 and friction or nil, restitution = options.contacts.restitution,
    },
  }
end

local function put_contacts(put, list, taken, body_name, options)
  for i, a in ipairs(list) do
    for j = i + 1, #list do
      local b = list[j]
      if apart(a.link, b.link, body_name) and unmasked(a.shape, b.shape) then
        put_pair(put, a, b, taken, options)
      end
    end
  end
end

--- Where a file means shapes to touch, as MJCF does by its masks: that they do not is told once.
local function note_idle(list, body_name)
  for i, a in ipairs(list) do
    for j = i + 1, #list do
      local b = list[j]
      local means = a.shape.mask and b.shape.mask and unmasked(a.shape, b.shape)
      if means and apart(a.link, b.link, body_name) then
        return a.shape.element:note(("%s and other shapes do not touch: contacts = true lets them")
          :format(a.shape.part))
      end
    end
  end
end

--- All shapes, and the contacts between those that touch.
---@param put fun(item: table) a shape
---@param put_contact fun(item: table)
---@param robot table
---@param taken sarrus.RobotNames
---@param body_name fun(link: table): string
---@param options table
function shape_items.put(put, put_contact, robot, taken, body_name, options)
  local touching = {}
  local function put_link(link)
    for _, shape in ipairs(wanted(link, options)) do
      put(item_of(shape, link, taken, body_name))
      if shape.role == "collision" or shape.touches then
        touching[#touching + 1] = { shape = shape, link = link }
      end
    end
  end
  if robot.ground then
    put_link(robot.ground)
  end
  for _, link in ipairs(robot.links) do
    put_link(link)
  end
  if options.contacts then
    put_contacts(put_contact, touching, taken, body_name, options)
  else
    note_idle(touching, body_name)
  end
end

return shape_items
