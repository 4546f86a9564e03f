--- Random drawings: lists of parts whose numbers come from a source (sources.lua).
local sarrus = require "sarrus"
local body, joint, force, shape, contact = sarrus.body, sarrus.joint, sarrus.force, sarrus.shape,
  sarrus.contact

local drawings = {}

--- Places of the plane without their third component.
local function place(dimension, p)
  return dimension == 2 and { p[1], p[2] } or p
end

local function middle(p, q)
  local m = {}
  for k = 1, #p do
    m[k] = (p[k] + q[k]) / 2
  end
  return m
end

-- Bodies -----------------------------------------------------------------------------------------

--- Kinds of bodies about a place, which reach towards another one.
local bodies = {}

--- Not thin in space: about itself a thin rod has an inertia that is lost in the rounding of the
--- others.
function bodies.rod(source, p, q)
  return { from = p, to = q, mass = source:number(0.5, 2),
    radius = #p == 3 and source:number(0.05, 0.1) or nil }
end

function bodies.box(source, p, q)
  return { position = middle(p, q), size = source:about(place(#p, { 0.5, 0.4, 0.3 }), 0.1),
    density = source:number(1, 3) }
end

function bodies.cylinder(source, p, q)
  return { position = middle(p, q), radius = source:number(0.1, 0.3),
    length = source:number(0.2, 0.6), mass = source:number(0.5, 2),
    axis = #p == 3 and source:about({ 0.3, 0.2, 0.9 }, 0.1) or nil }
end

function bodies.sphere(source, p, q)
  return { position = middle(p, q), radius = source:number(0.1, 0.3),
    density = source:number(10, 20) }
end

function bodies.rigid(source, p, q)
  return { position = middle(p, q), mass = source:number(0.5, 2),
    inertia = #p == 2 and source:number(0.05, 0.2) or {
      { source:number(0.1, 0.15), source:number(0, 0.01), 0 },
      { 0, source:number(0.1, 0.15), 0 }, { 0, 0, source:number(0.1, 0.15) },
    } }
end

local KINDS = { "rod", "box", "cylinder", "sphere", "rigid" }

--- A body between two places.
local function draw_body(source, name, p, q, kinds)
  local kind = source.draw:pick(kinds or KINDS)
  local given = bodies[kind](source, p, q)
  given[1], given.velocity = name, kinds and source:about(place(#p, { 0.5, -4, 0.2 }), 0.3)
  if kind == "rigid" and #p == 3 then
    given.inertia[2][1] = given.inertia[1][2]
  end
  if kind ~= "rod" and #p == 2 then
    given.angle = source:number(-1, 1)
  elseif kind ~= "rod" then
    given.orientation = { axis = source:about({ 0, 0, 1 }, 0.3), angle = source:number(-1, 1) }
  end
  return body[kind](given)
end

-- Joints -----------------------------------------------------------------------------------------

local CHAIN = {
  [2] = { "revolute", "revolute", "prismatic", "fixed" },
  [3] = { "revolute", "prismatic", "cylindrical", "universal", "spherical", "screw", "fixed" },
}
local HAS_AXIS = { revolute = 3, prismatic = 2, cylindrical = 3, screw = 3 }
local LOOP = {
  [2] = { "revolute", "revolute", "revolute", "revolute", "revolute" },
  [3] = { "revolute", "spherical", "universal", "spherical", "cylindrical" },
}

local function draw_axis(source, dimension)
  return source:about(place(dimension, source.draw:direction()), 0.2)
end

local function draw_joint(source, name, kind, a, b, at)
  local dimension = #(at.a or at)
  local given = { name, a, b, at = at }
  if HAS_AXIS[kind] and HAS_AXIS[kind] <= dimension then
    given.axis = draw_axis(source, dimension)
  elseif kind == "universal" then
    given.axes = { source:about({ 1, 0, 0 }, 0.2), source:about({ 0, 0, 1 }, 0.2) }
  end
  if kind == "screw" then
    given.pitch = source:number(0.2, 0.5)
  elseif kind == "revolute" or kind == "prismatic" then
    given.stiffness, given.rest = source:number(1, 5), source:number(-0.5, 0.5)
  end
  return joint[kind](given)
end

-- Mechanisms -------------------------------------------------------------------------------------

local function gravity(source, dimension)
  return source:about(place(dimension, { 0, -9.81, 0 }), 1)
end

--- A chain of bodies from the ground outwards, held by a spring at its end.
local function chain(source, dimension)
  local parts = { gravity = gravity(source, dimension) }
  local p, last = source:about(place(dimension, { 0, 0, 0 }), 0.3), "ground"
  for i = 1, source.draw:whole(1, 4) do
    local q = source:about(place(dimension, { i, 0.3, -0.2 }), 0.3)
    parts[#parts + 1] = draw_body(source, "b" .. i, p, q)
    parts[#parts + 1] = draw_joint(source, "j" .. i, source.draw:pick(CHAIN[dimension]), last,
      "b" .. i, p)
    p, last = q, "b" .. i
  end
  parts[#parts + 1] = force.spring { "spring", "ground", last, to = p, damping = 0.1,
    from = source:about(place(dimension, { 1, 3, 1 }), 0.3), stiffness = source:number(5, 10) }
  return parts
end

--- A loop of bodies from the ground round to the ground; its last joint may be drawn a little open.
local function loop(source, dimension)
  local parts, kinds = { gravity = gravity(source, dimension) }, LOOP[dimension]
  local count = dimension == 2 and source.draw:whole(4, 5) or 5
  local places = {}
  for i = 1, count do
    local angle = 2 * math.pi * i / count
    places[i] = source:about(place(dimension, { math.cos(angle), math.sin(angle), 0 }), 0.25)
  end
  for i = 1, count - 1 do
    parts[#parts + 1] = draw_body(source, "b" .. i, places[i], places[i + 1])
  end
  for i, at in ipairs(places) do
    local open = i == count and source.draw:chance(0.5)
    parts[#parts + 1] = draw_joint(source, "j" .. i, kinds[i], i > 1 and "b" .. i - 1 or "ground",
      i < count and "b" .. i or "ground",
      open and { a = at, b = source:about(at, 0.05) } or at)
  end
  return parts
end

--- What else acts between two bodies and the ground, one of each kind.
local function others(source, dimension)
  local function about(x, y, z)
    return source:about(place(dimension, { x, y, z }), 0.2)
  end
  local p, q, r = about(0, 0, 0), about(1, 0.2, 0), about(2, -0.2, 0.3)
  local spatial = dimension == 3
  return {
    gravity = gravity(source, dimension),
    draw_body(source, "a", p, q), draw_body(source, "b", q, r),
    body.point { "c", position = about(3, 0, 0), mass = source:number(0.5, 1) },
    joint.slot { "slot", "ground", "a", at = p, axis = draw_axis(source, dimension) },
    joint.distance { "bar", "b", "c", from = r, to = about(3, 0, 0) },
    joint.distance { "rod", "a", "ground", from = q, to = about(1, 2, 1),
      length = source:number(1.6, 2.4) },
    force.bushing { "bushing", "a", "b", at = q, stiffness = source:number(20, 30), damping = 0.2 },
    force.damper { "damper", "ground", "c", from = about(4, 2, 0), to = about(3, 0, 0),
      damping = source:number(0.1, 1) },
    force.torsion { "torsion", "a", "b", stiffness = source:number(1, 2),
      axis = spatial and draw_axis(source, 3) or nil },
    force.applied { "push", "b", at = r, force = about(1, 2, 3), frame = "body" },
  }
end

--- A wheel that rolls, a gear on it, a rack.
local function wheels(source)
  local radius, x = source:number(0.3, 0.5), source:number(-0.2, 0.2)
  return {
    gravity = { source:number(1, 2), -9.81 },
    body.disk { "wheel", position = { x, radius }, radius = radius, mass = source:number(1, 2) },
    body.rod { "arm", from = { x, radius }, to = source:about({ 1, 1 }, 0.2), mass = 1 },
    body.box { "slide", position = source:about({ 0, 2 }, 0.1), mass = 1,
      size = { 0.2, source:number(0.1, 0.2) } },
    joint.rolling { "track", "ground", "wheel", radius = radius, normal = { 0, 1 } },
    joint.revolute { "hinge", "wheel", "arm", at = { x, radius } },
    joint.prismatic { "rail", "wheel", "slide", at = source:about({ 0, 2 }, 0.1),
      axis = draw_axis(source, 2) },
    joint.rack { "rack", "hinge", "rail", radius = source:number(0.1, 0.2) },
  }
end

-- Contacts ---------------------------------------------------------------------------------------

local shapes = { [2] = {}, [3] = {} }

shapes[2].disk = function(source, at) return { at = at, radius = source:number(0.2, 0.4) } end
shapes[2].box = function(source, at)
  return { at = at, size = source:about({ 0.5, 0.4 }, 0.1), angle = source:number(-1, 1) }
end
shapes[2].polygon = function(source, at)
  local points = {}
  for i, corner in ipairs { { -0.3, 0.2 }, { 0.2, 0.3 }, { 0.3, -0.2 }, { -0.2, -0.3 } } do
    points[i] = { at[1] + corner[1] + source:number(-0.05, 0.05), at[2] + corner[2] }
  end
  return { points = points }
end
shapes[3].sphere = shapes[2].disk
shapes[3].box = function(source, at)
  return { at = at, size = source:about({ 0.5, 0.4, 0.3 }, 0.1),
    orientation = { axis = source:about({ 0, 0, 1 }, 0.3), angle = source:number(-1, 1) } }
end
shapes[3].capsule = function(source, at)
  return { from = at, to = source:about({ 0.4, 0.6, 0.2 }, 0.1), radius = source:number(0.1, 0.2) }
end
shapes[3].cylinder = shapes[3].capsule

local SHAPES = {
  [2] = { "disk", "box", "polygon" }, [3] = { "sphere", "box", "capsule", "cylinder" },
}

--- A floor that slopes, and what is thrown against it: `thrown`, with a law of its own.
local function against_floor(source, dimension, thrown, surfaces)
  local floor = dimension == 2 and shape.line or shape.plane
  return {
    gravity = gravity(source, dimension),
    floor { "floor", "ground", at = source:about(place(dimension, { 0, -0.5, 0 }), 0.1),
      normal = source:about(place(dimension, { 0, 1, 0 }), 0.1) },
    thrown,
    contact.pair { "contact", surfaces, "body", friction = source:number(0.1, 0.4),
      restitution = source:number(0.1, 0.5) },
  }
end

--- A body that is its own shape.
local function fallen(source, dimension)
  local p = source:about(place(dimension, { -0.3, 0.5, 0 }), 0.1)
  local q = source:about(place(dimension, { 0.3, 0.8, 0.2 }), 0.1)
  return against_floor(source, dimension, draw_body(source, "body", p, q,
    { "rod", "box", "cylinder", "sphere" }), "floor")
end

--- A body with a shape, on the way to an obstacle.
local function thrown(source, dimension)
  local kind = source.draw:pick(SHAPES[dimension])
  local at = source:about(place(dimension, { 0, 0.55, 0 }), 0.1)
  local given = shapes[dimension][kind](source, at)
  given[1], given[2] = "shape", "body"
  local obstacle = dimension == 2 and "box" or "sphere"
  local on_way = shapes[dimension][obstacle](source,
    source:about(place(dimension, { 0.3, -0.4, 0.1 }), 0.1))
  on_way[1], on_way[2] = "obstacle", "ground"
  return against_floor(source, dimension, {
    body.rigid { "body", position = source:about(at, 0.05), mass = source:number(0.5, 2),
      inertia = dimension == 2 and source:number(0.05, 0.1)
        or { 0.1, source:number(0.1, 0.15), 0.1 },
      velocity = source:about(place(dimension, { 0.5, -4, 0.2 }), 0.3) },
    shape[kind](given), shape[obstacle](on_way),
  }, kind == "cylinder" and "floor" or { "floor", "obstacle" })
end

function drawings.chain_planar(source) return chain(source, 2) end
function drawings.chain_spatial(source) return chain(source, 3) end
function drawings.loop_planar(source) return loop(source, 2) end
function drawings.loop_spatial(source) return loop(source, 3) end

function drawings.others_planar(source) return others(source, 2) end
function drawings.others_spatial(source) return others(source, 3) end
function drawings.thrown_planar(source) return thrown(source, 2) end
function drawings.thrown_spatial(source) return thrown(source, 3) end
function drawings.fallen_planar(source) return fallen(source, 2) end
function drawings.fallen_spatial(source) return fallen(source, 3) end
drawings.wheels = wheels

drawings.names = {
  "chain_planar", "chain_spatial", "loop_planar", "loop_spatial", "others_planar", "others_spatial",
  "thrown_planar", "thrown_spatial", "fallen_planar", "fallen_spatial", "wheels",
}

return drawings
