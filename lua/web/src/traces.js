// Paths of chosen points: all of it faint, what has passed strong.
import { Group, Quaternion, Vector3 } from "three"
import { Line2 } from "three/addons/lines/Line2.js"
import { LineGeometry } from "three/addons/lines/LineGeometry.js"
import { LineMaterial } from "three/addons/lines/LineMaterial.js"
import { locate } from "./interpolate.js"
import { colour } from "./theme.js"

const MOST = 12000

// Times of the path: the samples, with others between them where there are few, fewer where there
// are too many.
function times(t) {
  const n = t.length
  const between = Math.max(1, Math.min(8, Math.floor(4000 / n)))
  const stride = Math.max(1, Math.ceil(n / MOST))
  const list = []
  for (let k = 0; k + 1 < n; k += stride) {
    const next = t[Math.min(n - 1, k + stride)]
    for (let i = 0; i < between; i++) list.push(t[k] + (next - t[k]) * i / between)
  }
  list.push(t[n - 1])
  return Float64Array.from(list)
}

function path(trace, grid, move, z) {
  const pose = { position: new Vector3(), quaternion: new Quaternion() }
  const p = new Vector3()
  const points = []
  for (const t of grid) {
    const { position, quaternion } = move.at(trace.body, t, pose)
    p.set(trace.point[0], trace.point[1], trace.point[2] ?? 0).applyQuaternion(quaternion).add(position)
    points.push(p.x, p.y, p.z + z)
  }
  return points
}

export function traces(data, move, model, look) {
  const group = new Group()
  const grid = times(data.frames.t)
  const z = model.flat ? model.layer(-0.6) : 0
  const tint = colour.role("trace")
  const list = data.scene.traces.map((trace) => {
    const points = path(trace, grid, move, z)
    const lines = [[1.5, 0.28], [2.2, 1]].map(([linewidth, opacity]) => {
      const material = new LineMaterial({ linewidth, opacity, transparent: opacity < 1 })
      const line = new Line2(new LineGeometry().setPositions(points), look.paint(material, tint))
      line.frustumCulled = false
      group.add(line)
      return line
    })
    return lines[1].geometry
  })
  const update = (t) => {
    const passed = t >= grid.at(-1) ? grid.length - 1 : locate(grid, t)
    for (const geometry of list) geometry.instanceCount = passed
  }
  return { group, update, empty: list.length === 0 }
}
