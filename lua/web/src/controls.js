// Buttons, slider and keys.
import { SPEEDS } from "./player.js"

const $ = (id) => document.getElementById(id)

function decimals(duration) {
  return Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(duration || 1))))
}

// Shown or not: a button, a key, and the group that it shows.
function toggle(id, part, redraw) {
  const button = $(id)
  if (!part || part.empty) {
    button.hidden = true
    if (part) part.group.visible = false
    return () => {}
  }
  const set = (on) => {
    part.group.visible = on
    button.setAttribute("aria-pressed", String(on))
    redraw()
  }
  const flip = () => set(!part.group.visible)
  button.addEventListener("click", flip)
  set(button.getAttribute("aria-pressed") === "true")
  return flip
}

function timeline(data, player) {
  const places = decimals(data.end - data.start)
  const [slider, clock, speed] = [$("time"), $("clock"), $("speed")]
  const total = data.end.toFixed(places)
  slider.min = data.start
  slider.max = data.end
  slider.addEventListener("input", () => player.seek(Number(slider.value)))
  slider.addEventListener("pointerdown", () => player.play(false))
  for (const x of SPEEDS) speed.append(new Option(`${x}×`, x))
  speed.addEventListener("change", () => player.setSpeed(Number(speed.value)))
  return () => {
    const now = player.time.toFixed(places)
    slider.value = player.time
    slider.setAttribute("aria-valuetext", `${now} s of ${total} s`)
    clock.replaceChildren(`${now} `, Object.assign(document.createElement("small"),
      { textContent: `/ ${total} s` }))
    speed.value = player.speed
  }
}

// What the view follows: nothing, or a body by its number.
function following({ scene }, stage, redraw) {
  const choice = $("follow")
  choice.parentNode.hidden = !stage || scene.bodies.length === 0
  if (!stage) return () => {}
  choice.append(new Option("whole", -1), ...scene.bodies.map(({ name }, i) => new Option(name, i)))
  const follow = (body) => {
    choice.value = body
    stage.follow(body)
    redraw()
  }
  choice.addEventListener("change", () => follow(Number(choice.value)))
  // The next one, and after the last the whole.
  return () => follow((Number(choice.value) + 2) % (scene.bodies.length + 1) - 1)
}

function keys(actions) {
  addEventListener("keydown", (event) => {
    const inForm = ["SELECT", "TEXTAREA"].includes(event.target.tagName)
    if (event.ctrlKey || event.metaKey || event.altKey || inForm || $("dialog").open) return
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action || (event.key === " " && event.target.tagName === "BUTTON")) return
    event.preventDefault()
    action(event)
  })
}

export function controls(data, player, look, stage, redraw) {
  const show = timeline(data, player)
  const play = () => player.play(!player.playing)
  const loop = () => player.setLoop(!player.loop)
  const theme = () => look.toggle()
  const help = () => $("dialog").showModal()
  const reset = () => {
    stage?.view.reset()
    redraw()
  }
  const flips = { traces: toggle("traces", stage?.parts.traces, redraw),
    forces: toggle("forces", stage?.parts.forces, redraw) }
  const next = following(data, stage, redraw)
  $("reset").hidden = !stage
  for (const [id, action] of Object.entries({ play, loop, theme, help, reset }))
    $(id).addEventListener("click", action)
  const move = (by) => (event) => (event.shiftKey ? player.skip(by / 10) : player.sample(by))
  keys({
    " ": play, "k": play, "l": loop, "d": theme, "?": help, "h": help, "r": reset,
    "f": flips.forces, "t": flips.traces, "b": next,
    "ArrowLeft": move(-1), "ArrowRight": move(1),
    "Home": () => player.seek(data.start), "End": () => player.seek(data.end),
    "+": () => player.faster(1), "=": () => player.faster(1), "-": () => player.faster(-1),
  })
  player.onChange(() => {
    show()
    document.body.classList.toggle("playing", player.playing)
    $("play").setAttribute("aria-label", player.playing ? "Pause" : "Play")
    $("loop").setAttribute("aria-pressed", String(player.loop))
  })
  show()
}
