--- Stops: limits of a joint's coordinate, by events.
---
--- A joint with limits has one more coordinate z, with the mass of a body, and one more row,
---   on (c - at) + (1 - on) z = 0,
--- with parameters `on` (0 or 1) and `at`: free, z rests and the joint feels nothing; in contact,
--- c is held at `at`, the multiplier is the force of the stop, and z, on which nothing acts,
--- stays.  An impact reverses the rate times the restitution; where the rebound would rise less
--- than REST it turns into contact, which ends where the force of the stop would have to pull.

local errors = require "sarrus.errors"
local events = require "sarrus.event"
local expr = require "sarrus.expr"

local stop = {}

-- Rebounds that rise less than this, in rad or relative to the size of the model, count as none.
local REST = 1e-9

-- What is this near to a limit, in the same measure or relative to the limit, is at it.
local NEAR = 1e-12

--- The mass of a joint's body, or its inertia: what moves along the joint's coordinate has about that.
local function mass_of(joint)
  local body = joint.bodies[joint.bodies[2].ground and 1 or 2]
  local mass = body.mass
  if joint.coordinate.unit ~= "m" then
    local J = body.inertia
    mass = type(J) == "table" and not expr.is(J) and J[1][1] + J[2][2] + J[3][3] or J
  end
  return mass ~= 0 and mass or 1
end

--- Give a joint with limits its row and parameters.
---@param equations sarrus.Equations
---@param joint table
function stop.put(equations, joint)
  local name, c = joint.name .. ".stop", joint.coordinate.value
  local self = {
    low = joint.given.limits[1], high = joint.given.limits[2],
    restitution = joint.given.limits.restitution,
    index = equations:coordinate(name, joint.coordinate.unit),
    on = expr.hidden(name .. ".on", 0),
    off = expr.hidden(name .. ".off", 1), -- 1 - on, but exact beside forces of any unit
    at = expr.hidden(name .. ".at", 0),
    side = expr.hidden(name .. ".side", 1),
  }
  equations.mass[#equations.mass + 1] = { self.index, self.index, mass_of(joint) }
  local z = equations.q[self.index]
  self.row = equations:row(joint, {
    self.on * (c - self.at) + (1 - self.on) * z, "stop", of = joint.coordinate.unit,
  })
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

--- Bring the joint's rate to a target by an impulse along it; its effect is linear.  The first gain
--- is that of the mass m with which all kinetic energy were m rate^2 / 2.
local function bring(sim, joint, target)
  local before, s = rate_of(sim, joint)
  local guess = before ^ 2 / (2 * s:energy().kinetic)
  local gain = guess > 0 and guess < math.huge and guess or 1
  for k = 1, 3 do
    local impulse = (target - before) / gain
    if impulse == 0 or not sim:impulse(along(joint, impulse)) then
      return
    end
    local after = rate_of(sim, joint)
    gain = k == 1 and (after - before) / impulse or gain
    before = after
    if gain <= 0 then
      return
    end
  end
end

local function switch(sim, self, on)
  sim:set(self.on, on)
  sim:set(self.off, 1 - on)
end

--- Hold the joint at a limit if it would go on, else let it be.
local function hold(sim, joint, side)
  local self = joint.stop
  local s = sim:state()
  sim:set(self.at, value_of(s, side > 0 and self.high or self.low))
  sim:set(self.side, side)
  switch(sim, self, 1)
  if side * sim:state().lambda[self.row] < 0 then
    switch(sim, self, 0)
  end
end

--- What errors of the joint's coordinate are compared with.
local function scale_of(sim, joint)
  return joint.coordinate.unit == "m" and sim.system.model.size or 1
end

--- The acceleration of the joint's coordinate.
local function acceleration_of(s, joint)
  if joint.coordinate.index then
    return s.a[joint.coordinate.index]
  end
  local total = 0
  for i, body in ipairs(joint.bodies) do
    if not body.ground then
      total = total + (i == 2 and 1 or -1) * s.a[body.offset + 3]
    end
  end
  return total
end

--- Whether a rebound ends before it has risen, rate^2 / (2 acceleration).
local function falls_back(sim, joint, side)
  local rate, s = rate_of(sim, joint)
  return rate ^ 2 <= 2 * REST * scale_of(sim, joint) * side * acceleration_of(s, joint)
end

local function impact(joint, side)
  return function(sim)
    local target = -joint.stop.restitution * rate_of(sim, joint)
    bring(sim, joint, target)
    if target == 0 or falls_back(sim, joint, side) then
      bring(sim, joint, 0)
      hold(sim, joint, side)
    end
  end
end

--- The events that make a joint's stops work.
local function events_of(joint)
  local self, c = joint.stop, joint.coordinate.value
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
    event("at its upper limit", "up", self.off * (c - self.high) - self.on, impact(joint, 1)),
    event("at its lower limit", "down", self.off * (c - self.low) + self.on, impact(joint, -1)),
    event("leaves its limit", "down", self.on * force + self.off, function(sim)
      switch(sim, self, 0)
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
      local near = NEAR * math.max(scale_of(sim, joint), math.abs(low), math.abs(high))
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
