--- Robots drawn at random, written as URDF and as MJCF, and their inverse dynamics by the recursion
--- of Newton and Euler from the numbers of the file, for answers that owe nothing to sarrus.
---
--- A robot is a list of links, each on an earlier one or on the base (0): { name, on, mass, centre,
--- rpy (of its inertia), moments, joint = { name, kind, xyz, rpy, axis (of any length), damping, q,
--- rate, acceleration } }.

local space = dofile("spec/random/tools/space.lua")
local add, less, cross, scale = space.add, space.less, space.cross, space.scale

local robots = { space = space }

local IDENTITY = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }

-- Drawing ----------------------------------------------------------------------------------------

local function angles(draw)
  return draw:list(3, -math.pi, math.pi)
end

--- Moments of a box: whatever its sides, a body can have them.
local function moments(draw, mass)
  local a, b, c = draw:between(0.05, 0.4), draw:between(0.05, 0.4), draw:between(0.05, 0.4)
  return { mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12 }
end

local KINDS = { "revolute", "revolute", "continuous", "prismatic", "fixed" }

--- A robot of so many links.
function robots.draw(draw, count, kinds)
  local links = {}
  for i = 1, count do
    local mass = draw:between(0.2, 3)
    local on = draw:chance(0.7) and i - 1 or draw:whole(0, i - 1)
    links[i] = {
      name = "link" .. i, on = on, mass = mass, centre = draw:list(3, -0.3, 0.3),
      rpy = angles(draw), moments = moments(draw, mass),
      joint = {
        name = "joint" .. i, kind = draw:pick(kinds or KINDS), xyz = draw:list(3, -0.5, 0.5),
        rpy = angles(draw), axis = scale(draw:direction(), draw:between(0.3, 3)),
        damping = draw:chance(0.3) and draw:between(0, 2) or 0, q = draw:between(-1, 1),
        rate = draw:between(-2, 2), acceleration = draw:between(-3, 3),
      },
    }
  end
  return links
end

--- Roll, pitch and yaw about fixed axes: rows of the matrix.
function robots.rotation(rpy)
  local m = IDENTITY
  for k = 1, 3 do
    local axis = { 0, 0, 0 }
    axis[k] = 1
    m = space.product(space.rotation(axis, rpy[k]), m)
  end
  return m
end

-- Newton and Euler -------------------------------------------------------------------------------

local BASE = {
  r = IDENTITY, p = { 0, 0, 0 }, w = { 0, 0, 0 }, v = { 0, 0, 0 }, dw = { 0, 0, 0 },
  dv = { 0, 0, 0 },
}

local SLIDES = { prismatic = true }

--- Where a link is, and its velocities and accelerations, from those of what it hangs on.
local function move(link, a)
  local joint = link.joint
  local arm = space.apply(a.r, joint.xyz)
  local r = space.product(a.r, robots.rotation(joint.rpy))
  local unit = scale(joint.axis, 1 / space.norm(joint.axis))
  local u = space.apply(r, unit)
  local moves = joint.kind ~= "fixed"
  local q, rate = moves and joint.q or 0, moves and joint.rate or 0
  local acceleration = moves and joint.acceleration or 0
  local at = { r = r, p = add(a.p, arm), w = a.w, dw = a.dw, u = u }
  if SLIDES[joint.kind] then
    arm = add(arm, u, q)
    at.p = add(a.p, arm)
  end
  at.v = add(a.v, cross(a.w, arm))
  at.dv = add(add(a.dv, cross(a.dw, arm)), cross(a.w, cross(a.w, arm)))
  if SLIDES[joint.kind] then
    at.v = add(at.v, u, rate)
    at.dv = add(add(at.dv, u, acceleration), cross(a.w, u), 2 * rate)
  elseif moves then
    at.r = space.product(a.r, space.product(robots.rotation(joint.rpy), space.rotation(unit, q)))
    at.w = add(a.w, u, rate)
    at.dw = add(add(a.dw, u, acceleration), cross(a.w, u), rate)
  end
  link.at = at
end

--- The inertia of a link in world axes, about its centre.
local function inertia(link)
  local r = space.product(link.at.r, robots.rotation(link.rpy))
  local m = link.moments
  local diagonal = { { m[1], 0, 0 }, { 0, m[2], 0 }, { 0, 0, m[3] } }
  return space.product(space.product(r, diagonal), space.transposed(r))
end

--- The efforts of all moving joints, by name, for their accelerations; `rotors`: inertias along the
--- coordinates.
function robots.efforts(links, gravity, rotors)
  local efforts = {}
  for _, link in ipairs(links) do
    move(link, link.on > 0 and links[link.on].at or BASE)
    local at, i = link.at, inertia(link)
    local arm = space.apply(at.r, link.centre)
    local a = add(add(at.dv, cross(at.dw, arm)), cross(at.w, cross(at.w, arm)))
    link.force = scale(less(a, gravity), link.mass)
    link.moment = add(add(space.apply(i, at.dw), cross(at.w, space.apply(i, at.w))),
      cross(add(at.p, arm), link.force)) -- about the origin
  end
  for k = #links, 1, -1 do
    local link, joint = links[k], links[k].joint
    if link.on > 0 then
      local on = links[link.on]
      on.force, on.moment = add(on.force, link.force), add(on.moment, link.moment)
    end
    if joint.kind ~= "fixed" then
      local along = SLIDES[joint.kind] and space.dot(link.at.u, link.force)
        or space.dot(link.at.u, less(link.moment, cross(link.at.p, link.force)))
      efforts[joint.name] = along + joint.damping * joint.rate
        + (rotors and joint.rotor or 0) * joint.acceleration
    end
  end
  return efforts
