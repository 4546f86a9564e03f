--- Linear models: x' = A x + B u, y = C x + D u about a state.
---
--- The states x are independent coordinates and rates (coordinates.lua).  Motions that constraints
--- allow are spanned by directions (dq, dv) of the core, of which it knows da; what coordinates,
--- rates, their derivatives and channels do along these directions is linear.  With the states'
--- own changes X along them, and those F of what is asked for, the matrix is F X^-1.
---
--- Where wheels roll, positions may change in more ways than velocities: then there are more
--- coordinates among the states than rates.

local coordinates = require "sarrus.steady.coordinates"
local dense = require "sarrus.steady.dense"
local expr = require "sarrus.expr"
local point = require "sarrus.steady.point"
local probe = require "sarrus.model.start.probe"
local vec = require "sarrus.expr.vec"

local linearise = {}

-- Coordinates at a point -------------------------------------------------------------------------

--- All coordinates of a model with what evaluates them: once per model.
local function catalogue(model)
  local known = model.observers.steady
  if not known then
    local list, values, rates = coordinates.of(model), {}, {}
    for i, one in ipairs(list) do
      values[i], rates[i] = one.value or 0, one.rate
    end
    known = { list = list, accelerations = {} }
    known.value, known.value_slopes = point.compile(values)
    known.rate, known.rate_slopes = point.compile(rates)
    model.observers.steady = known
  end
  return known
end

--- How coordinates change along a displacement of positions alone: their rates are linear in the
--- velocities.
local function moved_by(known, p, dq)
  return known.rate(p, dq)
end

--- What all coordinates do along a direction: `position`, `rate`, and `drift`, their derivatives.
--- That of a small turn th is as the spin w changes, and w x th besides.
local function look(known, p, direction)
  local positions = known.value_slopes(p, direction)
  local turns, drifts = moved_by(known, p, direction.q), {}
  local rates, w = known.rate_slopes(p, direction), known.rate(p)
  for i, one in ipairs(known.list) do
    positions[i] = one.value and positions[i] or turns[i]
    drifts[i] = rates[i]
    if one.turn then
      local first = i - one.turn
      drifts[i] = rates[i] + vec.cross({ w[first + 1], w[first + 2], w[first + 3] },
        { turns[first + 1], turns[first + 2], turns[first + 3] })[one.turn]
    end
  end
  return { position = positions, rate = rates, drift = drifts }
end

--- Rows of what coordinates, relative to scale, see of directions.
local function seen(known, kind, views, size)
  local rows = {}
  for i, one in ipairs(known.list) do
    rows[i] = {}
    for j, view in ipairs(views) do
      rows[i][j] = view[kind][i] / (one.unit == "m" and size or 1)
    end
  end
  return rows
end

-- States -----------------------------------------------------------------------------------------

---@class sarrus.LinearBasis
---@field known table all coordinates
---@field positions integer[] which of them are states
---@field rates integer[] of which the rates are
---@field directions sarrus.PointDirection[] those of positions first
---@field views table[] what coordinates do along them
---@field x number[][] the states' changes along them

--- Directions of a kind, with their slopes.
local function directions_of(p, kind)
  local vectors, failed = p:allowed(kind)
  if not vectors then
    return nil, failed
  end
  local list = {}
  for i, one in ipairs(vectors) do
    list[i] = { [kind] = one }
  end
  return p:slopes(list)
end

