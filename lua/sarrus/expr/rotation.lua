--- Rotations: 3x3 matrices (lists of rows) of numbers or expressions, and how scripts write them.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local functions = require "sarrus.expr.functions".public

local rotation = {}

---@alias sarrus.Matrix sarrus.Scalar[][] rows

--- The matrix that changes nothing.
---@return sarrus.Matrix
function rotation.identity()
  return { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
end

--- A v.
---@param m sarrus.Matrix
---@param x number[]
---@return number[]
function rotation.apply(m, x)
  local y = {}
  for i = 1, 3 do
    y[i] = m[i][1] * x[1] + m[i][2] * x[2] + m[i][3] * x[3]
  end
  return y
end

---@param m sarrus.Matrix
---@return sarrus.Matrix
function rotation.transpose(m)
  local r = {}
  for i = 1, 3 do
    r[i] = { m[1][i], m[2][i], m[3][i] }
  end
  return r
end

---@param a sarrus.Matrix
---@param b sarrus.Matrix
---@return sarrus.Matrix
function rotation.product(a, b)
  local r = {}
  for i = 1, 3 do
    r[i] = {}
    for j = 1, 3 do
      r[i][j] = a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j]
    end
  end
  return r
end

--- A quaternion's matrix; its length does not matter.
---@param p number[] w, x, y, z
---@return sarrus.Matrix
function rotation.of_quaternion(p)
  local w, x, y, z = p[1], p[2], p[3], p[4]
  local s = 2 / (w * w + x * x + y * y + z * z)
  return {
    { 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y) },
    { s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x) },
    { s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y) },
  }
end

--- The turn by an angle about a unit axis.
---@param axis number[]
---@param angle number
---@return sarrus.Matrix
function rotation.about(axis, angle)
  local s = functions.sin(angle / 2)
  return rotation.of_quaternion { functions.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end

--- The unit quaternion of a rotation, w >= 0.
---@param m sarrus.Matrix
---@return number[] w, x, y, z
function rotation.quaternion(m)
  local trace = m[1][1] + m[2][2] + m[3][3]
  local squares = { 1 + trace, 1 - trace + 2 * m[1][1], 1 - trace + 2 * m[2][2],
    1 - trace + 2 * m[3][3] }
  local largest = 1
  for i = 2, 4 do
    if squares[i] > squares[largest] then
      largest = i
    end
  end
  local a, b, c = m[3][2] - m[2][3], m[1][3] - m[3][1], m[2][1] - m[1][2]
  local xy, xz, yz = m[1][2] + m[2][1], m[1][3] + m[3][1], m[2][3] + m[3][2]
  local columns = {
    { squares[1], a, b, c }, { a, squares[2], xy, xz }, { b, xy, squares[3], yz },
    { c, xz, yz, squares[4] },
  }
  local p = columns[largest]
  local norm = math.sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3] + p[4] * p[4])
  norm = p[1] < 0 and -norm or norm
  return { p[1] / norm, p[2] / norm, p[3] / norm, p[4] / norm }
end

local function has_expressions(list)
  for _, x in ipairs(list) do
    if expr.is(x) then
      return true
    end
  end
  return false
end
rotation.has_expressions = has_expressions

--- A vector across an axis of which it leaves out the smallest component, or one nearly as small.
local function across(axis)
  local x, y, z = axis[1], axis[2], axis[3]
  if math.abs(z) >= math.abs(x) and math.abs(z) >= math.abs(y) then
    return { z, 0, -x }
  elseif math.abs(x) >= math.abs(y) then
    return { -y, x, 0 }
  end
  return { 0, -z, y }
end

--- The same of expressions: which of the three it is depends on their values.
local function across_expressions(axis)
  local abs, select = functions.abs, functions.select
  local x, y, z = axis[1], axis[2], axis[3]
  local flat, steep = abs(x) - abs(y), functions.min(abs(z) - abs(x), abs(z) - abs(y))
  return {
    select(steep, z, select(flat, -y, 0)), select(steep, 0, select(flat, x, -z)),
    select(steep, -x, select(flat, 0, y)),
  }
end

