// Where and when shapes struck each other.
import { Vector3 } from "three"

// The velocity of a place on a body (-1: the ground) at frame k.
function velocity({ values, stride, width }, body, k, p) {
  if (body < 0) return new Vector3()
  const x = values.subarray(k * stride + body * width, k * stride + (body + 1) * width)
  const flat = width === 6
  const [v, spin, at] = flat ? [[x[3], x[4], 0], [0, 0, x[5]], [x[0], x[1], 0]]
    : [x.subarray(7, 10), x.subarray(10, 13), x.subarray(0, 3)]
  const arm = p.clone().sub(new Vector3(...at))
  return new Vector3(...spin).cross(arm).add(new Vector3(...v))
}

// Whether two bodies that touch at p at frame k met there: a velocity jumped, and before that one
// moved against the other.
function struck(poses, a, b, k, p) {
  const [before, after] = [k - 1, k].map((i) => [a, b].map((body) => velocity(poses, body, i, p)))
  const fastest = Math.max(...[...before, ...after].map((v) => v.length()))
  const far = (v, w) => v.distanceTo(w) > 1e-4 * fastest
  return far(before[0], before[1]) && (far(before[0], after[0]) || far(before[1], after[1]))
}

// Of two frames at one time, velocities jump between them.
export function impacts({ scene, frames: { t, n, touches, poses } }) {
  const list = []
  const d = scene.dimension
  const near = 1e-6 * scene.size
  for (let k = 1; k < n; k++) {
    if (t[k] !== t[k - 1]) continue
    scene.contacts.forEach(({ a, b }, j) => {
      const row = k * touches.stride + j * touches.width
      if (Math.abs(touches.values[row + 2 * d]) > near) return
      const [x, y, z = 0] = touches.values.subarray(row, row + d)
      const place = new Vector3(x, y, z)
      if (struck(poses, a, b, k, place)) list.push({ t: t[k], place })
    })
  }
  return list
}
