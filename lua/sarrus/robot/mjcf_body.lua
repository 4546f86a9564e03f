--- The bodies of an MJCF file: nested, with frames, joints, geoms and sites.

local errors = require "sarrus.base.errors"
local kinds = require "sarrus.robot.joint_kinds"
local mjcf_geom = require "sarrus.robot.mjcf_geom"
local mjcf_joint = require "sarrus.robot.mjcf_joint"
local mjcf_pose = require "sarrus.robot.mjcf_pose"
local placement = require "sarrus.robot.placement"
local solid = require "sarrus.robot.solid"

local mjcf_body = {}

-- Elements of bodies that change the mechanics and are not understood.
local REFUSED = {
  composite = true, flexcomp = true, replicate = true, attach = true, plugin = true,
}

-- Masses -----------------------------------------------------------------------------------------

local function matrix(element)
  local full, diagonal = element:numbers("fullinertia", 6), element:numbers("diaginertia", 3)
  if full then
    return { { full[1], full[4], full[5] }, { full[4], full[2], full[6] },
      { full[5], full[6], full[3] } }
  elseif diagonal then
    return { { diagonal[1], 0, 0 }, { 0, diagonal[2], 0 }, { 0, 0, diagonal[3] } }
  end
  element:fault("<inertial> has neither diaginertia nor fullinertia")
end

local function of_inertial(element, context, offset)
  local mass = element:required "mass" and element:number "mass"
  local inertia = matrix(element)
  if not element:required "pos" or not mass or not inertia then
    return nil
  end
  local at = placement.product(offset, mjcf_pose.of(element, context.settings))
  return solid.placed(solid.new(mass, { 0, 0, 0 }, inertia), at)
end

