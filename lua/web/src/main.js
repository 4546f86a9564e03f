// The page: reads the recording that it carries, and plays it.
import { round } from "./arrows.js"
import { controls } from "./controls.js"
import { read } from "./data.js"
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

const short = (x) => String(+x.toPrecision(2))

// The scale of the arrows, and of the drawing where it is seen straight.
function legends(data, stage) {
  const { sample, group } = stage.parts.forces
  const { camera } = stage.view
  const label = $("legend")
  const bar = $("scale")
  const perMetre = () => $("view").clientWidth * camera.zoom / (camera.right - camera.left)
  return () => {
    const flat = camera.isOrthographicCamera
    label.hidden = !group.visible
    label.innerHTML = ""
    if (flat) {
      const line = document.createElement("i")
      line.style.width = `${sample.length * perMetre()}px`
      label.append(line)
      const metres = round(90 / perMetre())
      bar.style.width = `${metres * perMetre()}px`
      bar.firstChild.textContent = `${short(metres)} m`
    }
    bar.hidden = !flat
    label.append(flat ? `${short(sample.force)} N`
      : `arrows: ${short(sample.force)} N for ${short(sample.length)} m`)
  }
}

// What the address asks for: #t=1.5 shows that time and waits, #theme=dark a look, #forces arrows.
function requests(player, look) {
  const wanted = new URLSearchParams(location.hash.slice(1))
  if (wanted.has("theme")) look.set(wanted.get("theme") === "dark" ? "dark" : "light")
  if (wanted.has("forces")) $("forces").click()
  if (wanted.has("t")) player.seek(Number(wanted.get("t")))
  else player.play(!matchMedia("(prefers-reduced-motion: reduce)").matches)
}

function main() {
  const began = performance.now()
  const data = read($("data").textContent)
  const look = looks()
  const player = newPlayer(data)
  const plots = newPlots($("plots"), data, look, (t) => player.seek(t))
  const stage = tryStage(data, look)
  $("summary").textContent = data.summary
  $("view").setAttribute("aria-label", data.description)
  document.body.classList.toggle("plots-only", !data.scene)
  document.body.classList.toggle("no-plots", plots.list.length === 0)

  let dirty = true
  const redraw = () => (dirty = true)
  const label = stage ? legends(data, stage) : () => {}
  const frames = { count: 0, spent: 0, longest: 0 }

  const resize = () => {
    stage?.resize()
    plots.resize()
    redraw()
  }
  controls(data, player, look, stage, redraw)
  player.onChange(redraw)
  look.onChange(redraw)
  stage?.view.controls.addEventListener("change", redraw)
  new ResizeObserver(resize).observe($("stage"))
  new ResizeObserver(resize).observe($("plots"))
  resize()
  requests(player, look)

  let before = performance.now()
  const frame = (now) => {
    player.tick(Math.min(0.25, (now - before) / 1000))
    before = now
    stage?.view.controls.update()
    if (dirty) {
      const start = performance.now()
      dirty = false
      stage?.draw(player.time)
      plots.update(player.time, player.playing)
      label()
      const spent = performance.now() - start
      frames.count += 1
      frames.spent += spent
      frames.longest = Math.max(frames.longest, spent)
    }
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  // For scripts that drive the page.
  window.sarrus = { player, look, stage, plots, frames, data, loading: performance.now() - began }
}

main()
