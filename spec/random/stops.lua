--- Stops of joints, for 2 s.  Chains of 2 to 6 joints with limits: no limit is passed, stops do not
--- pull, and energy never rises.  Single sliders and hinges between stops under a constant effort:
--- parabolas and impacts in closed form, and rest where bounces end; they are let go in every way
--- there is.
local sarrus = require "sarrus"
local go = dofile("spec/random/tools/advance.lua").to
local mechanism = dofile("spec/random/tools/mechanism.lua")
local space = mechanism.space

-- Not among the specs until stops are right.
local class = { cases = 60, bound = 1e-9 }

local T = 2

-- Chains -----------------------------------------------------------------------------------------

--- Rods in a row, turned and joined by hinges and sliders in their ends, that start within their
--- limits.
local function draw_chain(draw)
  local bodies, joints, at = {}, {}, { 0, 0, 0 }
  for i = 1, draw:whole(2, 6) do
    local kind = draw:pick { "revolute", "revolute", "prismatic" }
    local direction, length = draw:between(0, 2 * math.pi), draw:between(0.3, 1)
    local along = { length * math.cos(direction), length * math.sin(direction), 0 }
    bodies[i] = mechanism.body(draw, 2, "b" .. i, space.add(at, along, 0.5))
    local joint = mechanism.joint(draw, 2, "j" .. i, kind, bodies[i - 1], bodies[i], at)
    local reach = kind == "revolute" and draw:between(0.1, 2) or draw:between(0.05, 0.5)
    joint.low, joint.high = -reach * draw:between(0.05, 1), reach * draw:between(0.05, 1)
    if draw:chance(0.1) then
      joint.low = 0 -- it starts at its stop
    end
    local e = draw:chance(0.4) and 0 or draw:between(0, 0.95)
    joint.given = { limits = { joint.low, joint.high, restitution = e } }
    if draw:chance(0.2) then
      joint.low, joint.high, joint.given = -math.huge, math.huge, nil
    end
    joints[i] = joint
    at = space.add(at, along)
  end
  return bodies, joints
end

--- The effort of a joint along its coordinate.
local function effort_of(s, joint)
  local reading = s:joint(joint.name)
  if joint.kind == "revolute" then
    return reading.torque
  end
  local turned = joint.a and s:body(joint.a.name).angle - joint.a.angle or 0
  local axis = space.apply(space.rotation({ 0, 0, 1 }, turned), joint.axis)
  return reading.force.x * axis[1] + reading.force.y * axis[2]
end

--- By how far a limit is passed, and by how much the stop pulls, or acts where it does not touch.
local function stop_errors(s, joint)
  local reading = s:joint(joint.name)
  local c, effort = reading.angle or reading.length, effort_of(s, joint)
  local passed = math.max(c - joint.high, joint.low - c, 0)
  if c > joint.low + 1e-6 then
    passed = passed + math.max(0, effort) / 1e3 -- pushed up without a stop below
  end
  if c < joint.high - 1e-6 then
    passed = passed + math.max(0, -effort) / 1e3
  end
  return passed
end

local function chain(draw)
  local bodies, joints = draw_chain(draw)
  local gravity, start = { 0, -9.81, 0 }, {}
  for i, joint in ipairs(joints) do
    local rate = joint.kind == "revolute" and "rate" or "speed"
    start[joint.name] = draw:chance(0.5) and { [rate] = draw:between(-3, 3) / i } or nil
  end
  local sim = assert(mechanism.model(2, gravity, bodies, joints):simulate { joints = start })
  local lowest, scale, worst = math.huge, 0, 0
  for k = 0, 40 do
    local result, message, code = sim:advance(k * T / 40)
    if not result then
      error(code .. ": " .. message)
    end
    local s = sim:state()
    local energy = s:energy()
    scale = math.max(scale, energy.kinetic, 10)
    worst = math.max(worst, (energy.total - lowest) / scale)
    lowest = math.min(lowest, energy.total)
    for _, joint in ipairs(joints) do
      worst = math.max(worst, stop_errors(s, joint))
    end
  end
  return worst
