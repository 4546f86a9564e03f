--- Mechanisms with six drives, as control loops have them: a serial arm, a Stewart platform.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local deadlines = { parameters = { arm = {}, stewart = {} }, channels = { arm = {}, stewart = {} } }

for i = 1, 6 do
  deadlines.parameters.arm[i], deadlines.parameters.stewart[i] = "tau" .. i, "push" .. i
  for k, quantity in ipairs { "angle", "rate" } do
    deadlines.channels.arm[2 * i - 2 + k] = "J" .. i .. "." .. quantity
  end
  for k, quantity in ipairs { "length", "speed" } do
    deadlines.channels.stewart[2 * i - 2 + k] = "leg" .. i .. "." .. quantity
  end
end

-- Each link: length, mass, and the axis of the joint before it.
local links = {
  { 0.4, 8, { 0, 0, 1 } }, { 0.5, 6, { 0, 1, 0 } }, { 0.4, 4, { 0, 1, 0 } },
  { 0.2, 2, { 0, 0, 1 } }, { 0.2, 1, { 0, 1, 0 } }, { 0.1, 0.5, { 0, 0, 1 } },
}

--- Six links on revolute joints J1 to J6, with torques tau1 to tau6: that of examples/arm.lua.
function deadlines.arm()
  local parts, height, before = { name = "arm", gravity = { 0, 0, -9.81 } }, 0, "ground"
  for i, link in ipairs(links) do
    local name, at = "link" .. i, { 0, 0, height }
    height = height + link[1]
    parts[#parts + 1] = body.rod { name, from = at, to = { 0, 0, height }, mass = link[2],
      radius = 0.05 }
    parts[#parts + 1] = joint.revolute { "J" .. i, before, name, at = at, axis = link[3],
      torque = sarrus.parameter("tau" .. i, 0) }
    before = name
  end
  return sarrus.model(parts)
end

local function on_circle(radius, degrees, height)
  local a = math.rad(degrees)
  return { radius * math.cos(a), radius * math.sin(a), height }
end

local function between(p, q, x)
  return { p[1] + x * (q[1] - p[1]), p[2] + x * (q[2] - p[2]), p[3] + x * (q[3] - p[3]) }
end

--- That of examples/stewart.lua, its legs pushed by forces push1 to push6.
function deadlines.stewart()
  local parts = {
    name = "Stewart platform", gravity = { 0, 0, -9.81 },
    body.cylinder { "platform", position = { 0, 0, 1 }, radius = 0.5, length = 0.1, mass = 20 },
  }
  local base, top = { 50, 70, 170, 190, 290, 310 }, { 10, 110, 130, 230, 250, 350 }
  for i = 1, 6 do
    local low, high = on_circle(1, base[i], 0), on_circle(0.5, top[i], 1)
    local axis = { high[1] - low[1], high[2] - low[2], high[3] - low[3] }
    local across = { -axis[2], axis[1], 0 }
    local other = { axis[2] * across[3] - axis[3] * across[2],
      axis[3] * across[1] - axis[1] * across[3], axis[1] * across[2] - axis[2] * across[1] }
    for _, part in ipairs {
      body.rod { "cylinder" .. i, from = low, to = between(low, high, 0.6), mass = 2 },
      body.rod { "piston" .. i, from = between(low, high, 0.4), to = high, mass = 1 },
      joint.universal { "foot" .. i, "ground", "cylinder" .. i, at = low,
        axes = { across, other } },
      joint.prismatic { "leg" .. i, "cylinder" .. i, "piston" .. i,
        at = between(low, high, 0.6), axis = axis, force = sarrus.parameter("push" .. i, 50) },
      joint.spherical { "ball" .. i, "piston" .. i, "platform", at = high },
    } do
      parts[#parts + 1] = part
    end
  end
  return sarrus.model(parts)
end

return deadlines
