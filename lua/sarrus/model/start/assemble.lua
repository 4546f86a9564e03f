--- Starts: from the drawing and what a script gives, to coordinates and velocities that fit.
---
--- Bodies are posed along the joints (posing.lua).  Newton's method closes what is still open, in
--- the norm of the mass, and holds the given coordinates and velocities where the constraints allow
--- it.

local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local expr = require "sarrus.expr"
local posing = require "sarrus.model.start.posing"
local results = require "sarrus.base.result"
local speed = require "sarrus.model.start.speed"
local systems = require "sarrus.system"
local probe = require "sarrus.model.start.probe"

local assemble = {}

-- Holding what is given --------------------------------------------------------------------------

--- At a stop.
local function at_stop(law)
  return { law.gap, 0, law.name, law.unit }
end

--- What is to be held: { expression, value, what, unit }, of positions and of velocities; units are
--- "m" and "rad", of their rates too.
local function wishes(model, start, with_bodies)
  local positions, velocities = {}, {}
  for _, joint in ipairs(model.joints) do
    local given = start.joints[joint.name] or {}
    for _, kind in ipairs { "angle", "length" } do
      local own, prefix = joint[kind], joint.name .. "."
      local rate_name = own and own.rate_name
      if own and given[kind] then
        positions[#positions + 1] = { own.value, given[kind], prefix .. kind, own.unit }
      end
      if own and given[rate_name] then
        velocities[#velocities + 1] = {
          own.rate, given[rate_name], prefix .. rate_name, own.unit,
        }
      end
    end
  end
  for _, one in ipairs(start.stopped or {}) do
    positions[#positions + 1] = at_stop(one.law)
  end
  for _, body in ipairs(with_bodies and model.bodies or {}) do
    local given, at = posing.given_for(body, start), model.equations:frame(body)
    local spin = given.spin
    for k = 1, given.velocity and model.dimension or 0 do
      velocities[#velocities + 1] = {
        at:velocity()[k], given.velocity[k], body.name .. ".v" .. k, "m",
      }
    end
    for k = 1, spin and (type(spin) == "table" and 3 or 1) or 0 do
      local x = at:spin()
      velocities[#velocities + 1] = {
        type(spin) == "table" and x[k] or x, type(spin) == "table" and spin[k] or spin,
        body.name .. ".w" .. k, "rad",
      }
    end
  end
  return positions, velocities
end

--- What rounding is relative to, from what it is for lengths: the size of the model, or for rates
--- the largest of them.
local function scale_of(model, unit, lengths)
  return unit == "m" and lengths or lengths / model.size
end

--- What measures wishes, compiled once.
local function measuring(model, wanted)
  local names, list = {}, {}
  for i, wish in ipairs(wanted) do
    list[i], names[i] = wish[1], wish[3]
  end
  local key = "met " .. table.concat(names, "\n")
  model.holding[key] = model.holding[key] or evaluator(list)
  return model.holding[key]
end

--- The wishes that are not met at a state, each with the value there; v only where they are of
--- velocities.
local function unmet(model, wanted, start, q, v)
  local found = {}
  if #wanted == 0 then
    return found
  end
  local x = measuring(model, wanted)(start.t, q, v, nil, nil, start.parameters)
  local lengths = v and speed.largest(model, v) or model.size
  for i, wish in ipairs(wanted) do
    local scale = math.max(scale_of(model, wish[4], lengths), math.abs(wish[2]))
    if math.abs(x[i] - wish[2]) > 2e-11 * scale then
      found[#found + 1] = { wish[3], wish[2], x[i] }
    end
  end
  return found
end

--- Whether positions and velocities are as wanted.
local function met(model, positions, velocities, start, q, v)
  return #unmet(model, positions, start, q) == 0 and #unmet(model, velocities, start, q, v) == 0
end

--- The model's system with wishes as further constraints.
local function holding(model, positions, velocities)
  local names = {}
  local lists = model.equations:lists()
  lists.force, lists.contacts = nil, nil
  local function extend(field, wanted)
    local list = {}
    for i, e in ipairs(lists[field] or {}) do
      list[i] = e
    end
    for _, wish in ipairs(wanted) do
      local name = "held " .. wish[3]
      names[#names + 1] = name
      list[#list + 1] = wish[1] - expr.parameter(name, 0)
    end
    lists[field] = #list > 0 and list or nil
  end
  extend("constraints", positions)
  extend("velocity_constraints", velocities)
  local key = table.concat(names, "\n")
  if not model.holding[key] then
    model.holding[key] = systems.of_equations(model.what, model.name, model.equations.names, lists)
  end
  return model.holding[key]
end

--- Close with wishes held; nil where that cannot be.
local function hold(model, start, positions, velocities, q, v)
  local system = holding(model, positions, velocities)
  start.held = {}
  for _, list in ipairs { positions, velocities } do
    for _, wish in ipairs(list) do
      start.held["held " .. wish[3]] = wish[2]
    end
  end
  local closed, rates = probe.close(system.compiled, system.parameters, start, q, v)
  start.held = nil
  if closed and met(model, positions, velocities, start, closed, rates) then
    return closed, rates
  end
end

--- Close and keep what is given: all of it, else the joints' part, else what the norm of the mass
--- makes of it.  Where all closes as it is, the last is a simulation, without contacts, that stands
--- there.
local function keep(model, start, q, v)
  local system = probe.system(model)
  local positions, velocities = wishes(model, start, true)
  if #positions + #velocities == 0 then
    return q, v
  end
  local closed, rates, _, object = probe.stand(system.compiled, system.parameters, start, q, v)
  if closed and met(model, positions, velocities, start, closed, rates) then
    return q, v, object
  elseif closed then
    object:close()
  end
  if #positions > 0 then
    q = hold(model, start, positions, {}, q, v) or q
  end
  local _, of_joints = wishes(model, start, false)
  for _, wanted in ipairs { velocities, of_joints } do
    local _, kept = hold(model, start, {}, wanted, q, v)
    if kept then
      return q, kept
    end
  end
  return q, v
end

-- Motions and limits against what is given -------------------------------------------------------

local function contradiction(model, start)
  for _, joint in ipairs(model.joints) do
    local given = start.joints[joint.name]
    local kind = joint.coordinate and joint.coordinate.kind
    local x = given and given[kind]
    if x and joint.motion then
      local at = evaluator { joint.motion }(start.t, {}, nil, nil, nil, start.parameters)[1]
      local scale = math.max(scale_of(model, joint.coordinate.unit, model.size), math.abs(x))
      if math.abs(at - x) > 1e-9 * scale then
        return ("%s: %s: the motion prescribes %s at t = %s, but the start gives %s %s"):format(
          model.what, joint.what, errors.show(at), errors.show(start.t), kind, errors.show(x))
      end
    end
  end
end

--- Whether a start poses a joint: by its coordinate, or by a body of it.
local function posed(joint, start)
  local own = start.joints[joint.name]
  for _, body in ipairs(joint.bodies) do
    local given = start.bodies[body.name]
    if given and (given.position or given.angle or given.orientation) then
      return true
    end
  end
  return joint.coordinate and own and own[joint.coordinate.kind] ~= nil
end

--- The limit that is nearest to a coordinate that lies outside; nil if it does not.
local function nearest_limit(limits, start, now)
  local low, high = limits[1], limits[2]
  if type(low) ~= "number" or type(high) ~= "number" then
    local x = evaluator { low, high }(start.t, {}, nil, nil, nil, start.parameters)
    low, high = x[1], x[2]
  end
  local rounding = 1e-12 * (high - low)
  return now < low - rounding and low or now > high + rounding and high or nil
end

--- Let a joint begin at a limit.
local function bring(start, joint, limit)
  local own = {}
  for key, value in pairs(start.joints[joint.name] or {}) do
    own[key] = value
  end
  own[joint.coordinate.kind] = limit
  table.insert(start.brought, {
    joint = joint, limit = limit, kind = joint.coordinate.kind, given = start.joints[joint.name],
  })
  start.joints[joint.name] = own
end

--- Joints with limits that have no start of their own.
local function limited(model, start)
  local list = {}
  for _, joint in ipairs(model.joints) do
    local limits = joint.coordinate and not joint.motion and joint.checked.limits
    list[#list + 1] = limits and not posed(joint, start) and joint or nil
  end
  return list
end

--- Let joints that are drawn outside of their limits, and have no start of their own, begin at the
--- nearest one; which do, is kept in start.brought.
local function bring_within(model, start)
  start.brought = {}
  for _, joint in ipairs(limited(model, start)) do
    local limit = nearest_limit(joint.checked.limits, start, 0)
    if limit then
      bring(start, joint, limit)
    end
  end
end

--- Whether all that is wanted of positions can be had together.
local function compatible(model, start)
  local q, v = posing.guess(model, start)
  local positions = wishes(model, start, false)
  return hold(model, start, positions, {}, q, v) ~= nil
end

--- Of joints that cannot all begin at limits, as where one leads the other, those that can, one
--- after the other.
local function choose_brought(model, start)
  local wanted = start.brought
  if #wanted < 2 or compatible(model, start) then
    return
  end
  local before = {}
  for _, one in ipairs(wanted) do
    before[one], start.joints[one.joint.name] = start.joints[one.joint.name], one.given
  end
  start.brought = {}
  for _, one in ipairs(wanted) do
    start.joints[one.joint.name] = before[one]
    if compatible(model, start) then
      table.insert(start.brought, one)
    else
      start.joints[one.joint.name] = one.given
    end
  end
end

--- Closing loops may take other joints out of their limits; let these begin at the nearest one too.
--- Whether there were such.
local function bring_others(model, start, q, v)
  local list, system = limited(model, start), probe.system(model)
  local closed = #list > 0 and probe.close(system.compiled, system.parameters, start, q, v)
  local before, values = #start.brought, {}
  for i, joint in ipairs(closed and list or {}) do
    values[i] = joint.coordinate.value
  end
  local x = closed and evaluator(values)(start.t, closed, nil, nil, nil, start.parameters)
  for i, joint in ipairs(closed and list or {}) do
    local limit = nearest_limit(joint.checked.limits, start, x[i])
    if limit then
      bring(start, joint, limit)
    end
  end
  return #start.brought > before
end

--- Stops of joints without a coordinate, as of ropes, that the start does not pose.
local function free_stops(model, start)
  local list = {}
  for _, joint in ipairs(model.joints) do
    local free = joint.stops and not joint.coordinate and not posed(joint, start)
    for _, i in ipairs(free and joint.stops or {}) do
      list[#list + 1] = { joint = joint, law = model.equations.contacts[i] }
    end
  end
  return list
end

--- The number of the limit that a stop is at.
local function limit_of(stop, start)
  local limit = stop.limits[stop.side == "lower" and 1 or 2]
  return type(limit) == "number" and limit
    or evaluator { limit }(start.t, {}, nil, nil, nil, start.parameters)[1]
end

--- Let such a joint begin at the limit that it would be beyond, once closed; kept in start.stopped.
--- Whether there were such, beside those that are known.
local function bring_stops(model, start, q, v)
  local list, gaps, known = free_stops(model, start), {}, {}
  if #list == 0 then
    return false
  end
  local before, system = #start.stopped, probe.system(model)
  for _, one in ipairs(start.stopped) do
    known[one.law] = true
  end
  for i, one in ipairs(list) do
    gaps[i] = at_stop(one.law)
  end
  local closed = probe.close(system.compiled, system.parameters, start, q, v) or q
  local x = measuring(model, gaps)(start.t, closed, nil, nil, nil, start.parameters)
  for i, one in ipairs(list) do
    if not known[one.law] and x[i] < -1e-12 * scale_of(model, one.law.unit, model.size) then
      one.kind, one.limit = one.law.stop.kind, limit_of(one.law.stop, start)
      table.insert(start.stopped, one)
    end
  end
  return #start.stopped > before
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
  bring_within(model, start)
  choose_brought(model, start)
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
    again = #start.brought > 0 and bring_others(model, start, q, v)
    again = bring_stops(model, start, q, v) or again
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
    local now = s:body(body.name)
    most = math.max(most, norm(now.velocity), model.size * norm(now.spin))
  end
  return most
end

--- How far a body's state is from what was given, by field: { field, distance, unit, what is
--- rounding }.
local function body_misses(model, body, given, before, s, most)
  local now, size, o = s:body(body.name), model.size, body.offset
  local list = {}
  local function compare(field, x, off, unit, least)
    if x then
      list[#list + 1] = { field, off(x), unit, 1e-9 * least }
    end
  end
  local function from(y)
    return function(x)
      return type(x) == "table" and apart(x, y, 1, #x) or math.abs(x - y)
    end
  end
  compare("position", given.position, from(now.position), "m", size)
  compare("angle", given.angle, from(now.angle), "rad", 1)
  compare("orientation", given.orientation, function()
    return turned_by(before.q, s.q, o + 4)
  end, "rad", 1)
  compare("velocity", given.velocity, from(now.velocity), "m/s", math.max(most,
    norm(given.velocity or 0)))
  compare("spin", given.spin, from(now.spin), "rad/s", math.max(most / size,
    norm(given.spin or 0)))
  return list
end

local new_not_kept = results.kind("what was not kept",
  { "object", "field", "off", "given", "got", "unit" })

local joint_units = { angle = "rad", rate = "rad/s", length = "m", speed = "m/s" }

--- What was given and could not be kept, of joints and of bodies.
---@param model sarrus.Model
---@param start table
---@param before { q: number[], v: number[] } as given
---@param s sarrus.ModelState
---@return sarrus.NotKept[]
function assemble.not_kept(model, start, before, s)
  local list, most = {}
  for k, wanted in ipairs { wishes(model, start, false) } do
    for _, wish in ipairs(unmet(model, wanted, start, s.q, k == 2 and s.v or nil)) do
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
---@param after sarrus.ModelState
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
