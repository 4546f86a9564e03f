--- Where shapes touch, and by which laws.

local errors = require "sarrus.base.errors"
local forms = require "sarrus.model.drawing.form"
local later = require "sarrus.base.later"
local shapes = require "sarrus.model.drawing.shape"
local vec = require "sarrus.expr.vec"
local planar = later "sarrus.model.equations.touch_planar"
local spatial = later "sarrus.model.equations.touch_spatial"

--- One point at which two shapes can touch, as expressions of the state.
---@class sarrus.Touch
---@field a string the shape or body A
---@field b string
---@field gap sarrus.Scalar never negative; its rate is that of B against A along the normal
---@field normal sarrus.Vector? from A to B, a unit vector
---@field tangents sarrus.Vector[]? across it
---@field position sarrus.Vector? where they touch
---@field slip (sarrus.Scalar[]|fun(): sarrus.Scalar[]) velocities of B against A along the tangents
---@field half string? the one of the two that is a line or plane
---@field bound sarrus.Scalar? positive only where the gap is, and cheaper; one for all of a pair

local touch = {}

local of_dimension = { [2] = planar, [3] = spatial }

-- Pairs ------------------------------------------------------------------------------------------

--- The function for a pair of forms; whether it takes them the other way round.
local function meeting(a, b, dimension)
  local meetings = of_dimension[dimension].meetings
  local form_a, form_b = shapes.form(a), shapes.form(b)
  local kind_a, kind_b = form_a.kind or form_a[1], form_b.kind or form_b[1]
  local straight = meetings[kind_a .. " " .. kind_b]
  if straight then
    return straight, false
  end
  return meetings[kind_b .. " " .. kind_a], true
end

--- What is wrong with a pair of shapes that cannot touch; nil for those that can.
---@param a sarrus.Shape
---@param b sarrus.Shape
---@param dimension integer
---@return string?
function touch.unsupported(a, b, dimension)
  if meeting(a, b, dimension) then
    return nil
  end
  local x, y = shapes.form(a)[1], shapes.form(b)[1]
  return ("no contact of a %s and a %s; there is %s"):format(x, y, of_dimension[dimension].works)
end

--- The velocity of B against A along some tangents.
local function slips(tangents, velocity_a, velocity_b)
  local relative, list = velocity_b() - velocity_a(), {}
  for k, tangent in ipairs(tangents) do
    list[k] = vec.dot(tangent, relative)
  end
  return list
end

--- A material point at a place of the world: that of the body there.
local function material(frame, position)
  return function()
    return frame:velocity_off(position - frame:point())
  end
end

--- A distance that is positive only where the shapes do not touch: of balls about them, or of one
--- from a line or plane.  nil where both are such, so that the gap is that distance.
local function bound_of(x, y)
  local a, b = forms.ball(x.form), forms.ball(y.form)
  if not b or (not a and b.exact) or (a and a.exact and b.exact) then
    return nil
  end
  local center = y.frame:point(b.at)
  if not a then
    local normal = x.frame:direction(x.form.normal)
    return vec.dot(normal, center - x.frame:point(x.form.at)) - b.radius
  end
  return vec.norm(center - x.frame:point(a.at)) - (a.radius + b.radius)
end

--- The name of the one that has a side where nothing may be: a line or plane.
local function half_of(a, b)
  for _, one in ipairs { a, b } do
    local kind = shapes.form(one)[1]
    if kind == "line" or kind == "plane" then
      return one.name
    end
  end
end

--- All points at which two shapes can touch.
---@param a sarrus.Shape
---@param b sarrus.Shape
---@param frame_of fun(body: table): sarrus.Frame
---@return sarrus.Touch[]
function touch.between(a, b, frame_of)
  local frame_a, frame_b = frame_of(a.body), frame_of(b.body)
  local meet, turned = meeting(a, b, frame_a.dimension)
  local list = {}
  local x = { frame = frame_a, form = shapes.form(a) }
  local y = { frame = frame_b, form = shapes.form(b) }
  if turned then
    x, y = y, x
  end
  local bound, half = bound_of(x, y), half_of(a, b)
  for i, one in ipairs(meet(x, y)) do
    if turned then
      one.normal = -one.normal
      one.velocity_a, one.velocity_b = one.velocity_b, one.velocity_a
    end
    local velocity_a = one.velocity_a or material(frame_a, one.position)
    local velocity_b = one.velocity_b or material(frame_b, one.position)
    local tangents = one.tangents or of_dimension[frame_a.dimension].tangents(one.normal)
    list[i] = {
      a = a.name, b = b.name, gap = one.gap, normal = one.normal, position = one.position,
      tangents = tangents, bound = bound, half = half,
      slip = function()
        return slips(tangents, velocity_a, velocity_b)
      end,
    }
  end
  return list
end

-- Laws -------------------------------------------------------------------------------------------

local function is_none(coefficient)
  return coefficient == nil or coefficient == 0
end

--- The laws of a contact, put into the equations; contact.laws keeps them with their places.
---@param equations sarrus.Equations
---@param contact table the record
function touch.put(equations, contact)
  local friction = contact.checked.friction or {}
  local rough = not (is_none(friction.sliding) and is_none(friction.static))
  contact.laws = {}
  local found = contact.definition.meets(contact, function(body)
    return equations:frame(body)
  end)
  for i, one in ipairs(found) do
    local slip = rough and one.slip or {}
    local law = {
      name = contact.name, gap = one.gap, slip = type(slip) == "function" and slip() or slip,
      friction = rough and friction.sliding or nil,
      static_friction = rough and friction.static or nil,
      restitution = contact.checked.restitution, bound = one.bound, unit = "m", owner = contact,
    }
    if type(law.gap) == "number" then
      errors.raise(("%s: the gap is %s, whatever moves"):format(contact.what, errors.show(law.gap)))
    end
    contact.laws[i] = { law = law, index = equations:contact(law), touch = one }
  end
end

return touch
