// Sizes in pixels: bodies that would be too small to be seen are drawn larger, marks keep theirs.
import { Vector3 } from "three"

const RADIUS = 5 // pixels

// How far the vertices of an object are from its origin, at most; of what is flat, as seen from above.
export function reach(object, flat) {
  const p = new Vector3()
  let most = 0
  object.updateMatrixWorld(true)
  object.traverse(({ geometry, matrixWorld }) => {
    const position = geometry?.getAttribute("position")
    for (let i = 0; i < (position?.count ?? 0); i++) {
      p.fromBufferAttribute(position, i).applyMatrix4(matrixWorld)
      most = Math.max(most, flat ? Math.hypot(p.x, p.y) : p.length())
    }
  })
  return most
}

// The scale at which something of that radius has at least and at most so many pixels, there and
// from this view.
export function within(radius, least, most, place, view) {
  const pixels = radius * view.perMetre(place)
  return Math.min(Math.max(pixels, least), most) / pixels
}

export const enlarge = ({ bodies, radii }, view) => bodies.forEach((body, i) => {
  if (radii[i] > 0) body.scale.setScalar(within(radii[i], RADIUS, Infinity, body.position, view))
})
