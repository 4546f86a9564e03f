// All that is ever covered, as points: the outermost vertices of the bodies at some of the samples,
// those of the ground, and the paths that are traced.
import { Vector3 } from "three"

const MOST = 150000
const DIRECTIONS = 96

// Directions all round, evenly spread.
const directions = Array.from({ length: DIRECTIONS }, (_, i) => {
  const z = 1 - (2 * i + 1) / DIRECTIONS
  const [r, a] = [Math.sqrt(1 - z * z), i * Math.PI * (3 - Math.sqrt(5))]
  return new Vector3(r * Math.cos(a), r * Math.sin(a), z)
})
const around = Array.from({ length: DIRECTIONS }, (_, i) => {
  const a = 2 * Math.PI * i / DIRECTIONS
  return new Vector3(Math.cos(a), Math.sin(a), 0)
})

// The vertices of an object that are the farthest in some direction, in its own axes.
function outermost(object, flat) {
  object.updateMatrixWorld(true)
  const all = []
  object.traverse(({ geometry, matrixWorld }) => {
    const position = geometry?.getAttribute("position")
    for (let i = 0; i < (position?.count ?? 0); i++)
      all.push(new Vector3().fromBufferAttribute(position, i).applyMatrix4(matrixWorld))
  })
  const farthest = (d) => all.reduce((best, p) => (p.dot(d) > best.dot(d) ? p : best), all[0])
  return all.length > 0 ? [...new Set((flat ? around : directions).map(farthest))] : []
}

// Paths are flat lists of coordinates.
export function cloud({ frames: { t, n } }, model, move, paths) {
  const bodies = model.bodies.map((group) => outermost(group, model.flat))
  const each = bodies.reduce((sum, list) => sum + list.length, 0)
  const stride = Math.max(1, Math.ceil(n * each / MOST))
  const points = outermost(model.ground, model.flat)
  for (let k = 0; k < n; k += stride) {
    move.update(t[k])
    bodies.forEach((list, i) => {
      const { position, quaternion } = move.poses[i]
      for (const p of list) points.push(p.clone().applyQuaternion(quaternion).add(position))
    })
  }
  for (const path of paths)
    for (let i = 0; i < path.length; i += 3) points.push(new Vector3().fromArray(path, i))
  return points
}
