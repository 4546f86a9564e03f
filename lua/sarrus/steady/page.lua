--- The page of modes: a list of them, and beside it the one that is chosen, moving.
---
--- Each mode is shown as a recording is (output/page.lua), in a frame of its own; the page has the
--- template of those once, and the data of every mode.

local animation = require "sarrus.output.animation"
local errors = require "sarrus.base.errors"
local evaluator = require "sarrus.expr.evaluate"
local fields = require "sarrus.base.fields"
local json = require "sarrus.output.json"
local modes = require "sarrus.steady.modes"
local pages = require "sarrus.output.page"
local point = require "sarrus.steady.point"
local probe = require "sarrus.model.start.probe"
local stand = require "sarrus.steady.stand"
local svg = require "sarrus.output.svg"

local page = {}

-- How far coordinates go where it is shown, relative to scale; and into how many pieces a period is
-- cut.
local SHOWN, PIECES = 0.15, 48

-- What grows or dies away without oscillating is shown for so many of its times.
local TIMES = 3

--- When a mode is shown, and by which factors its two shapes are taken then.
local function instants(mode)
  local re, im, list = mode.eigenvalue.re, mode.eigenvalue.im, {}
  local length = im > 0 and 2 * math.pi / im or re ~= 0 and TIMES / math.abs(re) or 1
  for i = 0, PIECES do
    local share = i / PIECES
    local phase = im > 0 and 2 * math.pi * share or 0
    local size = im > 0 and 1 or re < 0 and math.exp(-TIMES * share)
      or re > 0 and math.exp(TIMES * (share - 1)) or 2 * share - 1
    list[i + 1] = { t = share * length, c = size * math.cos(phase), s = -size * math.sin(phase) }
  end
  return list
end

--- How large a mode is to be drawn.
local function amplitude_of(d, scales, wanted)
  local most = 0
  for i, scale in ipairs(scales) do
    most = math.max(most, math.sqrt(d.re[i] ^ 2 + d.im[i] ^ 2) / scale)
  end
  return most > 0 and wanted * SHOWN / most or 0
end

--- Positions at an instant, closed; straight ahead where they do not close.
local function positions(shown, d, amplitude, instant)
  local q, v = {}, {}
  for i, x in ipairs(shown.s.q) do
    q[i], v[i] = x + amplitude * (instant.c * d.re[i] + instant.s * d.im[i]), 0
  end
  local system = probe.system(shown.model)
  return probe.close(system.compiled, system.parameters, shown.start, q, v) or q
end

