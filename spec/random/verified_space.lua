--- What `sarrus verify` claims of arms of hinges and of tops in space, against 30 digits
--- (tools/space_reference.c).

local sarrus = require "sarrus"
local claimed = dofile("spec/random/tools/claimed.lua")
local cases = dofile("spec/random/tools/space_reference.lua")
local body, joint = sarrus.body, sarrus.joint

local GRAVITY = { 0, 0, -9.8125 }

local function solid(name, one)
  return body.rigid { name, position = one.position, mass = one.mass, inertia = one.inertia }
end

local function arm(one)
  local parts, rates, labels, before = { gravity = GRAVITY }, {}, {}, "ground"
  for i, own in ipairs(one) do
    local name = "body" .. i
    parts[#parts + 1] = solid(name, own)
    parts[#parts + 1] = joint.revolute { "hinge" .. i, before, name, at = own.at, axis = own.axis,
      damping = own.damping > 0 and own.damping or nil }
    rates["hinge" .. i], before = { rate = own.rate }, name
    labels[i], labels[#one + i] = ("hinge%d.angle"):format(i), ("hinge%d.rate"):format(i)
  end
  return sarrus.model(parts), { joints = rates }, labels
end

local function top(one)
  local w, c = one.top.spin, one.top.position
  return sarrus.model { gravity = GRAVITY, solid("top", one.top),
    joint.spherical { "foot", "ground", "top", at = one.top.at } },
    { bodies = { top = { spin = w, velocity = { w[2] * c[3] - w[3] * c[2],
      w[3] * c[1] - w[1] * c[3], w[1] * c[2] - w[2] * c[1] } } } },
    { "top.position.x", "top.position.y", "top.position.z", "top.velocity.x",
      "top.velocity.y", "top.velocity.z" }
end

local class = { cases = 15, bound = 0 }

function class.case(draw)
  local one = cases[draw:whole(1, #cases)]
  local model, start, labels = (one.top and top or arm)(one)
  start.tolerance = draw:pick { 1e-12, 1e-9, 1e-6 }
  return claimed.error(assert(model:simulate(start)), labels, one.t, one.known)
end

return class
