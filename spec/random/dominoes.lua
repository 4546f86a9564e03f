--- Rows of 2 to 6 boxes on a floor, of one size and mass or each of its own, the first one struck:
--- they fall on each other and come to lie as stairs.  Nothing penetrates by more than 1e-9, the
--- energy never rises; what fails says CONTACT, or where corners meet corners again and again STEP,
--- which the case answers besides its error.
local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

-- The error is in units of what is allowed.  Of the first 20 the 8th and the 9th end early.
local class = { cases = 10, bound = 1, early = 0.2 }

local TURNS, T = 20, 1

-- Within a turn; those that end need 1,000 at most.
local MOST_STEPS = 1500

--- Go to t; why it ends early, if it may.
local function go(sim, t)
  local result, message, code = sim:advance(t)
  if not result and code ~= "CONTACT" and code ~= "STEP" then
    error(("%s at %.17g: %s"):format(code, sim.time, message))
  end
  return not result and message or nil
end

--- The model, the names of its contacts, and the impulse that makes the first one fall.
local function row_of(draw)
  local parts = { name = "dominoes", gravity = { 0, -9.81 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } } }
  local alike, size, x = draw:chance(0.5), nil, 0
  local names, contacts, struck = {}, { "base" }, nil
  for i = 1, draw:whole(2, 6) do
    local width, height = draw:between(0.005, 0.015), draw:between(0.04, 0.08)
    size = alike and size or { width, height, mass = draw:between(0.005, 0.05) }
    struck = struck or size
    names[i] = "d" .. i
    parts[#parts + 1] = body.box { names[i], position = { x, size[2] / 2 },
      size = { size[1], size[2] }, mass = size.mass }
    x = x + draw:between(0.4, 0.7) * size[2] + 0.008
  end
  local e = draw:chance(0.4) and 0 or draw:between(0, 0.5)
  parts[#parts + 1] = contact.pair { "base", "floor", names, friction = draw:between(0.2, 1),
    restitution = e }
  local between = draw:chance(0.3) and 0 or draw:between(0, 0.5)
  for i = 1, #names - 1 do
    contacts[#contacts + 1] = "c" .. i
    parts[#parts + 1] = contact.pair { "c" .. i, names[i], names[i + 1], friction = between,
      restitution = e }
  end
  local at = { -struck[1] / 2, struck[2] }
  return sarrus.model(parts), contacts, { struck.mass * draw:between(0.2, 0.5), 0 }, at
end

function class.case(draw)
  local model, contacts, impulse, at = row_of(draw)
  local sim = assert(model:simulate { max_steps = MOST_STEPS })
  assert(sim:impulse("d1", impulse, at))
  local worst, energy = 0, sim:state():energy().total
  for turn = 1, TURNS do
    local early = go(sim, T * turn / TURNS)
    if early then
      return worst, early
    end
    local s = sim:state()
    for _, name in ipairs(contacts) do
      worst = math.max(worst, -s:contact(name).gap / 1e-9)
    end
    worst = math.max(worst, (s:energy().total - energy) / (1e-9 * math.abs(energy)))
    energy = s:energy().total
  end
  return worst
end

return class
