--- From a robot to items: what parts are made of, and scripts written from.
---
--- A robot is what the readers (urdf.lua, mjcf.lua) return:
---   name, gravity
---   links      in an order in which what they hang on comes first: { name, element, at (placement
---              in the drawing), solid (in its frame; nil: none), shapes, joint (leads to it) }
---   joints     one for each link, in that order: { name (nil: the file has none), element, kind
---              (of joint_kinds.lua), a (link, nil: the ground), b (link), at, axis (in the
---              drawing), fields, motors { name, element, law, of_motion } }
---   couplings  { name, follower, leader, coefficients, element }
---   loops      { name, part, a, b, element, fields }; { ground = true } stands for the ground
---   ground     what is fixed to the ground, as a link; nil: nothing
---   forces     functions of names and bodies that make items
---   frames     { name, link, at }: places with names besides those of links
--- An item is { family, type, given, element }.  Values in `given` are numbers, strings, lists of
--- them, and formulas { text = Lua } of parameters.

local bodies = require "sarrus.robot.bodies"
local errors = require "sarrus.base.errors"
local names = require "sarrus.robot.names"
local placement = require "sarrus.robot.placement"
local rotation = require "sarrus.expr.rotation"
local shape_items = require "sarrus.robot.shape_items"

local items = {}

local function body_name(link)
  return (link.ground or link.body.ground) and "ground" or link.body.name
end

-- Bodies -----------------------------------------------------------------------------------------

--- Moments alone where the matrix is diagonal.
local function plain(inertia)
  local off = math.max(math.abs(inertia[1][2]), math.abs(inertia[1][3]), math.abs(inertia[2][3]))
  return off == 0 and { inertia[1][1], inertia[2][2], inertia[3][3] } or inertia
end

local function body_item(body)
  local at, own = body.link.at, body.solid
  return {
    "body", "rigid", element = body.link.element, given = {
      body.name, mass = own.mass, position = placement.point(at, own.centre),
      orientation = placement.quaternion(at), inertia = plain(own.inertia),
    },
  }
end

-- Joints -----------------------------------------------------------------------------------------

--- What motors exert along a joint, as a formula; parameters are entered.
local function drive_of(result, joint, taken)
  local kind, texts, of_motion = joint.kind, {}, false
  for i, motor in ipairs(joint.motors) do
    local name = taken:take(motor.name, "_motor", motor.element)
    local variable = taken.variables:take(names.variable(name), "_")
    table.insert(result.parameters, { variable = variable, name = name })
    texts[i] = motor.law("motor." .. variable, kind.value, kind.rate)
    of_motion = of_motion or motor.of_motion
  end
  local text = table.concat(texts, " + ")
  if of_motion then
    text = ("function(%s, %s) return %s end"):format(kind.value, kind.rate, text)
  end
  return { text = text }
end

local function joint_item(result, joint, taken)
  local given = { joint.part, joint.a and body_name(joint.a) or "ground", body_name(joint.b) }
  given.at = joint.at
  if joint.kind.direction then
    given[joint.kind.direction] = joint.axis
  end
  for name, value in pairs(joint.fields) do
    given[name] = value
  end
  if #joint.motors > 0 then
    given[joint.kind.effort] = drive_of(result, joint, taken)
  end
  return { "joint", joint.kind.part, given = given, element = joint.element }
end

--- Whether a joint is a part of its own.
local function stands(joint)
  return not joint.fused and joint.kind.part and not joint.b.body.ground
end

--- A joint that a coupling names, which has to be a part.
local function coordinate_of(coupling, joint)
  if not stands(joint) or not joint.kind.value then
    return coupling.element:fault(("%s: joint %s has no coordinate"):format(
      coupling.element:title(), errors.show(joint.name)))
  end
  return joint.part
end

--- Limits of a joint that follow from those of the joint that leads it would be met twice.
local function drop_limits(coupling)
  local c, fields = coupling.coefficients, coupling.follower.fields
  local lead, own = coupling.leader.fields.limits, fields.limits
  if not lead or not own or #c ~= 2 then
    return
  end
  local one, other = c[1] + c[2] * lead[1], c[1] + c[2] * lead[2]
  local rounding = 1e-9 * (own[2] - own[1])
  if math.min(one, other) >= own[1] - rounding and math.max(one, other) <= own[2] + rounding then
    fields.limits = nil
    coupling.element:note(("the limits of joint %s follow from those of joint %s"):format(
      errors.show(coupling.follower.name), errors.show(coupling.leader.name)))
  end
