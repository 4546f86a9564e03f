// All that is ever covered, as points: vertices of the bodies at some of the samples, and those of
// the ground.
import { Vector3 } from "three"

const MOST = 150000

// Some vertices of an object, in its own axes.
function vertices(object, most) {
  object.updateMatrixWorld(true)
  const all = []
  object.traverse(({ geometry, matrixWorld }) => {
    const position = geometry?.getAttribute("position")
    for (let i = 0; i < (position?.count ?? 0); i++)
      all.push(new Vector3().fromBufferAttribute(position, i).applyMatrix4(matrixWorld))
  })
  const stride = Math.max(1, Math.ceil(all.length / most))
  return all.filter((_, i) => i % stride === 0)
}

export function cloud({ frames: { t, n } }, model, move) {
  const bodies = model.bodies.map((group) => vertices(group, 120))
  const each = bodies.reduce((sum, list) => sum + list.length, 0)
  const stride = Math.max(1, Math.ceil(n * each / MOST))
  const points = vertices(model.ground, 2000)
  for (let k = 0; k < n; k += stride) {
    move.update(t[k])
    bodies.forEach((list, i) => {
      const { position, quaternion } = move.poses[i]
      for (const p of list) points.push(p.clone().applyQuaternion(quaternion).add(position))
    })
  }
  return points
}
