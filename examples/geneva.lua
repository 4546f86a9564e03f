-- A Geneva drive: the pin of a crank that turns evenly goes into a slot of a wheel, turns it by a
-- quarter, and leaves it; until the pin is back, friction in its bearing holds the wheel.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local SLOTS, APART, PIN, PLAY, RATE = 4, 1, 0.06, 0.002, 2 * math.pi -- one turn a second
local arm, tip = APART * math.sin(math.pi / SLOTS), APART * math.cos(math.pi / SLOTS)
local wall = PIN + PLAY -- from the middle of a slot

local parts = {
  name = "Geneva drive",
  body.rod { "crank", from = { -APART, 0 }, to = { -APART - arm, 0 }, radius = 0.05, mass = 1 },
  shape.disk { "pin", "crank", at = { -APART - arm, 0 }, radius = PIN, color = "crimson" },
  body.rigid { "wheel", position = { 0, 0 }, mass = 2, inertia = 0.2 },
  shape.disk { "hub", "wheel", at = { 0, 0 }, radius = 0.2, color = "teal" },
  joint.revolute { "shaft", "ground", "crank", at = { -APART, 0 }, motion = RATE * sarrus.time },
  joint.revolute { "bearing", "ground", "wheel", at = { 0, 0 }, friction = 8 },
}

-- The wheel is made of what is between its slots, drawn so that the pin comes to an open one.
local arms = {}
for i = 1, SLOTS do
  local angle = (2 * i - 1) * math.pi / SLOTS
  local function turned(x, y)
    return { x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle) }
  end
  arms[i] = "arm" .. i
  parts[#parts + 1] = shape.polygon { arms[i], "wheel", color = "teal", points = {
    turned(wall, wall), turned(tip, wall), turned(wall, tip) } }
end
parts[#parts + 1] = contact.pair { "drive", "pin", arms, friction = 0.1 }
local drive = sarrus.model(parts)


local function tell(word)
  return function(_, s)
    if s.t < 1 then
      print(("t = %.4f s  the pin %s, the wheel is at %7.3f degrees"):format(s.t, word,
        math.deg(s:body("wheel").angle)))
    end
  end
end
local sim = assert(drive:simulate { events = {
  sarrus.event { "touch", contact = "drive", on = "touch", action = tell "touches" },
  sarrus.event { "leave", contact = "drive", on = "leave", action = tell "leaves " },
} })

assert(sim:advance(0.5))
local fastest = arm / (APART - arm) * RATE -- where the slot points at the crank
print(("t = 0.5000 s  the wheel turns with %.6f rad/s; without play: %.6f"):format(
  -sim:state():body("wheel").spin, fastest))
for turn = 1, 4 do
  assert(sim:advance(turn))
  print(("after turn %d  the wheel is at %8.3f degrees, held by friction: %s"):format(turn,
    math.deg(sim:state():body("wheel").angle), tostring(sim:state():joint("bearing").sticks)))
end

return drive -- for the command: sarrus run examples/geneva.lua
