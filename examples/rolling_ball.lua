-- A bowling ball: it slides on the floor, and friction makes it turn until it rolls.
--
--   lua rolling_ball.lua            prints when it rolls, and compares with the closed form
--   sarrus run rolling_ball.lua --until 3 --html rolling_ball.html

local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local SPEED, FRICTION, GRAVITY = 4, 0.15, 9.81

local alley = sarrus.model {
  name = "bowling ball", gravity = { 0, -GRAVITY },
  body.sphere { "ball", position = { 0, 0.11 }, radius = 0.11, mass = 6, velocity = { SPEED, 0 } },
  shape.line { "alley", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "skid", "alley", "ball", friction = FRICTION },
}

local sim = assert(alley:simulate { events = {
  sarrus.event { "rolls", contact = "skid", on = "stick", stop = true },
} })

local _, _, t = assert(sim:advance(3))
local ball = sim:state():body("ball")
print(("rolls from t = %.12f s on"):format(t))
print(("closed form:   %.12f"):format(2 * SPEED / (7 * FRICTION * GRAVITY)))
print(("at %.12f m/s, which is 5/7 of %g"):format(ball.velocity.x, SPEED))

return alley
