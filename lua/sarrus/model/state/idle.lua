--- Points that touch and carry nothing.  Where more of them touch than forces are determined by, as
--- where a face lies on a face, the core may press some and leave the others idle.  These could
--- carry a part of the load: then forces are not unique, though the equations that hold now leave
--- none open.

local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local laws = require "sarrus.system.law"
local observe = require "sarrus.model.equations.observe"
local speed = require "sarrus.model.start.speed"

local idle = {}

-- What touches, and what vanishes beside the largest: of the size, and of numbers without a unit.
local NEAR, SMALL = 1e-9, 1e-9

-- What touches -----------------------------------------------------------------------------------

--- Whether some of a state's contacts are pressed; a mode is the last of a law's numbers.
local function any_pressed(s, contacts)
  for i, law in ipairs(contacts) do
    if law.gap and laws.mode_number(s.modes, i) ~= 0 then
      return true
    end
  end
  return false
end

local function released(s)
  local names = {}
  for _, change in ipairs(rawget(s, "changed") or {}) do
    names[change.name] = change.word == "released" or nil
  end
  return names
end

--- What is compiled once for a model.
local function known(model, key, make, index)
  local kept = model.observers.idle
  if not kept then
    kept = {}
    model.observers.idle = kept
  end
  kept[key] = kept[key] or make(model, index)
  return kept[key]
end

local function all_gaps(model)
  local gaps = {}
  for i, law in ipairs(model.equations.contacts) do
    gaps[i] = law.gap or 0
  end
  return evaluator(gaps)
end

