--- Robots for the specs, as texts of files, from published numbers.

local robots = {}

local function number(x)
  return ("%.17g"):format(x)
end

local function triple(x, y, z)
  return number(x) .. " " .. number(y) .. " " .. number(z)
end

-- Links ------------------------------------------------------------------------------------------

local function inertial(mass, at, moments)
  return ('<inertial><origin xyz="%s"/><mass value="%s"/><inertia ixx="%s" iyy="%s" izz="%s" '
    .. 'ixy="0" ixz="0" iyz="0"/></inertial>'):format(triple(at[1], at[2], at[3]), number(mass),
    number(moments[1]), number(moments[2]), number(moments[3]))
end

--- A link that is a round bar along z from its origin, of that length.
local function bar(name, mass, length, radius)
  local across = mass * (3 * radius * radius + length * length) / 12
  return ('<link name="%s">%s<visual><origin xyz="0 0 %s"/><geometry><cylinder radius="%s" '
    .. 'length="%s"/></geometry></visual></link>'):format(name,
    inertial(mass, { 0, 0, length / 2 }, { across, across, mass * radius * radius / 2 }),
    number(length / 2), number(radius), number(math.abs(length)))
end

--- A link that is a round plate about its origin.
local function plate(name, mass, radius, thickness)
  local across = mass * (3 * radius * radius + thickness * thickness) / 12
  return ('<link name="%s">%s<visual><geometry><cylinder radius="%s" length="%s"/></geometry>'
    .. "</visual></link>"):format(name,
    inertial(mass, { 0, 0, 0 }, { across, across, mass * radius * radius / 2 }), number(radius),
    number(thickness))
end

local function joint(name, kind, parent, child, xyz, rpy, axis, more)
  return ('<joint name="%s" type="%s"><origin xyz="%s" rpy="%s"/><parent link="%s"/><child '
    .. 'link="%s"/>%s%s</joint>'):format(name, kind, triple(xyz[1], xyz[2], xyz[3]),
    triple(rpy[1], rpy[2], rpy[3]), parent, child,
    axis and ('<axis xyz="%s"/>'):format(triple(axis[1], axis[2], axis[3])) or "", more or "")
end

local ENDLESS = '<limit effort="100" velocity="10"/>'

local function robot(name, lines)
  return ('<?xml version="1.0"?>\n<robot name="%s">\n%s\n</robot>\n'):format(name,
    table.concat(lines, "\n"))
end

-- A six-axis arm ---------------------------------------------------------------------------------

-- Universal Robots, "DH Parameters for calculations of kinematics and dynamics": a UR5's lengths
-- (m), masses (kg) and centres of mass; links as bars of 4 to 6 cm.
local UR5 = {
  { "shoulder", mass = 3.7, xyz = { 0, 0, 0.089159 }, rpy = { 0, 0, 0 }, axis = { 0, 0, 1 },
    centre = { 0, 0.02561, -0.00193 }, moments = { 0.010267, 0.010267, 0.00666 } },
  { "upper_arm", mass = 8.393, xyz = { 0, 0.13585, 0 }, rpy = { 0, math.pi / 2, 0 },
    axis = { 0, 1, 0 }, centre = { 0, -0.0242, 0.2125 }, moments = { 0.22689, 0.22689, 0.0151 } },
  { "forearm", mass = 2.33, xyz = { 0, -0.1197, 0.425 }, rpy = { 0, 0, 0 }, axis = { 0, 1, 0 },
    centre = { 0, 0.0265, 0.11993 }, moments = { 0.049443, 0.049443, 0.004095 } },
  { "wrist_1", mass = 1.219, xyz = { 0, 0, 0.39225 }, rpy = { 0, math.pi / 2, 0 },
    axis = { 0, 1, 0 }, centre = { 0, 0.110949, 0.01634 },
    moments = { 0.111172, 0.111172, 0.21942 } },
  { "wrist_2", mass = 1.219, xyz = { 0, 0.093, 0 }, rpy = { 0, 0, 0 }, axis = { 0, 0, 1 },
    centre = { 0, 0.0018, 0.11099 }, moments = { 0.111172, 0.111172, 0.21942 } },
  { "wrist_3", mass = 0.1879, xyz = { 0, 0, 0.09465 }, rpy = { 0, 0, 0 }, axis = { 0, 1, 0 },
    centre = { 0, 0.0617, 0.001159 }, moments = { 0.0171364, 0.0171364, 0.033822 } },
}

