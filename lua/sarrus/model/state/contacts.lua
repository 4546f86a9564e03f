--- What states tell of contacts: modes, gaps and forces, as expressions or as numbers.

local expr = require "sarrus.expr"
local functions = require "sarrus.expr.functions".public
local laws = require "sarrus.system.law"
local results = require "sarrus.base.result"
local unique = require "sarrus.model.state.unique"
local vec = require "sarrus.expr.vec"

local reading = {}

local point_reading = results.kind("a point of contact",
  { "a", "b", "position", "normal", "gap", "mode", "force", "unique" })

-- Expressions ------------------------------------------------------------------------------------

local function zero(dimension)
  return vec.new(dimension == 2 and { 0, 0 } or { 0, 0, 0 })
end

--- The force on B of generalised forces: those on its frame, or against those on A's.
local function force_by_work(model, contact, law, normal, along)
  local bodies = contact.bodies
  local b, sign = bodies[2] or bodies[1], 1
  if b.ground then
    b, sign = bodies[1], -1
  end
  local equations, forces = model.equations, {}
  for k = 1, b.count or 0 do
    local q, v = equations.q[b.offset + k], equations.v[b.offset + k]
    forces[k] = normal * expr.diff(law.gap, q)
    for i, force in ipairs(along) do
      forces[k] = forces[k] + force * expr.diff(law.slip[i], v)
    end
  end
  local force = equations:frame(b):wrench(forces)
  return force * sign
end

--- Of one law: gap, normal force, force along the surface and whole force on B.
local function of_law(model, contact, one)
  local law, touch = one.law, one.touch
  local normal, along = laws.forces(law, one.index, model.equations:contact_multipliers(one.index))
  local across = zero(model.dimension)
  if not touch.normal then
    local whole = force_by_work(model, contact, law, normal, along)
    local pressed = force_by_work(model, contact, law, normal, {})
    return { gap = law.gap, normal = normal, across = whole - pressed, force = whole }
  end
  for k, force in ipairs(along) do
    across = across + touch.tangents[k] * force
  end
  return { gap = law.gap, normal = normal, across = across, force = touch.normal * normal + across }
end

