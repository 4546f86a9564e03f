--- Friction of what slips acts against its slip.
local vec = (require "sarrus").vec

local rubs = {}

-- Slower than that slip may just begin, without an acceleration (T48): then friction is against its
-- acceleration, by which it goes on.
local SLOW = 0.03

--- The velocity of a body of a state at a place; nothing else moves.
local function velocity_at(s, name, place)
  if not name then
    return 0 * place
  end
  local b = s:body(name)
  local arm = place - b.position
  local turns = #place == 2 and b.spin * vec.new { -arm.y, arm.x } or vec.cross(b.spin, arm)
  return b.velocity + turns
end

--- How far the friction of points that slip is from -mu N d, as a part of its size, d being the
--- direction of slip of `body_of[b]` on `body_of[a]`; what is slow is left out.
---@param s State
---@param points table[] of s:contact
---@param body_of table<string, string> of shapes; of the ground none
---@param friction number
function rubs.off(s, points, body_of, friction)
  local worst = 0
  for _, point in ipairs(points) do
    local N = vec.dot(point.force, point.normal)
    local slip = velocity_at(s, body_of[point.b], point.position)
      - velocity_at(s, body_of[point.a], point.position)
    slip = slip - vec.dot(slip, point.normal) * point.normal
    local speed, along = vec.norm(slip), point.force - N * point.normal
    if point.mode == "slip" and speed > SLOW and friction * N > 0 then
      local off = vec.norm(along + friction * N / speed * slip)
      worst = math.max(worst, off / (friction * N))
    end
  end
  return worst
end

return rubs
