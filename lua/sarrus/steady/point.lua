--- Points: a model at a state, what it may do from there, and how its accelerations change with
--- that.  Contacts and dry friction are left out.

local drawn = require "sarrus.model.part.drawn"
local evaluator = require "sarrus.expr.evaluate"
local failure = require "sarrus.sim.failure"
local probe = require "sarrus.model.start.probe"

---@class sarrus.Point
---@field model sarrus.Model as drawn
---@field start table options of the core, t and parameters
---@field n integer coordinates
---@field q number[]
---@field v number[]
---@field a number[]
---@field lambda number[]
local Point = {}
Point.__index = Point

local point = {}

-- The point at which the core's simulation of a model stands.
local latest = setmetatable({}, { __mode = "k" })

--- What the core is to know of points of a model where a simulation stands.
---@param sim sarrus.Sim
---@return table model as drawn
---@return table start
function point.frame(sim)
  local model = drawn.of_sim(sim.system.model, sim)
  return model, {
    tolerance = 1e-12, scale = 1, order = 0, step = 0, max_step = 0, max_steps = 0, t = sim.time,
    scales = model.equations:scales(model.size), parameters = drawn.values(sim),
    modes = sim:state().modes,
  }
end

--- A model at positions and velocities, which are closed.
---@param model sarrus.Model as drawn
---@param start table options of the core, t and parameters
---@param q number[]
---@param v number[]
---@return sarrus.Point?
---@return string? message
---@return string? code
function point.new(model, start, q, v)
  local object, failed = probe.start(model, start, q, v)
  if not object then
    failed.starts = true
    return failure.answer(model.system, failed)
  end
  local self = setmetatable({
    model = model, start = start, n = #model.equations.names,
    t = start.t, q = {}, v = {}, a = {}, lambda = {}, modes = start.modes,
    parameters = start.parameters,
  }, Point)
  object:state(nil, self.q, self.v, self.a, self.lambda)
  self.multipliers = #self.lambda
  latest[model.probes] = self
  for i = self.multipliers + 1, #model.weights do -- of contacts, which are left out
    self.lambda[i] = 0
  end
  return self
end

-- Directions -------------------------------------------------------------------------------------

-- So many go to the core at once.
local BATCH = 256

local function zeros(count)
  local list = {}
  for i = 1, count do
    list[i] = 0
  end
  return list
end

--- The count numbers of a list from an index on, and zeros behind them up to a length.
local function part(list, from, count, length)
  local result = {}
  for i = 1, length do
    result[i] = i <= count and list[from + i] or 0
  end
  return result
end

---@class sarrus.PointDirection how a state changes
---@field q number[]
---@field v number[]
---@field a number[]
---@field lambda number[]
---@field p table<string, number> parameters

--- The core's simulation, at this point again.
local function back(self)
  local probes = self.model.probes
  if latest[probes] == self then
    return probes.kept.object
  end
  latest[probes] = self
  return probe.start(self.model, self.start, self.q, self.v)
end

