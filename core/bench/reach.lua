--- Inverse kinematics in CPU time: targets that a six-axis arm, without and with limits, a Stewart
--- platform and a Delta can reach, from the drawing.
--- `eval "$(make -s env)"; lua5.4 core/bench/reach.lua [targets [which]]`
local sarrus = require "sarrus"
local deadlines = dofile("spec/deadlines.lua")
local draw = dofile("spec/random/tools/draw.lua").new(1)
local body, joint = sarrus.body, sarrus.joint

local count = tonumber(arg and arg[1] or nil) or 1000

--- Six hinges, those of the wrist through one point.
local function six_axis(limits)
  local parts, before = { name = "arm" }, "ground"
  local places = { { 0, 0, 0 }, { 0, 0, 0.4 }, { 0.45, 0, 0.4 }, { 0.45, 0, 0.85 },
    { 0.45, 0, 0.85 }, { 0.45, 0, 0.85 }, { 0.45, 0, 1 } }
  local axes = { { 0, 0, 1 }, { 0, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 1, 0 }, { 0, 0, 1 } }
  for i, axis in ipairs(axes) do
    local a, b = places[i], places[i + 1]
    parts[#parts + 1] = body.rigid { "link" .. i, mass = 3, inertia = { 0.05, 0.04, 0.03 },
      position = { (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, (a[3] + b[3]) / 2 } }
    parts[#parts + 1] = joint.revolute { "J" .. i, before, "link" .. i, at = a, axis = axis,
      limits = limits and { -2.6, 2.6 } or nil }
    before = "link" .. i
  end
  return sarrus.model(parts)
end

--- A pose that the arm has: its target.
local function pose_of_arm(model)
  local joints = {}
  for i = 1, 6 do
    joints["J" .. i] = { angle = draw:between(-2.5, 2.5) }
  end
  local s = assert(model:assemble { joints = joints })
  return { "link6", position = s:body("link6").position, orientation = s:body("link6").orientation }
end

local function pose_of_platform()
  return { "platform",
    position = { draw:between(-0.2, 0.2), draw:between(-0.2, 0.2), draw:between(0.85, 1.2) },
    orientation = { axis = draw:list(3, -1, 1), angle = draw:between(-0.4, 0.4) } }
end

local function place_of_delta(model)
  local joints = {}
  for i = 1, 3 do
    joints["shoulder" .. i] = { angle = draw:between(-0.5, 0.8) }
  end
  local s = assert(model:assemble { joints = joints })
  return { "platform", position = s:body("platform").position }
end

--- That of examples/delta.lua.
local function delta()
  local loops = {}
  for i = 1, 3 do
    local angle = 2 * math.pi * (i - 1) / 3
    local c, s = math.cos(angle), math.sin(angle)
    for k, side in ipairs { "a", "b" } do
      local y = k == 1 and -0.05 or 0.05
      loops[#loops + 1] = { "ball" .. i .. side, "rod" .. i .. side, "platform",
        at = { a = { 0, 0, 0.8 }, b = { 0.045 * c - y * s, 0.045 * s + y * c, 0 } } }
    end
  end
  local parts = assert(sarrus.import("examples/delta.urdf", { loops = loops }))
  return sarrus.model { name = parts.name, gravity = parts.gravity, parts }
end

local function measure(what, model, target_of)
  local ticks, missed, worst, sum, attempts = {}, 0, 0, 0, 0
  local targets = {}
  for i = 1, count do
    targets[i] = target_of(model)
  end
  assert(model:reach { targets = { targets[1] } }) -- compiles
  for i = 1, count do
    local began = os.clock()
    local s, report = model:reach { targets = { targets[i] } }
    ticks[i] = os.clock() - began
    sum = sum + ticks[i]
    missed = missed + (s and 0 or 1)
    if s then
      worst = math.max(worst, report.off, report.turned, s:residual().position)
      attempts = attempts + report.attempts
    end
  end
  table.sort(ticks)
  print(("%-18s %5d targets, %d missed, error %.1e, %.2f starts; mean %.3f  median %.3f  p90 %.3f  "
    .. "p99 %.3f  worst %.3f ms"):format(what, count, missed, worst, attempts / count,
    1e3 * sum / count, 1e3 * ticks[math.ceil(count / 2)], 1e3 * ticks[math.ceil(0.9 * count)],
    1e3 * ticks[math.ceil(0.99 * count)], 1e3 * ticks[count]))
end

local list = {
  { "arm", six_axis(), pose_of_arm }, { "arm with limits", six_axis(true), pose_of_arm },
  { "Stewart platform", deadlines.stewart(), pose_of_platform },
  { "Delta", delta(), place_of_delta },
}
for _, one in ipairs(list) do
  if not arg or not arg[2] or one[1] == arg[2] then
    measure(one[1], one[2], one[3])
  end
end
