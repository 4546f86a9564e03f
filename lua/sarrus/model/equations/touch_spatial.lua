--- Where spatial shapes touch: as in touch_planar.lua.

local drawing = require "sarrus.model.drawing"
local functions = require "sarrus.expr.functions".public
local rotation = require "sarrus.expr.rotation"
local vec = require "sarrus.expr.vec"

local spatial = { meetings = {} }
local meetings = spatial.meetings

spatial.works = "plane with sphere, box, capsule, cylinder, point; sphere and capsule with sphere, "
  .. "capsule, box"

local max, min, select, sqrt = functions.max, functions.min, functions.select, functions.sqrt

-- The z of a normal at which its tangents change.  Any will do but 0, or another that normals keep
-- by the way things are drawn, as those of an upright edge do: there rounding would turn them.
local TURN = -0.37

--- Two tangents that go with a normal that is not fixed in a body: both are smooth but where the
--- normal's z passes TURN (Duff and others, Building an orthonormal basis, revisited).
function spatial.tangents(n)
  local sign = select(n[3] - TURN, 1, -1)
  local a = 1 / (1 + sign * n[3])
  local b = n[1] * n[2] * a
  return {
    vec.new { 1 - n[1] * n[1] * a, -b, -sign * n[1] },
    vec.new { -sign * b, sign * (1 - n[2] * n[2] * a), -n[2] },
  }
end

-- Planes -----------------------------------------------------------------------------------------

--- Points of a plane: normal and tangents are fixed in its body.
local function on_plane(plane, list)
  local u, v = rotation.orthogonal(plane.form.normal)
  local tangents = { plane.frame:direction(u), plane.frame:direction(v) }
  local normal, origin = plane.frame:direction(plane.form.normal), plane.frame:point(plane.form.at)
  for _, one in ipairs(list) do
    one.normal, one.tangents = normal, tangents
    one.gap = vec.dot(normal, one.center - origin) - one.radius
    one.gap = one.lifted and one.gap + one.lifted or one.gap
    one.position = one.position or one.radius == 0 and one.center
      or one.center - normal * one.radius
    one.velocity_b = one.velocity
  end
  return list
end

--- A ball about a place of a body; of radius 0, the place.
local function ball(shape, at, radius)
  local frame = shape.frame
  return {
    center = frame:point(at), radius = radius,
    velocity = radius == 0 and function() return frame:velocity(at) end or nil,
  }
end

meetings["plane sphere"] = function(plane, sphere)
  return on_plane(plane, { ball(sphere, sphere.form.at, sphere.form.radius) })
end

meetings["plane point"] = function(plane, point)
  return on_plane(plane, { ball(point, point.form.at, 0) })
end

meetings["plane capsule"] = function(plane, capsule)
  local form = capsule.form
  return on_plane(plane, {
    ball(capsule, form.from, form.radius), ball(capsule, form.to, form.radius),
  })
end

--- The corners of a box, in the axes of its body.
local function corners(box)
  local list = {}
  for i = 0, 7 do
    local p = {}
    for k = 1, 3 do
      p[k] = box.at[k]
      for axis = 1, 3 do
        local side = math.floor(i / 2 ^ (axis - 1)) % 2 * 2 - 1
        p[k] = p[k] + side * box.half[axis] * box.axes[axis][k]
      end
    end
    list[i + 1] = p
  end
  return list
end

meetings["plane box"] = function(plane, box)
  local list = {}
  for i, p in ipairs(corners(box.form)) do
    list[i] = ball(box, p, 0)
  end
  return on_plane(plane, list)
end

-- Below this sine S of its tilt a cylinder stands: on three points of its rim.  The depth of the
-- rim, the sine s times the radius, goes on as s^2 / S there; so while it tilts by less than that,
-- its lowest point may be S / 4 of the radius below the floor.  S is as small as rounding lets the
-- square of s be told from 0: with 1e-7, 3 of 300 random scenes ended where one was upright.
local STANDS = 1e-6

local function axis_of(form)
  if form.axis then
    return form.axis
  end
  local d = {}
  for k = 1, 3 do
    d[k] = (form.to[k] - form.from[k]) / drawing.distance(form.from, form.to)
  end
  return d
end

--- How a cylinder is tilted: n x a, its square (1 - (n.a)^2 would be rounding), and the sine, at
--- least STANDS.
local function tilt_of(plane, cylinder, a)
  local axis = cylinder.frame:direction(a)
  local cross = vec.cross(plane.frame:direction(plane.form.normal), axis)
  local square = vec.dot(cross, cross)
  return { axis = axis, cross = cross, square = square, sine = sqrt(max(square, STANDS * STANDS)) }
end

--- The lowest point of a rim, R |n x a| below its middle.
local function rim(cylinder, at, tilt)
  local center, radius = cylinder.frame:point(at), cylinder.form.radius
  local deep = select(tilt.square - STANDS * STANDS, tilt.sine, tilt.square / STANDS)
  local across = vec.cross(tilt.axis, tilt.cross) / tilt.sine
  return { center = center, radius = radius * deep, position = center - across * radius }
end

