--- Stops: limits of a joint's coordinate, by events.
---
--- A joint with limits has one more coordinate z, of mass 1, and one more row,
---   on (c - at) + (1 - on) z = 0,
--- with parameters `on` (0 or 1) and `at`: free, z rests and the joint feels nothing; in contact,
--- c is held at `at`, the multiplier is the force of the stop, and z, on which nothing acts,
--- stays.  An impact reverses the rate times the restitution; below REST it turns into contact,
--- which ends where the force of the stop would have to pull.

local errors = require "sarrus.errors"
local events = require "sarrus.event"
local expr = require "sarrus.expr"

local stop = {}

-- Rates after an impact below this, in rad/s or m/s, count as none.
local REST = 1e-4

--- Give a joint with limits its row and parameters.
---@param equations sarrus.Equations
---@param joint table
---@param put_row fun(row: table): integer
function stop.put(equations, joint, put_row)
  local name, c = joint.name .. ".stop", joint.coordinate.value
  local self = {
    low = joint.given.limits[1], high = joint.given.limits[2],
    restitution = joint.given.limits.restitution,
    index = equations:coordinate(name, joint.coordinate.unit),
    on = expr.parameter(name .. ".on", 0),
    at = expr.parameter(name .. ".at", 0),
    side = expr.parameter(name .. ".side", 1),
  }
  equations.mass[#equations.mass + 1] = { self.index, self.index, 1 }
  local z = equations.q[self.index]
  self.row = put_row { self.on * (c - self.at) + (1 - self.on) * z, "stop" }
  joint.stop = self
end

--- The value of a limit, a number or an expression of parameters.
local function value_of(s, limit)
  if type(limit) == "number" then
    return limit
  end
  return require "sarrus.model.observe".compile { limit }(s.t, {}, nil, nil, nil, s.parameters)[1]
end

-- Impacts ----------------------------------------------------------------------------------------

--- Impulses on the coordinates that act along the joint's.
local function along(joint, size)
  local names, list = joint.equations.names, {}
  if joint.coordinate.index then
    list[names[joint.coordinate.index]] = size
    return list
  end
  for i, body in ipairs(joint.bodies) do
    if not body.ground then
      list[names[body.offset + 3]] = i == 2 and size or -size
    end
  end
  return list
end

local function rate_of(sim, joint)
  local s = sim:state()
  return s:joint(joint.name)[joint.coordinate.rate_name], s
end

--- Bring the joint's rate to a target by an impulse along it; its effect is linear.
local function bring(sim, joint, target)
  local before, gain = rate_of(sim, joint), 1
  for _ = 1, 3 do
    local impulse = (target - before) / gain
    if impulse == 0 or not sim:impulse(along(joint, impulse)) then
      return
    end
    local after = rate_of(sim, joint)
    gain = gain == 1 and (after - before) / impulse or gain
    before = after
    if gain <= 0 then
      return
    end
  end
end

--- Hold the joint at a limit if it would go on, else let it be.
local function hold(sim, joint, side)
  local self = joint.stop
  local s = sim:state()
  sim:set(self.at, value_of(s, side > 0 and self.high or self.low))
  sim:set(self.side, side)
  sim:set(self.on, 1)
  if side * sim:state().lambda[self.row] < 0 then
    sim:set(self.on, 0)
  end
end

local function impact(joint, side)
  return function(sim)
    local rate = rate_of(sim, joint)
    local target = -joint.stop.restitution * rate
    local rests = math.abs(target) < REST
    bring(sim, joint, rests and 0 or target)
    if rests then
      hold(sim, joint, side)
    end
  end
end

--- The events that make a joint's stops work.
local function events_of(joint)
  local self, c = joint.stop, joint.coordinate.value
  local free = 1 - self.on
  local function event(name, direction, when, action)
    return events.new {
      joint.name .. " " .. name, direction = direction, action = action,
      when = function()
        return when
      end,
    }
  end
  local force = self.side * expr.symbol("lambda", self.row - 1, "lambda" .. self.row)
  return {
    event("at its upper limit", "up", free * (c - self.high) - self.on, impact(joint, 1)),
    event("at its lower limit", "down", free * (c - self.low) + self.on, impact(joint, -1)),
    event("leaves its limit", "down", self.on * force + free, function(sim)
      sim:set(self.on, 0)
    end),
  }
end

--- A script's events, then those of the stops; nil if there are none.
---@param model sarrus.Model
---@param given sarrus.Event[]?
---@return sarrus.Event[]?
function stop.events(model, given)
  local list = {}
  for i, event in ipairs(given or {}) do
    list[i] = event
  end
  for _, joint in ipairs(model.joints) do
    for _, event in ipairs(joint.stop and events_of(joint) or {}) do
      list[#list + 1] = event
    end
  end
  return #list > 0 and list or nil
end

-- The start --------------------------------------------------------------------------------------

--- A start outside of the limits is misuse; one that rests at a limit begins in contact.
---@param model sarrus.Model
---@param sim sarrus.Sim
function stop.start(model, sim)
  for _, joint in ipairs(model.joints) do
    if joint.stop then
      local s = sim:state()
      local at, kind = s:joint(joint.name), joint.coordinate.kind
      local c, rate = at[kind], at[joint.coordinate.rate_name]
      local low, high = value_of(s, joint.stop.low), value_of(s, joint.stop.high)
      local near = 1e-12 * (1 + math.abs(c))
      if c < low - near or c > high + near then
        errors.raise(("%s: %s: it starts at %s %s, outside of its limits %s to %s"):format(
          model.what, joint.what, kind, errors.show(c), errors.show(low), errors.show(high)))
      elseif c >= high - near and rate >= 0 then
        impact(joint, 1)(sim)
      elseif c <= low + near and rate <= 0 then
        impact(joint, -1)(sim)
      end
    end
  end
end

return stop
