--- Warnings about a model that can run but is probably not what was meant.

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"

local lint = {}

local distance = drawing.distance

--- Whether the axis of a joint runs along a rod, which then slides or turns there in its own line.
local function along(axis, ends)
  local dot = 0
  for k, x in ipairs(axis) do
    dot = dot + x * (ends[2][k] - ends[1][k])
  end
  return math.abs(dot) > (1 - 1e-9) * distance(ends[1], ends[2])
end

--- A rod is usually joined at its ends, or in its own line.
local function away_from_ends(model, joint)
  local at, axis = joint.checked.at, joint.checked.axis or {}
  for i, side in ipairs { "a", "b" } do
    local body = joint.bodies[i]
    local ends = body and body.ends
    if ends and at and at[side] and not along(axis, ends) then
      local length, p = distance(ends[1], ends[2]), at[side]
      if math.min(distance(p, ends[1]), distance(p, ends[2])) > 1e-9 * length then
        model:warn("rod_joint", ("%s is at neither end of the rod %s"):format(joint.what,
          errors.show(body.name)), joint.name)
      end
    end
  end
end

local WIDE = 1e10

--- Masses that differ by very many powers of ten cost digits.
local function ill_scaled(model, joint)
  local a, b = joint.bodies[1], joint.bodies[2]
  local m, n = a and a.mass, b and b.mass
  if type(m) == "number" and type(n) == "number" and m > 0 and n > 0
    and math.max(m / n, n / m) >= WIDE then
    model:warn("ill_scaled", ("%s joins %s of %s kg and %s of %s kg: expect to lose digits"):format(
      joint.what, errors.show(a.name), errors.show(m), errors.show(b.name), errors.show(n)),
      joint.name)
  end
end

local function negative(model, record)
  for _, name in ipairs { "stiffness", "damping" } do
    local value = record.checked[name]
    if type(value) == "number" and value < 0 then
      model:warn("negative", ("%s: %s = %s is negative, so it feeds energy in"):format(record.what,
        name, errors.show(value)), record.name)
    end
  end
end

--- More than four turns from the drawing are hardly meant.
local function looks_like_degrees(x)
  return type(x) == "number" and math.abs(x) > 8 * math.pi
end

--- Look at a body.
function lint.body(model, record)
  if looks_like_degrees(record.angle) then
    model:warn("degrees", ("%s: the angle %s looks like degrees; angles are in radians"):format(
      tostring(record.part), errors.show(record.angle)), record.name)
  end
end

local function degrees(model, joint)
  local limits = joint.checked.limits
  for i = 1, limits and joint.angle and 2 or 0 do
    local x = limits[i]
    if looks_like_degrees(x) then
      model:warn("degrees", ("%s: the limit %s looks like degrees; angles are in radians"):format(
        joint.what, errors.show(x)), joint.name)
      return
    end
  end
end

--- What pushes a coordinate that is prescribed does nothing but change what prescribes it.
local function pushed_in_vain(model, joint)
  local given = joint.checked
  local field = given.torque ~= nil and "torque" or given.force ~= nil and "force"
  if given.motion ~= nil and field then
    model:warn("driven", ("%s: its motion is prescribed, so that its %s moves nothing; give one of "
      .. "the two"):format(joint.what, field), joint.name)
  end
end

--- Look at a joint.
function lint.joint(model, record)
  if record.bodies then
    away_from_ends(model, record)
    ill_scaled(model, record)
    degrees(model, record)
    pushed_in_vain(model, record)
  end
  negative(model, record)
end

--- Look at a force.
lint.force = negative

--- Two shapes in either order.
local function key_of(pair)
  local a, b = pair[1].name, pair[2].name
  return a < b and a .. "\n" .. b or b .. "\n" .. a
end

--- Warn that pairs of a contact are those of another one too, or its own twice.
local function twice(model, contact, other, pairs)
  if #pairs > 0 then
    local more = #pairs > 1 and (", and %s more,"):format(errors.count(#pairs - 1, "pair")) or ""
    model:warn("twice", ("%s: %s and %s%s touch by %s: which of the two carries how much is not "
      .. "determined; give a pair once"):format(contact.what, errors.show(pairs[1][1].name),
      errors.show(pairs[1][2].name), more, other == contact and "it twice" or other.what
      .. ", too"), contact.name)
  end
end

--- Look at a contact: shapes touch by one law.  Other contacts are asked only where one of its
--- pairs has come up before, so that many contacts cost no more than each alone.
function lint.contact(model, record)
  local own, again, known, common = {}, {}, model.touching, false
  for _, pair in ipairs(record.pairs or {}) do
    local key = key_of(pair)
    again[#again + 1] = own[key] and pair or nil
    common = common or known[key]
    own[key] = true
  end
  for key in pairs(own) do
    known[key] = true
  end
  twice(model, record, record, again)
  for _, other in ipairs(common and model.contacts or {}) do
    if other.name == record.name then
      break
    end
    again = {}
    for _, pair in ipairs(other.pairs or {}) do
      again[#again + 1] = own[key_of(pair)] and pair or nil
    end
    twice(model, record, other, again)
  end
end

return lint
