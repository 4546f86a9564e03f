// Flat shapes of planar models: polygons with a thin, darker rim.
import { Mesh, Path, Shape, ShapeGeometry, Group, Vector2 } from "three"
import { colour } from "./theme.js"

// Points of an arc about (x, y).
function arc(x, y, r, from, to, steps = 24) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const a = from + (to - from) * i / steps
    return new Vector2(x + r * Math.cos(a), y + r * Math.sin(a))
  })
}

export const circle = (r, x = 0, y = 0) => arc(x, y, r, 0, 2 * Math.PI, 64)

export const rectangle = (a, b) => [new Vector2(-a, -b), new Vector2(a, -b), new Vector2(a, b),
  new Vector2(-a, b)]

// The convex hull of some points, counterclockwise, by Andrew's monotone chain.
function hull(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1])
  const half = (list) => {
    const out = []
    for (const p of list) {
      const left = (a, b) => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
      while (out.length > 1 && left(out.at(-2), out.at(-1)) <= 0) out.pop()
      out.push(p)
    }
    return out.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

// All places nearer than r to the hull of some points: links, triangles, pads.
export function rounded(points, r) {
  const corners = hull(points)
  if (corners.length < 2) return circle(r, ...points[0])
  return corners.flatMap((p, i) => {
    const before = corners.at(i - 1)
    const after = corners[(i + 1) % corners.length]
    const from = Math.atan2(p[1] - before[1], p[0] - before[0]) - Math.PI / 2
    let to = Math.atan2(after[1] - p[1], after[0] - p[0]) - Math.PI / 2
    if (to < from) to += 2 * Math.PI
    return arc(p[0], p[1], r, from, to, 12)
  })
}

export function flat(points, holes = []) {
  const shape = new Shape(points)
  shape.holes = holes.map((hole) => new Path(hole))
  return new ShapeGeometry(shape)
}

// A shape given as a function of how far it is drawn in: rim and inside.
export function plate(inset, line, tint, materials) {
  const group = new Group()
  const rim = new Mesh(flat(inset(0)), materials.flat(tint))
  const inside = new Mesh(flat(inset(line)), materials.flat(colour.tint(tint, 0.24)))
  inside.position.z = line / 8
  group.add(rim, inside)
  return group
}
