// Paths of chosen points: what has passed strong, and all of it faint where that is not too much.
import { Group, Quaternion, Vector3 } from "three"
import { Line2 } from "three/addons/lines/Line2.js"
import { LineGeometry } from "three/addons/lines/LineGeometry.js"
import { LineMaterial } from "three/addons/lines/LineMaterial.js"
import { locate } from "./interpolate.js"
import { colour } from "./theme.js"

const MOST = 2400 // points of a line

// Times of the path: the samples, and where they are few others between them.
function times(t) {
  const between = Math.max(1, Math.min(8, Math.floor(MOST / 2 / t.length)))
  const list = []
  for (let k = 0; k + 1 < t.length; k++)
    for (let i = 0; i < between; i++) list.push(t[k] + (t[k + 1] - t[k]) * i / between)
  list.push(t[t.length - 1])
  return Float64Array.from(list)
}

function path(trace, grid, move, z) {
  const pose = { position: new Vector3(), quaternion: new Quaternion() }
  const [x, y, up = 0] = trace.point
  const p = new Vector3()
  const points = new Float32Array(3 * grid.length)
  grid.forEach((t, i) => {
    const { position, quaternion } = move.at(trace.body, t, pose)
    p.set(x, y, up).applyQuaternion(quaternion).add(position)
    points.set([p.x, p.y, p.z + z], 3 * i)
  })
  return points
}

// The points from..to of a path, as the segments of a line that has room for them.
function fill(geometry, points, from, to) {
  const { data } = geometry.attributes.instanceStart
  for (let i = from; i < to; i++)
    data.array.set(points.subarray(3 * i, 3 * i + 6), 6 * (i - from))
  data.needsUpdate = true
  geometry.instanceCount = to - from
}

export function traces({ scene, frames }, move, model, look) {
  const group = new Group()
  const grid = times(frames.t)
  const room = Math.min(MOST, grid.length)
  const line = (points, linewidth, opacity) => {
    const material = new LineMaterial({ linewidth, opacity, transparent: opacity < 1 })
    const geometry = new LineGeometry().setPositions(points.subarray(0, 3 * room))
    const object = new Line2(geometry, look.paint(material, colour.role("trace")))
    object.frustumCulled = false
    group.add(object)
    return geometry
  }
  const list = scene.traces.map((trace) => {
    const points = path(trace, grid, move, model.flat ? model.layer(-0.6) : 0)
    if (grid.length <= room) line(points, 1.5, 0.28)
    return { points, passed: line(points, 2.2, 1) }
  })
  const update = (t) => {
    const to = t >= grid[grid.length - 1] ? grid.length - 1 : locate(grid, t)
    for (const { points, passed } of list) fill(passed, points, Math.max(0, to - room + 1), to)
  }
  return { group, update, paths: list.map(({ points }) => points), empty: list.length === 0 }
}
