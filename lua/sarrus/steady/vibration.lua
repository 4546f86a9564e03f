--- Eigenvalues of a model at rest, of y'' = K y + D y' in the basis of rest.lua.

local dense = require "sarrus.steady.dense"
local eigen = require "sarrus.steady.eigen"

local vibration = {}

-- Damping so much smaller than what oscillates is rounding.
local ROUNDING = 2 ^ -44

--- The k-th eigenvector of the symmetric K.
local function column(vectors, n, k)
  local list = {}
  for i = 1, n do
    list[i] = vectors[(k - 1) * n + i]
  end
  return list
end

local function zeros(n)
  local list = {}
  for i = 1, n do
    list[i] = 0
  end
  return list
end

--- Without damping, lambda^2 = kappa.
local function undamped(found)
  local list, n = {}, #found.values
  for k, kappa in ipairs(found.values) do
    local shape, size = column(found.vectors, n, k), math.sqrt(math.abs(kappa))
    local neutral = math.abs(kappa) <= found.negligible
    size = neutral and 0 or size
    local re, im = kappa > 0 and size or 0, kappa < 0 and size or 0
    list[#list + 1] = { re, im, re = shape, im = zeros(n), neutral = neutral }
    list[#list + 1] = {
      re == 0 and 0 or -re, im == 0 and 0 or -im, re = shape, im = zeros(n), neutral = neutral,
      again = im ~= 0 or neutral,
    }
  end
  return list
end

--- K and D between the eigenvectors of the symmetric part of K; what is without stiffness exactly
--- so.
local function turned(found, damping)
  local n, e = #found.values, {}
  for k = 1, n do
    e[k] = column(found.vectors, n, k)
  end
  local across = dense.transpose(e, n)
  local function between(m)
    return dense.product(dense.product(e, m, n), across, n)
  end
  local k, d = between(found.stiffness), between(damping)
  local least = ROUNDING * dense.largest(d)
  for i = 1, n do
    for j = 1, n do
      k[i][j] = math.abs(k[i][j]) > found.negligible and k[i][j] or 0
      d[i][j] = math.abs(d[i][j]) > least and d[i][j] or 0
    end
  end
  return k, d, e
end

--- Of eigenvalues that are 0, as many as there are directions without stiffness: others are the
--- same motions, going on.
local function mark_neutral(found, list)
  local left = 0
  for _, kappa in ipairs(found.values) do
    left = left + (math.abs(kappa) <= found.negligible and 1 or 0)
  end
  for _, pair in ipairs(list) do
    if pair[1] == 0 and pair[2] == 0 then
      pair.neutral, pair.again = true, left == 0 and found.symmetric
      left = math.max(0, left - 1)
    end
  end
  return list
end

--- With damping, or where K is not symmetric: the eigenvalues of { { 0, 1 }, { K, D } }.
local function damped(found, damping)
  local n = #found.values
  local k, d, e = turned(found, damping)
  local m = dense.zeros(2 * n, 2 * n)
  for i = 1, n do
    m[i][n + i] = 1
    for j = 1, n do
      m[n + i][j], m[n + i][n + j] = k[i][j], d[i][j]
    end
  end
  local list, message, code = eigen.pairs(m)
  if not list then
    return nil, { code = code, reason = message }
  end
  for _, pair in ipairs(list) do
    for _, part in ipairs { "re", "im" } do
      local shape = zeros(n)
      for j = 1, n do
        for i = 1, n do
          shape[i] = shape[i] + pair[part][j] * e[j][i]
        end
      end
      pair[part] = shape
    end
    pair.again = pair[2] < 0
  end
  return mark_neutral(found, list)
end

--- Eigenvalues with amplitudes along the basis; `neutral`: it may stay anywhere along them;
--- `again`: the same motion as another one.
---@param found table of equilibrium.lua
---@return table[]? pairs
---@return sarrus.Failure? failed
function vibration.pairs(found)
  local damping, failed = found.rest:slopes("v")
  if not damping then
    return nil, failed
  end
  local oscillates = math.sqrt(math.max(math.abs(found.values[1] or 0),
    math.abs(found.values[#found.values] or 0)))
  if found.symmetric and dense.largest(damping) <= ROUNDING * oscillates then
    return undamped(found)
  end
  return damped(found, damping)
end

-- Real parts that are rounding, relative to the largest eigenvalue.
local STABLE = 1e-11

--- Whether nothing grows.
---@param found table
---@param pairs_list table[]
---@return boolean
function vibration.stable(found, pairs_list)
  local most, largest = -math.huge, 0
  for _, pair in ipairs(pairs_list) do
    most = math.max(most, pair[1])
    largest = math.max(largest, math.abs(pair[1]), math.abs(pair[2]))
  end
  local pushed = found.symmetric and (found.values[#found.values] or 0) > found.negligible
  return not pushed and most <= STABLE * largest
end

return vibration
