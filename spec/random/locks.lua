--- Trees, planar and spatial, some joints of which are locked at the start, in motion: the same
--- tree with fixed joints in their places, which starts as the other goes on; energy is kept while
--- joints are locked and after they are let go, and nothing that is saved on the way changes a bit.
local go = dofile("spec/random/tools/advance.lua").to
local mechanism = dofile("spec/random/tools/mechanism.lua")

local class = { cases = 40, bound = 1e-10 }

local KINDS = { [2] = { "revolute", "revolute", "prismatic" },
  [3] = { "revolute", "prismatic", "cylindrical", "spherical" } }
local T = 1

local function draw_tree(draw, dimension)
  local bodies, joints = {}, {}
  for i = 1, draw:whole(1, 4) do
    local a = bodies[draw:whole(0, i - 1)]
    local at = mechanism.place(draw, dimension, a and a.centre or { 0, 0, 0 }, 0.6)
    bodies[i] = mechanism.body(draw, dimension, "b" .. i,
      mechanism.place(draw, dimension, at, 0.6))
    joints[i] = mechanism.joint(draw, dimension, "j" .. i, draw:pick(KINDS[dimension]), a,
      bodies[i], at)
    joints[i].locked = joints[i].kind ~= "spherical" and draw:chance(0.5)
  end
  return bodies, joints
end

--- The joints with fixed ones in place of those that are locked.
local function fixed(joints)
  local list = {}
  for i, joint in ipairs(joints) do
    list[i] = {}
    for key, value in pairs(joint) do
      list[i][key] = value
    end
    list[i].kind = joint.locked and "fixed" or joint.kind
  end
  return list
end

--- The largest difference of places and velocities.
local function difference(dimension, bodies, one, other)
  local worst, a, b = 0, one:state(), other:state()
  for _, body in ipairs(bodies) do
    local p, r = a:point(body.name, dimension == 2 and { 1, 0 } or { 1, 0, 0 }),
      b:point(body.name, dimension == 2 and { 1, 0 } or { 1, 0, 0 })
    local size = 1 + math.abs(p.x) + math.abs(p.y)
    worst = math.max(worst, math.abs(p.x - r.x) / size, math.abs(p.y - r.y) / size,
      dimension == 3 and math.abs(p.z - r.z) / size or 0)
  end
  return worst
end

local function bits(sim)
  local list = {}
  for i, x in ipairs(sim:state().q) do
    list[i] = ("%.17g"):format(x)
  end
  return table.concat(list, " ")
end

--- Energy is kept from here on, relative to what moves.
local function drift(sim, t)
  local before = sim:state():energy()
  go(sim, t)
  local after = sim:state():energy()
  return math.abs(after.total - before.total) / (1 + before.kinetic + after.kinetic)
end

function class.case(draw)
  local dimension = draw:pick { 2, 3 }
  local bodies, joints = draw_tree(draw, dimension)
  for _, body in ipairs(bodies) do -- the joints make what they can of it
    body.velocity = { draw:between(-1, 1), draw:between(-1, 1),
      dimension == 3 and draw:between(-1, 1) or 0 }
    body.spin = dimension == 3 and draw:list(3, -1, 1) or { 0, 0, draw:between(-1, 1) }
  end
  local gravity = { 0, -9.81, 0 }
  local model = mechanism.model(dimension, gravity, bodies, joints)
  local sim = assert(model:simulate { tolerance = 1e-14 })
  local energy = sim:state():energy().total
  for _, joint in ipairs(joints) do
    assert(not joint.locked or sim:lock(joint.name))
  end
  local s, starts = sim:state(), {}
  local worst = math.max(0, s:energy().total - energy)
  for _, body in ipairs(bodies) do
    local at = s:body(body.name)
    starts[body.name] = { velocity = at.velocity, spin = at.spin }
  end
  local other = assert(mechanism.model(dimension, gravity, bodies, fixed(joints)):simulate {
    tolerance = 1e-14, bodies = starts })
  worst = math.max(worst, drift(sim, T))
  go(other, T)
  worst = math.max(worst, difference(dimension, bodies, sim, other))
  local copy = assert(model:restore(sim:save()))
  for _, one in ipairs { sim, copy } do
    for _, joint in ipairs(joints) do
      assert(not joint.locked or one:unlock(joint.name))
    end
    worst = math.max(worst, drift(one, 2 * T))
  end
  assert(bits(sim) == bits(copy), "what was restored goes another way")
  return worst
end

return class