end

-- Writing ----------------------------------------------------------------------------------------

local function numbers(list)
  local words = {}
  for i, x in ipairs(list) do
    words[i] = ("%.17g"):format(x)
  end
  return table.concat(words, " ")
end

local function origin(xyz, rpy)
  return ('<origin xyz="%s" rpy="%s"/>'):format(numbers(xyz), numbers(rpy))
end

--- The robot as URDF.
function robots.urdf(links)
  local lines = { '<robot name="drawn">', '<link name="base"/>' }
  for _, link in ipairs(links) do
    local m, joint = link.moments, link.joint
    lines[#lines + 1] = ('<link name="%s"><inertial>%s<mass value="%.17g"/><inertia ixx="%.17g" '
      .. 'iyy="%.17g" izz="%.17g" ixy="0" ixz="0" iyz="0"/></inertial></link>'):format(link.name,
      origin(link.centre, link.rpy), link.mass, m[1], m[2], m[3])
    lines[#lines + 1] = ('<joint name="%s" type="%s">%s<parent link="%s"/><child link="%s"/>'
      .. '<axis xyz="%s"/><limit effort="1" velocity="1"/><dynamics damping="%.17g"/></joint>')
      :format(joint.name, joint.kind, origin(joint.xyz, joint.rpy),
      link.on > 0 and links[link.on].name or "base", link.name, numbers(joint.axis),
      joint.damping)
  end
  lines[#lines + 1] = "</robot>"
  return table.concat(lines, "\n")
end

--- The quaternion of roll, pitch and yaw.
local function quaternion(rpy)
  local q = { 1, 0, 0, 0 }
  for k = 1, 3 do
    local c, s = math.cos(rpy[k] / 2), math.sin(rpy[k] / 2)
    local p = { c, k == 1 and s or 0, k == 2 and s or 0, k == 3 and s or 0 }
    q = { -- p q
      p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4],
      p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
      p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2],
      p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1],
    }
  end
  return q
end

-- The ways to write roll, pitch and yaw in MJCF; angles go by `unit`, the compiler's.
local ORIENTATIONS = {}
ORIENTATIONS[1] = function(rpy)
  return ('quat="%s"'):format(numbers(quaternion(rpy)))
end
ORIENTATIONS[2] = function(rpy, unit)
  return ('euler="%s"'):format(numbers { unit * rpy[3], unit * rpy[2], unit * rpy[1] })
end
ORIENTATIONS[3] = function(rpy)
  local m = robots.rotation(rpy)
  return ('xyaxes="%s"'):format(numbers { 2 * m[1][1], 2 * m[2][1], 2 * m[3][1],
    m[1][2] + m[1][1], m[2][2] + m[2][1], m[3][2] + m[3][1] }) -- y slanted, x too long
end
ORIENTATIONS[4] = function(rpy, unit)
  local q = quaternion(rpy)
  local s = math.sqrt(q[2] * q[2] + q[3] * q[3] + q[4] * q[4])
  local angle = 2 * math.acos(math.max(-1, math.min(1, q[1])))
  if s < 1e-3 then
    return ORIENTATIONS[1](rpy)
  end
  return ('axisangle="%s"'):format(numbers { q[2], q[3], q[4], unit * angle })
end

local MJ_KINDS = { revolute = "hinge", continuous = "hinge", prismatic = "slide" }

--- The robot as MJCF, in the ways that `draw` picks.
function robots.mjcf(links, draw)
  local degrees = draw:chance(0.5)
  local unit = degrees and 180 / math.pi or 1
  local function turn(rpy)
    return draw:pick(ORIENTATIONS)(rpy, unit)
  end
  local function body(link, inner)
    local joint, m = link.joint, link.moments
    local kind = MJ_KINDS[joint.kind]
    joint.rotor = draw:chance(0.3) and draw:between(0, 0.5) or 0
    local head = ('<body name="%s" pos="%s" %s>'):format(link.name, numbers(joint.xyz),
      turn(joint.rpy))
    if draw:chance(0.3) then -- the same place by a frame around it
      head = ('<frame pos="%s" %s><body name="%s">'):format(numbers(joint.xyz), turn(joint.rpy),
        link.name)
    end
    local tail = head:find("<frame") and "</body></frame>" or "</body>"
    return head .. (kind and ('<joint name="%s" type="%s" axis="%s" damping="%.17g" '
      .. 'armature="%.17g"/>'):format(joint.name, kind, numbers(joint.axis), joint.damping,
      joint.rotor) or "") .. ('<inertial pos="%s" %s mass="%.17g" diaginertia="%s"/>'):format(
      numbers(link.centre), turn(link.rpy), link.mass, numbers(m)) .. "\n" .. inner .. tail .. "\n"
  end
  local inner = {}
  for k = #links, 1, -1 do
    local link = links[k]
    inner[link.on] = body(link, inner[k] or "") .. (inner[link.on] or "")
  end
  return ('<mujoco model="drawn"><compiler angle="%s" eulerseq="zyx"/><worldbody>\n%s</worldbody>'
    .. "</mujoco>"):format(degrees and "degree" or "radian", inner[0] or "")
end

-- Files ------------------------------------------------------------------------------------------

--- What `f` makes of a file of that text.
function robots.with_file(text, suffix, f)
  local stem = os.tmpname()
  local path = stem .. suffix
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local results = { pcall(f, path) }
  os.remove(path)
  os.remove(stem)
  if not results[1] then
    error(results[2], 0)
  end
  return results[2]
end

return robots
