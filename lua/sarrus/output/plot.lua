--- Plots of a recording as SVG: panels one above the other, one for each unit, over a common x
--- axis.

local axis = require "sarrus.output.axis"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local file = require "sarrus.base.file"
local panel = require "sarrus.output.panel"
local svg = require "sarrus.output.svg"

local plot = {}

-- What is asked for ------------------------------------------------------------------------------

--- A kind for fields: a channel of the recording, or the time.
local function channel_kind(recording)
  local known, names = { t = { label = "t", unit = "s" } }, {}
  for i, one in ipairs(recording.channels) do
    known[one.label], names[i] = one, one.label
  end
  return function(value, path, fault)
    if known[value] then
      return known[value]
    end
    fault(("%s: the recording has no channel %s%s"):format(path, errors.show(value),
      errors.suggest(value, names)))
  end
end

local function length_kind(value, path, fault)
  local number = fields.number(value, path, fault)
  if number and not (number >= 100 and number <= 10000) then
    return fault(("%s: %s is not from 100 to 10000"):format(path, errors.show(number)))
  end
  return number
end

local function texts_kind(channel)
  return function(value, path, fault)
    if type(value) ~= "table" then
      return fault(("%s: %s, want texts by channel"):format(path, errors.got(value)))
    end
    for label, text in pairs(value) do
      channel(label, path, fault)
      fields.string(text, path .. "[" .. errors.show(label) .. "]", fault)
    end
    return value
  end
end

--- The channels in the list part of a table, and the rest of it.
local function split(given)
  local list, options = {}, {}
  for key, value in pairs(given) do
    if type(key) == "number" then
      list[key] = value
    else
      options[key] = value
    end
  end
  options.channels = next(list) and list or nil
  return options
end

local function check(recording, given, what)
  local channel = channel_kind(recording)
  if type(given) ~= "table" then
    errors.raise(("%s: %s, want a table of channels and options"):format(what, errors.got(given)))
  end
  return fields.check({
    { "channels", fields.list(channel), default = recording.channels },
    { "x", channel, default = { label = "t", unit = "s" } },
    { "title", fields.string },
    { "log", fields.either('true, false, "x", "y" or "xy"', fields.boolean,
      fields.one_of { "x", "y", "xy" }) },
    { "width", length_kind, default = 640 },
    { "height", length_kind },
    { "labels", texts_kind(channel), default = {} },
  }, split(given), what)
end

-- Layout -----------------------------------------------------------------------------------------

local ROW, MARGIN, RIGHT, TITLE, BOTTOM, BETWEEN = 18, 12, 18, 30, 44, 14

