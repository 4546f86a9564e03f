--- The kind of field that an inertia is: checked to be one that a body can have.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"

local got, show = errors.got, errors.show

--- The eigenvalues of a symmetric 3x3 matrix by Jacobi's rotations, in ascending order.
local function principal(m)
  local a = {}
  for i = 1, 3 do
    a[i] = { m[i][1], m[i][2], m[i][3] }
  end
  for _ = 1, 30 do
    for p = 1, 2 do
      for r = p + 1, 3 do
        if a[p][r] ~= 0 then
          local theta = (a[r][r] - a[p][p]) / (2 * a[p][r])
          local t = (theta < 0 and -1 or 1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
          local c = 1 / math.sqrt(t * t + 1)
          local s = t * c
          for k = 1, 3 do
            local x, y = a[k][p], a[k][r]
            a[k][p], a[k][r] = c * x - s * y, s * x + c * y
          end
          for k = 1, 3 do
            local x, y = a[p][k], a[r][k]
            a[p][k], a[r][k] = c * x - s * y, s * x + c * y
          end
        end
      end
    end
  end
  local list = { a[1][1], a[2][2], a[3][3] }
  table.sort(list)
  return list
end

--- Moments that a body can have: none negative, none larger than the other two together.
local function possible(moments, path, fault)
  local text = ("%.6g, %.6g, %.6g"):format(moments[1], moments[2], moments[3])
  local a, b, c = moments[1], moments[2], moments[3]
  if a < -1e-12 * c then
    fault(("%s is not positive: principal moments %s"):format(path, text))
  elseif a + b < c * (1 - 1e-9) then
    fault(("%s: the triangle inequality does not hold for the principal moments: %.6g + %.6g "
      .. "< %.6g"):format(path, a, b, c))
  else
    return true
  end
end

local function symmetric(m, path, fault)
  local names, good = { "x", "y", "z" }, true
  for i = 1, 2 do
    for j = i + 1, 3 do
      local x, y = m[i][j], m[j][i]
      if type(x) == "number" and type(y) == "number"
        and math.abs(x - y) > 1e-9 * (math.abs(x) + math.abs(y)) then
        good = false
        fault(("%s is not symmetric: I%s%s = %s, I%s%s = %s"):format(path, names[i], names[j],
          show(x), names[j], names[i], show(y)))
      end
    end
  end
  return good
end

local function all_numbers(m)
  for i = 1, 3 do
    for j = 1, 3 do
      if type(m[i][j]) ~= "number" then
        return false
      end
    end
  end
  return true
end

--- A spatial inertia about the centre of mass: {Ixx, Iyy, Izz} or a 3x3 matrix; answers a matrix.
local function spatial_inertia(value, path, fault)
  local shape = path .. ": %s, want { Ixx, Iyy, Izz } or a 3x3 matrix { {Ixx, Ixy, Ixz}, … }"
  if type(value) ~= "table" or expr.is(value) then
    return fault(shape:format(got(value)))
  elseif #value ~= 3 then
    return fault(shape:format(("got a list of %d"):format(#value)))
  end
  local failed = false
  local function remember(message)
    failed = true
    fault(message)
  end
  local m
  if type(value[1]) == "table" and not expr.is(value[1]) then
    m = fields.list(fields.list(kinds.scalar, 3), 3)(value, path, remember)
  else
    local d = fields.list(kinds.scalar, 3)(value, path, remember)
    m = d and { { d[1], 0, 0 }, { 0, d[2], 0 }, { 0, 0, d[3] } }
  end
  if failed or not m or not symmetric(m, path, fault) then
    return nil
  end
  return (not all_numbers(m) or possible(principal(m), path, fault)) and m or nil
end

local function planar_inertia(value, path, fault)
  if type(value) == "table" and not expr.is(value) then
    return fault(path .. ": " .. got(value) .. ", want one number in a planar model")
  end
  return kinds.not_negative(value, path, fault)
end

--- An inertia about the centre of mass.
---@param dimension integer
local function inertia(dimension)
  return dimension == 2 and planar_inertia or spatial_inertia
end

return inertia
