--- Closed loops, planar and spatial, released from rest: energy, errors of the constraints, and the
--- balance of Newton and Euler of every body with what the joints report.
local mechanism = dofile("spec/random/tools/mechanism.lua")
local balance = dofile("spec/random/tools/balance.lua")
local space = mechanism.space
local add, scale = space.add, space.scale

local class = { cases = 200, bound = 1e-8 }

--- Joints of a loop with at least one freedom: their freedoms are more than those of a body.
local function draw_kinds(draw, dimension)
  local choice = dimension == 2 and { "revolute", "revolute", "revolute", "prismatic" }
    or { "revolute", "spherical", "universal", "cylindrical", "spherical" }
  local freedom = { revolute = 1, prismatic = 1, universal = 2, cylindrical = 2, spherical = 3 }
  local wanted, kinds, sum = dimension == 2 and 3 or 6, {}, 0
  repeat
    kinds[#kinds + 1] = draw:pick(choice)
    sum = sum + freedom[kinds[#kinds]]
  until sum > wanted + draw:whole(0, 1) and #kinds > 2
  return kinds
end

--- Places round a circle, some way off it.
local function draw_places(draw, dimension, count)
  local places = {}
  for i = 1, count do
    local angle = 2 * math.pi * i / count
    places[i] = mechanism.place(draw, dimension, { math.cos(angle), math.sin(angle), 0 }, 0.4)
  end
  return places
end

--- Bodies from the ground round to the ground; each lies between its joints.
local function draw_loop(draw, dimension)
  local kinds = draw_kinds(draw, dimension)
  local places, bodies, joints = draw_places(draw, dimension, #kinds), {}, {}
  for i = 1, #kinds - 1 do
    local middle = scale(add(places[i], places[i + 1]), 0.5)
    bodies[i] = mechanism.body(draw, dimension, "b" .. i,
      mechanism.place(draw, dimension, middle, 0.2))
  end
  for i, kind in ipairs(kinds) do
    joints[i] = mechanism.joint(draw, dimension, "j" .. i, kind, bodies[i - 1], bodies[i],
      places[i])
  end
  return bodies, joints
end

--- Two more bodies of the plane, hinged to a body, to each other and to the ground: another loop,
--- no other freedom.
local function add_dyad(draw, bodies, joints)
  local places = { mechanism.place(draw, 2, bodies[1].centre, 0.3),
    mechanism.place(draw, 2, { 2, 1.5, 0 }, 0.4), mechanism.place(draw, 2, { 2.5, -0.5, 0 }, 0.4) }
  local chain = { bodies[1] }
  for i = 1, 2 do
    local middle = scale(add(places[i], places[i + 1]), 0.5)
    chain[i + 1] = mechanism.body(draw, 2, "d" .. i, mechanism.place(draw, 2, middle, 0.2))
    bodies[#bodies + 1] = chain[i + 1]
  end
  for i = 1, 3 do
    joints[#joints + 1] = mechanism.joint(draw, 2, "k" .. i, "revolute", chain[i], chain[i + 1],
      places[i])
  end
end

function class.case(draw)
  local dimension = draw:pick { 2, 3 }
  local gravity = { 0, -9.81, 0 }
  local bodies, joints = draw_loop(draw, dimension)
  if dimension == 2 and draw:chance(0.5) then
    add_dyad(draw, bodies, joints)
  end
  local sim = assert(mechanism.model(dimension, gravity, bodies, joints):simulate {})
  local s, before = sim:state(), sim:state():energy().total
  local worst = balance.error(dimension, s, gravity, bodies, joints)
  for _ = 1, 4 do
    assert(sim:advance(sim.time + draw:between(0.3, 1)))
    s = sim:state()
    local energy, residual = s:energy(), s:residual()
    worst = math.max(worst, math.abs(energy.total - before) / math.max(energy.kinetic, 10),
      residual.position, residual.velocity / 10)
    if not s:joint("j1").singular then
      worst = math.max(worst, (balance.error(dimension, s, gravity, bodies, joints)))
    end
  end
  return worst
end

return class
