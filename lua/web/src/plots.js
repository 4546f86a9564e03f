// Plots of the recorded channels, with the present time as a line through all of them.
import uPlot from "uplot"
import { charts } from "./charts.js"
import { impacts } from "./impacts.js"
import { linear, place } from "./interpolate.js"
import { tones } from "./theme.js"

const HEIGHT = 150
const LEAST = 1e-17 // what a logarithmic axis shows of zero

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

function digits(x) {
  if (!Number.isFinite(x)) return "–"
  return x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5) ? x.toExponential(2)
    : x.toPrecision(4)
}

// Gaps where there is no value; a logarithm needs something positive.
function drawable(column, log) {
  if (log) return Array.from(column, (x) => (Number.isFinite(x) ? Math.max(LEAST, Math.abs(x)) : null))
  return column.every(Number.isFinite) ? column
    : Array.from(column, (x) => (Number.isFinite(x) ? x : null))
}

const axis = (options) => ({
  stroke: () => css("--soft"), font: "11px system-ui, sans-serif",
  grid: { stroke: () => css("--grid"), width: 1 },
  ticks: { show: false }, ...options,
})

// Room around a curve; a constant gets room too, relative to its size.  Spikes are cut off until
// a part of the time is looked at.
const range = ({ cut, t }) => ({ series: [times] }, low, high) => {
  if (low == null) return [0, 1]
  if (cut && times.min <= t[0] && times.max >= t[t.length - 1])
    [low, high] = [Math.max(low, cut.low), Math.min(high, cut.high)]
  const pad = Math.max(0.08 * (high - low), 1e-3 * Math.max(Math.abs(low), Math.abs(high))) || 1
  return [low - pad, high + pad]
}

// Short strokes on the axis of time where something struck.
const strokes = (struck) => (plot) => {
  const { ctx, bbox: { left, top, width, height } } = plot
  ctx.save()
  ctx.fillStyle = css("--trace")
  for (const t of struck) {
    const x = plot.valToPos(t, "x", true)
    if (x >= left && x <= left + width)
      ctx.fillRect(x - devicePixelRatio / 2, top + height - 5 * devicePixelRatio, devicePixelRatio,
        5 * devicePixelRatio)
  }
  ctx.restore()
}

function options(group, width, look, struck) {
  const { log } = group
  return {
    width, height: HEIGHT, legend: { show: false },
    padding: [6, 16, 0, 0], hooks: { drawAxes: [strokes(struck)] },
    cursor: { sync: { key: "time" }, points: { show: false }, y: false },
    scales: { x: { time: false }, y: log ? { distr: 3 } : { range: range(group) } },
    axes: [axis({ size: 26, space: 60 }), axis({ size: 54, space: log ? 22 : 28,
      ...(log && { filter: (_, list) => list.map((x) => (power(x) ? x : null)),
        grid: { stroke: () => css("--grid"), width: 1,
          filter: (_, list) => list.map((x) => (power(x) ? x : null)) } }),
      values: (_, list) => list.map((x) => (x == null ? "" : log ? power(x) : number(x))) })],
    series: [{}, ...group.series.map((_, i) => ({
      stroke: () => tones(look.name)[i % 8], width: 1.5, pxAlign: 0, points: { show: false },
    }))],
  }
}

const number = (x) => (Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(1)
  : String(+x.toPrecision(7)))

function power(x) {
  const e = Math.log10(x)
  return Math.abs(e - Math.round(e)) < 1e-6 ? `1e${Math.round(e)}` : ""
}

function caption(group, figure) {
  const head = document.createElement("figcaption")
  const title = document.createElement("b")
  title.textContent = group.unit ? `${group.title} (${group.unit})` : group.title
  head.append(title)
  const keys = group.series.map(({ label }) => {
    const key = document.createElement("button")
    key.type = "button"
    key.setAttribute("aria-pressed", "true")
    key.append(label, " ", document.createElement("output"))
    head.append(key)
    return key
  })
  if (group.left > 0) head.append(`and ${group.left} more`)
  if (group.cut) {
    head.append(Object.assign(document.createElement("span"), { className: "cut",
      textContent: `spikes to ${digits(group.cut.peak)} cut off`, title: "Drag over one to see it" }))
  }
  figure.append(head)
  figure.setAttribute("aria-label", `${title.textContent} over time: `
    + group.series.map(({ label }) => label).join(", "))
  return keys
}

// A click goes to its time; a drag is uPlot's.
function clickable({ over, posToVal }, seek) {
  let down = 0
  over.addEventListener("mousedown", (event) => (down = event.clientX))
  over.addEventListener("click", (event) => {
    const { left } = over.getBoundingClientRect()
    if (Math.abs(event.clientX - down) < 4) seek(posToVal(event.clientX - left, "x"))
  })
}

function figure(group, look, seek, parent, struck) {
  const element = document.createElement("figure")
  const keys = caption(group, element)
  const holder = document.createElement("div")
  element.append(holder)
  parent.append(element)
  const rows = [group.t, ...group.series.map(({ values }) => drawable(values, group.log))]
  const plot = new uPlot(options(group, 300, look, struck), rows, holder)
  const now = document.createElement("div")
  now.className = "now"
  plot.over.append(now)
  clickable(plot, seek)
  keys.forEach((key, i) => key.addEventListener("click", () => {
    const shown = !plot.series[i + 1].show
    key.setAttribute("aria-pressed", String(shown))
    plot.setSeries(i + 1, { show: shown })
  }))
  const paint = () => keys.forEach((key, i) => key.style.setProperty("--tone",
    tones(look.name)[i % 8]))
  paint()
  return {
    plot,
    resize: () => plot.setSize({ width: Math.max(200, element.clientWidth), height: HEIGHT }),
    repaint() {
      paint()
      plot.redraw(false)
    },
    move(t) {
      const x = plot.valToPos(t, "x")
      now.style.transform = `translateX(${x}px)`
      now.hidden = x < 0 || x > plot.over.clientWidth
    },
    tell(t) {
      const where = place(group.t, t)
      group.series.forEach(({ values }, i) => {
        keys[i].lastChild.textContent = digits(linear(values, where))
      })
    },
  }
}

export function plots(parent, data, look, seek) {
  const struck = data.scene ? [...new Set(impacts(data).map(({ t }) => t))] : []
  const list = charts(data).map((group) => figure(group, look, seek, parent, struck))
  let told = 0
  look.onChange(() => list.forEach((one) => one.repaint()))
  return {
    list,
    resize: () => list.forEach((one) => one.resize()),
    // Lines follow every frame, numbers a few times a second.
    update(t, playing) {
      for (const one of list) one.move(t)
      if (playing && performance.now() - told < 100) return
      told = performance.now()
      for (const one of list) one.tell(t)
    },
  }
}
