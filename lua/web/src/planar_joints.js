// Symbols of joints and forces in planar models, drawn into the groups of their bodies.
import { Group, Mesh } from "three"
import { circle, flat, plate, rectangle, rounded } from "./outline.js"
import { colour } from "./theme.js"

const INK = colour.role("ink")

function put(to, what, [x, y], z = 0, angle = 0) {
  what.position.set(x, y, z)
  what.rotation.z = angle
  to.add(what)
  return what
}

const angleOf = ([x, y]) => Math.atan2(y, x)

// Short strokes below a line from -a to a along x.
function hatch(a, u, paint) {
  const group = new Group()
  const material = paint.flat(colour.role("soft"))
  group.add(new Mesh(flat(rectangle(a, 0.12 * u)), material))
  const count = Math.min(400, Math.max(3, Math.round(2 * a / (0.9 * u))))
  for (let i = 0; i < count; i++) {
    const stroke = new Mesh(flat(rectangle(0.55 * u, 0.07 * u)), material)
    stroke.position.set(-a + (i + 0.5) * 2 * a / count - 0.3 * u, -0.42 * u, 0)
    stroke.rotation.z = Math.PI / 4
    group.add(stroke)
  }
  return group
}

// The triangle that a pin of the ground stands on.
function support({ u, paint, down }) {
  const group = new Group()
  const stand = plate((d) => rounded([[0, 0], [-1.6 * u, -2.9 * u], [1.6 * u, -2.9 * u]],
    0.4 * u - d), 0.22 * u, INK, paint)
  const base = hatch(2.8 * u, u, paint)
  base.position.y = -3.4 * u
  group.add(stand, base)
  group.rotation.z = angleOf(down) + Math.PI / 2
  return group
}

function pin(joint, { u, paint, group, above }) {
  const ring = plate((d) => circle(0.72 * u - d), 0.24 * u, INK, paint)
  put(group(joint.b), ring, joint.at_b, above(joint.b))
}

function ends({ a, b, at_a, at_b }, draw) {
  pin({ b: a, at_b: at_a }, draw)
  pin({ b, at_b }, draw)
}

// The way of B along the axis of A: hatched and `beside` it on the ground, else in the middle.
function rail(joint, { u, paint, group, travel }, beside) {
  const { low, high } = travel(joint)
  const angle = angleOf(joint.axis)
  const half = (high - low) / 2 + 3.2 * u
  const line = joint.a < 0 ? hatch(half, u, paint)
    : new Mesh(flat(rectangle(half, 0.14 * u)), paint.flat(INK))
  line.position.set((low + high) / 2, joint.a < 0 ? -beside : 0, 0)
  put(group(joint.a), new Group().add(line), joint.at_a, joint.a < 0 ? -0.1 * u : 0.3 * u, angle)
}

const symbols = {
  hinge(joint, draw) {
    const { a, b, at_a, at_b } = joint
    if (a < 0) put(draw.group(a), support(draw), at_a)
    if (b < 0) put(draw.group(b), support(draw), at_b)
    pin(joint, draw)
  },
  slider(joint, draw) {
    const { u, paint, group, above } = draw
    rail(joint, draw, 1.3 * u)
    const shoe = plate((d) => rectangle(1.9 * u - d, 1.15 * u - d), 0.24 * u, INK, paint)
    put(group(joint.b), shoe, joint.at_b, Math.min(above(joint.b), 0.4 * u), angleOf(joint.axis_b))
  },
  groove(joint, draw) {
    rail(joint, draw, 0)
    pin(joint, draw)
  },
  weld({ b, at_b }, { u, paint, group, above }) {
    put(group(b), plate((d) => rectangle(0.8 * u - d, 0.8 * u - d), 0.24 * u, INK, paint), at_b,
      above(b))
  },
  bar(joint, draw) {
    const { a, at_a } = joint
    if (a < 0) put(draw.group(a), support(draw), at_a)
    ends(joint, draw)
  },
  coil: (joint, draw) => ends(joint, draw),
  dashpot: (joint, draw) => ends(joint, draw),
  ring({ b, at_b }, { u, paint, group, above }) {
    for (const r of [1.5, 0.8])
      put(group(b), plate((d) => circle(r * u - d), 0.24 * u, INK, paint), at_b,
        above(b) - 0.1 * r * u)
  },
  track({ a, at_a, normal: [x, y] }, { u, paint, group, endless }) {
    const line = hatch((a < 0 ? 60 : 12) * u, u, paint)
    put(a < 0 ? endless : group(a), line, at_a, -0.1 * u, Math.atan2(-x, y))
  },
}

function pitchCircle({ body, at, radius }, { u, paint, group, above }) {
  const ring = new Group()
  const count = 2 * Math.max(6, Math.round(Math.PI * radius / (1.6 * u)))
  const material = paint.flat(INK)
  for (let i = 0; i < count; i++) {
    const tooth = new Mesh(flat(rectangle(0.4 * u, 0.13 * u)), material)
    const a = 2 * Math.PI * i / count
    tooth.position.set(radius * Math.cos(a), radius * Math.sin(a), 0)
    tooth.rotation.z = a
    ring.add(tooth)
  }
  ring.add(new Mesh(flat(circle(radius), [circle(radius - 0.14 * u)]), material))
  put(group(body), ring, at, Math.min(above(body), 0.5 * u))
}

export function planarJoint(joint, draw) {
  symbols[joint.symbol]?.(joint, draw)
  for (const wheel of joint.circles ?? []) pitchCircle(wheel, draw)
}
