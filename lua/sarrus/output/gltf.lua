--- Recordings as glTF 2.0: one file with every body as a node that moves, for Blender, three.js and
--- game engines.
---
--- Numbers are single precision, in one buffer within the file.  Up is +y, as glTF has it: a node
--- at the root turns the model so that things fall along -y.

local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local json = require "sarrus.output.json"
local scene = require "sarrus.output.scene"
local triangles = require "sarrus.output.triangles"

local gltf = {}

local WHAT = "recording:gltf" -- as messages name the call

-- Numbers ----------------------------------------------------------------------------------------

--- The nearest number of single precision: what the file has, and what its bounds must be of.
local function single(x)
  local c = x * 536870913 -- 2^29 + 1
  return c - c == 0 and c - (c - x) or x
end

local FLOAT, ARRAY = 5126, 34962
local WIDTHS = { SCALAR = 1, VEC3 = 3, VEC4 = 4 }

--- Append numbers to the buffer; the number of their accessor.
local function put_numbers(file, list, kind, bounded)
  local width, rounded, low, high = WIDTHS[kind], {}, {}, {}
  for i, x in ipairs(list) do
    local k = (i - 1) % width + 1
    rounded[i] = single(x)
    low[k] = math.min(low[k] or rounded[i], rounded[i])
    high[k] = math.max(high[k] or rounded[i], rounded[i])
  end
  table.insert(file.lists, rounded)
  table.insert(file.bufferViews, {
    buffer = 0, byteOffset = file.bytes, byteLength = 4 * #list,
    target = kind == "VEC3" and bounded and ARRAY or nil,
  })
  file.bytes = file.bytes + 4 * #list
  table.insert(file.accessors, {
    bufferView = #file.bufferViews - 1, componentType = FLOAT, count = #list / width, type = kind,
    min = bounded and low or nil, max = bounded and high or nil,
  })
  return #file.accessors - 1
end

-- Colours ----------------------------------------------------------------------------------------

local TONES = {
  "#3567a8", "#cf7231", "#3d8a5b", "#a9475f", "#6d5aa9", "#857246", "#2b8a97", "#8b8f2d",
}
local GROUND = "#8d939b"
local NAMES = {
  black = "#000000", white = "#ffffff", gray = "#808080", grey = "#808080", silver = "#c0c0c0",
  red = "#ff0000", maroon = "#800000", yellow = "#ffff00", olive = "#808000", lime = "#00ff00",
  green = "#008000", aqua = "#00ffff", cyan = "#00ffff", teal = "#008080", blue = "#0000ff",
  navy = "#000080", fuchsia = "#ff00ff", magenta = "#ff00ff", purple = "#800080",
  orange = "#ffa500", brown = "#a52a2a", gold = "#ffd700", pink = "#ffc0cb", tan = "#d2b48c",
}

--- The share of light that a byte of a colour stands for.
local function linear(byte)
  local x = byte / 255
  return x <= 0.04045 and x / 12.92 or ((x + 0.055) / 1.055) ^ 2.4
end

local function factors(color)
  color = NAMES[color] or color
  local short = color:match("^#(%x%x%x)$")
  local digits = short and short:gsub("%x", "%0%0") or color:match("^#(%x%x%x%x%x%x)$")
    or GROUND:sub(2)
  local list = {}
  for k = 1, 3 do
    list[k] = linear(tonumber(digits:sub(2 * k - 1, 2 * k), 16))
  end
  list[4] = 1
  return list
end

--- The number of a colour's material.
local function material(file, color)
  if not file.known[color] then
    table.insert(file.materials, {
      name = color, doubleSided = true, pbrMetallicRoughness = {
        baseColorFactor = factors(color), metallicFactor = 0.1, roughnessFactor = 0.6,
      },
    })
    file.known[color] = #file.materials - 1
  end
  return file.known[color]
end

-- Forms ------------------------------------------------------------------------------------------

--- A place of the plane or of space, in space.
local function lift(p)
  return { p[1], p[2], p[3] or 0 }
end

local IDENTITY = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }

-- What bodies are by themselves, in their own axes; `unit` is the thickness of what has none.
local bodies = {}

function bodies.rod(t, body, unit)
  local h = body.length / 2
  t:cylinder({ -h, 0, 0 }, { h, 0, 0 }, body.exact and body.radius or math.max(body.radius,
    (body.slim and 0.6 or 1) * unit))
