// Reaction forces: arrows at joints and contacts, in the direction of what each exerts on its body B.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three"
import { within } from "./least.js"
import { forceSizes } from "./motion.js"
import { colour } from "./theme.js"

const Y = new Vector3(0, 1, 0)
const THICK = [4, 12] // pixels of u

// The 1, 2 or 5 times a power of ten next below.
export function round(x) {
  const power = 10 ** Math.floor(Math.log10(x))
  return power * [5, 2, 1].find((digit) => digit * power <= x * 1.0001)
}

// A force that few samples exceed: the longest arrow.
function typical(data) {
  const { scene: { joints, contacts }, frames: { reactions, touches } } = data
  const blocks = [...joints.map((_, j) => [reactions, j]), ...contacts.map((_, j) => [touches, j])]
  const sizes = blocks.flatMap(([block, j]) => {
    const all = forceSizes(data, block, [j])
    const stride = Math.max(1, Math.floor(all.length / 500))
    return Array.from({ length: Math.ceil(all.length / stride) }, (__, k) => all[k * stride])
  })
  const finite = sizes.filter((x) => x > 0 && x < Infinity).sort((x, y) => x - y)
  return finite[Math.floor(0.97 * (finite.length - 1))] ?? 1
}

// An arrow along y, whose length and thickness, in u, `set` gives.
function newArrow(u, material) {
  const shaft = new Mesh(new CylinderGeometry(0.3 * u, 0.3 * u, 1, 16).translate(0, 0.5, 0), material)
  const head = new Mesh(new ConeGeometry(0.95 * u, 2.4 * u, 24).translate(0, -1.2 * u, 0), material)
  const object = new Group().add(shaft, head)
  shaft.renderOrder = head.renderOrder = 5
  const set = (length, thick) => {
    const tip = Math.min(thick, length / (3 * u))
    shaft.scale.set(tip, Math.max(1e-6 * u, length - 2 * u * tip), tip)
    head.position.y = length
    head.scale.setScalar(tip)
  }
  return { object, set }
}

export function arrows(data, move, model, look) {
  const { scene } = data
  const u = scene.unit
  const material = look.paint(new MeshBasicMaterial({ depthTest: false, transparent: true }),
    colour.role("force"))
  const acting = [
    ...scene.joints.map((joint, j) => (t, now) => {
      move.reaction(j, t, now)
      if (joint.at_b) move.world(joint.b, joint.at_b, now.point)
    }),
    ...scene.contacts.map((_, j) => (t, now) => move.touch(j, t, now)),
  ]
  const list = acting.map(() => newArrow(u, material))
  const group = new Group()
  for (const { object } of list) group.add(object)
  const metres = 0.28 * scene.size / typical(data)
  const now = { force: new Vector3(), point: new Vector3() }

  const update = (t, view) => {
    acting.forEach((act, j) => {
      const { object, set } = list[j]
      act(t, now)
      const size = now.force.length()
      const length = Math.min(0.6 * scene.size, size * metres)
      object.visible = length > 0.15 * u
      if (!object.visible) return
      set(length, within(u, ...THICK, now.point, view))
      object.position.copy(now.point)
      if (model.flat) object.position.z = model.layer(scene.bodies.length + 1)
      object.quaternion.setFromUnitVectors(Y, now.force.divideScalar(size))
    })
  }
  const force = round(0.2 * scene.size / metres)
  return { group, update, empty: list.length === 0, sample: { force, length: force * metres } }
}
