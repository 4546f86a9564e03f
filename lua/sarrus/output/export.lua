--- Models as files that the C library loads: core/include/sarrus/model.h, core/src/model_parts.h.
---
--- An item is { list = number, name = text, field, value, field, value … }, values being texts or
--- lists of numbers.  Nodes, bodies and coordinates count from 0 there.

local contact_reading = require "sarrus.model.state.contacts"
local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local file = require "sarrus.base.file"
local mechanism = require "sarrus.model.mechanism"
local observe = require "sarrus.model.equations.observe"
local quantities = require "sarrus.output.quantities"
local scene = require "sarrus.output.scene"
local systems = require "sarrus.system"

-- The lists of a file, in order.
local WHOLE, BODIES, JOINTS, FORCES, SHAPES, CONTACTS, PARAMETERS, CHANNELS, COORDINATES,
  CONSTRAINTS, LAWS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10

-- Fields -----------------------------------------------------------------------------------------

--- All numbers of lists in lists.
local function flatten(value, into)
  for _, x in ipairs(value) do
    if type(x) == "number" then
      into[#into + 1] = x
    else
      flatten(x, into)
    end
  end
  return into
end

local put_all

--- Put a value of a scene: a text, numbers, a mark, or a list of tables of these, each field of
--- which becomes a list.
local function put(item, name, value)
  if type(value) == "string" then
    item[#item + 1], item[#item + 2] = name, value
  elseif type(value) == "number" then
    item[#item + 1], item[#item + 2] = name, { value }
  elseif value == true then
    item[#item + 1], item[#item + 2] = name, { 1 }
  elseif type(value) == "table" and type(value[1]) == "table" and next(value[1]) ~= 1 then
    local columns = {}
    for _, one in ipairs(value) do
      for key, x in pairs(one) do
        columns[key] = columns[key] or {}
        table.insert(columns[key], x)
      end
    end
    put_all(item, columns, name .. ".")
  elseif type(value) == "table" and #value > 0 then
    item[#item + 1], item[#item + 2] = name, flatten(value, {})
  end
end

--- Put all fields of a table but its name, in the order of their names.
function put_all(item, from, prefix)
  local names = {}
  for name in pairs(from) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if name ~= "name" or prefix then
      put(item, (prefix or "") .. name, from[name])
    end
  end
  return item
end

--- A list of indices from 1, as they count from 0; absent where it is empty.
local function put_indices(item, name, list)
  local from_zero = {}
  for i, x in ipairs(list or {}) do
    from_zero[i] = x - 1
  end
  put(item, name, from_zero)
end

-- Equations --------------------------------------------------------------------------------------

--- Lists of `each`, of which the first `indices` count from 1; false is none.
local function groups(list, each, indices)
  local result = {}
  for i, x in ipairs(list) do
    result[i] = x and ((i - 1) % each < indices and x - 1 or x) or -1
  end
  return result
end

--- Laws as the core has them: the number of loads stands before them; and their bounds.
local function laws_of(list)
  local result, bounds, each, bounded = {}, {}, 12, false
  for first = 0, #list - 1, each do
    local loads = 0
    bounds[#bounds + 1] = list[first + each] or -1
    bounded = bounded or list[first + each]
    for k = 1, each do
      loads = loads + (k >= 7 and k <= 9 and list[first + k] and 1 or 0)
    end
    for k = 1, each - 1 do
      if k == 7 then
        result[#result + 1] = loads
      end
      result[#result + 1] = list[first + k] or -1
    end
  end
  return result, bounded and bounds or {}
end

local function put_equations(item, lists)
  put(item, "mass", groups(lists.mass, 3, 2))
  put(item, "force", lists.force)
  put(item, "constraints", lists.constraints)
  put(item, "velocity_constraints", lists.velocity_constraints)
  local laws, bounds = laws_of(lists.contacts or {})
  put(item, "contacts", laws)
  put(item, "bounds", bounds)
  put(item, "locks", lists.locks)
  put(item, "forces", lists.shares and lists.forces or 0)
  put(item, "shares", groups(lists.shares or {}, 3, 2))
  put(item, "elements", groups(lists.elements or {}, 4, 1))
end

local methods = { auto = 0, series = 1, stiff = 2 }

local function put_options(item, checked)
  for _, name in ipairs { "t", "tolerance", "order", "step", "max_step", "max_steps", "scale" } do
    put(item, name, checked[name])
  end
  put(item, "method", methods[checked.method])
end

-- What can be seen -------------------------------------------------------------------------------

--- Expressions that are put into the graph together; each knows the field that gets its node.
local Sights = {}
Sights.__index = Sights

--- Let a field of an item be the nodes of expressions.
function Sights:put(item, name, expressions)
  local list = {}
  item[#item + 1], item[#item + 2] = name, list
  for i, e in ipairs(expressions) do
    self.roots[#self.roots + 1], self.to[#self.to + 1] = e, { list, i }
  end
end

--- Put what has come since into the graph.
function Sights:settle()
  for i, node in ipairs(self.graph:nodes(self.roots)) do
    self.to[i][1][self.to[i][2]] = node
  end
  self.roots, self.to = {}, {}
end

--- Its graph begins with the parameters, as that of a recording does.
local function new_sights(parameters)
  local graph = expr.graph()
  for _, parameter in ipairs(parameters) do
    graph:nodes { expr.parameter(parameter.name, parameter.value) }
  end
  return setmetatable({ graph = graph, roots = {}, to = {} }, Sights)
end

--- Vectors, and numbers or expressions, one after the other.
local function joined(...)
  local list = {}
  for i = 1, select("#", ...) do
    local x = select(i, ...)
    if type(x) == "number" or expr.is(x) then
      list[#list + 1] = x
    else
      for k = 1, #x do
        list[#list + 1] = x[k]
      end
    end
  end
  return list
end

--- Every channel that is an expression, and its item.
local function put_channels(items, sights, sim)
  for _, source in ipairs(quantities.of(sim)) do
    for _, quantity in ipairs(source.quantities) do
      local label = source.name .. "." .. quantity.name
      for i, component in ipairs(quantity.get and (quantity.components or { false }) or {}) do
        local item = { list = CHANNELS, name = component and label .. "." .. component or label }
        put(item, "unit", quantity.unit)
        sights:put(item, "sight", { quantity.get(component and i or nil) })
        items[#items + 1] = item
      end
    end
  end
  sights:settle()
end

local function put_body(item, sights, model, body)
  local at = model.equations:frame(body)
  put(item, "coordinates", { body.offset, body.count })
  local turned = at.dimension == 2 and { at:angle() }
    or joined(at:axis(1), at:axis(2), at:axis(3))
  sights:put(item, "sight", joined(at:point(), turned, at:velocity(), at:spin()))
end

local rates = { angle = "rate", length = "speed" }

--- A joint: its coordinates are known to the equations too, for starts.
local function put_joint(item, sights, model, graph, joint)
  local force, torque = observe.reaction(model, joint)
  sights:put(item, "sight", joined(observe.point(model, joint), force, torque))
  for _, name in ipairs { "angle", "length" } do
    local own = joint[name]
    if own then
      sights:put(item, "sight." .. name, { own.value })
      sights:put(item, "sight." .. rates[name], { own.rate })
      local nodes = graph:nodes { own.value, own.rate }
      put(item, name, nodes[1])
      put(item, rates[name], nodes[2])
    end
  end
  put_indices(item, "locks", joint.locks)
end

local function put_contact(item, sights, s)
  local x = s:contact(item.name)
  sights:put(item, "sight", joined(x.gap, x.normal_force, x.friction_force, x.mode, x.force))
end

-- Items ------------------------------------------------------------------------------------------

--- Scenes by the names of what they show.
local function by_name(list)
  local found = {}
  for _, one in ipairs(list) do
    found[one.name] = one
  end
  return found
end

--- What of the system a joint, a force or a contact is.
local function put_share(item, system)
  local constraints, laws, force = system:share("export", item.name)
  put_indices(item, "constraints", constraints)
  put_indices(item, "laws", laws)
  put_indices(item, "force", { force })
end

--- Items of a family of parts, as drawn; `finish` adds what is its own.
local function put_parts(items, list, records, shown, finish)
  for _, record in ipairs(records) do
    local item = put_all({ list = list, name = record.name }, shown[record.name] or {})
    if finish then
      finish(item, record)
    end
    items[#items + 1] = item
  end
end

local function put_parameters(items, model, system, sim)
  for i, parameter in ipairs(system.parameters) do
    local entry = model.parameters[parameter.name] or {}
    local item = { list = PARAMETERS, name = parameter.name, "value", { sim.core:get(i) } }
    put(item, "hidden", parameter.hidden)
    put(item, "fixed", entry.drawn and true)
    items[#items + 1] = item
  end
end

local function put_rows(items, model, checked)
  for i, name in ipairs(model.equations.names) do
    items[#items + 1] = { list = COORDINATES, name = name, "q", { checked.q[i] },
      "v", { checked.v[i] }, "scale", { checked.scales[i] } }
  end
  for _, list in ipairs { "constraints", "velocity_constraints" } do
    for _, one in ipairs(model.equations[list]) do
      local what = one[2] and (" (%s)"):format(one[2]) or ""
      items[#items + 1] = { list = CONSTRAINTS, name = one.owner.name .. what }
    end
  end
end

--- One item for each law: points of contacts have a place, stops and frictions of joints have not.
local function put_laws(items, sights, model, drawing)
  local laws, place, index = {}, 0, {}
  for i, law in ipairs(model.equations.contacts) do
    laws[i] = { list = LAWS, name = law.name or "" }
    items[#items + 1] = laws[i]
  end
  for i, contact in ipairs(model.contacts) do
    index[contact] = i
  end
  local places = contact_reading.places(model)
  for _, contact in ipairs(model.contacts) do
    for _, one in ipairs(contact.laws) do
      local item = laws[one.index]
      item.name = contact.name
      put(item, "contact", index[contact] - 1)
      if one.touch.position then
        place = place + 1
        local at = places[place]
        put(item, "a", drawing.contacts[place].a)
        put(item, "b", drawing.contacts[place].b)
        sights:put(item, "sight", joined(at.gap, at.position, at.force))
      end
    end
  end
end

--- All items, and the graphs that their nodes are in.
local function items_of(model, sim, start)
  local system, drawing = model.system, scene.of(start.model)
  local graph, lists = systems.graph_of(mechanism.equations(model))
  local sights, items, channels = new_sights(system.parameters), {}, {}
  put_channels(channels, sights, sim) -- first, so that they have the bits of recordings
  local whole = { list = WHOLE, name = model.name or "" }
  for _, name in ipairs { "dimension", "size", "drawn", "unit", "down" } do
    put(whole, name, drawing[name])
  end
  put(whole, "gravity", start.model.gravity)
  put_equations(whole, lists)
  put_options(whole, start.checked)
  items[1] = whole
  put_parts(items, BODIES, model.bodies, by_name(drawing.bodies), function(item, body)
    put_body(item, sights, model, body)
  end)
  put_parts(items, JOINTS, model.joints, by_name(drawing.joints), function(item, joint)
    put_share(item, system)
    put_joint(item, sights, model, graph, joint)
  end)
  put_parts(items, FORCES, model.forces, by_name(drawing.forces), function(item)
    put_share(item, system)
  end)
  put_parts(items, SHAPES, rawget(model, "shapes") or {}, by_name(drawing.shapes))
  local s = system:symbols()
  put_parts(items, CONTACTS, model.contacts, {}, function(item)
    put_share(item, system)
    put_contact(item, sights, s)
  end)
  put_parameters(items, model, system, sim)
  for _, item in ipairs(channels) do
    items[#items + 1] = item
  end
  put_rows(items, model, start.checked)
  put_laws(items, sights, model, drawing)
  sights:settle()
  return items, graph.core, sights.graph.core
end

--- Write a model to a file, with a start.
---@param model sarrus.Model
---@param path string
---@param given sarrus.Start
---@return true?
---@return string? message
---@return string? code
return function(model, path, given)
  local what = model.what .. ": export"
  file.path(what, path)
  for _, name in ipairs { "events", "controllers", "sensitivity" } do
    if type(given) == "table" and given[name] ~= nil then
      errors.raise(("%s: %s cannot be exported"):format(what, name))
    end
  end
  local sim, message, code, start = mechanism.started(model, given)
  if not sim then
    return nil, message, code
  end
  local items, equations, sights = items_of(model, sim, start)
  sim:close()
  return file.write(what, path, core.model(equations, sights, items))
end
