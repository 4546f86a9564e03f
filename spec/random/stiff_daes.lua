--- General DAEs of index 1 to 3, and systems, with solutions that are known, chosen x(t), y(t), and
--- fast parts that pull to them, linear and not:
---   index 1   x' = x*' - D (x - x*) (1 + |x - x*|^2) + B (y - y*),  0 = c(x, y) - c(x*, y*)
---   index 2   the same x' with B = G^T, the gradient of h,          0 = h(x) - h(x*)
---   index 3   p' = v, v' = p*'' - K (p - p*) - D (v - v*) + G^T (y - y*),  0 = h(p) - h(p*)
---   system    M a = M a* - K (q - q*) - D (v - v*) + G^T lambda*,          likewise
--- where D and K are symmetric, with rates of up to 1e6 in directions that are drawn (along G^T
--- what pulls stays stable; along any other B it need not).
local sarrus = require "sarrus"
local lists = dofile("spec/random/tools/lists.lua")
local motion = dofile("spec/random/tools/motion.lua")
local less, named, part, joined = lists.less, lists.named, lists.part, lists.joined
local times = motion.times

-- The error is relative to 1000 tolerances; of multipliers, to what the method promises.
-- Open: multipliers of very stiff forces end as STEP, 2 of 60.
local class = { cases = 60, bound = 1, open = true }

--- Multipliers carry the rounding of forces, which is this much of rate^2 (of index 1 and 2, of the
--- rate), and what is slow is moved by a part of it.
local ROUNDING, SLOW_ROUNDING = 1e-14, 3e-17

--- Q^T diag(rates) Q with Q made of plane turns: rates in directions that are drawn.
local function turned(draw, rates)
  local n, q = #rates, {}
  for i = 1, n do
    q[i] = {}
    for j = 1, n do
      q[i][j] = i == j and 1 or 0
    end
  end
  for _ = 1, n > 1 and 2 * n or 0 do
    local a, b = draw:whole(1, n), draw:whole(1, n)
    local c, s = math.cos(1), math.sin(1)
    for j = 1, a ~= b and n or 0 do
      q[a][j], q[b][j] = c * q[a][j] - s * q[b][j], s * q[a][j] + c * q[b][j]
    end
  end
  return function(of)
    local rows = {}
    for i = 1, n do
      rows[i] = {}
      for j = 1, n do
        rows[i][j] = 0
        for k = 1, n do
          rows[i][j] = rows[i][j] + q[k][i] * of(rates[k]) * q[k][j]
        end
      end
    end
    return rows
  end
end

--- -D dx (1 + bend |dx|^2) [- D^2 / 4 … of positions]: the pull to what is known.
local function draw_pull(draw, n)
  local rates, fastest = {}, 0
  for i = 1, n do
    rates[i] = 10 ^ draw:between(0, draw:pick { 1, 6 })
    fastest = math.max(fastest, rates[i])
  end
  local made, bend, ratio = turned(draw, rates), draw:chance(0.5) and 1 or 0, draw:between(0.5, 3)
  local D = made(function(w) return 2 * ratio * w end)
  local K = made(function(w) return w * w end)
  local first = made(function(w) return w end)
  local function bent(matrix, dx)
    local pull, square = times(matrix, dx), 0
    for i = 1, n do
      square = square + dx[i] ^ 2
    end
    for i = 1, n do
      pull[i] = pull[i] * (1 + bend * square)
    end
    return pull
  end
  return { fastest = fastest,
    first = function(dx) return bent(first, dx) end,
    second = function(dx, dv)
      local k, d, sum = bent(K, dx), times(D, dv), {}
      for i = 1, n do
        sum[i] = k[i] + d[i]
      end
      return sum
    end,
  }
end

local function sum(a, b, c)
  local list = {}
  for i = 1, #a do
    list[i] = a[i] - b[i] + c[i]
  end
  return list
end

local problems = {}

function problems.first(draw, n, m, index)
  local x, y = motion.list(draw, n), motion.list(draw, m)
  local pull, B = draw_pull(draw, n), draw:matrix(n, m, 0.5)
  local constraint, pressed = lists.functions(draw, m, index == 1 and n + m or n)
  return x, y, sarrus.dae { differential = named("x", n), algebraic = named("y", m),
    derivative = function(s, z)
      local dy = less(z, motion.of(y))
      return sum(motion.of(x, 1), pull.first(less(s, motion.of(x))),
        index == 1 and times(B, dy) or pressed(s, dy))
    end,
    constraints = function(s, z)
      if index == 1 then -- y first: what is regular belongs to it
        return less(constraint(joined(part(z, 1, m), part(s, 1, n))),
          constraint(joined(motion.of(y), motion.of(x))))
      end
      return less(constraint(part(s, 1, n)), constraint(motion.of(x)))
    end }, pull.fastest