--- The laws, by number, that are open though they touch, and were not struck just now.
local function touching(model, s, gone)
  local contacts, list = model.equations.contacts, {}
  local gaps = known(model, "gaps", all_gaps)(s.t, s.q, s.v, s.a, s.lambda, s.parameters, s.modes)
  for i, law in ipairs(contacts) do
    local near = law.gap and math.abs(gaps[i]) <= NEAR * (law.unit == "m" and model.size or 1)
    if near and laws.mode_number(s.modes, i) == 0 and not s.impulses[i]
      and not gone[law.owner.name] then
      list[#list + 1] = i
    end
  end
  return list
end

-- What multipliers do to coordinates -------------------------------------------------------------

--- Entries of a matrix, { column, row, expression }, with what evaluates them.
local function compiled(entries)
  local list = {}
  for e, entry in ipairs(entries) do
    list[e] = entry[3]
  end
  return { entries = entries, evaluate = #list > 0 and evaluator(list) }
end

--- The coordinates whose symbols, "q" or "v", stand in some expressions: true, by number.
local function standing_in(list, kind)
  local found = {}
  for _, e in ipairs(list) do
    expr.find(e, function(node)
      if node.op == "symbol" and node.kind == kind then
        found[node.index + 1] = true
      end
      return false
    end)
  end
  return found
end

--- Of joints, and of what is locked: the slope of each constraint by each coordinate in it, "q" or
--- "v".
local function of_constraints(model)
  local equations, entries, owners = model.equations, {}, {}
  local function put(column, owner, e, kind)
    local stands = standing_in({ e }, kind)
    owners[column] = owner
    for _, k in ipairs(observe.coordinates_of(owner)) do
      if stands[k] then
        entries[#entries + 1] = { column, k, expr.diff(e, equations[kind][k]) }
      end
    end
  end
  local positions = #equations.constraints
  for i, one in ipairs(equations.constraints) do
    put(i, one.owner, one[1], "q")
  end
  for i, one in ipairs(equations.velocity_constraints) do
    put(positions + i, one.owner, one[1], "v")
  end
  for i, lock in ipairs(equations.locks) do
    put(equations:lock_multiplier(i), lock.owner, lock.coordinate.rate, "v")
  end
  local result = compiled(entries)
  result.owners = owners
  return result
end

--- Of a law: the forces on the coordinates, which are linear in its multipliers.
local function of_law(model, index)
  local equations = model.equations
  local law, entries = equations.contacts[index], {}
  local normal, along = laws.forces(law, index, equations:contact_multipliers(index))
  local in_gap, in_slip = standing_in({ law.gap }, "q"), standing_in(law.slip, "v")
  for k, q in ipairs(equations.q) do
    local force = in_gap[k] and normal * expr.diff(law.gap, q) or 0
    for i, one in ipairs(in_slip[k] and along or {}) do
      force = force + one * expr.diff(law.slip[i], equations.v[k])
    end
    if force ~= 0 then
      entries[#entries + 1] = { index, k, force }
    end
  end
  return compiled(entries)
end

--- Of a law: its speeds along the surface.
local function slips_of(model, index)
  return evaluator(model.equations.contacts[index].slip)
end

--- A column of the matrix for each multiplier that may act, in comparable numbers: { i =
--- multiplier, idle = law or nil, gap = whether it presses, [k] = on coordinate k }.
local function new_column(list, i, law, gap)
  local column = { i = i, idle = law, gap = gap }
  list[#list + 1] = column
  return column
end

local function columns_of_constraints(model, s, gone, list)
  local slopes, columns, locked = known(model, "slopes", of_constraints), {}, {}
  for _, change in ipairs(rawget(s, "changed") or {}) do
    locked[change.name] = change.word == "locked" or nil
  end
  local first_lock = model.equations:lock_multiplier(1)
  local x = slopes.evaluate and slopes.evaluate(s.t, s.q, s.v, s.a, s.lambda, s.parameters,
    s.modes)
  for e, entry in ipairs(slopes.entries) do
    local i, k = entry[1], entry[2]
    local owner = slopes.owners[i].name
    if not gone[owner] and (i < first_lock or locked[owner]) then
      columns[i] = columns[i] or new_column(list, i)
      columns[i][k] = x[e]
    end
  end
end

--- The multipliers of a law that act in its mode; idle ones may stick.
local function acting(law, own, modes, index, mode)
  local list = { own.gap }
  local tied = #law.slip == 1 and modes[laws.MODES * (index - 1) + 2] ~= 0
  for k = 1, own.slip and mode ~= 1 and not tied and #law.slip or 0 do
    list[#list + 1] = own.slip + k - 1
  end
  return list
end

local function columns_of_law(model, s, modes, index, is_idle, list)
  local equations = model.equations
  local law, own = equations.contacts[index], equations:contact_multipliers(index)
  local forces, lambda = known(model, index, of_law, index), {}
  for i = 1, #s.lambda do
    lambda[i] = 0
  end
  local mode = laws.mode_number(modes, index)
  for _, i in ipairs(forces.evaluate and acting(law, own, modes, index, mode) or {}) do
    local column = new_column(list, i, is_idle and index or nil, i == own.gap)
    local function add(value, sign)
      lambda[i] = value
      local x = forces.evaluate(s.t, s.q, s.v, s.a, lambda, s.parameters, modes)
      for e, entry in ipairs(forces.entries) do
        column[entry[2]] = (column[entry[2]] or 0) + sign * x[e]
      end
    end
    add(1, -1)
    if not own.gap then
      add(0, 1) -- dry friction of a joint is bounded without a multiplier
    end
    lambda[i] = 0
  end
end

--- Modes in which what is idle slips where something slips, and it moves along its surface.
local function modes_if_pressed(model, s, list)
  local modes, slips = {}, false
  for i = 1, #s.modes do
    modes[i] = s.modes[i]
  end
  for i, law in ipairs(model.equations.contacts) do
    slips = slips or (law.gap and #law.slip > 0 and laws.mode_number(modes, i) == 1)
  end
  local fastest = slips and speed.largest(model, s.v)
  for _, index in ipairs(slips and list or {}) do
    local law = model.equations.contacts[index]
    local speeds = known(model, "slips" .. index, slips_of, index)(s.t, s.q, s.v, s.a, s.lambda,
      s.parameters, s.modes)
    local size = math.sqrt((speeds[1] or 0) ^ 2 + (speeds[2] or 0) ^ 2)
    if size > SMALL * fastest then
      local first = laws.MODES * (index - 1)
      modes[first + (#law.slip == 1 and 1 or 3)] = #law.slip == 1 and speeds[1] / size or 1
      modes[first + laws.MODES] = 1
    end
  end
  return modes
end

-- What is not determined -------------------------------------------------------------------------

--- Columns and coordinates in numbers of one kind.
local function scaled(columns, weights, scales)
  local rows = {}
  for k, scale in ipairs(scales) do
    rows[k] = {}
    for c, column in ipairs(columns) do
      rows[k][c] = (column[k] or 0) * scale / weights[column.i]
    end
  end
  return rows
end

--- The row from `top` on, and its size, that has most in a column.
local function largest_in(rows, top, c)
  local best, size = nil, 0
  for k = top, #rows do
    if math.abs(rows[k][c]) > size then
      best, size = k, math.abs(rows[k][c])
    end
  end
  return best, size
end

--- Rows are mostly zeros: parts of a mechanism that do not touch have none in common.
local function reduce(rows, top, c, count)
  local pivot, filled = rows[top], {}
  local size = pivot[c]
  for j = 1, count do
    if pivot[j] ~= 0 then
      filled[#filled + 1] = j
      pivot[j] = pivot[j] / size
    end
  end
  for k, row in ipairs(rows) do
    local factor = k ~= top and row[c] or 0
    for i = 1, factor ~= 0 and #filled or 0 do
      local j = filled[i]
      row[j] = row[j] - factor * pivot[j]
    end
  end
end

--- The directions that do nothing, one for each column that depends on those before it: numbers by
--- column.
local function dependencies(rows, count)
  local list, top, pivots, unit = {}, 1, {}, 0
  for c = 1, count do
    unit = math.max(unit, (select(2, largest_in(rows, 1, c))))
  end
  for c = 1, count do
    local best, size = largest_in(rows, top, c)
    if best and size > SMALL * unit then
      rows[top], rows[best] = rows[best], rows[top]
      reduce(rows, top, c, count)
      pivots[top], top = c, top + 1
    else
      local direction = { [c] = 1, last = c }
      for k = 1, top - 1 do
        direction[pivots[k]] = -rows[k][c]
      end
      list[#list + 1] = direction
    end
  end
  return list
end

--- Of what is idle, that which takes part by its pressure.
local function pressable(columns, directions)
  local kept = {}
  for _, direction in ipairs(directions) do
    for c, column in ipairs(columns) do
      if column.idle and column.gap and math.abs(direction[c] or 0) > SMALL then
        kept[column.idle] = true
      end
    end
  end
  return kept
end

local function without(columns, kept)
  local list, fewer = {}, false
  for _, column in ipairs(columns) do
    if not column.idle or kept[column.idle] then
      list[#list + 1] = column
    else
      fewer = true
    end
  end
  return list, fewer
end

--- The directions in which multipliers may change with what is idle; by multiplier.
local function open_directions(model, columns, count)
  local weights, scales = model.weights, model.equations:scales(model.size)
  local directions, fewer
  repeat
    directions = dependencies(scaled(columns, weights, scales), #columns)
    columns, fewer = without(columns, pressable(columns, directions))
  until not fewer
  local list = {}
  for _, direction in ipairs(directions) do
    local of = {}
    for i = 1, columns[direction.last].idle and count or 0 do
      of[i] = 0
    end
    for c, column in ipairs(#of > 0 and columns or {}) do
      of[column.i] = (direction[c] or 0) / weights[column.i]
    end
    list[#list + 1] = #of > 0 and of or nil
  end
  return list
end

--- The directions in which multipliers are not unique because idle points could be pressed, and
--- the modes in which these are; nothing where there is none.
---@param model table as drawn
---@param s sarrus.ModelState
---@return number[][]? directions
---@return number[]? modes
function idle.directions(model, s)
  local contacts = model.equations.contacts
  if #contacts == 0 or not any_pressed(s, contacts) then
    return nil
  end
  local gone = released(s)
  local list = touching(model, s, gone)
  if #list == 0 then
    return nil
  end
  local modes, columns = modes_if_pressed(model, s, list), {}
  columns_of_constraints(model, s, gone, columns)
  for i in ipairs(contacts) do
    if laws.mode_number(s.modes, i) ~= 0 then
      columns_of_law(model, s, modes, i, false, columns)
    end
  end
  for _, i in ipairs(list) do
    columns_of_law(model, s, modes, i, true, columns)
  end
  return open_directions(model, columns, #s.lambda), modes
end

return idle