--- The mass of a body: its own, or that of its geoms.
local function solid_of(link, context)
  local settings, list = context.settings, {}
  local from_geoms = settings.from_geoms
  if link.inertial and from_geoms ~= "true" then
    return link.inertial.solid
  elseif from_geoms == "false" then
    return nil
  end
  for _, shape in ipairs(link.shapes) do
    if shape.missing then
      shape.element:fault(("%s: the mass of body %s depends on a mesh that could not be read")
        :format(shape.element:title(), errors.show(link.name)))
    end
    list[#list + 1] = shape.solid
  end
  return #list > 0 and solid.sum(list) or nil
end

--- What the compiler makes of a body's mass.
local function adjusted(own, settings, element)
  local i = own.inertia
  if settings.balance then
    local a, b, c = i[1][1], i[2][2], i[3][3]
    if a + b < c or a + c < b or b + c < a then
      local mean = (a + b + c) / 3
      element:note("balanceinertia made the moments of inertia equal")
      own = solid.new(own.mass, own.centre, { { mean, 0, 0 }, { 0, mean, 0 }, { 0, 0, mean } })
    end
  end
  local mass = math.max(own.mass, settings.least_mass)
  local inertia = {}
  for r = 1, 3 do
    inertia[r] = { own.inertia[r][1], own.inertia[r][2], own.inertia[r][3] }
    inertia[r][r] = math.max(inertia[r][r], settings.least_inertia)
  end
  return solid.new(mass, own.centre, inertia)
end

-- Content ----------------------------------------------------------------------------------------

local readers = {}

local function read_joint(element, context, link, offset, class)
  if element.name == "joint" then
    context.classes:apply(element, class)
  end
  if link.ground then
    return element:fault(("%s: the world has no joints"):format(element:title()))
  end
  local joint = mjcf_joint.read(element, context, placement.product(link.at, offset), link.name)
  table.insert(link.joints, joint)
end
readers.joint, readers.freejoint = read_joint, read_joint

function readers.geom(element, context, link, offset, class)
  context.classes:apply(element, class)
  local shape = mjcf_geom.read(element, context, offset)
  table.insert(link.shapes, shape)
end

function readers.site(element, context, link, offset, class)
  context.classes:apply(element, class)
  local name = element:string "name"
  for _, looks in ipairs { "type", "size", "rgba", "group", "material" } do
    element:string(looks)
  end
  local at = placement.product(placement.product(link.at, offset),
    mjcf_pose.of(element, context.settings))
  if name then
    local site = { name = name, link = link, at = at }
    context.sites[name] = site
    table.insert(context.frames, site)
  end
end

function readers.inertial(element, context, link, offset)
  if link.inertial then
    element:fault(("body %s has two <inertial>"):format(errors.show(link.name)))
  end
  link.inertial = { solid = of_inertial(element, context, offset) }
end

function readers.body(element, _, link, offset, class)
  table.insert(link.inner, { element = element, offset = offset, class = class })
end

local function read_content(element, context, link, offset, class)
  for _, child in ipairs(element.children) do
    local reader = readers[child.name]
    child.seen = reader ~= nil
    if reader then
      reader(child, context, link, offset, class)
    elseif REFUSED[child.name] then
      child.seen = true
      child:fault(("<%s> is not understood"):format(child.name))
    end
  end
end

function readers.frame(element, context, link, offset, class)
  element:string "name"
  read_content(element, context, link,
    placement.product(offset, mjcf_pose.of(element, context.settings)),
    element:string "childclass" or class)
end

-- Links ------------------------------------------------------------------------------------------

--- Append a link, with the joint that leads to it.
local function put_link(context, link, inner, joint)
  joint.a, joint.b, link.joint = not inner.ground and inner or nil, link, joint
  table.insert(context.links, link)
  table.insert(context.tree, joint)
end

--- A link without mass between two joints of one body.
local function between(context, link, i)
  local name = link.name .. "_" .. i
  while context.bodies[name] do
    name = name .. "_"
  end
  local one = { name = name, element = link.element, at = link.at, shapes = {}, massless = true }
  context.bodies[name] = one
  return one
end

--- Hang a link on its parent by its joints, the first of which moves all others.
local function hang(context, link, parent)
  local joints = link.joints
  if #joints == 0 then
    joints = { { element = link.element, kind = kinds.rigid, fields = {}, motors = {},
      at = link.at.origin } }
  end
  for i, joint in ipairs(joints) do
    if not joint.kind.part and (#joints > 1 or not parent.ground) then
      joint.element:fault(("%s: a free joint stands alone, in a body of the world"):format(
        joint.element:title()))
    end
    local next_link = i < #joints and between(context, link, i) or link
    put_link(context, next_link, parent, joint)
    parent = next_link
    if joint.ball_damping then
      table.insert(context.forces, mjcf_joint.damper(joint))
    end
  end
end

--- What gravcomp says: a share of the weight, upwards, as an item.
local function lift(link, share, gravity)
  return function(taken, body_name)
    local force = {}
    for k = 1, 3 do
      force[k] = -share * link.solid.mass * gravity[k]
    end
    return body_name(link) ~= "ground" and { "force", "applied", element = link.element, given = {
      taken:take(link.name .. "_gravcomp", "_force"), body_name(link), force = force,
      at = placement.point(link.at, link.solid.centre),
    } }
  end
end

--- A body and all that hangs on it.
local function read_body(given, context, parent)
  local element = given.element
  local name = element:string "name"
  if name and context.bodies[name] then
    element:fault(("body %s: the name is taken by line %d"):format(errors.show(name),
      context.bodies[name].element.line))
  end
  local class = element:string "childclass" or given.class
  local link = {
    name = name or "body" .. #context.links + 1, element = element, shapes = {}, joints = {},
    inner = {}, at = placement.product(placement.product(parent.at, given.offset),
      mjcf_pose.of(element, context.settings)),
  }
  context.bodies[link.name] = link
  read_content(element, context, link, placement.new(), class)
  link.solid = solid_of(link, context)
  link.solid = link.solid and adjusted(link.solid, context.settings, element)
  local share = element:number("gravcomp", 0)
  if share ~= 0 and link.solid then
    table.insert(context.forces, lift(link, share, context.gravity))
  end
  hang(context, link, parent)
  for _, inner in ipairs(link.inner) do
    read_body(inner, context, link)
  end
end

--- Read the world: fills links, tree, bodies, joints, sites, frames and forces of the context.
---@param root sarrus.Element
---@param context table settings, classes, meshes, colors
function mjcf_body.read(root, context)
  local world = { ground = true, name = "world", at = placement.new(), shapes = {}, inner = {} }
  for _, name in ipairs { "links", "tree", "bodies", "joints", "sites", "frames", "forces" } do
    context[name] = {}
  end
  context.ground, context.bodies.world = world, world
  for _, element in ipairs(root:all "worldbody") do
    world.element = element
    read_content(element, context, world, placement.new(), nil)
  end
  for _, inner in ipairs(world.inner) do
    read_body(inner, context, world)
  end
end

return mjcf_body
