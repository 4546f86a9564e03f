--- From parts to records: every field checked, every name resolved.
---
--- Of a parametric model, whose numbers are expressions of parameters, the definitions check what
--- these become for values of the parameters: see drawn.lua.

local errors = require "sarrus.base.errors"
local families = require "sarrus.model.part.family"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"
local later = require "sarrus.base.later"
local parts = require "sarrus.model.part"
local rotation = later "sarrus.expr.rotation"
local shapes = later "sarrus.model.drawing.shape"

local declare = {}

-- What parts may say -----------------------------------------------------------------------------

local specifications = setmetatable({}, { __mode = "k" })

--- The fields of a definition's parts in models of a dimension, the same list for all of them.
local function fields_of(definition, dimension, make, ...)
  local known = specifications[definition] or {}
  specifications[definition] = known
  known[dimension] = known[dimension] or make(definition, dimension, ...)
  return known[dimension]
end

-- Bodies -----------------------------------------------------------------------------------------

--- `list.warn` hears what deserves attention in an orientation.
local function body_fields(definition, dimension)
  local list
  local function warn(...)
    list.warn(...)
  end
  list = { { 1, fields.any }, { "mass", kinds.mass, required = definition.no_density } }
  local function put(field)
    list[#list + 1] = field
  end
  for _, field in ipairs(definition.fields(dimension)) do
    put(field)
  end
  if not definition.no_density then
    put { "density", kinds.mass }
  end
  put { "velocity", kinds.vector(dimension) }
  if definition.turns then
    put { "spin", dimension == 2 and kinds.scalar or kinds.vector(3) }
  end
  if definition.oriented then
    put(dimension == 2 and { "angle", kinds.scalar }
      or { "orientation", rotation.kind(kinds.scalar, warn) })
  end
  put { "color", kinds.color }
  return list
end

--- Position, angle or rotation, mass and inertia of a checked body.
local function complete(record, checked, dimension)
  local built = record.definition.build(checked)
  record.position = built.position
  record.mass = checked.mass or built.mass
  record.inertia = built.inertia
  record.ends, record.shape, record.axis = built.ends, built.shape, built.axis
  if record.turns and dimension == 2 then
    record.angle = built.angle or checked.angle or 0
  elseif record.turns then
    record.rotation = built.rotation or checked.orientation or rotation.identity()
  end
  record.radius = checked.radius
  record.velocity, record.spin, record.color = checked.velocity, checked.spin, checked.color
end

--- The record of a body; nil and faults.
---@param model table
---@param part sarrus.Part
---@param fault fun(message: string)
function declare.body(model, part, fault)
  local failed, definition = false, part.definition
  local function remember(message)
    failed = true
    fault(message)
  end
  local record = {
    name = part.given[1], type = part.type, part = part, definition = definition,
    turns = definition.turns,
  }
  local specification = fields_of(definition, model.dimension, body_fields)
  function specification.warn(code, message)
    model:warn(code, message, record.name)
  end
  local checked = fields.collect(specification, part.given, "", remember)
  specification.warn = nil -- it knows the model
  if not definition.no_density and (part.given.mass == nil) == (part.given.density == nil) then
    remember(part.given.mass == nil and "missing field 'mass' (or 'density')"
      or "give either 'mass' or 'density', not both")
  end
  if not failed and definition.check and not model.parametric then
    definition.check(checked, remember)
  end
  if failed then
    return nil
  end
  complete(record, checked, model.dimension)
  return record
end

-- References -------------------------------------------------------------------------------------

--- A body by name; nil and a fault.  A body that has faults itself is found as false.
local function find_body(model, name, which, fault)
  if name == "ground" then
    return model.ground
  elseif type(name) ~= "string" then
    return fault(("%s: %s, want the name of a body"):format(which,
      name == nil and "is missing" or errors.got(name)))
  end
  local found = families.find(model, "body", name)
  if found == nil then
    local names = { "ground" }
    for _, body in ipairs(model.names.body) do
      names[#names + 1] = body
    end
    return fault(which .. ": " .. errors.unknown("body", name, names))
  end
  return found
end

--- A joint by name, declared before; nil and a fault.
local function find_joint(model, name, which, fault)
  local found = families.find(model, "joint", name)
  if found == nil then
    return fault(("%s: %s%s, want the name of a joint"):format(which,
      name == nil and "is missing" or errors.got(name), errors.suggest(name, model.names.joint)))
  end
  return found
end

local function two_bodies(model, given, fault, optional)
  local a = find_body(model, given[2], "body A, [2]", fault)
  local b
  if given[3] == nil and optional then
    a, b = a and model.ground, a
  else
    b = find_body(model, given[3], "body B, [3]", fault)
  end
  if a and a == b then
    return fault(("both bodies are %s: a part joins two"):format(errors.show(given[2])))
  end
  return a and b and { a, b }
end

local function several_bodies(model, given, fault)
  if type(given[2]) ~= "table" or #given[2] == 0 then
    return fault("[2]: " .. errors.got(given[2]) .. ", want a list of bodies, { \"a\", \"b\" }")
  end
  local list, seen = {}, {}
  for i, name in ipairs(given[2]) do
    local body = find_body(model, name, ("[2][%d]"):format(i), fault)
    if body and seen[body] then
      fault(("[2][%d]: body %s is listed twice"):format(i, errors.show(name)))
    end
    list[i] = body or nil
    seen[body or i] = true
  end
  return #list == #given[2] and list
end

local function two_joints(model, given, fault)
  local a = find_joint(model, given[2], "joint 1, [2]", fault)
  local b = find_joint(model, given[3], "joint 2, [3]", fault)
  if a and a == b then
    return fault("both joints are " .. errors.show(given[2]))
  end
  return a and b and { a, b }
end

--- The shapes that a name stands for: a shape, that of a body, or those fixed to it.
local function named_shapes(model, name, which, fault)
  local shape = families.find(model, "shape", name)
  if shape ~= nil then
    return shape and { shape }
  elseif type(name) ~= "string" then
    return fault(("%s: %s, want the name of a shape, or a list of names"):format(which,
      name == nil and "is missing" or errors.got(name)))
  end
  local body = name == "ground" and model.ground or families.find(model, "body", name)
  if body == nil then
    local names = {}
    for _, family in ipairs { "shape", "body" } do
      for _, known in ipairs(model.names[family]) do
        names[#names + 1] = known
      end
    end
    return fault(which .. ": " .. errors.unknown("shape", name, names))
  end
  local list = {}
  list[1] = body and shapes.of_body(body, model.dimension)
  for _, one in ipairs(body and #list == 0 and model.shapes or {}) do
    list[#list + 1] = one.body == body and one or nil
  end
  if body and #list == 0 then
    return fault(("%s: %s has no shape: fix one to it, shape.%s { \"name\", %s, … }"):format(which,
      errors.show(name), model.dimension == 2 and "disk" or "sphere", errors.show(name)))
  end
  return body and list
end

--- All shapes that a name or a list of names stands for, each once.
local function listed_shapes(model, given, which, fault)
  if type(given) ~= "table" then
    return named_shapes(model, given, which, fault)
  elseif #given == 0 then
    return fault(parts.is(given)
      and ("%s: got %s, want its name, in quotes, or a list of names"):format(which,
        tostring(given))
      or which .. ": the list of shapes is empty")
  end
  local list, seen, failed = {}, {}, false
  for i, name in ipairs(given) do
    local found = named_shapes(model, name, ("%s[%d]"):format(which, i), fault)
    failed = failed or not found
    for _, shape in ipairs(found or {}) do
      list[#list + 1] = not seen[shape] and shape or nil
      seen[shape] = true
    end
  end
  return not failed and list
end

local function two_shapes(model, given, fault)
  local a = listed_shapes(model, given[2], "A, [2]", fault)
  if given[3] == nil and type(given[2]) == "table" then
    return a and { a }
  end
  local b = listed_shapes(model, given[3], "B, [3]", fault)
  return a and b and { a, b }
end

-- What stands after a part's name, by `definition.bodies`: how many names (or lists of them), and
-- the records of what they name, nil after a fault.  A missing one of "optional" is the ground.
local REFERENCES = {
  two = { 2, two_bodies },
  one = { 1, function(model, given, fault)
    local body = find_body(model, given[2], "the body, [2]", fault)
    return body and { body }
  end },
  several = { 1, several_bodies },
  joints = { 2, two_joints },
  shapes = { 2, two_shapes },
  optional = { 2, function(model, given, fault)
    return two_bodies(model, given, fault, true)
  end },
}

-- Joints and forces ------------------------------------------------------------------------------

--- Bodies without orientation cannot take what turns; `oriented` may be 3, for in space only.
local function check_orientation(record, dimension, fault)
  local oriented = record.definition.oriented
  local matters = oriented == true or oriented == dimension
  for _, body in ipairs(matters and record.bodies or {}) do
    if not body.turns and not body.ground then
      fault(("%s is a point, which has no orientation%s"):format(errors.show(body.name),
        record.definition.instead and ": use " .. record.definition.instead or ""))
    end
  end
end

local function connection_fields(definition, dimension, references, common)
  local list = {}
  for i = 1, 1 + references do
    list[i] = { i, fields.any }
  end
  for _, more in ipairs { definition.fields(dimension), common or {} } do
    for _, field in ipairs(more) do
      list[#list + 1] = field
    end
  end
  return list
end

--- The record of a joint, a force, a shape or a contact; nil and faults.
---@param model table
---@param part sarrus.Part
---@param fault fun(message: string)
---@param common? table[] fields that all types of its family take
function declare.connection(model, part, fault, common)
  local definition, failed = part.definition, false
  local function remember(message)
    failed = true
    fault(message)
  end
  local only = definition.dimension
  if only and only ~= model.dimension then
    return fault(("exists only in %s models%s"):format(only == 2 and "planar" or "spatial",
      definition.instead and ": use " .. definition.instead or ""))
  end
  local references = REFERENCES[definition.bodies or "two"]
  local checked = fields.collect(fields_of(definition, model.dimension, connection_fields,
    references[1], common), part.given, "", remember)
  local found = references[2](model, part.given, remember)
  if failed or not found then
    return nil
  end
  local record = {
    name = part.given[1], type = part.type, part = part, definition = definition, checked = checked,
  }
  if definition.bodies == "joints" then
    record.joints = found
  elseif definition.bodies == "shapes" then
    record.shapes = found
  else
    record.bodies = found
    check_orientation(record, model.dimension, remember)
  end
  if not failed and definition.complete then
    definition.complete(record)
  end
  if not failed and definition.check and not model.parametric then
    definition.check(record, remember, model)
  end
  return not failed and record or nil
end

return declare
