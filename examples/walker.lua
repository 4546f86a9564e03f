-- A rimless wheel, the simplest walking toy: eight legs about a hub, down a gentle slope.  Each
-- step loses speed at the impact of the next foot and gains it on the way down; soon all steps are
-- alike.
--
--   lua walker.lua                  prints the speed after each step, and the one that stays
--   sarrus run walker.lua --until 5 --html walker.html

local sarrus = require "sarrus"
local body, contact, shape, vec = sarrus.body, sarrus.contact, sarrus.shape, sarrus.vec

local LEGS, LENGTH, SLOPE, GRAVITY = 8, 1, 0.12, 9.81
local half = math.pi / LEGS
local normal = { math.sin(SLOPE), math.cos(SLOPE) } -- falls to the right

-- The hub stands over two feet, half a step before and behind it.
local hub = vec(normal) * (LENGTH * math.cos(half))

local function foot(i)
  local angle = -math.pi / 2 - SLOPE + (2 * i - 1) * half
  return hub + vec(math.cos(angle), math.sin(angle)) * LENGTH
end

local parts, feet = { name = "rimless wheel", gravity = { 0, -GRAVITY } }, {}
local arm = hub - foot(1) -- it starts turning about the foot in front
parts[1] = body.rigid { "wheel", position = { hub.x, hub.y }, mass = 4, inertia = 1, spin = -1.8,
  velocity = { 1.8 * arm.y, -1.8 * arm.x } }
parts[2] = shape.line { "slope", "ground", at = { 0, 0 }, normal = normal }
for i = 1, LEGS do
  feet[i] = "foot" .. i
  local p = foot(i)
  parts[#parts + 1] = shape.point { feet[i], "wheel", at = { p.x, p.y } }
  local along, at = p - hub, (p + hub) * 0.5
  parts[#parts + 1] = shape.box { "leg" .. i, "wheel", at = { at.x, at.y }, size = { LENGTH, 0.06 },
    angle = sarrus.atan(along.y, along.x) }
end
parts[#parts + 1] = contact.pair { "soles", "slope", feet, friction = 1 }

local steps = 0
local step = sarrus.event { "step", contact = "soles", on = "touch", action = function(_, s)
  steps = steps + 1
  if steps % 2 == 0 then
    print(("step %2d at %.4f s: %.6f rad/s"):format(steps, s.t, -s:body("wheel").spin))
  end
end }

local walker = sarrus.model(parts)
local sim = assert(walker:simulate { events = { step } })
assert(sim:advance(5))

-- A step adds 2 m g l (cos(half - slope) - cos(half + slope)) / I to w^2; its impact leaves ratio
-- w.
local inertia = 1 + 4 * LENGTH ^ 2
local ratio = (1 + 4 * LENGTH ^ 2 * math.cos(2 * half)) / inertia
local gain = 8 * GRAVITY * LENGTH * (math.cos(half - SLOPE) - math.cos(half + SLOPE)) / inertia
print(("for ever:           %.6f rad/s"):format(ratio * math.sqrt(gain / (1 - ratio ^ 2))))

return walker
