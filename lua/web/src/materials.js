// Materials, one for each colour and kind.
import { DoubleSide, LineBasicMaterial, MeshBasicMaterial, MeshStandardMaterial } from "three"
import { colour } from "./theme.js"

export function materials(look) {
  const known = new Map()
  // One material for each kind and pair of colours.
  const shared = (kind, f, make) => {
    const key = [kind, f("light").getHex(), f("dark").getHex()].join()
    if (!known.has(key)) known.set(key, look.paint(make(), f))
    return known.get(key)
  }
  const solid = (options) => new MeshStandardMaterial({ roughness: 0.5, ...options })
  return {
    flat: (f) => shared("flat", f, () => new MeshBasicMaterial({ side: DoubleSide })),
    solid: (f) => shared("solid", colour.lit(f), () => solid()),
    glass: (f) => shared("glass", f, () =>
      solid({ transparent: true, opacity: 0.25, depthWrite: false })),
    metal: () => shared("metal", colour.role("metal"), () => solid({ roughness: 0.4 })),
    line: (f, options) => look.paint(new LineBasicMaterial(options), f),
  }
}

// The colour of a body: its own, or that of its kind.
export const bodyColour = (body) =>
  CSS.supports("color", body.color ?? "") ? colour.given(body.color) : colour.tone(body.tone)
