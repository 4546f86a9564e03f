--- Joints that are drawn outside of their limits: they start at the nearest one.

local evaluator = require "sarrus.expr.evaluate"
local holding = require "sarrus.model.start.holding"
local posing = require "sarrus.model.start.posing"
local probe = require "sarrus.model.start.probe"

local outside = {}

--- Whether a start poses a joint: by its coordinate, or by a body of it.
local function posed(joint, start)
  local own = start.joints[joint.name]
  for _, body in ipairs(joint.bodies) do
    local given = start.bodies[body.name]
    if given and (given.position or given.angle or given.orientation) then
      return true
    end
  end
  return joint.coordinate and own and own[joint.coordinate.kind] ~= nil
end

--- The limit that is nearest to a coordinate that lies outside; nil if it does not.
local function nearest_limit(limits, start, now)
  local low, high = limits[1], limits[2]
  if type(low) ~= "number" or type(high) ~= "number" then
    local x = evaluator { low, high }(start.t, {}, nil, nil, nil, start.parameters)
    low, high = x[1], x[2]
  end
  local rounding = 1e-12 * (high - low)
  return now < low - rounding and low or now > high + rounding and high or nil
end

--- Let a joint begin at a limit.
local function bring(start, joint, limit)
  local own = {}
  for key, value in pairs(start.joints[joint.name] or {}) do
    own[key] = value
  end
  own[joint.coordinate.kind] = limit
  table.insert(start.brought, {
    joint = joint, limit = limit, kind = joint.coordinate.kind, given = start.joints[joint.name],
  })
  start.joints[joint.name] = own
end

--- Joints with limits that have no start of their own.
local function limited(model, start)
  local list = {}
  for _, joint in ipairs(model.joints) do
    local limits = joint.coordinate and not joint.motion and joint.checked.limits
    list[#list + 1] = limits and not posed(joint, start) and joint or nil
  end
  return list
end

--- Let joints that are drawn outside of their limits, and have no start of their own, begin at the
--- nearest one; which do, is kept in start.brought.
function outside.bring_within(model, start)
  for _, joint in ipairs(limited(model, start)) do
    local limit = nearest_limit(joint.checked.limits, start, 0)
    if limit then
      bring(start, joint, limit)
    end
  end
end

--- Whether all that is wanted of positions can be had together.
local function compatible(model, start)
  local q, v = posing.guess(model, start)
  local positions = holding.wishes(model, start, false)
  return holding.hold(model, start, positions, {}, q, v) ~= nil
end

--- Of joints that cannot all begin at limits, as where one leads the other, those that can, one
--- after the other.
function outside.choose_brought(model, start)
  local wanted = start.brought
  if #wanted < 2 or compatible(model, start) then
    return
  end
  local before = {}
  for _, one in ipairs(wanted) do
    before[one], start.joints[one.joint.name] = start.joints[one.joint.name], one.given
  end
  start.brought = {}
  for _, one in ipairs(wanted) do
    start.joints[one.joint.name] = before[one]
    if compatible(model, start) then
      table.insert(start.brought, one)
    else
      start.joints[one.joint.name] = one.given
    end
  end
end

--- Closing loops may take other joints out of their limits; let these begin at the nearest one too.
--- Whether there were such.
function outside.bring_others(model, start, q, v)
  local list, system = limited(model, start), probe.system(model)
  local closed = #list > 0 and probe.close(system.compiled, system.parameters, start, q, v)
  local before, values = #start.brought, {}
  for i, joint in ipairs(closed and list or {}) do
    values[i] = joint.coordinate.value
  end
  local x = closed and evaluator(values)(start.t, closed, nil, nil, nil, start.parameters)
  for i, joint in ipairs(closed and list or {}) do
    local limit = nearest_limit(joint.checked.limits, start, x[i])
    if limit then
      bring(start, joint, limit)
    end
  end
  return #start.brought > before
end

--- Stops of joints without a coordinate, as of ropes, that the start does not pose.
local function free_stops(model, start)
  local list = {}
  for _, joint in ipairs(model.joints) do
    local free = joint.stops and not joint.coordinate and not posed(joint, start)
    for _, i in ipairs(free and joint.stops or {}) do
      list[#list + 1] = { joint = joint, law = model.equations.contacts[i] }
    end
  end
  return list
end

--- The number of the limit that a stop is at.
local function limit_of(stop, start)
  local limit = stop.limits[stop.side == "lower" and 1 or 2]
  return type(limit) == "number" and limit
    or evaluator { limit }(start.t, {}, nil, nil, nil, start.parameters)[1]
end

--- Let such a joint begin at the limit that it would be beyond, once closed; kept in start.stopped.
--- Whether there were such, beside those that are known.
function outside.bring_stops(model, start, q, v)
  local list, gaps, known = free_stops(model, start), {}, {}
  if #list == 0 then
    return false
  end
  local before, system = #start.stopped, probe.system(model)
  for _, one in ipairs(start.stopped) do
    known[one.law] = true
  end
  for i, one in ipairs(list) do
    gaps[i] = holding.at_stop(one.law)
  end
  local closed = probe.close(system.compiled, system.parameters, start, q, v) or q
  local x = holding.measuring(model, gaps)(start.t, closed, nil, nil, nil, start.parameters)
  for i, one in ipairs(list) do
    if not known[one.law] and x[i] < -1e-12 * holding.scale_of(model, one.law.unit, model.size) then
      one.kind, one.limit = one.law.stop.kind, limit_of(one.law.stop, start)
      table.insert(start.stopped, one)
    end
  end
  return #start.stopped > before
end

return outside
