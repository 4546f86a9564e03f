--- What contacts that are far away cost: a double pendulum that swings, with pairs of shapes that
--- never touch.
---   lua5.4 core/bench/far.lua [all | KIND]   how many instructions they add, by callgrind
---   lua5.4 core/bench/far.lua KIND COUNT T   one run of T s, as it is counted
--- The order is given, since the choice of it differs a little with the rows that there are.
--- `eval "$(make -s env)"` first.
local sarrus = require "sarrus"
local body, joint, shape, contact = sarrus.body, sarrus.joint, sarrus.shape, sarrus.contact

--- The far shapes stand on a circle about the pendulum.
local function place(i, count)
  local angle, distance = 2 * math.pi * i / count, 8 + i % 7
  return distance * math.cos(angle), distance * math.sin(angle)
end

local function planar(own, other)
  return { dimension = 2, own = own, other = other }
end

local function spatial(own, other)
  return { dimension = 3, own = own, other = other }
end

local own = {
  disk = function() return shape.disk { "own", "b", at = { 1.5, 0 }, radius = 0.1 } end,
  box = function()
    return shape.box { "own", "b", at = { 1.5, 0 }, size = { 0.4, 0.2 } }
  end,
  polygon = function()
    return shape.polygon { "own", "b", points = { { 1.3, -0.1 }, { 1.7, -0.1 }, { 1.5, 0.2 } } }
  end,
  sphere = function() return shape.sphere { "own", "b", at = { 1.5, 0, 0 }, radius = 0.1 } end,
  capsule = function()
    return shape.capsule { "own", "b", from = { 1.2, 0, 0 }, to = { 1.8, 0, 0 }, radius = 0.1 }
  end,
}

local other = {
  disk = function(name, x, y) return shape.disk { name, "ground", at = { x, y }, radius = 0.3 } end,
  box = function(name, x, y)
    return shape.box { name, "ground", at = { x, y }, size = { 0.6, 0.5 } }
  end,
  line = function(name, x, y)
    return shape.line { name, "ground", at = { x, y }, normal = { -x, -y } }
  end,
  sphere = function(name, x, y)
    return shape.sphere { name, "ground", at = { x, y, 1 }, radius = 0.3 }
  end,
  solid = function(name, x, y)
    return shape.box { name, "ground", at = { x, y, 1 }, size = { 0.6, 0.5, 0.4 } }
  end,
}

local kinds = {
  ["disk-disk"] = planar(own.disk, other.disk), ["bar-disk"] = planar(nil, other.disk),
  ["box-box"] = planar(own.box, other.box), ["polygon-line"] = planar(own.polygon, other.line),
  ["sphere-sphere"] = spatial(own.sphere, other.sphere),
  ["sphere-box"] = spatial(own.sphere, other.solid),
  ["capsule-box"] = spatial(own.capsule, other.solid),
}
local order = { "disk-disk", "bar-disk", "box-box", "polygon-line", "sphere-sphere", "sphere-box",
  "capsule-box" }

local function model(kind, count)
  local flat = kind.dimension == 2
  local function at(x) return flat and { x, 0 } or { x, 0, 0 } end
  local axis = not flat and { 0, 0, 1 } or nil
  local parts = {
    gravity = flat and { 0, -9.81 } or { 0, -9.81, 0 },
    body.rod { "a", from = at(0), to = at(1), mass = 1 },
    body.rod { "b", from = at(1), to = at(2), mass = 1 },
    joint.revolute { "hinge", "ground", "a", at = at(0), axis = axis },
    joint.revolute { "elbow", "a", "b", at = at(1), axis = axis },
    kind.own and count > 0 and kind.own() or nil,
  }
  for i = 1, count do
    local x, y = place(i, count)
    table.insert(parts, kind.other("far" .. i, x, y))
    table.insert(parts, contact.pair { "pair" .. i, kind.own and "own" or "b", "far" .. i,
      friction = 0.3 })
  end
  return sarrus.model(parts)
end

if arg[3] then
  local sim = assert(model(kinds[arg[1]], tonumber(arg[2])):simulate { tolerance = 1e-10,
    order = 24 })
  assert(sim:advance(tonumber(arg[3])))
  print(sim:stats().steps)
  return
end

local function run(kind, count, t)
  local command = "mkdir -p build/bench && valgrind --tool=callgrind "
    .. "--callgrind-out-file=build/bench/far.out --toggle-collect=sarrus_sim_advance "
    .. "lua5.4 core/bench/far.lua %s %d %g 2>&1"
  local pipe = assert(io.popen(command:format(kind, count, t)))
  local text = pipe:read "a"
  pipe:close()
  return tonumber(text:match "Collected : (%d+)"), tonumber(text:match "\n(%d+)\n")
end

local T = 5

for _, kind in ipairs(order) do
  if (arg[1] or "all") == "all" or arg[1] == kind then
    local none, steps = run(kind, 0, T)
    io.write(("%-14s %6.0f instructions per step"):format(kind, none / steps))
    for _, count in ipairs { 20, 200 } do
      local all, taken = run(kind, count, T)
      io.write(("; %d far: %+.1f %%"):format(count, 100 * (all / none - 1)),
        taken ~= steps and (" (steps %+.1f %%)"):format(100 * (taken / steps - 1)) or "")
    end
    print()
  end
end