local function append(list, ...)
  for i = 1, select("#", ...) do
    for _, x in ipairs((select(i, ...))) do
      list[#list + 1] = x
    end
  end
end

--- All that is asked of a contact, law by law, in the order in which `points` takes it up.
---@param model sarrus.Model
---@param contact table the record
---@return sarrus.Scalar[]
function reading.expressions(model, contact)
  local list = {}
  for _, one in ipairs(contact.laws) do
    local of, touch = of_law(model, contact, one), one.touch
    append(list, { of.gap, of.normal }, of.across, of.force)
    append(list, touch.position or zero(model.dimension), touch.normal or zero(model.dimension))
  end
  return list
end

--- Of every law that has a place, in the order of the model: place, force on B, gap, names of
--- shapes.
---@param model sarrus.Model
---@return { contact: table, a: string, b: string, position: sarrus.Vector, force: sarrus.Vector, gap: sarrus.Scalar }[]
function reading.places(model)
  local list = {}
  for _, contact in ipairs(model.contacts) do
    for _, one in ipairs(contact.laws) do
      if one.touch.position then
        local of = of_law(model, contact, one)
        list[#list + 1] = {
          contact = contact, a = one.touch.a, b = one.touch.b, position = one.touch.position,
          force = of.force, gap = of.gap,
        }
      end
    end
  end
  return list
end

-- Points -----------------------------------------------------------------------------------------

--- The points of a contact from the values of these expressions.
local function points_of(model, contact, x)
  local list, used, n = {}, 0, model.dimension
  local function take(count)
    local values = {}
    for k = 1, count do
      values[k] = x[used + k]
    end
    used = used + count
    return count > 1 and vec.new(values) or values[1]
  end
  for i, one in ipairs(contact.laws) do
    list[i] = {
      gap = take(1), normal_force = take(1), across = take(n), force = take(n), position = take(n),
      normal = take(n), law = one,
    }
  end
  return list
end

--- 2 where one sticks, else 1 where one slips, 0 where all are open: as events are told.
local function mode_of(modes)
  local most = 0
  for _, mode in ipairs(modes) do
    most = functions.max(most, mode)
  end
  return most
end

--- The sums over the points, and the least gap.
local function total(model, points)
  local force, across, normal, gap = zero(model.dimension), zero(model.dimension), 0
  for _, point in ipairs(points) do
    force, across = force + point.force, across + point.across
    normal = normal + point.normal_force
    gap = gap and functions.min(gap, point.gap) or point.gap
  end
  return laws.reading {
    gap = gap, force = force, normal_force = normal, friction_force = vec.norm(across),
  }
end

--- The force on B, from the values of a contact's expressions.
---@return sarrus.Vector
function reading.force(model, contact, x)
  return total(model, points_of(model, contact, x)).force
end

-- Readings ---------------------------------------------------------------------------------------

--- The size of the friction in the plane, as |sum of forces along the tangent|: it has a series
--- where it vanishes, as that of a vector has not.  Nil where points have different tangents.
local function size_along(model, contact)
  local first, sum = nil, 0
  for _, one in ipairs(contact.laws) do
    local tangent = one.touch.normal and one.touch.tangents[1]
    first = first or tangent
    if model.dimension ~= 2 or not tangent or tangent.x ~= first.x or tangent.y ~= first.y then
      return nil
    end
    local _, along = laws.forces(one.law, one.index, model.equations:contact_multipliers(one.index))
    sum = sum + (along[1] or 0)
  end
  return functions.abs(sum)
end

--- A contact in the symbols that events and channels see.
---@param model sarrus.Model
---@param contact table
---@param x sarrus.Scalar[] its expressions
function reading.symbolic(model, contact, x)
  local result, modes = total(model, points_of(model, contact, x)), {}
  for i, one in ipairs(contact.laws) do
    modes[i] = laws.mode_symbol(one.index)
  end
  result.mode = mode_of(modes)
  result.friction_force = size_along(model, contact) or result.friction_force
  return result
end

--- The impulse of what has just struck: pushes along the normals.
local function impulse_of(contact, state)
  local sum = 0
  for _, one in ipairs(contact.laws) do
    local own = state.impulses[one.index]
    sum = sum + (own and own[1] or 0)
  end
  return sum
end

--- Which of the points that carry have the same force with all multipliers that are possible: a
--- list, and `all`: whether the sum of all points has.
local function unique_forces(model, contact, state, points, sum, modes, evaluate)
  local others, same = unique.others(state), { all = true }
  local function equal(a, b)
    local is = true
    for k = 1, model.dimension do
      is = is and unique.same(others, a[k], b[k], others.length)
    end
    return is
  end
  for _, one in ipairs(others) do
    local other = points_of(model, contact, evaluate(one.lambda, one.modes))
    same.all = same.all and equal(sum, total(model, other).force)
    local any = same.all
    for i, point in ipairs(other) do
      if modes[i] ~= 0 and same[i] ~= false then
        same[i] = equal(points[i].force, point.force)
        any = any or same[i]
      end
    end
    if not any then
      break
    end
  end
  return same
end

--- What of a contact touches, and may carry load.
local function touching_of(points, modes, same)
  local list = {}
  for i, point in ipairs(points) do
    local touch, mode = point.law.touch, laws.mode_number(modes, point.law.index)
    if mode ~= 0 then
      list[#list + 1] = point_reading {
        a = touch.a, b = touch.b, gap = point.gap, mode = laws.mode(mode), force = point.force,
        position = touch.position and point.position, normal = touch.normal and point.normal,
        unique = same[i] ~= false,
      }
    end
  end
  return list
end

--- A contact at a state.
---@param model sarrus.Model
---@param contact table
---@param state sarrus.ModelState
---@param evaluate fun(lambda: number[], modes: number[]): number[] values of its expressions there
function reading.numeric(model, contact, state, evaluate)
  local points, own = points_of(model, contact, evaluate(state.lambda, state.modes)), {}
  local result = total(model, points)
  for i, one in ipairs(contact.laws) do
    own[i] = laws.mode_number(state.modes, one.index)
  end
  local same = unique_forces(model, contact, state, points, result.force, own, evaluate)
  result.mode, result.unique = laws.mode(mode_of(own)), same.all
  result.points = touching_of(points, state.modes, same)
  result.impulse = impulse_of(contact, state)
  return result
end

return reading
