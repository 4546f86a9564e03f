--- The actuators of an MJCF file: what each exerts along its joint, by a parameter.
---
--- With the length l = gear x and its rate, of the joint's coordinate x, the effort is gear times
---   motor     p
---   position  kp (p - l) - kv l'
---   velocity  kv (p - l')
---   damper    -kv l' p
---   general   gain p + bias0 + bias1 l + bias2 l'

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"

local mjcf_actuator = {}

--- A factor before a text; 1 is left out.
local function times(factor, text)
  return factor == 1 and text or ("%s * %s"):format(core.number(factor), text)
end

--- Texts of { factor, text } with their signs between them; factors of 0 are left out.
local function sum(terms)
  local text = ""
  for _, term in ipairs(terms) do
    local factor, word = term[1], term[2]
    if factor ~= 0 then
      local size = word == "" and core.number(math.abs(factor)) or times(math.abs(factor), word)
      local sign = factor < 0 and "-" or "+"
      text = text == "" and (factor < 0 and "-" .. size or size)
        or ("%s %s %s"):format(text, sign, size)
    end
  end
  return text == "" and "0" or text
end

local readers = {}

function readers.motor(_, gear)
  return function(p) return times(gear, p) end
end

function readers.position(element, gear)
  local kp, kv = element:number("kp", 1), element:number("kv", 0)
  if element:number("dampratio", 0) ~= 0 then
    element:fault(("%s: dampratio is not understood; give kv"):format(element:title()))
  elseif element:number("timeconst", 0) ~= 0 then
    element:fault(("%s: timeconst is not understood"):format(element:title()))
  end
  return function(p, x, rate)
    local off = ("(%s - %s)"):format(p, times(gear, x))
    return sum { { gear * kp, off }, { -gear * gear * kv, rate } }
  end, true
end

function readers.velocity(element, gear)
  local kv = element:number("kv", 1)
  return function(p, _, rate)
    return sum { { gear * kv, ("(%s - %s)"):format(p, times(gear, rate)) } }
  end, true
end

function readers.damper(element, gear)
  local kv = element:number("kv", 1)
  return function(p, _, rate)
    return sum { { -gear * gear * kv, ("%s * %s"):format(rate, p) } }
  end, true
end

local function one_of(element, name, usual, known)
  local word = element:string(name, usual)
  if not known[word] then
    element:fault(("%s: %s = %s is not understood"):format(element:title(), name,
      errors.show(word)))
  end
  return word
end

function readers.general(element, gear)
  one_of(element, "dyntype", "none", { none = true })
  one_of(element, "gaintype", "fixed", { fixed = true })
  local bias = one_of(element, "biastype", "none", { none = true, affine = true })
  local gain = element:numbers("gainprm", 1, 10, { 1 })[1]
  local b = element:numbers("biasprm", 1, 10, { 0 })
  if bias == "none" then
    return function(p) return sum { { gear * gain, p } } end
  end
  return function(p, x, rate)
    return sum { { gear * gain, p }, { gear * b[1], "" }, { gear * gear * (b[2] or 0), x },
      { gear * gear * (b[3] or 0), rate } }
  end, true
end

local TRANSMISSIONS = { "tendon", "site", "body", "cranksite", "slidersite" }

--- The joint that an actuator drives; nil and a fault.
local function joint_of(element, context)
  local name = element:string "joint" or element:string "jointinparent"
  for _, other in ipairs(TRANSMISSIONS) do
    if element.attributes[other] then
      return element:fault(("%s: actuators on a %s are not understood, only on joints"):format(
        element:title(), other))
    end
  end
  local joint = context.joints[name]
  if not joint then
    return element:fault(("%s: %s"):format(element:title(),
      name and "unknown joint " .. errors.show(name) or "the attribute joint is missing"))
  elseif not joint.kind.value then
    return element:fault(("%s: joint %s has no single coordinate"):format(element:title(),
      errors.show(name)))
  end
  return joint
end

local function note_ranges(element)
  local lost = {}
  for _, name in ipairs { "ctrlrange", "forcerange" } do
    lost[#lost + 1] = element:string(name) and name or nil
    element:string(name:gsub("range", "limited"))
  end
  if #lost > 0 then
    element:note(("%s: %s not applied"):format(element:title(), table.concat(lost, ", ")))
  end
end

--- Give joints their motors.
---@param root sarrus.Element
---@param context table
function mjcf_actuator.read(root, context)
  local count = 0
  for _, section in ipairs(root:all "actuator") do
    for _, element in ipairs(section.children) do
      element.seen, count = true, count + 1
      local reader = readers[element.name]
      if not reader then
        element:fault(("<actuator>: <%s> is not understood; motor, position, velocity, damper and "
          .. "general are"):format(element.name))
      else
        context.classes:apply(element)
        local joint = joint_of(element, context)
        local gear = element:numbers("gear", 1, 6, { 1 })[1]
        local law, of_motion = reader(element, gear)
        note_ranges(element)
        if joint then
          table.insert(joint.motors, {
            name = element:string "name" or "actuator" .. count, element = element, law = law,
            of_motion = of_motion,
          })
        end
      end
    end
  end
end

return mjcf_actuator
