--- URDF files: links and joints, as a robot (see items.lua).

local errors = require "sarrus.base.errors"
local kinds = require "sarrus.robot.joint_kinds"
local meshes = require "sarrus.robot.meshes"
local placement = require "sarrus.robot.placement"
local shapes = require "sarrus.robot.shapes"
local solid = require "sarrus.robot.solid"
local urdf_joint = require "sarrus.robot.urdf_joint"
local urdf_loop = require "sarrus.robot.urdf_loop"

local urdf = {}

--- Why elements are ignored, by their names.
urdf.REASONS = {
  gazebo = "an extension for Gazebo", sensor = "sensors are no part of the mechanics",
  transmission = "only simple transmissions are taken over", safety_controller = "no controllers",
  calibration = "no part of the mechanics", ros2_control = "no part of the mechanics",
  texture = "textures are not drawn", verbose = "no part of the mechanics",
  contact_coefficients = "contacts have a law of their own",
}

-- Links ------------------------------------------------------------------------------------------

--- The mass of a link, in its frame; nil where it has none.
local function solid_of(link)
  local inertial = link:first "inertial"
  if not inertial then
    return nil
  end
  local mass, tensor = inertial:first "mass", inertial:first "inertia"
  if not mass or not tensor then
    return inertial:fault(("link %s: <inertial> has no <%s>"):format(
      errors.show(link.attributes.name), mass and "inertia" or "mass"))
  end
  local i = {}
  for _, name in ipairs { "ixx", "ixy", "ixz", "iyy", "iyz", "izz" } do
    i[name] = tensor:required(name) and tensor:number(name, 0) or 0
  end
  local m = mass:required "value" and mass:number("value", 0) or 0
  local at = urdf_joint.origin(inertial)
  return solid.placed(solid.new(m, { 0, 0, 0 }, {
    { i.ixx, i.ixy, i.ixz }, { i.ixy, i.iyy, i.iyz }, { i.ixz, i.iyz, i.izz },
  }), at)
end

local function positive(element, name)
  local x = element:required(name) and element:number(name)
  if x and x <= 0 then
    return element:fault(("%s: %s = %s is not positive"):format(element:title(), name,
      errors.show(x)))
  end
  return x
end

local geometries = {}

function geometries.box(element, shape)
  local size = element:required "size" and element:numbers("size", 3)
  for k = 1, size and 3 or 0 do
    if size[k] <= 0 then
      return element:fault(("<box>: size = %s is not positive"):format(errors.show(size[k])))
    end
  end
  shape.size = size
  return size
end

function geometries.sphere(element, shape)
  shape.radius = positive(element, "radius")
  return shape.radius
end

function geometries.cylinder(element, shape)
  shape.radius, shape.length = positive(element, "radius"), positive(element, "length")
  return shape.radius and shape.length
end
geometries.capsule = geometries.cylinder

function geometries.mesh(element, shape, cache)
  local name = element:required "filename"
  shape.scale = element:numbers("scale", 3, 3, { 1, 1, 1 })
  if shape.scale[1] * shape.scale[2] * shape.scale[3] == 0 then
    return element:fault("<mesh>: a scale of 0")
  end
  return name and shapes.load(shape, element, meshes.find(element.file, name), name, cache)
end

local KINDS = { "box", "sphere", "cylinder", "capsule", "mesh" }

--- The shape of a <visual> or <collision>; nil where it has none.
local function shape_of(element, role, cache)
  local geometry = element:first "geometry"
  element:string "name"
  if not geometry then
    return element:fault(("<%s> has no <geometry>"):format(role))
  end
  for _, kind in ipairs(KINDS) do
    local one = geometry:first(kind)
    if one then
      local shape = { kind = kind, role = role, element = element, at = urdf_joint.origin(element) }
      return geometries[kind](one, shape, cache) and shape or nil
    end
  end
  if #geometry.children == 0 then
    geometry:fault("<geometry> is empty")
  end
end

--- Colours by the names of materials.
local function colors_of(root)
  local colors = {}
  for _, material in ipairs(root:all "material") do
    local name, color = material:required "name", material:first "color"
    local rgba = color and color:numbers("rgba", 4)
    if name and rgba then
      colors[name] = shapes.color(rgba)
    end
  end
  return colors
end

local function color_of(visual, colors)
  local material = visual:first "material"
  if not material then
    return nil
  end
  local color, name = material:first "color", material:string "name"
  local rgba = color and color:numbers("rgba", 4)
  local own = rgba and shapes.color(rgba)
  if own and name and not colors[name] then
    colors[name] = own -- known by name to those that follow
  end
  return own or colors[name]
