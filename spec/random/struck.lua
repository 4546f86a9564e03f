--- Spheres, boxes and capsules that rest, roll or slide on a floor, struck by a sphere: momentum
--- and angular momentum by the impulses that are told, Coulomb's cone at both contacts, energy, the
--- same in a scene that is turned about the floor's normal, and what moves in a plane as it does
--- there.  Blows from above on a box are inelastic: others rattle between sphere and floor, ever
--- faster, and which of their contacts bounces the last time (T46) may be a matter of rounding.
local sarrus = require "sarrus"
local body, contact, shape, vec = sarrus.body, sarrus.contact, sarrus.shape, sarrus.vec

-- The error is in units of what is allowed.
local class = { cases = 20, bound = 1 }

local EXACT, GAIN = 1e-12, 1e-14

-- Scenes -----------------------------------------------------------------------------------------

--- Targets answer their height, where they are struck, beside their centre, and the normal there.
local targets = {}

function targets.sphere(draw, scene)
  local n = draw:direction()
  if scene.planar then
    local size = math.sqrt(n[1] * n[1] + n[3] * n[3])
    n = { n[1] / size, 0, n[3] / size }
  end
  scene.radius = draw:between(0.1, 0.5)
  return scene.radius, vec.new(n) * scene.radius, vec.new(n)
end

function targets.box(draw, scene)
  local size = draw:list(3, 0.2, 1)
  local free = scene.planar and 0 or 0.45
  scene.size = size
  if draw:chance(0.3) then
    local p = { draw:between(-0.45, 0.45) * size[1], draw:between(-free, free) * size[2],
      size[3] / 2 }
    return size[3] / 2, vec.new(p), vec.new { 0, 0, 1 }
  end
  local p = { -size[1] / 2, draw:between(-free, free) * size[2],
    draw:between(-0.45, 0.45) * size[3] }
  return size[3] / 2, vec.new(p), vec.new { -1, 0, 0 }
end

function targets.capsule(draw, scene)
  local angle = draw:between(-0.3, 1.5)
  local n = vec.new { -math.cos(angle), 0, math.sin(angle) }
  scene.radius, scene.length = draw:between(0.1, 0.3), draw:between(0.3, 1)
  local along = draw:between(-0.45, 0.45) * scene.length
  return scene.radius, n * scene.radius + vec.new { 0, along, 0 }, n
end

--- How it moves: v, spin.  What rolls does so about an axis that it is round about.
local function motion(draw, scene)
  local kind = draw:pick { "rest", "rest", "roll", "slide" }
  local v = { draw:between(-2, 2), scene.planar and 0 or draw:between(-2, 2), 0 }
  local spin = { 0, 0, scene.planar and 0 or draw:between(-2, 2) }
  if kind == "rest" then
    return { 0, 0, 0 }, { 0, 0, 0 }
  elseif kind == "roll" and scene.radius then
    v[2] = scene.length and 0 or v[2]
    return v, { -v[2] / scene.radius, v[1] / scene.radius, 0 }
  elseif scene.kind == "sphere" then
    spin = scene.planar and { 0, draw:between(-5, 5), 0 } or draw:list(3, -5, 5)
  end
  return v, spin
end

local function coefficient(draw)
  return draw:chance(0.3) and 0 or draw:between(0, 1)
end

local function scene_of(draw)
  local planar = draw:chance(0.3)
  local scene = { planar = planar, kind = draw:pick(planar and { "sphere", "box" }
    or { "sphere", "box", "capsule" }) }
  local height, p, n = targets[scene.kind](draw, scene)
  scene.mass, scene.cue_mass, scene.cue_radius = draw:between(0.5, 2), draw:between(0.2, 2),
    draw:between(0.1, 0.5)
  scene.v, scene.spin = motion(draw, scene)
  scene.at = vec.new { 0, 0, height }
  scene.p, scene.n = scene.at + p, n
  local own = planar and { draw:between(-1, 1), 0, draw:between(-1, 1) } or draw:list(3, -1, 1)
  local point = vec.new(scene.v) + vec.cross(vec.new(scene.spin), p)
  scene.cue_v = point - n * draw:between(1, 3) + (vec.new(own) - n * vec.dot(own, n))
  scene.cue_spin = planar and { 0, draw:between(-5, 5), 0 } or draw:list(3, -5, 5)
  scene.floor, scene.hit = coefficient(draw), coefficient(draw)
  scene.floor_e = draw:chance(0.5) and 0 or draw:between(0, 1)
  scene.hit_e = draw:pick { 0, 1, draw:between(0, 1) }
  if scene.kind == "box" and n[3] == 1 then
    scene.floor_e, scene.hit_e = 0, 0
  end
  return scene
