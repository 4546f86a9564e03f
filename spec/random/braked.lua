--- Chains of 1 to 3 bars with dampers and dry friction in their hinges fall on a floor, while
--- hinges are locked and let go by turns.  What is locked does not turn, nothing penetrates by more
--- than 1e-9, the energy never rises; what fails says CONTACT, which the case answers besides its
--- error.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").or_contact
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

-- The error is in units of what is allowed.
local class = { cases = 60, bound = 1 }

local TURNS, G, LENGTH = 8, 9.81, 0.5

--- A bar from a place on, and where it ends; in a hinge to what is before it, but for a loose
--- first.
local function add_bar(draw, scene, i, at)
  local angle, name = draw:between(-3, 3), "b" .. i
  local to = { at[1] + LENGTH * math.cos(angle),
    math.max(0.05, at[2] + LENGTH * math.sin(angle)) }
  scene.parts[#scene.parts + 1] = body.rod { name, from = at, to = to, mass = draw:between(0.5, 2) }
  if i > 1 or scene.hung then
    scene.hinges[#scene.hinges + 1] = "j" .. i
    scene.parts[#scene.parts + 1] = joint.revolute { "j" .. i, scene.bars[i - 1] or "ground", name,
      at = at, damping = draw:chance(0.7) and draw:between(0.01, 2) or nil,
      friction = draw:chance(0.3) and draw:between(0.1, 1) or nil }
  end
  scene.bars[i] = name
  return to
end

local function scene_of(draw)
  local scene = { parts = { name = "chain", gravity = { 0, -G } }, bars = {}, hinges = {} }
  local count, at = draw:whole(1, 3), { 0, 0.6 }
  scene.hung = draw:chance(0.6)
  for i = 1, count do
    at = add_bar(draw, scene, i, at)
  end
  scene.parts[#scene.parts + 1] = shape.line { "floor", "ground", at = { 0, 0 },
    normal = { 0, 1 } }
  scene.parts[#scene.parts + 1] = contact.pair { "c", "floor", scene.bars,
    friction = draw:chance(0.3) and 0 or draw:between(0, 1),
    restitution = draw:chance(0.5) and 0 or draw:between(0, 0.8) }
  return sarrus.model(scene.parts), scene.hinges
end

--- Lock a hinge, or let it go; locked[hinge] is its angle.
local function change(sim, hinge, locked)
  if locked[hinge] then
    assert(sim:unlock(hinge))
    locked[hinge] = nil
  else
    assert(sim:lock(hinge))
    locked[hinge] = sim:state():joint(hinge).angle
  end
end

--- How far a state is from what is allowed.
local function off(s, energy, locked)
  local worst = math.max(-s:contact("c").gap / 1e-9,
    (s:energy().total - energy) / (1e-9 * (1 + math.abs(energy))))
  for hinge, angle in pairs(locked) do
    worst = math.max(worst, math.abs(s:joint(hinge).angle - angle) / 1e-9)
  end
  return worst
end

function class.case(draw)
  local model, hinges = scene_of(draw)
  local sim = assert(model:simulate { max_steps = 5000 })
  local t, worst, locked = 0, 0, {}
  for _ = 1, TURNS do
    local energy = sim:state():energy().total
    t = t + draw:between(0.05, 0.4)
    local early = go(sim, t)
    if early then
      return worst, early
    end
    worst = math.max(worst, off(sim:state(), energy, locked))
    if #hinges > 0 then
      energy = sim:state():energy().total
      change(sim, draw:pick(hinges), locked)
      worst = math.max(worst, off(sim:state(), energy, locked))
    end
  end
  return worst
end

return class
