--- Robots drawn at random, written as URDF and as MJCF and imported, with links fused over fixed
--- joints and without: efforts at random positions, rates and accelerations, against the recursion
--- of Newton and Euler.

local robots = dofile("spec/random/tools/robots.lua")
local sarrus = require "sarrus"

local class = { cases = 25, bound = 1e-11 }

local function start(links)
  local joints, accelerations = {}, {}
  for _, link in ipairs(links) do
    local joint = link.joint
    if joint.kind == "prismatic" then
      joints[joint.name] = { length = joint.q, speed = joint.rate }
    elseif joint.kind ~= "fixed" then
      joints[joint.name] = { angle = joint.q, rate = joint.rate }
    end
    accelerations[joint.name] = joint.kind ~= "fixed" and joint.acceleration or nil
  end
  return joints, accelerations
end

--- How far the efforts of the imported robot are from those expected, relative.
local function compare(parts, links, expected)
  local model = sarrus.model { gravity = parts.gravity, parts }
  local joints, accelerations = start(links)
  if not next(joints) then
    return 0
  end
  local s = assert(model:simulate { joints = joints }):state()
  local found = assert(s:efforts(accelerations))
  local off, size = 0, 1
  for name, effort in pairs(expected) do
    off, size = math.max(off, math.abs(found[name] - effort)), math.max(size, math.abs(effort))
  end
  return off / size
end

function class.case(draw)
  local links = robots.draw(draw, draw:whole(1, 8))
  local gravity = { 0, 0, -9.81 }
  local worst = 0
  local function try(text, suffix, rotors, options)
    local expected = robots.efforts(links, gravity, rotors)
    worst = math.max(worst, robots.with_file(text, suffix, function(path)
      return compare(assert(sarrus.import(path, options)), links, expected)
    end))
  end
  local urdf = robots.urdf(links)
  try(urdf, ".urdf", false)
  try(urdf, ".urdf", false, { fuse = false })
  try(robots.mjcf(links, draw), ".xml", true)
  return worst
end

return class