end

-- Simulations ------------------------------------------------------------------------------------

--- A vector of the scene when that is turned by an angle.
local function turned(v, angle)
  local c, s = math.cos(angle), math.sin(angle)
  return { c * v[1] - s * v[2], s * v[1] + c * v[2], v[3] }
end

local function target_of(scene, angle, lift)
  local given = { "target", mass = scene.mass, velocity = turned(scene.v, angle),
    spin = turned(scene.spin, angle), position = { 0, 0, scene.at[3] + lift } }
  if scene.kind == "box" then
    given.size, given.orientation = scene.size, { axis = { 0, 0, 1 }, angle = angle }
    return body.box(given)
  elseif scene.kind == "sphere" then
    given.radius = scene.radius
    return body.sphere(given)
  end
  local half = turned({ 0, scene.length / 2, 0 }, angle)
  given.position, given.radius = nil, scene.radius
  given.from = { -half[1], -half[2], scene.radius + lift }
  given.to = { half[1], half[2], scene.radius + lift }
  return body.rod(given)
end

local function pairs_of(scene)
  return contact.pair { "sole", "floor", "target", friction = scene.floor,
    restitution = scene.floor_e },
    contact.pair { "hit", "cue", "target", friction = scene.hit, restitution = scene.hit_e }
end

--- Lifted by this, the target is apart from the floor, and the cue from the target.
local function in_space(scene, angle, lift)
  local sole, hit = pairs_of(scene)
  lift = lift or 0
  local centre = scene.p + scene.n * scene.cue_radius + vec.new { 0, 0, 2 * lift }
  return sarrus.model { gravity = { 0, 0, 0 }, target_of(scene, angle, lift),
    body.sphere { "cue", position = turned(centre, angle),
      radius = scene.cue_radius, mass = scene.cue_mass, velocity = turned(scene.cue_v, angle),
      spin = turned(scene.cue_spin, angle) },
    shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } }, sole, hit }
end

local function flat(v)
  return { v[1], v[3] }
end

--- A ball of the plane has the inertia of one in space.
local function ball(name, at, radius, mass, v, spin)
  return body.rigid { name, position = flat(at), mass = mass, inertia = 0.4 * mass * radius ^ 2,
    velocity = flat(v), spin = -spin[2] },
    shape.disk { name .. " round", name, at = flat(at), radius = radius }
end

