--- Least squares by Levenberg's and Marquardt's method, within bounds.
---
--- With J the derivatives of the residuals r and D the largest lengths of its columns so far, a
--- step solves
---   min |J d + r|^2 + damping |D d|^2   (T71)
--- by orthogonal transformations: first J = Q R once, then R with the rows of damping below it.
--- Variables at a bound that would leave it stay there.

local least_squares = {}

-- Orthogonal transformations ---------------------------------------------------------------------

--- Householder's reflections: the upper triangle R of a matrix given by columns, and what becomes
--- of the right-hand side, whose first n numbers are Q^T b.  Both are used up.
local function triangle(columns, b)
  local n, m = #columns, #b
  for j = 1, math.min(n, m) do
    local column, norm = columns[j], 0
    for i = j, m do
      norm = norm + column[i] * column[i]
    end
    norm = math.sqrt(norm)
    if norm > 0 then
      local alpha = column[j] > 0 and -norm or norm
      local first = column[j] - alpha
      local factor = 1 / (alpha * first) -- -2 / |u|^2 with u = column - alpha e_j
      column[j] = first
      local function reflect(x)
        local dot = 0
        for i = j, m do
          dot = dot + column[i] * x[i]
        end
        dot = dot * factor
        for i = j, m do
          x[i] = x[i] + dot * column[i]
        end
      end
      for k = j + 1, n do
        reflect(columns[k])
      end
      reflect(b)
      column[j] = alpha
    end
  end
end

--- R as rows, of n columns.
local function rows_of(columns, m)
  local rows, n = {}, #columns
  for i = 1, n do
    rows[i] = {}
    for j = 1, n do
      rows[i][j] = i <= m and j >= i and columns[j][i] or 0
    end
  end
  return rows
end

--- The columns of some variables.
local function columns_of(J, free)
  local columns = {}
  for c, j in ipairs(free) do
    columns[c] = {}
    for i, row in ipairs(J) do
      columns[c][i] = row[j]
    end
  end
  return columns
end

