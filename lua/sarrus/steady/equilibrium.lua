--- Equilibria: where a model that is at rest stays so.
---
--- From a start, steps go where forces push, of the length that a quadratic model of their work is
--- good for (a trust region): with the eigenvectors e_k of the symmetric part of K and its
--- eigenvalues kappa_k,
---   d = sum_k (e_k . F) / (sigma - kappa_k) e_k,
--- sigma at least 0, above all kappa_k, and so large that nothing moves too far.  A step is taken
--- where forces do work along it.  So potential energy falls, and saddles are left; one that the
--- start is at is found.  Near the end sigma is 0, which is Newton's method.

local core = require "sarrus.core"
local dense = require "sarrus.steady.dense"
local errors = require "sarrus.base.errors"
local rest = require "sarrus.steady.rest"

local equilibrium = {}

-- At most so many steps, and so far from the start, in sizes of the model.
local MOST_STEPS, FAR = 500, 1e4

-- How far the first step goes at most, in sizes of the model; and how far anything turns in a step,
-- in radians.
local LARGEST = 0.5

-- What is left is rounding: forces relative to those that act; displacements relative to scale.
local NO_FORCE, NO_STEP = 1e-14, 1e-15

-- Beyond that a step is not worth the name of Newton's.
local ROUGH = 1e-6

-- What an equilibrium has to meet, one or the other.
local FORCE, STEP = 1e-12, 1e-12

-- What a state that a script gives has to meet.
local STAYS = 1e-9

-- Steps -----------------------------------------------------------------------------------------

--- How far a displacement goes, relative to scale.
local function reach(d, scales)
  local most = 0
  for i, x in ipairs(d) do
    most = math.max(most, math.abs(x) / scales[i])
  end
  return most
end

--- The same, relative to how far it may go: lengths to a radius, turns no farther than LARGEST.
local function share(d, at, radius)
  local most, turn = 0, math.min(radius, LARGEST)
  for i, x in ipairs(d) do
    most = math.max(most, math.abs(x) / (at.units[i] == "m" and at.scales[i] * radius or turn))
  end
  return most
end

--- Eigenvalues and eigenvectors, by columns, of the symmetric part of a matrix.
local function spectrum(k)
  local n, symmetric = #k, {}
  for i = 1, n do
    symmetric[i] = {}
    for j = 1, n do
      symmetric[i][j] = (k[i][j] + k[j][i]) / 2
    end
  end
  return core.eigen_symmetric(n, dense.by_columns(symmetric))
end