--- Directions as the constraints allow them, each with what accelerations and multipliers do along
--- it.
---@param directions { q: number[]?, v: number[]?, parameter: integer? }[]
---@return sarrus.PointDirection[]?
---@return sarrus.Failure? failed
function Point:slopes(directions)
  local n, parameters, result = self.n, #probe.system(self.model).parameters, {}
  local object, gone = back(self)
  if not object then
    return nil, gone
  end
  for first = 1, #directions, BATCH do
    local count = math.min(BATCH, #directions - first + 1)
    local dq, dv, dp = zeros(count * n), zeros(count * n), zeros(count * parameters)
    for k = 1, count do
      local one = directions[first + k - 1]
      for i = 1, n do
        dq[(k - 1) * n + i] = one.q and one.q[i] or 0
        dv[(k - 1) * n + i] = one.v and one.v[i] or 0
      end
      if one.parameter then
        dp[(k - 1) * parameters + one.parameter] = 1
      end
    end
    local q, v, a, lambda = object:slopes(count, dq, dv, dp)
    if not q then
      return nil, v
    end
    for k = 1, count do
      local from, m = (k - 1) * n, self.multipliers
      result[#result + 1] = {
        q = part(q, from, n, n), v = part(v, from, n, n), a = part(a, from, n, n),
        lambda = part(lambda, (k - 1) * m, m, #self.lambda), p = {},
      }
    end
  end
  return result
end

-- Smaller than that, relative to scale, is rounding.
local NOTHING = 1e-9

--- Of some vectors, orthonormal ones that span the same, relative to scales, the largest rests
--- first.
local function orthonormal(vectors, scales)
  local found = {}
  local squares = {}
  for i, x in ipairs(vectors) do
    local square = 0
    for j, scale in ipairs(scales) do
      x[j] = x[j] / scale
      square = square + x[j] * x[j]
    end
    squares[i] = square
  end
  while true do
    local best = 1
    for i = 2, #vectors do
      best = squares[i] > squares[best] and i or best
    end
    local x = vectors[best]
    for _, other in ipairs(found) do -- once more: they have lost digits
      local along = 0
      for j = 1, #x do
        along = along + x[j] * other[j]
      end
      for j = 1, #x do
        x[j] = x[j] - along * other[j]
      end
    end
    local square = 0
    for j = 1, x and #x or 0 do
      square = square + x[j] * x[j]
    end
    local norm = math.sqrt(square)
    if not x or norm < NOTHING then
      break
    end
    local unit = {}
    for j = 1, #x do
      unit[j] = x[j] / norm
    end
    found[#found + 1] = unit
    for i, y in ipairs(vectors) do
      local along = 0
      for j = 1, #y do
        along = along + y[j] * unit[j]
      end
      square = 0
      for j = 1, #y do
        y[j] = y[j] - along * unit[j]
        square = square + y[j] * y[j]
      end
      squares[i] = square
    end
  end
  for _, unit in ipairs(found) do
    for j, scale in ipairs(scales) do
      unit[j] = unit[j] * scale
    end
  end
  return found
end

--- Vectors without a pattern, relative to scale: the constraints leave something of each, which
--- spans all that they allow.
local function scattered(count, scales)
  local x, list = 1, {}
  for k = 1, count do
    list[k] = {}
    for i, scale in ipairs(scales) do
      x = x * 16807 % 2147483647
      list[k][i] = scale * (2 * x / 2147483647 - 1)
    end
  end
  return list
end

-- So many more than there are freedoms, so that none is missed.
local MORE = 2

--- Independent changes of positions ("q") or of velocities alone ("v") that constraints allow.
---@param kind "q"|"v"
---@return number[][]? vectors
---@return sarrus.Failure? failed
function Point:allowed(kind)
  local system, scales = probe.system(self.model), self.start.scales
  local object, gone = back(self)
  if not object then
    return nil, gone
  end
  local rows = system.constraint_count + (kind == "v" and system.velocity_constraint_count or 0)
  local freedoms = self.n - rows + #object:dependent()
  if freedoms <= 0 then
    return {}
  end
  local wanted = {}
  for k, x in ipairs(scattered(math.min(self.n, freedoms + MORE), scales)) do
    wanted[k] = { [kind] = x }
  end
  local slopes, failed = self:slopes(wanted)
  if not slopes then
    return nil, failed
  end
  local vectors = {}
  for k, one in ipairs(slopes) do
    vectors[k] = one[kind]
  end
  return orthonormal(vectors, scales)
end

-- Expressions ------------------------------------------------------------------------------------

--- Expressions, compiled for points: their values at one, and their changes along directions.
---@param expressions sarrus.Scalar[]
---@return fun(p: sarrus.Point, v?: number[]): number[] at other velocities, where these are given
---@return fun(p: sarrus.Point, direction: sarrus.PointDirection): number[]
function point.compile(expressions)
  local evaluate, slopes = evaluator(expressions)
  local count = #expressions
  return function(p, v)
    return part(evaluate(p.t, p.q, v or p.v, p.a, p.lambda, p.parameters, p.modes), 0, count, count)
  end, function(p, direction)
    local state = { t = p.t, q = p.q, v = p.v, a = p.a, lambda = p.lambda, modes = p.modes,
      p = p.parameters }
    return count > 0 and slopes(state, direction) or {}
  end
end

-- Mass -------------------------------------------------------------------------------------------

--- The entries of the mass, { i, j, number }.
---@return table[]
function Point:mass()
  if not self.masses then
    local model = self.model.system.model
    local list, entries = {}, {}
    for k, entry in ipairs(model.equations.mass) do
      list[k] = entry[3]
    end
    model.observers.masses = model.observers.masses or evaluator(list)
    local x = model.observers.masses(self.t, self.q, self.v, nil, nil, self.parameters)
    for k, entry in ipairs(model.equations.mass) do
      entries[k] = { entry[1], entry[2], x[k] }
    end
    self.masses = entries
  end
  return self.masses
end

--- M x
---@param x number[]
---@return number[]
function Point:momentum(x)
  local y = zeros(self.n)
  for _, entry in ipairs(self:mass()) do
    y[entry[1]] = y[entry[1]] + entry[3] * x[entry[2]]
  end
  return y
end

return point
