--- The joints of a URDF, what drives them, and which follow others.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local kinds = require "sarrus.robot.joint_kinds"
local placement = require "sarrus.robot.placement"

local urdf_joint = {}

local show = errors.show

--- The placement that an element's <origin> says.
---@param element sarrus.Element
---@return sarrus.Placement
function urdf_joint.origin(element)
  local origin = element:first "origin"
  if not origin then
    return placement.new()
  end
  return placement.new(placement.of_rpy(origin:numbers("rpy", 3, 3, { 0, 0, 0 })),
    origin:numbers("xyz", 3, 3, { 0, 0, 0 }))
end

local TYPES = {
  revolute = kinds.turning, continuous = kinds.turning, prismatic = kinds.sliding,
  planar = kinds.flat, fixed = kinds.rigid, floating = kinds.free,
}
local NAMES = { "revolute", "continuous", "prismatic", "fixed", "floating", "planar" }

--- A unit vector; nil and a fault where there is no direction.
---@param element sarrus.Element
---@param d number[]
---@return number[]?
function urdf_joint.unit(element, d)
  local norm = math.sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3])
  if norm < 1e-12 then
    return element:fault(("%s: an axis of length %s has no direction"):format(element:title(),
      show(norm)))
  elseif math.abs(norm - 1) > 1e-6 then
    element:note(("%s: the axis has length %s and was made a unit vector"):format(element:title(),
      show(norm)))
  end
  return { d[1] / norm, d[2] / norm, d[3] / norm }
end

local function axis_of(element)
  local axis = element:first "axis"
  return urdf_joint.unit(element, axis and axis:numbers("xyz", 3, 3, { 1, 0, 0 }) or { 1, 0, 0 })
end

