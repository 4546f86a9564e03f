--- Small motions as simulations have them, against those of the linear model, exp(A t) x: of trees
--- at rest, planar and spatial, with springs and dampers, and of disks and spheres that roll
--- straight ahead.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local mechanism = dofile("spec/random/tools/mechanism.lua")
local space = mechanism.space

local class = { cases = 30, bound = 1e-7 }

local KINDS = { [2] = { "revolute", "revolute", "prismatic" },
  [3] = { "revolute", "spherical", "universal", "prismatic", "cylindrical" } }
local PUSH, T = 1e-5, 0.3

-- Models -----------------------------------------------------------------------------------------

local function tree(draw)
  local dimension = draw:pick { 2, 3 }
  local bodies, joints = {}, {}
  for i = 1, draw:whole(1, 4) do
    local a = bodies[draw:whole(0, i - 1)]
    local at = mechanism.place(draw, dimension, a and a.centre or { 0, 0, 0 }, 0.6)
    bodies[i] = mechanism.body(draw, dimension, "b" .. i,
      mechanism.place(draw, dimension, at, 0.6))
    joints[i] = mechanism.joint(draw, dimension, "j" .. i, draw:pick(KINDS[dimension]), a,
      bodies[i], at)
    local sliding = joints[i].kind == "prismatic"
    joints[i].given = (sliding or joints[i].kind == "revolute") and {
      stiffness = sliding and draw:between(50, 500) or draw:between(0, 20),
      damping = draw:chance(0.5) and draw:between(0, 3) or nil,
    } or {}
  end
  local model = mechanism.model(dimension, { 0, -9.81, 0 }, bodies, joints)
  for i, body in ipairs(bodies) do -- so that nothing slides away
    if dimension == 3 then
      model:add(sarrus.force.spring { "s" .. i, "ground", body.name, from = { 0, 1, 0 },
        to = body.centre, stiffness = draw:between(5, 30), damping = draw:between(0, 1) })
    end
  end
  return model, dimension, nil
end

local function rolling(draw)
  local radius, v = draw:between(0.2, 1), draw:between(0.5, 4)
  local round = draw:chance(0.5) and sarrus.body.sphere { "b", position = { 0, 0, radius },
    radius = radius, mass = 1 } or sarrus.body.disk { "b", position = { 0, 0, radius },
    radius = radius, length = 0.1, axis = { 0, 1, 0 }, mass = 1 }
  local model = sarrus.model {
    gravity = { 0, 0, -9.81 }, round,
    sarrus.joint.rolling { "r", "ground", "b", radius = radius, normal = { 0, 0, 1 } },
  }
  return model, 3, { bodies = { b = { velocity = { v, 0, 0 }, spin = { 0, v / radius, 0 } } } }
end

-- States -----------------------------------------------------------------------------------------

local function matrix(orientation)
  local w, x, y, z = orientation[1], orientation[2], orientation[3], orientation[4]
  return {
    { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
    { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
    { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) },
  }
end

--- What a state by the name that linear models give it has, beside a state of the undisturbed
--- motion.
local function value(model, s, base, name)
  local part, quantity, component = name:match("^([^.]+)%.([^.]+)%.?(.*)$")
  local k = ({ x = 1, y = 2, z = 3 })[component]
  if quantity == "rotation" then -- of R base^T = 1 + [th]
    local r = space.product(matrix(s:body(part).orientation),
      space.transposed(matrix(base:body(part).orientation)))
    local i, j = k % 3 + 1, (k + 1) % 3 + 1
    return (r[j][i] - r[i][j]) / 2
  end
  local family = model.index[part].family
  local own = s[family](s, part)[quantity]
  return k and own[k] or own
end

--- States after a push, which is taken with either sign, and so to second order.
local function deviations(model, names, base, plus, minus)
  local x = {}
  for i, name in ipairs(names) do
    x[i] = (value(model, plus, base, name) - value(model, minus, base, name)) / 2
  end
  return x
end

--- exp(A t) x by its series, in pieces.
local function evolve(a, x, t)
  local pieces = 64
  for _ = 1, pieces do
    local term, sum = x, {}
    for i = 1, #x do
      sum[i] = x[i]
    end
    for k = 1, 30 do
      local next_term = {}
      for i = 1, #x do
        local total = 0
        for j = 1, #x do
          total = total + a[i][j] * term[j]
        end
        next_term[i] = total * t / pieces / k
        sum[i] = sum[i] + next_term[i]
      end
      term = next_term
    end
    x = sum
  end
  return x
end

--- The state of a simulation with a push, or without, now and later.
local function run(model, at, push, sign)
  local sim = assert(model:simulate(at))
  for name, impulse in pairs(push) do
    local scaled = {}
    for k, x in ipairs(impulse) do
      scaled[k] = sign * x
    end
    assert(sim:impulse(name, scaled))
  end
  local before = sim:state()
  go(sim, T)
  return before, sim:state()
end

--- A start from a state.
local function start_of(model, s)
  local start = { bodies = {}, joints = {}, tolerance = 1e-14 }
  for _, body in ipairs(model.bodies) do
    local at = s:body(body.name)
    start.bodies[body.name] = { position = at.position, angle = rawget(at, "angle"),
      orientation = rawget(at, "orientation"), velocity = at.velocity, spin = at.spin }
  end
  for _, joint in ipairs(model.joints) do
    local own = s:joint(joint.name)
    start.joints[joint.name] = { angle = rawget(own, "angle"), length = rawget(own, "length") }
  end
  return start
end

function class.case(draw)
  local model, dimension, ahead = (draw:chance(0.3) and rolling or tree)(draw)
  local s = ahead and assert(model:assemble(ahead)) or assert(model:equilibrium())
  local linear = assert(model:linearise { at = s })
  assert(linear.steady, "not steady")
  local push = {}
  for _, body in ipairs(model.bodies) do
    push[body.name] = {}
    for k = 1, dimension do
      push[body.name][k] = PUSH * draw:signed(0.3, 1)
    end
  end
  local start = start_of(model, s)
  local base, base_later = run(model, start, push, 0)
  local plus, plus_later = run(model, start, push, 1)
  local minus, minus_later = run(model, start, push, -1)
  local first = deviations(model, linear.states, base, plus, minus)
  local last = deviations(model, linear.states, base_later, plus_later, minus_later)
  local worst, most = 0, 0
  for i, x in ipairs(evolve(linear.A, first, T)) do
    worst = math.max(worst, math.abs(x - last[i]))
    most = math.max(most, math.abs(last[i]))
  end
  return worst / most
end

return class
