--- What all subjects share (subject.lua): the fields of `simulate`, events, restoring, explaining.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"
local later = require "sarrus.base.later"
local sim = require "sarrus.sim"
local event = later "sarrus.sim.event"
local sensitivity = later "sarrus.sim.sensitivity"
local trace = later "sarrus.expr.trace"

local simulate = {}

-- Kinds of fields --------------------------------------------------------------------------------

local function unknown_names(value, names, known, noun, path, fault)
  local messages = {}
  for key in pairs(value) do
    if not known[key] then
      messages[#messages + 1] = ("%s: unknown %s %s%s%s"):format(path, noun, errors.show(key),
        errors.suggest(key, names), type(key) == "number" and ("; the system has %s: %s"):format(
          errors.count(#names, noun), table.concat(names, ", ")) or "")
    end
  end
  fields.tell(messages, fault)
end

--- Names of variables: plain words, all different, none of them `t`.
function simulate.names(value, path, fault)
  local list = fields.list(fields.string)(value, path, fault)
  local seen = { t = true }
  for i, name in ipairs(list or {}) do
    if not name:match("^[%a_][%w_]*$") then
      fault(("%s[%d]: %s is no name (letters, digits and _)"):format(path, i, errors.show(name)))
    elseif seen[name] then
      fault(("%s[%d]: the name '%s' is taken"):format(path, i, name))
    end
    seen[name] = true
  end
  return list
end

--- Numbers for variables, by position or by name.
---@param names string[]
---@param noun string
---@param default? number for those that are not given
function simulate.variables(names, noun, default)
  local known = {}
  for i, name in ipairs(names) do
    known[name], known[i] = true, true
  end
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(("%s: %s, want a list of %d numbers"):format(path, errors.got(value), #names))
    end
    local list = {}
    for i, name in ipairs(names) do
      local x = value[name]
      if x == nil then
        x = value[i]
      end
      if type(x) == "number" and x - x == 0 then
        list[i] = x
      elseif x ~= nil then
        fields.number(x, path .. "." .. name, fault)
      elseif default then
        list[i] = default
      else
        fault(("%s: %s is missing; the system has %s: %s"):format(path, name,
          errors.count(#names, noun), table.concat(names, ", ")))
      end
    end
    unknown_names(value, names, known, noun, path, fault)
    return list
  end
end

--- A list of zeros.
---@param count integer
---@return number[]
function simulate.zeros(count)
  local list = {}
  for i = 1, count do
    list[i] = 0
  end
  return list
end

--- Values for parameters by name; unknown names are faults.
function simulate.parameter_values(parameters)
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(path .. ": " .. errors.got(value) .. ", want a table of values by name")
    end
    local names, specification, known = expr.known(parameters), {}, {}
    for i, name in ipairs(names) do
      specification[i], known[name] = { name, fields.number }, true
    end
    local messages, own = {}, {}
    for key, x in pairs(value) do
      if known[key] then
        own[key] = x
      else
        messages[#messages + 1] = ("%s: unknown parameter %s%s; there %s"):format(path,
          errors.show(key), errors.suggest(key, names), #names == 0 and "are none"
          or (#names == 1 and "is " or "are ") .. table.concat(names, ", "))
      end
    end
    fields.tell(messages, fault)
    return fields.collect(specification, own, path, fault)
  end
end

--- The values of parameters in order: what is given by name, else what they were declared with.
---@param given? table<string, number>
---@return number[]
function simulate.values_of(parameters, given)
  local list = {}
  for i, parameter in ipairs(parameters) do
    list[i] = given and given[parameter.name] or parameter.value
  end
  return list
end

-- Bounds of the numbers that `simulate` takes, which must be finite besides.
local ranges = {
  { "tolerance", "from 2.3e-15 to below 1", function(x) return x >= 2.3e-15 and x < 1 end },
  { "step", "positive", function(x) return x > 0 end },
  { "max_step", "positive", function(x) return x > 0 end },
  { "scale", "positive", function(x) return x > 0 end },
}

--- What `simulate` of a subject takes, listed once: the options, and the fields of the start.
local function specification_of(subject)
  local specification = rawget(subject, "simulate_fields")
  if not specification then
    specification = {}
    for _, list in ipairs { sim.options, subject:start_fields(), {
      { "events", later.call(event, "list") },
      { "controllers", later.call(event, "controllers") },
      { "parameters", simulate.parameter_values(subject.parameters) },
    } } do
      for _, field in ipairs(list) do
        specification[#specification + 1] = field
      end
    end
    subject.simulate_fields = specification
  end
  return specification
end

--- Check what was given to `simulate`.
---@return table checked
function simulate.check(subject, given)
  local what = subject.what .. ": simulate"
  local checked = fields.check(specification_of(subject), given, what)
  checked.given = given
  for _, range in ipairs(ranges) do
    local name = range[1]
    if given[name] ~= nil and not range[3](checked[name]) then
      errors.raise(("%s: %s: %s is not %s"):format(what, name, errors.show(given[name]),
        range[2]))
    end
  end
  for _, name in ipairs { "order", "step" } do
    if checked.method == "stiff" and given[name] ~= nil then
      errors.raise(('%s: %s goes with method = "series"; "stiff" chooses its own'):format(what,
        name))
    end
  end
  return checked
end

-- Events -----------------------------------------------------------------------------------------

--- The events' expressions, compiled; and all parameters, those of the events behind the subject's.
local function compile_events(subject, events)
  if not events or #events == 0 then
    return nil, subject.parameters
  end
  local graph = expr.graph()
  for _, parameter in ipairs(subject.parameters) do
    local make = parameter.hidden and expr.hidden or expr.parameter
    graph:nodes { make(parameter.name, parameter.value) }
  end
  local s, roots, directions = subject:symbols(), {}, {}
  for i, one in ipairs(events) do
    roots[i] = one.contact and 1
      or trace.scalar(one.what, "when", trace.call(one.what, "when", one.when, s))
    directions[i] = one.direction
  end
  local nodes = graph:nodes(roots)
  local compiled = core.events(graph.core, nodes, directions, #graph.parameters)
  for i, one in ipairs(events) do
    local watched = one.contact and subject:contact_indices(one.what, one.contact, one.on)
    for _, index in ipairs(watched or {}) do
      compiled:watch(i, index, one.on)
    end
  end
  return compiled, graph.parameters
end

--- The same, unless the last simulation of the subject had the same events.
local function events_of(subject, events)
  local last = rawget(subject, "last_events")
  local same = last and #last.list == #(events or {})
  for i, one in ipairs(same and events or {}) do
    same = same and last.list[i] == one
  end
  if not same then
    local compiled, parameters = compile_events(subject, events)
    last = { list = events or {}, compiled = compiled, parameters = parameters }
    subject.last_events = last
  end
  return last.compiled, last.parameters
end

-- Running ----------------------------------------------------------------------------------------

--- A started simulation, or nil, message, code.
---@return sarrus.Sim?
---@return string? message
---@return string? code
function simulate.run(subject, checked)
  local events, parameters = events_of(subject, checked.events)
  local made, message, code = sim.new(subject, checked, events, parameters)
  local names = checked.sensitivity or {}
  if not made or #names == 0 then
    return made, message, code
  end
  local tangents = {}
  for i, name in ipairs(names) do
    tangents[i] = sensitivity.of_parameter(parameters, name) or {}
    local done, refused = subject:start_tangent(made, checked, name, tangents[i])
    if not done then
      return nil, subject.what .. ": " .. refused, "INCONSISTENT"
    end
  end
  local followed, failed = sensitivity.follow(made, names, tangents)
  if not followed then
    return nil, ("%s: simulate: sensitivity: no motion goes on with another %s: %s would no longer "
      .. "hold"):format(subject.what, errors.show(failed.direction), subject:row_name(failed.row)),
      failed.code
  end
  return made
end

--- A simulation from what `sim:save()` gave, or nil, message, code.
---@param record string
---@param given? { events?: sarrus.Event[], controllers?: sarrus.Controller[] }
---@return sarrus.Sim?
---@return string? message
---@return string? code
function simulate.restore(subject, record, given)
  if type(record) ~= "string" then
    errors.raise(("%s: restore: %s, want what sim:save() gave"):format(subject.what,
      errors.got(record)))
  end
  local checked = fields.check({
    { "events", later.call(event, "list") }, { "controllers", later.call(event, "controllers") },
    { "sensitivity", later.call(sensitivity, "names") },
  }, given or {}, subject.what .. ": restore")
  local events, parameters = events_of(subject, checked.events)
  return sim.restore(subject, record, checked, events, parameters)
end

local stages = { "equations", "tape", "structure" }

--- A stage of the pipeline as text.
---@return string
function simulate.explain(subject, stage)
  for _, known in ipairs(stages) do
    if stage == known then
      return subject.name .. "\n" .. subject.compiled:print(stage, subject.namer)
    end
  end
  errors.raise(('%s: explain: %s%s, want one of "%s"'):format(subject.what, errors.got(stage),
    errors.suggest(stage, stages), table.concat(stages, '", "')))
end

return simulate
