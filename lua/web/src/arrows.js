// Reaction forces: arrows at the joints, in the direction of what each exerts on its body B.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three"
import { reactionSizes } from "./motion.js"
import { colour } from "./theme.js"

const Y = new Vector3(0, 1, 0)

// The 1, 2 or 5 times a power of ten next below.
export function round(x) {
  const power = 10 ** Math.floor(Math.log10(x))
  return power * [5, 2, 1].find((digit) => digit * power <= x * 1.0001)
}

// A force that few samples exceed: the longest arrow.
function typical(data) {
  const sizes = data.scene.joints.flatMap((_, j) => {
    const all = reactionSizes(data, j)
    const stride = Math.max(1, Math.floor(all.length / 500))
    return Array.from({ length: Math.ceil(all.length / stride) }, (__, k) => all[k * stride])
  })
  const finite = sizes.filter((x) => x > 0 && x < Infinity).sort((x, y) => x - y)
  return finite[Math.floor(0.97 * (finite.length - 1))] ?? 1
}

export function arrows(data, move, model, look) {
  const { scene } = data
  const u = scene.unit
  const group = new Group()
  const material = look.paint(new MeshBasicMaterial({ depthTest: false, transparent: true }),
    colour.role("force"))
  const shaft = new CylinderGeometry(0.3 * u, 0.3 * u, 1, 16).translate(0, 0.5, 0)
  const head = new ConeGeometry(0.95 * u, 2.4 * u, 24).translate(0, -1.2 * u, 0)
  const metres = 0.28 * scene.size / typical(data)
  const longest = 0.6 * scene.size
  const list = scene.joints.map(() => {
    const arrow = new Group()
    arrow.add(new Mesh(shaft, material), new Mesh(head, material))
    arrow.renderOrder = 5
    for (const part of arrow.children) part.renderOrder = 5
    group.add(arrow)
    return arrow
  })
  const now = { force: new Vector3(), point: new Vector3() }

  const update = (t) => {
    scene.joints.forEach((joint, j) => {
      move.reaction(j, t, now)
      if (joint.at_b) move.world(joint.b, joint.at_b, now.point)
      const size = now.force.length()
      const length = Math.min(longest, size * metres)
      const arrow = list[j]
      arrow.visible = length > 0.15 * u
      if (!arrow.visible) return
      const tip = Math.min(1, length / (3 * u))
      arrow.position.copy(now.point)
      if (model.flat) arrow.position.z = model.layer(scene.bodies.length + 1)
      arrow.quaternion.setFromUnitVectors(Y, now.force.divideScalar(size))
      arrow.children[0].scale.set(tip, Math.max(1e-6, length - 2 * u * tip), tip)
      arrow.children[1].position.y = length
      arrow.children[1].scale.setScalar(tip)
    })
  }
  const shown = round(0.2 * scene.size / metres)
  return { group, update, empty: scene.joints.length === 0, sample: { force: shown, length: shown * metres } }
}