--- R and Q^T r of the derivatives by some variables.
local function factor(J, r, free)
  local columns, b = columns_of(J, free), {}
  for i, x in ipairs(r) do
    b[i] = x
  end
  triangle(columns, b)
  return rows_of(columns, #r), b
end

--- The step for a damping.
local function damped(R, qtr, scale, damping)
  local n = #R
  local columns, b = {}, {}
  for i = 1, 2 * n do
    b[i] = i <= n and -(qtr[i] or 0) or 0
  end
  for j = 1, n do
    columns[j] = {}
    for i = 1, 2 * n do
      columns[j][i] = i <= n and R[i][j] or (i == n + j and math.sqrt(damping) * scale[j] or 0)
    end
  end
  triangle(columns, b)
  local step = {}
  for i = n, 1, -1 do
    local sum = b[i]
    for j = i + 1, n do
      sum = sum - columns[j][i] * step[j]
    end
    step[i] = columns[i][i] ~= 0 and sum / columns[i][i] or 0
  end
  return step
end

-- Singular values --------------------------------------------------------------------------------

--- One rotation of two columns, a and b, of the matrix and of V; whether they were not orthogonal.
local function rotate(a, b, u, v)
  local alpha, beta, gamma = 0, 0, 0
  for i = 1, #a do
    alpha, beta, gamma = alpha + a[i] * a[i], beta + b[i] * b[i], gamma + a[i] * b[i]
  end
  if math.abs(gamma) <= 1e-15 * math.sqrt(alpha * beta) then
    return false
  end
  local zeta = (beta - alpha) / (2 * gamma)
  local t = (zeta >= 0 and 1 or -1) / (math.abs(zeta) + math.sqrt(1 + zeta * zeta))
  local c = 1 / math.sqrt(1 + t * t)
  local s = c * t
  for _, pair in ipairs { { a, b }, { u, v } } do
    local x, y = pair[1], pair[2]
    for i = 1, #x do
      x[i], y[i] = c * x[i] - s * y[i], s * x[i] + c * y[i]
    end
  end
  return true
end

--- Singular values of a small matrix, given by columns that are used up, and right singular
--- vectors, by Jacobi's one-sided rotations.
---@return number[] values
---@return number[][] vectors
function least_squares.singular(columns)
  local n, vectors, values = #columns, {}, {}
  for j = 1, n do
    vectors[j] = {}
    for i = 1, n do
      vectors[j][i] = i == j and 1 or 0
    end
  end
  for _ = 1, 60 do
    local rotated = false
    for j = 1, n - 1 do
      for k = j + 1, n do
        rotated = rotate(columns[j], columns[k], vectors[j], vectors[k]) or rotated
      end
    end
    if not rotated then
      break
    end
  end
  for j = 1, n do
    local sum = 0
    for _, x in ipairs(columns[j]) do
      sum = sum + x * x
    end
    values[j] = math.sqrt(sum)
  end
  return values, vectors
end

-- Steps ------------------------------------------------------------------------------------------

local function square(r)
  local sum = 0
  for _, x in ipairs(r) do
    sum = sum + x * x
  end
  return sum
end

--- The variables that may move: those not at a bound which the gradient pushes against.
local function free_ones(x, low, high, J, r)
  local free = {}
  for j = 1, #x do
    local gradient = 0
    for i, row in ipairs(J) do
      gradient = gradient + row[j] * r[i]
    end
    if not (x[j] <= low[j] and gradient > 0) and not (x[j] >= high[j] and gradient < 0) then
      free[#free + 1] = j
    end
  end
  return free
end

--- The largest lengths of columns so far.
local function enlarge(scale, J)
  for j = 1, #J[1] do
    local sum = 0
    for _, row in ipairs(J) do
      sum = sum + row[j] * row[j]
    end
    scale[j] = math.max(scale[j] or 0, math.sqrt(sum))
  end
end

--- x moved by a step of the free variables, within bounds; and how far, relative.
local function moved(x, step, free, low, high)
  local to, far = {}, 0
  for j = 1, #x do
    to[j] = x[j]
  end
  for c, j in ipairs(free) do
    to[j] = math.max(low[j], math.min(high[j], x[j] + step[c]))
    far = math.max(far, math.abs(to[j] - x[j]) / math.max(math.abs(x[j]), 1e-8))
  end
  return to, far
end

local MOST_DAMPING = 1e12

--- One iteration: the first step, with more and more damping, that lowers the sum of squares; nil
--- where there is none.
local function advance(problem, at, state)
  local free = free_ones(at.x, problem.low, problem.high, at.J, at.r)
  local R, qtr = factor(at.J, at.r, free)
  local scale = {}
  for c, j in ipairs(free) do
    scale[c] = state.scale[j] > 0 and state.scale[j] or 1
  end
  while #free > 0 and state.damping < MOST_DAMPING do
    local step = damped(R, qtr, scale, state.damping)
    local x, far = moved(at.x, step, free, problem.low, problem.high)
    if far <= 1e-15 then
      return nil
    end
    local r = problem.residuals(x)
    if r and square(r) < at.cost then
      state.damping = math.max(state.damping / 10, 1e-15)
      return { x = x, r = r, cost = square(r), far = far }
    end
    if far < 1e-11 then
      return nil
    end
    state.damping = math.max(state.damping, 1e-9) * 10
  end
end

--- Minimise the sum of squares.
---@param problem { x: number[], low: number[], high: number[], most: integer, residuals: fun(x: number[]): number[]?, string?, string?, derivatives: fun(x: number[], r: number[]): number[][]?, string?, string? }
---@return table? result x, r, J, cost, iterations, free
---@return string? message
---@return string? code
function least_squares.solve(problem)
  local r, message, code = problem.residuals(problem.x)
  if not r then
    return nil, message, code
  end
  local at = { x = problem.x, r = r, cost = square(r) }
  local state, iterations = { damping = 1e-3, scale = {} }, 0
  while true do
    at.J, message, code = problem.derivatives(at.x, at.r)
    if not at.J then
      return nil, message, code
    end
    enlarge(state.scale, at.J)
    local better = iterations < problem.most and at.cost > 0 and advance(problem, at, state)
    if not better then
      break
    end
    iterations = iterations + 1
    local done = better.far < 1e-12 or better.cost > (1 - 1e-13) * at.cost
    better.J = at.J
    at = better
    if done then
      break
    end
  end
  at.iterations = iterations
  at.free = free_ones(at.x, problem.low, problem.high, at.J, at.r)
  at.R = factor(at.J, at.r, at.free)
  return at
end

return least_squares
