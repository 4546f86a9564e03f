-- A car over a bump, on tyres, struts and trailing arms whose pivots are rubber: stiff springs, and
-- steps as long as the motion of the car allows.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force
local g, speed = 9.81, 10

--- The road below a wheel: a bump, 60 mm high, that passes from t = 0.4 s on.
local function road(behind)
  local x = speed * sarrus.time - 5 - behind
  return 0.06 * sarrus.exp(-(x / 0.4) ^ 2)
end

local parts = {
  name = "car", gravity = { 0, -g },
  body.box { "car", position = { 0, 0.7 }, size = { 3.6, 0.5 }, mass = 700, color = "teal" },
  joint.slot { "course", "ground", "car", at = { 0, 0.7 }, axis = { 0, 1 } },
}

--- A wheel at x, behind the front axle; its arm leads to a bushing 0.4 m nearer to the middle.  The
--- car is drawn at rest.
local function wheel(name, x, behind)
  local arm, patch, inwards = name .. " arm", name .. " road", x > 0 and -1 or 1
  local pivot, seat = x + 0.4 * inwards, x + 0.1 * inwards
  local on_tyre = (350 + 25 + 8) * g -- half of the car, wheel and arm
  local on_strut = (0.4 * (on_tyre - 25 * g) - 0.2 * 8 * g) / 0.3 -- moments about the bushing
  for _, part in ipairs {
    body.box { patch, position = { x, 0 }, size = { 0.3, 0.02 }, mass = 1 },
    body.disk { name, position = { x, 0.3 }, radius = 0.3, mass = 25 },
    body.rod { arm, from = { pivot, 0.3 }, to = { x, 0.3 }, mass = 8 },
    joint.prismatic { name .. " profile", "ground", patch, at = { x, 0 }, axis = { 0, 1 },
      motion = road(behind) },
    joint.fixed { name .. " hub", name, arm, at = { x, 0.3 } },
    force.bushing { name .. " pivot", "car", arm, at = { pivot, 0.3 }, stiffness = 5e7,
      damping = 1e5 },
    force.spring { name .. " tyre", patch, name, from = { x, 0 }, to = { x, 0.3 },
      stiffness = 2e5, length = 0.3 + on_tyre / 2e5, damping = 500 },
    force.spring { name .. " strut", "car", arm, from = { seat, 0.6 }, to = { seat, 0.3 },
      stiffness = 4e4, length = 0.3 + on_strut / 4e4, damping = 3000 },
  } do
    parts[#parts + 1] = part
  end
end

wheel("front", 1.3, 0)
wheel("rear", -1.3, 2.6)
local car = sarrus.model(parts)

--- Thousandths, without the sign of a zero.
local function milli(x)
  return ("%9.3f"):format(math.abs(x) < 5e-7 and 0 or 1000 * x)
end

local function drive(method)
  local sim, lines = assert(car:simulate { tolerance = 1e-9, method = method }), {}
  for t, s in sim:samples(1.4, 0.1) do
    local c = s:body("car")
    lines[#lines + 1] = ("%4.1f  %s  %s  %s  %10.1f"):format(t, milli(c.y - 0.7),
      milli(c.angle), milli(s:body("front").y - 0.3), s:joint("front profile").force.y)
  end
  return lines, sim:stats()
end

local lines, taken = drive("auto")
local series, short = drive("series")
print("   t   car (mm)  pitch (mrad)  wheel (mm)  force of the road (N)")
for i, line in ipairs(lines) do
  print(line)
  assert(series[i] == line, series[i])
end
print(("series: %d steps; chosen: %d, of which %d are implicit; the same digits"):format(
  short.steps, taken.steps, taken.implicit))

return car -- for the command: sarrus run examples/bushings.lua --until 3
