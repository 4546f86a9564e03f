--- Starts: from the drawing and what a script gives, to coordinates and velocities that fit.
---
--- Bodies are posed along the joints (posing.lua).  Newton's method closes what is still open, in
--- the norm of the mass, and holds the given coordinates and velocities where the constraints allow
--- it.

local errors = require "sarrus.base.errors"
local frame = require "sarrus.model.equations.frame"
local holding = require "sarrus.model.start.holding"
local later = require "sarrus.base.later"
local posing = require "sarrus.model.start.posing"
local probe = require "sarrus.model.start.probe"
local results = require "sarrus.base.result"
local evaluator = later "sarrus.expr.evaluate"
local nearest = later "sarrus.model.start.nearest"
local outside = later "sarrus.model.start.outside"

local assemble = {}

-- What is given ----------------------------------------------------------------------------------

--- Close and keep what is given: all of it, else the joints' part, else what the norm of the mass
--- makes of it.  Where all closes as it is, the last is a simulation, without contacts, that stands
--- there.
local function keep(model, start, q, v)
  local system = probe.system(model)
  local positions, velocities = holding.wishes(model, start, true)
  if #positions + #velocities == 0 then
    return q, v
  end
  local closed, rates, _, object = probe.stand(system.compiled, system.parameters, start, q, v)
  if closed and holding.met(model, positions, velocities, start, closed, rates) then
    return q, v, object
  elseif closed then
    object:close()
  end
  if #positions > 0 then
    q = nearest.hold(model, start, positions, q, v) or q
  end
  local _, of_joints = holding.wishes(model, start, false)
  for _, wanted in ipairs { velocities, of_joints } do
    local _, kept = holding.hold(model, start, {}, wanted, q, v)
    if kept then
      return q, kept
    end
  end
  return q, v
end

local function contradiction(model, start)
  for _, joint in ipairs(model.joints) do
    local given = start.joints[joint.name]
    local kind = joint.coordinate and joint.coordinate.kind
    local x = given and given[kind]
    if x and joint.motion then
      local at = evaluator { joint.motion }(start.t, {}, nil, nil, nil, start.parameters)[1]
      local scale = math.max(math.abs(x),
        holding.scale_of(model, joint.coordinate.unit, model.size))
      if math.abs(at - x) > 1e-9 * scale then
        return ("%s: %s: the motion prescribes %s at t = %s, but the start gives %s %s"):format(
          model.what, joint.what, errors.show(at), errors.show(start.t), kind, errors.show(x))
      end
    end
  end
end

--- Whether anything of a model is limited.
local function is_limited(model)
  for _, joint in ipairs(model.joints) do
    if joint.checked.limits or joint.stops then
      return true
    end
  end
  return false
end

--- Where a simulation starts.
---@param model sarrus.Model
---@param start table checked fields
---@return number[]? q nil if what is given contradicts the model
---@return number[]|string v
---@return string? code
---@return { q: number[], v: number[] }? before anything was closed
---@return userdata? object of the core that stands there, where one was needed to find out
function assemble.start(model, start)
  local limited = is_limited(model)
  start.brought = {}
  if limited then
    outside.bring_within(model, start)
    outside.choose_brought(model, start)
  end
  local against = contradiction(model, start)
  if against then
    return nil, against, "INCONSISTENT"
  end
  local before, q, v, object, again = {}
  start.stopped = {}
  repeat -- ends: each joint, and each stop, is brought once
    if object then
      object:close()
    end
    before.q, before.v = posing.guess(model, start)
    q, v, object = keep(model, start, before.q, before.v)
    again = #start.brought > 0 and outside.bring_others(model, start, q, v)
    again = limited and outside.bring_stops(model, start, q, v) or again
  until not again
  return q, v, nil, before, object
end

--- How far two lists are apart, in components `from` to `to`.
local function apart(x, y, from, to)
  local square = 0
  for i = from, to do
    square = square + (x[i] - y[i]) ^ 2
  end
  return math.sqrt(square)
end

--- The angle between two orientations, each as the components of three axes: |R - R'| = 2 sqrt 2
--- sin(angle / 2).
local function turned_by(x, y, from)
  return 2 * math.asin(math.min(1, apart(x, y, from, from + 8) / math.sqrt(8)))
end

