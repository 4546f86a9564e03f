// Materials, one for each colour and kind.
import { DoubleSide, LineBasicMaterial, MeshBasicMaterial, MeshStandardMaterial } from "three"
import { colour } from "./theme.js"

export function materials(look) {
  return {
    flat: (f) => look.paint(new MeshBasicMaterial({ side: DoubleSide }), f),
    solid: (f) => look.paint(new MeshStandardMaterial({ roughness: 0.5, metalness: 0 }), f),
    metal: () => look.paint(new MeshStandardMaterial({ roughness: 0.4, metalness: 0 }),
      colour.role("metal")),
    line: (f, options) => look.paint(new LineBasicMaterial(options), f),
  }
}

// The colour of a body: its own, or that of its kind.
export const bodyColour = (body) =>
  CSS.supports("color", body.color ?? "") ? colour.given(body.color) : colour.tone(body.tone)
