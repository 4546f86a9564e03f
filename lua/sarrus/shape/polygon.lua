--- A convex polygon in the plane, by its corners one after the other.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local forms = require "sarrus.model.drawing.form"
local functions = require "sarrus.expr.functions".public
local kinds = require "sarrus.model.part.kinds"

local polygon = { bodies = "one", dimension = 2, instead = "box" }

function polygon.fields()
  return { { "points", fields.list(kinds.place(2)), required = true } }
end

--- The turn at corner i: positive to the left.
local function turn(points, i)
  local n = #points
  local a, b, c = points[(i - 2) % n + 1], points[i], points[i % n + 1]
  return (b[1] - a[1]) * (c[2] - b[2]) - (b[2] - a[2]) * (c[1] - b[1])
end

--- Twice the area, positive where the corners go round to the left.
local function area(points)
  local total = 0
  for i, p in ipairs(points) do
    local q = points[i % #points + 1]
    total = total + p[1] * q[2] - p[2] * q[1]
  end
  return total
end

--- How often the sides go round.
local function rounds(points)
  local angle, n = 0, #points
  for i = 1, n do
    local a, b, c = points[(i - 2) % n + 1], points[i], points[i % n + 1]
    local dot = (b[1] - a[1]) * (c[1] - b[1]) + (b[2] - a[2]) * (c[2] - b[2])
    angle = angle + functions.atan(turn(points, i), dot)
  end
  return math.abs(angle) / (2 * math.pi)
end

function polygon.check(shape, fault)
  local points = shape.checked.points
  if #points < 3 then
    return fault(("points: %s, want at least 3 corners"):format(errors.count(#points, "corner")))
  end
  local size = area(points)
  for i = 1, #points do
    local side = turn(points, i)
    if math.abs(side) <= 1e-12 * math.abs(size) then
      return fault(("points[%d]: no corner: it lies on the line of its neighbours"):format(i))
    elseif (side > 0) ~= (size > 0) then
      return fault(("points[%d]: the polygon is not convex there; put it together from convex ones")
        :format(i))
    end
  end
  if rounds(points) > 1.5 then
    fault("points: the sides cross each other")
  end
end

function polygon.form(checked, to)
  local points, places, n = {}, {}, #checked.points
  local sense = area(checked.points)
  for i, p in ipairs(checked.points) do
    places[i] = to.place(p)
  end
  for i = 1, n do
    local a, b = places[i], places[n + 1 - i]
    points[i] = { functions.select(sense, a[1], b[1]), functions.select(sense, a[2], b[2]) }
  end
  return forms.polygon("polygon", points)
end

return polygon
