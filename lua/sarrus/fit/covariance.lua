--- What the data say about parameters: covariance, and combinations that they do not determine.

local errors = require "sarrus.base.errors"
local least_squares = require "sarrus.fit.least_squares"

local covariance = {}

-- Changes of parameters that change residuals by less than this part of what each would alone are
-- not determined: derivatives have 8 digits where they are differences.
local UNDETERMINED = 1e-7

--- Columns of R, each of unit length, and the lengths.
local function scaled(R)
  local columns, lengths = {}, {}
  for j = 1, #R do
    local sum = 0
    columns[j] = {}
    for i = 1, #R do
      columns[j][i] = R[i][j]
      sum = sum + R[i][j] ^ 2
    end
    lengths[j] = math.sqrt(sum)
    for i = 1, #R do
      columns[j][i] = lengths[j] > 0 and columns[j][i] / lengths[j] or 0
    end
  end
  return columns, lengths
end

--- The inverse of R^T R by variables, 0 for those that a bound holds; and, where residuals do not
--- tell all of them, directions that change nothing, by variable.
---@param R number[][] of the free variables
---@param free integer[]
---@param count integer of all variables
---@return number[][] inverse
---@return number[][] directions
function covariance.of(R, free, count)
  local columns, lengths = scaled(R)
  local largest = 0
  for _, length in ipairs(lengths) do
    largest = math.max(largest, length)
  end
  local values, vectors = least_squares.singular(columns)
  local inverse, directions = {}, {}
  for i = 1, count do
    inverse[i] = {}
    for j = 1, count do
      inverse[i][j] = 0
    end
  end
  for c, value in ipairs(values) do
    if value <= UNDETERMINED then
      local direction = {}
      for j = 1, count do
        direction[j] = 0
      end
      for k, j in ipairs(free) do
        local length = lengths[k] > 0 and lengths[k] or largest
        direction[j] = vectors[c][k] / (length > 0 and length or 1)
      end
      directions[#directions + 1] = direction
    else
      for k, i in ipairs(free) do
        for l, j in ipairs(free) do
          inverse[i][j] = inverse[i][j]
            + vectors[c][k] * vectors[c][l] / (value * value * lengths[k] * lengths[l])
        end
      end
    end
  end
  return inverse, directions
end

--- A direction in words: `changing "k" by 1 and "c" by -0.5 together`.
---@param direction number[]
---@param names string[]
---@param values number[]
---@return string
function covariance.words(direction, names, values)
  local parts, relative, largest, most = {}, {}, 0, nil
  for j, x in ipairs(direction) do
    relative[j] = math.abs(x) / math.max(math.abs(values[j]), 1e-8)
    if relative[j] > (1 + 1e-6) * largest then -- of equal ones the first, whatever rounding says
      largest, most = relative[j], j
    end
  end
  for j, x in ipairs(direction) do
    if relative[j] > 1e-4 * largest then
      parts[#parts + 1] = { j, x / direction[most] }
    end
  end
  if #parts == 1 then
    return ("changing %s"):format(errors.show(names[most]))
  end
  local texts = {}
  for i, part in ipairs(parts) do
    texts[i] = ("%s by %.4g"):format(errors.show(names[part[1]]), part[2])
  end
  return ("changing %s and %s together"):format(table.concat(texts, ", ", 1, #texts - 1),
    texts[#texts])
end

return covariance