local function in_plane(scene)
  local sole, hit = pairs_of(scene)
  local centre = scene.p + scene.n * scene.cue_radius
  local cue, round = ball("cue", centre, scene.cue_radius, scene.cue_mass, scene.cue_v,
    scene.cue_spin)
  local parts = { gravity = { 0, 0 }, cue, round,
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } } }
  if scene.kind == "box" then
    parts[#parts + 1] = body.box { "target", position = flat(scene.at), size = flat(scene.size),
      mass = scene.mass, velocity = flat(scene.v), spin = -scene.spin[2] }
  else
    parts[#parts + 1], parts[#parts + 2] = ball("target", scene.at, scene.radius, scene.mass,
      scene.v, scene.spin)
  end
  parts[#parts + 1], parts[#parts + 2] = sole, hit
  return sarrus.model(parts)
end

-- What must hold ---------------------------------------------------------------------------------

--- Velocities, spins and impulses after the impact; or why there are none.
local function after(model)
  local sim, message, code = model:simulate()
  if not sim then
    assert(code == "CONTACT", message)
    return nil, message
  end
  local s = sim:state()
  return { s = s, sole = s:contact("sole").impulse, hit = s:contact("hit").impulse,
    energy = s:energy().kinetic }
end

local function moved(a, name)
  local b = a.s:body(name)
  return vec.new { b.velocity.x, b.velocity.y, b.velocity.z },
    vec.new { b.spin.x, b.spin.y, b.spin.z }
end

local function sphere_inertia(mass, radius)
  return 0.4 * mass * radius * radius
end

--- Momentum and cone, in units of EXACT times the momentum there is.
local function balance(scene, a)
  local v, spin = moved(a, "cue")
  local size = scene.cue_mass * vec.norm(scene.cue_v) + scene.mass * vec.norm(scene.v)
    + sphere_inertia(scene.cue_mass, scene.cue_radius) * vec.norm(scene.cue_spin) / scene.cue_radius
  local J = (v - scene.cue_v) * scene.cue_mass -- on the cue
  local worst = math.abs(vec.dot(J, scene.n) - a.hit)
  worst = math.max(worst, vec.norm(J - scene.n * a.hit) - scene.hit * a.hit)
  local lever = scene.n * -scene.cue_radius
  local L = (spin - scene.cue_spin) * sphere_inertia(scene.cue_mass, scene.cue_radius)
  worst = math.max(worst, vec.norm(L - vec.cross(lever, J)) / scene.cue_radius)
  local w, turn = moved(a, "target")
  local F = (w - scene.v) * scene.mass + J -- of the floor
  worst = math.max(worst, math.abs(F[3] - a.sole))
  worst = math.max(worst, vec.norm { F[1], F[2], 0 } - scene.floor * a.sole)
  if scene.kind == "sphere" then
    L = (turn - scene.spin) * sphere_inertia(scene.mass, scene.radius)
    local other = vec.cross(scene.n * scene.radius, J * -1)
      + vec.cross(vec.new { 0, 0, -scene.radius }, F)
    worst = math.max(worst, vec.norm(L - other) / scene.radius)
  end
  return worst / (EXACT * size)
end

local function difference(scene, a, b, angle)
  local worst, fast = math.abs(a.sole - b.sole) + math.abs(a.hit - b.hit), vec.norm(scene.cue_v)
  for _, name in ipairs { "cue", "target" } do
    local v, spin = moved(a, name)
    local w, turn = moved(b, name)
    worst = math.max(worst, vec.norm(w - vec.new(turned(v, angle))))
    worst = math.max(worst, vec.norm(turn - vec.new(turned(spin, angle))) * 0.1)
  end
  return worst / (EXACT * (fast + vec.norm(scene.cue_spin) * scene.cue_radius))
end

local function flat_difference(scene, a, b)
  local worst, fast = math.abs(a.sole - b.sole) + math.abs(a.hit - b.hit), vec.norm(scene.cue_v)
  for _, name in ipairs { "cue", "target" } do
    local v, spin = moved(a, name)
    local w = b.s:body(name)
    worst = math.max(worst, vec.norm { v[1] - w.velocity.x, v[2], v[3] - w.velocity.y })
    worst = math.max(worst, vec.norm { spin[1], spin[2] + w.spin, spin[3] } * 0.1)
  end
  return worst / (EXACT * (fast + vec.norm(scene.cue_spin) * scene.cue_radius))
end

--- The kinetic energy that an impact adds, in units of GAIN times that before it, of bodies apart.
local function gain(scene, a)
  local before = in_space(scene, 0, 10):simulate():state():energy().kinetic
  return (a.energy - before) / (GAIN * before)
end

function class.case(draw)
  local scene, angle = scene_of(draw), draw:between(0, 6)
  local a, message = after(in_space(scene, 0))
  if not a then
    return 0, message
  end
  local worst = math.max(balance(scene, a), gain(scene, a))
  local b = assert(after(in_space(scene, angle)))
  worst = math.max(worst, difference(scene, a, b, angle))
  if scene.planar then
    worst = math.max(worst, flat_difference(scene, a, assert(after(in_plane(scene)))))
  end
  return worst
end

return class