end

local function coupling_item(coupling, taken)
  local follower = coordinate_of(coupling, coupling.follower)
  local leader = coordinate_of(coupling, coupling.leader)
  return follower and leader and {
    "joint", "coupled", element = coupling.element, given = {
      taken:take(coupling.name, "_joint", coupling.element), leader, follower,
      coefficients = coupling.coefficients,
    },
  }
end

local function loop_item(loop, taken)
  local a, b = body_name(loop.a), body_name(loop.b)
  if a == b then
    return loop.element:fault(("loop %s: both of its links belong to the body %s"):format(
      errors.show(loop.name), errors.show(a)))
  end
  local given = { taken:take(loop.name, "_joint", loop.element), a, b }
  for name, value in pairs(loop.fields) do
    given[name] = value
  end
  return { "joint", loop.part, given = given, element = loop.element }
end

-- All --------------------------------------------------------------------------------------------

--- Names for bodies first, then for joints: links keep theirs.
local function name_all(robot, list, taken)
  for _, body in ipairs(list) do
    if not body.ground then
      body.name = taken:take(body.link.name, "_link", body.link.element)
    end
  end
  for _, joint in ipairs(robot.joints) do
    if stands(joint) then
      joint.part = taken:take(joint.name or joint.b.body.name .. "_base", "_joint",
        joint.name and joint.element)
    end
  end
end

--- Where links, and other named frames, are in the drawing, and on which body.
local function frames_of(robot)
  local frames = {}
  local function put(name, link, at)
    frames[name] = {
      body = body_name(link), position = at.origin, orientation = rotation.quaternion(at.rotation),
    }
  end
  for _, frame in ipairs(robot.frames or {}) do
    put(frame.name, frame.link, frame.at)
  end
  for _, link in ipairs(robot.links) do
    put(link.name, link, link.at)
  end
  return frames
end

--- Whether there is a number in a value that became infinite, or none; in formulas by their words.
local function overflows(value)
  if type(value) == "number" then
    return value - value ~= 0
  elseif type(value) ~= "table" then
    return false
  elseif value.text then
    local text = " " .. value.text .. " "
    return text:find("[%s(-]inf[%s)]") or text:find("[%s(-]nan[%s)]")
  end
  for _, one in pairs(value) do
    if overflows(one) then
      return true
    end
  end
  return false
end

local function section(result, title)
  local list = { title = title }
  table.insert(result.sections, list)
  return function(item)
    list[#list + 1] = item or nil
    if item and overflows(item.given) then
      item.element:fault(("%s: its numbers are too large"):format(item.element:title()))
    end
  end
end

--- The items of a robot, by sections.
---@param robot table
---@param options table
---@return { name: string, gravity: number[], sections: table[], parameters: table[], frames: table }
function items.of(robot, options)
  local result = { name = robot.name, gravity = robot.gravity, sections = {}, parameters = {} }
  local list, taken = bodies.of(robot, options.fuse), names.new()
  taken.variables = names.new()
  name_all(robot, list, taken)
  local put = section(result, "links")
  for _, body in ipairs(list) do
    put(not body.ground and body_item(body))
  end
  for _, coupling in ipairs(robot.couplings) do
    drop_limits(coupling)
  end
  put = section(result, "joints")
  for _, joint in ipairs(robot.joints) do
    put(stands(joint) and joint_item(result, joint, taken))
  end
  put = section(result, "joints that follow others")
  for _, coupling in ipairs(robot.couplings) do
    put(coupling_item(coupling, taken))
  end
  put = section(result, "joints that close loops")
  for _, loop in ipairs(robot.loops) do
    put(loop_item(loop, taken))
  end
  put = section(result, "forces")
  for _, force in ipairs(robot.forces or {}) do
    put(force(taken, body_name))
  end
  shape_items.put(section(result, "shapes"), section(result, "contacts"), robot, taken, body_name,
    options)
  result.frames = frames_of(robot)
  return result
end

return items
