--- Fits: parameters and starts of random swings, found again from what they do.

local sarrus = require "sarrus"

local class = { cases = 6, bound = 1e-8 }

local function swing(draw)
  local parts = { name = "swing", gravity = { 0, -9.81 } }
  local at, before = { 0, 0 }, "ground"
  for i = 1, 2 do
    local to = { at[1] + draw:between(0.3, 0.8), at[2] - draw:between(0.3, 0.8) }
    parts[#parts + 1] = sarrus.body.rod { "rod" .. i, from = at, to = to,
      mass = sarrus.parameter("m" .. i, 1) }
    parts[#parts + 1] = sarrus.joint.revolute { "J" .. i, before, "rod" .. i, at = at,
      stiffness = sarrus.parameter("k" .. i, 5), damping = sarrus.parameter("c" .. i, 0.2) }
    at, before = to, "rod" .. i
  end
  return sarrus.model(parts)
end

function class.case(draw)
  local model = swing(draw)
  local names = { "k1", "k2", "c2", "start.J1.rate" }
  local exact = {
    draw:between(3, 8), draw:between(3, 8), draw:between(0.1, 0.5), draw:between(-1, 1),
  }
  local run = assert(model:simulate {
    parameters = { k1 = exact[1], k2 = exact[2], c2 = exact[3] },
    joints = { J1 = { rate = exact[4] } },
  })
  local data = { t = {}, ["J1.angle"] = {}, ["J2.angle"] = {} }
  for t, s in run:samples(1.5, 0.05) do
    table.insert(data.t, t)
    table.insert(data["J1.angle"], s:joint("J1").angle)
    table.insert(data["J2.angle"], s:joint("J2").angle)
  end
  local found = assert(sarrus.fit { model, parameters = names, data = data })
  local off = 0
  for i, x in ipairs(exact) do
    off = math.max(off, math.abs(found.values[names[i]] - x))
  end
  return off
end

return class
