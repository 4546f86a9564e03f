--- What else the multipliers at a state could be, where they are not unique: because constraints
--- are redundant, or because points that touch and carry nothing could carry a part of the load.

local drawn = require "sarrus.model.part.drawn"
local later = require "sarrus.base.later"
local idle = later "sarrus.model.state.idle"

local unique = {}

--- The largest multiplier, in comparable numbers.
local function largest(lambda, weights)
  local size = 0
  for i, l in ipairs(lambda) do
    size = math.max(size, weights[i] * math.abs(l))
  end
  return size
end

--- Multipliers that are as far away in a direction as the largest of them is large.
local function along(s, model, direction, modes, size)
  local lambda, factor = {}, size / largest(direction, model.weights)
  for i, l in ipairs(s.lambda) do
    lambda[i] = l + factor * (direction[i] or 0)
  end
  return { lambda = lambda, modes = modes }
end

local function find(s)
  local model = drawn.of(s.model, s.parameters)
  local size = largest(s.lambda, model.weights)
  local list = { size = size > 0 and size or 1, length = model.size }
  for _, direction in ipairs(s.null or {}) do
    list[#list + 1] = along(s, model, direction, s.modes, list.size)
  end
  local directions, modes = idle.directions(model, s)
  for _, direction in ipairs(directions or {}) do
    list[#list + 1] = along(s, model, direction, modes, list.size)
  end
  return list
end

--- Other multipliers that move the mechanism alike, with the modes they go with; `size`: of the
--- largest as a torque, `length`: of the model.  A state keeps them until it is filled again.
---@param s sarrus.ModelState
---@return { lambda: number[], modes: number[] }[]
function unique.others(s)
  local others = rawget(s, "others")
  if not others then
    others = find(s)
    s.others = others
  end
  return others
end

--- Forget what was found: the state is another one.
---@param s sarrus.ModelState
function unique.forget(s)
  s.others = nil
end

--- Whether a value is the same with other multipliers; `arm` makes a force a torque.
---@param others table from unique.others
---@param x number
---@param other number
---@param arm number
---@return boolean
function unique.same(others, x, other, arm)
  return arm * math.abs(other - x) < 1e-9 * others.size
end

return unique
