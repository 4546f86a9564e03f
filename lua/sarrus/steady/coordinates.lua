--- The coordinates that a linear model may have as its states: those of joints, then those of
--- bodies.
---
--- One is { name =, rate_name =, value = expression or nil, rate = expression, unit =, place =
--- (whether it is one of a position), turn = }.  Of bodies in space, `rotation` is the small turn
--- away from the state in question, about an axis of the world; its rate is the spin, and `turn`
--- says which of three it is.

local expr = require "sarrus.expr"

local axes = { "x", "y", "z" }

local coordinates = {}

local function of_joint(joint, list)
  for _, kind in ipairs { "angle", "length" } do
    local own = joint[kind]
    if own then
      list[#list + 1] = {
        name = joint.name .. "." .. kind, rate_name = joint.name .. "." .. own.rate_name,
        value = own.value, rate = own.rate, unit = own.unit,
      }
    end
  end
end

local function of_body(model, body, list)
  local q, v, at = model.equations.q, model.equations.v, model.equations:frame(body)
  for k = 1, model.dimension do
    list[#list + 1] = {
      name = body.name .. ".position." .. axes[k], rate_name = body.name .. ".velocity." .. axes[k],
      value = q[body.offset + k], rate = v[body.offset + k], unit = "m", place = true,
    }
  end
  if body.turns and model.dimension == 2 then
    list[#list + 1] = {
      name = body.name .. ".angle", rate_name = body.name .. ".spin",
      value = q[body.offset + 3], rate = v[body.offset + 3], unit = "rad",
    }
  end
  local spin = body.turns and model.dimension == 3 and at:spin() or {}
  for k, rate in ipairs(spin) do
    list[#list + 1] = {
      name = body.name .. ".rotation." .. axes[k], rate_name = body.name .. ".spin." .. axes[k],
      rate = rate, turn = k, unit = "rad",
    }
  end
end

--- All of a model, in the order in which they are tried.
---@param model sarrus.Model
---@return table[]
function coordinates.of(model)
  local list = {}
  for _, joint in ipairs(model.joints) do
    of_joint(joint, list)
  end
  for _, body in ipairs(model.bodies) do
    of_body(model, body, list)
  end
  return list
end

--- The rate of an expression of positions and velocities.
---@param e sarrus.Scalar
---@param v sarrus.Expression[] symbols
---@param a sarrus.Expression[] symbols
---@return sarrus.Scalar
function coordinates.rate(e, v, a)
  local total, known, rates = 0, {}, { q = v, v = a }
  expr.find(e, function(node)
    local list = node.op == "symbol" and rates[node.kind]
    local key = list and node.kind .. node.index
    if key and not known[key] then
      known[key], total = true, total + expr.diff(e, node) * list[node.index + 1]
    end
    return false
  end)
  return total
end

-- Smaller than that is rounding.
local NOTHING = 1e-9

-- A coordinate is taken where, beside those that are, it sees at least so much of a motion of which
-- alone it sees 1; then the rest with less.
local SHARES = { 0.1, 1e-3, 1e-6 }

local function norm(row)
  local square = 0
  for _, x in ipairs(row) do
    square = square + x * x
  end
  return math.sqrt(square)
end

--- What is left of a row beside orthonormal others; taken twice, so that it is exact.
local function beside(row, others)
  local rest = {}
  for j, x in ipairs(row) do
    rest[j] = x
  end
  for _ = 1, 2 do
    for _, other in ipairs(others) do
      local along = 0
      for j, x in ipairs(rest) do
        along = along + x * other[j]
      end
      for j, x in ipairs(other) do
        rest[j] = rest[j] - along * x
      end
    end
  end
  return rest
end

--- Independent rows, in order: `count` of them, or fewer where there are no more.
---@param rows number[][] what coordinates, relative to scale, see of some orthonormal motions
---@param count integer
---@return integer[] indices ascending
function coordinates.independent(rows, count)
  local found, taken, chosen = {}, {}, {}
  for _, share in ipairs(SHARES) do
    for i, row in ipairs(rows) do
      local size = #found < count and not taken[i] and norm(row) or 0
      local rest = size > NOTHING and beside(row, found)
      local left = rest and norm(rest)
      if rest and left > share * size then
        for j, x in ipairs(rest) do
          rest[j] = x / left
        end
        found[#found + 1], taken[i] = rest, true
      end
    end
  end
  for i = 1, #rows do
    chosen[#chosen + 1] = taken[i] and i or nil
  end
  return chosen
end

return coordinates
