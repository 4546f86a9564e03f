--- The balance of Newton and Euler of every body with what the joints report.
local mechanism = dofile("spec/random/tools/mechanism.lua")
local space = mechanism.space
local add, less, cross, scale = space.add, space.less, space.cross, space.scale

local balance = {}

--- m (a - g) and I alpha + w x I w of a body: what its joints must exert, about its centre.
local function needed(dimension, s, gravity, body)
  local a, alpha, axes = mechanism.accelerations(dimension, s, body)
  local inertia, spin = body.inertia, { 0, 0, 0 }
  if dimension == 3 then
    local turned = space.transposed(axes)
    inertia = space.product(turned, space.product(body.body_inertia, axes))
    spin = space.lift(s:body(body.name).spin)
  end
  return {
    force = scale(less(a, gravity), body.mass), centre = space.lift(s:body(body.name).position),
    torque = add(space.apply(inertia, alpha), cross(spin, space.apply(inertia, spin))),
  }
end

--- For each body, what its joints must exert.
function balance.needed(dimension, s, gravity, bodies)
  local all = {}
  for _, body in ipairs(bodies) do
    all[body] = needed(dimension, s, gravity, body)
  end
  return all
end

local function take(rest, force, torque, at, sign)
  if rest then
    rest.force = add(rest.force, force, -sign)
    rest.torque = add(rest.torque, add(torque, cross(less(at, rest.centre), force)), -sign)
  end
end

--- What is missing for each body, relative to the largest force or torque of a joint, or 1; and
--- this.
function balance.error(dimension, s, gravity, bodies, joints)
  local rest, size, worst = balance.needed(dimension, s, gravity, bodies), 1, 0
  for _, joint in ipairs(joints) do
    local force, torque, at = mechanism.reaction(dimension, s, joint)
    take(joint.b and rest[joint.b], force, torque, at, 1)
    take(joint.a and rest[joint.a], force, torque, at, -1)
    size = math.max(size, space.norm(force), space.norm(torque))
  end
  for _, body in ipairs(bodies) do
    local torque = rest[body].torque
    torque = dimension == 2 and { 0, 0, torque[3] } or torque
    worst = math.max(worst, space.norm(rest[body].force), space.norm(torque))
  end
  return worst / size, size
end

return balance