--- What rounding makes of an eigenvalue that is 0.
local function negligible(values)
  return 2 ^ -44 * math.max(math.abs(values[1] or 0), math.abs(values[#values] or 0))
end

--- F along the eigenvectors.
local function parts_of(force, vectors)
  local n, list = #force, {}
  for k = 1, n do
    local total = 0
    for i = 1, n do
      total = total + vectors[(k - 1) * n + i] * force[i]
    end
    list[k] = total
  end
  return list
end

--- The step for sigma; nil where a force acts along a direction without stiffness.
local function step_for(at, sigma)
  local n, amounts = #at.values, {}
  for i = 1, n do
    amounts[i] = 0
  end
  for k = 1, n do
    local stiffness = sigma - at.values[k]
    local amount = 0
    if stiffness > at.negligible then
      amount = at.parts[k] / stiffness
    elseif math.abs(at.parts[k]) > FORCE * at.rest.scale then
      return nil
    end
    for i = 1, amount ~= 0 and n or 0 do
      amounts[i] = amounts[i] + amount * at.vectors[(k - 1) * n + i]
    end
  end
  return amounts
end

--- Amounts along the basis, and the displacement, that go no farther than a radius.
local function limited(at, radius)
  local function try(sigma)
    local amounts = step_for(at, sigma)
    local d = amounts and at.rest:displacement(amounts)
    return amounts, d, d and share(d, at, radius) or math.huge
  end
  local stiffest = at.values[#at.values]
  local least = stiffest > at.negligible and stiffest or 0
  local scale = math.max(math.abs(at.values[1]), least, at.rest.scale * 1e-6, 1e-300)
  local amounts, d, far = try(least == 0 and 0 or least + 1e-3 * scale)
  if far <= 1 then
    return amounts, d, least
  end
  local low, high = least, least + scale
  repeat -- ends: steps vanish as sigma grows
    amounts, d, far = try(high)
    if far > 1 then
      low, high = high, least + 4 * (high - least)
    end
  until far <= 1
  for _ = 1, 40 do
    if far > 0.8 then
      break
    end
    local middle = low + (high - low) / 2
    local trial, displaced, reached = try(middle)
    if reached <= 1 then
      high, amounts, d, far = middle, trial, displaced, reached
    else
      low = middle
    end
  end
  return amounts, d, high
end

--- The work that forces do along a step by the quadratic model: F . d + d . K d / 2.
local function expected(at, amounts)
  local total = 0
  for i, x in ipairs(amounts) do
    local pull = 0
    for j, y in ipairs(amounts) do
      pull = pull + at.stiffness[i][j] * y
    end
    total = total + x * (at.rest.force[i] + pull / 2)
  end
  return total
end

--- Newton's step with all of K, where it is not symmetric; nil where it has none.
local function full_step(at)
  local right = {}
  for i, x in ipairs(at.rest.force) do
    right[i] = { -x }
  end
  local solved, amounts = dense.solve(at.stiffness, right), {}
  for i, row in ipairs(solved or {}) do
    amounts[i] = row[1]
  end
  return solved and amounts
end

local function asymmetry(k)
  local most = 0
  for i = 1, #k do
    for j = 1, i - 1 do
      most = math.max(most, math.abs(k[i][j] - k[j][i]))
    end
  end
  return most
end

-- The search -------------------------------------------------------------------------------------

--- What is known at a point.
local function survey(at, here)
  local stiffness, failed = here:slopes("q")
  if not stiffness then
    return nil, failed
  end
  local values, vectors, code = spectrum(stiffness)
  if not values then
    return nil, { code = code, reason = vectors }
  end
  at.rest, at.stiffness, at.values, at.vectors = here, stiffness, values, vectors
  at.negligible = negligible(values)
  at.parts = parts_of(here.force, vectors)
  at.symmetric = asymmetry(stiffness) <= 1e-10 * dense.largest(stiffness)
  return true
end

--- The work of forces between two points, by those at its ends.
local function work(from, to)
  local before, after, d = from.point, to.point, {}
  for i, x in ipairs(after.q) do
    d[i] = x - before.q[i]
  end
  local momentum = before:momentum(d)
  local total = 0
  for i, x in ipairs(momentum) do
    total = total + x * (before.a[i] + after.a[i]) / 2
  end
  return total
end

--- A point displaced from where the search is; nil where nothing closes there.
local function displaced(at, d)
  local q = {}
  for i, x in ipairs(at.rest.point.q) do
    q[i] = x + d[i]
  end
  return rest.at(at.model, at.start, q, at.rest.basis)
end

--- Newton's steps as long as they get smaller, from a point near the end.
local function polish(at)
  for _ = 1, 20 do
    local amounts = at.symmetric and step_for(at, 0) or full_step(at)
    local d = amounts and at.rest:displacement(amounts)
    local far = d and reach(d, at.scales) or math.huge
    if at.rest:residual() <= NO_FORCE or far <= NO_STEP or far > at.last then
      return true
    end
    local there = displaced(at, d)
    if not there or there:residual() >= at.rest:residual() and far < ROUGH then
      at.last = math.min(at.last, far)
      return true
    end
    at.last = far
    local done, failed = survey(at, there)
    if not done then
      return nil, failed
    end
  end
  return true
end

--- One step of the search; whether it ended, near an equilibrium.
local function advance(at)
  local amounts, d, sigma = limited(at, at.radius)
  local far = reach(d, at.scales)
  if at.rest:residual() <= NO_FORCE or sigma == 0 and far <= ROUGH then
    at.last = math.max(far, ROUGH)
    return true
  end
  local there = displaced(at, d)
  local wanted = expected(at, amounts)
  local done = there and work(at.rest, there)
  if not done or done < 0.1 * wanted then
    at.radius = math.min(at.radius, far) / 4
    at.last = far
    return at.radius < ROUGH / 4
  end
  local off = math.abs(done / wanted - 1)
  at.radius = at.radius * (off < 0.01 and 4 or off < 0.3 and 2 or 1)
  local moved, failed = survey(at, there)
  return not moved and nil, failed
end

-- Refusals ---------------------------------------------------------------------------------------

--- The body that went farthest from the start, and how far.
local function gone(at)
  local most, name = 0, nil
  for _, body in ipairs(at.model.bodies) do
    local square = 0
    for k = 1, at.model.dimension do
      local i = body.offset + k
      square = square + (at.rest.point.q[i] - at.from[i]) ^ 2
    end
    if math.sqrt(square) > most then
      most, name = math.sqrt(square), body.name
    end
  end
  return most, name
end

--- No equilibrium near the start: what moved, where it stuck.
local function refuse(at, steps)
  local far, farthest = gone(at)
  local body, acceleration = at.rest:most_pushed()
  if far > FAR * at.model.size then
    return nil, ("there is none near the start: nothing stops %s, which is accelerated by %.3g "
      .. "m/s^2"):format(body, acceleration), "LIMIT"
  end
  return nil, ("there is none near the start: after %s %s had moved by %.3g m, and %s was still "
    .. "accelerated by %.3g m/s^2"):format(errors.count(steps, "step"), errors.show(farthest or
    "nothing"), far, body, acceleration), "LIMIT"
end

--- An equilibrium from a start.
---@param model table as drawn
---@param start table
---@param q number[]
---@return table? found rest, stiffness, values, steps
---@return string? message
---@return string? code
function equilibrium.find(model, start, q)
  local here, message, code = rest.at(model, start, q)
  if not here then
    return nil, message, code
  end
  local at = {
    model = model, start = start, scales = start.scales, units = model.equations.units,
    radius = LARGEST, from = q,
  }
  local ended, failed = survey(at, here)
  local steps, surveyed = 0, ended
  ended = surveyed and #here.basis == 0 or nil
  at.last = 0
  while surveyed and not ended and steps < MOST_STEPS and gone(at) <= FAR * model.size do
    ended, failed = advance(at)
    steps = steps + 1
    surveyed = not failed
  end
  if surveyed and ended then
    surveyed, failed = polish(at)
  end
  if not surveyed then
    return nil, failed
  elseif not ended or at.rest:residual() > FORCE and at.last > STEP then
    return refuse(at, steps)
  end
  at.steps = steps
  return at
end

--- What is known at a point that is an equilibrium; nil, message, code where it is none.
---@param model table as drawn
---@param start table
---@param q number[]
---@return table? found
---@return string? message
---@return string? code
function equilibrium.stay(model, start, q)
  local here, message, code = rest.at(model, start, q)
  if not here then
    return nil, message, code
  end
  local at = { model = model, start = start, scales = start.scales }
  local done, failed = survey(at, here)
  if not done then
    return nil, failed
  elseif here:residual() > STAYS then
    local body, acceleration = here:most_pushed()
    return nil, ("this is no equilibrium: %s is accelerated by %.3g m/s^2; begin with "
      .. "model:equilibrium"):format(body, acceleration), "INCONSISTENT"
  end
  return at
end

return equilibrium