--- Channels of one unit are together; errors have a panel of their own.
local function grouped(recording, checked)
  local groups, known = {}, {}
  for _, one in ipairs(checked.channels) do
    local residual = one.label:find("^residual%.") ~= nil
    local key = one.unit .. (residual and "\nresidual" or "")
    if not known[key] then
      known[key] = { residual = residual }
      groups[#groups + 1] = known[key]
    end
    table.insert(known[key], {
      label = one.label, unit = one.unit, text = checked.labels[one.label] or one.label,
      values = recording[one.label],
    })
  end
  return groups
end

--- Whether an axis is logarithmic: as asked for, and else where errors are.
local function is_log(log, letter, residual)
  if log == nil then
    return residual
  elseif type(log) == "boolean" then
    return log and letter == "y"
  end
  return log:find(letter, 1, true) ~= nil
end

--- About how high a panel is.
local function usual_height(checked, count)
  return checked.height and (checked.height - BOTTOM) / count - BETWEEN - ROW
    or count == 1 and 300 or 170
end

local function panels_of(recording, checked)
  local groups, list = grouped(recording, checked), {}
  local height = math.max(40, usual_height(checked, #groups))
  for i, group in ipairs(groups) do
    local log = is_log(checked.log, "y", group.residual)
    list[i] = panel.new(group, { log = log, count = height / (log and 22 or 34) })
  end
  return list
end

--- Where the boxes begin, how wide they are, and the rows of each legend.
local function columns(panels, checked)
  local widest, rows, total = 0, {}, 0
  for _, one in ipairs(panels) do
    widest = math.max(widest, one.text_width)
  end
  local left = MARGIN + 24 + widest
  local width = checked.width - left - RIGHT
  for i, one in ipairs(panels) do
    rows[i] = select(2, panel.legend(one, width))
    total = total + rows[i]
  end
  return { x = left, width = width, labels = widest }, rows, total
end

--- Give the panels their boxes; the height of the picture.
local function lay_out(panels, checked)
  local column, rows, total = columns(panels, checked)
  local y, count = checked.title and TITLE or MARGIN, #panels
  local height = usual_height(checked, count)
  if checked.height then
    local rest = checked.height - y - BOTTOM - total * ROW - (count - 1) * BETWEEN
    height = math.max(20, rest / count)
  end
  for i, one in ipairs(panels) do
    y = y + (i > 1 and BETWEEN or 0) + rows[i] * ROW
    one.box = {
      x = column.x, y = y, width = column.width, height = height, labels = column.labels,
    }
    y = y + height
  end
  return y + BOTTOM
end

--- Whether metres are plotted over metres: then circles are to be round.
local function is_path(checked, panels)
  return checked.x.label ~= "t" and checked.x.unit == "m" and not checked.log and #panels == 1
    and panels[1].channels[1].unit == "m"
end

--- The x axis; it may change the y axis of a path.
local function x_axis_of(checked, panels, x_values)
  local box = panels[1].box
  local count = box.width / 70
  local x = axis.new({ x_values }, {
    log = is_log(checked.log, "x", false), count = count,
    padding = checked.x.label == "t" and 0 or 0.05,
  })
  if is_path(checked, panels) then
    local y
    x, y = axis.equal(x, panels[1].y, box.width, box.height, { x = count, y = panels[1].count })
    panel.with_axis(panels[1], y)
  end
  return x
end

-- Drawing ----------------------------------------------------------------------------------------

--- Colours for readers who prefer a dark page; the attributes have those for a light one.
local function dark()
  local rules = {
    ".paper{fill:#15171c}", ".ink{fill:#e4e4e4}", ".axis{stroke:#b5b5b5}", ".grid{stroke:#33363d}",
  }
  for i, color in ipairs(panel.colors) do
    rules[#rules + 1] = (".c%d{stroke:%s}"):format(i, color[2])
  end
  return "<style>@media (prefers-color-scheme:dark){" .. table.concat(rules) .. "}</style>"
end

local function head(put, checked, height, name, left)
  put(svg.element("svg", { "xmlns", "http://www.w3.org/2000/svg", "width", checked.width, "height",
    height, "viewBox", ("0 0 %s %s"):format(svg.length(checked.width), svg.length(height)),
    "font-family", "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",
    "font-size", "12" }, ""):gsub("></svg>$", ">"))
  put(svg.element("title", {}, svg.escape(checked.title or name)))
  put(dark())
  put(svg.element("rect", { "class", "paper", "width", "100%", "height", "100%", "fill", "#fff" }))
  if checked.title then
    put(svg.element("text", { "x", left, "y", 20, "font-size", "14", "font-weight", "bold",
      "class", "ink", "fill", "#222" }, svg.words(checked.title)))
  end
end

--- The plot as text.
---@param recording sarrus.Recording
---@param given? table
---@return string
function plot.of(recording, given)
  local what = recording.sim.system.what .. ": plot"
  local checked = check(recording, given or {}, what)
  local x_values = recording[checked.x.label]
  if #x_values == 0 then
    errors.raise(what .. ": nothing has been recorded yet: advance the simulation first")
  end
  local panels = panels_of(recording, checked)
  local height = lay_out(panels, checked)
  local x_axis = x_axis_of(checked, panels, x_values)
  local box = panels[1].box
  local lines = {}
  local function put(element)
    lines[#lines + 1] = element
  end
  head(put, checked, height, recording.sim.system.name, box.x)
  for i, one in ipairs(panels) do
    panel.draw(one, put, one.box, x_axis, x_values, i == #panels)
  end
  local label = checked.labels[checked.x.label] or checked.x.label
  put(svg.element("text", { "x", box.x + box.width / 2, "y", height - 10, "text-anchor", "middle",
    "class", "ink", "fill", "#222" }, svg.words(axis.title(label, checked.x.unit, x_axis.power))))
  put("</svg>\n")
  return table.concat(lines, "\n")
end

--- Write a plot to a file, whole or not at all.
---@param recording sarrus.Recording
---@param path string
---@param given? table
---@return true? done
---@return string? message
---@return string? code IO
function plot.write(recording, path, given)
  return file.write("recording:plot", path, plot.of(recording, given))
end

return plot
