--- MJCF files: MuJoCo's bodies, joints, geoms, equalities and actuators, as a robot (items.lua).

local include = require "sarrus.robot.mjcf_include"
local mjcf_actuator = require "sarrus.robot.mjcf_actuator"
local mjcf_body = require "sarrus.robot.mjcf_body"
local mjcf_class = require "sarrus.robot.mjcf_class"
local mjcf_equality = require "sarrus.robot.mjcf_equality"
local mjcf_geom = require "sarrus.robot.mjcf_geom"
local mjcf_pose = require "sarrus.robot.mjcf_pose"
local solid = require "sarrus.robot.solid"

local mjcf = {}

local NO_MECHANICS = "no part of the mechanics"

--- Why elements are ignored, by their names.
mjcf.REASONS = {
  visual = NO_MECHANICS, statistic = NO_MECHANICS, size = NO_MECHANICS, custom = NO_MECHANICS,
  sensor = NO_MECHANICS, camera = NO_MECHANICS, light = NO_MECHANICS, texture = "not drawn",
  skin = "not drawn", hfield = "not drawn", keyframe = "give a start to simulate",
  key = "give a start to simulate", contact = "contacts go by shapes", flag = NO_MECHANICS,
  connect = "it is not active", weld = "it is not active", joint = "it is not active",
}

-- Sections that change the mechanics and are not understood.
local REFUSED = { "tendon", "deformable", "extension" }

local ANGLES = { degree = math.pi / 180, radian = 1 }

local function refuse(root)
  for _, name in ipairs(REFUSED) do
    for _, section in ipairs(root:all(name)) do
      local first = section.children[1]
      if first then
        section.seen = true
        first:fault(("<%s>: <%s> is not understood"):format(name, first.name))
      end
    end
  end
end

--- What <compiler> says; later ones add to earlier ones.
local function settings_of(root)
  local all = {}
  for _, one in ipairs(root:all "compiler") do
    all[#all + 1] = one
  end
  local function last(name, usual)
    local value = usual
    for _, one in ipairs(all) do
      value = one:string(name, value)
    end
    return value
  end
  local function number(name)
    local value = 0
    for _, one in ipairs(all) do
      value = one:number(name, value)
    end
    return value
  end
  if last("coordinate", "local") ~= "local" then
    all[#all]:fault("<compiler>: global coordinates are not understood")
  end
  local angle = last("angle", "degree")
  if not ANGLES[angle] then
    all[#all]:fault(('<compiler>: angle: "%s", want "degree" or "radian"'):format(angle))
  end
  local eulerseq = "xyz"
  for _, one in ipairs(all) do
    eulerseq = one.attributes.eulerseq and mjcf_pose.sequence(one) or eulerseq
  end
  return {
    file = root.file, eulerseq = eulerseq, meshdir = last("meshdir", last("assetdir", "")),
    angle = ANGLES[angle] or 1,
    autolimits = last("autolimits", "true") == "true", strippath = last "strippath" == "true",
    from_geoms = last("inertiafromgeom", "auto"), balance = last "balanceinertia" == "true",
    least_mass = number "boundmass", least_inertia = number "boundinertia",
    total_mass = number "settotalmass",
  }
end

local function gravity_of(root)
  local gravity = { 0, 0, -9.81 }
  for _, option in ipairs(root:all "option") do
    gravity = option:numbers("gravity", 3, 3, gravity)
    for _, flag in ipairs(option:all "flag") do
      if flag:string("gravity", "enable") == "disable" then
        gravity = { 0, 0, 0 }
      end
    end
  end
  return gravity
end

--- Scale all masses to a total.
local function set_total(links, total)
  local sum = 0
  for _, link in ipairs(links) do
    sum = sum + (link.solid and link.solid.mass or 0)
  end
  for _, link in ipairs(sum > 0 and links or {}) do
    if link.solid and link.solid.mass > 0 then
      link.solid = solid.scaled(link.solid, link.solid.mass * total / sum)
    end
  end
end

--- Shapes whose triangles are missing are not drawn.
local function drop_missing(link)
  for i = #link.shapes, 1, -1 do
    if link.shapes[i].missing then
      table.remove(link.shapes, i)
    end
  end
end

--- An MJCF file as a robot.
---@param root sarrus.Element
---@return table? robot nil after faults
function mjcf.read(root)
  if not include(root) then
    return nil
  end
  refuse(root)
  local context = {
    settings = settings_of(root), classes = mjcf_class.of(root), gravity = gravity_of(root),
  }
  context.meshes = mjcf_geom.meshes(root, context.settings, context.classes)
  context.colors = mjcf_geom.colors(root)
  mjcf_body.read(root, context)
  if #context.links == 0 then
    root:fault("there is no <body>")
  end
  local loops, couplings = mjcf_equality.read(root, context)
  mjcf_actuator.read(root, context)
  if context.settings.total_mass > 0 then
    set_total(context.links, context.settings.total_mass)
  end
  drop_missing(context.ground)
  for _, link in ipairs(context.links) do
    drop_missing(link)
  end
  context.classes:close()
  return {
    name = root:string("model", "robot"), gravity = context.gravity, links = context.links,
    joints = context.tree, by_name = context.bodies, couplings = couplings, loops = loops,
    frames = context.frames, forces = context.forces, ground = context.ground,
  }
end

return mjcf
