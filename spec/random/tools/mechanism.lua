--- Random mechanisms, as plain data and as models: bodies with masses, inertias in world axes and
--- places, joints as lists of relative motions.
local sarrus = require "sarrus"
local space = dofile("spec/random/tools/space.lua")
local add, cross, scale = space.add, space.cross, space.scale

local mechanism = { space = space }

local Z = { 0, 0, 1 }

--- A number in the plane, a vector in space; places likewise.
local function places(dimension, a)
  return dimension == 2 and { a[1], a[2] } or a
end

function mechanism.spin(dimension, w)
  return dimension == 2 and w[3] or w
end

--- A place in a box about a place.
function mechanism.place(draw, dimension, about, size)
  return add(about, { draw:between(-size, size), draw:between(-size, size),
    dimension == 2 and 0 or draw:between(-size, size) })
end

--- A body at a centre: its inertia in body axes, and its axes turned.
function mechanism.body(draw, dimension, name, centre)
  local moments = draw:list(3, 0.5, 1) -- no one above the sum of the others
  local factor = draw:between(0.02, 0.3)
  local axis = dimension == 2 and Z or draw:direction()
  local angle = draw:between(-2, 2)
  local rotation = space.rotation(axis, angle)
  local inertia = { { factor * moments[1], 0, 0 }, { 0, factor * moments[2], 0 },
    { 0, 0, factor * moments[3] } }
  return {
    name = name, centre = centre, mass = draw:between(0.5, 3), axis = axis, angle = angle,
    rotation = rotation, body_inertia = inertia,
    inertia = space.product(rotation, space.product(inertia, space.transposed(rotation))),
    velocity = { 0, 0, 0 }, spin = { 0, 0, 0 },
  }
end

--- Kinds of joints: what moves, as angular (w) and linear (d) unit motions; `of_b` for axes fixed
--- in B.
local kinds = {
  revolute = function(joint) return { { w = joint.axis } } end,
  prismatic = function(joint) return { { d = joint.axis } } end,
  cylindrical = function(joint) return { { w = joint.axis }, { d = joint.axis } } end,
  spherical = function() return { { w = { 1, 0, 0 } }, { w = { 0, 1, 0 } }, { w = Z } } end,
  universal = function(joint)
    return { { w = joint.axes[1] }, { w = joint.axes[2], of_b = true } }
  end,
  fixed = function() return {} end,
}

--- A joint between two bodies (nil: the ground) at a place.
function mechanism.joint(draw, dimension, name, kind, a, b, at)
  local joint = { name = name, kind = kind, a = a, b = b, at = at, effort = 0 }
  if dimension == 2 then
    local angle = draw:between(0, 2 * math.pi)
    joint.axis = kind == "revolute" and Z or { math.cos(angle), math.sin(angle), 0 }
  else
    joint.axis = draw:direction()
  end
  if kind == "universal" then
    local other = cross(joint.axis, draw:direction())
    joint.axes = { joint.axis, scale(other, 1 / space.norm(other)) }
  end
  joint.motions = kinds[kind](joint)
  return joint
end

-- Models -----------------------------------------------------------------------------------------

local function body_part(dimension, body)
  local i = body.body_inertia
  return sarrus.body.rigid {
    body.name, position = places(dimension, body.centre), mass = body.mass,
    inertia = dimension == 2 and i[3][3] or { i[1][1], i[2][2], i[3][3] },
    angle = dimension == 2 and body.angle or nil,
    orientation = dimension == 3 and { axis = body.axis, angle = body.angle } or nil,
    velocity = places(dimension, body.velocity), spin = mechanism.spin(dimension, body.spin),
  }
end

local function joint_part(dimension, joint)
  local given = { joint.name, joint.a and joint.a.name or "ground",
    joint.b and joint.b.name or "ground", at = places(dimension, joint.at) }
  if joint.kind == "universal" then
    given.axes = joint.axes
  elseif joint.kind == "prismatic" or (dimension == 3 and joint.kind ~= "spherical"
    and joint.kind ~= "fixed") then
    given.axis = places(dimension, joint.axis)
  end
  for key, value in pairs(joint.given or {}) do
    given[key] = value
  end
  return sarrus.joint[joint.kind](given)
end

--- The model of lists of bodies and joints.
function mechanism.model(dimension, gravity, bodies, joints)
  local parts = { gravity = places(dimension, gravity) }
  for _, body in ipairs(bodies) do
    parts[#parts + 1] = body_part(dimension, body)
  end
  for _, joint in ipairs(joints) do
    parts[#parts + 1] = joint_part(dimension, joint)
  end
  return sarrus.model(parts)
end

-- States -----------------------------------------------------------------------------------------

--- The accelerations of a body at a state: of its centre, and angular; and its axes.
function mechanism.accelerations(dimension, s, body)
  local function read(list, suffix)
    return { list[body.name .. "." .. suffix .. "x"], list[body.name .. "." .. suffix .. "y"],
      dimension == 3 and list[body.name .. "." .. suffix .. "z"] or 0 }
  end
  if dimension == 2 then
    return read(s.a, ""), { 0, 0, s.a[body.name .. ".angle"] }
  end
  local alpha, axes = { 0, 0, 0 }, {}
  for i = 1, 3 do -- sum e x e'' = 2 alpha
    axes[i] = read(s.q, "e" .. i)
    alpha = add(alpha, cross(axes[i], read(s.a, "e" .. i)), 0.5)
  end
  return read(s.a, ""), alpha, axes
end

--- What the joint exerts on B at a state: force, torque, and where.
function mechanism.reaction(dimension, s, joint)
  local reading = s:joint(joint.name)
  local torque = dimension == 2 and { 0, 0, reading.torque } or space.lift(reading.torque)
  local b, at = joint.b, joint.at
  if b then -- its place in the axes of B, as drawn
    local place = space.apply(space.transposed(b.rotation), space.less(joint.at, b.centre))
    at = space.lift(s:point(b.name, places(dimension, place)))
  end
  return space.lift(reading.force), torque, at
end

return mechanism
