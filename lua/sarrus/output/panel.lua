--- Panels: channels of one unit over one axis, drawn into a rectangle of the picture.

local axis = require "sarrus.output.axis"
local curve = require "sarrus.output.curve"
local svg = require "sarrus.output.svg"

local panel = {}

-- Distinct for all kinds of colour vision, on white and on black; together with the dashes, of
-- which there is one less, 30 lines differ.
panel.colors = {
  { "#0072b2", "#56b4e9" }, { "#d55e00", "#ff9a56" }, { "#00805e", "#2fd0a0" },
  { "#a8468c", "#e39ac8" }, { "#9a6a00", "#f0c244" }, { "#333333", "#dddddd" },
}
local dashes = { "none", "7 3", "2 2.5", "8 3 2 3", "13 4" }

local SMALL, TICK, ROW = 11, 5, 18
local SAMPLE, GAP = 24, 16 -- of the legend: line, space between entries
local RESTLESS = 12 -- a curve that climbs so many times the width of its panel

--- What all labels have in common: their quantity, or their part.
local function common(labels)
  for _, pattern in ipairs { "^[^.]+%.([^.]+)", "^([^.]+)%." } do
    local word = labels[1]:match(pattern)
    for _, label in ipairs(labels) do
      word = label:match(pattern) == word and word or nil
    end
    if word then
      return word
    end
  end
  return ""
end

--- A panel of some channels: { label, unit, text, values }.
---@param channels table[]
---@param options { log?: boolean, count: number }
---@return table
function panel.new(channels, options)
  local lists = {}
  for i, one in ipairs(channels) do
    lists[i] = one.values
  end
  return panel.with_axis({ channels = channels, count = options.count }, axis.new(lists, {
    log = options.log, count = options.count, padding = 0.05,
  }))
end

--- Give a panel its axis, and with it what stands beside it.
function panel.with_axis(self, y)
  local channels, labels = self.channels, {}
  for i, one in ipairs(channels) do
    labels[i] = one.label
  end
  local name = #channels == 1 and channels[1].text or common(labels)
  self.y, self.title, self.text_width = y, axis.title(name, channels[1].unit, y.power), 0
  for _, tick in ipairs(y.ticks) do
    self.text_width = math.max(self.text_width, tick.text and svg.width(tick.text, SMALL) or 0)
  end
  return self
end

-- Legend -----------------------------------------------------------------------------------------

--- The places of the legend's entries in rows of that width, and how many rows there are; one
--- channel needs none, the axis tells it.
function panel.legend(self, width)
  local places, x, row = {}, 0, 1
  if #self.channels == 1 then
    return places, 0
  end
  for i, one in ipairs(self.channels) do
    local wide = SAMPLE + 6 + svg.width(one.text, SMALL)
    if x > 0 and x + wide > width then
      x, row = 0, row + 1
    end
    places[i] = { x = x, row = row }
    x = x + wide + GAP
  end
  return places, row
end

