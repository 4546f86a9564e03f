--- What `sarrus verify` claims of balls that bounce, blocks that slide and stay, and disks and
--- spheres that slide until they roll, against closed forms (tools/contact_reference.c).

local sarrus = require "sarrus"
local claimed = dofile("spec/random/tools/claimed.lua")
local cases = dofile("spec/random/tools/contact_reference.lua")
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local function floor()
  return shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } }
end

--- Each answers the parts of a model, and the channels that are known.
local models = {}

function models.ball(one)
  return { floor(),
    body.disk { "it", position = { 0, one.radius + one.height }, radius = one.radius, mass = 1,
      velocity = { one.along, one.up } },
    contact.pair { "touch", "floor", "it", restitution = one.e },
  }, { "it.position.y", "it.velocity.y", "it.position.x" }
end

function models.block(one)
  return { floor(),
    body.box { "it", position = { 0, 0.125 }, size = { 1, 0.25 }, mass = 2,
      velocity = { one.speed, 0 } },
    contact.pair { "touch", "floor", "it", friction = one.mu },
  }, { "it.position.x", "it.velocity.x" }
end

function models.disk(one)
  return { floor(),
    body.disk { "it", position = { 0, one.radius }, radius = one.radius, mass = 2,
      velocity = { one.speed, 0 }, spin = one.spin },
    contact.pair { "touch", "floor", "it", friction = one.mu },
  }, { "it.position.x", "it.velocity.x", "it.spin" }
end

function models.sphere(one)
  return {
    shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
    body.sphere { "it", position = { 0, 0, one.radius }, radius = one.radius, mass = 2,
      velocity = one.velocity },
    contact.pair { "touch", "floor", "it", friction = one.mu },
  }, { "it.position.x", "it.position.y", "it.velocity.y" }
end

local class = { cases = 20, bound = 0 }

function class.case(draw)
  local one = cases[draw:whole(1, #cases)]
  local parts, labels = models[one[1]](one)
  parts.gravity = one.g
  local sim = assert(sarrus.model(parts):simulate { tolerance = draw:pick { 1e-12, 1e-9, 1e-6 } })
  return claimed.error(sim, labels, one.t, one.known)
end

return class
