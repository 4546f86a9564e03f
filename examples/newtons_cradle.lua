-- Newton's cradle: five pendulums whose balls touch.  One comes in, one goes out.
--
--   lua newtons_cradle.lua          prints the swing of each ball
--   sarrus run newtons_cradle.lua --until 4 --html newtons_cradle.html

local sarrus = require "sarrus"
local body, contact, joint = sarrus.body, sarrus.contact, sarrus.joint

local COUNT, RADIUS, LENGTH = 5, 0.1, 1

local parts, balls = { name = "Newton's cradle", gravity = { 0, -9.81 } }, {}
for i = 1, COUNT do
  local x, name = 2 * RADIUS * i, "ball" .. i
  parts[#parts + 1] = body.disk { name, position = { x, -LENGTH }, radius = RADIUS, mass = 1 }
  parts[#parts + 1] = joint.revolute { "pin" .. i, "ground", name, at = { x, 0 } }
  balls[i] = name
end
parts[#parts + 1] = contact.pair { "hits", balls, restitution = 1 }

local cradle = sarrus.model(parts)
local start = { joints = { pin1 = { angle = -0.5 } } }
local sim = assert(cradle:simulate(start))

for _ = 1, 9 do
  local s, angles = sim:state(), {}
  for i = 1, COUNT do
    local angle = s:joint("pin" .. i).angle
    angles[i] = ("%7.4f"):format(math.abs(angle) < 5e-5 and 0 or angle)
  end
  print(("t = %.2f s  "):format(s.t) .. table.concat(angles, " "))
  assert(sim:advance(s.t + 0.25))
end

return assert(cradle:simulate(start))