--- A link that a joint names; nil and a fault.
local function link_of(element, role, by_name)
  local one = element:first(role)
  if not one then
    return element:fault(("%s has no <%s>"):format(element:title(), role))
  end
  local name = one:required "link"
  if name and not by_name[name] then
    local names = {}
    for known in pairs(by_name) do
      names[#names + 1] = known
    end
    table.sort(names)
    return one:fault(("%s: %s: unknown link %s%s"):format(element:title(), role, show(name),
      errors.suggest(name, names)))
  end
  return by_name[name]
end

--- Limits of a joint; both bounds missing limit nothing, and equal ones hold it.
local function put_limits(element, kind, fields)
  local limit = element:first "limit"
  if not limit then
    if kind == "revolute" or kind == "prismatic" then
      element:note(("%s has no <limit>: it moves without end"):format(element:title()))
    end
    return
  end
  local low, high = limit:number "lower", limit:number "upper"
  local effort, velocity = limit:string "effort", limit:string "velocity"
  if effort or velocity then
    limit:note(("%s: the limits of effort and velocity are not applied"):format(element:title()))
  end
  if not low and not high then
    return
  elseif kind == "continuous" then
    return limit:note(("%s is continuous: lower and upper are ignored"):format(element:title()))
  end
  low, high = low or 0, high or 0
  if low > high then
    limit:fault(("%s: lower = %s is above upper = %s"):format(element:title(), show(low),
      show(high)))
  elseif low == high then
    fields.motion = low
    limit:note(("%s: lower and upper are both %s: it is held there"):format(element:title(),
      show(low)))
  else
    fields.limits = { low, high }
  end
end

local function put_dynamics(element, fields)
  local dynamics = element:first "dynamics"
  for _, name in ipairs(dynamics and { "damping", "friction" } or {}) do
    local x = dynamics:number(name, 0)
    if x < 0 then
      dynamics:fault(("%s: %s = %s is negative"):format(element:title(), name, show(x)))
    elseif x > 0 then
      fields[name] = x
    end
  end
end

local function joint_of(element, by_name)
  local name, kind = element:required "name", element:required "type"
  local known = TYPES[kind]
  if kind and not known then
    return element:fault(("joint %s: unknown type %s%s; there are %s"):format(show(name),
      show(kind), errors.suggest(kind, NAMES), table.concat(NAMES, ", ")))
  end
  local a, b = link_of(element, "parent", by_name), link_of(element, "child", by_name)
  if not name or not known or not a or not b then
    return nil
  elseif a == b then
    return element:fault(("joint %s: link %s is parent and child"):format(show(name),
      show(a.name)))
  end
  local joint = {
    name = name, element = element, kind = known, a = a, b = b, fields = {}, motors = {},
    origin = urdf_joint.origin(element), axis = known.direction and axis_of(element) or nil,
  }
  if known.value then
    put_limits(element, kind, joint.fields)
    put_dynamics(element, joint.fields)
  end
  return joint
end

--- The torque of a motor behind a gear.
local function motor(ratio)
  return function(parameter)
    return ratio == 1 and parameter or ("%s * %s"):format(core.number(ratio), parameter)
  end
end

--- Torques by parameters, of the simple transmissions.
local function put_motors(root, joints)
  for _, transmission in ipairs(root:all "transmission") do
    transmission:string "name"
    local kind = transmission:first "type"
    local text = kind and kind:text() or transmission:string("type", "")
    local joint, actuator = transmission:first "joint", transmission:first "actuator"
    local driven = joint and joints[joint:string "name"]
    local moved = driven and driven.kind.value
    if not text:find "SimpleTransmission" or not moved or not actuator then
      transmission.seen = false
    else
      local own = actuator:first "mechanicalReduction" or transmission:first "mechanicalReduction"
      local ratio = own and own:numbers_in(own:text(), "mechanicalReduction", 1, 1) or { 1 }
      table.insert(driven.motors, {
        name = actuator:string("name", driven.name .. "_motor"), law = motor(ratio[1]),
        element = transmission,
      })
      for _, one in ipairs { joint, actuator } do
        for _, interface in ipairs(one:all "hardwareInterface") do
          interface:text()
        end
      end
    end
  end
end

--- The joints, in the order of the file.
---@param root sarrus.Element
---@param by_name table<string, table> links
---@return table[]
function urdf_joint.all(root, by_name)
  local list, known = {}, {}
  for _, element in ipairs(root:all "joint") do
    local joint = joint_of(element, by_name)
    local other = joint and known[joint.name]
    if other then
      element:fault(("joint %s: the name is taken by line %d"):format(show(joint.name),
        other.element.line))
    elseif joint then
      known[joint.name], list[#list + 1] = joint, joint
    end
  end
  put_motors(root, known)
  return list
end

local function leads_round(joint)
  local seen = {}
  while joint and not seen[joint] do
    seen[joint] = true
    joint = joint.leader
  end
  return joint ~= nil
end

--- Which joints follow others: value = offset + multiplier * value of the other one.
---@param joints table[]
---@return table[]
function urdf_joint.couplings(joints)
  local known, list = {}, {}
  for _, joint in ipairs(joints) do
    known[joint.name] = joint
  end
  for _, joint in ipairs(joints) do
    local mimic = joint.element:first "mimic"
    local name = mimic and mimic:required "joint"
    local leader = known[name]
    if name and not leader then
      mimic:fault(("joint %s: mimic: unknown joint %s"):format(show(joint.name), show(name)))
    elseif name then
      joint.leader = leader
      list[#list + 1] = {
        name = joint.name .. "_mimic", follower = joint, leader = leader, element = mimic,
        coefficients = { mimic:number("offset", 0), mimic:number("multiplier", 1) },
      }
    end
  end
  local moving = {}
  for _, one in ipairs(list) do
    if leads_round(one.follower) then
      one.element:fault(("joint %s: mimic: it follows itself"):format(show(one.follower.name)))
    elseif not one.follower.kind.value or not one.leader.kind.value then
      one.element:note(("joint %s: mimic ignored: joint %s has no coordinate"):format(
        show(one.follower.name), show((one.leader.kind.value and one.follower or one.leader).name)))
    else
      moving[#moving + 1] = one
    end
  end
  return moving
end

return urdf_joint
