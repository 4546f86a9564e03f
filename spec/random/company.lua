--- Planar scenes in which contacts have company: ropes, stops of geared wheels, bodies that are
--- pushed by prescribed motions, floors that swing, parameters that change, contacts and joints
--- that are released, engaged, locked and pushed while they slide; friction up to 2.5, restitution
--- up to 1, some touching from the start.  What is done by actions of events must be what is done
--- by hand at the same times, saved and restored or not; in other units it must be the same; looser
--- tolerances must agree, as far as a start that is moved by 1e-9 tells how errors grow; nothing
--- penetrates, forces stay in the cone, and nothing gains energy but by what is done.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

-- The error is in units of what is allowed.
local class = { cases = 20, bound = 1 }

local T, G, MOVED = 1.2, 9.81, 1e-9

--- Go to t; where contacts have no answer, or what is pushed is wedged, the message is answered.
local function go(sim, t)
  local result, message, code = sim:advance(t)
  if not result and code ~= "CONTACT" and not message:find("its motion cannot be followed") then
    error(("%s at %.17g: %s"):format(code, sim.time, message))
  end
  return not result and message or nil
end

-- What is drawn ----------------------------------------------------------------------------------

local function draw_law(draw)
  local friction = draw:pick { 0, draw:between(0, 1), draw:between(0, 1), draw:between(1, 2.5) }
  return { friction = friction, -- with friction what is elastic may rattle for ever
    restitution = draw:pick { 0, draw:between(0, 0.9), draw:between(0.9, 0.97),
      friction == 0 and 1 or 0 } }
end

--- Bodies in a row, which touch each other and the floor, or above it and apart.
local function draw_bodies(draw, scene)
  local x, touching = -0.5, draw:chance(0.35)
  scene.touching = touching
  for i = 1, draw:whole(1, 3) do
    local r = draw:between(0.1, 0.3)
    local b = { name = "b" .. i, kind = draw:chance(0.6) and "disk" or "box", size = r,
      mass = draw:between(0.4, 3), vx = draw:between(-2, 2), vy = draw:between(-1, 1),
      spin = draw:between(-4, 4), angle = draw:between(-1, 1) }
    if touching then
      b.vy, b.angle, b.spin = 0, 0, b.kind == "disk" and b.spin or 0
      b.y = r
      b.x, x = x + r, x + 2 * r
    else
      b.x, b.y, x = x + 2 * r, draw:between(0.5, 1.2), x + 4 * r
    end
    scene.bodies[i] = b
  end
end

