-- An arm whose motors have windings.  A winding is a body that turns in the place: its inertia is
-- the inductance, its angle the charge, its rate the current, and torques on it are voltages.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local inductance, resistance = 2e-4, 1 -- H, Ohm: 0.2 ms
local K, ratio = 0.05, 100 -- N m / A, which is also V s / rad; the gear
local gain = 9 -- V / A, of the current's own loop: 20 microseconds with it
local kp, kd = 4000, 250 -- N m / rad, N m s / rad

local parts = {
  name = "motor arm", gravity = { 0, -9.81 },
  body.rod { "upper", from = { 0, 0 }, to = { 0.6, 0 }, mass = 6, radius = 0.04 },
  body.rod { "lower", from = { 0.6, 0 }, to = { 1.1, 0 }, mass = 3, radius = 0.03 },
  joint.revolute { "shoulder", "ground", "upper", at = { 0, 0 } },
  joint.revolute { "elbow", "upper", "lower", at = { 0.6, 0 } },
}

--- A motor turns body b against body a along target(t); windings are drawn aside.
local function motor(name, a, b, x, target)
  local wanted, rate = target(sarrus.time), sarrus.diff(target(sarrus.time), sarrus.time)
  parts[#parts + 1] = body.rigid { name, position = { x, -0.5 }, mass = 1, inertia = inductance }
  parts[#parts + 1] = joint.revolute { name .. " circuit", "ground", name, at = { x, -0.5 } }
  parts[#parts + 1] = force.custom { name .. " coupling", { name, b, a },
    force = function(winding, to, from)
      local angle, spin, current = to:angle(), to:spin(), winding:spin()
      if a ~= "ground" then
        angle, spin = angle - from:angle(), spin - from:spin()
      end
      local torque = kp * (wanted - angle) + kd * (rate - spin)
      local voltage = (resistance + gain) * torque / (ratio * K) - gain * current
      local made = ratio * K * current
      return {
        { torque = voltage - resistance * current - ratio * K * spin },
        { torque = made }, { torque = -made },
      }
    end }
end

motor("motor1", "ground", "upper", 0.3, function(t) return 0.8 * (1 - sarrus.cos(2 * t)) / 2 end)
motor("motor2", "upper", "lower", 0.6, function(t) return 0.5 * sarrus.sin(3 * t) ^ 2 end)
local arm = sarrus.model(parts)

local function move(method)
  local sim, lines = assert(arm:simulate { tolerance = 1e-9, method = method }), {}
  for t, s in sim:samples(2, 0.25) do
    lines[#lines + 1] = ("%5.2f %9.5f %9.5f %11.5f %11.5f"):format(t, s:joint("shoulder").angle,
      s:joint("elbow").angle, s:body("motor1").spin, s:body("motor2").spin)
  end
  return lines, sim:stats()
end

local lines, taken = move("auto")
local series, short = move("series")
print("   t   shoulder   elbow    current 1 (A)  current 2 (A)")
for i, line in ipairs(lines) do
  print(line)
  assert(series[i] == line, series[i])
end
print(("series: %d steps; chosen: %d, of which %d are implicit; the same digits"):format(
  short.steps, taken.steps, taken.implicit))

return arm -- for the command: sarrus run examples/motor_arm.lua --until 4
