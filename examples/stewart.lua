-- A Stewart platform: six legs, each a cylinder and a piston, driven by six prismatic motions.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local function on_circle(radius, degrees, height)
  local a = math.rad(degrees)
  return { radius * math.cos(a), radius * math.sin(a), height }
end

local function between(p, q, x)
  return { p[1] + x * (q[1] - p[1]), p[2] + x * (q[2] - p[2]), p[3] + x * (q[3] - p[3]) }
end

local parts = {
  name = "Stewart platform", gravity = { 0, 0, -9.81 },
  body.cylinder { "platform", position = { 0, 0, 1 }, radius = 0.5, length = 0.1, mass = 20 },
}

-- Leg i: on the ground a universal joint, at the platform a spherical one.
local base, top = { 50, 70, 170, 190, 290, 310 }, { 10, 110, 130, 230, 250, 350 }
for i = 1, 6 do
  local low, high = on_circle(1, base[i], 0), on_circle(0.5, top[i], 1)
  local axis = { high[1] - low[1], high[2] - low[2], high[3] - low[3] }
  local across = { -axis[2], axis[1], 0 }
  local other = { axis[2] * across[3] - axis[3] * across[2],
    axis[3] * across[1] - axis[1] * across[3], axis[1] * across[2] - axis[2] * across[1] }
  local lift = 0.1 * sarrus.sin(2 * sarrus.time + i) - 0.1 * math.sin(i)
  for _, part in ipairs {
    body.rod { "cylinder" .. i, from = low, to = between(low, high, 0.6), mass = 2 },
    body.rod { "piston" .. i, from = between(low, high, 0.4), to = high, mass = 1 },
    joint.universal { "foot" .. i, "ground", "cylinder" .. i, at = low, axes = { across, other } },
    joint.prismatic { "leg" .. i, "cylinder" .. i, "piston" .. i,
      at = between(low, high, 0.6), axis = axis, motion = lift },
    joint.spherical { "ball" .. i, "piston" .. i, "platform", at = high },
  } do
    parts[#parts + 1] = part
  end
end

--- Six digits, without the sign of a zero.
local function digits(x)
  return ("%9.6f"):format(math.abs(x) < 5e-7 and 0 or x)
end

local platform = sarrus.model(parts)
local sim = assert(platform:simulate {})
print("freedoms left by the motions", platform:freedoms())
print("   t    platform x   y          z         force of leg 1   residual < 1e-12")
for t, s in sim:samples(2, 0.25) do
  local p, leg = s:body("platform").position, s:joint("leg1").force
  local axis = s:point("piston1", { 1, 0, 0 }) - s:point("piston1")
  print(("%5.2f  %s  %s  %s  %12.6f       %s"):format(t, digits(p.x), digits(p.y), digits(p.z),
    sarrus.vec.dot(leg, axis), tostring(s:residual().position < 1e-12)))
end

return platform -- for the command: sarrus run examples/stewart.lua
