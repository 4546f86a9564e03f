--- Forces that act on one side only: springs, tethers, backlash, floors, preloads and tables, alone
--- and together, for 2 s.  The answer: each smooth branch by series of its own, up to where a
--- switch leaves its side.
local branches = dofile("spec/random/tools/branches.lua")
local sarrus = require "sarrus"

-- The error is in units of what is allowed.  Not among the specs until switches are right.
local class = { cases = 30, bound = 1 }

local T = 2

--- max(u, 0), in one of the ways in which people write it.
local ways = {
  function(u, fn) return fn.max(u, 0) end,
  function(u, fn) return fn.max(0, u) end,
  function(u, fn) return -fn.min(-u, 0) end,
  function(u, fn) return fn.select(u, u, 0) end,
  function(u, fn) return 0.5 * (u + fn.abs(u)) end,
}

--- Between low and high, all decades alike.
local function decades(draw, low, high)
  return math.exp(draw:between(math.log(low), math.log(high)))
end

--- A stiffness that makes a mass swing at 0.5 to 300 rad/s.
local function stiffness(draw, mass)
  return mass * decades(draw, 0.5, 300) ^ 2
end

--- n masses, drawn unless given, with constant forces, and terms function(f, q, v, t, fn) that add
--- to their forces f.
local function new_problem(draw, n, mass)
  local problem = { mass = mass or {}, q = draw:list(n, -1, 1), v = draw:list(n, -3, 3) }
  local constant = {}
  problem.terms = {}
  for i = 1, n do
    problem.mass[i] = problem.mass[i] or decades(draw, 0.1, 10)
    constant[i] = draw:chance(0.3) and 0 or problem.mass[i] * draw:between(-10, 10)
  end
  function problem.force(q, v, t, fn)
    local f = {}
    for i = 1, n do
      f[i] = constant[i]
    end
    for _, term in ipairs(problem.terms) do
      term(f, q, v, t, fn)
    end
    return f
  end
  return problem
end

