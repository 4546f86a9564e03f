--- Starts: from the drawing and what a script gives, to coordinates and velocities that fit.
---
--- Bodies are posed along the joints (posing.lua).  Newton's method closes what is still open, in
--- the norm of the mass, and holds the given coordinates and velocities where the constraints allow
--- it.

local errors = require "sarrus.errors"
local expr = require "sarrus.expr"
local observe = require "sarrus.model.observe"
local posing = require "sarrus.model.posing"
local systems = require "sarrus.system"
local trial = require "sarrus.model.trial"

local assemble = {}

-- Holding what is given --------------------------------------------------------------------------

--- What is to be held: { expression, value, what }, of positions and of velocities.
local function wishes(model, start, with_bodies)
  local positions, velocities = {}, {}
  for _, joint in ipairs(model.joints) do
    local given = start.joints[joint.name] or {}
    for _, kind in ipairs { "angle", "length" } do
      local own, prefix = joint[kind], joint.name .. "."
      local rate_name = own and own.rate_name
      if own and given[kind] then
        positions[#positions + 1] = { own.value, given[kind], prefix .. kind }
      end
      if own and given[rate_name] then
        velocities[#velocities + 1] = { own.rate, given[rate_name], prefix .. rate_name }
      end
    end
  end
  for _, body in ipairs(with_bodies and model.bodies or {}) do
    local given, at = posing.given_for(body, start), model.equations:frame(body)
    local spin = given.spin
    for k = 1, given.velocity and model.dimension or 0 do
      velocities[#velocities + 1] = { at:velocity()[k], given.velocity[k], body.name .. ".v" .. k }
    end
    for k = 1, spin and (type(spin) == "table" and 3 or 1) or 0 do
      local x = at:spin()
      velocities[#velocities + 1] = {
        type(spin) == "table" and x[k] or x, type(spin) == "table" and spin[k] or spin,
        body.name .. ".w" .. k,
      }
    end
  end
  return positions, velocities
end

--- The wishes that are not met at a state, each with the value there.
local function unmet(wanted, start, q, v)
  local list, found = {}, {}
  for i, wish in ipairs(wanted) do
    list[i] = wish[1]
  end
  local x = #list > 0 and observe.compile(list)(start.t, q, v, nil, nil, start.parameters)
  for i, wish in ipairs(wanted) do
    if math.abs(x[i] - wish[2]) > 1e-11 * (1 + math.abs(wish[2])) then
      found[#found + 1] = { wish[3], wish[2], x[i] }
    end
  end
  return found
end

local function met(wanted, start, q, v)
  return #unmet(wanted, start, q, v) == 0
end

--- The model's system with wishes as further constraints.
local function holding(model, positions, velocities)
  local names = {}
  local lists = model.equations:lists()
  lists.force = nil
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
  local closed, rates = trial.close(system.compiled, system.parameters, start, q, v)
  start.held = nil
  if closed and met(positions, start, closed, rates) and met(velocities, start, closed, rates) then
    return closed, rates
  end
end

--- Close and keep what is given: all of it, else the joints' part, else what the norm of the mass
--- makes of it.
local function keep(model, start, q, v)
  local system = model.system
  local positions, velocities = wishes(model, start, true)
  if #positions + #velocities == 0 then
    return q, v
  end
  local closed, rates = trial.close(system.compiled, system.parameters, start, q, v)
  if closed and met(positions, start, closed, rates) and met(velocities, start, closed, rates) then
    return q, v
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
      local at = observe.compile { joint.motion }(start.t, {}, nil, nil, nil, start.parameters)[1]
      if math.abs(at - x) > 1e-9 * (1 + math.abs(x)) then
        return ("%s: %s: the motion prescribes %s at t = %s, but the start gives %s %s"):format(
          model.what, joint.what, errors.show(at), errors.show(start.t), kind, errors.show(x))
      end
    end
  end
end

--- Where a simulation starts.
---@param model sarrus.Model
---@param start table checked fields
---@return number[]? q nil if what is given contradicts the model
---@return number[]|string v
---@return string? code
---@return { q: number[], v: number[] }? before anything was closed
function assemble.start(model, start)
  local against = contradiction(model, start)
  if against then
    return nil, against, "INCONSISTENT"
  end
  local before = {}
  before.q, before.v = posing.guess(model, start)
  local q, v = keep(model, start, before.q, before.v)
  return q, v, nil, before
end

--- How far two lists are apart, in components `from` to `to`.
local function apart(x, y, from, to)
  local square = 0
  for i = from, to do
    square = square + (x[i] - y[i]) ^ 2
  end
  return math.sqrt(square)
end

--- What was given for joints and could not be kept: { "joint.quantity", given, got }.
---@param model sarrus.Model
---@param start table
---@param s sarrus.ModelState
---@return { [1]: string, [2]: number, [3]: number }[]
function assemble.not_kept(model, start, s)
  local positions, velocities = wishes(model, start, false)
  local list = unmet(positions, start, s.q, s.v)
  for _, wish in ipairs(unmet(velocities, start, s.q, s.v)) do
    list[#list + 1] = wish
  end
  return list
end

---@class sarrus.Assembly
---@field moved number largest distance that a body's centre was moved, in m
---@field most string? the body that was moved furthest
---@field moved_velocity number largest change of the velocity of a body's centre
---@field bodies table<string, { moved: number, turned: number }> in m and rad

--- What assembly moved, and how far.
---@param model sarrus.Model
---@param before { q: number[], v: number[] } as given
---@param after sarrus.ModelState
---@return sarrus.Assembly
function assemble.report(model, before, after)
  local report = { moved = 0, moved_velocity = 0, bodies = {} }
  for _, body in ipairs(model.bodies) do
    local from, to = body.offset + 1, body.offset + model.dimension
    local distance = apart(before.q, after.q, from, to)
    local turned = apart(before.q, after.q, to + 1, body.offset + body.count)
    if model.dimension == 3 then -- |R - R'| = 2 sqrt 2 sin(angle / 2)
      turned = 2 * math.asin(math.min(1, turned / math.sqrt(8)))
    end
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
