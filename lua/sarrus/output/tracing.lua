--- Points whose paths a page shows: those that a script chooses, or one that tells the most.

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local families = require "sarrus.model.part.family"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"

local tracing = {}

local function center(model)
  return model.dimension == 2 and { 0, 0 } or { 0, 0, 0 }
end

--- A kind for fields: a list of { body, place in its axes }.
---@param model sarrus.Model
function tracing.kind(model)
  local pair = fields.record {
    { 1, fields.string, required = true },
    { 2, kinds.numbers(model.dimension), default = center(model) },
  }
  return fields.list(function(value, path, fault)
    local given = pair(type(value) == "string" and { value } or value, path, fault)
    if not given or not given[1] then
      return nil
    end
    local body = families.find(model, "body", given[1])
    if not body then
      return fault(path .. ": " .. errors.unknown("body", given[1], model.names.body))
    end
    return { body = body, point = given[2] }
  end)
end

--- How many joints each body has, and which are joined to the ground.
local function count_joints(model)
  local count, grounded = {}, {}
  for _, joint in ipairs(model.joints) do
    local bodies = joint.bodies or {}
    for i, body in ipairs(bodies) do
      count[body] = (count[body] or 0) + 1
      grounded[body] = grounded[body] or bodies[3 - i] == model.ground
    end
  end
  return count, grounded
end

--- Whether a joint holds a body at a place of the drawing.
local function held(model, body, place, near)
  for _, joint in ipairs(model.joints) do
    local at = joint.checked.at
    for i, b in ipairs(at and joint.bodies or {}) do
      if b == body and drawing.distance(i == 1 and at.a or at.b, place) < near then
        return true
      end
    end
  end
  return false
end

--- The end of a rod that no joint holds, in its axes; the centre of mass of others.
local function free_end(model, body)
  local ends = body.ends or {}
  for _, place in ipairs(ends) do
    if not held(model, body, place, 1e-6 * drawing.distance(ends[1], ends[2])) then
      return drawing.place(body, place)
    end
  end
  return center(model)
end

--- Of the bodies off the ground (if none are, of all) the last of those that end a chain, else the
--- one with the most joints.
---@param model sarrus.Model
---@return { body: table, point: number[] }[]
function tracing.default(model)
  local count, grounded = count_joints(model)
  local function choose(from)
    local best
    for _, body in ipairs(from) do
      local n = count[body] or 0
      local rank = n == 1 and math.huge or n
      if not best or rank > best.rank or n == 1 then
        best = { rank = rank, body = body }
      end
    end
    return best and best.body
  end
  local off = {}
  for _, body in ipairs(model.bodies) do
    off[#off + 1] = not grounded[body] and body or nil
  end
  local body = choose(off) or choose(model.bodies)
  return body and { { body = body, point = free_end(model, body) } } or {}
end

return tracing
