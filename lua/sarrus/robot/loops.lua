--- The option `loops`: joints that close loops, in the frames of links.
---
--- { { "name", "link a", "link b", type = "spherical", at = {x, y, z} or { a =, b = }, … }, … }:
--- `at` is in the frame of link a, of two places each is in the frame of its own link; `axis`,
--- `axes`, `normal` and `from` are in that of a, `to` in that of b.  Everything else is what the
--- type of joint takes.

local errors = require "sarrus.base.errors"
local families = require "sarrus.model.part.family"
local placement = require "sarrus.robot.placement"

local loops = {}

local function joins_two(definition)
  return (definition.bodies or "two") == "two"
end

local function is_vector(value)
  if type(value) ~= "table" or #value ~= 3 then
    return false
  end
  for k = 1, 3 do
    if type(value[k]) ~= "number" or value[k] - value[k] ~= 0 then
      return false
    end
  end
  return true
end

local function of_vectors(f, value)
  if is_vector(value) then
    return f(value)
  end
  local list = {}
  for i, one in ipairs(value) do
    list[i] = f(one)
  end
  return list
end

local function all_vectors(value)
  if is_vector(value) then
    return true
  elseif type(value) ~= "table" then
    return false
  end
  for _, one in ipairs(value) do
    if not is_vector(one) then
      return false
    end
  end
  return #value > 0
end

--- A place or direction of a loop in the drawing; misuse raises.
local function moved(path, name, value, a, b)
  local function want(good)
    if not good then
      errors.raise(("%s.%s: %s, want a list of 3 numbers"):format(path, name, errors.got(value)))
    end
  end
  local function point(link)
    return function(p)
      return placement.point(link, p)
    end
  end
  if name == "at" and type(value) == "table" and (value.a or value.b) then
    want(is_vector(value.a) and is_vector(value.b))
    return { a = placement.point(a, value.a), b = placement.point(b, value.b) }
  elseif name == "at" or name == "from" or name == "to" then
    want(is_vector(value))
    return point(name == "to" and b or a)(value)
  end
  want(all_vectors(value))
  return of_vectors(function(d)
    return placement.direction(a, d)
  end, value)
end

local MOVED = { at = true, from = true, to = true, axis = true, axes = true, normal = true }

local function link_of(robot, path, which, name)
  if name == "ground" then
    return { ground = true, at = placement.new() }
  end
  local link = type(name) == "string" and robot.by_name[name]
  if not link then
    local known = { "ground" }
    for _, one in ipairs(robot.links) do
      known[#known + 1] = one.name
    end
    errors.raise(("%s[%d]: unknown link %s%s"):format(path, which, errors.show(name),
      errors.suggest(name, known)))
  end
  return link
end

local function loop_of(robot, given, path)
  if type(given) ~= "table" or type(given[1]) ~= "string" then
    errors.raise(('%s: %s, want { "name", "link a", "link b", at = … }'):format(path,
      errors.got(given)))
  end
  local kind, known = given.type or "spherical", false
  local list = families.types_that("joint", joins_two)
  for _, one in ipairs(list) do
    known = known or one == kind
  end
  if not known then
    errors.raise(("%s.type: %s%s; there are %s"):format(path, errors.got(kind),
      errors.suggest(kind, list), table.concat(list, ", ")))
  end
  local a, b = link_of(robot, path, 2, given[2]), link_of(robot, path, 3, given[3])
  local fields = {}
  for name, value in pairs(given) do
    if MOVED[name] then
      fields[name] = moved(path, name, value, a.at, b.at)
    elseif type(name) ~= "number" and name ~= "type" then
      fields[name] = value
    end
  end
  local element = b.element or a.element or robot.links[1].element
  return { name = given[1], part = kind, a = a, b = b, fields = fields, element = element }
end

--- Add the loops that a script gives to a robot.
---@param robot table
---@param given table[]
function loops.put(robot, given)
  for i, one in ipairs(given) do
    table.insert(robot.loops, loop_of(robot, one, ("import: loops[%d]"):format(i)))
  end
end

return loops
