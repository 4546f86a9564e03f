--- Motions with piecewise forces, branch by branch, in plain Lua: the power series of each smooth
--- branch are summed up to where a switch leaves its side, found by bisection; there the branch
--- changes. Written for the tests alone.  A problem is
---   { mass = { m1, … }, q = {…}, v = {…}, force = function(q, v, t, fn) return { f1, … } end },
--- where `fn` has sin cos sqrt abs sign min max select and table, those of sarrus or those of here.
local sarrus = require "sarrus"

local branches = {}

--- Highest power that is kept, and what the last terms may be beside the first.
local ORDER, SMALL = 22, 1e-17

-- Series, coefficient by coefficient -------------------------------------------------------------

local Node = {}
Node.__index = Node

--- The machine that is being built; a node is a series from index 0, `extend` gives coefficient k.
local building

local function put(extend)
  local node = setmetatable({ extend = extend }, Node)
  building.nodes[#building.nodes + 1] = node
  return node
end

local function is_number(x)
  return type(x) == "number"
end

local function constant(x)
  return put(function(self, k) self[k] = k == 0 and x or 0 end)
end

local function lift(x)
  return is_number(x) and constant(x) or x
end

local function scaled(a, factor)
  return put(function(self, k) self[k] = factor * a[k] end)
end

function Node.__unm(a)
  return scaled(a, -1)
end

function Node.__add(a, b)
  a, b = lift(a), lift(b)
  return put(function(self, k) self[k] = a[k] + b[k] end)
end

function Node.__sub(a, b)
  a, b = lift(a), lift(b)
  return put(function(self, k) self[k] = a[k] - b[k] end)
end

function Node.__mul(a, b)
  if is_number(a) then
    return scaled(b, a)
  elseif is_number(b) then
    return scaled(a, b)
  end
  return put(function(self, k)
    local sum = 0
    for j = 0, k do
      sum = sum + a[j] * b[k - j]
    end
    self[k] = sum
  end)
end

function Node.__div(a, b)
  if is_number(b) then
    return scaled(a, 1 / b)
  end
  a = lift(a)
  return put(function(self, k)
    local sum = a[k]
    for j = 0, k - 1 do
      sum = sum - self[j] * b[k - j]
    end
    self[k] = sum / b[0]
  end)
end

local fn = {}

function fn.sqrt(a)
  return put(function(self, k)
    if k == 0 then
      self[0] = math.sqrt(a[0])
      return
    end
    local sum = a[k]
    for j = 1, k - 1 do
      sum = sum - self[j] * self[k - j]
    end
    self[k] = sum / (2 * self[0])
  end)
end

--- Sine and cosine of a, each by the other.
local function circular(a)
  local pair = building.circular[a]
  if pair then
    return pair
  end
  local s, c
  local function sum(other, k)
    local total = 0
    for j = 1, k do
      total = total + j * a[j] * other[k - j]
    end
    return total / k
  end
  s = put(function(self, k) self[k] = k == 0 and math.sin(a[0]) or sum(c, k) end)
  c = put(function(self, k) self[k] = k == 0 and math.cos(a[0]) or -sum(s, k) end)
  building.circular[a] = { sin = s, cos = c }
  return building.circular[a]
end

function fn.sin(a)
  return circular(a).sin
end

function fn.cos(a)
  return circular(a).cos
end

--- a on the side u >= 0, b on the other; the side is kept until it is told to change.
function fn.select(u, a, b)
  local switch = { u = u, side = 1 }
  building.switches[#building.switches + 1] = switch
  a, b = lift(a), lift(b)
  return put(function(self, k) self[k] = switch.side > 0 and a[k] or b[k] end)
end

function fn.abs(a)
  return fn.select(a, a, -a)
end

function fn.sign(a)
  return fn.select(a, 1, -1)
end

function fn.max(a, b)
  return fn.select(a - b, a, b)
end

function fn.min(a, b)
  return fn.select(a - b, b, a)
end

--- The cubic of a table from a knot to h behind it, by divided differences of four values.
local function cubic(data, from, h, x)
  local at, value = {}, {}
  for i = 1, 4 do
    at[i] = from + h * (i - 1) / 3
    value[i] = data(at[i])
  end
  for j = 2, 4 do
    for i = 4, j, -1 do
      value[i] = (value[i] - value[i - 1]) / (at[i] - at[i - j + 1])
    end
  end
  local sum = value[4] * (x - at[3]) + value[3]
  sum = sum * (x - at[2]) + value[2]
  return sum * (x - at[1]) + value[1]
end

--- A table is a cubic between two knots, and a straight line beyond the outer ones.
function fn.table(data, x)
  local knots = data.x
  local function line(knot, step)
    local y = data(knot)
    return y + (data(knot + step) - y) / step * (x - knot)
  end
  local value = line(knots[1], -1)
  for i = 1, #knots - 1 do
    value = fn.select(x - knots[i], cubic(data, knots[i], knots[i + 1] - knots[i], x), value)
  end
  return fn.select(x - knots[#knots], line(knots[#knots], 1), value)
end

-- Steps ------------------------------------------------------------------------------------------

--- What is told to sarrus: its own functions.
branches.sarrus = setmetatable({ table = function(data, x) return data(x) end },
  { __index = sarrus })

local function build(problem)
  building = { nodes = {}, switches = {}, circular = {}, q = {}, v = {} }
  local machine = building
  for i = 1, #problem.q do
    machine.q[i], machine.v[i] = setmetatable({}, Node), setmetatable({}, Node)
  end
  machine.time = setmetatable({}, Node)
  machine.force = problem.force(machine.q, machine.v, machine.time, fn)
  for i, f in ipairs(machine.force) do
    machine.force[i] = lift(f)
  end
  machine.mass = problem.mass
  return machine
end

--- All coefficients from a point on.
local function expand(machine, t, q, v)
  for i = 1, #q do
    machine.q[i][0], machine.q[i][1], machine.v[i][0] = q[i], v[i], v[i]
  end
  for k = 0, ORDER - 2 do
    machine.time[k] = k == 0 and t or k == 1 and 1 or 0
    for _, node in ipairs(machine.nodes) do
      node:extend(k)
    end
    for i, f in ipairs(machine.force) do
      local w = f[k] / machine.mass[i] / (k + 1)
      machine.v[i][k + 1], machine.q[i][k + 2] = w, w / (k + 2)
    end
  end
end

--- Shorten h until the last terms that a series has are small beside its first ones.
local function shorten(s, last, h)
  while true do
    local size = math.max(math.abs(s[0]), math.abs(s[1]) * h, math.abs(s[2]) * h * h)
    local tail = math.max(math.abs(s[last - 1]) * h ^ (last - 1), math.abs(s[last]) * h ^ last)
    if tail <= SMALL * size or tail < 1e-60 then
      return h
    end
    h = 0.9 * h
  end
end

local function value_at(s, x)
  local sum = 0
  for k = ORDER - 2, 0, -1 do
    sum = sum * x + s[k]
  end
  return sum
end

--- The coefficients about x.
local function shifted(s, x)
  local c = {}
  for k = 0, ORDER - 2 do
    c[k] = s[k]
  end
  for i = 0, ORDER - 3 do
    for k = ORDER - 3, i, -1 do
      c[k] = c[k] + x * c[k + 1]
    end
  end
  return c
end

local function bisect(s, side, low, high)
  for _ = 1, 100 do
    local x = 0.5 * (low + high)
    if x <= low or x >= high then
      break
    elseif side * value_at(s, x) > 0 then
      low = x
    else
      high = x
    end
  end
  return high
end

--- The first x in low … high where side * s falls through zero, or nil: intervals are split until
--- bounds of what the series does there decide.
local function leaves(s, side, low, high, depth)
  local r = 0.5 * (high - low)
  local c = shifted(s, low + r)
  local change, bend, power = 0, 0, 1
  for k = 1, ORDER - 2 do
    bend = bend + (k > 1 and k * math.abs(c[k]) * power or 0)
    power = power * r
    change = change + math.abs(c[k]) * power
  end
  if math.abs(c[0]) > change or change == 0 then
    return nil
  elseif math.abs(c[1]) > bend or depth == 0 then
    local before, after = side * value_at(s, low), side * value_at(s, high)
    if before > 0 and after <= 0 then
      return bisect(s, side, low, high)
    elseif before <= 0 and low == 0 and side * c[1] < 0 and depth > 0 then
      error("the reference does not leave a switch")
    end
    return nil
  end
  return leaves(s, side, low, low + r, depth - 1) or leaves(s, side, low + r, high, depth - 1)
end

--- The sides of all switches at the start: those of the first coefficient that is not zero.
local function choose_sides(machine, ...)
  for _ = 1, 3 do
    expand(machine, ...)
    for _, switch in ipairs(machine.switches) do
      for k = 0, ORDER - 2 do
        if switch.u[k] ~= 0 then
          switch.side = switch.u[k] > 0 and 1 or -1
          break
        end
      end
    end
  end
end

--- Where the first switches leave their sides within h, and which.
local function first_leaving(machine, h)
  local list, first = {}, h
  for _, switch in ipairs(machine.switches) do
    local x = leaves(switch.u, switch.side, 0, h, 50)
    if x and x < first - 1e-14 * h then
      list, first = { switch }, x
    elseif x and x < first + 1e-14 * h then
      list[#list + 1] = switch
    end
  end
  return first, list
end

local function advanced(list, h, last)
  local values = {}
  for i, s in ipairs(list) do
    local sum = 0
    for k = last, 0, -1 do
      sum = sum * h + s[k]
    end
    values[i] = sum
  end
  return values
end

--- The state of a problem at t_end: { q =, v =, switches = how many, steps = }; a `factor` below 1
--- makes steps shorter.
function branches.run(problem, t_end, factor)
  local machine = build(problem)
  local t, q, v, h = 0, problem.q, problem.v, t_end
  local result = { switches = 0, steps = 0 }
  choose_sides(machine, t, q, v)
  while t < t_end do
    expand(machine, t, q, v)
    h = math.min(4 * h, t_end - t)
    for _, s in ipairs(machine.q) do
      h = shorten(s, ORDER, h)
    end
    for _, switch in ipairs(machine.switches) do
      h = shorten(switch.u, ORDER - 2, h)
    end
    h = math.min(factor and factor * h or h, t_end - t)
    local x, left = first_leaving(machine, h)
    for _, switch in ipairs(left) do
      switch.side = -switch.side
      result.switches = result.switches + 1
    end
    q, v = advanced(machine.q, x, ORDER), advanced(machine.v, x, ORDER - 1)
    t = x == t_end - t and t_end or t + x
    result.steps = result.steps + 1
    if result.steps > 50000 then
      error("the reference does not arrive")
    end
  end
  result.q, result.v = q, v
  return result
end

--- The same problem from another start: every number changes by the tolerance, up or down.
local function moved(problem, tolerance, draw)
  local function move(list)
    local values = {}
    for i, x in ipairs(list) do
      values[i] = x + draw:pick { -1, 1 } * tolerance * math.max(1, math.abs(x))
    end
    return values
  end
  return { mass = problem.mass, force = problem.force, q = move(problem.q), v = move(problem.v) }
end

--- The largest difference, and the largest value.
local function difference(a, b)
  local off, size = 0, 1
  for i = 1, #b do
    off, size = math.max(off, math.abs(a[i] - b[i])), math.max(size, math.abs(b[i]))
  end
  return off, size
end

branches.difference = difference

--- By how much a state differs, in units of what is allowed: 1,000 times what moving the start by
--- the tolerance changes, or the tolerance itself where all motions come together, and rounding.
function branches.error(problem, t_end, tolerance, state, draw)
  local right, worst = branches.run(problem, t_end), 0
  local changed = { q = 0, v = 0 }
  for _ = 1, 3 do
    local other = branches.run(moved(problem, tolerance, draw), t_end)
    for key, value in pairs(changed) do
      changed[key] = math.max(value, (difference(other[key], right[key])))
    end
  end
  for key, value in pairs(changed) do
    local off, size = difference(state[key], right[key])
    worst = math.max(worst, off / (1000 * math.max(value, tolerance * size) + 1e-13 * size))
  end
  return worst, right
end

--- The system and start of a problem for sarrus.
function branches.system(problem)
  local n, names, rows = #problem.q, {}, {}
  for i = 1, n do
    names[i], rows[i] = "x" .. i, {}
    for j = 1, n do
      rows[i][j] = i == j and problem.mass[i] or 0
    end
  end
  return sarrus.system { coordinates = names, mass = function() return rows end,
    force = function(q, v, t) return problem.force(q, v, t, branches.sarrus) end }
end

return branches
