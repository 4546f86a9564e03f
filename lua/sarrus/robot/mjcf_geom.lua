--- The geoms of an MJCF file: shapes, and masses where bodies have none of their own.

local errors = require "sarrus.base.errors"
local meshes = require "sarrus.robot.meshes"
local mjcf_pose = require "sarrus.robot.mjcf_pose"
local placement = require "sarrus.robot.placement"
local rotation = require "sarrus.expr.rotation"
local shapes = require "sarrus.robot.shapes"
local solid = require "sarrus.robot.solid"

local mjcf_geom = {}

-- Sizes ------------------------------------------------------------------------------------------

-- What a kind takes from `size`, how many numbers that are, how many with `fromto`, and its solid.
local KINDS = {}

KINDS.sphere = { count = 1,
  put = function(shape, s) shape.radius = s[1] end,
  solid = function(shape, density) return solid.sphere(density, shape.radius) end,
}
KINDS.capsule = { count = 2, along = 1,
  put = function(shape, s) shape.radius, shape.length = s[1], 2 * s[2] end,
  solid = function(shape, density) return solid.capsule(density, shape.radius, shape.length) end,
}
KINDS.cylinder = { count = 2, along = 1,
  put = KINDS.capsule.put,
  solid = function(shape, density) return solid.cylinder(density, shape.radius, shape.length) end,
}
KINDS.box = { count = 3, along = 2,
  put = function(shape, s) shape.size = { 2 * s[1], 2 * s[2], 2 * s[3] } end,
  solid = function(shape, density) return solid.box(density, shape.size) end,
}
KINDS.ellipsoid = { count = 3, along = 2,
  put = function(shape, s) shape.half = { s[1], s[2], s[3] } end,
  solid = function(shape, density) return solid.ellipsoid(density, shape.half) end,
}
KINDS.plane = { count = 0, put = function() end }
KINDS.mesh = { count = 0, put = function() end,
  solid = function(shape, density)
    return solid.of_triangles(density, meshes.scaled(shape.points, shape.scale))
  end,
}

--- The numbers of `size`, positive and enough of them; nil and a fault.
local function sizes(element, count)
  local list = element:numbers("size", 0, 3, {})
  for k = 1, count do
    if not list[k] or list[k] <= 0 then
      return element:fault(("%s: size: %s, want %s that are positive"):format(element:title(),
        list[k] and errors.show(list[k]) or errors.count(#list, "number"),
        errors.count(count, "number")))
    end
  end
  return list
end

--- The placement and the sizes of what stretches from one place to another.
local function stretched(element, kind)
  local ends = element:numbers("fromto", 6)
  local list = sizes(element, kind.along)
  if not ends or not list then
    return nil
  end
  local d, middle = {}, {}
  for k = 1, 3 do
    d[k], middle[k] = ends[k] - ends[k + 3], (ends[k] + ends[k + 3]) / 2
  end
  local length = math.sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3])
  d = mjcf_pose.unit(element, d)
  if not d then
    return nil
  end
  list[kind.along + 1] = length / 2
  return placement.new(placement.z_to(d), middle), list
end

-- Meshes -----------------------------------------------------------------------------------------

--- The meshes of the assets, by name.
---@param root sarrus.Element
---@param settings table
---@param classes sarrus.MjcfClasses
---@return table<string, sarrus.Element>
function mjcf_geom.meshes(root, settings, classes)
  local known = {}
  for _, asset in ipairs(root:all "asset") do
    for _, element in ipairs(asset:all "mesh") do
      classes:apply(element)
      local file = element:string "file"
      local name = element:string "name" or file and file:match("([^/\\]*)%.[^./\\]*$")
      if not name then
        element:fault("<mesh> has neither name nor file")
      else
        known[name] = element
      end
    end
  end
  settings.cache = {}
  return known
end

local function mesh_path(element, settings, file)
  if settings.strippath then
    file = file:match("[^/\\]*$")
  end
  local folder = settings.meshdir
  if file:sub(1, 1) == "/" then
    return file
  elseif folder ~= "" and not folder:find("/$") then
    folder = folder .. "/"
  end
  return folder:sub(1, 1) == "/" and folder .. file
    or meshes.folder(settings.file or element.file) .. folder .. file
end

--- Where the points of an asset are: they are moved by -refpos, turned back by refquat, and then
--- stretched.  (Stretched first, for which refpos is stretched too.)
local function inner_of(asset, scale)
  local origin = asset:numbers("refpos", 3, 3, { 0, 0, 0 })
  local turn = rotation.of_quaternion(asset:numbers("refquat", 4, 4, { 1, 0, 0, 0 }))
  local even = scale[1] == scale[2] and scale[2] == scale[3]
  if not even and turn[1][1] + turn[2][2] + turn[3][3] ~= 3 then
    asset:fault(("%s: refquat together with an uneven scale is not understood"):format(
      asset:title()))
  end
  for k = 1, 3 do
    origin[k] = scale[k] * origin[k]
  end
  return placement.inverse(placement.new(turn, origin))
