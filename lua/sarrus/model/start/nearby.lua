--- What constraints depend on each other a little beside a configuration.

local probe = require "sarrus.model.start.probe"

local nearby = {}

--- A velocity that the constraints allow at a closed configuration, of size 1 relative to scale;
--- zeros if there is none.
local function allowed(model, start, q)
  local object = probe.prepare(model, start)
  local x, found, largest = 0.5, {}, 0
  for sample = 1, 2 do -- their difference: time-dependent constraints may ask for a velocity
    local v = {}
    for i = 1, #q do
      x = (x * 997 + 0.123456789) % 1 -- any numbers that have no pattern
      v[i] = (x - 0.5) * start.scales[i]
    end
    if not object:start(start.t, q, v) then
      break
    end
    found[sample] = {}
    object:state(nil, {}, found[sample], {}, {})
  end
  object:close()
  local velocity = {}
  for i = 1, #q do
    velocity[i] = found[2] and found[2][i] - found[1][i] or 0
    largest = math.max(largest, math.abs(velocity[i]) / start.scales[i])
  end
  for i = 1, #q do
    velocity[i] = largest > 1e-9 and velocity[i] / largest or 0
  end
  return velocity
end

-- How far beside a configuration to look, relative to scale: near, and so far that constraints
-- that only nearly depend on each other come apart.
local BESIDE, FAR = { 1e-4, 1e-3, 1e-5 }, { 0.1, -0.1 }

-- So much faster than the natural rate of the mechanism, forces do nothing on the way.
local HURRY = 1e3

-- Where they do something all the same, it may take long.
local MOST_STEPS = 100

--- Positions at a distance from q along a velocity, following the constraints as the series do,
--- those that depend on others being left out of them.
---@return number[] positions straight ahead where the series do not lead there
---@return boolean followed whether they do: left-out constraints hold all the way
local function go(model, start, q, velocity, distance)
  local object = probe.prepare(model, setmetatable({ max_steps = MOST_STEPS }, { __index = start }))
  local beside, fast, hurry = {}, {}, HURRY * start.rate
  for i = 1, #q do
    beside[i], fast[i] = q[i] + distance * velocity[i], hurry * velocity[i]
  end
  local followed = object:start(start.t, q, fast)
    and object:advance(start.t + distance / hurry) and true or false
  if followed then
    object:state(nil, beside, {}, {}, {})
  end
  object:close()
  return beside, followed
end

--- How many constraints depend on others at a distance from q along a velocity; nil where nothing
--- closes there.
local function dependent_at(model, start, q, velocity, distance)
  local beside, rest, closed, moved = go(model, start, q, velocity, distance), {}, {}, 0
  for i = 1, #q do
    rest[i] = 0
  end
  local object = probe.prepare(model, start)
  local count
  if object:start(start.t, beside, rest) then
    count = #object:dependent()
    object:state(nil, closed, rest, {}, {})
    for i = 1, #q do
      moved = math.max(moved, math.abs(closed[i] - q[i]) / start.scales[i])
    end
  end
  object:close()
  return moved > 0.1 * math.abs(distance) and count or nil
end

local function first(distances, f)
  for _, distance in ipairs(distances) do
    local found = f(distance)
    if found then
      return found
    end
  end
end

--- How many constraints depend on others at a configuration a little beside q: redundant joints do
--- so everywhere, at a singular configuration it is more.
---@param model sarrus.Model
---@param start table with `rate`, natural speed over size
---@param q number[]
---@param count integer how many do at q
---@return integer? count nil where nothing beside q can be closed
---@return boolean exact whether they still hold together farther away
function nearby.dependent(model, start, q, count)
  local velocity = allowed(model, start, q)
  local function at(distance)
    return dependent_at(model, start, q, velocity, distance)
  end
  local function hold(distance)
    local _, followed = go(model, start, q, velocity, distance)
    return followed and count or nil
  end
  return first(FAR, hold) or first(BESIDE, at), first(FAR, at) ~= nil
end

return nearby
