--- The joints of an MJCF file.

local errors = require "sarrus.base.errors"
local kinds = require "sarrus.robot.joint_kinds"
local mjcf_pose = require "sarrus.robot.mjcf_pose"
local placement = require "sarrus.robot.placement"

local mjcf_joint = {}

local KINDS = {
  hinge = kinds.turning, slide = kinds.sliding, ball = kinds.ball, free = kinds.free,
}

local function not_negative(element, name)
  local x = element:number(name, 0)
  if x < 0 then
    element:fault(("%s: %s = %s is negative"):format(element:title(), name, errors.show(x)))
    return nil
  end
  return x > 0 and x or nil
end

--- Whether a joint is limited: said by itself, or by its range.
local function limited(element, settings)
  local word = element:string("limited", "auto")
  return word == "true" or word == "auto" and settings.autolimits and element:string "range" ~= nil
end

--- Limits, spring and friction of a coordinate, which counts from the drawing, where MuJoCo's is
--- `ref`.
local function put_fields(joint, element, settings)
  local unit = joint.kind.effort == kinds.turning.effort and settings.angle or 1
  local ref, fields = unit * element:number("ref", 0), joint.fields
  local range = element:numbers("range", 2)
  if ref ~= 0 then
    element:note(("%s: its coordinate counts from ref = %s"):format(element:title(),
      errors.show(ref)))
  end
  if limited(element, settings) and range then
    fields.limits = { unit * range[1] - ref, unit * range[2] - ref }
    if range[1] >= range[2] then
      element:fault(("%s: range: %s is not below %s"):format(element:title(),
        errors.show(range[1]), errors.show(range[2])))
    end
  end
  fields.stiffness = not_negative(element, "stiffness")
  local rest = unit * element:number("springref", 0) - ref
  fields.rest = fields.stiffness and rest ~= 0 and rest or nil
  fields.damping = not_negative(element, "damping")
  fields.friction = not_negative(element, "frictionloss")
  fields.inertia = not_negative(element, "armature")
end

--- What a ball joint has besides its place: damping alone is understood.
local function put_ball(joint, element, settings)
  joint.ball_damping = not_negative(element, "damping")
  local lost = {}
  for _, name in ipairs { "stiffness", "armature", "frictionloss" } do
    lost[#lost + 1] = not_negative(element, name) and name or nil
  end
  lost[#lost + 1] = limited(element, settings) and element:numbers("range", 2) and "range" or nil
  if #lost > 0 then
    element:note(("%s: %s of a ball joint is not understood and was left out"):format(
      element:title(), table.concat(lost, ", ")))
  end
end

--- A joint of a body, in the drawing.
---@param element sarrus.Element <joint> or <freejoint>
---@param context table
---@param at sarrus.Placement of the frame that it is in
---@param body string its name
---@return table?
function mjcf_joint.read(element, context, at, body)
  local word = element.name == "freejoint" and "free" or element:string("type", "hinge")
  local kind = KINDS[word]
  if not kind then
    return element:fault(("%s: unknown type %s; there are hinge, slide, ball and free"):format(
      element:title(), errors.show(word)))
  end
  local joint = {
    name = element:string "name" or body .. "_joint", element = element, kind = kind, fields = {},
    motors = {}, at = placement.point(at, element:numbers("pos", 3, 3, { 0, 0, 0 })),
  }
  if kind.value then
    local axis = mjcf_pose.unit(element, element:numbers("axis", 3, 3, { 0, 0, 1 }))
    joint.axis = axis and placement.direction(at, axis)
    put_fields(joint, element, context.settings)
  elseif kind.part then
    put_ball(joint, element, context.settings)
  end
  local name = element:string "name"
  if name and context.joints[name] then
    element:fault(("joint %s: the name is taken by line %d"):format(errors.show(name),
      context.joints[name].element.line))
  elseif name then
    context.joints[name] = joint
  end
  return joint
end

--- The torque against the turning of a ball joint, as an item.
---@param joint table
function mjcf_joint.damper(joint)
  return function(taken, body_name)
    local text = ("function(a, b)\n      local torque = (a:spin() - b:spin()) * %s\n"
      .. "      return { { torque = -torque }, { torque = torque } }\n    end"):format(
      errors.show(joint.ball_damping))
    return { "force", "custom", element = joint.element, given = {
      taken:take(joint.name .. "_damping", "_force"),
      { joint.a and body_name(joint.a) or "ground", body_name(joint.b) },
      force = { text = text },
    } }
  end
end

return mjcf_joint
