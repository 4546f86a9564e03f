--- Bodies that rest on a floor until a motion which is prescribed lifts, pushes or carries them on,
--- in the plane and in space, with friction or without: powers of max(t - t0, 0), tables and smooth
--- starts, so that the first derivative that tells may be any from the second to the fifth.  The
--- answer: the motion itself.
local sarrus = require "sarrus"

local body, shape, contact, joint = sarrus.body, sarrus.shape, sarrus.contact, sarrus.joint

local class = { cases = 200, bound = 1e-9 }

--- Motions that begin at t0, of the height h: as an expression, and as a number.
local motions = {
  power = function(draw, t0, h)
    local p = draw:whole(2, 5)
    return h * sarrus.max(sarrus.time - t0, 0) ^ p,
      function(t) return h * math.max(t - t0, 0) ^ p end
  end,
  up = function(draw, t0, h)
    local d = draw:between(0.3, 1.3)
    local rise = sarrus.table { x = { -1, t0, t0 + d, 9 }, y = { 0, 0, h, h } }
    return rise(sarrus.time), rise
  end,
  up_and_down = function(draw, t0, h)
    local d = draw:between(0.3, 0.8)
    local rise = sarrus.table { x = { -1, t0, t0 + d, t0 + d + 0.4, t0 + 2 * d + 0.4, 9 },
      y = { 0, 0, h, h, 0, 0 } }
    return rise(sarrus.time), rise
  end,
  wave = function(draw, t0, h)
    local w, late = draw:between(1, 4), sarrus.time - t0
    return sarrus.select(late, h * (1 - sarrus.cos(w * late)), 0),
      function(t) return t > t0 and h * (1 - math.cos(w * (t - t0))) or 0 end
  end,
}

--- What the motion does, to the parts of a box that rests at height a; what it is then.
local ways = {
  lift = function(parts, at, a, motion)
    parts[#parts + 1] = joint.prismatic { "arm", "ground", "box", at = at(0, a), axis = at(0, 1),
      motion = motion }
    return 0, 1
  end,
  push = function(parts, at, a, motion)
    parts[#parts + 1] = joint.prismatic { "arm", "ground", "box", at = at(0, a), axis = at(1, 0),
      motion = motion }
    return 1, 0
  end,
  hang = function(parts, at, a, motion) -- by a joint that turns
    parts[#parts + 1] = joint.prismatic { "arm", "ground", "hand", at = at(0, 3 * a),
      axis = at(0, 1), motion = motion }
    parts[#parts + 1] = joint.fixed { "grip", "hand", "box", at = at(0, 2 * a) }
    return 0, 1
  end,
}

local function draw_parts(draw, spatial, a, mu)
  local function at(x, z)
    return spatial and { x, 0, z } or { x, z }
  end
  local side = spatial and { 2 * a, 2 * a, 2 * a } or { 2 * a, 2 * a }
  local round = draw:chance(0.3) and (spatial and body.sphere or body.disk)
  return { name = "lifts", gravity = at(0, -9.81),
    spatial and shape.plane { "floor", "ground", at = at(0, 0), normal = at(0, 1) }
      or shape.line { "floor", "ground", at = at(0, 0), normal = at(0, 1) },
    round and round { "box", position = at(0, a), radius = a, mass = 0.5 }
      or body.box { "box", position = at(0, a), size = side, mass = 0.5 },
    contact.pair { "sole", "floor", "box", friction = mu },
  }, at
end

function class.case(draw)
  local spatial, a = draw:chance(0.5), draw:between(0.05, 0.15)
  local parts, at = draw_parts(draw, spatial, a, draw:pick { 0, 0, 0.3, 0.7 })
  local t0 = draw:chance(0.2) and 0 or draw:between(0.2, 1.2)
  local kind, way = draw:pick { "power", "power", "up", "up_and_down", "wave" },
    draw:pick { "lift", "lift", "push", "hang" }
  local motion, number = motions[kind](draw, t0, draw:between(0.02, 0.22))
  if way == "hang" then
    parts[#parts + 1] = (spatial and body.sphere or body.disk) { "hand", position = at(0, 3 * a),
      radius = 0.2 * a, mass = 0.3 }
  end
  local along, up = ways[way](parts, at, a, motion)
  local sim, worst = assert(sarrus.model(parts):simulate {}), 0
  for i = 1, 8 do
    local t = i / 8 * (t0 + 2)
    assert(sim:advance(t))
    local place, moved = sim:state():body("box").position, number(t)
    worst = math.max(worst, math.abs(place[1] - along * moved),
      math.abs(place[spatial and 3 or 2] - a - up * moved))
    assert(up * moved < 1e-6 or sim:state():contact("sole").mode == "open", "it is held")
  end
  return worst
end

return class
