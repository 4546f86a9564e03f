--- Chains of 1 to 3 rods with friction and limits in their hinges fall on a floor, beside a disk
--- that may hang on a rope, and under a spring: what bounces, slides, sticks and is stopped, all in
--- one.  Tolerances of 1e-10 and 1e-13 agree, as far as a start that is moved by 1e-9 tells how
--- errors grow; and with stops, saved and restored, every bit is the same.  What fails says
--- CONTACT, which the case answers besides its error.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").or_contact
local body, contact, force, joint, shape = sarrus.body, sarrus.contact, sarrus.force, sarrus.joint,
  sarrus.shape

-- The error is in units of what is allowed.
local class = { cases = 60, bound = 1 }

local T, MOVED, STOPS = 1.5, 1e-9, 20

local frictions = {
  function(draw) return draw:between(0, 0.5) end,
  function(draw) return { static = draw:between(0.3, 0.6), sliding = draw:between(0.1, 0.3) } end,
  function(draw) return { coefficient = draw:between(0.05, 0.3), radius = 0.03 } end,
  function() return nil end,
}

--- A rod from a place on, and where it ends; in a hinge to what is before it, but for a loose
--- first.
local function rod_of(draw, i, at, first_hangs)
  local length, angle = draw:between(0.3, 0.8), draw:between(-3, 3)
  local rod = { name = "b" .. i, before = i > 1 and "b" .. i - 1 or "ground", at = at,
    mass = draw:between(0.5, 2), hangs = i > 1 or first_hangs,
    friction = draw:pick(frictions)(draw) }
  local down = at[2] + length * math.sin(angle)
  rod.to = { at[1] + length * math.cos(angle),
    down < 0.1 and at[2] + length * math.abs(math.sin(angle)) or down }
  rod.limits = draw:chance(0.5)
    and { -draw:between(0.2, 2), draw:between(0.2, 2), restitution = draw:between(0, 0.8) } or nil
  return rod
end

--- All that is drawn, so that it can be built twice.
local function scene_of(draw)
  local at = { 0, draw:between(1.2, 2.5) }
  local scene, hangs = { rods = {} }, draw:chance(0.6)
  for i = 1, draw:whole(1, 3) do
    scene.rods[i] = rod_of(draw, i, at, hangs)
    at = scene.rods[i].to
  end
  scene.disk = draw:chance(0.5) and { x = draw:between(-1, 1), y = draw:between(0.5, 3),
    radius = draw:between(0.1, 0.3), mass = draw:between(0.3, 1),
    rope = draw:chance(0.4) and draw:between(0.2, 1) or nil } or nil
  scene.spring = draw:chance(0.5) and { x = draw:between(-1, 1), stiffness = draw:between(5, 50),
    length = draw:between(0.2, 1) } or nil
  scene.friction, scene.restitution = draw:between(0, 0.8), draw:between(0, 0.8)
  return scene
end

--- The disk, and the rope that it hangs on, drawn slack.
local function add_disk(add, disk, moved)
  local at = { disk.x + moved, disk.y + moved }
  add(body.disk { "d", position = at, radius = disk.radius, mass = disk.mass })
  if disk.rope then
    local drawn = math.sqrt(at[1] ^ 2 + (3.5 - at[2]) ^ 2)
    add(joint.distance { "rope", "ground", "d", from = { 0, 3.5 }, to = at,
      limits = { 0, drawn + disk.rope } })
  end
end

--- The model of a scene whose start is moved by so much, and the names of its bodies.
local function model_of(scene, moved)
  local parts, names = { name = "mixed", gravity = { 0, -9.81 } }, {}
  local function add(part)
    parts[#parts + 1] = part
  end
  add(shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } })
  for i, rod in ipairs(scene.rods) do
    local last = i == #scene.rods and moved or 0
    names[i] = rod.name
    add(body.rod { rod.name, from = rod.at, to = { rod.to[1] + last, rod.to[2] + last },
      mass = rod.mass })
    if rod.hangs then
      add(joint.revolute { "j" .. i, rod.before, rod.name, at = rod.at, friction = rod.friction,
        limits = rod.limits })
    end
  end
  if scene.disk then
    names[#names + 1] = "d"
    add_disk(add, scene.disk, moved)
  end
  add(contact.pair { "sole", "floor", names, friction = scene.friction,
    restitution = scene.restitution })
  if scene.spring then
    local first = scene.rods[1]
    add(force.spring { "s", "ground", "b1", from = { scene.spring.x, 3 },
      to = { 0.5 * (first.at[1] + first.to[1]), 0.5 * (first.at[2] + first.to[2]) },
      stiffness = scene.spring.stiffness, length = scene.spring.length })
  end
  return sarrus.model(parts), names
end

--- Where everything is at T; or nil, and the message of a CONTACT.
local function run(scene, tolerance, moved, stops)
  local model, names = model_of(scene, moved)
  local sim = assert(model:simulate { tolerance = tolerance })
  for k = 1, stops do
    local early = go(sim, T * k / stops)
    if early then
      return nil, early
    end
    sim = k < stops and k % 7 == 0 and assert(model:restore(sim:save())) or sim
  end
  local at, s = {}, sim:state()
  for _, name in ipairs(names) do
    local b = s:body(name)
    at[#at + 1], at[#at + 2], at[#at + 3] = b.position.x, b.position.y, b.angle
  end
  return at
end

local function apart(a, b)
  local most = 0
  for i = 1, #a do
    most = math.max(most, math.abs(a[i] - b[i]))
  end
  return most
end

function class.case(draw)
  local scene = scene_of(draw)
  local exact, early = run(scene, 1e-13, 0, 1)
  if not exact then
    return 0, early
  end
  local stopped = assert(run(scene, 1e-13, 0, STOPS))
  if apart(exact, stopped) > 0 then
    return math.huge
  end
  local rough, failed = run(scene, 1e-10, 0, 1)
  local moved = run(scene, 1e-13, MOVED, 1)
  if not rough or not moved then
    return 0, failed
  end
  return apart(exact, rough) / (1e-8 + 10 * apart(exact, moved))
end

return class
