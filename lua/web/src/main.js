// The page: reads the recording that it carries, and plays it.
import { controls } from "./controls.js"
import { read } from "./data.js"
import { legends } from "./legends.js"
import { player as newPlayer } from "./player.js"
import { plots as newPlots } from "./plots.js"
import { stage as newStage } from "./stage.js"
import { looks } from "./theme.js"

const $ = (id) => document.getElementById(id)

function tryStage(data, look) {
  const context = data.scene && $("view").getContext("webgl2", { antialias: true })
  $("no-webgl").hidden = Boolean(context) || !data.scene
  return context ? newStage($("view"), context, data, look) : null
}

function describe(data, plots) {
  $("summary").textContent = data.summary
  $("failure").textContent = data.failure ?? ""
  $("failure").hidden = !data.failure
  $("view").setAttribute("aria-label", data.description)
  document.body.classList.toggle("plots-only", !data.scene)
  document.body.classList.toggle("no-plots", plots.list.length === 0)
}

// What the address asks for: #t=1.5 shows that time and waits, #theme=dark a look, #forces arrows,
// #follow=name a body in the middle.
function requests(player, look) {
  const wanted = new URLSearchParams(location.hash.slice(1))
  if (wanted.has("theme")) look.set(wanted.get("theme") === "dark" ? "dark" : "light")
  if (wanted.has("forces")) $("forces").click()
  const body = [...$("follow").options].slice(1).find(({ text }) => text === wanted.get("follow"))
  if (body) {
    $("follow").value = body.value
    $("follow").dispatchEvent(new Event("change"))
  }
  if (wanted.has("t")) player.seek(Number(wanted.get("t")))
  else player.play(!matchMedia("(prefers-reduced-motion: reduce)").matches)
}

// Draws when something has changed, and keeps account of the time that it takes.
function animate(player, stage, plots) {
  const label = stage ? legends(stage) : () => {}
  const frames = { count: 0, spent: 0, longest: 0 }
  let dirty = true
  let before = performance.now()
  const draw = () => {
    const start = performance.now()
    stage?.draw(player.time)
    plots.update(player.time, player.playing)
    label()
    const spent = performance.now() - start
    frames.count += 1
    frames.spent += spent
    frames.longest = Math.max(frames.longest, spent)
  }
  const frame = (now) => {
    player.tick(Math.min(0.25, (now - before) / 1000))
    before = now
    stage?.view.controls.update()
    if (dirty) draw()
    dirty = false
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  // At once, before the browser paints: a canvas of a new size is empty.
  const now = () => {
    draw()
    dirty = false
  }
  return { frames, now, redraw: () => (dirty = true) }
}

function main() {
  const began = performance.now()
  const data = read($("data").textContent)
  const look = looks()
  const player = newPlayer(data)
  const plots = newPlots($("plots"), data, look, (t) => player.seek(t))
  const stage = tryStage(data, look)
  const { frames, redraw, now } = animate(player, stage, plots)
  const resize = () => {
    stage?.resize()
    plots.resize()
    now()
  }
  describe(data, plots)
  controls(data, player, look, stage, redraw)
  player.onChange(redraw)
  look.onChange(redraw)
  stage?.view.controls.addEventListener("change", redraw)
  for (const id of ["stage", "plots"]) new ResizeObserver(resize).observe($(id))
  resize()
  requests(player, look)
  // For scripts that drive the page.
  window.sarrus = { player, look, stage, plots, frames, data, loading: performance.now() - began }
}

main()
