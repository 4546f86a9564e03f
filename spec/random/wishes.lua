--- Four-bars whose crank turns all round, exported and started in C with an angle and a rate of it:
--- where coupler and rocker are, and how fast they go, by the meeting of two circles.
local sarrus = require "sarrus"
local exported = dofile("spec/exported.lua")
local body, joint = sarrus.body, sarrus.joint

local class = { cases = 8, bound = 1e-12 }

local D = { 2, 0 } -- of the rocker's pin

local function polar(length, angle)
  return { length * math.cos(angle), length * math.sin(angle) }
end

--- The shortest rod and the longest are no longer than the others: the crank goes round.
local function draw_lengths(draw)
  return { draw:between(0.3, 0.5), draw:between(1.6, 2), draw:between(1.15, 1.4) }
end

--- Where circles about two places meet, above the line between them.
local function meet(a, ra, b, rb)
  local dx, dy = b[1] - a[1], b[2] - a[2]
  local d = math.sqrt(dx * dx + dy * dy)
  local along = (ra * ra - rb * rb + d * d) / (2 * d)
  local up = math.sqrt(ra * ra - along * along)
  return { a[1] + (along * dx - up * dy) / d, a[2] + (along * dy + up * dx) / d }
end

--- Pins B and C for an angle of the crank, and their velocities: (C - B) (C' - B') = 0 and
--- (C - D) C' = 0.
local function pins(lengths, angle, rate)
  local b = polar(lengths[1], angle)
  local c = meet(b, lengths[2], D, lengths[3])
  local vb = { -rate * b[2], rate * b[1] }
  local ux, uy, wx, wy = c[1] - b[1], c[2] - b[2], c[1] - D[1], c[2] - D[2]
  local known, det = ux * vb[1] + uy * vb[2], ux * wy - uy * wx
  return b, c, vb, { known * wy / det, -known * wx / det }
end

local function four_bar(draw, lengths, angle)
  local b, c = pins(lengths, angle, 0)
  return sarrus.model { gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = b, mass = draw:between(0.5, 3) },
    body.rod { "coupler", from = b, to = c, mass = draw:between(0.5, 3) },
    body.rod { "rocker", from = D, to = c, mass = draw:between(0.5, 3) },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "coupler", at = b },
    joint.revolute { "C", "coupler", "rocker", at = c },
    joint.revolute { "D", "ground", "rocker", at = D },
  }
end

function class.case(draw)
  local lengths, drawn = draw_lengths(draw), draw:between(0, 2 * math.pi)
  local angle, rate = draw:between(-7, 7), draw:between(-5, 5)
  local got = exported.start(four_bar(draw, lengths, drawn), "A", angle, rate)
  local b, c, vb, vc = pins(lengths, drawn + angle, rate)
  local worst = math.max(math.abs(got["A.angle"] - angle), math.abs(got["A.rate"] - rate))
  for k, axis in ipairs { "x", "y" } do
    for label, exact in pairs {
      ["coupler.position."] = (b[k] + c[k]) / 2, ["rocker.position."] = (D[k] + c[k]) / 2,
      ["coupler.velocity."] = (vb[k] + vc[k]) / 2, ["rocker.velocity."] = vc[k] / 2,
    } do
      worst = math.max(worst, math.abs(got[label .. axis] - exact))
    end
  end
  return worst
end

return class
