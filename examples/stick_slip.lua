-- A block on the floor, pulled by a spring whose end moves on steadily: it sticks until the spring
-- is strong enough, slips, and sticks again.
--
--   lua stick_slip.lua              prints when it slips and sticks
--   sarrus run stick_slip.lua --until 12 --html stick_slip.html

local sarrus = require "sarrus"
local body, contact, force, joint, shape = sarrus.body, sarrus.contact, sarrus.force, sarrus.joint,
  sarrus.shape

local block = sarrus.model {
  name = "stick and slip", gravity = { 0, -9.81 },
  body.box { "block", position = { 0, 0.15 }, size = { 0.5, 0.3 }, mass = 2 },
  body.point { "hand", position = { 1, 0.15 }, mass = 1 },
  joint.slot { "rail", "ground", "hand", at = { 1, 0.15 }, axis = { 1, 0 } },
  joint.custom { "pull", { "hand" }, equations = function(hand, t)
    return { hand:point().x - 1 - 0.1 * t }
  end },
  force.spring { "spring", "block", "hand", from = { 0.25, 0.15 }, to = { 1, 0.15 },
    stiffness = 40 },
  shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "sole", "floor", "block", friction = { static = 0.6, sliding = 0.35 } },
}

local said = 0
local function tell(word)
  return function(_, s)
    said = said + 1
    if said <= 6 then
      print(("t = %7.4f s  %s at x = %.4f m"):format(s.t, word, s:body("block").x))
    end
  end
end

local sim = assert(block:simulate { events = {
  sarrus.event { "slips", contact = "sole", on = "slip", action = tell "slips" },
  sarrus.event { "sticks", contact = "sole", on = "stick", action = tell "sticks" },
} })
assert(sim:advance(12))

-- It slips where the spring pulls with 0.6 m g.
print(("first expected at t = %.4f s"):format(0.6 * 2 * 9.81 / 40 / 0.1))

return block