--- The arm on its base, with a tool that is fixed over two frames; `numbers` are those above.
function robots.arm()
  local lines, on = { plate("base", 4, 0.0745, 0.05) }, "base"
  for i, link in ipairs(UR5) do
    lines[#lines + 1] = ('<link name="%s">%s<visual><origin xyz="%s"/><geometry><sphere '
      .. 'radius="0.06"/></geometry></visual></link>'):format(link[1],
      inertial(link.mass, link.centre, link.moments),
      triple(link.centre[1], link.centre[2], link.centre[3]))
    lines[#lines + 1] = joint("joint" .. i, "revolute", on, link[1], link.xyz, link.rpy, link.axis,
      '<limit lower="-6.283" upper="6.283" effort="150" velocity="3.15"/>')
    on = link[1]
  end
  lines[#lines + 1] = '<link name="flange"/>'
  lines[#lines + 1] = joint("flange_joint", "fixed", "wrist_3", "flange", { 0, 0.0823, 0 },
    { 0, 0, math.pi / 2 })
  lines[#lines + 1] = ('<link name="tool">%s</link>'):format(
    inertial(0.8, { 0.05, 0, 0.01 }, { 0.001, 0.002, 0.0022 }))
  lines[#lines + 1] = joint("tool_joint", "fixed", "flange", "tool", { 0.02, 0, 0 },
    { 0.3, -0.2, 0.1 })
  return robot("arm", lines)
end
robots.UR5 = UR5

-- Parallel robots --------------------------------------------------------------------------------

local function turned(angle, x, y)
  return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
end

-- A Delta of the size of ABB's IRB 360: radii of base and platform, arms and rods (m).
local DELTA = { base = 0.2, platform = 0.045, arm = 0.35, rod = 0.8, apart = 0.05 }

--- Three arms that turn, each with two rods that swing by two hinges, and a platform that floats;
--- and the loops that tie it to the rods.
function robots.delta()
  local d, lines, loops = DELTA, { plate("base", 10, DELTA.base, 0.04) }, {}
  local out = d.base + d.arm - d.platform
  local drop = math.sqrt(d.rod ^ 2 - out ^ 2)
  local tilt = math.atan(out / drop)
  lines[#lines + 1] = plate("platform", 0.6, 0.06, 0.01)
  lines[#lines + 1] = joint("flight", "floating", "base", "platform", { 0, 0, -drop }, { 0, 0, 0 })
  for i = 1, 3 do
    local angle, arm = 2 * math.pi * (i - 1) / 3, "arm" .. i
    local x, y = turned(angle, d.base, 0)
    lines[#lines + 1] = bar(arm, 1.2, d.arm, 0.02)
    lines[#lines + 1] = joint("shoulder" .. i, "continuous", "base", arm, { x, y, 0 },
      { 0, math.pi / 2, angle }, { 0, 1, 0 }, '<dynamics damping="0.5"/>')
    for side = -1, 1, 2 do
      local name = ("rod%d%s"):format(i, side < 0 and "a" or "b")
      lines[#lines + 1] = ('<link name="%s_fork"/>'):format(name)
      lines[#lines + 1] = bar(name, 0.15, d.rod, 0.006)
      lines[#lines + 1] = joint(name .. "_swing", "continuous", arm, name .. "_fork",
        { 0, side * d.apart, d.arm }, { 0, math.pi / 2 + tilt, 0 }, { 0, 1, 0 })
      lines[#lines + 1] = joint(name .. "_sway", "continuous", name .. "_fork", name, { 0, 0, 0 },
        { 0, 0, 0 }, { 1, 0, 0 })
      local px, py = turned(angle, d.platform, side * d.apart)
      loops[#loops + 1] = { "ball" .. name:sub(4), name, "platform",
        at = { a = { 0, 0, d.rod }, b = { px, py, 0 } } }
    end
  end
  return robot("delta", lines), loops
end

-- Stewart's platform as in Merlet's and others' examples: joints in pairs on two circles (m).
local STEWART = { base = 1, platform = 0.6, apart = 0.25, height = 1.2 }

--- Six legs that swing by two hinges and stretch, and a platform that floats.
function robots.stewart()
  local d, lines, loops = STEWART, { plate("base", 100, STEWART.base, 0.05) }, {}
  lines[#lines + 1] = plate("platform", 20, d.platform, 0.04)
  lines[#lines + 1] = joint("flight", "floating", "base", "platform", { 0, 0, d.height },
    { 0, 0, 0 })
  for i = 1, 6 do
    local pair = math.floor((i - 1) / 2)
    local side = i % 2 == 1 and -1 or 1
    local below = 2 * math.pi * pair / 3 + side * d.apart
    local above = 2 * math.pi * pair / 3 + side * (math.pi / 3 - d.apart)
    local bx, by = turned(below, d.base, 0)
    local px, py = turned(above, d.platform, 0)
    local x, y, z = px - bx, py - by, d.height
    local length = math.sqrt(x * x + y * y + z * z)
    local leg = "leg" .. i
    lines[#lines + 1] = ('<link name="%s_fork"/>'):format(leg)
    lines[#lines + 1] = bar(leg .. "_tube", 3, 0.5 * length, 0.03)
    lines[#lines + 1] = bar(leg .. "_rod", 1, -0.6 * length, 0.02)
    -- z of the tube points along the leg: about y by the pitch, about x by the roll
    local roll, pitch = -math.asin(y / length), math.atan(x / z)
    lines[#lines + 1] = joint(leg .. "_pitch", "continuous", "base", leg .. "_fork", { bx, by, 0 },
      { 0, pitch, 0 }, { 0, 1, 0 })
    lines[#lines + 1] = joint(leg .. "_roll", "continuous", leg .. "_fork", leg .. "_tube",
      { 0, 0, 0 }, { roll, 0, 0 }, { 1, 0, 0 })
    lines[#lines + 1] = joint(leg, "prismatic", leg .. "_tube", leg .. "_rod", { 0, 0, length },
      { 0, 0, 0 }, { 0, 0, 1 }, '<limit lower="-0.4" upper="0.4" effort="1" velocity="1"/>'
      .. '<dynamics damping="200"/>')
    loops[#loops + 1] = { "ball" .. i, leg .. "_rod", "platform",
      at = { a = { 0, 0, 0 }, b = { px, py, 0 } } }
  end
  return robot("stewart", lines), loops
end

-- Legs -------------------------------------------------------------------------------------------

--- A robot with legs of so many links: `legs` times hip, thigh, shin and foot with fixed frames.
function robots.legged(legs)
  local lines = { plate("body", 20, 0.4, 0.15) }
  for i = 1, legs do
    local angle = 2 * math.pi * (i - 1) / legs
    local x, y = turned(angle, 0.4, 0)
    local on = "body"
    for k, name in ipairs { "hip", "thigh", "shin", "foot", "toe" } do
      local own = ("%s%d"):format(name, i)
      lines[#lines + 1] = bar(own, 1 / k, -0.1 * k, 0.02)
      lines[#lines + 1] = joint(own .. "_joint", k == 5 and "fixed" or "revolute", on, own,
        k == 1 and { x, y, 0 } or { 0, 0, -0.1 * (k - 1) }, { 0, 0, k == 1 and angle or 0 },
        { k == 1 and 1 or 0, k == 1 and 0 or 1, 0 }, ENDLESS)
      on = own
    end
  end
  return robot("legged", lines)
end

-- A walker on springs after Agility Robotics' Cassie: lengths (m), masses (kg), and the stiffness
-- of the leaf springs in shin and heel (N m / rad), as published with its model.
local function leg(side, y)
  return ([[
    <body name="SIDE_hip" pos="0.021 Y 0">
      <inertial pos="0 0 -0.05" mass="1.82" diaginertia="0.0034 0.0039 0.0028"/>
      <joint name="SIDE_hip_roll" axis="1 0 0" range="-15 22.5" damping="1" armature="0.038"/>
      <body name="SIDE_thigh" pos="0 0 -0.09">
        <inertial pos="0.05 0 -0.06" mass="5.52" diaginertia="0.026 0.062 0.049"/>
        <joint name="SIDE_hip_pitch" axis="0 -1 0" range="-50 80" damping="1" armature="0.09"/>
        <body name="SIDE_achilles" pos="0 0 0.045" euler="0 0 0">
          <joint name="SIDE_achilles" type="ball"/>
          <inertial pos="0.2472 0 0" mass="0.1567" diaginertia="0.00038 0.0045 0.0045"/>
          <geom type="capsule" fromto="0 0 0 0.5012 0 0" size="0.008" density="0"/>
        </body>
        <body name="SIDE_knee" pos="0.12 0 0">
          <inertial pos="0.03 0 -0.02" mass="0.7578" diaginertia="0.0011 0.0022 0.0015"/>
          <joint name="SIDE_knee" axis="0 -1 0" damping="1" armature="0.09"/>
          <body name="SIDE_shin" pos="0.0607 0 -0.0474">
            <inertial pos="0.185 0 0.01" mass="0.577" diaginertia="0.0004 0.035 0.035"/>
            <joint name="SIDE_shin" axis="0 -1 0" stiffness="1500" damping="0.1"/>
            <geom type="capsule" fromto="0 0 0 0.4348 0 -0.02" size="0.02" density="0"/>
            <body name="SIDE_tarsus" pos="0.4348 0 -0.02" euler="0 60 0">
              <inertial pos="0.12 0 0" mass="0.782" diaginertia="0.0002 0.017 0.017"/>
              <joint name="SIDE_tarsus" axis="0 -1 0" damping="0.1"/>
              <geom type="capsule" fromto="0 0 0 0.408 0 0" size="0.018" density="0"/>
              <body name="SIDE_heel" pos="-0.0127 0 0.0306">
                <inertial pos="0.05 0 0" mass="0.126" diaginertia="0.0001 0.0002 0.0002"/>
                <joint name="SIDE_heel" axis="0 -1 0" stiffness="1250"/>
              </body>
              <body name="SIDE_crank" pos="0.058 0 0.034">
                <inertial pos="0.006 0 0" mass="0.1186" diaginertia="0.0001 0.0001 0.0001"/>
                <joint name="SIDE_crank" axis="0 -1 0" damping="1" armature="0.0126"/>
                <body name="SIDE_plantar" pos="0.055 0 0">
                  <inertial pos="0.178 0 0" mass="0.1186" diaginertia="0.00001 0.001 0.001"/>
                  <joint name="SIDE_plantar" axis="0 -1 0"/>
                  <geom type="capsule" fromto="0 0 0 0.3501 0 0" size="0.005" density="0"/>
                </body>
              </body>
              <body name="SIDE_foot" pos="0.408 0 0.04">
                <inertial pos="0.005 0 -0.06" mass="0.1498" diaginertia="0.0005 0.0007 0.0003"/>
                <joint name="SIDE_foot" axis="0 -1 0" damping="0.1"/>
                <geom type="capsule" fromto="0 0 -0.09 0.08 0 -0.05" size="0.02" density="0"/>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>]]):gsub("SIDE", side):gsub("Y", number(y))
end

--- The walker, held at its pelvis; `held` false lets it go.
function robots.walker(held)
  return ([[
<mujoco model="walker">
  <compiler angle="degree"/>
  <worldbody>
    <body name="pelvis" pos="0 0 1">%s
      <inertial pos="0.0507 0 0.0284" mass="10.33" diaginertia="0.0858 0.0492 0.0863"/>
      <geom type="box" size="0.12 0.12 0.06" density="0"/>
%s
%s
    </body>
  </worldbody>
  <equality>
    <connect name="left_rod" body1="left_achilles" body2="left_heel" anchor="0.5012 0 0"/>
    <connect name="left_sole" body1="left_plantar" body2="left_foot" anchor="0.3501 0 0"/>
    <connect name="right_rod" body1="right_achilles" body2="right_heel" anchor="0.5012 0 0"/>
    <connect name="right_sole" body1="right_plantar" body2="right_foot" anchor="0.3501 0 0"/>
  </equality>
  <actuator>
    <motor name="left_knee" joint="left_knee" gear="16"/>
    <motor name="right_knee" joint="right_knee" gear="16"/>
  </actuator>
</mujoco>
]]):format(held == false and "<freejoint/>" or "", leg("left", 0.135), leg("right", -0.135))
end

return robots
