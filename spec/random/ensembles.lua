--- Ensembles of linkages, of chains side by side, of what bounces, of stiff springs and of plain
--- systems, whose runs differ in starts and parameters, some of which fail, with threads, channels
--- and intervals that are drawn: each run has the numbers and the words of a simulation alone.
local sarrus = require "sarrus"
local body, contact, force, joint, shape = sarrus.body, sarrus.contact, sarrus.force,
  sarrus.joint, sarrus.shape

-- The error is how many numbers differ.
local class = { cases = 12, bound = 0 }

local kinds = {}

function kinds.linkage(draw)
  local model = sarrus.model {
    name = "four-bar", gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = draw:between(0.5, 2) },
    body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = 1 },
    body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 },
      torque = sarrus.parameter("torque", 0) },
    joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
    joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
  }
  return model, function(d)
    return { joints = { A = { rate = d:between(-3, 3), angle = d:between(-0.3, 0.3) } },
      parameters = { torque = d:between(-5, 5) } }
  end, { "A.angle", "C.force.x", "energy.total", "parameter.torque" }
end

function kinds.chain(draw)
  local rods, items = draw:whole(1, 4), { name = "chain", gravity = { 0, -9.81 } }
  for i = 1, rods do
    items[#items + 1] = body.rod { "r" .. i, from = { i - 1, 0 }, to = { i, 0 },
      mass = draw:between(0.2, 3) }
    items[#items + 1] = joint.revolute { "J" .. i, i == 1 and "ground" or "r" .. (i - 1), "r" .. i,
      at = { i - 1, 0 }, damping = draw:chance(0.3) and draw:between(0, 0.5) or nil }
  end
  return sarrus.model(items), function(d)
    local joints = {}
    for i = 1, rods do
      joints["J" .. i] = { angle = d:between(-3, 3), rate = d:between(-4, 4) }
    end
    return { joints = joints, max_step = d:chance(0.2) and 0.03 or nil }
  end, { "r" .. rods .. ".position.x", "J1.force.y", "energy.total", "r1.spin" }, 40
end

function kinds.bouncing(draw)
  local model = sarrus.model {
    name = "scene", gravity = { 0, -9.81 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    body.disk { "ball", position = { 0, draw:between(0.5, 1) }, radius = 0.2, mass = 1 },
    contact.pair { "c", "floor", "ball", friction = draw:between(0, 1),
      restitution = draw:between(0, 0.7) },
  }
  return model, function(d)
    return { bodies = { ball = { velocity = d:list(2, -2, 2), spin = d:between(-5, 5) } } }
  end, { "ball.position.x", "ball.spin", "c.normal_force", "c.mode" }
end

function kinds.stiff(draw)
  local model = sarrus.model {
    name = "stiff", gravity = { 0, -9.81 },
    body.point { "a", position = { 1, 0 }, mass = 1 },
    force.spring { "s", "ground", "a", from = { 0, 0 }, to = { 1, 0 },
      stiffness = sarrus.parameter("k", 1e7), damping = draw:between(10, 1000) },
  }
  return model, function(d)
    return { parameters = { k = 10 ^ d:between(3, 8) } }
  end, { "a.position.x", "a.position.y" }
end

function kinds.system(draw)
  local c = draw:between(0.5, 2)
  local system = sarrus.system {
    name = "oscillator", coordinates = { "x", "y" },
    mass = function() return { { 1, 0 }, { 0, c } } end,
    force = function(q, v) return { -q.x - 0.1 * v.y + q.y ^ 2, -sarrus.sin(q.y) } end,
  }
  return system, function(d)
    return { q = d:list(2, -2, 2), v = d:list(2, -1, 1) }
  end, { "q.x", "v.y", "a.x" }
end

--- One run alone: the time, the values, the code and the message; lists with `every`.
local function alone(subject, start, t_end, channels, every)
  local sim, message, code = subject:simulate(start)
  if not sim then
    return { t = 0 / 0, code = code, message = message }
  end
  local recording = sim:record { every = every or 1, channels = channels }
  local result
  result, message, code = sim:advance(t_end)
  local run = { t = recording.t }
  for _, label in ipairs(channels) do
    run[label] = recording[label]
  end
  if not every then
    recording:close()
    local last = sim:record { every = 1, channels = channels }
    sim:advance(sim.time)
    run.t = sim.time
    for _, label in ipairs(channels) do
      run[label] = result and last[label][1] or 0 / 0
    end
  end
  if not result then
    run.code, run.message = code, message
  end
  return run
end

local function differ(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return (a == b or a ~= a and b ~= b) and 0 or 1
  end
  local count = #a == #b and 0 or 1
  for i = 1, math.min(#a, #b) do
    count = count + differ(a[i], b[i])
  end
  return count
end

function class.case(draw)
  local kind = draw:pick { "linkage", "chain", "bouncing", "stiff", "system" }
  local subject, vary, channels, most = kinds[kind](draw)
  local starts, runs, t_end = {}, draw:whole(1, most or 12), draw:between(0.2, 1)
  for i = 1, runs do
    starts[i] = vary(draw)
    starts[i].max_steps = draw:chance(0.2) and draw:whole(1, 6) or nil
  end
  local every = draw:chance(0.5) and draw:between(0.02, 0.3) or nil
  local e = assert(sarrus.ensemble {
    subject, runs = runs, t_end = t_end, channels = channels, every = every,
    threads = draw:whole(1, 4), tolerance = 1e-10,
    vary = function(i)
      return starts[i]
    end,
  })
  local count = 0
  for i = 1, runs do
    starts[i].tolerance = 1e-10
    local one, run = alone(subject, starts[i], t_end, channels, every), e[i]
    count = count + differ(one.code, run.code) + differ(one.message, run.message)
      + differ(one.t, run.t)
    for _, label in ipairs(channels) do
      count = count + differ(one[label], run[label])
    end
  end
  return count
end

return class