end

function bodies.box(t, body, unit)
  t:box({ 0, 0, 0 }, IDENTITY, { body.size[1], body.size[2], body.size[3] or unit })
end

function bodies.cylinder(t, body, unit)
  local axis, half = body.axis or { 0, 0, 1 }, math.max(body.length or 0, unit) / 2
  t:cylinder({ -half * axis[1], -half * axis[2], -half * axis[3] },
    { half * axis[1], half * axis[2], half * axis[3] }, body.radius)
end

function bodies.sphere(t, body)
  t:sphere({ 0, 0, 0 }, body.radius)
end

function bodies.point(t, _, unit)
  t:sphere({ 0, 0, 0 }, 1.5 * unit)
end

function bodies.rigid(t, body, unit)
  t:sphere({ 0, 0, 0 }, unit)
  for _, p in ipairs(body.points or {}) do
    t:capsule({ 0, 0, 0 }, lift(p), unit / 2)
  end
end

function bodies.bare() end

-- Shapes, in the axes of their bodies.
local shapes = {}

function shapes.line(t, shape, unit, size)
  local n = shape.normal
  t:box({ shape.at[1] - n[1] * unit / 2, shape.at[2] - n[2] * unit / 2, 0 },
    { { n[2], -n[1], 0 }, { n[1], n[2], 0 }, { 0, 0, 1 } }, { 3 * size, unit, unit })
end

function shapes.plane(t, shape, _, size)
  t:sheet(shape.at, shape.normal, 3 * size)
end

function shapes.disk(t, shape, unit)
  local x, y = shape.at[1], shape.at[2]
  t:cylinder({ x, y, -unit / 2 }, { x, y, unit / 2 }, shape.radius)
end

function shapes.sphere(t, shape)
  t:sphere(shape.at, shape.radius)
end

function shapes.polygon(t, shape, unit)
  t:prism(shape.points, unit)
end

function shapes.box(t, shape)
  t:box(shape.at, shape.axes, shape.size)
end

function shapes.capsule(t, shape)
  t:capsule(shape.from, shape.to, shape.radius)
end

function shapes.cylinder(t, shape)
  t:cylinder(shape.from, shape.to, shape.radius)
end

function shapes.point(t, shape, unit)
  t:sphere(lift(shape.at), unit)
end

function shapes.mesh(t, shape)
  t:mesh(shape.points)
end

-- Nodes ------------------------------------------------------------------------------------------

