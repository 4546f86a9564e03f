--- Eigenvalues of matrices that come from linear models.

local core = require "sarrus.core"
local dense = require "sarrus.steady.dense"

local eigen = {}

-- What is so much smaller than the largest eigenvalue is rounding.
local ROUNDING = 2 ^ -44

--- Let eigenvalues that are rounding be 0.
local function clean(re, im)
  local largest = 0
  for j = 1, #re do
    largest = math.max(largest, math.abs(re[j]), math.abs(im[j]))
  end
  for j = 1, #re do
    if math.max(math.abs(re[j]), math.abs(im[j])) < ROUNDING * largest then
      re[j], im[j] = 0, 0
    end
  end
end

---@class sarrus.Eigenpair
---@field [1] number the real part of the eigenvalue
---@field [2] number the imaginary part, not negative where `re` and `im` are given
---@field re number[] the eigenvector's real part
---@field im number[] and its imaginary part

--- All eigenvalues, each with its vector.
---@param m number[][] square
---@return sarrus.Eigenpair[]? pairs by real part, the largest first; nil, message, code
---@return string? message
---@return string? code
function eigen.pairs(m)
  local n = #m
  local re, im, vectors = core.eigen(n, dense.by_columns(m))
  if not re then
    return nil, im, vectors
  end
  clean(re, im)
  local list = {}
  for j = 1, n do
    local pair, first = { re[j], im[j], re = {}, im = {} }, im[j] < 0 and j - 1 or j
    for i = 1, n do
      pair.re[i] = vectors[(first - 1) * n + i]
      pair.im[i] = im[j] ~= 0 and vectors[first * n + i] or 0
      pair.im[i] = im[j] < 0 and -pair.im[i] or pair.im[i]
    end
    pair.place, list[j] = j, pair
  end
  table.sort(list, function(a, b)
    if a[1] ~= b[1] then
      return a[1] > b[1]
    elseif a[2] ~= b[2] then
      return a[2] > b[2]
    end
    return a.place < b.place
  end)
  return list
end

return eigen
