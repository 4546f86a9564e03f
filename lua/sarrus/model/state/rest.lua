--- States at rest that no simulation has been at: positions are known, and what the forces do there
--- is found where a script asks for it.

local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local later = require "sarrus.base.later"
local unique = require "sarrus.model.state.unique"
local failure = later "sarrus.sim.failure"

local rest = {}

local LATER = { a = true, lambda = true, modes = true, null = true, near_singular = true }

--- The core's simulation of a state at rest.
local function started(self)
  local system = self.model.system
  local view = drawn.of(self.model, self.parameters)
  local object = core.sim(system.compiled, nil, {
    tolerance = 1e-12, scales = view.equations:scales(view.size),
    scale = 1, order = 0, step = 0, max_step = 0, max_steps = 0,
  })
  for i, parameter in ipairs(system.parameters) do
    object:preset(i, self.parameters[parameter.name] or parameter.value)
  end
  local done, failed = object:start(self.t, self.q, self.v)
  if not done then
    failed.starts = true
    local _, message = failure.answer(system, failed)
    errors.raise(message .. " (so that a state at rest there has no forces)")
  end
  return object
end

--- Find what is asked for later.
local function settle(self)
  local object = started(self)
  local a, lambda, modes = setmetatable({}, getmetatable(self.q)), {}, {}
  object:state(nil, {}, {}, a, lambda, modes)
  self.a, self.lambda, self.modes = a, lambda, modes
  self.null, self.near_singular = object:null(), object:singular()
  object:close()
end

--- Let a class of states have states at rest.
---@param class table its metatable
function rest.allow(class)
  local index = class.__index
  function class.__index(self, key)
    if LATER[key] and rawget(self, "at_rest") then
      self.at_rest = nil
      settle(self)
      return rawget(self, key)
    end
    return index(self, key)
  end
end

--- Make an empty state one at rest.
---@param s sarrus.ModelState
---@param t number
---@param q number[]
---@param parameters table<string, number>
---@return sarrus.ModelState s
function rest.fill(s, t, q, parameters)
  s.t, s.at_rest = t, true
  for i = 1, #q do
    s.q[i], s.v[i] = q[i], 0
  end
  for _, parameter in ipairs(s.model.system.parameters) do
    s.parameters[parameter.name] = parameters[parameter.name] or parameter.value
  end
  s.a, s.lambda, s.modes = nil, nil, nil
  unique.forget(s)
  return s
end

return rest