--- Triangles by colour, in the order in which colours come.
local function by_color()
  local list, known = {}, {}
  return list, function(color)
    if not known[color] then
      known[color] = triangles.new()
      list[#list + 1] = { color = color, triangles = known[color] }
    end
    return known[color]
  end
end

--- The mesh of a body, or of the ground where there is none; nil where nothing is drawn.
local function mesh_of(file, view, body, index, name)
  local list, of_color = by_color()
  local function color_of(one)
    return one.color or one.tone and TONES[one.tone % #TONES + 1] or GROUND
  end
  if body then
    local t = of_color(color_of(body))
    bodies[body.kind](t, body, view.unit)
    for _, p in ipairs(body.struts) do
      t:capsule({ 0, 0, 0 }, lift(p), view.unit / 2)
    end
  end
  for _, shape in ipairs(view.shapes) do
    if shape.body == index then
      shapes[shape.kind](of_color(color_of(shape)), shape, view.unit, view.size)
    end
  end
  local primitives = {}
  for _, one in ipairs(list) do
    local points = one.triangles.points
    if #points > 0 then
      primitives[#primitives + 1] = {
        attributes = {
          POSITION = put_numbers(file, points, "VEC3", true),
          NORMAL = put_numbers(file, one.triangles.normals, "VEC3"),
        },
        material = material(file, one.color),
      }
    end
  end
  if #primitives > 0 then
    table.insert(file.meshes, { name = name, primitives = primitives })
    return #file.meshes - 1
  end
end

--- The quaternion {x, y, z, w} that turns the direction of falling into -y.
local function upright(down)
  local d = lift(down)
  if d[2] > 1 - 1e-9 then
    return { 1, 0, 0, 0 }
  end
  -- d x (0, -1, 0), and 1 + d . (0, -1, 0)
  local x, z, w = d[3], -d[1], 1 - d[2]
  local size = math.sqrt(x * x + z * z + w * w)
  return { x / size, 0, z / size, w / size }
end

-- Frames -----------------------------------------------------------------------------------------

--- The frames in ascending order of time, one for each time.
local function ascending(frames)
  local list, n = {}, #frames
  local backwards = frames[n].t < frames[1].t
  for i = 1, n do
    local frame = frames[backwards and n + 1 - i or i]
    local last = list[#list]
    if last and frame.t < last.t then
      errors.raise(WHAT .. ": the recording turns back in time; a film goes one way")
    elseif not last or single(frame.t) > single(last.t) then
      list[#list + 1] = frame
    end
  end
  return list
end

--- Where a body is in a frame: x, y, z and the quaternion x, y, z, w.
local function pose(frame, i, planar)
  local p = frame.poses
  if planar then
    local at, half = 6 * i, p[6 * i + 3] / 2
    return { p[at + 1], p[at + 2], 0 }, { 0, 0, math.sin(half), math.cos(half) }
  end
  local at = 13 * i
  return { p[at + 1], p[at + 2], p[at + 3] }, { p[at + 5], p[at + 6], p[at + 7], p[at + 4] }
end

local function append(list, values)
  for _, x in ipairs(values) do
    list[#list + 1] = x
  end
end

--- The channels of a body's node.
local function animate(file, animation, frames, times, i, node, planar)
  local places, turns = {}, {}
  for _, frame in ipairs(frames) do
    local at, turn = pose(frame, i, planar)
    append(places, at)
    append(turns, turn)
  end
  for _, one in ipairs { { "translation", places, "VEC3" }, { "rotation", turns, "VEC4" } } do
    table.insert(animation.samplers, {
      input = times, output = put_numbers(file, one[2], one[3]), interpolation = "LINEAR",
    })
    table.insert(animation.channels, {
      sampler = #animation.samplers - 1, target = { node = node, path = one[1] },
    })
  end
end

-- Making -----------------------------------------------------------------------------------------

local function node_of(frame, i, body, planar)
  local at, turn = pose(frame, i, planar)
  return { name = body.name, translation = at, rotation = turn }
end

--- Nodes, meshes and the animation of a scene.
local function fill(file, view, frames, planar)
  local root = { name = view.name, rotation = upright(view.down), children = {} }
  local times, animation = {}, { name = view.name, samplers = {}, channels = {} }
  file.nodes[1] = root
  root.mesh = mesh_of(file, view, nil, -1, "ground")
  for i, frame in ipairs(frames) do
    times[i] = frame.t - frames[1].t
  end
  local input = #frames > 1 and put_numbers(file, times, "SCALAR", true)
  for i, body in ipairs(view.bodies) do
    local node = node_of(frames[1], i - 1, body, planar)
    node.mesh = mesh_of(file, view, body, i - 1, body.name)
    file.nodes[#file.nodes + 1] = node
    root.children[i] = #file.nodes - 1
    if input then
      animate(file, animation, frames, input, i - 1, #file.nodes - 1, planar)
    end
  end
  file.animations = input and { animation } or nil
end

--- The text of a glTF file.
---@param recording sarrus.Recording
---@return string
function gltf.of(recording)
  local model = rawget(recording.sim.system, "model")
  if not model then
    errors.raise(WHAT .. ": only models have bodies to show")
  elseif #recording.frames == 0 then
    errors.raise(WHAT .. ": nothing has been recorded yet: advance the simulation first")
  end
  local frames = ascending(recording.frames)
  local view = scene.of(drawn.of_sim(model, recording.sim), {}, frames)
  local file = {
    nodes = {}, meshes = {}, materials = {}, accessors = {}, bufferViews = {}, lists = {},
    bytes = 0, known = {},
  }
  fill(file, view, frames, view.dimension == 2)
  return json.encode {
    asset = { version = "2.0", generator = "sarrus " .. core.version },
    scene = 0, scenes = { { name = view.name, nodes = { 0 } } }, nodes = file.nodes,
    meshes = #file.meshes > 0 and file.meshes or nil,
    materials = #file.materials > 0 and file.materials or nil, animations = file.animations,
    accessors = file.accessors, bufferViews = file.bufferViews,
    buffers = { {
      byteLength = file.bytes,
      uri = "data:application/octet-stream;base64," .. core.base64(file.lists, 4),
    } },
  } .. "\n"
end

return gltf
