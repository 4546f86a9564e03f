-- What must hold of mechanisms, with figures: rows as in spec/accuracy.lua.
local sarrus = require "sarrus"
local body, joint, vec = sarrus.body, sarrus.joint, sarrus.vec

local TIGHT = 1e-14

--- The state of a model at time t.
local function run(model, t, tolerance)
  local sim = assert(model:simulate { tolerance = tolerance or TIGHT })
  assert(sim:advance(t))
  return sim:state()
end

local function at(dimension, x, y)
  return dimension == 2 and { x, y } or { x, y, 0 }
end

--- An example's model, without what the script prints.
local function example(name)
  local plain = print
  rawset(_G, "print", function() end)
  local good, model = pcall(dofile, "examples/" .. name .. ".lua")
  rawset(_G, "print", plain)
  return assert(good and model, model)
end

-- 2: problems with known answers ------------------------------------------------------------------

local function pendulum(dimension)
  return sarrus.model {
    gravity = at(dimension, 0, -9.81),
    body.point { "p", position = at(dimension, -1, 0), mass = 1 },
    joint.distance { "d", "ground", "p", from = at(dimension, 0, 0), to = at(dimension, -1, 0) },
  }
end

local function double_pendulum(dimension)
  return sarrus.model {
    gravity = at(dimension, 0, -9.81),
    body.point { "p1", position = at(dimension, 1, 0), mass = 1 },
    body.point { "p2", position = at(dimension, 2, 0), mass = 1 },
    joint.distance { "d1", "ground", "p1", from = at(dimension, 0, 0), to = at(dimension, 1, 0) },
    joint.distance { "d2", "p1", "p2", from = at(dimension, 1, 0), to = at(dimension, 2, 0) },
  }
end

local function free_body()
  return sarrus.model { body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
    inertia = { 2, 3, 4 }, spin = { 1.4, 0, 1 } } }
end

