-- A belt drive: a small pulley turns a large one, with an eccentric load, through a belt that
-- hardly stretches.  Both spans are tight at first, and pull at the rims.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

local r1, r2, distance = 0.03, 0.12, 0.5
local stiffness, damping, tight = 4e6, 500, 2000 -- of a span: N/m, N s/m, N

--- What a span is longer by than at first; the other one is shorter by as much.
local function stretch(motor, load)
  return r1 * motor - r2 * load
end

local drive = sarrus.model {
  name = "belt drive", gravity = { 0, -9.81 },
  body.disk { "motor", position = { 0, 0 }, radius = r1, mass = 0.3 },
  body.disk { "load", position = { distance, 0 }, radius = r2, mass = 6, color = "teal" },
  body.rod { "bar", from = { distance, 0 }, to = { distance, 0.3 }, mass = 1 },
  joint.revolute { "shaft", "ground", "motor", at = { 0, 0 },
    torque = function(_, rate, t) return 1.5 * sarrus.tanh(2 * t) - 0.001 * rate end },
  joint.revolute { "axle", "ground", "load", at = { distance, 0 }, damping = 0.3 },
  joint.fixed { "clamp", "load", "bar", at = { distance, 0 } },
  force.custom { "belt", { "motor", "load" }, force = function(motor, load)
    local pull = 2 * stiffness * stretch(motor:angle(), load:angle())
      + 2 * damping * stretch(motor:spin(), load:spin())
    return { { torque = -r1 * pull }, { torque = r2 * pull } }
  end },
}

local function turn(method)
  local sim, lines = assert(drive:simulate { tolerance = 1e-9, method = method }), {}
  for t, s in sim:samples(5, 0.5) do
    local motor, load = s:body("motor"), s:body("load")
    local more = stiffness * stretch(motor.angle, load.angle)
      + damping * stretch(motor.spin, load.spin)
    lines[#lines + 1] = ("%4.1f  %11.6f  %10.6f  %10.4f  %10.3f  %10.3f"):format(t, motor.angle,
      load.angle, 1e6 * stretch(motor.angle, load.angle), tight + more, tight - more)
  end
  return lines, sim:stats()
end

local lines, taken = turn("auto")
local series, short = turn("series")
print("   t   motor (rad)  load (rad)  stretch (um)   spans: tight and slack (N)")
for i, line in ipairs(lines) do
  print(line)
  assert(series[i] == line, series[i])
end
print(("series: %d steps; chosen: %d, of which %d are implicit; the same digits"):format(
  short.steps, taken.steps, taken.implicit))

return drive -- for the command: sarrus run examples/belt.lua --until 5
