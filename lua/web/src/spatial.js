// A spatial model: solids that throw shadows.
import { BoxGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, Group, LineSegments, Mesh,
  Quaternion, SphereGeometry, TorusGeometry, Vector3 } from "three"
import { reach } from "./least.js"
import { bodyColour, materials } from "./materials.js"
import { roomy } from "./room.js"
import { spatialShape } from "./shapes.js"
import { isSlope } from "./slope.js"
import { spatialJoint } from "./spatial_joints.js"
import { colour } from "./theme.js"

const Y = new Vector3(0, 1, 0)

export function along(mesh, from, to) {
  const d = new Vector3().subVectors(to, from)
  mesh.position.addVectors(from, to).multiplyScalar(0.5)
  mesh.quaternion.setFromUnitVectors(Y, d.normalize())
  return mesh
}

export function bar(from, to, radius, material) {
  const [p, q] = [new Vector3(...from), new Vector3(...to)]
  return along(new Mesh(new CapsuleGeometry(radius, p.distanceTo(q), 6, 20), material), p, q)
}

const turnTo = (axis) => new Quaternion().setFromUnitVectors(Y, new Vector3(...axis))

// A bar across the ends shows that it turns.
function drum({ radius, length, axis }, paint, tint) {
  const thick = length > 0 ? length : 0.03 * radius
  const group = new Group()
  const mark = paint.solid(colour.tint(tint, 0.45))
  group.add(new Mesh(new CylinderGeometry(radius, radius, thick, 72), paint.solid(tint)))
  group.add(new Mesh(new BoxGeometry(1.84 * radius, thick * 1.01 + 0.004 * radius, 0.07 * radius),
    mark))
  const rim = new Mesh(new TorusGeometry(radius, 0.016 * radius, 8, 72), mark)
  rim.rotation.x = Math.PI / 2
  const other = rim.clone()
  rim.position.y = thick / 2
  other.position.y = -thick / 2
  group.add(rim, other)
  group.quaternion.copy(turnTo(axis))
  return [group]
}

function block({ size }, paint, tint) {
  const geometry = new BoxGeometry(...size)
  const edges = new LineSegments(new EdgesGeometry(geometry), paint.line(colour.tint(tint, 0.55)))
  return [new Mesh(geometry, paint.solid(tint)), edges]
}

function ball({ radius }, paint, tint) {
  const mark = paint.solid(colour.tint(tint, 0.45))
  const rings = [0, Math.PI / 2].map((angle) => {
    const ring = new Mesh(new TorusGeometry(radius, 0.02 * radius, 8, 72), mark)
    ring.rotation.y = angle
    return ring
  })
  return [new Mesh(new SphereGeometry(radius, 48, 32), paint.solid(tint)), ...rings]
}

const shapes = {
  rod: ({ length, radius, slim, exact }, paint, tint, u) => [bar([-length / 2, 0, 0],
    [length / 2, 0, 0], exact ? radius : (slim ? 0.68 : 1) * Math.max(radius, 0.9 * u),
    paint.solid(tint))],
  box: block,
  cylinder: drum,
  sphere: ball,
  point: (_, paint, tint, u) => [new Mesh(new SphereGeometry(1.8 * u, 32, 20), paint.solid(tint))],
  rigid: skeleton,
}

// Bars between the places of a body; where these are many, from their middle.
function skeleton({ points }, paint, tint, u) {
  const material = paint.solid(tint)
  const middle = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k] / points.length, 0))
  const pairs = points.length > 4 ? points.map((p) => [middle, p])
    : points.flatMap((p, i) => points.slice(i + 1).map((q) => [p, q]))
  const bars = pairs.map(([p, q]) => bar(p, q, 0.8 * u, material))
  if (points.length > 2 || !points.some((p) => p.every((x) => x === 0))) return bars
  return [...bars, new Mesh(new SphereGeometry(1.3 * u, 32, 20), material)] // the centre of mass
}

export function spatial(scene, look, travel, up) {
  const u = scene.unit
  const paint = materials(look)
  const ground = new Group()
  const bodies = scene.bodies.map((body) => {
    const group = new Group()
    const tint = bodyColour(body)
    const parts = shapes[body.kind]?.(body, paint, tint, u) ?? [] // bare ones have only shapes
    for (const part of parts) group.add(part)
    for (const strut of body.struts) group.add(bar([0, 0, 0], strut, 0.6 * u, paint.metal()))
    return group
  })
  const endless = new Group()
  for (const shape of scene.shapes.filter((one) => !isSlope(one, up))) // those are surroundings
    spatialShape(shape, { u, size: scene.size, paint, endless, group: (i) => (i < 0 ? ground : bodies[i]) })
  const radii = bodies.map((body) => reach(body, false))
  for (const joint of [...scene.joints, ...scene.forces]) {
    const thick = [joint.a, joint.b].map((i) => scene.bodies[i])
      .map((body) => (body?.slender ? 0.85 * body.radius : 0))
    spatialJoint(joint, { u: roomy(joint, Math.max(u, ...thick), radii), paint, travel,
      group: (i) => (i < 0 ? ground : bodies[i]) })
  }
  return { bodies, radii, ground, endless, layer: () => 0, flat: false }
}

export function shadows(object) {
  object.traverse((part) => {
    if (part.isMesh) part.castShadow = part.receiveShadow = true
  })
}