--- Rates of positions between instants, so that what is between is smooth.
local function rates(list, instants_of, i)
  local before, after, v = math.max(1, i - 1), math.min(#list, i + 1), {}
  local dt = instants_of[after].t - instants_of[before].t
  for k = 1, #list[i] do
    v[k] = (list[after][k] - list[before][k]) / dt
  end
  return v
end

local function zeros(count)
  local list = {}
  for i = 1, count do
    list[i] = 0
  end
  return list
end

--- A mode as a recording: what page.lua asks of one.
local function recording_of(shown, mode)
  local d = modes.displacement(mode)
  local amplitude = amplitude_of(d, shown.start.scales, shown.amplitude)
  local times, list = instants(mode), {}
  for i, instant in ipairs(times) do
    list[i] = positions(shown, d, amplitude, instant)
  end
  local result = { sim = shown.sim, t = {}, channels = {}, frames = {} }
  for name in pairs(mode.shape) do
    result.channels[#result.channels + 1] = { label = name, unit = "" }
  end
  table.sort(result.channels, function(a, b)
    return a.label < b.label
  end)
  local none = zeros(#shown.s.lambda)
  for i, instant in ipairs(times) do
    result.t[i] = instant.t
    local row = shown.evaluate(shown.s.t, list[i], rates(list, times, i), zeros(#list[i]), none,
      shown.start.parameters, shown.start.modes)
    local last, copy = result.frames[i - 1], { instant.t }
    for k = 1, shown.width do
      copy[k + 1] = row[k]
    end
    result.frames[i] = animation.of_row(shown.model, copy, last and last.poses)
    for _, channel in ipairs(result.channels) do
      local name = channel.label
      result[name] = result[name] or {}
      result[name][i] = amplitude * (instant.c * mode.shape[name]
        + instant.s * mode.quadrature[name])
    end
  end
  return result
end

--- A mode in a line.
local function line(i, mode)
  local re = mode.eigenvalue.re
  if mode.frequency > 0 then
    return { ("%d"):format(i), ("%.5g Hz"):format(mode.frequency),
      ("damping %.3g"):format(mode.damping) }
  elseif re == 0 then
    return { ("%d"):format(i), "0 Hz", "nothing brings it back" }
  end
  return { ("%d"):format(i), re < 0 and "dies away" or "grows",
    ("in %.3g s"):format(1 / math.abs(re)) }
end

local PAGE = [[
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,">
  <title>{{title}}</title>
  <style>
    :root { --paper: #fbfaf7; --panel: #ffffff; --ink: #22262b; --soft: #6a7078; --line: #e3e1da;
      --accent: #2f5d9b; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #14171b; --panel: #1a1e23; --ink: #e4e6e8; --soft: #949ba4; --line: #2b3138;
        --accent: #7fb0ea; }
    }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body { display: grid; grid-template-columns: 210px minmax(0, 1fr); background: var(--paper);
      color: var(--ink); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "Helvetica Neue",
      "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums; }
    nav { overflow: auto; border-right: 1px solid var(--line); background: var(--panel); }
    h1 { margin: 0; padding: 12px 14px 8px; font-size: 15px; font-weight: 600; }
    button { display: grid; grid-template-columns: 2em 1fr; width: 100%; padding: 7px 14px;
      border: 0; border-left: 3px solid transparent; background: none; color: inherit;
      font: inherit; text-align: left; cursor: pointer; }
    button small { grid-column: 2; color: var(--soft); font-size: 12px; }
    button[aria-current="true"] { border-left-color: var(--accent); background: var(--paper); }
    button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    @media (max-width: 700px) {
      body { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
      nav { display: flex; border: 0; } h1 { display: none; } button { width: auto; }
    }
  </style>
</head>
<body>
  <nav aria-label="Modes"><h1>{{title}}</h1></nav>
  <iframe title="The mode, moving"></iframe>
  <script type="application/json" id="template">{{template}}</script>
  <script type="application/json" id="modes">{{modes}}</script>
  <script>
    const read = (id) => JSON.parse(document.getElementById(id).textContent)
    const template = read("template"), modes = read("modes")
    const nav = document.querySelector("nav"), frame = document.querySelector("iframe")
    const buttons = modes.map((mode, i) => {
      const button = document.createElement("button")
      for (const [k, text] of mode.line.entries()) {
        button.append(Object.assign(document.createElement(k === 2 ? "small" : "span"),
          { textContent: text }))
      }
      button.type = "button"
      button.onclick = () => show(i)
      nav.append(button)
      return button
    })
    function show(i) {
      buttons.forEach((button, k) => button.setAttribute("aria-current", k === i))
      frame.srcdoc = template.replace(/{{(title|data)}}/g, (_, name) => modes[i][name])
    }
    nav.onkeydown = (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const next = by && buttons[buttons.indexOf(document.activeElement) + by]
      if (next) { next.focus(); next.click(); event.preventDefault() }
    }
    show(0)
  </script>
</body>
</html>
]]

local function positive(value, path, fault)
  local x = fields.number(value, path, fault)
  if x and x <= 0 then
    fault(path .. ": " .. errors.show(x) .. " is not positive")
  end
  return x
end

--- The page as text.
---@param list sarrus.Modes
---@param given? { title?: string, amplitude?: number }
---@return string
function page.of(list, given)
  local checked = fields.check({
    { "title", fields.string }, { "amplitude", positive, default = 1 },
  }, given or {}, "modes:html")
  if #list == 0 then
    errors.raise("modes:html: there are no modes: nothing can move")
  end
  local sim = assert(stand.at(list.state.model, "modes:html", list.state))
  local model, start = point.frame(sim)
  local expressions = animation.expressions(model.system.model)
  local shown = {
    sim = sim, s = list.state, model = model, start = start, amplitude = checked.amplitude,
    evaluate = evaluator(expressions), width = #expressions,
  }
  local title = checked.title or ("modes of %s"):format(model.name)
  local data = {}
  for i, mode in ipairs(list) do
    local words = line(i, mode)
    local values = pages.values(recording_of(shown, mode),
      { title = ("mode %s: %s, %s"):format(words[1], words[2], words[3]) })
    data[i] = { line = words, title = values.title, data = values.data }
  end
  sim:close()
  return (PAGE:gsub("{{(%a+)}}", {
    title = svg.escape(title), template = json.encode(pages.template()), modes = json.encode(data),
  }))
end

return page
