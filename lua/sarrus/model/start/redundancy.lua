--- Redundant constraints: which multipliers they leave open, and which joints are to blame.

local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local naming = require "sarrus.model.equations.naming"

local redundancy = {}

--- The largest magnitude in a list.
local function largest(list)
  local size = 0
  for _, x in ipairs(list) do
    size = math.max(size, math.abs(x))
  end
  return size
end

--- Directions in comparable numbers.
---@param directions number[][] each a number per constraint
---@param weights number[] of the constraints
---@return number[][]
function redundancy.weighed(directions, weights)
  local list = {}
  for c, direction in ipairs(directions) do
    list[c] = {}
    for i, x in ipairs(direction) do
      list[c][i] = x * weights[i]
    end
  end
  return list
end

local function comparable(model, directions)
  return redundancy.weighed(directions, model.weights)
end

--- Gauss elimination: of the constraints, in order, one for each direction in which multipliers are
--- not unique, as far as they take part in it.  The directions are used up.
---@param directions number[][] each a number per constraint, comparable ones
---@param constraints integer[]
---@return integer[] constraints
function redundancy.pivots(directions, constraints)
  local found, small = {}, {}
  for _, direction in ipairs(directions) do
    small[direction] = 1e-6 * largest(direction)
  end
  for _, i in ipairs(constraints) do
    local best, size = nil, 1
    for c, direction in ipairs(directions) do
      local x = math.abs(direction[i]) / small[direction]
      if x > size then
        best, size = c, x
      end
    end
    if best then
      local pivot = table.remove(directions, best)
      for _, direction in ipairs(directions) do
        local factor = direction[i] / pivot[i]
        for k = 1, #pivot do
          direction[k] = direction[k] - factor * pivot[k]
        end
      end
      found[#found + 1] = i
    end
  end
  return found
end

--- Of the directions in which multipliers are not unique those of joints alone, comparable: where
--- friction holds a loop in several joints, that leaves forces open, but makes no joint redundant.
---@param model table as drawn
---@param directions number[][]
---@return number[][]
function redundancy.of_joints(model, directions)
  local list, contacts = comparable(model, directions), {}
  local equations = model.equations
  for i = #equations.constraints + #equations.velocity_constraints + 1, #model.weights do
    contacts[#contacts + 1] = i
  end
  redundancy.pivots(list, contacts)
  return list
end

--- The constraints that take part in some directions, as a set; nil if there are none.
local function taking_part(directions)
  local open
  for _, direction in ipairs(directions) do
    open = open or {}
    local small = 1e-6 * largest(direction)
    for i, x in ipairs(direction) do
      open[i] = open[i] or math.abs(x) > small or nil
    end
  end
  return open
end

--- The multipliers of a joint, by number.
local function rows_of(model, joint)
  local list, positions = {}, #model.equations.constraints
  for _, i in ipairs(joint.constraints) do
    list[#list + 1] = i
  end
  for _, i in ipairs(joint.velocity_constraints or {}) do
    list[#list + 1] = positions + i
  end
  list[#list + 1] = joint.motion_constraint
  return list
end

--- Whether a joint has a multiplier that is not unique.
local function is_open(model, joint, open)
  for _, i in ipairs(rows_of(model, joint)) do
    if open[i] then
      return true
    end
  end
  return false
end

--- The joints whose constraints take part in some directions of joints alone, quoted.
---@param model table as drawn
---@param directions number[][]
---@return string[] names
function redundancy.joints(model, directions)
  local open, names = taking_part(redundancy.of_joints(model, directions)), {}
  for _, joint in ipairs(open and model.joints or {}) do
    if is_open(model, joint, open) then
      names[#names + 1] = errors.show(joint.name)
    end
  end
  return names
end

--- Rows of joints, the last joints first, without which nothing would be redundant.
local function redundant_constraints(model, directions)
  local constraints, joints = {}, model.joints
  for j = #directions > 0 and #joints or 0, 1, -1 do
    for _, i in ipairs(rows_of(model, joints[j])) do
      constraints[#constraints + 1] = i
    end
  end
  return redundancy.pivots(redundancy.of_joints(model, directions), constraints)
end

--- Joints with redundant constraints, in order, each with what is redundant about it.
local function redundancies(model, constraints)
  local order, about = {}, {}
  for _, i in ipairs(constraints) do
    local one = naming.constraint(model, i)
    if not about[one.owner] then
      about[one.owner] = {}
      order[#order + 1] = one.owner
    end
    table.insert(about[one.owner], one[2])
  end
  return order, about
end

--- Tell of redundant joints.
function redundancy.report(system, sim)
  local model = drawn.of_sim(system.model, sim)
  local others = redundancy.joints(model, sim.core:null())
  local order, about = redundancies(model, redundant_constraints(model, sim.core:null()))
  for _, owner in ipairs(order) do
    sim:warn("redundant", ("%s: redundant: %s; the reactions of the joints %s are not unique")
      :format(naming.title(owner), table.concat(about[owner], ", "), table.concat(others, ", ")),
      owner.name)
  end
end

--- Tell of joints that are redundant at the start, but drift apart on the way.
function redundancy.report_inexact(system, sim)
  local names = redundancy.joints(drawn.of_sim(system.model, sim), sim.core:null())
  sim:warn("nearly_redundant", ("the joints %s depend on each other here, but not exactly: "
    .. "elsewhere they cannot all be closed; are axes that should be parallel a little off?")
    :format(table.concat(names, ", ")))
end

return redundancy
