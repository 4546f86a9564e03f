--- A yard of swings: what moves in the game, without anything of LÖVE.
---
--- Each swing is a mechanism of its own: two rods and a ball on hinges, over a floor. The mouse pulls
--- a ball by a spring whose stiffness is a parameter; a hinge that bears too much breaks.
local sarrus = require "sarrus"
local body, joint, force, shape, contact =
  sarrus.body, sarrus.joint, sarrus.force, sarrus.shape, sarrus.contact

local yard = { ROW = 10, HEIGHT = 5, TOP = 1.7 } -- swings in a row, and how high rows are

local STRENGTH = 300 -- N, of the hinge between the rods
local PULL = 120 -- N/m, of the mouse
local TOP = yard.TOP -- m over the floor: a ball scrapes it

local mouse = {
  x = sarrus.parameter("mouse.x", 0), y = sarrus.parameter("mouse.y", 0),
  pull = sarrus.parameter("pull", 0),
}

local model = sarrus.model {
  name = "swing", gravity = { 0, -9.81 },
  body.rod { "upper", from = { 0, TOP }, to = { 0.8, TOP }, mass = 0.5 },
  body.rod { "lower", from = { 0.8, TOP }, to = { 1.6, TOP }, mass = 0.5 },
  body.disk { "ball", position = { 1.6, TOP }, radius = 0.2, mass = 2 },
  joint.revolute { "top", "ground", "upper", at = { 0, TOP }, damping = 0.02 },
  joint.revolute { "middle", "upper", "lower", at = { 0.8, TOP }, damping = 0.02 },
  joint.revolute { "hook", "lower", "ball", at = { 1.6, TOP }, damping = 0.02 },
  shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
  contact.pair { "landing", "floor", { "ball", "lower" }, friction = 0.4, restitution = 0.5 },
  force.custom { "mouse", { "ball" }, potential = function(ball)
    local p = ball:point { 0, 0 }
    return mouse.pull / 2 * ((p[1] - mouse.x) ^ 2 + (p[2] - mouse.y) ^ 2)
  end },
}

local channels = {
  "upper.x", "upper.y", "upper.angle", "lower.x", "lower.y", "lower.angle",
  "ball.x", "ball.y", "ball.angle", "middle.force.x", "middle.force.y",
}

--- So many swings in a row, each released from another height.
function yard.new(count)
  local self = { swings = {}, broken = 0 }
  for i = 1, count do
    local sim = assert(model:simulate { tolerance = 1e-6,
      joints = { top = { angle = 0.5 - 0.05 * i }, middle = { angle = 0.2 * (i % 5) } } })
    local row = math.ceil(i / yard.ROW)
    self.swings[i] = { sim = sim, reader = sim:reader(channels), at = {}, time = 0,
      x = 2.2 * (i - (row - 1) * yard.ROW), y = yard.HEIGHT * (row - 1) }
    self.swings[i].reader:read(self.swings[i].at)
  end
  return setmetatable(self, { __index = yard })
end

--- The swing whose ball is at a place of the yard, and that place in its own coordinates.
function yard:find(x, y)
  for _, swing in ipairs(self.swings) do
    local dx, dy = swing.x + swing.at[7] - x, swing.y + swing.at[8] - y
    if dx * dx + dy * dy < 0.1 then
      return swing
    end
  end
end

--- Pull a swing's ball to a place of the yard; without a place, let it go.
function yard.pull(_, swing, x, y)
  local given = swing.given or {}
  swing.given = given
  given["mouse.x"], given["mouse.y"] = x and x - swing.x or 0, y and y - swing.y or 0
  given.pull = x and PULL or 0
  return swing.sim:set(given)
end

--- One frame; a swing that cannot go on stays where it is, and says why.
function yard:update(dt)
  for _, swing in ipairs(self.swings) do
    swing.time = swing.time + dt
    if not swing.failed then
      local result, message = swing.sim:advance(swing.time)
      swing.failed = not result and message or nil
    end
    local at = swing.reader:read(swing.at)
    local load = at[10] * at[10] + at[11] * at[11]
    if not swing.broken and load > STRENGTH * STRENGTH and swing.sim:release("middle") then
      swing.broken, self.broken = true, self.broken + 1
    end
  end
end

return yard
