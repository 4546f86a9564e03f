--- General DAEs of index 1 to 3 with solutions that are known, chosen x(t), y(t):
---   index 1   x' = x*' + A (x - x*) + B (y - y*),   0 = c(x, y) - c(x*, y*)
---   index 2   the same x',                          0 = h(x) - h(x*)
---   index 3   p' = v, v' = as x',                   0 = h(p) - h(p*)
local sarrus = require "sarrus"
local lists = dofile("spec/random/tools/lists.lua")
local motion = dofile("spec/random/tools/motion.lua")
local less, named, part, joined = lists.less, lists.named, lists.part, lists.joined
local times = motion.times

local class = { cases = 200, bound = 1e-12 }

--- x*' + A (x - x*) + B (y - y*), and B has 1 to 2 on the diagonal: y acts on what is constrained.
local function draw_rates(draw, n, m)
  local A, B = draw:matrix(n, n, 0.5), draw:matrix(n, m, 0.2)
  for i = 1, m do
    B[i][i] = B[i][i] + 1.5
  end
  return function(known_rate, dx, dy)
    local rate, a, b = {}, times(A, dx), times(B, dy)
    for i = 1, n do
      rate[i] = known_rate[i] + a[i] + b[i]
    end
    return rate
  end
end

local function problem(draw, index, n, m)
  local x, y = motion.list(draw, n), motion.list(draw, m)
  local rates = draw_rates(draw, n, m)
  local constraint = lists.functions(draw, m, index == 1 and n + m or n)
  if index == 1 then
    return x, y, { differential = named("x", n), algebraic = named("y", m),
      derivative = function(s, z)
        return rates(motion.of(x, 1), less(s, motion.of(x)), less(z, motion.of(y)))
      end,
      constraints = function(s, z) -- y first: what is regular belongs to it
        return less(constraint(joined(part(z, 1, m), part(s, 1, n))),
          constraint(joined(motion.of(y), motion.of(x))))
      end }
  elseif index == 2 then
    return x, y, { differential = named("x", n), algebraic = named("y", m),
      derivative = function(s, z)
        return rates(motion.of(x, 1), less(s, motion.of(x)), less(z, motion.of(y)))
      end,
      constraints = function(s)
        return less(constraint(part(s, 1, n)), constraint(motion.of(x)))
      end }
  end
  return x, y, { differential = joined(named("p", n), named("v", n)), algebraic = named("y", m),
    derivative = function(s, z)
      local v = part(s, n + 1, n)
      return joined(v, rates(motion.of(x, 2), less(v, motion.of(x, 1)), less(z, motion.of(y))))
    end,
    constraints = function(s)
      return less(constraint(part(s, 1, n)), constraint(motion.of(x)))
    end }
end

function class.case(draw)
  local index, n = draw:whole(1, 3), draw:whole(1, 4)
  local m = draw:whole(1, math.min(n, 3))
  local x, y, given = problem(draw, index, n, m)
  local dae = sarrus.dae(given)
  assert(dae.index == index, "the index is found wrong")
  local function known(t)
    return index == 3 and joined(motion.at(x, t), motion.at(x, t, 1)) or motion.at(x, t)
  end
  local sim = assert(dae:simulate { x = known(0), y = motion.at(y, 0) })
  local t = draw:between(0.5, 1.5)
  assert(sim:advance(t))
  local s = sim:state()
  return math.max(motion.error(s.x, known(t)), motion.error(s.y, motion.at(y, t)))
end

return class
