// Where shapes touch: a dot at each point that carries a force, and a ring that spreads where
// something strikes.
import { CircleGeometry, Group, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry,
  Vector3 } from "three"
import { impacts } from "./impacts.js"
import { within } from "./least.js"
import { colour } from "./theme.js"

const RINGS = 12
const DOT = [3, 6] // pixels of their radii
const RING = [6, 14]

const paintOf = (look, role) =>
  look.paint(new MeshBasicMaterial({ depthTest: false, transparent: true }), colour.role(role))

function newRing(look, u) {
  const mesh = new Mesh(new RingGeometry(0.8 * u, 1.1 * u, 40), paintOf(look, "trace"))
  mesh.renderOrder = 6
  return mesh
}

export function touches(data, move, model, look) {
  const { scene, frames, start, end } = data
  const u = scene.unit
  const height = model.flat ? model.layer(scene.bodies.length + 1) : 0
  const group = new Group()
  const dot = model.flat ? new CircleGeometry(0.45 * u, 24) : new SphereGeometry(0.45 * u, 16, 12)
  const material = paintOf(look, "force")
  const dots = scene.contacts.map(() => new Mesh(dot, material))
  const rings = Array.from({ length: RINGS }, () => newRing(look, u))
  for (const object of [...dots, ...rings]) group.add(object)
  for (const object of dots) object.renderOrder = 5
  const struck = impacts(data)
  const lasting = 0.02 * (end - start)
  const now = { point: new Vector3(), force: new Vector3() }

  const showDots = (t, view) => dots.forEach((mesh, j) => {
    move.touch(j, t, now)
    mesh.visible = now.force.length() > frames.weak
    mesh.position.copy(now.point).z += height
    mesh.scale.setScalar(within(0.45 * u, ...DOT, mesh.position, view))
  })
  const showRings = (t, view) => {
    const recent = struck.filter((one) => one.t <= t && t < one.t + lasting).slice(-RINGS)
    rings.forEach((mesh, i) => {
      mesh.visible = i < recent.length
      if (!mesh.visible) return
      const age = (t - recent[i].t) / lasting
      mesh.position.copy(recent[i].place).z += height
      mesh.scale.setScalar((1 + 3 * age) * within(u, ...RING, mesh.position, view))
      mesh.material.opacity = 1 - age
      if (!model.flat) mesh.quaternion.copy(view.camera.quaternion)
    })
  }
  const update = (t, view) => {
    showDots(t, view)
    showRings(t, view)
  }
  return { group, update, impacts: struck, dots }
}
