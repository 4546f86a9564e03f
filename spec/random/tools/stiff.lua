--- Random mechanisms with something fast in them, in any units: chains and loops of the plane and
--- of the space, planar ones in space too, whose loops are redundant there; springs, dampers,
--- bushings, torsion, joint springs, gains and a script's own forces, whose rates go from those of
--- the motion to 1e5 times as much, damped so that what is fast dies.
local sarrus = require "sarrus"
local mechanism = dofile("spec/random/tools/mechanism.lua")
local force, joint, body = sarrus.force, sarrus.joint, sarrus.body
local space = mechanism.space

local stiff = {}

-- Bodies and joints ------------------------------------------------------------------------------

local KINDS = {
  [2] = { "revolute", "revolute", "revolute", "prismatic" },
  [3] = { "revolute", "revolute", "spherical", "universal", "cylindrical", "prismatic" },
}
local LOOP_KINDS = {
  [2] = { "revolute", "revolute", "revolute", "prismatic" },
  [3] = { "revolute", "spherical", "universal", "cylindrical", "spherical" },
}
local FREEDOMS = { revolute = 1, prismatic = 1, universal = 2, cylindrical = 2, spherical = 3 }

local function place_between(draw, d, a, b)
  return mechanism.place(draw, d, space.scale(space.add(a, b), 0.5), 0.2)
end

--- Hanging from the ground, each from the one before it or any earlier one.
local function draw_tree(draw, p)
  local d = p.dimension
  for i = 1, draw:whole(1, 4) do
    local a = p.bodies[draw:whole(math.max(0, i - 2), i - 1)]
    local at = mechanism.place(draw, d, a and a.centre or { 0, 0, 0 }, 0.6)
    p.bodies[i] = mechanism.body(draw, d, "b" .. i, mechanism.place(draw, d, at, 0.6))
    p.joints[i] = mechanism.joint(draw, d, "j" .. i, draw:pick(KINDS[d]), a, p.bodies[i], at)
  end
end

