-- Hoeken's linkage for several lengths of its bars: the end of the coupler draws a line that is
-- nearly straight while the crank makes half a turn.  Which length draws the straightest?
--
-- The coupler is twice as long as the rocker, `length`, a parameter: the linkage is compiled once,
-- and assembles itself for every length.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local length = sarrus.parameter("length", 2.5)
local A, D = { 0, 1 }, { 2, 0 } -- the crank pin with the crank upright, and the rocker's pivot

-- The rocker's pin is `length` away from both.
local height = sarrus.sqrt((length ^ 2 - 5 / 4) / 5)
local B = { 1 + height, 1 / 2 + 2 * height }

local linkage = sarrus.model {
  name = "Hoeken's linkage",
  body.rod { "crank", from = { 0, 0 }, to = A, mass = 1 },
  body.box { "coupler", position = B, size = { 2 * length, 0.1 }, mass = 1,
    angle = sarrus.atan(B[2] - A[2], B[1] - A[1]) },
  body.rod { "rocker", from = D, to = B, mass = 1 },
  joint.revolute { "main", "ground", "crank", at = { 0, 0 }, motion = sarrus.time },
  joint.revolute { "pin", "crank", "coupler", at = A },
  joint.revolute { "knee", "coupler", "rocker", at = B },
  joint.revolute { "pivot", "ground", "rocker", at = D },
}

--- How long the line is, and how far from straight, while the crank goes from upright down to
--- below.
local function straightness(value)
  local sim = assert(linkage:simulate { parameters = { length = value } })
  local low, high, left, right = math.huge, -math.huge, math.huge, -math.huge
  for _, s in sim:samples(math.pi, math.pi / 180) do
    local p = s:point("coupler", { value, 0 })
    low, high = math.min(low, p.y), math.max(high, p.y)
    left, right = math.min(left, p.x), math.max(right, p.x)
  end
  sim:close()
  return right - left, high - low
end

print("length   stroke   off the line   of the stroke")
local best
for i = 0, 12 do
  local value = 2.2 + i * 0.05
  local stroke, off = straightness(value)
  print(("%6.2f %8.4f %11.4f %13.3f %%"):format(value, stroke, off, 100 * off / stroke))
  if not best or off / stroke < best.ratio then
    best = { value = value, ratio = off / stroke }
  end
end
print(("the straightest is drawn with %.2f"):format(best.value))

return linkage -- for the command: sarrus run examples/coupler_curves.lua --set length=2.2
