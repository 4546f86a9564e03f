--- Poses along the joints, from the ground outwards: where a joint's coordinate is given, by it,
--- else as drawn relative to the neighbour.

local frame = require "sarrus.model.equations.frame"
local functions = require "sarrus.expr.functions".public
local later = require "sarrus.base.later"
local pose = require "sarrus.model.start.pose"
local rotation = later "sarrus.expr.rotation"

local posing = {}

--- The displacement of a joint's other body, from that of one; sign -1 from B to A.
local function across(d, joint, given, sign)
  if not given then
    return d
  end
  local at, axis, start = joint.checked.at, joint.checked.axis, joint.definition.start
  given = start and start(joint.checked, given) or given
  local angle, rate = given.angle or 0, given.rate or 0
  local length, speed = given.length or 0, given.speed or 0
  if angle ~= 0 or rate ~= 0 then
    d = pose.revolve(d, sign > 0 and at.a or at.b, axis, sign * angle, sign * rate)
  end
  if length ~= 0 or speed ~= 0 then
    d = pose.slide(d, axis, sign * length, sign * speed)
  end
  return d
end

--- Whether those joints have a given coordinate, and only those, that are in a list of flags.
local function are_given(model, start, flags)
  for i, joint in ipairs(model.joints) do
    if flags[i] ~= (start.joints[joint.name] ~= nil) then
      return false
    end
  end
  return true
end

--- Joints of each body, those with a given coordinate first; kept for runs that give the same ones.
local function neighbours(model, start)
  local kept = rawget(model, "neighbours")
  if kept and #kept.flags == #model.joints and are_given(model, start, kept.flags) then
    return kept.of
  end
  local of, flags = {}, {}
  for i, joint in ipairs(model.joints) do
    flags[i] = start.joints[joint.name] ~= nil
  end
  model.neighbours = { of = of, flags = flags }
  for _, wanted in ipairs { true, false } do
    for _, joint in ipairs(model.joints) do
      if joint.definition.tree and (start.joints[joint.name] ~= nil) == wanted then
        for i = 1, 2 do
          local body = joint.bodies[i]
          of[body] = of[body] or {}
          table.insert(of[body], { joint = joint, other = joint.bodies[3 - i], sign = 3 - 2 * i })
        end
      end
    end
  end
  return of
end

local NOTHING = {}

--- What is given for a body: by the start, else by its declaration.
function posing.given_for(body, start)
  local given = start.bodies[body.name] or NOTHING
  if given == NOTHING and not body.velocity and not body.spin then
    return NOTHING
  end
  return {
    position = given.position, angle = given.angle, orientation = given.orientation,
    velocity = given.velocity or body.velocity,
    spin = given.spin or body.spin,
  }
end

--- Displacements of all bodies, from the ground outwards.
local function displace(model, start)
  local of, placed, queue, first = neighbours(model, start), {}, {}, 1
  local function put(body, d)
    placed[body] = body.ground and d or pose.place(d, body, posing.given_for(body, start))
    queue[#queue + 1] = body
  end
  local function spread()
    while queue[first] do
      local body = queue[first]
      first = first + 1
      for _, edge in ipairs(of[body] or {}) do
        if not placed[edge.other] then
          put(edge.other, across(placed[body], edge.joint, start.joints[edge.joint.name],
            edge.sign))
        end
      end
    end
  end
  put(model.ground, pose.none(model.dimension))
  spread()
  for _, body in ipairs(model.bodies) do
    if not placed[body] then
      put(body, pose.none(model.dimension))
      spread()
    end
  end
  return placed
end

local KINDS = { "angle", "length" }

--- What has a coordinate without mass: { record, kind, whether it is a joint }; kept with the
--- model.
local function massless(model)
  local kept, count = rawget(model, "massless"), #model.joints + #model.forces
  if kept and kept.count == count then
    return kept
  end
  local found = { count = count }
  for _, list in ipairs { model.joints, model.forces } do
    for _, record in ipairs(list) do
      for _, kind in ipairs(KINDS) do
        local own = record[kind]
        if type(own) == "table" and own.index then
          found[#found + 1] = { record, kind, list == model.joints }
        end
      end
    end
  end
  model.massless = found
  return found
end

--- Values for the coordinates without mass, from the bodies: the angle nearest to the given one.
local function measure(model, start, q, v)
  local function frame_at(body)
    return frame.new(body, model.dimension, q, v)
  end
  for _, one in ipairs(massless(model)) do
    local record, kind = one[1], one[2]
    local own = record[kind]
    local x = own.at(record.checked, frame_at(record.bodies[1]), frame_at(record.bodies[2]))
    local given = one[3] and start.joints[record.name]
    local near = given and given[kind] or 0
    if x.cosine then
      local turn = functions.atan(x.sine, x.cosine)
      q[own.index] = near + (turn - near) - 2 * math.pi * math.floor(
        (turn - near) / (2 * math.pi) + 0.5)
    else
      q[own.index] = x.value
    end
    v[own.index] = 0
  end
end

--- Coordinates and velocities before anything is closed.
function posing.guess(model, start)
  local q, v = {}, {}
  local placed = displace(model, start)
  for _, body in ipairs(model.bodies) do
    pose.write(placed[body], body, q, v)
  end
  for i = 1, #model.equations.names do
    q[i], v[i] = q[i] or 0, v[i] or 0
  end
  measure(model, start, q, v)
  return q, v
end

--- Give bodies that a failed start has left deformed their shapes again.
---@param model sarrus.Model
---@param s sarrus.ModelState
function posing.straighten(model, s)
  for _, body in ipairs(model.bodies) do
    if model.dimension == 3 and body.turns then
      local now = s:body(body.name)
      pose.write(pose.place(pose.none(3), body, {
        position = now.position, orientation = rotation.of_quaternion(now.orientation),
      }), body, s.q, s.v)
    end
  end
end

return posing
