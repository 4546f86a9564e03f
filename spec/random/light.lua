--- Heavy sliders geared to each other through sliders 1e8 to 1e16 times lighter, or without mass,
--- some constraints there twice, in units of all kinds, one of them on a spring: x_i = r_i u with
--- (sum of m_i r_i^2) u'' = -k r_1^2 u.
local sarrus = require "sarrus"

local class = { cases = 60, bound = 1e-9 }

--- Masses: the heavy ones first.
local function draw_masses(draw)
  local masses, unit = {}, 10 ^ draw:between(-3, 5)
  local heavy, light = draw:whole(2, 4), draw:whole(1, 3)
  for i = 1, heavy do
    masses[i] = unit * draw:between(0.5, 2)
  end
  for i = heavy + 1, heavy + light do
    masses[i] = draw:chance(0.2) and 0 or unit * 10 ^ draw:between(-16, -8)
  end
  return masses, heavy
end

--- Pairs that join all: heavy ones to a light one each, light ones to each other; then some of them
--- once more.
local function draw_pairs(draw, count, heavy)
  local list = {}
  for i = heavy + 2, count do
    list[#list + 1] = { i, draw:whole(heavy + 1, i - 1) }
  end
  for i = 1, heavy do
    list[#list + 1] = { i, draw:whole(heavy + 1, count) }
  end
  for _ = 1, draw:whole(0, 2) do
    list[#list + 1] = draw:pick(list)
  end
  return list
end

--- Sliders with these masses, the row of each pair in units of its own, the spring at the first.
local function sliders(draw, masses, ratios, joined, stiffness)
  local names, rows, factors = {}, {}, {}
  for i in ipairs(masses) do
    names[i], rows[i] = "x" .. i, {}
    for j in ipairs(masses) do
      rows[i][j] = i == j and masses[i] or 0
    end
  end
  for k in ipairs(joined) do
    factors[k] = 10 ^ draw:between(-3, 3)
  end
  return sarrus.system { name = "sliders", coordinates = names,
    mass = function() return rows end,
    force = function(q)
      local list = {}
      for i in ipairs(names) do
        list[i] = i == 1 and -stiffness * q.x1 or 0
      end
      return list
    end,
    constraints = function(q)
      local list = {}
      for k, pair in ipairs(joined) do
        local i, j = pair[1], pair[2]
        list[k] = factors[k] * (q[names[i]] / ratios[i] - q[names[j]] / ratios[j])
      end
      return list
    end }
end

function class.case(draw)
  local masses, heavy = draw_masses(draw)
  local ratios, inertia, unit, q = {}, 0, 10 ^ draw:between(-4, 4), {}
  for i, m in ipairs(masses) do
    ratios[i] = draw:signed(0.3, 3)
    inertia = inertia + m * ratios[i] ^ 2
    q[i] = unit * ratios[i]
  end
  local rate, T = draw:between(0.5, 2), 5
  local system = sliders(draw, masses, ratios, draw_pairs(draw, #masses, heavy),
    rate ^ 2 * inertia / ratios[1] ^ 2)
  local sim = assert(system:simulate { q = q, scale = unit })
  assert(sim:advance(T))
  local now, worst = sim:state(), 0
  for i, r in ipairs(ratios) do
    worst = math.max(worst, math.abs(now.q["x" .. i] / (unit * r) - math.cos(rate * T)))
  end
  return worst
end

return class
