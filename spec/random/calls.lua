--- Orders of calls: states, times of the span, samples, records, clones, saving and restoring, and
--- stops on the way do not change a bit of where a simulation arrives.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local class = { cases = 200, bound = 0 }

local function four_bar(draw)
  local x, y = draw:between(1.8, 2.2), draw:between(1.8, 2.2)
  return sarrus.model { gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
    body.rod { "coupler", from = { 0, 1 }, to = { x, y }, mass = draw:between(1, 2) },
    body.rod { "rocker", from = { 3, 0 }, to = { x, y }, mass = 1 },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
    joint.revolute { "C", "coupler", "rocker", at = { x, y } },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
  }, {}
end

local function gyroscope(draw)
  return sarrus.model { gravity = { 0, 0, -9.81 },
    body.cylinder { "top", position = { 0.1, 0, 0 }, radius = 0.05, length = 0.02,
      axis = { 1, 0, 0 }, mass = 0.5, spin = { draw:between(20, 60), 0, 0 } },
    joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
  }, {}
end

local function bouncing(draw)
  local stiffness = draw:between(50, 100)
  return sarrus.system { coordinates = { "x", "y" },
    mass = function() return { { 1, 0 }, { 0, 1 } } end,
    force = function(q, v)
      return { sarrus.max(-stiffness * q.x, 0) - 9.81, -q.y - 0.1 * sarrus.abs(v.y) * v.y }
    end,
  }, { q = { draw:between(0.1, 1), draw:between(-1, 1) } }
end

local function circuit(draw)
  return sarrus.dae { differential = { "u", "w" }, algebraic = { "i" },
    derivative = function(x, y) return { -y.i, x.u } end,
    constraints = function(x, y) return { x.u - y.i - 0.1 * sarrus.sin(y.i + x.w) } end,
  }, { x = { draw:between(0.5, 2), 0 }, y = { 1 } }
end

--- Events watch without doing anything.
local function watch()
  return { sarrus.event { "watch", when = function(s) return sarrus.sin(3 * s.t) - 0.5 end,
    action = function() end } }
end

local function start(given, watched)
  local copy = { events = watched and watch() or nil }
  for key, value in pairs(given) do
    copy[key] = value
  end
  return copy
end

--- Back within the span; events would be looked for anew, in an expansion of its own.
local function back(sim, draw)
  local from = sim:span()
  assert(sim:advance(from + (sim.time - from) * draw:unit()))
  return sim
end

--- What can be done on the way; each answers the simulation to go on with.
local acts = {
  function(sim) sim:state() return sim end,
  function(sim) sim:residual() sim:stats() return sim end,
  function(sim, draw)
    local from, to = sim:span()
    sim:at(from + (to - from) * draw:unit())
    return sim
  end,
  function(sim, draw, t_end)
    assert(sim:advance(math.min(t_end, sim.time + draw:between(0, 0.4))))
    return sim
  end,
  function(sim, draw, _, _, watched) return watched and sim or back(sim, draw) end,
  function(sim, draw, t_end)
    for _ in sim:samples(math.min(t_end, sim.time + 0.3), draw:between(0.01, 0.2)) do
      sim:state()
    end
    return sim
  end,
  function(sim, draw)
    assert(sim:record { every = draw:between(0.01, 0.1) })
    return sim
  end,
  function(sim) return sim:clone() end,
  function(sim, _, _, subject, watched)
    return assert(subject:restore(sim:save(), { events = watched and watch() or nil }))
  end,
  function(sim)
    sim:clone():advance(sim.time + 1)
    return sim
  end,
}

local function differing(a, b)
  local count = 0
  for _, name in ipairs { "q", "v", "a", "lambda" } do
    for i = 1, #a[name] do
      count = count + (a[name][i] == b[name][i] and 0 or 1)
    end
  end
  return count
end

function class.case(draw)
  local subject, given = draw:pick { four_bar, gyroscope, bouncing, circuit }(draw)
  local t_end, watched = draw:between(0.5, 2), draw:chance(0.5)
  local straight = assert(subject:simulate(start(given, watched)))
  assert(straight:advance(t_end))
  local sim = assert(subject:simulate(start(given, watched)))
  for _ = 1, draw:whole(1, 12) do
    sim = draw:pick(acts)(sim, draw, t_end, subject, watched)
  end
  assert(sim:advance(t_end))
  return differing(straight:state(), sim:state())
end

return class