--- Points that divide a rim in three.  They touch where it stands; elsewhere they are lifted: one
--- that the lowest point passes would touch with it, at the same place.
local function rim_points(cylinder, at, a, tilt, list)
  local u, v = rotation.orthogonal(a)
  for i = 0, 2 do
    local c, s, p = math.cos(2 * math.pi * i / 3), math.sin(2 * math.pi * i / 3), {}
    for k = 1, 3 do
      p[k] = at[k] + cylinder.form.radius * (c * u[k] + s * v[k])
    end
    local point = ball(cylinder, p, 0)
    point.lifted = cylinder.form.radius * (tilt.sine - STANDS)
    list[#list + 1] = point
  end
end

meetings["plane cylinder"] = function(plane, cylinder)
  local form, list = cylinder.form, {}
  local a = axis_of(form)
  local tilt = tilt_of(plane, cylinder, a)
  for _, at in ipairs { form.from, not form.flat and form.to or nil } do
    list[#list + 1] = rim(cylinder, at, tilt)
    rim_points(cylinder, at, a, tilt, list)
  end
  return on_plane(plane, list)
end

-- Balls ------------------------------------------------------------------------------------------

--- Two places of the world, each so far below a surface.
local function apart(from, from_radius, to, to_radius)
  local distance = vec.norm(to - from)
  local normal = (to - from) / distance
  return {
    gap = distance - (from_radius + to_radius), normal = normal,
    position = from + normal * from_radius,
  }
end

--- low where x is below it, high where it is above.
local function clamp(x, low, high)
  return min(max(x, low), high)
end

--- A line from one place of a body to another: its ends, direction and length.
local function line(shape, from, to)
  local frame, length, along = shape.frame, drawing.distance(from, to), {}
  for k = 1, 3 do
    along[k] = (to[k] - from[k]) / length
  end
  return {
    from = frame:point(from), to = frame:point(to), along = frame:direction(along), length = length,
  }
end

local function line_of(capsule)
  return line(capsule, capsule.form.from, capsule.form.to)
end

--- The place of a line nearest to a place.
local function nearest(own, place)
  return own.from + own.along * clamp(vec.dot(own.along, place - own.from), 0, own.length)
end

meetings["sphere sphere"] = function(a, b)
  return { apart(a.frame:point(a.form.at), a.form.radius, b.frame:point(b.form.at),
    b.form.radius) }
end

meetings["sphere capsule"] = function(sphere, capsule)
  local center = sphere.frame:point(sphere.form.at)
  return { apart(center, sphere.form.radius, nearest(line_of(capsule), center),
    capsule.form.radius) }
end

-- Lines whose angle has a smaller square of its sine cross nowhere: their ends are nearest.  That
-- leaves out L^2 / 8 d times as much of lines of a length L at a distance d.  Rods that turn on
-- each other from being parallel rock as fast as the inverse of the sine: before parallel ones met
-- at an end, a case of `slid` took 2,168 steps with 1e-8, and more than 3,000 with 1e-10; with 1e-6
-- it ended 5e-6 beside.
local PARALLEL = 1e-8

--- Where two lines are nearest to each other.  With n = a x b, across both, they cross at
--- s = ((between x b) . n) / n^2 (with cosines this would cancel where they are as good as
--- parallel); if that is beyond an end of the first, the end is nearest, and then to it that of the
--- second; if this is an end, too, the nearest of the first to it.  Of parallel lines s goes to 0
--- like n^3: else it would run away with their rounding, and take the gap's rate with it.
local function crossing(a, b)
  local between, across = b.from - a.from, vec.cross(a.along, b.along)
  local square = vec.dot(across, across)
  local inverse = select(square - PARALLEL, 1 / max(square, PARALLEL), square / PARALLEL ^ 2)
  local s = clamp(vec.dot(vec.cross(between, b.along), across) * inverse, 0, a.length)
  local place = nearest(b, a.from + a.along * s)
  return nearest(a, place), place
end

meetings["capsule capsule"] = function(a, b)
  local own, other = line_of(a), line_of(b)
  local r, s = a.form.radius, b.form.radius
  local from, to = crossing(own, other)
  return {
    apart(own.from, r, nearest(other, own.from), s), apart(own.to, r, nearest(other, own.to), s),
    apart(nearest(own, other.from), r, other.from, s),
    apart(nearest(own, other.to), r, other.to, s),
    apart(from, r, to, s),
  }
end

-- Boxes ------------------------------------------------------------------------------------------

--- The place of a box nearest to a place outside of it.
local function nearest_of_box(box, place)
  local d, point = place - box.frame:point(box.form.at), box.frame:point(box.form.at)
  for i = 1, 3 do
    local axis, half = box.frame:direction(box.form.axes[i]), box.form.half[i]
    point = point + axis * clamp(vec.dot(axis, d), -half, half)
  end
  return point
end

local function ball_on_box(box, center, radius)
  return apart(nearest_of_box(box, center), 0, center, radius)
end

meetings["box sphere"] = function(box, sphere)
  return { ball_on_box(box, sphere.frame:point(sphere.form.at), sphere.form.radius) }
end

--- The edges of a box, as pairs of corners: their numbers differ in one bit.
local function edges(box)
  local list, points = {}, corners(box)
  for i = 0, 7 do
    for _, bit in ipairs { 1, 2, 4 } do
      if math.floor(i / bit) % 2 == 0 then
        list[#list + 1] = { points[i + 1], points[i + bit + 1] }
      end
    end
  end
  return list
end

--- Ends of the capsule on the box, corners of the box on the capsule, edges across it.
meetings["box capsule"] = function(box, capsule)
  local own, r = line_of(capsule), capsule.form.radius
  local list = { ball_on_box(box, own.from, r), ball_on_box(box, own.to, r) }
  for _, p in ipairs(corners(box.form)) do
    local corner = box.frame:point(p)
    list[#list + 1] = apart(corner, 0, nearest(own, corner), r)
  end
  for _, edge in ipairs(edges(box.form)) do
    local from, to = crossing(line(box, edge[1], edge[2]), own)
    list[#list + 1] = apart(from, 0, to, r)
  end
  return list
end

return spatial