end

-- One freedom, in closed form --------------------------------------------------------------------

--- The stop that a motion runs or is pressed into: -1, 1, or nil.
local function blocked(p, c, v, a)
  if c <= p.low and (v < 0 or v == 0 and a <= 0) then
    return -1
  elseif c >= p.high and (v > 0 or v == 0 and a >= 0) then
    return 1
  end
end

--- The first time > 0 at which a parabola meets a wall, which it may start from.
local function meeting(d, v, a)
  local one, other
  if a == 0 or d == 0 then
    one = a == 0 and -d / v or -2 * v / a
  elseif v * v >= 2 * a * d then
    local sum = -v - (v < 0 and -1 or 1) * math.sqrt(v * v - 2 * a * d)
    one, other = sum / a, 2 * d / sum
  end
  local first = math.huge
  for _, x in ipairs { one or -1, other or -1 } do
    first = x > 0 and x < first and x or first
  end
  return first
end

--- c'' = a between stops: place and rate after dt.  Bounces that are too small to count end at
--- rest.
local function travel(p, c, v, a, dt)
  for _ = 1, 20000 do
    local side = blocked(p, c, v, a)
    v = side and -p.e * v or v
    if side and side * a >= 0 and math.abs(v) <= 1e-13 then
      return c, 0
    end
    local low, high = meeting(c - p.low, v, a), meeting(c - p.high, v, a)
    local first = math.min(low, high)
    if first >= dt then
      return c + v * dt + 0.5 * a * dt * dt, v + a * dt
    end
    c, v, dt = low < high and p.low or p.high, v + a * first, dt - first
  end
  error("the closed form does not arrive")
end

--- The place and rate at t, by pieces { from =, a = acceleration from there on, kick = jump of the
--- rate }.
local function answer(p, t)
  local c, v = p.c, p.v
  for i, piece in ipairs(p.pieces) do
    local to = p.pieces[i + 1] and p.pieces[i + 1].from or math.huge
    if t < piece.from then
      break
    end
    v = v + (piece.kick or 0)
    c, v = travel(p, c, v, piece.a, math.min(t, to) - piece.from)
  end
  return c, v
end

--- How a piece comes about: by the script between advances, by an event's action, by a controller.
local ways = { "script", "event", "controller" }

--- Change the effort, or kick, at the start of a piece.
local function act(sim, p, piece)
  if piece.a ~= p.a_now then
    p.a_now = piece.a
    assert(sim:set("effort", piece.a * p.inertia))
  end
  if piece.kick then
    local j = piece.kick * p.inertia
    local direction, arm = p.axis, 1
    if p.hinge then
      local angle = sim:state():body("b").angle
      direction, arm = { -math.sin(angle), math.cos(angle) }, p.arm -- at the centre of the rod
    end
    assert(sim:impulse("b", { j * direction[1] / arm, j * direction[2] / arm }))
  end
end

--- The pieces after the first.  What rests against a stop is not kicked into it.
local function draw_pieces(draw, p)
  for i = 2, draw:whole(1, 4) do
    local last = p.pieces[i - 1]
    local from = p.way == "controller" and last.from + p.period * draw:whole(1, 2)
      or last.from + draw:between(0.1, 0.8)
    local c, v = answer(p, from)
    local kick = draw:chance(0.4) and draw:signed(0.5, 4) or nil
    if kick and v == 0 then
      kick = c < 0 and math.abs(kick) or -math.abs(kick)
    end
    p.pieces[i] = { from = from, kick = kick,
      a = kick and draw:chance(0.5) and last.a or draw:signed(0.5, 20) }
  end
end

