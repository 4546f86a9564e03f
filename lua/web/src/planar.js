// A planar model: thin plates, one layer above the other.
import { Group, Mesh } from "three"
import { reach } from "./least.js"
import { bodyColour, materials } from "./materials.js"
import { circle, flat, plate, rectangle, rounded } from "./outline.js"
import { planarJoint } from "./planar_joints.js"
import { roomy } from "./room.js"
import { planarShape } from "./shapes.js"
import { colour } from "./theme.js"

const shapes = {
  rod: ({ length, radius, slim, exact }, u) => {
    const r = exact ? 0.2 * u : (slim ? 0.68 : 1) * Math.max(radius, u) // touched, it is thin
    return (d) => rounded([[-length / 2, 0], [length / 2, 0]], r - d)
  },
  box: ({ size: [a, b] }) => (d) => rectangle(a / 2 - d, b / 2 - d),
  cylinder: ({ radius }) => (d) => circle(radius - d),
  sphere: ({ radius }) => (d) => circle(radius - d),
  point: (_, u) => (d) => circle(1.7 * u - d),
  rigid: ({ points }, u) => (d) => rounded(points, 1.3 * u - d),
}

// A line across what is round shows that it turns.
function spokes(body, line, tint, paint) {
  const r = body.radius - line
  const marks = [0, Math.PI / 2].map((angle) => {
    const mark = new Mesh(flat(rectangle(r, line / 2)), paint.flat(colour.tint(tint, 0.6)))
    mark.rotation.z = angle
    mark.position.z = line / 4
    return mark
  })
  return marks
}

function bodyGroup(body, u, paint) {
  const group = new Group()
  const tint = bodyColour(body)
  const smallest = Math.min(...[body.radius, ...(body.size ?? [])].filter((x) => x > 0))
  const line = Math.min(0.28 * u, 0.2 * smallest)
  for (const strut of body.struts)
    group.add(plate((d) => rounded([[0, 0], strut], 0.8 * u - d), 0.28 * u, tint, paint))
  if (!shapes[body.kind]) return group // bare: its shapes are all that is seen
  const rim = body.exact ? 0.1 * u : body.slender ? 0.28 * u : line
  const shape = plate(shapes[body.kind](body, u), rim, tint, paint)
  shape.position.z = 0.1 * u
  if (body.round) shape.add(...spokes(body, line, tint, paint))
  group.add(shape)
  return group
}

// Groups of the bodies, in order, and of the ground; layers are `step` apart.
export function planar(scene, look, travel) {
  const u = scene.unit
  const paint = materials(look)
  const step = Math.min(0.8 * u, 0.2 * scene.size / (scene.bodies.length + 2))
  const bodies = scene.bodies.map((body) => bodyGroup(body, u, paint))
  const ground = new Group()
  const endless = new Group() // does not count for what the view has to show
  const layer = (i) => (i + 1) * step
  const top = layer(scene.bodies.length)
  for (const shape of scene.shapes)
    planarShape(shape, { u, size: scene.size, paint, endless, group: (i) => (i < 0 ? ground : bodies[i]) })
  const radii = bodies.map((body) => reach(body, true))
  for (const joint of [...scene.joints, ...scene.forces]) {
    planarJoint(joint, {
      u: roomy(joint, u, radii), paint, travel, endless, down: scene.down,
      group: (i) => (i < 0 ? ground : bodies[i]),
      above: (i) => top - layer(i),
    })
  }
  return { bodies, radii, ground, endless, layer, flat: true }
}