--- Coordinates in the order in which their rates are tried: the states', joints and turns before
--- places, on which what rolls seldom depends; then the others.
local function preferred(list, positions)
  local order, taken = {}, {}
  local function put(i)
    if not taken[i] then
      order[#order + 1], taken[i] = i, true
    end
  end
  for _, i in ipairs(positions) do
    if not list[i].place then
      put(i)
    end
  end
  for _, i in ipairs(positions) do
    put(i)
  end
  for i = 1, #list do
    put(i)
  end
  return order
end

--- The rates that are states, given which coordinates are.
local function choose_rates(known, positions, views, size)
  local order = preferred(known.list, positions)
  local rows, sorted, rates = seen(known, "rate", views, size), {}, {}
  for k, i in ipairs(order) do
    sorted[k] = rows[i]
  end
  for k, i in ipairs(coordinates.independent(sorted, #views)) do
    rates[k] = order[i]
  end
  return rates
end

--- The states' changes along a direction.
local function changes(basis, view)
  local list = {}
  for _, i in ipairs(basis.positions) do
    list[#list + 1] = view.position[i]
  end
  for _, i in ipairs(basis.rates) do
    list[#list + 1] = view.rate[i]
  end
  return list
end

--- The states at a point, and directions that span them.
---@param p sarrus.Point
---@return sarrus.LinearBasis? basis
---@return sarrus.Failure? failed
function linearise.basis(p)
  local known, size = catalogue(p.model.system.model), p.model.size
  local moves, failed = directions_of(p, "q")
  local speeds = nil
  if moves then
    speeds, failed = directions_of(p, "v")
  end
  if not speeds then
    return nil, failed
  end
  local of_moves, of_speeds, x = {}, {}, {}
  for j, direction in ipairs(moves) do
    of_moves[j] = look(known, p, direction)
  end
  for j, direction in ipairs(speeds) do
    of_speeds[j] = look(known, p, direction)
  end
  local basis = { known = known, directions = moves, views = of_moves }
  basis.positions = coordinates.independent(seen(known, "position", of_moves, size), #moves)
  basis.rates = choose_rates(known, basis.positions, of_speeds, size)
  for j, direction in ipairs(speeds) do
    moves[#moves + 1], of_moves[#of_moves + 1] = direction, of_speeds[j]
  end
  for j, view in ipairs(of_moves) do
    x[j] = changes(basis, view)
  end
  basis.x = dense.transpose(x, #x)
  return basis
end

-- Matrices ---------------------------------------------------------------------------------------

--- The derivatives of the rates that are states, compiled once.
local function accelerations_of(p, basis)
  local model, known, key = p.model.system.model, basis.known, table.concat(basis.rates, " ")
  if not known.accelerations[key] then
    local a, list = {}, {}
    for i, name in ipairs(model.equations.names) do
      a[i] = expr.symbol("a", i - 1, name .. "''")
    end
    for k, i in ipairs(basis.rates) do
      list[k] = coordinates.rate(known.list[i].rate, model.equations.v, a)
    end
    known.accelerations[key] = { point.compile(list) }
  end
  return known.accelerations[key][1], known.accelerations[key][2]
end

--- How the derivatives of the states change along a direction.
local function derivatives(p, basis, view, direction)
  local list = {}
  for k, i in ipairs(basis.positions) do
    list[k] = view.drift[i]
  end
  local _, slopes = accelerations_of(p, basis)
  for _, x in ipairs(slopes(p, direction)) do
    list[#list + 1] = x
  end
  return list
end

--- X^-1; nil where the states do not tell all directions apart.
local function inverse(x)
  local unit = dense.zeros(#x, #x)
  for i = 1, #x do
    unit[i][i] = 1
  end
  return dense.solve(x, unit)
end

-- What is so much smaller than the changes that it is made of is rounding.
local ROUNDING = 2 ^ -46

--- How large the changes of velocities and accelerations are along directions, relative to scale:
--- what rounding is relative to.
local function sizes_of(p, directions)
  local sizes = { v = {}, a = {} }
  for j, direction in ipairs(directions) do
    for kind, list in pairs(sizes) do
      local most = 0
      for i, x in ipairs(direction[kind]) do
        most = math.max(most, math.abs(x) / p.start.scales[i])
      end
      list[j] = most
    end
  end
  return sizes
end

--- What the derivative of state i is made of, velocities or accelerations, and its scale.
local function kind_of(p, basis, i)
  local rates = i > #basis.positions
  local one = basis.known.list[rates and basis.rates[i - #basis.positions] or basis.positions[i]]
  return rates and "a" or "v", one.unit == "m" and p.model.size or 1
end

--- A with zeros in the place of rounding, so that coordinates on which nothing depends have
--- eigenvalues of 0.
local function cleaned(a, p, basis, inverted)
  local sizes = sizes_of(p, basis.directions)
  local levels = {}
  for kind, list in pairs(sizes) do
    levels[kind] = {}
    for k = 1, #a do
      local level = 0
      for j, size in ipairs(list) do
        level = level + size * math.abs(inverted[j][k])
      end
      levels[kind][k] = level
    end
  end
  for i, row in ipairs(a) do
    local kind, scale = kind_of(p, basis, i)
    for k, x in ipairs(row) do
      row[k] = math.abs(x) > ROUNDING * scale * levels[kind][k] and x or 0
    end
  end
  return a
end

--- Directions in which one parameter changes each.
local function input_directions(p, inputs)
  local index, wanted = {}, {}
  for i, parameter in ipairs(probe.system(p.model).parameters) do
    index[parameter.name] = i
  end
  for k, name in ipairs(inputs) do
    wanted[k] = { parameter = index[name] }
  end
  local directions, failed = p:slopes(wanted)
  for k, one in ipairs(directions or {}) do
    one.p[inputs[k]] = 1
  end
  return directions, failed
end

--- What inputs do where the states stay: all changes, less what those of the states account for.
---@param columns number[][] changes, by inputs
---@param matrix number[][] by states
---@param moved number[][] changes of the states, by inputs
---@param level fun(i: integer, j: integer): number what rounding of the changes is relative to
local function of_inputs(columns, matrix, moved, level)
  local m = dense.zeros(#matrix, #columns)
  for j, column in ipairs(columns) do
    for i, row in ipairs(matrix) do
      local sum, size = column[i], math.max(math.abs(column[i]), level(i, j))
      for k, x in ipairs(moved[j]) do
        sum, size = sum - row[k] * x, size + math.abs(row[k] * x)
      end
      m[i][j] = math.abs(sum) > ROUNDING * size and sum or 0
    end
  end
  return m
end

--- A coordinate whose rate is a state, too, changes by exactly that.
local function exact_rows(a, basis)
  local place = {}
  for k, i in ipairs(basis.rates) do
    place[i] = #basis.positions + k
  end
  for row, i in ipairs(basis.positions) do
    for k = 1, place[i] and not basis.known.list[i].turn and #a or 0 do
      a[row][k] = k == place[i] and 1 or 0
    end
  end
  return a
end

-- Whether it is steady ---------------------------------------------------------------------------

--- The largest derivative of a rate at the point, turning counted at the size of the model, and
--- whose it is.
local function unsteady(p, basis)
  local most, whose = 0, nil
  local values = accelerations_of(p, basis)(p)
  for k, i in ipairs(basis.rates) do
    local one = basis.known.list[i]
    local x = math.abs(values[k]) * (one.unit == "m" and 1 or p.model.size)
    if x > most then
      most, whose = x, one.rate_name
    end
  end
  return most, whose
end

local function names_of(basis)
  local list, at = {}, basis.known.list
  for _, i in ipairs(basis.positions) do
    list[#list + 1] = at[i].name
  end
  for _, i in ipairs(basis.rates) do
    list[#list + 1] = at[i].rate_name
  end
  return list
end

--- The linear model at a point.
---@param p sarrus.Point
---@param inputs string[] parameters
---@param outputs sarrus.Channel[]
---@return table? linear A, B, C, D, states, and the basis
---@return sarrus.Failure? failed
function linearise.at(p, inputs, outputs)
  local basis, failed = linearise.basis(p)
  local driven = nil
  if basis then
    driven, failed = input_directions(p, inputs)
  end
  if not driven then
    return nil, failed
  end
  local inverted, count = inverse(basis.x), #basis.directions
  if not inverted then
    return nil, { code = "SINGULAR", reason = "no independent coordinates describe the motion" }
  end
  local expressions = {}
  for i, channel in ipairs(outputs) do
    expressions[i] = channel.expression
  end
  local _, channel_slopes = point.compile(expressions)
  local of_states, of_channels = {}, {}
  for j, direction in ipairs(basis.directions) do
    of_states[j] = derivatives(p, basis, basis.views[j], direction)
    of_channels[j] = channel_slopes(p, direction)
  end
  local a = dense.product(dense.transpose(of_states, count), inverted, count)
  local c = dense.product(dense.transpose(of_channels, #outputs), inverted, count)
  a = exact_rows(cleaned(a, p, basis, inverted), basis)
  local driven_states, driven_channels, moved = {}, {}, {}
  for j, direction in ipairs(driven) do
    local view = look(basis.known, p, direction)
    driven_states[j], moved[j] = derivatives(p, basis, view, direction), changes(basis, view)
    driven_channels[j] = channel_slopes(p, direction)
  end
  local sizes, acceleration, whose = sizes_of(p, driven), unsteady(p, basis)
  local function level(i, j)
    local kind, scale = kind_of(p, basis, i)
    return scale * sizes[kind][j]
  end
  return {
    A = a, B = of_inputs(driven_states, a, moved, level),
    C = c, D = of_inputs(driven_channels, c, moved, function() return 0 end),
    states = names_of(basis), basis = basis, inverse = inverted, acceleration = acceleration,
    whose = whose,
  }
end

--- What the states' coordinates do along a displacement of positions.
---@param p sarrus.Point
---@param basis sarrus.LinearBasis
---@param d { re: number[], im: number[] }
---@return { name: string, scale: number, re: number, im: number }[]
function linearise.seen(p, basis, d)
  local list, known = {}, basis.known
  local re, im = moved_by(known, p, d.re), moved_by(known, p, d.im)
  for k, i in ipairs(basis.positions) do
    local one = known.list[i]
    list[k] = {
      name = one.name, scale = one.unit == "m" and p.model.size or 1, re = re[i], im = im[i],
    }
  end
  return list
end

--- The displacement of positions that belongs to values of the states.
---@param p sarrus.Point
---@param linear table of linearise.at
---@param x number[]
---@return number[]
function linearise.displacement(p, linear, x)
  local d = {}
  for i = 1, p.n do
    d[i] = 0
  end
  for j, direction in ipairs(linear.basis.directions) do
    local amount = 0
    for k, value in ipairs(x) do
      amount = amount + linear.inverse[j][k] * value
    end
    for i = 1, p.n do
      d[i] = d[i] + amount * direction.q[i]
    end
  end
  return d
end

return linearise
