--- Where the series of a motion stop converging: the nearest singularity in complex time.
---
--- Next to a pair of singularities at z and its conjugate, coefficients far out obey
---   c_k = a c_{k-1} + b c_{k-2},   1 - a z - b z^2 = 0   (T72)
--- for every coordinate alike, so that a and b are found from the last ones of all by least
--- squares.

local singularity = {}

local ORDER, USED = 30, 8

--- The largest coefficient of each coordinate among the last, to weigh them alike.
local function sizes(list)
  local result = {}
  for i, series in ipairs(list) do
    local largest = 0
    for k = ORDER - USED - 1, ORDER do
      largest = math.max(largest, math.abs(series[k] or 0))
    end
    result[i] = largest
  end
  return result
end

--- a and b of (T72); nil where the coefficients tell nothing.
local function recurrence(list)
  local size, most = sizes(list), 0
  for _, x in ipairs(size) do
    most = math.max(most, x)
  end
  local s11, s12, s22, r1, r2 = 0, 0, 0, 0, 0
  for i, series in ipairs(list) do
    if size[i] > 1e-3 * most then
      for k = ORDER - USED, ORDER do
        local x, y, z = series[k - 1] / most, series[k - 2] / most, series[k] / most
        local weight = 1 / math.max(x * x + y * y, 1e-300)
        s11, s12, s22 = s11 + weight * x * x, s12 + weight * x * y, s22 + weight * y * y
        r1, r2 = r1 + weight * x * z, r2 + weight * y * z
      end
    end
  end
  local det = s11 * s22 - s12 * s12
  if det ~= det or math.abs(det) <= 1e-12 * s11 * s22 then
    return s11 > 0 and r1 / s11 or nil, 0
  end
  return (r1 * s22 - r2 * s12) / det, (r2 * s11 - r1 * s12) / det
end

--- The nearest root of 1 - a z - b z^2.
local function nearest_root(a, b)
  if math.abs(b) < 1e-9 * a * a or b == 0 then
    return a ~= 0 and 1 / a or math.huge, 0
  end
  local discriminant = a * a + 4 * b
  if discriminant < 0 then
    return -a / (2 * b), math.abs(math.sqrt(-discriminant) / (2 * b))
  end
  local root = math.sqrt(discriminant)
  local first, second = (-a + root) / (2 * b), (-a - root) / (2 * b)
  return math.abs(first) < math.abs(second) and first or second, 0
end

--- The singularity nearest to a state of a system, as time from there.
---@param system sarrus.System without contacts
---@param s sarrus.State
---@param parameters number[]
---@return number? real nil where nothing is told
---@return number? imaginary
function singularity.near(system, s, parameters)
  local q = system.compiled:expand(ORDER, s.t, s.q, s.v, parameters, 1e-6)
  if not q then
    return nil
  end
  local a, b = recurrence(q)
  if not a or a ~= a then
    return nil
  end
  local real, imaginary = nearest_root(a, b)
  if real ~= real or math.abs(real) == math.huge then
    return nil
  end
  return real, imaginary
end

return singularity