--- Two unit vectors that make a right-handed set with a unit axis (u x v = axis).
---@param axis sarrus.Scalar[]
---@return sarrus.Scalar[] u
---@return sarrus.Scalar[] v
function rotation.orthogonal(axis)
  local x, y, z = axis[1], axis[2], axis[3]
  local u = has_expressions(axis) and across_expressions(axis) or across(axis)
  local norm = functions.sqrt(u[1] * u[1] + u[2] * u[2] + u[3] * u[3])
  u = { u[1] / norm, u[2] / norm, u[3] / norm }
  return u, { y * u[3] - z * u[2], z * u[1] - x * u[3], x * u[2] - y * u[1] }
end

--- The rotation whose first axis is the given unit vector: the smallest turn from the world's x,
--- or, for the half that points back, from -x after half a turn about z.
---@param d sarrus.Scalar[]
---@return sarrus.Matrix
function rotation.towards(d)
  local sign = functions.select(d[1], 1, -1)
  local m = rotation.of_quaternion { 1 + sign * d[1], 0, -sign * d[3], sign * d[2] }
  for i = 1, 3 do
    m[i][1], m[i][2] = sign * m[i][1], sign * m[i][2]
  end
  return m
end

-- What scripts write -----------------------------------------------------------------------------

local function of_matrix(value, path, fault)
  local failed = false
  local rows = fields.list(fields.list(fields.number, 3), 3)(value, path, function(message)
    failed = true
    fault(message)
  end)
  if failed then
    return nil
  end
  local product, worst = rotation.product(rotation.transpose(rows), rows), 0
  for i = 1, 3 do
    for j = 1, 3 do
      worst = math.max(worst, math.abs(product[i][j] - (i == j and 1 or 0)))
    end
  end
  local a, b, c = rows[1], rows[2], rows[3]
  local det = a[1] * (b[2] * c[3] - b[3] * c[2]) - a[2] * (b[1] * c[3] - b[3] * c[1])
    + a[3] * (b[1] * c[2] - b[2] * c[1])
  if worst > 1e-6 or det < 0 then
    return fault(("%s: the columns are no right-handed orthonormal axes: determinant %.6g, largest "
      .. "deviation %.3g"):format(path, det, worst))
  end
  return rotation.of_quaternion(rotation.quaternion(rows))
end

local function of_axis_angle(value, path, fault, scalar)
  local failed = false
  local function remember(message)
    failed = true
    fault(message)
  end
  local given = fields.collect({
    { "axis", fields.list(scalar, 3), required = true },
    { "angle", scalar, required = true },
  }, value, path, remember)
  local a = given.axis
  local norm = a and #a == 3 and functions.sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
  if failed or not norm then
    return nil
  elseif type(norm) == "number" and norm < 1e-12 then
    return fault(path .. ".axis has no direction")
  end
  return rotation.about({ a[1] / norm, a[2] / norm, a[3] / norm }, given.angle)
end

local function of_quaternion(value, path, fault, scalar, warn)
  local failed = false
  local p = fields.list(scalar, 4)(value, path, function(message)
    failed = true
    fault(message)
  end)
  if failed then
    return nil
  end
  local norm = functions.sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3] + p[4] * p[4])
  if type(norm) ~= "number" then
    return rotation.of_quaternion(p)
  elseif norm < 1e-12 then
    return fault(path .. ": the quaternion is zero, so no rotation")
  elseif math.abs(norm - 1) > 1e-5 and warn then
    warn("normalised", ("%s: the quaternion has length %s and was normalised"):format(path,
      errors.show(norm)))
  end
  return rotation.of_quaternion(p)
end

--- A kind for fields: a quaternion {w, x, y, z}, { axis =, angle = }, or a matrix of rows, which
--- takes numbers alone.
---@param scalar function the kind of the others' components
---@param warn? fun(code: string, message: string)
function rotation.kind(scalar, warn)
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(("%s: %s, want a quaternion {w, x, y, z}, { axis = {…}, angle = … } or a 3x3 "
        .. "matrix"):format(path, errors.got(value)))
    elseif value.axis ~= nil or value.angle ~= nil then
      return of_axis_angle(value, path, fault, scalar)
    elseif type(value[1]) == "table" and not expr.is(value[1]) then
      return of_matrix(value, path, fault)
    end
    return of_quaternion(value, path, fault, scalar, warn)
  end
end

return rotation
