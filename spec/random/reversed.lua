--- Elastic disks without friction between lines, some with gravity: after 20 impacts of one, or 5
--- of three, the motion with all velocities turned around comes back to the start; and energy is
--- kept.
local sarrus = require "sarrus"
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

-- The error is relative to the size of the room, which is 1.
local class = { cases = 30, bound = 1e-9 }

local function parts_of(p, disks)
  local parts, names = { name = "disks", gravity = p.gravity }, {}
  for i, wall in ipairs(p.walls) do
    parts[#parts + 1] = shape.line { "w" .. i, "ground", at = wall.at, normal = wall.normal }
    names[i] = "w" .. i
  end
  local round = {}
  for i, d in ipairs(disks) do
    parts[#parts + 1] = body.disk { "d" .. i, position = d.position, velocity = d.velocity,
      spin = d.spin,
      radius = d.radius, mass = d.mass }
    round[i] = "d" .. i
  end
  parts[#parts + 1] = contact.pair { "walls", names, round, restitution = 1 }
  if #round > 1 then
    parts[#parts + 1] = contact.pair { "each", round, restitution = 1 }
  end
  return parts
end

function class.problem(draw)
  local lean = draw:chance(0.5) and 0 or draw:between(-0.3, 0.3)
  local c, s = math.cos(lean), math.sin(lean)
  local p = { disks = {}, gravity = draw:chance(0.4) and { 0, -draw:between(0.2, 2) } or nil,
    walls = { { at = { 0, 0 }, normal = { -s, c } }, { at = { 0, 1 }, normal = { 0, -1 } },
      { at = { -0.6, 0 }, normal = { 1, 0 } }, { at = { 0.6, 0 }, normal = { -c, s } } } }
  local three = draw:chance(0.5)
  p.impacts = three and 5 or 20
  local places = { { -0.3, 0.4 }, { 0.25, 0.45 }, { 0, 0.75 } }
  for i = 1, three and 3 or 1 do
    p.disks[i] = { position = places[i], velocity = { draw:signed(0.2, 2), draw:signed(0.2, 2) },
      spin = draw:between(-3, 3), radius = draw:between(0.04, 0.1), mass = draw:between(0.3, 3) }
  end
  return p
end

local function fail(code, sim, message)
  error(("%s at %.17g: %s"):format(code, sim.time, message))
end

local function energy_of(sim)
  return sim:state():energy().total
end

local function distance(s, disks)
  local worst = 0
  for i, d in ipairs(disks) do
    local b = s:body("d" .. i)
    worst = math.max(worst, math.abs(b.x - d.position[1]), math.abs(b.y - d.position[2]))
  end
  return worst
end

function class.label(draw)
  local p = class.problem(draw)
  return #p.disks .. (p.gravity and " falling" or "")
end

function class.case(draw)
  local p = class.problem(draw)
  local wall = sarrus.event { "wall", contact = "walls", on = "touch", stop = true }
  local given = { events = { wall }, max_steps = 20000 }
  if #p.disks > 1 then
    given.events[2] = sarrus.event { "disk", contact = "each", on = "touch", stop = true }
  end
  local sim = assert(sarrus.model(parts_of(p, p.disks)):simulate(given))
  local before, last = energy_of(sim), 0
  local scale = sim:state():energy().kinetic + 1e-3
  local count = 0
  while count < p.impacts do
    local result, message, code = sim:advance(1000)
    if not result then
      fail(code, sim, message)
    elseif result == "END" then
      return 0, "no impacts"
    end
    count = count + 1
    if count < p.impacts then last = sim.time end
  end
  -- to the middle of the flight before the last one
  local stop = (last + sim.time) / 2
  local fresh = assert(sarrus.model(parts_of(p, p.disks)):simulate { max_steps = 20000 })
  local result, message, code = fresh:advance(stop)
  if not result then
    fail(code, fresh, message)
  end
  local s, turned = fresh:state(), {}
  for i, d in ipairs(p.disks) do
    local b = s:body("d" .. i)
    turned[i] = { position = { b.x, b.y }, velocity = { -b.velocity.x, -b.velocity.y },
      spin = -b.spin,
      radius = d.radius, mass = d.mass }
  end
  local off = math.abs(energy_of(fresh) - before) / scale
  local back = assert(sarrus.model(parts_of(p, turned)):simulate { max_steps = 20000 })
  result, message, code = back:advance(stop)
  if not result then
    fail("back: " .. code, back, message)
  end
  local far = distance(back:state(), p.disks)
  return math.max(off, far)
end

return class