local function norm(x)
  return type(x) == "table" and apart(x, { 0, 0, 0 }, 1, #x) or math.abs(x)
end

--- The largest speed of a body in a state, turning counted at the size of the model.
local function fastest(model, s)
  local most = 0
  for _, body in ipairs(model.bodies) do
    local now = frame.new(body, model.dimension, s.q, s.v)
    most = math.max(most, norm(now:velocity()), model.size * norm(now:spin()))
  end
  return most
end

--- How far a body's state is from what was given, by field: { field, distance, unit, what is
--- rounding }.
local function body_misses(model, body, given, before, s, most)
  local now = frame.new(body, model.dimension, s.q, s.v)
  local size, list = model.size, {}
  local function compare(field, read, unit, least)
    local x = given[field]
    if x then
      local y = now[read](now)
      local off = type(x) == "table" and apart(x, y, 1, #x) or math.abs(x - y)
      list[#list + 1] = { field, off, unit, 1e-9 * least }
    end
  end
  compare("position", "point", "m", size)
  compare("angle", "angle", "rad", 1)
  if given.orientation then
    list[#list + 1] = { "orientation", turned_by(before.q, s.q, body.offset + 4), "rad", 1e-9 }
  end
  compare("velocity", "velocity", "m/s", math.max(most, norm(given.velocity or 0)))
  compare("spin", "spin", "rad/s", math.max(most / size, norm(given.spin or 0)))
  return list
end

local new_not_kept = results.kind("what was not kept",
  { "object", "field", "off", "given", "got", "unit" })

local joint_units = { angle = "rad", rate = "rad/s", length = "m", speed = "m/s" }

--- What was given and could not be kept, of joints and of bodies.
---@param model sarrus.Model
---@param start table
---@param before { q: number[], v: number[] } as given
---@param s { q: number[], v: number[] } the start
---@return sarrus.NotKept[]
function assemble.not_kept(model, start, before, s)
  local list, most = {}
  for k, wanted in ipairs { holding.wishes(model, start, false) } do
    for _, wish in ipairs(holding.unmet(model, wanted, start, s.q, k == 2 and s.v or nil)) do
      local object, field = wish[1]:match("^(.*)%.(.-)$")
      list[#list + 1] = new_not_kept {
        object = object, field = field, off = math.abs(wish[3] - wish[2]), given = wish[2],
        got = wish[3], unit = joint_units[field],
      }
    end
  end
  for _, body in ipairs(model.bodies) do
    local given = posing.given_for(body, start)
    most = most or next(given) and fastest(model, s)
    for _, miss in ipairs(next(given) and body_misses(model, body, given, before, s, most) or {}) do
      if miss[2] > miss[4] then
        list[#list + 1] = new_not_kept {
          object = body.name, field = miss[1], off = miss[2], unit = miss[3],
        }
      end
    end
  end
  return list
end

---@class sarrus.NotKept
---@field object string the joint or the body
---@field field string what was given for it
---@field off number by how much it is another one
---@field unit string
---@field given number? of a joint
---@field got number? of a joint

---@class sarrus.Assembly
---@field moved number largest distance that a body's centre was moved, in m
---@field most string? the body that was moved furthest
---@field moved_velocity number largest change of the velocity of a body's centre
---@field bodies table<string, { moved: number, turned: number }> in m and rad
---@field not_kept sarrus.NotKept[] what was given and the constraints do not allow

--- What assembly moved, and how far.
---@param model sarrus.Model
---@param before { q: number[], v: number[] } as given
---@param after { q: number[], v: number[] } the start
---@param not_kept sarrus.NotKept[]
---@return sarrus.Assembly
function assemble.report(model, before, after, not_kept)
  local report = { moved = 0, moved_velocity = 0, bodies = {}, not_kept = not_kept }
  for _, body in ipairs(model.bodies) do
    local from, to = body.offset + 1, body.offset + model.dimension
    local distance = apart(before.q, after.q, from, to)
    local turned = body.turns and model.dimension == 3 and turned_by(before.q, after.q, to + 1)
      or apart(before.q, after.q, to + 1, body.offset + body.count)
    report.bodies[body.name] = { moved = distance, turned = turned }
    report.moved_velocity = math.max(report.moved_velocity,
      apart(before.v, after.v, from, to))
    if distance > report.moved then
      report.moved, report.most = distance, body.name
    end
  end
  return report
end

return assemble
