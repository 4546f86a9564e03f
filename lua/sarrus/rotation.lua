--- Rotations: 3x3 matrices (lists of rows) of numbers, and how scripts write them.

local errors = require "sarrus.errors"
local fields = require "sarrus.fields"

local rotation = {}

---@alias sarrus.Matrix number[][] rows

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
  local s = math.sin(angle / 2)
  return rotation.of_quaternion { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
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

--- Two unit vectors that make a right-handed set with a unit axis (u x v = axis).
---@param axis number[]
---@return number[] u
---@return number[] v
function rotation.orthogonal(axis)
  local x, y, z = axis[1], axis[2], axis[3]
  local u
  if math.abs(z) >= math.abs(x) and math.abs(z) >= math.abs(y) then
    u = { z, 0, -x }
  elseif math.abs(x) >= math.abs(y) then
    u = { -y, x, 0 }
  else
    u = { 0, -z, y }
  end
  local norm = math.sqrt(u[1] * u[1] + u[2] * u[2] + u[3] * u[3])
  u = { u[1] / norm, u[2] / norm, u[3] / norm }
  return u, { y * u[3] - z * u[2], z * u[1] - x * u[3], x * u[2] - y * u[1] }
end

--- The rotation whose first axis is the given unit vector: the smallest turn from the world's x,
--- or, for the half that points back, from -x after half a turn about z.
---@param d number[]
---@return sarrus.Matrix
function rotation.towards(d)
  if d[1] < 0 then
    local m = rotation.towards { -d[1], -d[2], -d[3] }
    for i = 1, 3 do
      m[i][1], m[i][2] = -m[i][1], -m[i][2]
    end
    return m
  end
  return rotation.of_quaternion { 1 + d[1], 0, -d[3], d[2] }
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

local function of_axis_angle(value, path, fault)
  local failed = false
  local function remember(message)
    failed = true
    fault(message)
  end
  local given = fields.collect({
    { "axis", fields.list(fields.number, 3), required = true },
    { "angle", fields.number, required = true },
  }, value, path, remember)
  local a = given.axis
  local norm = a and #a == 3 and math.sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
  if failed or not norm then
    return nil
  elseif norm < 1e-12 then
    return fault(path .. ".axis has no direction")
  end
  return rotation.about({ a[1] / norm, a[2] / norm, a[3] / norm }, given.angle)
end

local function of_quaternion(value, path, fault, warn)
  local failed = false
  local p = fields.list(fields.number, 4)(value, path, function(message)
    failed = true
    fault(message)
  end)
  if failed then
    return nil
  end
  local norm = math.sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3] + p[4] * p[4])
  if norm < 1e-12 then
    return fault(path .. ": the quaternion is zero, so no rotation")
  elseif math.abs(norm - 1) > 1e-5 and warn then
    warn("normalised", ("%s: the quaternion has length %s and was normalised"):format(path,
      errors.show(norm)))
  end
  return rotation.of_quaternion(p)
end

--- A kind for fields: a quaternion {w, x, y, z}, { axis =, angle = }, or a matrix of rows.
---@param warn? fun(code: string, message: string)
function rotation.kind(warn)
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(("%s: %s, want a quaternion {w, x, y, z}, { axis = {…}, angle = … } or a 3x3 "
        .. "matrix"):format(path, errors.got(value)))
    elseif value.axis ~= nil or value.angle ~= nil then
      return of_axis_angle(value, path, fault)
    elseif type(value[1]) == "table" then
      return of_matrix(value, path, fault)
    end
    return of_quaternion(value, path, fault, warn)
  end
end

return rotation
