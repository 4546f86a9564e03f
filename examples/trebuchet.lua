-- A trebuchet: a heavy box swings a beam, from whose tip a sling of rope, slack at first, drags a
-- ball along the ground and throws it.  The sling lets go just before the beam stands upright.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local HIGH, LONG, SHORT, SLING, RADIUS = 2, 3.4, 0.9, 2.4, 0.12
local lean = math.asin((HIGH - 0.3) / LONG) -- the tip starts 0.3 m above the ground
local tip = { -LONG * math.cos(lean), HIGH - LONG * math.sin(lean) }
local head = { SHORT * math.cos(lean), HIGH + SHORT * math.sin(lean) }
local start = { tip[1] + 2, RADIUS }

local trebuchet = sarrus.model {
  name = "trebuchet", gravity = { 0, -9.81 },
  body.box { "beam", position = { (tip[1] + head[1]) / 2, (tip[2] + head[2]) / 2 }, angle = lean,
    size = { LONG + SHORT, 0.16 }, mass = 20 },
  body.box { "weight", position = { head[1], head[2] - 0.6 }, size = { 0.7, 0.7 }, mass = 120 },
  body.disk { "ball", position = start, radius = RADIUS, mass = 6, color = "crimson" },
  joint.revolute { "axle", "ground", "beam", at = { 0, HIGH }, damping = 10 },
  joint.revolute { "pin", "beam", "weight", at = head, friction = 20 },
  joint.distance { "sling", "beam", "ball", from = tip, to = start, limits = { 0, SLING } },
  shape.line { "field", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "turf", "field", "ball", friction = 0.4, restitution = 0.3 },
}

local told = {}
local function tell(text)
  return function(s)
    if not told[text] then
      local ball = s:body("ball")
      print(("t = %.4f s  %-14s at x = %7.3f m, y = %6.3f m, with %7.4f m/s"):format(s.t, text,
        ball.x, ball.y, ball.velocity:norm()))
      told[text] = true
    end
  end
end

local lifted, freed, landed = tell "it lifts off", tell "it flies", tell "it bounces"
local events = {
  sarrus.event { "lift", contact = "turf", on = "leave", action = function(_, s) lifted(s) end },
  sarrus.event { "hook", direction = "down",
    when = function(s) return s:joint("axle").angle + 1.47 end,
    action = function(sim, s)
      freed(s)
      assert(sim:release("sling"))
    end },
  sarrus.event { "land", contact = "turf", on = "touch", action = function(_, s) landed(s) end },
}

local sim = assert(trebuchet:simulate { events = events })
local slack, pull = 0, 0
for t, s in sim:samples(1.5, 0.01) do
  local force = s:joint("sling").force:norm()
  slack, pull = force == 0 and pull == 0 and t or slack, math.max(pull, force)
end
assert(sim:advance(12))
local s = sim:state()
print(("the sling was slack until %.2f s, and pulled with up to %.1f N"):format(slack, pull))
print(("after 12 s the ball is at %.3f m: %s, %.6f m/s"):format(s:body("ball").x,
  s:contact("turf").mode, s:body("ball").velocity.x))

return trebuchet:simulate { events = events } -- sarrus run examples/trebuchet.lua