end

--- Give a shape the triangles of its asset, where the asset puts them; false where it has none.
local function load_mesh(shape, element, context)
  local name = element:string "mesh"
  local asset = context.meshes[name]
  if not asset then
    return element:fault(("%s: %s"):format(element:title(),
      name and "unknown mesh " .. errors.show(name) or "the attribute mesh is missing"))
  end
  local file = asset:string "file"
  shape.scale = asset:numbers("scale", 3, 3, { 1, 1, 1 })
  if not file then
    element:note(("%s: a mesh without a file is not drawn"):format(element:title()))
    return false
  end
  shape.at = placement.product(shape.at, inner_of(asset, shape.scale))
  local path = mesh_path(element, context.settings, file)
  return shapes.load(shape, element, meshes.exists(path) and path or nil, file,
    context.settings.cache)
end

-- Geoms ------------------------------------------------------------------------------------------

--- Colours by the names of materials.
---@param root sarrus.Element
---@return table<string, string>
function mjcf_geom.colors(root)
  local colors = {}
  for _, asset in ipairs(root:all "asset") do
    for _, element in ipairs(asset:all "material") do
      local name, rgba = element:string "name", element:numbers("rgba", 4)
      if name and rgba then
        colors[name] = shapes.color(rgba)
      end
    end
  end
  return colors
end

local function put_looks(shape, element, colors)
  local rgba = element:numbers("rgba", 4)
  shape.color = rgba and shapes.color(rgba) or colors[element:string "material"]
  shape.name = element:string "name"
  shape.role = element:number("group", 0) > 2 and "collision" or "visual"
  local masks = { element:number("contype", 1), element:number("conaffinity", 1) }
  shape.mask, shape.touches = masks, masks[1] > 0 or masks[2] > 0
  shape.friction = (element:numbers("friction", 1, 3) or { 1 })[1]
  for _, name in ipairs { "condim", "priority" } do
    element:string(name)
  end
end

--- The solid of a shape in the frame of its body; nil where it has none.
local function solid_of(shape, kind, element)
  local density, mass = element:number("density", 1000), element:number "mass"
  if density < 0 or mass and mass < 0 then
    return element:fault(("%s: a negative mass or density"):format(element:title()))
  elseif not kind.solid or mass == 0 or not mass and density == 0 then
    return nil
  end
  local own = kind.solid(shape, mass and 1 or density)
  if not own then
    return element:fault(("%s: the mesh encloses no volume, so its mass is not known"):format(
      element:title()))
  end
  return solid.placed(mass and solid.scaled(own, mass) or own, shape.at)
end

--- Read a geom: its shape, in the frame of its body, with its `solid`; nil and faults.
---@param element sarrus.Element
---@param context table settings, meshes, colors
---@param offset sarrus.Placement of the frame around it
---@return table?
function mjcf_geom.read(element, context, offset)
  local name = element:string("type", element.attributes.mesh and "mesh" or "sphere")
  local kind = KINDS[name]
  if name == "hfield" then
    element:note(("%s ignored: a height field is not drawn"):format(element:title()))
    return nil
  elseif not kind then
    return element:fault(("%s: geoms of type %s are not understood; there are plane, sphere, "
      .. "capsule, ellipsoid, cylinder, box and mesh"):format(element:title(), errors.show(name)))
  elseif element.attributes.mesh and kind ~= KINDS.mesh then
    return element:fault(("%s: a %s that is fitted to a mesh is not understood"):format(
      element:title(), name))
  elseif element:string("shellinertia", "false") ~= "false" then
    return element:fault(("%s: shellinertia is not understood"):format(element:title()))
  end
  local shape, list = { kind = name, element = element }
  if element:string "fromto" and kind.along then
    shape.at, list = stretched(element, kind)
  else
    shape.at, list = mjcf_pose.of(element, context.settings), sizes(element, kind.count)
  end
  if not shape.at or not list then
    return nil
  end
  shape.at = placement.product(offset, shape.at)
  kind.put(shape, list)
  put_looks(shape, element, context.colors)
  if kind == KINDS.mesh then
    local loaded = load_mesh(shape, element, context)
    if not loaded then
      shape.missing = true
      element:number "mass"
      element:number "density"
      return loaded == false and shape or nil
    end
  end
  shape.solid = solid_of(shape, kind, element)
  return shape
end

return mjcf_geom
