-- Small mechanisms that several specs look at.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local sketches = {}

--- README's four-bar; `more` are further parts and fields, or others in their place.
function sketches.four_bar(more)
  local parts = {
    name = "four-bar", gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
    body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = 1 },
    body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
    joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
  }
  for key, value in pairs(more or {}) do
    parts[key] = value
  end
  return sarrus.model(parts)
end

--- A slider along x, between stops at 0 and 1, pushed by the parameter "push".
function sketches.slider(push, restitution)
  return sarrus.model {
    body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = 2 },
    joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = { 1, 0 },
      limits = { 0, 1, restitution = restitution or 0 }, force = sarrus.parameter("push", push) },
  }
end

return sketches
