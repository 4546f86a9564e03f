// Which charts there are: curves that one axis serves, those that tell the most first.
import { forceSizes } from "./motion.js"

const MOST = 8 // curves in one chart
const CHARTS = 4 // of one quantity
const SHARE = 8 // a curve has at least this part of its axis
const SPIKE = 5 // extremes that are this far beyond nearly all else are spikes
const RARE = 0.02 // how many of the values they are, upwards and downwards

// What a chart shows, by its first word: coordinates and what a script asks for, forces, checks.
const LAST = ["contact forces", "reactions", "energy", "residual"]
const FIRST = ["angle", "length", "position", "q", "x"]

// The least and the greatest of all values, and of all but the rarest.
function extremes(values) {
  const finite = values.filter(Number.isFinite)
  let [low, high] = [Infinity, -Infinity]
  for (const x of finite) {
    low = Math.min(low, x)
    high = Math.max(high, x)
  }
  const stride = Math.max(1, Math.floor(finite.length / 4000))
  const some = finite.filter((_, i) => i % stride === 0).sort()
  const at = (share) => some[Math.round(share * (some.length - 1))]
  return { low, high, inner: { low: at(RARE), high: at(1 - RARE) } }
}

const size = ({ low, high }) => Math.max(Math.abs(low), Math.abs(high))
const span = ({ low, high }) => high - low
const union = (a, b) => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) })

// What is shown of a curve: all of it, or without spikes where these would flatten the rest.
function shown({ low, high, inner }) {
  const usual = span(inner)
  if (!(usual > 1e-6 * size(inner) && high - low > SPIKE * usual)) return { low, high }
  const cut = { low: inner.low - 0.25 * usual, high: inner.high + 0.25 * usual }
  return { low: Math.max(low, cut.low), high: Math.min(high, cut.high) }
}

function measured(series) {
  const list = series.map((one) => {
    const all = extremes(one.values)
    return { ...one, all, range: all.low <= all.high ? shown(all) : { low: 0, high: 0 } }
  })
  const largest = Math.max(...list.map(({ all }) => (all.low <= all.high ? size(all) : 0)))
  return list.map((one) => ({ ...one, constant: !(span(one.range) > 1e-6 * size(one.range)
    && span(one.range) > 1e-10 * largest) }))
}

// Whether curves still have their part of the axis with one more among them.
function fits(bin, one) {
  const range = union(bin.range, one.range)
  if (one.constant) return bin.constant || span(range) <= 2 * span(bin.range)
  return !bin.constant && span(range) <= SHARE * Math.min(bin.least, span(one.range))
}

// Curves that would be flat lines beside others get an axis of their own.
function split(series) {
  const bins = []
  const bySpan = [...series].sort((a, b) => a.constant - b.constant || span(b.range) - span(a.range))
  for (const one of bySpan) {
    let bin = bins.find((other) => fits(other, one))
    if (!bin && bins.length === CHARTS) bin = bins[CHARTS - 1]
    if (!bin) bins.push(bin = { list: [], range: one.range, least: Infinity, constant: one.constant })
    bin.list.push(one)
    bin.range = union(bin.range, one.range)
    if (!one.constant) bin.least = Math.min(bin.least, span(one.range))
  }
  const first = ({ list }) => Math.min(...list.map((one) => series.indexOf(one)))
  return bins.sort((a, b) => first(a) - first(b))
    .map(({ list }) => series.filter((one) => list.includes(one)))
}

// One chart: what moves first, so that it is what is left where there is too much.
function chart(group, list) {
  const series = [...list].sort((a, b) => a.constant - b.constant).slice(0, MOST)
  const range = series.map((one) => one.range).reduce(union)
  const all = series.map((one) => one.all).reduce(union)
  const spikes = !group.log && span(all) > 2 * span(range)
  return {
    ...group, series, left: list.length - series.length,
    constant: series.every((one) => one.constant),
    cut: spikes ? { ...range, peak: size(all) > size(range) ? size(all) : all.low } : null,
  }
}

// The size of the force of each joint, and of each contact, whose points are added up.
function forces(data) {
  if (!data.scene) return []
  const { scene: { joints, contacts }, frames: { t, reactions, touches, weak } } = data
  const names = [...new Set(contacts.map(({ name }) => name))]
  const points = (name) => contacts.flatMap((one, j) => (one.name === name ? [j] : []))
  const group = (title, series) => ({ title, unit: "N", t,
    series: series.filter(({ values }) => values.some((x) => x > weak)) })
  return [
    group("contact forces", names.map((name) =>
      ({ label: name, values: forceSizes(data, touches, points(name)) }))),
    group("reactions", joints.map(({ name }, j) =>
      ({ label: name, values: forceSizes(data, reactions, [j]) }))),
  ].filter(({ series }) => series.length > 0)
}

function recorded(data) {
  return data.groups.map((group) => ({
    ...group, t: data.t,
    series: group.channels.map((k, i) => ({ label: group.names[i], values: data.values[k] })),
  }))
}

// What does not move comes after what does, the errors of the constraints last.
function rank({ title, constant }) {
  const [first, last] = [FIRST.indexOf(title), LAST.indexOf(title)]
  const place = last >= 0 ? 100 + last : first >= 0 ? first : FIRST.length
  return place + (constant || title === "residual" ? 1000 : 0)
}

export function charts(data) {
  return [...recorded(data), ...forces(data)]
    .flatMap((group) => {
      const series = measured(group.series)
      return (group.log ? [series] : split(series)).map((list) => chart(group, list))
    })
    .map((one, i) => ({ ...one, i }))
    .sort((a, b) => rank(a) - rank(b) || a.i - b.i)
}
