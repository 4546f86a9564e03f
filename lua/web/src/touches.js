// Where shapes touch: a dot at each point that carries a force, and a ring that spreads where something strikes.
import { CircleGeometry, Group, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry,
  Vector3 } from "three"
import { colour } from "./theme.js"

const RINGS = 12

// Of two frames at one time, velocities jump between them: what touches then has struck.
function impacts({ scene, frames: { t, n, touches } }) {
  const list = []
  const d = scene.dimension
  const near = 1e-6 * scene.size
  for (let k = 1; k < n; k++) {
    if (t[k] !== t[k - 1]) continue
    scene.contacts.forEach((_, j) => {
      const row = k * touches.stride + j * touches.width
      if (Math.abs(touches.values[row + 2 * d]) > near) return
      const place = touches.values.subarray(row, row + d)
      list.push({ t: t[k], place: new Vector3(place[0], place[1], place[2] ?? 0) })
    })
  }
  return list
}

const paintOf = (look, role) =>
  look.paint(new MeshBasicMaterial({ depthTest: false, transparent: true }), colour.role(role))

function newRing(look, u) {
  const mesh = new Mesh(new RingGeometry(0.8 * u, 1.1 * u, 40), paintOf(look, "trace"))
  mesh.renderOrder = 6
  return mesh
}

export function touches(data, move, model, look) {
  const { scene, start, end } = data
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

  const showDots = (t) => dots.forEach((mesh, j) => {
    move.touch(j, t, now)
    mesh.visible = now.force.lengthSq() > 0
    mesh.position.copy(now.point).z += height
  })
  const showRings = (t, camera) => {
    const recent = struck.filter((one) => one.t <= t && t < one.t + lasting).slice(-RINGS)
    rings.forEach((mesh, i) => {
      mesh.visible = i < recent.length
      if (!mesh.visible) return
      const age = (t - recent[i].t) / lasting
      mesh.position.copy(recent[i].place).z += height
      mesh.scale.setScalar(1 + 3 * age)
      mesh.material.opacity = 1 - age
      if (!model.flat) mesh.quaternion.copy(camera.quaternion)
    })
  }
  const update = (t, camera) => {
    showDots(t)
    showRings(t, camera)
  }
  return { group, update, impacts: struck, dots }
}
