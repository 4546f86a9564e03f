// Symbols of joints and forces in spatial models, drawn into the groups of their bodies.
import { BoxGeometry, CylinderGeometry, Group, Mesh, Quaternion, SphereGeometry, TorusGeometry,
  Vector3 } from "three"
import { colour } from "./theme.js"

const Y = new Vector3(0, 1, 0)

function put(to, mesh, at, axis) {
  mesh.position.set(...at)
  if (axis) mesh.quaternion.multiply(new Quaternion().setFromUnitVectors(Y, new Vector3(...axis)))
  to.add(mesh)
  return mesh
}

const drum = (r, length, material) => new Mesh(new CylinderGeometry(r, r, length, 40), material)

// A pillow block: the foot of a joint on the ground.
function foot({ a, at_a }, { u, paint, group }) {
  if (a < 0) put(group(a), new Mesh(new SphereGeometry(1.25 * u, 32, 20), paint.metal()), at_a)
}

function tube(joint, { u, paint, group }, length, square) {
  const box = square ? new Mesh(new BoxGeometry(3 * u, length, 3 * u), paint.metal())
    : drum(1.6 * u, length, paint.metal())
  put(group(joint.a), box, joint.at_a, joint.axis)
}

// The way of B along the axis of A.
function guide(joint, { u, paint, group, travel }) {
  const { low, high } = travel(joint)
  const way = drum(0.3 * u, high - low + 8 * u, paint.metal())
  way.position.y = (low + high) / 2
  put(group(joint.a), new Group().add(way), joint.at_a, joint.axis)
}

// Rings on A where a thread is.
function windings(joint, draw) {
  for (const shift of [-1.2, -0.4, 0.4, 1.2]) {
    const ring = new Mesh(new TorusGeometry(1.7 * draw.u, 0.18 * draw.u, 8, 40), draw.paint.metal())
    const holder = new Group()
    ring.rotation.x = Math.PI / 2
    ring.position.y = shift * draw.u
    holder.add(ring)
    put(draw.group(joint.a), holder, joint.at_a, joint.axis)
  }
}

// A disc of the plane that something moves or rolls on, faint.
function floor({ a, at_a, normal }, { u, paint, group }, radius) {
  const material = paint.glass(colour.tint(colour.role("metal"), 0.5))
  put(group(a), drum(radius, 0.04 * u, material), at_a, normal)
}

function ends({ a, b, at_a, at_b }, { u, paint, group }) {
  for (const [i, at] of [[a, at_a], [b, at_b]])
    put(group(i), new Mesh(new SphereGeometry(1.1 * u, 24, 16), paint.metal()), at)
}

const symbols = {
  hinge(joint, draw) {
    put(draw.group(joint.b), drum(1.35 * draw.u, 3.4 * draw.u, draw.paint.metal()), joint.at_b,
      joint.axis_b)
    foot(joint, draw)
  },
  slider(joint, draw) {
    tube(joint, draw, 3.6 * draw.u, true)
    if (joint.a < 0) guide(joint, draw)
  },
  sleeve: (joint, draw) => tube(joint, draw, 4.5 * draw.u, false),
  thread(joint, draw) {
    tube(joint, draw, 3.6 * draw.u, false)
    windings(joint, draw)
  },
  weld({ b, at_b }, { u, paint, group }) {
    put(group(b), new Mesh(new BoxGeometry(2.4 * u, 2.4 * u, 2.4 * u), paint.metal()), at_b)
  },
  ball(joint, { u, paint, group }) {
    put(group(joint.b), new Mesh(new SphereGeometry(1.5 * u, 32, 20), paint.metal()), joint.at_b)
    if (joint.a < 0)
      put(group(-1), drum(1.1 * u, 0.5 * u, paint.metal()), joint.at_a, [0, 0, 1])
  },
  cross({ a, b, at_a, at_b, axis, axis_b }, { u, paint, group }) {
    put(group(a), drum(0.75 * u, 4.2 * u, paint.metal()), at_a, axis)
    put(group(b), drum(0.75 * u, 4.2 * u, paint.metal()), at_b, axis_b)
  },
  table: (joint, draw) => floor(joint, draw, 8 * draw.u),
  groove(joint, draw) {
    guide(joint, draw)
    put(draw.group(joint.b), new Mesh(new SphereGeometry(1.4 * draw.u, 32, 20), draw.paint.metal()),
      joint.at_b)
  },
  bar: (joint, draw) => ends(joint, draw),
  coil: (joint, draw) => ends(joint, draw),
  dashpot: (joint, draw) => ends(joint, draw),
  ring({ b, at_b }, { u, paint, group }) {
    put(group(b), new Mesh(new TorusGeometry(1.5 * u, 0.6 * u, 16, 40), paint.metal()), at_b)
  },
  track(joint, draw) {
    if (joint.a >= 0) floor(joint, draw, 30 * draw.u)
  },
}

function pitchCircle({ body, at, axis, radius }, { u, paint, group }) {
  const wheel = new Group()
  const ring = new Mesh(new TorusGeometry(radius, 0.3 * u, 10, 96), paint.metal())
  ring.rotation.x = Math.PI / 2
  const spoke = new Mesh(new BoxGeometry(2 * radius, 0.3 * u, 0.3 * u), paint.metal())
  wheel.add(ring, spoke)
  put(group(body), wheel, at, axis)
}

export function spatialJoint(joint, draw) {
  symbols[joint.symbol]?.(joint, draw)
  for (const wheel of joint.circles ?? []) pitchCircle(wheel, draw)
}
