--- Joints that close loops, as URDF files carry them for Gazebo: SDF's <joint> within <gazebo>.
---
--- Links stand in <parent> and <child>; the joint is at <pose>, in the frame of the child, and its
--- axes are those of that pose.

local errors = require "sarrus.base.errors"
local placement = require "sarrus.robot.placement"
local urdf_joint = require "sarrus.robot.urdf_joint"

local urdf_loop = {}

-- What a type becomes, and how many axes it has.
local TYPES = {
  revolute = { "revolute", 1 }, ball = { "spherical", 0 }, universal = { "universal", 2 },
  prismatic = { "prismatic", 1 }, fixed = { "fixed", 0 },
}

local function link_of(element, role, by_name)
  local one = element:first(role)
  local name = one and one:text()
  if name == "world" and not by_name.world then
    return { ground = true }
  elseif not by_name[name] then
    return element:fault(("%s: %s: %s"):format(element:title(), role,
      name and "unknown link " .. errors.show(name) or "is missing"))
  end
  return by_name[name]
end

local function pose_of(element)
  local pose = element:first "pose"
  local x = pose and pose:numbers_in(pose:text(), "pose", 6, 6) or { 0, 0, 0, 0, 0, 0 }
  return placement.new(placement.of_rpy { x[4], x[5], x[6] }, { x[1], x[2], x[3] })
end

local function axis_of(element, name, at)
  local axis = element:first(name)
  local xyz = axis and axis:first "xyz"
  local d = xyz and xyz:numbers_in(xyz:text(), "xyz", 3, 3) or { 0, 0, 1 }
  d = urdf_joint.unit(element, d)
  return d and placement.direction(at, d)
end

local function loop_of(element, by_name)
  local name, kind = element:required "name", element:required "type"
  local a, b = link_of(element, "parent", by_name), link_of(element, "child", by_name)
  if kind and not TYPES[kind] then
    return element:fault(("%s: loops are closed by revolute, ball, universal, prismatic and fixed, "
      .. "not by %s"):format(element:title(), errors.show(kind)))
  elseif not name or not kind or not a or not b or not b.at then
    return nil
  end
  local at = placement.product(b.at, pose_of(element))
  local fields = { at = at.origin }
  if TYPES[kind][2] == 1 then
    fields.axis = axis_of(element, "axis", at)
  elseif TYPES[kind][2] == 2 then
    fields.axes = { axis_of(element, "axis", at), axis_of(element, "axis2", at) }
  end
  return { name = name, part = TYPES[kind][1], a = a, b = b, element = element, fields = fields }
end

--- All of them.
---@param root sarrus.Element
---@param by_name table<string, table> links
---@return table[]
function urdf_loop.all(root, by_name)
  local list = {}
  for _, extension in ipairs(root:all "gazebo") do
    local joints = extension:all "joint"
    extension.seen = #joints > 0
    for _, element in ipairs(joints) do
      list[#list + 1] = loop_of(element, by_name)
    end
  end
  return list
end

return urdf_loop