end

local function shapes_of(element, colors, cache)
  local list = {}
  for _, role in ipairs { "visual", "collision" } do
    for _, one in ipairs(element:all(role)) do
      local shape = shape_of(one, role, cache)
      if role == "visual" then
        local color = color_of(one, colors)
        if shape then
          shape.color = color
        end
      end
      list[#list + 1] = shape
    end
  end
  return list
end

--- The links by name, and in order.
local function links_of(root, cache)
  local by_name, list, colors = {}, {}, colors_of(root)
  for _, element in ipairs(root:all "link") do
    local name = element:required "name"
    local other = name and by_name[name]
    if other then
      element:fault(("link %s: the name is taken by line %d"):format(errors.show(name),
        other.element.line))
    elseif name then
      local link = { name = name, element = element, solid = solid_of(element) }
      link.shapes = shapes_of(element, colors, cache)
      by_name[name], list[#list + 1] = link, link
    end
  end
  return by_name, list
end

-- The tree ---------------------------------------------------------------------------------------

--- Hang joints on links: each link has one joint that leads to it.
local function hang(joints)
  for _, joint in ipairs(joints) do
    local child = joint.b
    if child.joint then
      joint.element:fault(("joint %s: the link %s already hangs on joint %s (line %d); close loops "
        .. "with the option loops"):format(errors.show(joint.name), errors.show(child.name),
        errors.show(child.joint.name), child.joint.element.line))
    else
      child.joint = joint
      joint.a.outer = joint.a.outer or {}
      table.insert(joint.a.outer, joint)
    end
  end
end

--- The one link that hangs on nothing; nil and faults.
local function root_of(root, links)
  local first
  for _, link in ipairs(links) do
    if not link.joint then
      if first then
        link.element:fault(("link %s hangs on nothing, as link %s (line %d) does: a robot has one "
          .. "root"):format(errors.show(link.name), errors.show(first.name), first.element.line))
      end
      first = first or link
    end
  end
  if not first then
    local lines = #links > 0 and links[1].element or root
    lines:fault(#links > 0 and "every link hangs on another one: the joints go round in a circle"
      or "there is no <link>")
  end
  return first
end

--- Place links from the root outwards; the list in that order.
local function place(first)
  local list, i = { first }, 1
  first.at = placement.new()
  while list[i] do
    for _, joint in ipairs(list[i].outer or {}) do
      joint.b.at = placement.product(list[i].at, joint.origin)
      list[#list + 1] = joint.b
    end
    i = i + 1
  end
  return list
end

--- Faults for links that the root does not reach.
local function check_reached(links)
  for _, link in ipairs(links) do
    if not link.at then
      return link.element:fault(("link %s is in a circle of joints that the root does not reach")
        :format(errors.show(link.name)))
    end
  end
end

--- Whether a file is one that xacro has still to expand; then with a fault.
local function refuse_macros(root)
  for _, child in ipairs(root.children) do
    if child.name:find("^xacro:") then
      child:fault(("%s: this file is for xacro: let it write the URDF first"):format(child:title()))
      return true
    end
  end
  return false
end

--- A URDF as a robot.
---@param root sarrus.Element
---@param options table
---@return table? robot nil after faults
function urdf.read(root, options)
  local cache = {}
  root:string "version"
  if refuse_macros(root) then
    return nil
  end
  local by_name, links = links_of(root, cache)
  local joints = urdf_joint.all(root, by_name)
  if root.report:message() then
    return nil -- what follows would only follow from that
  end
  hang(joints)
  local first = root_of(root, links)
  if root.report:message() then
    return nil
  end
  local ordered = place(first)
  check_reached(links)
  if root.report:message() then
    return nil
  end
  first.joint = {
    kind = options.floating and kinds.free or kinds.rigid, b = first,
    element = first.element, fields = {}, motors = {},
  }
  local tree = {}
  for i, link in ipairs(ordered) do
    local joint = link.joint
    joint.at = link.at.origin
    joint.axis = joint.axis and placement.direction(link.at, joint.axis)
    tree[i] = joint
  end
  return {
    name = root:string("name", "robot"), gravity = { 0, 0, -9.81 }, links = ordered, joints = tree,
    by_name = by_name, couplings = urdf_joint.couplings(joints, by_name),
    loops = urdf_loop.all(root, by_name),
  }
end

return urdf
