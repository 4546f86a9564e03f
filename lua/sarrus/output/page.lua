--- The page of a recording: one file with the mechanism, the plots, and everything they need.
---
--- The template beside this file is built by `make page` from lua/web; {{title}} and {{data}} in it
--- are filled in here.

local core = require "sarrus.core"
local drawn = require "sarrus.model.part.drawn"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local json = require "sarrus.output.json"
local scene = require "sarrus.output.scene"
local svg = require "sarrus.output.svg"
local tracing = require "sarrus.output.tracing"

local page = {}

local WHAT = "recording:html" -- as messages name the call

-- Where this file is, as the source of its functions is named.
local folder = core.frame(1):match("^@(.*[/\\])[^/\\]*$") or ""

--- The template itself, or nil, reason, code.
---@return string?
---@return string? reason
---@return string? code IO
function page.template()
  return core.read_file(folder .. "page.html")
end

--- The template with its gaps filled, each as often as it comes.
local function fill(text, values)
  return (text:gsub("{{(%a+)}}", values))
end

-- Data -------------------------------------------------------------------------------------------

-- Quantities that one plot shows, in the order of the plots; others follow, a plot for each.
local order = { "angle", "length", "position", "q", "x", "energy", "residual" }

--- The quantity that a label names, the first word of `energy.total`, the second of `J1.angle`,
--- and what tells its channels apart.
local function quantity(label, parts)
  local first, second = label:match("^([^.]+)%.(.+)$")
  if not first then
    return label, label
  elseif not parts[first] then
    return first, second
  end
  local word, component = second:match("^([^.]+)%.?(.*)$")
  return word, component ~= "" and first .. "." .. component or first
end

--- Names of bodies and joints.
local function names_of(model)
  local names = {}
  for name in pairs(model and model.index or {}) do
    names[name] = true
  end
  return names
end

--- Channels by quantity and unit: { title, unit, log, channels = from 0, names }.
local function groups(channels, model)
  local list, known, parts, rank = {}, {}, names_of(model), {}
  for i, title in ipairs(order) do
    rank[title] = i
  end
  for i, channel in ipairs(channels) do
    local title, name = quantity(channel.label, parts)
    local key = title .. "\n" .. channel.unit
    if not known[key] then
      known[key] = {
        title = title, unit = channel.unit, log = title == "residual", channels = {}, names = {},
        place = (rank[title] or #order + 1) * (#channels + 1) + #list,
      }
      list[#list + 1] = known[key]
    end
    table.insert(known[key].channels, i - 1)
    table.insert(known[key].names, name)
  end
  table.sort(list, function(a, b)
    return a.place < b.place
  end)
  return list
end

-- Times ------------------------------------------------------------------------------------------

--- A function that puts lists in the order of their times, ascending; of one instant, twice, so
--- that there is something to go through.
local function ascending(t)
  local n = #t
  local backwards = t[n] < t[1]
  for i = 2, n do
    if t[i] ~= t[i - 1] and (t[i] < t[i - 1]) ~= backwards then
      errors.raise(("%s: the recording turns back in time at t = %s; a page goes one way"):format(
        WHAT, core.number(t[i - 1])))
    end
  end
  return function(list)
    if n > 1 and not backwards then
      return list
    end
    local result = {}
    for i = 1, math.max(n, 2) do
      result[i] = list[math.max(1, n + 1 - i)]
    end
    return result
  end
end

local function series_of(recording)
  local in_order, values = ascending(recording.t), {}
  for i, channel in ipairs(recording.channels) do
    values[i] = in_order(recording[channel.label])
  end
  return core.base64({ in_order(recording.t) }, 8), core.base64(values, 4)
end

local function frames_of(recording)
  local times, poses, reactions, touches = {}, {}, {}, {}
  for i, frame in ipairs(recording.frames) do
    times[i], poses[i], reactions[i], touches[i] = frame.t, frame.poses, frame.reactions,
      frame.touches
  end
  local in_order = ascending(times)
  return {
    time = core.base64({ in_order(times) }, 8),
    poses = core.base64(in_order(poses), 4),
    reactions = core.base64(in_order(reactions), 4),
    touches = core.base64(in_order(touches), 4),
  }
end

-- Words ------------------------------------------------------------------------------------------

local function count(n, noun)
  return n == 1 and "1 " .. noun or n .. " " .. (noun == "body" and "bodies" or noun .. "s")
end

--- What the recording is of, in a line.
local function summary(model, recording)
  local t = recording.t
  local seconds = math.floor(1e6 * math.abs(t[#t] - t[1]) + 0.5) / 1e6
  local words = { ("%s s, %s"):format(core.number(seconds), count(#t, "sample")) }
  if model then
    table.insert(words, 1, ("%s, %s, %s"):format(model.dimension == 2 and "planar" or "spatial",
      count(#model.bodies, "body"), count(#model.joints, "joint")))
  end
  return table.concat(words, ", ")
end

--- All that the page has to know.
local function data_of(recording, model, title, traces)
  local time, values = series_of(recording)
  local line = summary(model, recording)
  return {
    title = title, summary = line, description = title .. ": " .. line,
    failure = rawget(recording.sim, "failed"),
    time = time, values = values,
    channels = recording.channels, groups = groups(recording.channels, model),
    scene = model and scene.of(model, traces, recording.frames),
    frames = model and frames_of(recording),
  }
end

-- Making -----------------------------------------------------------------------------------------

--- What the gaps of the template are filled with: { title, data }.
---@param recording sarrus.Recording
---@param given? { title?: string, traces?: (string|table)[] }
---@return { title: string, data: string }
function page.values(recording, given)
  local system = recording.sim.system
  local model = rawget(system, "model")
  model = model and drawn.of_sim(model, recording.sim)
  local checked = fields.check({
    { "title", fields.string },
    model and { "traces", tracing.kind(model) } or nil,
  }, given or {}, WHAT)
  if #recording.t == 0 then
    errors.raise(WHAT .. ": nothing has been recorded yet: advance the simulation first")
  end
  local title = checked.title or system.name
  return {
    title = svg.escape(title),
    data = json.encode(data_of(recording, model, title, checked.traces)),
  }
end

--- The page as text.
---@param recording sarrus.Recording
---@param given? { title?: string, traces?: (string|table)[] }
---@return string? text
---@return string? reason
---@return string? code IO
function page.of(recording, given)
  local values = page.values(recording, given)
  local template, reason, code = page.template()
  if not template then
    return nil, reason, code
  end
  return fill(template, values)
end

return page