end

function problems.second(draw, n, m)
  local x, y, pull = motion.list(draw, n), motion.list(draw, m), draw_pull(draw, n)
  local constraint, pressed = lists.functions(draw, m, n)
  return x, y, sarrus.dae { differential = joined(named("p", n), named("v", n)),
    algebraic = named("y", m),
    derivative = function(s, z)
      local p, v = part(s, 1, n), part(s, n + 1, n)
      return joined(v, sum(motion.of(x, 2), pull.second(less(p, motion.of(x)),
        less(v, motion.of(x, 1))), pressed(p, less(z, motion.of(y)))))
    end,
    constraints = function(s)
      return less(constraint(part(s, 1, n)), constraint(motion.of(x)))
    end }, pull.fastest ^ 2
end

function problems.system(draw, n, m)
  local q, lambda, pull = motion.list(draw, n), motion.list(draw, m), draw_pull(draw, n)
  local constraint, pressed = lists.functions(draw, m, n)
  local masses, mass = draw:list(n, 0.5, 2), {}
  for i = 1, n do
    mass[i] = {}
    for j = 1, n do
      mass[i][j] = i == j and masses[i] or 0
    end
  end
  return q, lambda, sarrus.system { coordinates = named("q", n), mass = function() return mass end,
    force = function(x, v)
      return sum(times(mass, motion.of(q, 2)), pull.second(less(x, motion.of(q)),
        less(v, motion.of(q, 1))), pressed(x, motion.of(lambda)))
    end,
    constraints = function(x) return less(constraint(x), constraint(motion.of(q))) end },
    pull.fastest ^ 2
end

local function with_rates(x)
  return function(t) return joined(motion.at(x, t), motion.at(x, t, 1)) end
end

--- A problem: the subject, its start, what it is at a time.
local function draw_problem(draw)
  local kind, n = draw:pick { 1, 2, 3, "system", "led" }, draw:whole(1, 4)
  if kind == "system" or kind == "led" then
    local m = kind == "led" and 0 or draw:whole(0, n - 1)
    local q, lambda, system, force = problems.system(draw, n, m)
    return system, force, { q = motion.at(q, 0), v = motion.at(q, 0, 1) }, with_rates(q),
      function(t) return motion.at(lambda, t) end, function(s)
        local list = {}
        for i = 1, n do
          list[i], list[n + i] = s.q[i], s.v[i]
        end
        return list, s.lambda
      end, kind
  end
  local m = draw:whole(1, math.min(n, 3))
  local x, y, dae, force = (kind == 3 and problems.second or problems.first)(draw, n, m, kind)
  assert(dae.index == kind, "the index is found wrong")
  local known = kind == 3 and with_rates(x) or function(t) return motion.at(x, t) end
  return dae, force, { x = known(0), y = motion.at(y, 0) }, known,
    function(t) return motion.at(y, t) end, function(s) return s.x, s.y end, kind
end

--- What multipliers may be off by: they converge with the order of the stages.
local function multiplier_tolerance(tolerance)
  local stages = tolerance >= 1e-7 and 5 or tolerance >= 1e-11 and 7 or 9
  return 10 * tolerance ^ (stages / (stages + 2))
end

function class.case(draw)
  local subject, force, start, known, multipliers, read, kind = draw_problem(draw)
  local method = draw:pick { "stiff", "stiff", "auto" }
  start.tolerance, start.method = draw:pick { 1e-6, 1e-8, 1e-10, 1e-12 }, method
  start.max_steps = 20000
  local sim = assert(subject:simulate(start))
  local list, worst = draw:list(4, 0.1, 2), 0
  table.sort(list)
  for _, t in ipairs(list) do
    local good, message, code = sim:advance(t)
    if not good then
      error(("%s, %s: %s"):format(kind, code, message), 0)
    end
    local x, y = read(sim:state())
    worst = math.max(worst, motion.error(x, known(t)) / (1000 * start.tolerance
      + SLOW_ROUNDING * force),
      motion.error(y, multipliers(t)) / (10 * multiplier_tolerance(start.tolerance)
        + ROUNDING * force))
  end
  return worst
end

return class
