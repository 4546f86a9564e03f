--- The <equality> of an MJCF file: connect and weld close loops, joint lets one follow another.

local errors = require "sarrus.base.errors"
local placement = require "sarrus.robot.placement"
local rotation = require "sarrus.expr.rotation"

local mjcf_equality = {}

local function body_of(element, name, context)
  local word = element:string(name)
  if not word then
    return name == "body2" and context.ground or element:fault(("%s: the attribute %s is missing")
      :format(element:title(), name))
  elseif not context.bodies[word] then
    return element:fault(("%s: %s: unknown body %s"):format(element:title(), name,
      errors.show(word)))
  end
  return context.bodies[word]
end

local function site_of(element, name, context)
  local word = element:string(name)
  local site = context.sites[word]
  if not site then
    return element:fault(("%s: %s: %s"):format(element:title(), name,
      word and "unknown site " .. errors.show(word) or "is missing"))
  end
  return site
end

--- The two bodies, and the frames that are to meet: those of sites, or nil.
local function ends(element, context)
  if element.attributes.site1 or element.attributes.site2 then
    local one, other = site_of(element, "site1", context), site_of(element, "site2", context)
    if not one or not other then
      return nil
    end
    return one.link, other.link, one.at, other.at
  end
  local a, b = body_of(element, "body1", context), body_of(element, "body2", context)
  if not a or not b then
    return nil
  end
  return a, b
end

local function loop(context, element, part, a, b, at)
  context.loop_count = (context.loop_count or 0) + 1
  return {
    name = element:string "name" or element.name .. context.loop_count, part = part, a = a, b = b,
    element = element, fields = { at = at },
  }
end

local readers = {}

--- The anchor is in the frame of body1, as all bodies are drawn.
function readers.connect(element, context)
  local a, b, one, other = ends(element, context)
  if not a then
    return nil
  elseif one then
    return loop(context, element, "spherical", a, b, { a = one.origin, b = other.origin })
  end
  local anchor = element:required "anchor" and element:numbers("anchor", 3)
  return anchor and loop(context, element, "spherical", a, b, placement.point(a.at, anchor))
end

--- How far two rotations are apart, in the largest component.
local function apart(r, s)
  local most = 0
  for i = 1, 3 do
    for j = 1, 3 do
      most = math.max(most, math.abs(r[i][j] - s[i][j]))
    end
  end
  return most
end

--- Where a weld wants body2: relpose, seen from body1; nil where it is to stay as drawn.
local function wanted(element, a)
  local x = element:numbers("relpose", 7)
  if not x or x[4] == 0 and x[5] == 0 and x[6] == 0 and x[7] == 0 then
    return nil
  end
  return placement.product(a.at,
    placement.new(rotation.of_quaternion { x[4], x[5], x[6], x[7] }, { x[1], x[2], x[3] }))
end

function readers.weld(element, context)
  local a, b, one, other = ends(element, context)
  if not a then
    return nil
  end
  element:numbers("anchor", 3)
  one, other = one or wanted(element, a), other or b.at
  if not one then
    return loop(context, element, "fixed", a, b, b.at.origin)
  elseif apart(one.rotation, other.rotation) > 1e-9 then
    return element:fault(("%s: it welds bodies in another orientation than they are drawn in, "
      .. "which is not understood; draw them as they are to be"):format(element:title()))
  end
  return loop(context, element, "fixed", a, b, { a = one.origin, b = other.origin })
end

--- The joint that an attribute names; nil and a fault.
local function joint_of(element, name, context)
  local word = element:string(name)
  local joint = context.joints[word]
  if not joint then
    return element:fault(("%s: %s: %s"):format(element:title(), name,
      word and "unknown joint " .. errors.show(word) or "is missing"))
  elseif not joint.kind.value then
    return element:fault(("%s: joint %s has no coordinate"):format(element:title(),
      errors.show(word)))
  end
  return joint
end

--- Trailing zeros say nothing.
local function trimmed(list)
  while #list > 1 and list[#list] == 0 do
    list[#list] = nil
  end
  return list
end

local function read_coupling(element, context)
  local follower = joint_of(element, "joint1", context)
  local leader = element.attributes.joint2 and joint_of(element, "joint2", context)
  local coefficients = element:numbers("polycoef", 1, 5, { 0, 1, 0, 0, 0 })
  if not follower or leader == nil then
    return nil
  elseif not leader then
    follower.fields.motion = coefficients[1]
    return nil
  end
  return {
    name = element:string "name" or follower.name .. "_coupling", follower = follower,
    leader = leader, element = element, coefficients = trimmed(coefficients),
  }
end

--- Loops and couplings.
---@param root sarrus.Element
---@param context table
---@return table[] loops
---@return table[] couplings
function mjcf_equality.read(root, context)
  local loops, couplings = {}, {}
  for _, section in ipairs(root:all "equality") do
    for _, element in ipairs(section.children) do
      element.seen = true
      context.classes:apply(element)
      if element:string("active", "true") == "false" then
        element.seen = false
      elseif readers[element.name] then
        loops[#loops + 1] = readers[element.name](element, context)
      elseif element.name == "joint" then
        couplings[#couplings + 1] = read_coupling(element, context)
      else
        element:fault(("<equality>: <%s> is not understood; connect, weld and joint are"):format(
          element.name))
      end
    end
  end
  return loops, couplings
end

return mjcf_equality
