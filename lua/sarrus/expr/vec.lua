--- Vectors of two or three numbers or expressions.

local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local functions = require "sarrus.expr.functions".public

---@class sarrus.Vector
---@field [integer] sarrus.Scalar
---@field x sarrus.Scalar
---@field y sarrus.Scalar
---@field z sarrus.Scalar? nil in the plane
---@operator add(sarrus.Vector): sarrus.Vector
---@operator sub(sarrus.Vector): sarrus.Vector
---@operator mul(sarrus.Scalar): sarrus.Vector
---@operator div(sarrus.Scalar): sarrus.Vector
---@operator unm: sarrus.Vector
local Vector = { __name = "sarrus.vector" }

---@class sarrus.vec
---@overload fun(x: sarrus.Scalar, y: sarrus.Scalar, z?: sarrus.Scalar): sarrus.Vector
---@overload fun(list: sarrus.Scalar[]): sarrus.Vector
local vec = {}

local position = { x = 1, y = 2, z = 3 }

function Vector.__index(self, key)
  local i = position[key]
  if i then
    return rawget(self, i)
  end
  return vec[key]
end

local is_expression, getmetatable, type = expr.is, getmetatable, type

local function is_scalar(x)
  return type(x) == "number" and x - x == 0 or is_expression(x)
end

--- A vector from a list; a vector is its own.
---@param list sarrus.Scalar[]|sarrus.Vector
---@return sarrus.Vector
function vec.new(list)
  if getmetatable(list) == Vector then
    return list
  elseif type(list) ~= "table" or expr.is(list) then
    errors.raise("a vector is a list of 2 or 3 numbers, " .. errors.got(list))
  end
  local n = #list
  if n < 2 or n > 3 then
    errors.raise("a vector has 2 or 3 components, got " .. n)
  end
  for i = 1, n do
    if not is_scalar(list[i]) then
      errors.raise(("component %d of a vector is %s, want a number or an expression"):format(i,
        errors.show(list[i])))
    end
  end
  return setmetatable({ list[1], list[2], list[3] }, Vector)
end

--- Whether a value is a vector of this class.
---@param value any
---@return boolean
function vec.is(value)
  return getmetatable(value) == Vector
end

local function pair(a, b)
  a, b = vec.new(a), vec.new(b)
  if #a ~= #b then
    errors.raise(("a vector of %d components meets one of %d"):format(#a, #b))
  end
  return a, b
end

local function make(x, y, z)
  return setmetatable({ x, y, z }, Vector)
end

function Vector.__add(a, b)
  a, b = pair(a, b)
  return make(a[1] + b[1], a[2] + b[2], a[3] and a[3] + b[3])
end

function Vector.__sub(a, b)
  a, b = pair(a, b)
  return make(a[1] - b[1], a[2] - b[2], a[3] and a[3] - b[3])
end

function Vector.__unm(a)
  return make(-a[1], -a[2], a[3] and -a[3])
end

--- factor * a
---@param a sarrus.Vector
---@param factor sarrus.Scalar
---@return sarrus.Vector
function vec.scale(a, factor)
  a = vec.new(a)
  if not is_scalar(factor) then
    errors.raise("a vector is scaled by a number or an expression, " .. errors.got(factor))
  end
  return make(a[1] * factor, a[2] * factor, a[3] and a[3] * factor)
end

function Vector.__mul(a, b)
  if is_scalar(a) then
    return vec.scale(b, a)
  elseif is_scalar(b) then
    return vec.scale(a, b)
  end
  errors.raise("a product of vectors: use vec.dot or vec.cross")
end

function Vector.__div(a, b)
  a = vec.new(a)
  if not is_scalar(b) or b == 0 then
    errors.raise("a vector is divided by a number other than 0 or an expression, " .. errors.got(b))
  end
  return make(a[1] / b, a[2] / b, a[3] and a[3] / b)
end

function Vector:__tostring()
  local texts = {}
  for i = 1, #self do
    texts[i] = type(self[i]) == "number" and errors.show(self[i]) or tostring(self[i])
  end
  return "{ " .. table.concat(texts, ", ") .. " }"
end

--- The scalar product.
---@param a sarrus.Vector
---@param b sarrus.Vector
---@return sarrus.Scalar
function vec.dot(a, b)
  a, b = pair(a, b)
  local whole = expr.dot(a, b)
  if whole then
    return whole
  end
  local plane = a[1] * b[1] + a[2] * b[2]
  return a[3] and plane + a[3] * b[3] or plane
end

--- The vector product; in the plane its one component, a scalar.
---@param a sarrus.Vector
---@param b sarrus.Vector
---@return sarrus.Vector|sarrus.Scalar
function vec.cross(a, b)
  a, b = pair(a, b)
  local z = a[1] * b[2] - a[2] * b[1]
  if not a[3] then
    return z
  end
  return make(a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], z)
end

--- The length.
---@param a sarrus.Vector
---@return sarrus.Scalar
function vec.norm(a)
  return functions.sqrt(vec.dot(a, a))
end

return setmetatable(vec, {
  __call = function(_, ...)
    if select("#", ...) == 1 then
      return vec.new((...))
    end
    return vec.new { ... }
  end,
})
