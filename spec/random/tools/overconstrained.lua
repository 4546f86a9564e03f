--- Closed chains of hinges that move though counting says that they cannot: Bennett, Bricard,
--- Sarrus, parallelograms.
local mechanism = dofile("spec/random/tools/mechanism.lua")
local space = mechanism.space
local add, less, cross, scale = space.add, space.less, space.cross, space.scale

local overconstrained = {}

local X, Z = { 1, 0, 0 }, { 0, 0, 1 }

local function unit(a)
  return scale(a, 1 / space.norm(a))
end

-- Bodies and hinges ------------------------------------------------------------------------------

--- A turn that takes the x axis to a direction: about which axis, by how much.
local function towards(direction)
  local across = cross(X, direction)
  local sine = space.norm(across)
  if sine < 1e-9 then
    return Z, direction[1] > 0 and 0 or math.pi
  end
  return scale(across, 1 / sine), math.acos(math.max(-1, math.min(1, direction[1])))
end

--- A body between two places with these moments about its own axes, the first one along it.
local function link(draw, name, from, to, moments)
  local axis, angle = towards(unit(less(to, from)))
  local mass = draw:between(0.5, 2)
  return {
    name = name, centre = scale(add(from, to), 0.5), mass = mass, axis = axis, angle = angle,
    rotation = space.rotation(axis, angle), velocity = { 0, 0, 0 }, spin = { 0, 0, 0 },
    body_inertia = { { mass * moments[1], 0, 0 }, { 0, mass * moments[2], 0 },
      { 0, 0, mass * moments[3] } },
  }
end

--- A round rod.
local function rod(draw, name, from, to, radius)
  local across = space.dot(less(to, from), less(to, from)) / 12 + radius ^ 2 / 4
  return link(draw, name, from, to, { radius ^ 2 / 2, across, across })
end

--- A rod of a hundredth of its length, or anything else that a body may be.
local function rod_or_block(draw, name, from, to)
  if draw:chance(0.4) then
    return rod(draw, name, from, to, 0.01 * space.norm(less(to, from)))
  end
  local a, b = draw:between(0.2, 1), draw:between(0.2, 1)
  return link(draw, name, from, to, { a, b, draw:between(math.abs(a - b) + 0.05, a + b - 0.05) })
end

local function hinge(name, a, b, at, axis)
  return { name = name, kind = "revolute", a = a, b = b, at = at, axis = axis, effort = 0 }
end

--- A ring of hinges at places, with axes; the last link is the ground.
local function ring(draw, at, axes, body)
  local bodies, joints = {}, {}
  for k = 1, #at - 1 do
    bodies[k] = body(draw, "b" .. k, at[k], at[k + 1])
  end
  for k = 1, #at do
    joints[k] = hinge("j" .. k, bodies[k - 1], bodies[k], at[k], axes[k])
  end
  return bodies, joints
end

-- Linkages ---------------------------------------------------------------------------------------

--- Places and axes from lengths, twists and angles; whether the ring closes.
local function walk(lengths, twists, angles)
  local at, axes, p, z, x = {}, {}, { 0, 0, 0 }, Z, X
  for k = 1, #lengths do
    at[k], axes[k] = p, z
    x = space.apply(space.rotation(z, angles[k]), x)
    p = add(p, x, lengths[k])
    z = space.apply(space.rotation(x, twists[k]), z)
  end
  return at, axes, space.norm(p) + space.norm(less(z, Z)) < 1e-9
end

--- Lengths a, b and twists with a sin(beta) = b sin(alpha); it closes where tan(t1/2) tan(t2/2) =
--- sin((beta + alpha)/2) / sin((beta - alpha)/2), with one sign of t2 or the other.
local function bennett(draw)
  local alpha = draw:between(0.3, 1.2)
  local beta = alpha + draw:between(0.2, 1.4)
  local a = draw:between(0.5, 2)
  local b = a * math.sin(beta) / math.sin(alpha)
  local t1 = draw:between(0.3, 2.8)
  local t2 = 2 * math.atan(math.sin((beta + alpha) / 2)
    / (math.sin((beta - alpha) / 2) * math.tan(t1 / 2)))
  for _, sign in ipairs { 1, -1 } do
    local at, axes, closed = walk({ a, b, a, b }, { alpha, beta, alpha, beta },
      { t1, sign * t2, -t1, -sign * t2 })
    if closed then
      return ring(draw, at, axes, rod_or_block)
    end
  end
  error("a Bennett linkage that does not close")