--- From the ground round to the ground.
local function draw_loop(draw, p)
  local d, kinds, sum, places = p.dimension, {}, 0, {}
  repeat
    kinds[#kinds + 1] = draw:pick(LOOP_KINDS[d])
    sum = sum + FREEDOMS[kinds[#kinds]]
  until sum > (d == 2 and 3 or 6) and #kinds > 2
  for i = 1, #kinds do
    local angle = 2 * math.pi * i / #kinds
    places[i] = mechanism.place(draw, d, { math.cos(angle), math.sin(angle), 0 }, 0.3)
  end
  for i = 1, #kinds - 1 do
    p.bodies[i] = mechanism.body(draw, d, "b" .. i, place_between(draw, d, places[i],
      places[i + 1]))
  end
  for i, kind in ipairs(kinds) do
    p.joints[i] = mechanism.joint(draw, d, "j" .. i, kind, p.bodies[i - 1], p.bodies[i], places[i])
  end
end

-- What is stiff ----------------------------------------------------------------------------------

--- Stiffness and damping of a rate w and a damping ratio, for a mass (or an inertia).
local function draw_rate(draw, p, mass)
  local w = 10 ^ draw:between(p.slow, p.fast)
  p.fastest = math.max(p.fastest, w)
  return { k = mass * w * w, c = 2 * draw:between(0.3, 2) * mass * w,
    sway = draw:chance(0.2) and draw:between(0.1, 0.4) or nil }
end

local function draw_line(draw, p, kind)
  local d = p.dimension
  local b = draw:pick(p.bodies)
  local a = draw:pick(p.bodies)
  a = a ~= b and a or nil
  local from = mechanism.place(draw, d, a and a.centre or { 0, 1.5, 0 }, 0.3)
  local to = mechanism.place(draw, d, b.centre, 0.3)
  local one = draw_rate(draw, p, 0.5 * b.mass)
  one.kind, one.a, one.b, one.from, one.to = kind, a, b, from, to
  p.forces[#p.forces + 1] = one
end

local elements = {}

function elements.spring(draw, p) draw_line(draw, p, "spring") end
function elements.damper(draw, p) draw_line(draw, p, "damper") end
function elements.own(draw, p) draw_line(draw, p, "own") end
function elements.potential(draw, p) draw_line(draw, p, "potential") end

--- In the place of a joint, or beside what holds a body.
function elements.bushing(draw, p)
  if #p.joints == 0 then
    return
  end
  local old = table.remove(p.joints, draw:whole(1, #p.joints))
  local one = draw_rate(draw, p, (old.b or old.a).mass)
  one.kind, one.a, one.b, one.at = "bushing", old.a, old.b, old.at
  one.each = draw:chance(0.3) and draw:list(3, 0.3, 1) or nil
  p.forces[#p.forces + 1] = one
end

local function draw_along(draw, p, field)
  local list = {}
  for _, one in ipairs(p.joints) do
    if one.kind == "revolute" or one.kind == "prismatic" then
      list[#list + 1] = one
    end
  end
  if #list > 0 then
    draw:pick(list)[field] = draw_rate(draw, p, 0.3)
  end
end

function elements.sprung(draw, p) draw_along(draw, p, "spring") end
function elements.gain(draw, p) draw_along(draw, p, "gain") end

function elements.torsion(draw, p)
  local one = draw_rate(draw, p, 0.2)
  local list = {}
  for _, j in ipairs(p.joints) do
    list[#list + 1] = j.kind == "revolute" and j.b and j or nil
  end
  if #list > 0 then
    local j = draw:pick(list)
    one.kind, one.a, one.b, one.axis = "torsion", j.a, j.b, j.axis
    p.forces[#p.forces + 1] = one
  end
end

local NAMES = { "spring", "spring", "damper", "bushing", "sprung", "gain", "torsion", "own",
  "potential" }

--- A problem, with rates from 10^slow to 10^fast per second.
function stiff.draw(draw, slow, fast)
  local p = { bodies = {}, joints = {}, forces = {}, dimension = draw:pick { 2, 3 }, slow = slow,
    fast = fast, fastest = 0, time = 1, stiff = {} }
  p.loop = draw:chance(0.5);
  (p.loop and draw_loop or draw_tree)(draw, p)
  p.built = p.dimension == 2 and draw:chance(0.3) and 3 or p.dimension
  for i = 1, draw:whole(1, 3) do
    p.stiff[i] = draw:pick(NAMES)
    elements[p.stiff[i]](draw, p)
  end
  for _, one in ipairs(p.bodies) do -- the joints make what they can of it
    one.velocity = { draw:between(-1, 1), draw:between(-1, 1),
      p.built == 3 and p.dimension == 3 and draw:between(-1, 1) or 0 }
    one.spin = p.dimension == 3 and draw:list(3, -1, 1) or { 0, 0, draw:between(-1, 1) }
  end
  return p
end

-- Models -----------------------------------------------------------------------------------------

--- What follows from a length, a time and a mass.
function stiff.units(length, time, mass)
  return { length = length, time = time, mass = mass, acceleration = length / time ^ 2,
    force = mass * length / time ^ 2, torque = mass * length ^ 2 / time ^ 2,
    stiffness = mass / time ^ 2, damping = mass / time, turn_damping = mass * length ^ 2 / time,
    inertia = mass * length ^ 2, speed = length / time, spin = 1 / time }
end

local function scaled(p, a, factor)
  local list = {}
  for i = 1, p.built do
    list[i] = a[i] * factor
  end
  return list
end

local function body_part(p, one, u)
  local i = one.body_inertia
  return body.rigid { one.name, mass = one.mass * u.mass,
    position = scaled(p, one.centre, u.length),
    inertia = p.built == 2 and i[3][3] * u.inertia
      or { i[1][1] * u.inertia, i[2][2] * u.inertia, i[3][3] * u.inertia },
    angle = p.built == 2 and one.angle or nil,
    orientation = p.built == 3 and { axis = one.axis, angle = one.angle } or nil,
    velocity = scaled(p, one.velocity, u.speed),
    spin = p.built == 2 and one.spin[3] * u.spin or scaled(p, one.spin, u.spin) }
end

local function name(of)
  return of and of.name or "ground"
end

--- A number, or one that sways with time.
local function swaying(one, value, u)
  return one.sway and value * (1 + one.sway * sarrus.sin(2 / u.time * sarrus.time)) or value
end

local function joint_part(p, one, u)
  local given = { one.name, name(one.a), name(one.b), at = scaled(p, one.at, u.length) }
  local turns = one.kind == "revolute"
  local k, c = turns and u.torque or u.stiffness, turns and u.turn_damping or u.damping
  if one.kind == "universal" then
    given.axes = one.axes
  elseif one.kind == "prismatic" or (p.built == 3 and one.kind ~= "spherical") then
    given.axis = scaled(p, one.axis, 1)
  end
  if one.spring then
    given.stiffness, given.damping = one.spring.k * k, one.spring.c * c
    given.rest = (one.spring.sway or 0) * (turns and 1 or u.length)
  end
  if one.gain then
    local g = one.gain
    given[turns and "torque" or "force"] = function(x, rate, t)
      local aim = (g.sway or 0) * (turns and 1 or u.length) * sarrus.sin(3 / u.time * t)
      return -g.k * k * (x - aim) - g.c * c * rate
    end
  end
  return joint[one.kind](given)
end

local parts = {}

local function line_fields(p, one, u, n)
  return { "f" .. n, name(one.a), name(one.b), from = scaled(p, one.from, u.length),
    to = scaled(p, one.to, u.length) }
end

function parts.spring(p, one, u, n)
  local given = line_fields(p, one, u, n)
  given.stiffness = swaying(one, one.k * u.stiffness, u)
  given.damping = one.c * u.damping
  return force.spring(given)
end

function parts.damper(p, one, u, n)
  local given = line_fields(p, one, u, n)
  given.damping = swaying(one, one.c * u.damping, u)
  return force.damper(given)
end

function parts.bushing(p, one, u, n)
  local k, c = one.k * u.stiffness, one.c * u.damping
  return force.bushing { "f" .. n, name(one.a), name(one.b), at = scaled(p, one.at, u.length),
    stiffness = one.each and scaled(p, one.each, k) or swaying(one, k, u),
    damping = one.each and scaled(p, one.each, c) or c }
end

function parts.torsion(p, one, u, n)
  return force.torsion { "f" .. n, name(one.a), name(one.b), stiffness = one.k * u.torque,
    damping = one.c * u.turn_damping, rest = one.sway or 0,
    axis = p.built == 3 and one.axis or nil }
end

--- A script's own: pulls a body to the place where it was, k x + k x^3 / 4, and damps it.
function parts.own(p, one, u, n)
  local at, k = scaled(p, one.b.centre, u.length), one.k * u.stiffness
  return force.custom { "f" .. n, { name(one.b) }, force = function(b)
    local x, v, f = b:point(), b:velocity(), {}
    local square = 0
    for i = 1, p.built do
      square = square + ((x[i] - at[i]) / u.length) ^ 2
    end
    for i = 1, p.built do
      f[i] = -k * (1 + square / 4) * (x[i] - at[i]) - one.c * u.damping * v[i]
    end
    return { { force = f } }
  end }
end

--- A valley along an axis, and a damper that stands in it.
function parts.potential(p, one, u, n)
  local at, k = scaled(p, one.b.centre, u.length), one.k * u.stiffness
  return { force.custom { "f" .. n, { name(one.b) }, potential = function(b)
    local x = b:point()
    return k / 2 * (x[1] - at[1]) ^ 2 * (1 + ((x[2] - at[2]) / u.length) ^ 2)
  end },
  force.drag { "d" .. n, name(one.b), linear = one.c * u.damping } }
end

function stiff.model(p, u)
  local list = { gravity = scaled(p, { 0, -9.81, 0 }, u.acceleration) }
  for _, one in ipairs(p.bodies) do
    list[#list + 1] = body_part(p, one, u)
  end
  for _, one in ipairs(p.joints) do
    list[#list + 1] = joint_part(p, one, u)
  end
  for n, one in ipairs(p.forces) do
    list[#list + 1] = parts[one.kind](p, one, u, n)
  end
  return sarrus.model(list)
end

-- Runs -------------------------------------------------------------------------------------------

local function append(list, x, unit)
  for _, value in ipairs(type(x) == "number" and { x } or { x[1], x[2], x[3] }) do
    list[#list + 1] = value / unit
  end
end

--- Places, velocities and reactions at a state, without units.
function stiff.read(p, s, u)
  local places, rates, reactions = {}, {}, {}
  for _, one in ipairs(p.bodies) do
    local b = s:body(one.name)
    append(places, b.position, u.length)
    append(places, p.built == 2 and b.angle or s:point(one.name, { u.length, 0, 0 }),
      p.built == 2 and 1 or u.length)
    append(rates, b.velocity, u.speed)
    append(rates, b.spin, u.spin)
  end
  for _, one in ipairs(p.joints) do -- those that redundant rows leave open are not compared
    local j = s:joint(one.name)
    append(reactions, j.unique and j.force or { 0, 0, p.built == 3 and 0 or nil }, u.force)
    append(reactions, j.unique and j.torque or p.built == 2 and 0 or { 0, 0, 0 }, u.torque)
  end
  return { places, rates, reactions }
end

--- States at times; or nil, message, code, with the simulation.
function stiff.run(p, u, times, options)
  local model = stiff.model(p, u)
  local sim, message, code = model:simulate(options)
  if not sim then
    return nil, message, code
  end
  local list = {}
  for i, t in ipairs(times) do
    local good, why, how = sim:advance(t * u.time)
    if not good then
      return nil, why, how, sim
    end
    list[i] = stiff.read(p, sim:state(), u)
  end
  return list, nil, nil, sim
end

--- Whether it passed next to a singular configuration, where nothing is exact.
function stiff.singular(sim)
  for _, warning in ipairs(sim:warnings()) do
    if warning.code == "nearly_singular" then
      return true
    end
  end
  return false
end

--- The largest differences of places, rates and reactions, relative to the largest of a kind in
--- `exact`, at least 1 (reactions: of all).
function stiff.differences(found, exact)
  local off = { 0, 0, 0 }
  for kind = 1, 3 do
    local size = kind < 3 and 1 or 1e-3
    for i = 1, #exact do
      for j, x in ipairs(exact[i][kind]) do
        size = math.max(size, math.abs(x))
        off[kind] = math.max(off[kind], math.abs(found[i][kind][j] - x))
      end
    end
    off[kind] = off[kind] / size
  end
  return off
end

--- What places, rates and reactions may be off by: 100 and 1000 tolerances; reactions converge with
--- the order of the stages.  Rounding of a stiff force moves what is slow by 3e-17 w^2, w the
--- fastest
--- rate (a bushing of 2e8 N/m: series of 10,000 steps, in other units, differ by 2e-9).
function stiff.allowed(p, tolerance)
  local stages = tolerance >= 1e-7 and 5 or tolerance >= 1e-11 and 7 or 9
  local rounding = 3e-17 * p.fastest ^ 2
  return { 100 * tolerance + rounding, 1000 * tolerance + 10 * rounding,
    100 * tolerance ^ (stages / (stages + 2)) + 10 * rounding }
end

return stiff
