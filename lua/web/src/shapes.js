// Shapes that are fixed to bodies or to the ground, in the axes of what carries them.
import { BoxGeometry, BufferGeometry, CylinderGeometry, EdgesGeometry, Float32BufferAttribute, Group,
  LineSegments, Matrix4, Mesh, PlaneGeometry, Quaternion, SphereGeometry, Vector3 } from "three"
import { bodyColour } from "./materials.js"
import { circle, flat, plate, rectangle } from "./outline.js"
import { along, bar } from "./spatial.js"
import { colour } from "./theme.js"

const Z = new Vector3(0, 0, 1)

// What is not a body's is grey, unless it has a colour of its own.
export const shapeColour = (shape) =>
  (shape.tone === undefined && !shape.color ? colour.role("metal") : bodyColour({ tone: 0, ...shape }))

// The sides of a convex polygon moved in by d: its corners.
function drawnIn(points, d) {
  const n = points.length
  const sides = points.map(([x, y], i) => {
    const [u, v] = points[(i + 1) % n]
    const length = Math.hypot(u - x, v - y)
    const [a, b] = [(v - y) / length, (x - u) / length]
    return [a, b, a * x + b * y - d]
  })
  return sides.map(([a, b, c], i) => {
    const [e, f, g] = sides.at(i - 1)
    const det = a * f - b * e
    return { x: (c * f - b * g) / det, y: (a * g - c * e) / det }
  })
}

const moved = (points, [x, y]) => points.map((p) => ({ x: p.x + x, y: p.y + y }))

// A line without ends, with some of the material behind it.
function border({ at, normal }, { size, u, paint, tint }) {
  const group = new Group()
  const depth = 0.05 * size
  const piece = (height, below, share) => {
    const mesh = new Mesh(flat(rectangle(20 * size, height / 2)), paint.flat(colour.tint(tint, share)))
    mesh.position.y = -below - height / 2
    group.add(mesh)
  }
  piece(depth, 0, 0.22)
  piece(0.25 * u, 0, 1)
  group.children[1].position.z = 0.01 * u
  group.position.set(at[0], at[1], 0)
  group.rotation.z = Math.atan2(-normal[0], normal[1])
  return group
}

const planarShapes = {
  line: border,
  disk: ({ at, radius }, { line, tint, paint }) =>
    plate((d) => circle(radius - d, ...at), line(radius), tint, paint),
  polygon: ({ points }, { line, tint, paint }) => {
    const least = Math.min(...points.map((p, i) => Math.hypot(p[0] - points.at(i - 1)[0],
      p[1] - points.at(i - 1)[1])))
    return plate((d) => drawnIn(points, d), line(0.5 * least), tint, paint)
  },
  point: ({ at }, { u, tint, paint }) =>
    plate((d) => moved(circle(0.6 * u - d), at), 0.15 * u, tint, paint),
}

// Shapes of a planar scene; those without ends do not count for what the view has to show.
export function planarShape(shape, { u, size, paint, group, endless }) {
  const line = (least) => Math.min(0.28 * u, 0.2 * least)
  const object = planarShapes[shape.kind](shape, { u, size, paint, line, tint: shapeColour(shape) })
  object.position.z += 0.05 * u
  const carrier = shape.normal && shape.body < 0 ? endless : group(shape.body)
  carrier.add(object)
}

function sheet({ at, normal }, { size, paint }) {
  const material = paint.glass(colour.role("metal"))
  const mesh = new Mesh(new PlaneGeometry(12 * size, 12 * size), material)
  mesh.position.set(...at)
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(Z, new Vector3(...normal)))
  return mesh
}

function brick({ at, axes, size }, { paint, tint }) {
  const group = new Group()
  const geometry = new BoxGeometry(...size)
  group.add(new Mesh(geometry, paint.solid(tint)),
    new LineSegments(new EdgesGeometry(geometry), paint.line(colour.tint(tint, 0.55))))
  group.applyMatrix4(new Matrix4().makeBasis(...axes.map((axis) => new Vector3(...axis)))
    .setPosition(...at))
  return group
}

function triangles({ points }, { paint, tint }) {
  const geometry = new BufferGeometry()
  geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3))
  geometry.computeVertexNormals()
  return new Mesh(geometry, paint.solid(tint))
}

const spatialShapes = {
  plane: sheet,
  sphere: ({ at, radius }, { paint, tint }) => {
    const mesh = new Mesh(new SphereGeometry(radius, 48, 32), paint.solid(tint))
    mesh.position.set(...at)
    return mesh
  },
  box: brick,
  capsule: ({ from, to, radius }, { paint, tint }) => bar(from, to, radius, paint.solid(tint)),
  cylinder: ({ from, to, radius }, { paint, tint }) => {
    const [p, q] = [new Vector3(...from), new Vector3(...to)]
    return along(new Mesh(new CylinderGeometry(radius, radius, p.distanceTo(q), 72),
      paint.solid(tint)), p, q)
  },
  point: ({ at }, { u, paint, tint }) => {
    const mesh = new Mesh(new SphereGeometry(0.6 * u, 20, 14), paint.solid(tint))
    mesh.position.set(...at)
    return mesh
  },
  mesh: triangles,
}

export function spatialShape(shape, { u, size, paint, group, endless }) {
  const object = spatialShapes[shape.kind](shape, { u, size, paint, tint: shapeColour(shape) })
  const carrier = shape.normal && shape.body < 0 ? endless : group(shape.body)
  carrier.add(object)
}
