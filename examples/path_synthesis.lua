-- A four-bar designed for a path: where its joints must be, so that a point of the coupler passes
-- through eight places.
local sarrus = require "sarrus"
local body, joint, vec = sarrus.body, sarrus.joint, sarrus.vec

-- The places, and a rough drawing: joints A to D, and the point P of the coupler.
local places = {
  { 1.30, 1.90 }, { 1.32, 2.12 }, { 0.94, 2.02 }, { 0.54, 1.67 }, { 0.30, 1.27 }, { 0.27, 1.04 },
  { 0.45, 1.08 }, { 0.85, 1.45 },
}
local drawn = { A = { 0, 0 }, B = { 0.8, 0 }, C = { 2.2, 1.6 }, D = { 2.6, 0 }, P = { 1.6, 1.7 } }

local at, names = {}, {}
for _, name in ipairs { "A", "B", "C", "D", "P" } do
  at[name] = {}
  for k, axis in ipairs { "x", "y" } do
    names[#names + 1] = name .. axis
    at[name][k] = sarrus.parameter(name .. axis, drawn[name][k])
  end
end

local fourbar = sarrus.model {
  name = "four-bar for a path",
  body.rod { "crank", from = at.A, to = at.B, mass = 1 },
  body.rigid { "coupler", position = { (at.B[1] + at.C[1]) / 2, (at.B[2] + at.C[2]) / 2 }, mass = 1,
    inertia = 0.5 },
  body.rod { "rocker", from = at.D, to = at.C, mass = 1 },
  body.point { "pen", position = at.P, mass = 0.1 },
  joint.revolute { "hinge A", "ground", "crank", at = at.A, motion = 2 * math.pi * sarrus.time },
  joint.revolute { "hinge B", "crank", "coupler", at = at.B },
  joint.revolute { "hinge C", "coupler", "rocker", at = at.C },
  joint.revolute { "hinge D", "rocker", "ground", at = at.D },
  joint.revolute { "hinge P", "coupler", "pen", at = at.P },
}

--- The nearest time to a place in the present span, by Newton's method: the way there is across the
--- path.
local function nearest(run, t, place)
  local from, to = run:span()
  local s = run:at(t)
  for _ = 1, 12 do
    local v = s:velocity("pen")
    local step = vec.dot(vec.new(place) - s:point("pen"), v) / vec.dot(v, v)
    t = math.max(from, math.min(to, t + step))
    s = run:at(t, s)
    if math.abs(step) < 1e-13 then
      break
    end
  end
  local away, v = vec.new(place) - s:point("pen"), s:velocity("pen")
  return vec.dot(away, away), vec.cross(v, away) / math.sqrt(vec.dot(v, v))
end

--- The sample of the present span that is nearest to a place, and its square distance.
local function best_sample(samples, place)
  local best, least = nil, math.huge
  for _, sample in ipairs(samples) do
    local square = (place[1] - sample[2]) ^ 2 + (place[2] - sample[3]) ^ 2
    if square < least then
      best, least = sample[1], square
    end
  end
  return best, least
end

--- The distance of each place from the path of one turn, positive to its left.
local function distances(run)
  local least, result, s = {}, {}, nil
  while run.time < 1 do
    assert(run:step())
    local from, to = run:span()
    local samples = {}
    for i = 0, 6 do
      local t = from + i / 6 * (to - from)
      s = run:at(t, s)
      local p = s:point("pen")
      samples[i + 1] = { t, p.x, p.y }
    end
    for i, place in ipairs(places) do
      local t, square = best_sample(samples, place)
      if square < 2 * (least[i] or math.huge) then
        local now, distance = nearest(run, t, place)
        if now < (least[i] or math.huge) then
          least[i], result[i] = now, distance
        end
      end
    end
  end
  return result
end

local fit = assert(sarrus.fit { fourbar, parameters = names, residuals = distances })
for i = 1, #names, 2 do
  print(("%s  %9.5f %9.5f"):format(names[i]:sub(1, 1), fit.values[i], fit.values[i + 1]))
end
print("the path passes through all places to 1e-8: " .. tostring(fit.residual < 1e-8))

-- For the command: sarrus run examples/path_synthesis.lua --until 1 --html path.html
local found = {}
for i, name in ipairs(names) do
  found[name] = fit.values[i]
end
return assert(fourbar:simulate { parameters = found })