--- N squares in a row, which fold together.
local function four_bars(n, dimension)
  local parts = { gravity = at(dimension, 0, -9.81) }
  local axis = dimension == 3 and { 0, 0, 1 } or nil
  local function put(part)
    parts[#parts + 1] = part
  end
  local function pin(name, a, b, x, y)
    put(joint.revolute { name, a, b, at = at(dimension, x, y), axis = axis })
  end
  for i = 0, n do
    put(body.rod { "v" .. i, from = at(dimension, i, 0), to = at(dimension, i, 1), mass = 1,
      velocity = at(dimension, 0.5, 0), spin = dimension == 2 and -1 or { 0, 0, -1 } })
    pin("g" .. i, "ground", "v" .. i, i, 0)
  end
  for i = 1, n do
    put(body.rod { "h" .. i, from = at(dimension, i - 1, 1), to = at(dimension, i, 1), mass = 1,
      velocity = at(dimension, 1, 0) })
    pin("l" .. i, "v" .. i - 1, "h" .. i, i - 1, 1)
    pin("r" .. i, "h" .. i, "v" .. i, i, 1)
  end
  return sarrus.model(parts)
end

local function top_of(s)
  return s:point("v0", s.model.dimension == 2 and { 0.5, 0 } or { 0.5, 0, 0 })
end

local function problems(row)
  local function known(what, bound, measure, slow)
    row(2, "model of the " .. what, bound, measure, slow)
  end
  for dimension = 2, 3 do
    local space = (" in %dD"):format(dimension)
    known("pendulum" .. space .. ", t = 10", 1e-12, function()
      return math.abs(run(pendulum(dimension), 10):body("p").position.x + 0.27508746257611686005)
    end)
    known("pendulum" .. space .. ", t = 100", 1e-11, function()
      return math.abs(run(pendulum(dimension), 100):body("p").position.x + 0.18151335142703138454)
    end)
    known("pendulum" .. space .. ", t = 100: pull / 2", 1e-10, function()
      local pull = vec.norm(run(pendulum(dimension), 100):joint("d").force)
      return math.abs(pull / 2 - 14.470561488115656181)
    end)
    for _, case in ipairs { { 5, 1e-10, -0.58686920981627114532, -1.0759127348126524565 },
      { 10, 1e-8, -0.53834723961222639073, -1.7073476624693274470 } } do
      known(("double pendulum%s, t = %d"):format(space, case[1]), case[2], function()
        local s = run(double_pendulum(dimension), case[1])
        return math.max(math.abs(s:body("p1").position.x - case[3]),
          math.abs(s:body("p2").position.y - case[4]))
      end)
    end
    known("four-bars" .. space .. ", N = 2, t = 10", 1e-8, function()
      return vec.norm(top_of(run(four_bars(2, dimension), 10))
        - at(dimension, 0.32845811154081537865, 0.94451853817860096216))
    end)
  end
  for _, tolerance in ipairs { 1e-12, 1e-13, TIGHT } do
    known(("four-bars, N = 40, t = 20, tolerance %.0e"):format(tolerance), 1e-6, function()
      return vec.norm(top_of(run(four_bars(40, 2), 20, tolerance))
        - { 0.41090115376294522215, 0.91167990097198065163 })
    end)
  end
  known("free body, t = 50", 1e-11, function()
    return vec.norm(run(free_body(), 50):body("b").rates
      - { 0.33806664544885357356, 1.5687408722645301313, 0.27774903849072175377 })
  end)
end

-- 3, 4: what stays --------------------------------------------------------------------------------

--- The largest gap between the places of a joint on its two bodies.
local function gap(s)
  local drawing, worst = require "sarrus.model.drawing", 0
  for _, j in ipairs(s.model.joints) do
    local place = j.type == "revolute" or j.type == "spherical"
    local points = {}
    for i, side in ipairs(place and { "a", "b" } or {}) do
      local record = j.bodies[i]
      points[i] = s:point(record.name, drawing.place(record, j.checked.at[side]))
    end
    worst = math.max(worst, place and vec.norm(points[1] - points[2]) or 0)
  end
  return worst
end

--- Over a run: drift of the energy by the largest kinetic one; gap and residual by the size (of
--- directions by 1).
local function watch(model, t, tolerance)
  local sim = assert(model:simulate { tolerance = tolerance })
  local before = sim:state():energy().total
  local kinetic, worst = 0, { energy = 0, gap = 0, residual = 0 }
  for i = 1, 50 do
    assert(sim:advance(i * t / 50))
    local s = sim:state()
    local energy = s:energy()
    kinetic = math.max(kinetic, energy.kinetic)
    worst.energy = math.max(worst.energy, math.abs(energy.total - before))
    worst.gap = math.max(worst.gap, gap(s) / model.size)
    worst.residual = math.max(worst.residual, s:residual().position / math.max(model.size, 1))
  end
  worst.energy = worst.energy / kinetic
  return worst
end

local function stays(row, point, what, model, t, tolerance, slow)
  local memo
  for _, case in ipairs { { "energy", 1e-11 }, { "gap", 1e-13 }, { "residual", 1e-13 } } do
    row(point, ("%s, %g s at %.0e: %s"):format(what, t, tolerance, case[1]), case[2], function()
      memo = memo or watch(model(), t, tolerance)
      return memo[case[1]]
    end, slow)
  end
end

local function four_bar_of_hinges(gravity)
  local function hinge(name, a, b, p)
    return joint.revolute { name, a, b, at = p, axis = { 0, 0, 1 } }
  end
  local a, b, c, d = { 0, 0, 0 }, { 0, 1, 0 }, { 2, 2, 0 }, { 3, 0, 0 }
  return sarrus.model {
    gravity = gravity or { 0, -9.81, 0 },
    body.rod { "crank", from = a, to = b, mass = 1 },
    body.rod { "coupler", from = b, to = c, mass = 1 },
    body.rod { "rocker", from = d, to = c, mass = 1 },
    hinge("A", "ground", "crank", a), hinge("B", "crank", "coupler", b),
    hinge("C", "coupler", "rocker", c), hinge("D", "rocker", "ground", d),
  }
end

--- Momentum and angular momentum about the origin.
local function momenta(s)
  local p, l = vec { 0, 0, 0 }, vec { 0, 0, 0 }
  for _, record in ipairs(s.model.bodies) do
    local b = s:body(record.name)
    p = p + b.velocity * record.mass
    l = l + vec.cross(b.position, b.velocity * record.mass)
    for i = 1, 3 do
      local axis = { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 }
      l = l + (s:point(record.name, axis) - b.position)
        * vec.dot(vec(record.inertia[i]), b.rates)
    end
  end
  return p, l
end

local function free_pair()
  return sarrus.model {
    body.rod { "a", from = { 0, 0, 0 }, to = { 1, 0, 0 }, mass = 1, spin = { 0.3, 0.5, 1 },
      velocity = { 0.1, 0, 0 } },
    body.box { "b", position = { 1.2, 0.3, 0 }, size = { 0.4, 0.6, 0.2 }, mass = 2 },
    joint.revolute { "J", "a", "b", at = { 1, 0, 0 }, axis = { 0, 1, 1 }, stiffness = 4 },
  }
end

--- The largest change of either momentum over 100 s, relative.
local function momentum_drift(model)
  local sim = assert(model:simulate {})
  local p0, l0 = momenta(sim:state())
  local worst = 0
  for t = 2, 100, 2 do
    assert(sim:advance(t))
    local p, l = momenta(sim:state())
    worst = math.max(worst, vec.norm(p - p0) / math.max(vec.norm(p0), 1),
      vec.norm(l - l0) / vec.norm(l0))
  end
  return worst
end

local function invariants(row)
  for _, name in ipairs { "four_bar", "double_pendulum", "gyroscope", "cam", "rolling_disk" } do
    stays(row, 3, "example " .. name, function() return example(name) end, 100, 1e-12)
  end
  stays(row, 3, "example chain", function() return example("chain") end, 20, 1e-12)
  stays(row, 3, "example chain", function() return example("chain") end, 100, 1e-12, true)
  row(3, "free body, 100 s: momenta", 1e-13, function() return momentum_drift(free_body()) end)
  row(3, "hinged pair, 100 s: momenta", 1e-13, function() return momentum_drift(free_pair()) end)
  stays(row, 4, "four-bar of spatial hinges", four_bar_of_hinges, 1000, 1e-12)
end

local mechanisms = { four_bars = four_bars, four_bar_of_hinges = four_bar_of_hinges }

--- Call row(point, what, bound, measure, slow) for each.
function mechanisms.rows(row)
  problems(row)
  invariants(row)
end

return mechanisms
