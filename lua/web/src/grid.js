// A grid that fades outwards, in the plane across `up` through a point.
import { BufferGeometry, Float32BufferAttribute, LineSegments, Quaternion, Vector3 } from "three"
import { round } from "./arrows.js"
import { colour } from "./theme.js"

const PIECES = 24

export function grid(up, through, extent, paint) {
  const step = round(extent / 6)
  const lines = Math.ceil(2.2 * extent / step)
  const radius = lines * step
  const position = []
  const shade = []
  const put = (x, y) => {
    const far = Math.min(1, Math.hypot(x, y) / radius)
    position.push(x, y, 0)
    shade.push(1, 1, 1, (1 - far * far) ** 2)
  }
  for (let i = -lines; i <= lines; i++) {
    for (let k = 0; k < PIECES; k++) {
      const [a, b] = [k, k + 1].map((x) => (2 * x / PIECES - 1) * radius)
      put(a, i * step)
      put(b, i * step)
      put(i * step, a)
      put(i * step, b)
    }
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3))
  geometry.setAttribute("color", new Float32BufferAttribute(shade, 4))
  const object = new LineSegments(geometry, paint.line(colour.role("faint"),
    { vertexColors: true, transparent: true, depthWrite: false }))
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up)
  const local = through.clone().applyQuaternion(turn.clone().invert())
  local.x = Math.round(local.x / step) * step
  local.y = Math.round(local.y / step) * step
  object.position.copy(local.applyQuaternion(turn))
  object.quaternion.copy(turn)
  return object
}
