--- Small dense matrices, as lists of rows.

local dense = {}

--- A matrix of zeros.
---@param rows integer
---@param columns integer
---@return number[][]
function dense.zeros(rows, columns)
  local m = {}
  for i = 1, rows do
    m[i] = {}
    for j = 1, columns do
      m[i][j] = 0
    end
  end
  return m
end

--- The largest magnitude in a matrix.
---@param m number[][]
---@return number
function dense.largest(m)
  local most = 0
  for _, row in ipairs(m) do
    for _, x in ipairs(row) do
      most = math.max(most, math.abs(x))
    end
  end
  return most
end

--- a b
---@param a number[][]
---@param b number[][]
---@param columns integer of b
---@return number[][]
function dense.product(a, b, columns)
  local m = dense.zeros(#a, columns)
  for i, row in ipairs(a) do
    local to = m[i]
    for k, x in ipairs(row) do
      local from = b[k]
      for j = 1, x ~= 0 and columns or 0 do
        to[j] = to[j] + x * from[j]
      end
    end
  end
  return m
end

--- The entries by columns, as the core wants them.
---@param m number[][] square
---@return number[]
function dense.by_columns(m)
  local list, n = {}, #m
  for j = 1, n do
    for i = 1, n do
      list[(j - 1) * n + i] = m[i][j]
    end
  end
  return list
end

--- Exchange rows so that the largest entry of column k, from row k on, stands in row k.
local function pivot(m, perm, k)
  local best = k
  for i = k + 1, #m do
    if math.abs(m[i][k]) > math.abs(m[best][k]) then
      best = i
    end
  end
  m[k], m[best] = m[best], m[k]
  perm[k], perm[best] = perm[best], perm[k]
  return m[k][k] ~= 0
end

--- x with m x = b, for a matrix b, by elimination with row exchanges; nil where m is singular.
---@param m number[][] square
---@param b number[][]
---@return number[][]?
function dense.solve(m, b)
  local n, a, x = #m, {}, {}
  for i = 1, n do
    a[i] = {}
    for j = 1, n do
      a[i][j] = m[i][j]
    end
    x[i] = {}
    for j = 1, #b[i] do
      x[i][j] = b[i][j]
    end
  end
  for k = 1, n do
    if not pivot(a, x, k) then
      return nil
    end
    for i = k + 1, n do
      local factor = a[i][k] / a[k][k]
      if factor ~= 0 then
        for j = k + 1, n do
          a[i][j] = a[i][j] - factor * a[k][j]
        end
        for j = 1, #x[i] do
          x[i][j] = x[i][j] - factor * x[k][j]
        end
      end
    end
  end
  for k = n, 1, -1 do
    for j = 1, #x[k] do
      local sum = x[k][j]
      for i = k + 1, n do
        sum = sum - a[k][i] * x[i][j]
      end
      x[k][j] = sum / a[k][k]
    end
  end
  return x
end

--- The transpose.
---@param m number[][]
---@param columns integer of m
---@return number[][]
function dense.transpose(m, columns)
  local t = {}
  for j = 1, columns do
    t[j] = {}
    for i = 1, #m do
      t[j][i] = m[i][j]
    end
  end
  return t
end

return dense
