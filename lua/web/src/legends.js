// The scale of the arrows, and of the drawing where it is seen straight.
import { round } from "./arrows.js"

const $ = (id) => document.getElementById(id)
const short = (x) => String(+x.toPrecision(2))

export function legends({ parts, view }) {
  const { camera } = view
  const { sample, group } = parts.forces
  const flat = camera.isOrthographicCamera
  const line = document.createElement("i")
  const perMetre = () => view.perMetre(camera.position)
  $("scale").hidden = !flat
  $("legend").append(...(flat ? [line, `${short(sample.force)} N`]
    : [`arrows: ${short(sample.force)} N for ${short(sample.length)} m`]))
  return () => {
    $("legend").hidden = !group.visible
    if (!flat) return
    const metres = round(90 / perMetre())
    line.style.width = `${sample.length * perMetre()}px`
    $("scale").style.width = `${metres * perMetre()}px`
    $("scale").firstChild.textContent = `${short(metres)} m`
  }
}