local function style(i)
  local color = (i - 1) % #panel.colors + 1
  return color, panel.colors[color][1], dashes[(i - 1) % #dashes + 1]
end

--- A line in the style of channel i; where it goes up and down without end dashes would only add to
--- the confusion.
local function line(i, data, restless)
  local class, color, dash = style(i)
  return svg.element("path", { "class", "c" .. class, "d", data, "stroke", color,
    restless and "stroke-width" or "stroke-dasharray", restless and "1" or dash })
end

local function draw_legend(self, put, box, restless)
  local places, rows = panel.legend(self, box.width)
  for i, place in ipairs(places) do
    local x, y = box.x + place.x, box.y - 8 - (rows - place.row) * ROW
    put(line(i, ("M%s %sh%d"):format(svg.length(x), svg.length(y - 4), SAMPLE), restless[i]))
    put(svg.element("text", { "x", x + SAMPLE + 6, "y", y, "class", "ink", "fill", "#222" },
      svg.words(self.channels[i].text)))
  end
end

-- Axes -------------------------------------------------------------------------------------------

local function draw_y(self, put, box)
  local grid, marks = {}, {}
  for _, tick in ipairs(self.y.ticks) do
    local y = box.y + box.height * (1 - self.y.place(tick.at))
    local size = tick.text and TICK or TICK - 2
    marks[#marks + 1] = ("M%s %sh%d"):format(svg.length(box.x), svg.length(y), -size)
    if tick.text then
      grid[#grid + 1] = ("M%s %sh%s"):format(svg.length(box.x), svg.length(y),
        svg.length(box.width))
      put(svg.element("text", { "x", box.x - TICK - 3, "y", y + 4, "text-anchor", "end",
        "class", "ink", "fill", "#222" }, svg.words(tick.text)))
    end
  end
  return grid, marks
end

local function draw_title(self, put, box)
  local x, y = box.x - TICK - 11 - box.labels, box.y + box.height / 2
  put(svg.element("text", { "transform", ("translate(%s %s) rotate(-90)"):format(svg.length(x),
    svg.length(y)), "text-anchor", "middle", "class", "ink", "fill", "#222" },
    svg.words(self.title)))
end

local function draw_x(x_axis, put, box, last)
  local grid, marks = {}, {}
  for _, tick in ipairs(x_axis.ticks) do
    local x = box.x + box.width * x_axis.place(tick.at)
    local size = tick.text and TICK or TICK - 2
    marks[#marks + 1] = ("M%s %sv%d"):format(svg.length(x), svg.length(box.y + box.height), size)
    if tick.text then
      grid[#grid + 1] = ("M%s %sv%s"):format(svg.length(x), svg.length(box.y),
        svg.length(box.height))
    end
    if tick.text and last then
      put(svg.element("text", { "x", x, "y", box.y + box.height + TICK + 12, "text-anchor",
        "middle", "class", "ink", "fill", "#222" }, svg.words(tick.text)))
    end
  end
  return grid, marks
end

-- Curves -----------------------------------------------------------------------------------------

local function pixels(list, place, from, size)
  local result = {}
  for i = 1, #list do
    local at = place(list[i])
    result[i] = at and from + size * at or false
  end
  return result
end

local function draw_curves(self, put, box, x_axis, x_values)
  local x, restless = pixels(x_values, x_axis.place, box.x, box.width), {}
  for i, one in ipairs(self.channels) do
    local y = pixels(one.values, self.y.place, box.y + box.height, -box.height)
    local data, climb = curve.data(x, y)
    restless[i] = climb and climb > RESTLESS * box.width or false
    put(line(i, data, restless[i]))
  end
  return restless
end

--- Draw a panel into its box, `{ x, y, width, height, labels }`; labels: the width of the widest
--- text of all y axes.
---@param self table
---@param put fun(element: string)
---@param box table
---@param x_axis table
---@param x_values number[]
---@param last boolean whether the texts of the x axis stand below it
function panel.draw(self, put, box, x_axis, x_values, last)
  put('<g font-size="11">')
  local grid_y, marks_y = draw_y(self, put, box)
  local grid_x, marks_x = draw_x(x_axis, put, box, last)
  put("</g>")
  draw_title(self, put, box)
  put(svg.element("path", { "class", "grid", "stroke", "#e3e3e3", "fill", "none", "d",
    table.concat(grid_y) .. table.concat(grid_x) }))
  put('<g fill="none" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">')
  local restless = draw_curves(self, put, box, x_axis, x_values)
  put("</g>")
  put(svg.element("path", { "class", "axis", "stroke", "#444", "fill", "none", "d",
    ("M%s %sv%sh%s"):format(svg.length(box.x), svg.length(box.y), svg.length(box.height),
      svg.length(box.width)) .. table.concat(marks_y) .. table.concat(marks_x) }))
  put('<g font-size="11" fill="none" stroke-width="1.5">')
  draw_legend(self, put, box, restless)
  put("</g>")
end

return panel