end

local function place(draw)
  return draw:list(3, -1, 1)
end

--- Three hinges, and again three, turned by half a turn about the z axis.
local function bricard_line(draw)
  local at, axes = {}, {}
  for k = 1, 3 do
    local p, a = place(draw), draw:direction()
    at[k], axes[k] = p, a
    at[k + 3], axes[k + 3] = { -p[1], -p[2], p[3] }, { -a[1], -a[2], a[3] }
  end
  return ring(draw, at, axes, rod_or_block)
end

--- Two hinges whose axes are in the plane z = 0, two beside it, and these two mirrored.
local function bricard_plane(draw)
  local at, axes = {}, {}
  for k = 1, 4, 3 do
    local angle = draw:between(0, 2 * math.pi)
    at[k] = { draw:between(-1, 1), draw:between(-1, 1), 0 }
    axes[k] = { math.cos(angle), math.sin(angle), 0 }
  end
  for k = 2, 3 do
    local p, a = place(draw), draw:direction()
    at[k], axes[k] = p, a
    at[8 - k], axes[8 - k] = { p[1], p[2], -p[3] }, { a[1], a[2], -a[3] }
  end
  return ring(draw, at, axes, rod_or_block)
end

--- Two legs of three parallel hinges each, in planes at an angle: the platform goes straight up.
local function sarrus_of(draw, body)
  local at, axes = {}, {}
  local width, height = draw:between(0.5, 1.5), draw:between(0.3, 1.2)
  local turn = draw:between(0.4, 2.7)
  for leg, angle in ipairs { 0, turn } do
    local out, knee = { math.cos(angle), math.sin(angle), 0 }, draw:between(0.2, 0.8)
    for k = 1, 3 do
      local i = leg == 1 and k or 7 - k
      at[i] = add(scale(out, width + (k == 2 and knee or 0)), Z, (k - 1) * height / 2)
      axes[i] = { -out[2], out[1], 0 }
    end
  end
  return ring(draw, at, axes, body)
end

local function sarrus(draw)
  return sarrus_of(draw, rod_or_block)
end

local function thin_sarrus(draw)
  local radius = 10 ^ draw:between(-4, -1.5)
  return sarrus_of(draw, function(_, name, from, to) return rod(draw, name, from, to, radius) end)
end

--- Two to four equal legs and what they carry, in space.
local function parallelogram(draw)
  local length, width = draw:between(0.5, 1.5), draw:between(0.8, 2)
  local legs, angle = draw:whole(2, 4), draw:between(0.5, 1.5)
  local tip = { length * math.cos(angle), length * math.sin(angle), 0 }
  local top = rod(draw, "top", tip, add(tip, X, width * (legs - 1)), 0.01 * width * (legs - 1))
  local bodies, joints = { top }, {}
  for k = 1, legs do
    local foot = { width * (k - 1), 0, 0 }
    local leg = rod(draw, "leg" .. k, foot, add(foot, tip), 0.01 * length)
    bodies[k + 1] = leg
    joints[2 * k - 1] = hinge("j" .. 2 * k - 1, nil, leg, foot, Z)
    joints[2 * k] = hinge("j" .. 2 * k, leg, top, add(foot, tip), Z)
  end
  return bodies, joints
end

local linkages = { bennett, bricard_line, bricard_plane, sarrus, thin_sarrus, parallelogram }

--- Bodies and joints of a linkage of some kind; the first joint is one with the ground.
function overconstrained.draw(draw)
  return draw:pick(linkages)(draw)
end

return overconstrained
