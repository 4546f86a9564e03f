--- Linkages, planar and spatial, that sag under gravity and springs, some of them in loops, some
--- held by nothing: where they come to rest the accelerations of a simulation vanish, and a small
--- push tells whether they stay there as the eigenvalues say; what falls for ever is refused.  What
--- gravity alone holds is in equilibrium upside down, too, with eigenvalues that are i times those.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local mechanism = dofile("spec/random/tools/mechanism.lua")

local class = { cases = 40, bound = 1e-12 }

local KINDS = { [2] = { "revolute", "revolute", "revolute", "prismatic" },
  [3] = { "revolute", "revolute", "spherical", "universal", "prismatic" } }

local function lower(dimension, place)
  return dimension == 2 and { place[1], place[2] } or place
end

--- A chain or a tree from the ground, or from a body that is free.
local function draw_linkage(draw, dimension)
  local bodies, joints, chain = {}, {}, draw:chance(0.6)
  local held = not draw:chance(0.08)
  for i = 1, draw:whole(1, 6) do
    local a = bodies[chain and i - 1 or draw:whole(0, i - 1)]
    local at = mechanism.place(draw, dimension, a and a.centre or { 0, 0, 0 }, 0.6)
    bodies[i] = mechanism.body(draw, dimension, "b" .. i,
      mechanism.place(draw, dimension, at, 0.6))
    if a or held then
      joints[#joints + 1] = mechanism.joint(draw, dimension, "j" .. i,
        draw:pick(KINDS[dimension]), a, bodies[i], at)
    end
  end
  for _, joint in ipairs(joints) do
    joint.given = {}
    local springy = joint.kind == "prismatic" or draw:chance(0.3) and joint.kind == "revolute"
    if springy then
      joint.given.stiffness = joint.kind == "prismatic" and 10 ^ draw:between(1.5, 4)
        or 10 ^ draw:between(-1, 3)
      joint.given.rest = draw:between(-0.3, 0.3)
    end
    if springy and draw:chance(0.3) then
      joint.given.damping = 10 ^ draw:between(-2, 1)
    end
  end
  return bodies, joints, held
end

--- Springs, and a joint that closes a loop.
local function draw_forces(draw, dimension, bodies, model)
  for i = 1, draw:whole(0, 2) do
    local one = draw:pick(bodies)
    local from = mechanism.place(draw, dimension, { 0, 1, 0 }, 1)
    model:add(sarrus.force.spring { "s" .. i, "ground", one.name, from = lower(dimension, from),
      to = lower(dimension, mechanism.place(draw, dimension, one.centre, 0.3)),
      stiffness = 10 ^ draw:between(0, 3), length = draw:between(0.2, 1) })
  end
  local last = bodies[#bodies]
  if #bodies > 1 and draw:chance(0.5) then
    local to = mechanism.place(draw, dimension, last.centre, 0.4)
    local from = mechanism.place(draw, dimension, to, 0.8)
    model:add(sarrus.joint.distance { "loop", "ground", last.name, from = lower(dimension, from),
      to = lower(dimension, to) })
    return true
  end
end

local function largest(report)
  local most, slowest = 0, math.huge
  for _, value in ipairs(report.eigenvalues) do
    local size = math.sqrt(value.re ^ 2 + value.im ^ 2)
    most = math.max(most, size)
    slowest = size > 0 and math.min(slowest, size) or slowest
  end
  return most, slowest
end

--- A start from a state.
local function start_of(model, s, parameters)
  local starts = {}
  for _, body in ipairs(model.bodies) do
    local at = s:body(body.name)
    starts[body.name] = { position = at.position, angle = rawget(at, "angle"),
      orientation = rawget(at, "orientation") }
  end
  local joints = {}
  for _, joint in ipairs(model.joints) do
    local own = s:joint(joint.name)
    joints[joint.name] = { angle = rawget(own, "angle"), length = rawget(own, "length") }
  end
  return { bodies = starts, joints = joints, parameters = parameters }
end

--- A simulation from there, and what is left of accelerations.
local function accelerated(model, start)
  local sim = assert(model:simulate(start))
  local worst = 0
  for _, a in ipairs(sim:state().a) do
    worst = math.max(worst, math.abs(a))
  end
  return sim, worst
end

--- The largest kinetic energy after a push, relative to that of the push.
local function growth(draw, model, dimension, sim, time)
  for _, body in ipairs(model.bodies) do
    local push = {}
    for k = 1, dimension do
      push[k] = 1e-6 * draw:signed(0.3, 1)
    end
    assert(sim:impulse(body.name, push))
  end
  local before, most = sim:state():energy().kinetic, 0
  for i = 1, 20 do
    go(sim, i * time / 20)
    most = math.max(most, sim:state():energy().kinetic)
  end
  return most / before
end

--- Eigenvalues of stable and of unstable motions whose squares differ in sign alone.
local function mirrored(report, other)
  local list, worst, most = {}, 0, 0
  for _, value in ipairs(report.eigenvalues) do
    list[#list + 1] = value.im
  end
  table.sort(list, function(a, b) return a > b end)
  for i, value in ipairs(other.eigenvalues) do
    worst, most = math.max(worst, math.abs(value.re - list[i])), math.max(most, list[i])
    assert(value.im == 0, "what falls over oscillates")
  end
  return worst / most
end

local function upside_down(draw, model, dimension, s, report)
  local start = start_of(model, s, { g = -9.81 })
  local there, other = model:equilibrium(start)
  assert(there, other)
  assert(not other.stable and other.moved < 1e-12, "it does not stay upside down")
  local sim = accelerated(model, start)
  local grown = growth(draw, model, dimension, sim, 7 / other.eigenvalues[1].re)
  assert(grown > 4, ("unstable, but a push grows by %g"):format(grown))
  return mirrored(report, other)
end

local function has_springs(model, joints)
  local found = #model.forces > 0
  for _, joint in ipairs(joints) do
    found = found or joint.given.stiffness ~= nil
  end
  return found
end

function class.case(draw)
  local dimension = draw:pick { 2, 2, 3 }
  local bodies, joints, held = draw_linkage(draw, dimension)
  local gravity = { 0, -sarrus.parameter("g", 9.81), 0 }
  local model = mechanism.model(dimension, gravity, bodies, joints)
  local looped = draw_forces(draw, dimension, bodies, model)
  if (model:freedoms() or 0) == 0 then
    return 0
  end
  local s, report, code = model:equilibrium()
  if not s then
    assert(code == "LIMIT" or code == "SINGULAR", report)
    assert(not held or code == "SINGULAR", report)
    return 0
  end
  assert(held or looped or #model.forces > 0, "what nothing holds is at rest")
  local sim, acceleration = accelerated(model, start_of(model, s))
  local fastest, slowest = largest(report)
  local rising = report.eigenvalues[1].re
  local worst = 0
  if report.stable and report.neutral == 0 and not has_springs(model, joints) then
    worst = 0.1 * upside_down(draw, model, dimension, s, report)
  end
  if report.stable and report.neutral == 0 then
    local grown = growth(draw, model, dimension, sim, math.min(6 / slowest, 400 / fastest))
    assert(grown < 1.001, ("stable, but a push grows by %g"):format(grown))
  elseif not report.stable then
    local grown = growth(draw, model, dimension, sim, 7 / rising)
    assert(grown > 4, ("unstable, but a push grows by %g"):format(grown))
  end
  return math.max(worst, report.residual, acceleration / (9.81 + fastest ^ 2))
end

return class