local function add(problem, term)
  problem.terms[#problem.terms + 1] = term
end

-- Terms on coordinate i --------------------------------------------------------------------------

local terms = {}

--- A spring on one side of a place, and perhaps one that brings the mass back.
function terms.spring(draw, problem, i)
  local way, side = draw:pick(ways), draw:pick { -1, 1 }
  local k, a = stiffness(draw, problem.mass[i]), draw:between(-1, 1)
  local soft = draw:chance(0.5) and 0 or problem.mass[i] * decades(draw, 0.5, 5) ^ 2
  if draw:chance(0.1) then
    problem.q[i] = a -- it starts on the threshold
    problem.v[i] = draw:chance(0.5) and 0 or problem.v[i]
  end
  add(problem, function(f, q, _, _, fn)
    f[i] = f[i] - side * k * way(side * (q[i] - a), fn) - soft * q[i]
  end)
end

--- No force within a gap, springs on either side of it; some damping; a push that comes and goes.
function terms.backlash(draw, problem, i)
  local k, gap = stiffness(draw, problem.mass[i]), decades(draw, 1e-3, 0.5)
  local c = draw:chance(0.5) and problem.mass[i] * draw:between(0, 1) or 0
  local push, w = problem.mass[i] * draw:between(0, 20), draw:between(1, 10)
  local kind = draw:whole(1, 3)
  add(problem, function(f, q, v, t, fn)
    local x, spring = q[i]
    if kind == 1 then
      spring = fn.max(x - gap, 0) + fn.min(x + gap, 0)
    elseif kind == 2 then
      spring = fn.select(fn.abs(x) - gap, x - gap * fn.sign(x), 0)
    else
      spring = x - fn.max(-gap, fn.min(x, gap))
    end
    f[i] = f[i] - k * spring - c * v[i] + push * fn.sin(w * t)
  end)
end

--- A floor of springs and dampers at q = a, which pulls as it is left, or does not.
function terms.floor(draw, problem, i)
  local m = problem.mass[i]
  local a, g = draw:between(-1, 0), m * draw:between(5, 15)
  local k = m * decades(draw, 20, 300) ^ 2
  local c, pulls = 2 * math.sqrt(k * m) * draw:between(0, 0.8), draw:chance(0.5)
  problem.q[i] = a + draw:between(0, 1)
  if draw:chance(0.1) then
    problem.q[i], problem.v[i] = a, 0
  end
  add(problem, function(f, q, v, _, fn)
    local push = k * (a - q[i]) - c * v[i]
    f[i] = f[i] - g + fn.select(a - q[i], pulls and push or fn.max(push, 0), 0)
  end)
end

--- A preloaded spring: it crosses its middle, and does not stick there.
function terms.preload(draw, problem, i)
  local m = problem.mass[i]
  local load, k = m * draw:signed(0.5, 20), m * decades(draw, 0.5, 30) ^ 2
  local shape = draw:chance(0.5)
  add(problem, function(f, q, _, _, fn)
    f[i] = f[i] - k * q[i] - (shape and load * fn.sign(q[i]) or fn.select(q[i], load, -load))
  end)
end

--- A measured spring.
function terms.table(draw, problem, i)
  local m, x, y = problem.mass[i], { draw:between(-1.5, -0.5) }, {}
  for j = 2, draw:whole(2, 6) do
    x[j] = x[j - 1] + draw:between(0.1, 1)
  end
  for j = 1, #x do
    y[j] = -m * (draw:between(5, 50) * x[j] + draw:between(-5, 5))
  end
  local data = sarrus.table { x = x, y = y }
  add(problem, function(f, q, _, _, fn) f[i] = f[i] + fn.table(data, q[i]) end)
end

--- Drag by the square of the speed.
function terms.drag(draw, problem, i)
  local c = problem.mass[i] * decades(draw, 0.01, 1)
  add(problem, function(f, _, v, _, fn) f[i] = f[i] - c * fn.abs(v[i]) * v[i] end)
end

-- Kinds of problems ------------------------------------------------------------------------------

local kinds = {}

local function single(name)
  return function(draw)
    local problem = new_problem(draw, 1)
    terms[name](draw, problem, 1)
    return problem
  end
end

kinds.spring, kinds.backlash, kinds.floor = single "spring", single "backlash", single "floor"
kinds.preload, kinds.table = single "preload", single "table"

--- The tension of a slack tether along (x, y), over its length.
local function tension(k, length, way, x, y, fn)
  local d = fn.sqrt(x * x + y * y)
  return k * way(d - length, fn) / d
end

--- One or two masses in the plane on tethers that are slack at first.
function kinds.tether(draw)
  local count, m, other = draw:whole(1, 2), decades(draw, 0.1, 10), decades(draw, 0.1, 10)
  local problem = new_problem(draw, 2 * count, { m, m, other, other })
  local g = draw:pick { 0, 9.81 }
  for b = 1, count do
    local i = 2 * b - 1
    local k, length = stiffness(draw, problem.mass[i]), decades(draw, 0.3, 20)
    local way, angle = draw:pick(ways), draw:between(0, 6.28)
    local reach = length * (draw:chance(0.5) and draw:between(0.02, 1.02) or decades(draw, 0.01, 1))
    local px, py = draw:between(-1, 1), draw:between(-1, 1)
    problem.q[i], problem.q[i + 1] = px + reach * math.cos(angle), py + reach * math.sin(angle)
    add(problem, function(f, q, _, _, fn)
      local x, y = q[i] - px, q[i + 1] - py
      local pull = tension(k, length, way, x, y, fn)
      f[i], f[i + 1] = f[i] - pull * x, f[i + 1] - pull * y - g * problem.mass[i]
    end)
  end
  if count == 2 and draw:chance(0.7) then
    local k, length = stiffness(draw, math.min(m, other)), draw:between(0.5, 3)
    local way = draw:pick(ways)
    add(problem, function(f, q, _, _, fn)
      local x, y = q[3] - q[1], q[4] - q[2]
      local pull = tension(k, length, way, x, y, fn)
      f[1], f[2], f[3], f[4] = f[1] + pull * x, f[2] + pull * y, f[3] - pull * x, f[4] - pull * y
    end)
  end
  return problem
end

--- A springy wall n . r = -d for both ends of a bar, the angle and half length of which are q[3]
--- and half.
local function add_wall(problem, half, n, d, k, c)
  add(problem, function(f, q, v, _, fn)
    for side = -1, 1, 2 do
      local x, y = side * half * fn.cos(q[3]), side * half * fn.sin(q[3])
      local gap = n[1] * (q[1] + x) + n[2] * (q[2] + y) + d
      local rate = n[1] * (v[1] - y * v[3]) + n[2] * (v[2] + x * v[3])
      local push = fn.select(-gap, -k * gap - c * rate, 0)
      f[1], f[2] = f[1] + n[1] * push, f[2] + n[2] * push
      f[3] = f[3] + (x * n[2] - y * n[1]) * push
    end
  end)
end

--- A tether from a place to the end of the bar.
local function add_rope(draw, problem, half)
  local k, length, way = stiffness(draw, problem.mass[1]), draw:between(0.5, 3), draw:pick(ways)
  local px, py = draw:between(-1, 1), draw:between(2, 3)
  add(problem, function(f, q, _, _, fn)
    local ax, ay = half * fn.cos(q[3]), half * fn.sin(q[3])
    local x, y = q[1] + ax - px, q[2] + ay - py
    local pull = tension(k, length, way, x, y, fn)
    f[1], f[2], f[3] = f[1] - pull * x, f[2] - pull * y, f[3] - pull * (ax * y - ay * x)
  end)
end

--- A bar that tumbles on a springy floor with both ends, perhaps between walls or on a tether.
function kinds.bar(draw)
  local m, half = decades(draw, 0.1, 10), draw:between(0.2, 1)
  local problem = new_problem(draw, 3, { m, m, m * half * half / 3 })
  problem.q[2], problem.q[3] = draw:between(half, half + 1), draw:between(-3, 3)
  local k = m * decades(draw, 20, 200) ^ 2
  local c = 2 * math.sqrt(k * m) * (draw:chance(0.5) and draw:between(0, 0.5) or 0)
  add(problem, function(f) f[2] = f[2] - 9.81 * m end)
  add_wall(problem, half, { 0, 1 }, 0, k, c)
  if draw:chance(0.3) then
    add_wall(problem, half, { 1, 0 }, draw:between(2, 2.5), k, c)
    add_wall(problem, half, { -0.8, 0.6 }, draw:between(2, 2.5), k, c)
  end
  if draw:chance(0.3) then
    add_rope(draw, problem, half)
  end
  return problem
end

local term_names = { "spring", "backlash", "floor", "preload", "table", "drag" }

--- Masses in a row, each with one or two terms, and bumpers between them.
function kinds.several(draw)
  local n = draw:whole(1, 4)
  local problem = new_problem(draw, n)
  for i = 1, n do
    for _ = 1, draw:whole(1, 2) do
      terms[draw:pick(term_names)](draw, problem, i)
    end
  end
  for i = 2, n do
    local k, way = stiffness(draw, math.min(problem.mass[i - 1], problem.mass[i])), draw:pick(ways)
    local gap = draw:between(-0.5, 0.5)
    add(problem, function(f, q, _, _, fn)
      local push = k * way(q[i - 1] - q[i] + gap, fn)
      f[i - 1], f[i] = f[i - 1] - push, f[i] + push
    end)
  end
  return problem
end

local names = { "spring", "backlash", "floor", "preload", "table", "tether", "tether", "bar", "bar",
  "bar", "several", "several" }

--- The problem of a case, its tolerance, and what it is.
function class.draw(draw)
  local name = draw:pick(names)
  return kinds[name](draw), draw:pick { 1e-12, 1e-8, 1e-6 }, name
end

function class.case(draw)
  local problem, tolerance = class.draw(draw)
  local sim = assert(branches.system(problem):simulate { q = problem.q, v = problem.v,
    tolerance = tolerance })
  local result, message, code = sim:advance(T)
  if not result then
    error(code .. ": " .. message)
  end
  return (branches.error(problem, T, tolerance, sim:state(), draw))
end

return class
