--- Constraints that joints are made of.  One is { expression that vanishes, what it forbids, unit =
--- "m" or "rad" }; `gap` is what to measure it by where that is another expression.

local later = require "sarrus.base.later"
local vec = require "sarrus.expr.vec"
local rotation = later "sarrus.expr.rotation"

local constraint = {}

local letters = { "x", "y", "z" }

--- A direction in words: `x`, `-y` or `(0.6, 0.8, 0)`; one that parameters turn has none.
---@param d sarrus.Scalar[]
---@return string
function constraint.direction(d)
  if rotation.has_expressions(d) then
    return "a direction of its own"
  end
  for k = 1, #d do
    if math.abs(math.abs(d[k]) - 1) < 1e-9 then
      return letters[k]
    end
  end
  local texts = {}
  for k = 1, #d do
    texts[k] = ("%.3g"):format(d[k])
  end
  return "(" .. table.concat(texts, ", ") .. ")"
end

--- Two points coincide.
---@param p sarrus.Vector of A
---@param q sarrus.Vector of B
---@return table[] constraints
function constraint.coincide(p, q)
  local list = {}
  for k = 1, #p do
    list[k] = { q[k] - p[k], "motion along " .. letters[k], unit = "m" }
  end
  return list
end

--- Seen from the point p of A, the point q of B does not move along the direction d of A.
function constraint.across(a, p, q, d)
  return { vec.dot(q - p, a:along(d)), "motion along " .. constraint.direction(d), unit = "m" }
end

--- The axis of B stays parallel to the axis of A.
function constraint.parallel(a, b, axis)
  local u, v = rotation.orthogonal(axis)
  local w = b:along(axis)
  return {
    { vec.dot(a:along(u), w), "rotation about " .. constraint.direction(v), unit = "rad" },
    { vec.dot(a:along(v), w), "rotation about " .. constraint.direction(u), unit = "rad" },
  }
end

--- The place at.b of B stays on the line of A through at.a along the axis.
---@return table[] constraints
function constraint.on_line(a, b, at, axis)
  local p, q = a:place(at.a), b:place(at.b)
  if a.dimension == 2 then
    return { constraint.across(a, p, q, { -axis[2], axis[1] }) }
  end
  local u, v = rotation.orthogonal(axis)
  return { constraint.across(a, p, q, u), constraint.across(a, p, q, v) }
end

--- Rows of several lists in one.
---@return table[] constraints
function constraint.join(...)
  local list = {}
  for _, part in ipairs { ... } do
    for _, row in ipairs(part) do
      list[#list + 1] = row
    end
  end
  return list
end

--- The bodies do not turn relative to each other.
---@return table[] constraints
function constraint.locked(a, b)
  if a.dimension == 2 then
    return { { constraint.angle(a, b).value, "rotation", unit = "rad" } }
  end
  local axes, list = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, {}
  for i = 1, 3 do
    local j, k = i % 3 + 1, (i + 1) % 3 + 1
    list[i] = {
      vec.dot(a:along(axes[j]), b:along(axes[k])), "rotation about " .. letters[i], unit = "rad",
    }
  end
  return list
end

local function drawn_angle(frame)
  return frame.body.angle or 0
end

--- The angle of B relative to A about an axis, 0 in the drawing: in the plane as a value and its
--- rate, plain, a difference of coordinates; in space as multiples of its cosine and sine.
---@return { kind: "angle", rate_name: "rate", unit: "rad" }
function constraint.angle(a, b, axis)
  if a.dimension == 2 then
    return {
      kind = "angle", rate_name = "rate", unit = "rad", plain = true,
      value = b:angle() - a:angle() - (drawn_angle(b) - drawn_angle(a)),
      rate = b:spin() - a:spin(),
    }
  end
  local u, v = rotation.orthogonal(axis)
  local w = b:along(u)
  return {
    kind = "angle", rate_name = "rate", unit = "rad",
    cosine = vec.dot(a:along(u), w), sine = vec.dot(a:along(v), w),
  }
end

--- How far the place q of B has moved along the axis of A, seen from the place p of A.
---@return { kind: "length", rate_name: "speed", unit: "m" }
function constraint.length(a, b, p, q, axis)
  local gap, along = b:place(q) - a:place(p), a:along(axis)
  local drawn = 0
  for k = 1, #p do
    drawn = drawn + (q[k] - p[k]) * axis[k]
  end
  return {
    kind = "length", rate_name = "speed", unit = "m",
    value = vec.dot(gap, along) - drawn,
    rate = vec.dot(b:place_velocity(q) - a:place_velocity(p), along)
      + vec.dot(gap, a:along_rate(axis)),
  }
end

return constraint