local function draw_scene(draw)
  local scene = { bodies = {}, law = draw_law(draw), each = draw_law(draw) }
  draw_bodies(draw, scene)
  local b = scene.bodies[1]
  scene.tilt = draw:chance(0.5) and 0 or draw:between(-0.2, 0.2)
  scene.lift = 0.8 * math.abs(math.tan(scene.tilt)) * (#scene.bodies + 1)
  scene.lift = scene.tilt == 0 and 0 or scene.lift
  scene.rope = draw:chance(0.35) and { slack = draw:between(0, 0.3),
    restitution = draw:pick { 0, draw:between(0, 1), 1 } } or nil
  scene.wheels = draw:chance(0.3) and { ratio = draw:between(0.5, 2) * draw:pick { -1, 1 },
    rate = draw:signed(1, 6), stop = draw:between(0.1, 1), restitution = draw:between(0, 1),
    friction = draw:chance(0.5) and draw:between(0, 0.3) or 0 } or nil
  scene.pusher = draw:chance(0.3) and { way = draw:between(0.1, 0.5), w = draw:between(1, 6),
    x = b.x - b.size * 1.5 - draw:between(0.1, 0.3) } or nil
  scene.table = draw:chance(0.2) and { height = draw:between(0.02, 0.1), w = draw:between(2, 12),
    belt = draw:between(-1, 1) } or nil
  scene.acts = {}
  for i = 1, draw:whole(0, 4) do
    scene.acts[i] = { at = draw:between(0.02, 1), what = draw:pick { "mu", "e", "g", "kick",
      "release", "engage", "lock", "unlock" }, to = draw:between(0, 1), x = draw:between(-1, 1),
      y = draw:between(-0.5, 1) }
  end
  table.sort(scene.acts, function(a, c) return a.at < c.at end)
  return scene
end

-- Models -----------------------------------------------------------------------------------------

--- Units: how long a metre, a second and a kilogram are in them.
local function units_of(length, time, mass)
  return { length = length, time = time, mass = mass, speed = length / time,
    force = mass * length / time ^ 2, torque = mass * length ^ 2 / time ^ 2 }
end

local SI = units_of(1, 1, 1)

--- Shared by all models; a model has its own units in its start.
local parameters = { mu = sarrus.parameter("mu", 0), e = sarrus.parameter("e", 0),
  g = sarrus.parameter("g", 0) }

--- Moved apart from each other, and up where none touches anything.
local function put_bodies(scene, u, moved, put)
  local names, up = {}, scene.touching and 0 or moved
  for i, b in ipairs(scene.bodies) do
    local given = { b.name, mass = b.mass * u.mass, spin = b.spin / u.time,
      position = { (b.x + i * moved) * u.length, (b.y + scene.lift + i * up) * u.length },
      velocity = { b.vx * u.speed, b.vy * u.speed } }
    if b.kind == "disk" then
      given.radius = b.size * u.length
    else
      given.size, given.angle = { 2 * b.size * u.length, 2 * b.size * u.length }, b.angle
    end
    put(body[b.kind](given))
    names[i] = b.name
  end
  return names
end

--- Two wheels with gears, the first with a stop.
local function put_wheels(wheels, u, put)
  for i = 1, 2 do
    local at = { 5 * u.length, i * u.length }
    put(body.disk { "w" .. i, position = at, radius = 0.3 * u.length, mass = i * u.mass })
    put(joint.revolute { "a" .. i, "ground", "w" .. i, at = at,
      friction = i == 2 and wheels.friction > 0 and wheels.friction * u.torque or nil,
      limits = i == 1 and { -wheels.stop, wheels.stop, restitution = wheels.restitution } or nil })
  end
  put(joint.gear { "gear", "a1", "a2", ratio = wheels.ratio })
end

local function put_pusher(pusher, scene, u, put)
  local at = { pusher.x * u.length, (scene.lift + 0.25) * u.length }
  put(body.box { "p", position = at, size = { 0.1 * u.length, 0.4 * u.length }, mass = u.mass })
  put(joint.prismatic { "drive", "ground", "p", at = at, axis = { 1, 0 },
    motion = pusher.way * u.length * (1 - sarrus.cos(pusher.w / u.time * sarrus.time)) })
end

--- The first body on a table that goes up and down, and whose belt goes to and fro.
local function put_table(t, scene, u, put)
  local first, w = scene.bodies[1], t.w / u.time
  put(contact.custom { "on table", { first.name }, restitution = 0.5, friction = 0.3,
    gap = function(b, time)
      return b:point().y - (scene.lift + 0.6 * first.size) * u.length
        - t.height * u.length * sarrus.sin(w * time)
    end, slip = function(b, time)
      return b:velocity().x - t.belt * u.speed * sarrus.cos(w * time)
    end })
end

local function model_of(scene, u, moved)
  local parts = { name = "company", gravity = { 0, -G * parameters.g } }
  local function put(part)
    parts[#parts + 1] = part
  end
  put(shape.line { "floor", "ground", at = { 0, 0 },
    normal = { -math.sin(scene.tilt), math.cos(scene.tilt) } })
  local names = put_bodies(scene, u, moved, put)
  put(contact.pair { "c", "floor", names, friction = parameters.mu, restitution = parameters.e })
  if #names > 1 then
    put(contact.pair { "each", names, friction = scene.each.friction,
      restitution = scene.each.restitution })
  end
  local first = scene.bodies[1]
  if scene.rope then
    local up = scene.touching and 0 or moved
    local at = { (first.x + moved) * u.length, (first.y + scene.lift + up) * u.length }
    local above = { first.x * u.length, (first.y + scene.lift + 0.5) * u.length }
    put(joint.distance { "rope", "ground", "b1", from = above, to = at, limits = { 0,
      (0.501 + scene.rope.slack) * u.length, restitution = scene.rope.restitution } })
  end
  if scene.wheels then
    put_wheels(scene.wheels, u, put)
  end
  if scene.pusher then
    put_pusher(scene.pusher, scene, u, put)
    put(contact.pair { "push", "p", "b1", friction = scene.each.friction,
      restitution = scene.each.restitution })
  end
  if scene.table then
    put_table(scene.table, scene, u, put)
  end
  return sarrus.model(parts), names
end

local function start_of(scene, u, tolerance)
  local start = { max_steps = 20000, tolerance = tolerance, parameters = { mu = scene.law.friction,
    e = scene.law.restitution, g = u.length / u.time ^ 2 } }
  if scene.wheels then
    start.joints = { a1 = { rate = scene.wheels.rate / u.time } }
  end
  return start
end

-- What is done -----------------------------------------------------------------------------------

local deeds = {}

function deeds.mu(sim, act) assert(sim:set("mu", act.to)) end
function deeds.e(sim, act) assert(sim:set("e", act.to)) end
function deeds.g(sim, act, _, u)
  assert(sim:set("g", (2 * act.to - 0.5) * u.length / u.time ^ 2))
end
function deeds.kick(sim, act, _, u)
  assert(sim:impulse("b1", { act.x * u.mass * u.speed, act.y * u.mass * u.speed }))
end
function deeds.release(sim, _, scene)
  assert(sim:release(scene.rope and "rope" or #scene.bodies > 1 and "each" or "c"))
end
--- What does not fit, since shapes are in each other, stays released.
function deeds.engage(sim, _, scene)
  local good, message, code = sim:engage(scene.rope and "rope" or #scene.bodies > 1 and "each"
    or "c")
  assert(good or code == "INCONSISTENT", message)
  return not good
end
function deeds.lock(sim, _, scene)
  if scene.wheels then assert(sim:lock("a1")) end
end
function deeds.unlock(sim, _, scene)
  if scene.wheels then assert(sim:unlock("a1")) end
end

--- Whether something of it is not possible in this state, as to engage what was not released.
local function do_act(sim, act, scene, u)
  local done = scene.done
  if act.what == "release" then
    if done.released then return end
    done.released = true
  elseif act.what == "engage" then
    if not done.released then return end
    done.released = deeds.engage(sim, act, scene, u)
    return
  elseif act.what == "lock" then
    if done.locked then return end
    done.locked = true
  elseif act.what == "unlock" then
    if not done.locked then return end
    done.locked = false
  end
  deeds[act.what](sim, act, scene, u)
end

-- Ways to the end --------------------------------------------------------------------------------

--- Where everything is, in metres and seconds.
local function read(sim, names, scene, u)
  local s, list = sim:state(), {}
  for _, name in ipairs(names) do
    local b = s:body(name)
    list[#list + 1], list[#list + 2] = b.position.x / u.length, b.position.y / u.length
    list[#list + 1] = b.angle
  end
  if scene.wheels then
    list[#list + 1] = s:body("w1").angle
  end
  return list
end

local function by_actions(scene, u, tolerance, moved)
  local model, names = model_of(scene, u, moved)
  local events = {}
  scene.done = {}
  for i, act in ipairs(scene.acts) do
    events[i] = sarrus.event { "act " .. i, when = function(s) return s.t - act.at * u.time end,
      action = function(sim) do_act(sim, act, scene, u) end }
  end
  local start = start_of(scene, u, tolerance)
  start.events = events
  local sim, message, code = model:simulate(start)
  if not sim and code == "CONTACT" then
    return nil, message
  end
  assert(sim, message)
  local early = go(sim, T * u.time)
  if early then
    return nil, early
  end
  return read(sim, names, scene, u)
end

--- How far forces are from what is allowed, gaps from 0; energies between what is done.
local function violation(sim, scene, last)
  local s, worst, largest = sim:state(), 0, 1
  for _, name in ipairs { "c", "each", "push" } do
    local mu = name == "c" and sim:get("mu") or scene.each.friction
    local there = name == "c" or (name == "each" and #scene.bodies > 1)
      or (name == "push" and scene.pusher)
    for _, point in ipairs(there and s:contact(name).points or {}) do
      local normal = sarrus.vec.dot(point.force, point.normal)
      local along = math.abs(sarrus.vec.cross(point.normal, point.force))
      largest = math.max(largest, normal, along)
      local off = math.max(-normal, along - mu * math.max(0, normal))
      worst = math.max(worst, off / largest / 1e-10)
    end
    if there and not scene.done.released then
      worst = math.max(worst, -s:contact(name).gap / 1e-9)
    end
  end
  local free = not scene.pusher and not scene.table
  local e = s:energy().total
  if free and last then
    worst = math.max(worst, (e - last) / (1e-9 * (1 + math.abs(e))))
  end
  return worst, e
end

--- The same by hand, at times; with `saves` each leg is saved and restored in the middle.
local function by_hand(scene, saves)
  local model, names = model_of(scene, SI, 0)
  scene.done = {}
  local sim, message, code = model:simulate(start_of(scene, SI, 1e-13))
  if not sim and code == "CONTACT" then
    return nil, message
  end
  assert(sim, message)
  local worst, energy, t = 0, nil, 0
  for i = 1, #scene.acts + 1 do
    local act = scene.acts[i]
    local to = act and act.at or T
    for k = 1, 3 do
      local early = go(sim, t + (to - t) * k / 3)
      if early then
        return nil, early, worst
      end
      local off
      off, energy = violation(sim, scene, energy)
      worst = math.max(worst, off)
      if saves and k < 3 then
        sim = assert(model:restore(sim:save()))
      end
    end
    t, energy = to, nil
    if act then
      do_act(sim, act, scene, SI)
    end
  end
  return read(sim, names, scene, SI), nil, worst
end

local function apart(a, b)
  local most = 0
  for i = 1, #a do
    most = math.max(most, math.abs(a[i] - b[i]))
  end
  return most
end

local function early_of(...)
  for i = 1, select("#", ...) do
    local why = select(i, ...)
    if why then
      return why
    end
  end
end

--- By how much the answer differs in units next to those of SI: where points rattle together,
--- rounding decides which of them strikes first.
local function rounding_of(scene, exact)
  local most = 0
  for _, near in ipairs { { 1.3, 0.8, 0.7 }, { 0.7, 1.2, 1.4 }, { 1.1, 1.3, 0.9 } } do
    local other = by_actions(scene, units_of(near[1], near[2], near[3]), 1e-13, 0)
    most = math.max(most, other and apart(exact, other) or 0)
  end
  return most
end

function class.case(draw)
  local scene = draw_scene(draw)
  local u = units_of(10 ^ draw:between(-6, 6), 10 ^ draw:between(-3, 3), 10 ^ draw:between(-9, 9))
  local hand, failed, worst = by_hand(scene, false)
  local saved, also = by_hand(scene, true)
  assert((hand == nil) == (saved == nil), also or failed)
  if hand and apart(hand, saved) > 0 then
    return math.huge, nil
  end
  local exact, one = by_actions(scene, SI, 1e-13, 0)
  local moved, two = by_actions(scene, SI, 1e-13, MOVED)
  local rough, three = by_actions(scene, SI, 1e-10, 0)
  local other, four = by_actions(scene, u, 1e-13, 0)
  local early = early_of(failed, one, two, three, four)
  if early then
    return worst or 0, early
  end
  local grows = 10 * apart(exact, moved)
  local error = math.max(worst, apart(exact, hand) / 1e-8, apart(exact, rough) / (1e-8 + grows))
  local scaled = apart(exact, other) / (1e-8 + grows)
  if scaled > 1 then
    scaled = apart(exact, other) / (1e-8 + math.max(grows, 10 * rounding_of(scene, exact)))
  end
  return math.max(error, scaled)
end

return class
