-- A Delta robot from a URDF file: the file has links and motors, the script closes the loops and
-- lets the motors follow a path by what inverse dynamics says they need.
local sarrus = require "sarrus"

local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or ""

-- The far end of each rod, 0.8 m along it, is a ball joint of the platform, 0.045 m out.
local loops = {}
for i = 1, 3 do
  local angle = 2 * math.pi * (i - 1) / 3
  local c, s = math.cos(angle), math.sin(angle)
  for side, y in pairs { a = -0.05, b = 0.05 } do
    loops[#loops + 1] = { "ball" .. i .. side, "rod" .. i .. side, "platform",
      at = { a = { 0, 0, 0.8 }, b = { 0.045 * c - y * s, 0.045 * s + y * c, 0 } } }
  end
end
table.sort(loops, function(a, b) return a[1] < b[1] end)

local parts = assert(sarrus.import(folder .. "delta.urdf", { loops = loops }))
local delta = sarrus.model { name = parts.name, gravity = parts.gravity, parts }
print(tostring(delta), "freedoms " .. delta:freedoms())
for _, note in ipairs(parts.notes) do
  print("note: " .. note:match("[^/]*$"))
end

-- Every 10 ms: the torques for the path's acceleration, and a little more where an arm is off it.
local function path(i, t)
  local w, phase = 2 * math.pi, 2 * math.pi * (i - 1) / 3
  local x = 0.3 * (math.sin(w * t + phase) - math.sin(phase))
  return x, 0.3 * w * math.cos(w * t + phase), -0.3 * w * w * math.sin(w * t + phase)
end

local follow = sarrus.controller {
  period = 0.01,
  action = function(sim, s)
    local wanted, torques = {}, {}
    for i = 1, 3 do
      local x, v, a = path(i, s.t)
      local arm = s:joint("shoulder" .. i)
      wanted["shoulder" .. i] = a + 100 * (x - arm.angle) + 20 * (v - arm.rate)
    end
    local needed = assert(s:efforts(wanted))
    for i = 1, 3 do
      torques["motor" .. i] = needed["shoulder" .. i]
    end
    sim:set(torques)
  end,
}

local start = { joints = {}, controllers = { follow } }
for i = 1, 3 do
  start.joints["shoulder" .. i] = { angle = 0, rate = select(2, path(i, 0)) }
end
local sim = assert(delta:simulate(start))
local function thousand(x) -- millimetres, milliradians
  return (("%9.3f"):format(1000 * x):gsub("%-0%.000", " 0.000"))
end
print("  t   platform x, y, z [mm]         arm 1 off [mrad]  loops closed")
for t, s in sim:samples(1, 0.2) do
  local p, arm = s:body("platform").position, s:joint("shoulder1").angle
  print(("%.1f %s %s %s     %s         %s"):format(t, thousand(p.x), thousand(p.y), thousand(p.z),
    thousand(arm - path(1, t)), tostring(s:residual().position < 1e-14)))
end

-- For the command: sarrus run examples/delta.lua --html delta.html
return assert(delta:simulate(start))
