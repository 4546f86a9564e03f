--- Planar mechanisms with dry friction in their joints: pendulums, double pendulums, slider-cranks,
--- four-bars, some with springs, some driven by a sine.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local bearings = {}

local G = 9.81

local function polar(from, length, angle)
  return { from[1] + length * math.cos(angle), from[2] + length * math.sin(angle) }
end

--- Where circles about two places meet, above the line between them.
local function meet(a, ra, b, rb)
  local dx, dy = b[1] - a[1], b[2] - a[2]
  local d = math.sqrt(dx * dx + dy * dy)
  local along = (ra * ra - rb * rb + d * d) / (2 * d)
  local up = math.sqrt(ra * ra - along * along)
  return { a[1] + (along * dx - up * dy) / d, a[2] + (along * dy + up * dx) / d }
end

local function rod(draw, name, from, to)
  return body.rod { name, from = from, to = to, mass = draw:between(0.5, 3) }
end

-- Bodies, and joints { kind, name, a, b, at =, axis = } ------------------------------------------

local makers = {}

function makers.pendulum(draw)
  local tip = polar({ 0, 0 }, draw:between(0.4, 1), draw:between(-math.pi, math.pi))
  return { rod(draw, "a", { 0, 0 }, tip) }, { { "revolute", "j1", "ground", "a", at = { 0, 0 } } }
end

function makers.double(draw)
  local mid = polar({ 0, 0 }, draw:between(0.4, 1), draw:between(-math.pi, math.pi))
  local tip = polar(mid, draw:between(0.4, 1), draw:between(-math.pi, math.pi))
  return { rod(draw, "a", { 0, 0 }, mid), rod(draw, "b", mid, tip) },
    { { "revolute", "j1", "ground", "a", at = { 0, 0 } }, { "revolute", "j2", "a", "b", at = mid } }
end

function makers.crank(draw)
  local r, l = draw:between(0.2, 0.5), draw:between(1, 2)
  local pin = polar({ 0, 0 }, r, draw:between(0, 2 * math.pi))
  local wrist = { pin[1] + math.sqrt(l * l - pin[2] * pin[2]), 0 }
  return { rod(draw, "a", { 0, 0 }, pin), rod(draw, "b", pin, wrist),
    body.box { "c", position = wrist, size = { 0.3, 0.2 }, mass = draw:between(0.5, 3) } },
    { { "revolute", "j1", "ground", "a", at = { 0, 0 } }, { "revolute", "j2", "a", "b", at = pin },
      { "revolute", "j3", "b", "c", at = wrist },
      { "prismatic", "j4", "ground", "c", at = wrist, axis = { 1, 0 } } }
end

function makers.fourbar(draw)
  local pin = polar({ 0, 0 }, draw:between(0.3, 0.5), draw:between(0, 2 * math.pi))
  local top = meet(pin, draw:between(1.6, 2), { 2, 0 }, draw:between(1.1, 1.4))
  return { rod(draw, "a", { 0, 0 }, pin), rod(draw, "b", pin, top), rod(draw, "c", top, { 2, 0 }) },
    { { "revolute", "j1", "ground", "a", at = { 0, 0 } }, { "revolute", "j2", "a", "b", at = pin },
      { "revolute", "j3", "b", "c", at = top }, { "revolute", "j4", "ground", "c", at = { 2, 0 } } }
end

--- { kind =, bodies =, joints = } of one of these kinds.
function bearings.mechanism(draw, kinds)
  local kind = draw:pick(kinds)
  local bodies, joints = makers[kind](draw)
  return { kind = kind, bodies = bodies, joints = joints }
end

--- A friction of any kind.
local function friction_of(draw, slides)
  local kind = draw:pick { "bound", "bound", "static", "grows", "both" }
  local size = 10 ^ draw:between(-1.5, 1.3)
  local more, radius = draw:between(1, 2), not slides and draw:between(0.01, 0.2) or nil
  local c = draw:between(0.05, 0.6)
  local grows = { coefficient = c, radius = radius }
  if kind == "bound" then
    return size
  elseif kind == "static" then
    return { static = size * more, sliding = size }
  end
  return kind == "grows" and grows
    or { static = { coefficient = c * more, radius = radius }, sliding = grows }
end

--- Springs, a drive, friction and a start.
function bearings.load(draw, p)
  p.gravity, p.rate = draw:chance(0.8) and G or 0, draw:chance(0.4) and 0 or draw:between(-6, 6)
  for i, j in ipairs(p.joints) do
    j.stiffness = draw:chance(0.3) and draw:between(1, 60) or 0
    j.rest = draw:between(-1, 1)
    if i == 1 and draw:chance(0.5) then
      j.drive, p.driven = { draw:between(1, 20), draw:between(1, 12), draw:between(0, 6) }, true
    end
    if i == 1 or draw:chance(0.6) then
      j.friction = friction_of(draw, j[1] == "prismatic")
    end
  end
  return p
end

--- The drive of a joint at t, a number or an expression.
function bearings.drive(j, t, sin)
  return j.drive and j.drive[1] * sin(j.drive[2] * t + j.drive[3]) or 0
end

--- Its model.
function bearings.model(p)
  local parts = { name = p.kind, gravity = { 0, -(p.gravity or 0) }, p.bodies }
  for _, j in ipairs(p.joints) do
    local given = { j[2], j[3], j[4], at = j.at, axis = j.axis, friction = j.friction }
    given[j[1] == "prismatic" and "force" or "torque"] =
      j.drive and bearings.drive(j, sarrus.time, sarrus.sin) or j.effort
    if (j.stiffness or 0) > 0 then
      given.stiffness, given.rest = j.stiffness, j.rest
    end
    parts[#parts + 1] = joint[j[1]](given)
  end
  return sarrus.model(parts)
end

return bearings
