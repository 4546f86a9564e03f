--- Where planar shapes touch.
---
--- A function of `meetings` takes two shapes, { frame =, form = }, and lists their points:
--- { gap =, normal = (from the first to the second), position =, velocity_a =, velocity_b = }, the
--- last two for the material points of the first and the second, where they are not simply those at
--- the position.  What depends on the side or corner that is nearest is chosen by `select`, so that
--- the core hands over from one to the next exactly where they are equally near.

local functions = require "sarrus.expr.functions".public
local vec = require "sarrus.expr.vec"

local planar = { meetings = {} }
local meetings = planar.meetings

planar.works = "line with disk, box, polygon, bar, point; disk with disk, box, polygon, bar, "
  .. "point; box, polygon and bar with each other and with point"

-- How much farther, of the size of a polygon, the side may be that a corner leans on than the one
-- that it would slide past: corners of stacked boxes stand exactly above each other.
local LEANING = 1e-11

--- The tangent that goes with a normal: to the right of it.
function planar.tangents(normal)
  return { vec.new { normal[2], -normal[1] } }
end

--- a where x >= 0, else b; of vectors too.
local function choose(x, a, b)
  if type(a) ~= "table" or a.op then
    return a == b and a or functions.select(x, a, b)
  end
  return vec.new { choose(x, a[1], b[1]), choose(x, a[2], b[2]) }
end

--- A place of the world in the axes of a shape's body.
local function seen_from(shape, place)
  return shape.frame:inward(place - shape.frame:point())
end

-- Lines ------------------------------------------------------------------------------------------

--- The gap of a line and a place of the second, which is `radius` away from its border.
local function above(line, at, radius)
  local normal = line.frame:direction(line.form.normal)
  local gap = vec.dot(normal, at - line.frame:point(line.form.at))
  if radius ~= 0 then
    gap = gap - radius
  end
  return gap, normal
end

meetings["line disk"] = function(line, disk)
  local frame, form = disk.frame, disk.form
  local center = frame:point(form.at)
  local gap, normal = above(line, center, form.radius)
  return { {
    gap = gap, normal = normal, position = center - normal * form.radius,
    velocity_b = function()
      local arm = frame:direction(form.at) - normal * form.radius
      return frame:velocity_off(arm)
    end,
  } }
end

--- Every corner of a polygon, and its velocity.
local function corners(shape)
  local list = {}
  for i, corner in ipairs(shape.form.corners) do
    list[i] = {
      position = shape.frame:point(corner.at), inward = corner.inward,
      velocity = function() return shape.frame:velocity(corner.at) end,
    }
  end
  return list
end

meetings["line polygon"] = function(line, polygon)
  local list = {}
  for i, corner in ipairs(corners(polygon)) do
    local gap, normal = above(line, corner.position, 0)
    list[i] = {
      gap = gap, normal = normal, position = corner.position, velocity_b = corner.velocity,
    }
  end
  return list
end

-- Disks ------------------------------------------------------------------------------------------

meetings["disk disk"] = function(a, b)
  local from, to = a.frame:point(a.form.at), b.frame:point(b.form.at)
  local distance = vec.norm(to - from)
  local normal = (to - from) / distance
  local position = from + normal * a.form.radius
  return { {
    gap = distance - (a.form.radius + b.form.radius), normal = normal, position = position,
    velocity_a = function()
      return a.frame:velocity_off(a.frame:direction(a.form.at) + normal * a.form.radius)
    end,
    velocity_b = function()
      return b.frame:velocity_off(b.frame:direction(b.form.at) - normal * b.form.radius)
    end,
  } }
end

--- Distance and direction of a place from a side, which ends at corners.
local function from_side(side, place)
  local from, to = place - side.from, place - side.to
  local before, behind = vec.dot(side.along, from), -vec.dot(side.along, to)
  local near, far = vec.norm(from), vec.norm(to)
  local distance = choose(before, choose(behind, vec.dot(side.normal, from), far), near)
  local direction = choose(before, choose(behind, side.normal, to / far), from / near)
  return distance, direction
end

--- The side of a polygon that is nearest to a place, in the polygon's axes.
local function nearest_side(polygon, place)
  local best, height
  for _, side in ipairs(polygon.sides) do
    local own = vec.dot(side.normal, place - side.from)
    if not best then
      best, height = side, own
    else
      local x, chosen = height - own, {}
      for _, field in ipairs { "from", "to", "along", "normal" } do
        chosen[field] = choose(x, best[field], side[field])
      end
      best, height = chosen, functions.select(x, height, own)
    end
  end
  return best
end

meetings["polygon disk"] = function(polygon, disk)
  local frame, form = disk.frame, disk.form
  local center = frame:point(form.at)
  local place = seen_from(polygon, center)
  local distance, direction = from_side(nearest_side(polygon.form, place), place)
  local normal = polygon.frame:direction(direction)
  return { {
    gap = distance - form.radius, normal = normal, position = center - normal * form.radius,
    velocity_b = function()
      return frame:velocity_off(frame:direction(form.at) - normal * form.radius)
    end,
  } }
end

meetings["disk point"] = function(disk, point)
  local center, place = disk.frame:point(disk.form.at), point.frame:point(point.form.at)
  local distance = vec.norm(place - center)
  return { {
    gap = distance - disk.form.radius, normal = (place - center) / distance, position = place,
    velocity_b = function() return point.frame:velocity(point.form.at) end,
  } }
end

-- Polygons ---------------------------------------------------------------------------------------

--- How high a place is above the face of a polygon that it is highest above, and that face's
--- normal, in the axes of the polygon, with faces so much farther out.  Of faces that are equally
--- high, that on which a corner leans whose inside lies in this direction.
local function above_faces(polygon, place, inward, out)
  local height, leaning, normal
  for _, face in ipairs(polygon.faces) do
    local own = vec.dot(face.normal, place - face.at)
    if out ~= 0 then
      own = own - out
    end
    local leans = own + LEANING * polygon.size * vec.dot(face.normal, inward)
    if not height then
      height, leaning, normal = own, leans, face.normal
    else
      local x = leaning - leans
      height, normal = functions.select(x, height, own), choose(x, normal, face.normal)
      leaning = functions.select(x, leaning, leans)
    end
  end
  return height, normal
end

--- Corners of the second on the first.  A bar or a point has no inside that would tell on which
--- side of a bar it lies: it meets the bar half a thickness from its middle.
local function corners_on(polygon, other)
  local list, out = {}, other.form.inside and 0 or polygon.form.half_thickness
  for i, corner in ipairs(corners(other)) do
    local place = seen_from(polygon, corner.position)
    local inside = out == 0 and corner.inward or { 0, 0 }
    local inward = polygon.frame:inward(other.frame:direction(inside))
    local height, normal = above_faces(polygon.form, place, inward, out)
    list[i] = {
      gap = height, normal = polygon.frame:direction(normal), position = corner.position,
      velocity_b = corner.velocity,
    }
  end
  return list
end

meetings["polygon polygon"] = function(a, b)
  local list = corners_on(a, b)
  for _, one in ipairs(corners_on(b, a)) do
    one.normal = -one.normal
    one.velocity_a, one.velocity_b = one.velocity_b, one.velocity_a
    list[#list + 1] = one
  end
  return list
end

meetings["polygon point"] = corners_on
meetings["line point"] = meetings["line polygon"]

return planar