local function draw_single(draw)
  local p = { low = -draw:between(0.1, 1), high = draw:between(0.1, 1), v = 0, c = 0,
    e = draw:chance(0.4) and 0 or draw:between(0, 0.95), mass = draw:between(0.3, 3),
    hinge = draw:chance(0.5), arm = draw:between(0.3, 1) }
  local angle = draw:between(0, 2 * math.pi)
  p.axis = { math.cos(angle), math.sin(angle) } -- of a slider
  p.inertia = p.hinge and p.mass * p.arm ^ 2 * 4 / 3 or p.mass
  p.c = draw:chance(0.2) and draw:pick { p.low, p.high } or draw:between(p.low, p.high)
  p.v = draw:chance(0.3) and 0 or draw:between(-3, 3)
  p.pieces = { { from = 0, a = draw:chance(0.2) and 0 or draw:signed(0.5, 20) } }
  p.way, p.period = draw:pick(ways), draw:between(0.1, 0.5)
  draw_pieces(draw, p)
  return p
end

local function model_of(p)
  local effort = sarrus.parameter("effort", p.pieces[1].a * p.inertia)
  local limits = { p.low, p.high, restitution = p.e }
  if p.hinge then
    return sarrus.model {
      sarrus.body.rod { "b", from = { 0, 0 }, to = { 2 * p.arm, 0 }, mass = p.mass },
      sarrus.joint.revolute { "j", "ground", "b", at = { 0, 0 }, limits = limits, torque = effort },
    }
  end
  return sarrus.model {
    sarrus.body.box { "b", position = { 0, 0 }, size = { 0.2, 0.1 }, mass = p.mass },
    sarrus.joint.prismatic { "j", "ground", "b", at = { 0, 0 }, axis = p.axis, limits = limits,
      force = effort },
  }
end

--- Events or a controller that begin the pieces.
local function attach(p, given)
  if p.way == "event" then
    given.events = {}
    for i = 2, #p.pieces do
      local piece = p.pieces[i]
      given.events[i - 1] = sarrus.event { "piece " .. i,
        when = function(s) return s.t - piece.from end,
        action = function(sim) act(sim, p, piece) end }
    end
  elseif p.way == "controller" then
    given.controllers = { sarrus.controller { period = p.period, action = function(sim, s)
      for i = 2, #p.pieces do
        if math.abs(p.pieces[i].from - s.t) < 1e-9 then
          act(sim, p, p.pieces[i])
        end
      end
    end } }
  end
  return given
end

--- Times at which a piece begins or a sample is taken, in order.
local function times_of(draw, p)
  local times = { { t = T } }
  for _ = 1, 8 do
    times[#times + 1] = { t = draw:between(0, T) }
  end
  for i = 2, p.way == "script" and #p.pieces or 0 do
    times[#times + 1] = { t = p.pieces[i].from, piece = p.pieces[i] }
  end
  table.sort(times, function(a, b) return a.t < b.t end)
  return times
end

--- Of place and rate; small rates count as the heights to which they lead, since the last bounces
--- are left out.
local function difference(reading, names, c, v)
  local rate = reading[names[2]]
  return math.max(math.abs(reading[names[1]] - c),
    math.abs(rate - v) * math.min(1, math.max(math.abs(v), math.abs(rate))) / 10)
end

local function single(draw)
  local p = draw_single(draw)
  local names = p.hinge and { "angle", "rate" } or { "length", "speed" }
  p.a_now = p.pieces[1].a
  local sim = assert(model_of(p):simulate(attach(p, {
    joints = { j = { [names[1]] = p.c, [names[2]] = p.v } } })))
  local worst = 0
  for _, entry in ipairs(times_of(draw, p)) do
    if entry.t <= T then
      go(sim, entry.t)
      if entry.piece then
        act(sim, p, entry.piece)
      else
        worst = math.max(worst, difference(sim:state():joint("j"), names, answer(p, entry.t)))
      end
    end
  end
  return worst
end

--- What a case is about.
function class.label(draw)
  return draw:chance(0.5) and "chain" or "single"
end

function class.case(draw)
  return class.label(draw) == "chain" and chain(draw) or single(draw)
end

return class
