--- Open chains and trees, planar and spatial, at random rates: accelerations of all bodies and what
--- the joints exert, against the recursion of Newton and Euler.
local mechanism = dofile("spec/random/tools/mechanism.lua")
local space = mechanism.space
local add, less, cross, dot, scale = space.add, space.less, space.cross, space.dot, space.scale

local class = { cases = 200, bound = 1e-10 }

local KINDS = {
  [2] = { "revolute", "revolute", "prismatic", "fixed" },
  [3] = { "revolute", "revolute", "prismatic", "cylindrical", "universal", "spherical", "fixed" },
}

local GROUND = { centre = { 0, 0, 0 }, velocity = { 0, 0, 0 }, spin = { 0, 0, 0 },
  a = { 0, 0, 0 }, alpha = { 0, 0, 0 } }

--- Velocities of B from those of A and the rates of the joint.
local function move(joint)
  local a, b = joint.a or GROUND, joint.b
  local spin = a.spin
  local v = add(a.velocity, cross(a.spin, less(joint.at, a.centre)))
  for _, motion in ipairs(joint.motions) do
    spin = motion.w and add(spin, motion.w, motion.rate) or spin
    v = motion.d and add(v, motion.d, motion.rate) or v
  end
  b.spin = spin
  b.velocity = add(v, cross(spin, less(b.centre, joint.at)))
end

--- Accelerations of B for accelerations of the joint's motions.
local function accelerate(joint, accelerations)
  local a, b = joint.a or GROUND, joint.b
  local arm = less(joint.at, a.centre)
  local alpha = a.alpha
  local at = add(add(a.a, cross(a.alpha, arm)), cross(a.spin, cross(a.spin, arm)))
  for _, motion in ipairs(joint.motions) do
    local acceleration = accelerations[motion] or 0
    if motion.w then -- the axis goes with A, or with B
      alpha = add(add(alpha, motion.w, acceleration),
        cross(motion.of_b and b.spin or a.spin, motion.w), motion.rate)
    else
      at = add(add(at, motion.d, acceleration), cross(a.spin, motion.d), 2 * motion.rate)
    end
  end
  arm = less(b.centre, joint.at)
  b.alpha = alpha
  b.a = add(add(at, cross(alpha, arm)), cross(b.spin, cross(b.spin, arm)))
end

--- Force, and moment about the origin, that the joint must exert on B and all that hangs on it;
--- then along its motions.
local function balance(joint, gravity)
  local b = joint.b
  local force = scale(less(b.a, gravity), b.mass)
  local moment = add(cross(b.centre, force), add(space.apply(b.inertia, b.alpha),
    cross(b.spin, space.apply(b.inertia, b.spin))))
  for _, other in ipairs(joint.outer) do
    force, moment = add(force, other.force), add(moment, other.moment)
  end
  joint.force, joint.moment = force, moment
  joint.torque = less(moment, cross(joint.at, force))
  for _, motion in ipairs(joint.motions) do
    motion.effort = motion.w and dot(motion.w, joint.torque) or dot(motion.d, force)
  end
end

--- Inverse dynamics: the efforts of all motions for given accelerations.
local function inverse(joints, gravity, accelerations)
  for _, joint in ipairs(joints) do
    accelerate(joint, accelerations)
  end
  for i = #joints, 1, -1 do
    balance(joints[i], gravity)
  end
end

--- Forward dynamics by columns of inverse dynamics.
local function solve(joints, gravity)
  local motions, matrix, right = {}, {}, {}
  for _, joint in ipairs(joints) do
    for _, motion in ipairs(joint.motions) do
      motions[#motions + 1] = motion
      right[#motions], matrix[#motions] = joint.effort, {}
    end
  end
  inverse(joints, gravity, {})
  local bias = {}
  for i, motion in ipairs(motions) do
    bias[i] = motion.effort
    right[i] = right[i] - bias[i]
  end
  for j, motion in ipairs(motions) do
    inverse(joints, gravity, { [motion] = 1 })
    for i, other in ipairs(motions) do
      matrix[i][j] = other.effort - bias[i]
    end
  end
  local accelerations = {}
  for i, x in ipairs(space.solve(matrix, right)) do
    accelerations[motions[i]] = x
  end
  inverse(joints, gravity, accelerations)
end

--- A drive, a spring and a damper of the one motion that a joint has.
local function drive(draw, joint)
  local motion, turns = joint.motions[1], joint.kind == "revolute"
  local effort = draw:between(-5, 5)
  local stiffness, damping, rest = draw:between(0, 5), draw:between(0, 2), draw:between(-1, 1)
  joint.given = { [turns and "torque" or "force"] = effort, stiffness = stiffness,
    damping = damping, rest = rest }
  joint.effort = effort + stiffness * rest - damping * motion.rate
end

--- Bodies and joints, each body on an earlier one or the ground.
local function draw_tree(draw, dimension, count)
  local bodies, joints = {}, {}
  for i = 1, count do
    local on = draw:chance(0.7) and i > 1 and i - 1 or draw:whole(0, i - 1)
    local parent = bodies[on]
    local at = mechanism.place(draw, dimension, parent and parent.centre or GROUND.centre, 0.6)
    bodies[i] = mechanism.body(draw, dimension, "b" .. i, mechanism.place(draw, dimension, at, 0.6))
    local kind = draw:pick(KINDS[dimension])
    local joint = mechanism.joint(draw, dimension, "j" .. i, kind, parent, bodies[i], at)
    joint.outer = {}
    for _, motion in ipairs(joint.motions) do
      motion.rate = draw:between(-2, 2)
    end
    if (kind == "revolute" or kind == "prismatic") and draw:chance(0.5) then
      drive(draw, joint)
    end
    move(joint)
    joints[i] = joint
    if on > 0 then
      table.insert(joints[on].outer, joint)
    end
  end
  return bodies, joints
end

function class.case(draw)
  local dimension = draw:pick { 2, 3 }
  local gravity = { draw:between(-3, 3), -9.81, dimension == 3 and draw:between(-3, 3) or 0 }
  local bodies, joints = draw_tree(draw, dimension, draw:whole(1, 6))
  solve(joints, gravity)
  local s = assert(mechanism.model(dimension, gravity, bodies, joints):simulate {}):state()
  local off, size = 0, 1
  local function compare(x, exact)
    off, size = math.max(off, space.norm(less(x, exact))), math.max(size, space.norm(exact))
  end
  for i, body in ipairs(bodies) do
    local a, alpha = mechanism.accelerations(dimension, s, body)
    compare(a, body.a)
    compare(alpha, body.alpha)
    local force, torque = mechanism.reaction(dimension, s, joints[i])
    compare(force, joints[i].force)
    compare(dimension == 2 and { 0, 0, torque[3] } or torque,
      dimension == 2 and { 0, 0, joints[i].torque[3] } or joints[i].torque)
  end
  return off / size
end

return class
