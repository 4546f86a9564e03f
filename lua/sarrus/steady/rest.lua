--- Points at rest: what pushes a model there, and how that changes as it moves.
---
--- In a basis of the allowed velocities w_i that is orthonormal in the norm of the mass,
---   F_i  = w_i^T M a           the forces that constraints do not take up,
---   K_ij = w_i^T M da / dq_j   their stiffness, negative where they push back,
---   D_ij = w_i^T M da / dv_j   their damping.
--- Where forces have a potential V, F is the slope of -V and K its second derivative along the
--- manifold of the constraints, symmetric.

local dense = require "sarrus.steady.dense"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local point = require "sarrus.steady.point"

---@class sarrus.Rest
---@field point sarrus.Point
---@field basis number[][] w
---@field force number[] F
---@field scale number what rounding in F is relative to
local Rest = {}
Rest.__index = Rest

local rest = {}

local function dot(x, y)
  local total = 0
  for i = 1, #x do
    total = total + x[i] * y[i]
  end
  return total
end

-- A vector of which less is left has lost digits, and is taken once more.
local ENOUGH = 0.5

--- Take away from w what it has of others; its momentum, of norm 1 as w then, and what was left.
local function reduce(p, w, found, momenta)
  local before = math.sqrt(math.max(0, dot(p:momentum(w), w)))
  for k, other in ipairs(found) do
    local along = dot(momenta[k], w)
    for i = 1, #w do
      w[i] = w[i] - along * other[i]
    end
  end
  local momentum = p:momentum(w)
  local norm = math.sqrt(math.max(0, dot(momentum, w)))
  for i = 1, norm > 0 and #w or 0 do
    w[i], momentum[i] = w[i] / norm, momentum[i] / norm
  end
  return momentum, norm / before
end

--- Vectors made orthonormal in the norm of the mass, one after the other.
local function orthonormal(p, vectors)
  local found, momenta = {}, {}
  for _, x in ipairs(vectors) do
    local w = {}
    for i = 1, #x do
      w[i] = x[i]
    end
    local momentum, left = reduce(p, w, found, momenta)
    if left < ENOUGH then
      momentum = reduce(p, w, found, momenta)
    end
    found[#found + 1], momenta[#momenta + 1] = w, momentum
  end
  return found, momenta
end

--- The magnitudes of all forces, summed for each coordinate.
local function forces_at(p)
  local model, sums = p.model.system.model, {}
  local entries = model.equations.forces
  if not model.observers.forces then
    local list = {}
    for k, entry in ipairs(entries) do
      list[k] = entry[2]
    end
    model.observers.forces = evaluator(list)
  end
  local x = model.observers.forces(p.t, p.q, p.v, p.a, p.lambda, p.parameters, p.modes)
  for i = 1, p.n do
    sums[i] = 0
  end
  for k, entry in ipairs(entries) do
    sums[entry[1]] = sums[entry[1]] + math.abs(x[k])
  end
  return sums
end

--- Groups of coordinates that turn into each other: places, directions, and single ones.
local function groups_of(model)
  local list, taken = {}, {}
  for _, body in ipairs(model.bodies) do
    list[#list + 1] = { body.offset + 1, body.offset + model.dimension }
    for first = body.offset + model.dimension + 1, body.offset + body.count, 3 do
      list[#list + 1] = { first, math.min(first + 2, body.offset + body.count) }
    end
    for i = body.offset + 1, body.offset + body.count do
      taken[i] = true
    end
  end
  for i = 1, #model.equations.names do
    list[#list + 1] = not taken[i] and { i, i } or nil
  end
  return list
end

local function norm(x, group)
  local square = 0
  for i = group[1], group[2] do
    square = square + x[i] * x[i]
  end
  return math.sqrt(square)
end

--- How large forces along the basis may be, whatever their directions.
local function scale_of(p, basis)
  local model, f, scale = p.model.system.model, forces_at(p), 0
  model.observers.groups = model.observers.groups or groups_of(model)
  local sizes = {}
  for k, group in ipairs(model.observers.groups) do
    sizes[k] = norm(f, group)
  end
  for _, w in ipairs(basis) do
    local size = 0
    for k, group in ipairs(model.observers.groups) do
      size = size + sizes[k] * (sizes[k] > 0 and norm(w, group) or 0)
    end
    scale = math.max(scale, size)
  end
  return scale
end

--- The allowed velocities nearest to some others; all of them where there are none.
local function allowed(p, before)
  if not before then
    return p:allowed("v")
  end
  local wanted, list = {}, {}
  for k, w in ipairs(before) do
    wanted[k] = { v = w }
  end
  local directions, failed = p:slopes(wanted)
  if not directions then
    return nil, failed
  end
  for k, one in ipairs(directions) do
    list[k] = one.v
  end
  return list
end

--- A model at rest at positions, which are closed; nil, message, code.
---@param model table as drawn
---@param start table
---@param q number[]
---@param before? number[][] the basis of a point near by
---@return sarrus.Rest?
---@return string? message
---@return string? code
function rest.at(model, start, q, before)
  local still = {}
  for i = 1, #q do
    still[i] = 0
  end
  local p, message, code = point.new(model, start, q, still)
  if not p then
    return nil, message, code
  end
  local vectors, failed = allowed(p, before)
  if not vectors then
    return nil, failed
  end
  local basis, momenta = orthonormal(p, vectors)
  local self = setmetatable({ point = p, basis = basis, momenta = momenta, force = {} }, Rest)
  for k, momentum in ipairs(momenta) do
    self.force[k] = dot(momentum, p.a)
  end
  self.scale = scale_of(p, basis)
  return self
end

--- K or D, by what changes along the basis: "q" or "v".
---@param kind "q"|"v"
---@return number[][]? matrix
---@return sarrus.Failure? failed
function Rest:slopes(kind)
  local wanted, matrix = {}, dense.zeros(#self.basis, #self.basis)
  for k, w in ipairs(self.basis) do
    wanted[k] = { [kind] = w }
  end
  local directions, failed = self.point:slopes(wanted)
  if not directions then
    return nil, failed
  end
  for j, one in ipairs(directions) do
    for i, momentum in ipairs(self.momenta) do
      matrix[i][j] = dot(momentum, one.a)
    end
  end
  return matrix
end

--- A displacement of coordinates by amounts along the basis.
---@param amounts number[]
---@return number[]
function Rest:displacement(amounts)
  local d = {}
  for i = 1, self.point.n do
    d[i] = 0
  end
  for k, w in ipairs(self.basis) do
    for i = 1, #d do
      d[i] = d[i] + amounts[k] * w[i]
    end
  end
  return d
end

--- The largest force that is left, relative to those that act.
---@return number
function Rest:residual()
  local most = 0
  for _, x in ipairs(self.force) do
    most = math.max(most, math.abs(x))
  end
  return self.scale > 0 and most / self.scale or 0
end

--- The body that is accelerated most, and by how much, in m/s^2.
---@return string name quoted
---@return number acceleration
function Rest:most_pushed()
  local p, most, name = self.point, -1, nil
  for _, body in ipairs(p.model.bodies) do
    local square = 0
    for k = 1, p.model.dimension do
      square = square + p.a[body.offset + k] ^ 2
    end
    if math.sqrt(square) > most then
      most, name = math.sqrt(square), body.name
    end
  end
  return errors.show(name), most
end

return rest
