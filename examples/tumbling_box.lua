-- A box thrown on the floor: it hits with its corners, tumbles, and comes to rest on a side.
--
--   lua tumbling_box.lua            prints when it strikes, and how it rests
--   sarrus run tumbling_box.lua --until 3 --html tumbling_box.html

local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local box = sarrus.model {
  name = "tumbling box", gravity = { 0, -9.81 },
  body.box { "box", position = { 0, 1.2 }, size = { 0.6, 0.4 }, mass = 2, angle = 0.4,
    velocity = { 1.5, 0 }, spin = -4 },
  shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "corners", "floor", "box", friction = 0.4, restitution = 0.3 },
}

local strikes = 0
local strike = sarrus.event { "strike", contact = "corners", on = "touch", action = function(_, s)
  strikes = strikes + 1
  if strikes <= 5 then
    print(("t = %.4f s  strikes with %.3f N s"):format(s.t, s:contact("corners").impulse))
  end
end }

local sim = assert(box:simulate { events = { strike } })
assert(sim:advance(3))

local s = sim:state()
local at, sole = s:body("box"), s:contact("corners")
print(("rests at x = %.4f m, turned by %.4f quarter turns"):format(at.x, at.angle / (math.pi / 2)))
print(("on %d corners, which carry %.4f N: %s"):format(#sole.points, sole.normal_force, sole.mode))

return box
