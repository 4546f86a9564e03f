--- The solution of a system about one point: series of coordinates, velocities and multipliers.

local series = require "sarrus.series"
local strict = require "sarrus.base.strict"

---@class sarrus.Decomposition
---@field q sarrus.Series[] by position and by the coordinate's name
---@field v sarrus.Series[] likewise
---@field lambda sarrus.Series[]
local Decomposition = { __name = "sarrus.decomposition" }
strict(Decomposition, "a decomposition", { "q", "v", "lambda", "x", "y" })

local decomposition = {}

-- A coefficient is rounding if it is this much below the geometric mean of its neighbours; rounding
-- grows with the order.
local function noise(k)
  return math.min(1e-12, 1e-15 * 4 ^ k)
end

--- The coefficient that a smooth series would have at k, from those beside it; 0 if unknown.
local function expected(s, k)
  local before, after = math.abs(s[k - 1] or 0), math.abs(s[k + 1] or 0)
  if k == s.order and k > 2 and s[k - 3] ~= 0 then
    after = before / math.abs(s[k - 3]) * before -- in this order it does not overflow
  end
  return math.sqrt(before) * math.sqrt(after)
end

--- Zero where the true coefficient vanishes and only rounding is left.
local function clean(s)
  local coefficients = {}
  for k = 0, s.order do
    local vanishes = math.abs(s[k]) < noise(k) * expected(s, k)
    coefficients[k + 1] = vanishes and 0 or s[k]
  end
  return series(coefficients)
end

local function named(list, names)
  local result = {}
  for i, s in ipairs(list) do
    result[i] = clean(s)
    if names then
      result[names[i]] = result[i]
    end
  end
  return result
end

--- From the core's lists of series.
---@param system sarrus.System
---@return sarrus.Decomposition
function decomposition.new(system, q, v, lambda)
  local self = {
    q = named(q, system.coordinates), v = named(v, system.coordinates), lambda = named(lambda),
  }
  local rows = {}
  for i, name in ipairs(system.coordinates) do
    rows[i] = { name, self.q[i] }
    rows[#q + i] = { name .. "'", self.v[i] }
  end
  for i, s in ipairs(self.lambda) do
    rows[#rows + 1] = { "lambda" .. (#self.lambda > 1 and tostring(i) or ""), s }
  end
  self.rows = rows
  return setmetatable(self, Decomposition)
end

--- From a general DAE's.
---@param dae sarrus.Dae
---@return sarrus.Decomposition
function decomposition.of_dae(dae, x, y)
  local self, rows = { x = named(x, dae.coordinates), y = named(y, dae.algebraic) }, {}
  for i, name in ipairs(dae.coordinates) do
    rows[i] = { name, self.x[i] }
  end
  for i, name in ipairs(dae.algebraic) do
    rows[#rows + 1] = { name, self.y[i] }
  end
  self.rows = rows
  return setmetatable(self, Decomposition)
end

--- A table, one series a line.
function Decomposition:__tostring()
  local lines, width = {}, 0
  for _, row in ipairs(self.rows) do
    width = math.max(width, #row[1])
  end
  for i, row in ipairs(self.rows) do
    lines[i] = row[1] .. (" "):rep(width - #row[1]) .. " = " .. tostring(row[2])
  end
  return table.concat(lines, "\n")
end

return decomposition
