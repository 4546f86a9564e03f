// What stretches between a point of A and a point of B: springs, dampers, distances.
import { Curve, Group, Mesh, TubeGeometry, Vector3 } from "three"
import { materials } from "./materials.js"
import { flat, rectangle } from "./outline.js"
import { bar } from "./spatial.js"
import { colour } from "./theme.js"

const X = new Vector3(1, 0, 0)
const SOFT = colour.role("metal")

// A coil of length l along x, with straight ends.
class Helix extends Curve {
  constructor(l, r, turns) {
    super()
    Object.assign(this, { l, r, turns })
  }
  getPoint(s, out = new Vector3()) {
    const inner = Math.min(1, Math.max(0, (s - 0.1) / 0.8))
    const grow = Math.min(1, 12 * Math.min(inner, 1 - inner))
    const a = 2 * Math.PI * this.turns * inner
    return out.set(s * this.l, grow * this.r * Math.cos(a), grow * this.r * Math.sin(a))
  }
}

function zigzag(l, u, paint) {
  const group = new Group()
  const count = Math.min(24, Math.max(6, Math.round(l / (1.1 * u))))
  const places = [[0, 0], [0.12 * l, 0]]
  for (let i = 0; i < count; i++)
    places.push([(0.12 + 0.76 * (i + 0.5) / count) * l, (i % 2 ? -1 : 1) * 1.3 * u])
  places.push([0.88 * l, 0], [l, 0])
  const material = paint.flat(SOFT)
  places.slice(1).forEach(([x, y], i) => {
    const [x0, y0] = places[i]
    const stroke = new Mesh(flat(rectangle(Math.hypot(x - x0, y - y0) / 2 + 0.1 * u, 0.13 * u)),
      material)
    stroke.position.set((x + x0) / 2, (y + y0) / 2, 0)
    stroke.rotation.z = Math.atan2(y - y0, x - x0)
    group.add(stroke)
  })
  return group
}

function coil(l, u, paint) {
  const turns = Math.min(16, Math.max(5, Math.round(l / (2.2 * u))))
  return new Mesh(new TubeGeometry(new Helix(l, 1.6 * u, turns), 24 * turns, 0.28 * u, 8),
    paint.metal())
}

const strip = (from, to, r, paint, tint) => {
  const mesh = new Mesh(flat(rectangle((to - from) / 2, r)), paint.flat(tint))
  mesh.position.x = (from + to) / 2
  return mesh
}

// Each builder answers an object along x from 0 to l, which `stretch` fits to another length.
const builders = {
  coil: (l, u, paint, isFlat) => {
    const object = isFlat ? zigzag(l, u, paint) : coil(l, u, paint)
    return { object, stretch: (now) => object.scale.setX(now / l) }
  },
  dashpot: (l, u, paint, isFlat) => {
    const object = new Group()
    const piece = (from, to, r) => (isFlat ? strip(from, to, r, paint, SOFT)
      : bar([from, 0, 0], [to, 0, 0], r, paint.metal()))
    const rod = new Group()
    rod.add(piece(-0.7 * l, 0, 0.25 * u))
    object.add(piece(0, 0.3 * l, 0.25 * u), piece(0.3 * l, 0.65 * l, 1.1 * u), rod)
    return { object, stretch: (now) => rod.position.setX(now) }
  },
  bar: (l, u, paint, isFlat) => {
    const object = new Group()
    object.add(isFlat ? strip(0, l, 0.2 * u, paint, colour.role("ink"))
      : bar([0, 0, 0], [l, 0, 0], 0.45 * u, paint.metal()))
    return { object, stretch: (now) => object.scale.setX(now / l) }
  },
}

export function links({ scene, start }, move, model, look) {
  const paint = materials(look)
  const group = new Group()
  const [p, q] = [new Vector3(), new Vector3()]
  const stretched = [...scene.joints, ...scene.forces].filter((part) => builders[part.symbol])
  move.update(start)
  const list = stretched.map((part) => {
    move.world(part.a, part.at_a, p)
    move.world(part.b, part.at_b, q)
    const length = Math.max(p.distanceTo(q), 4 * scene.unit)
    const built = builders[part.symbol](length, scene.unit, paint, model.flat)
    group.add(built.object)
    return { part, ...built }
  })
  const update = () => {
    for (const { part, object, stretch } of list) {
      move.world(part.a, part.at_a, p)
      move.world(part.b, part.at_b, q)
      q.sub(p)
      const now = Math.max(q.length(), 1e-6 * scene.size)
      object.visible = now < 1.001 * (part.reach ?? Infinity) // longer, it has been let go
      stretch(now)
      object.position.copy(p)
      object.position.z += model.flat ? model.layer(Math.max(part.a, part.b) + 0.5) : 0
      object.quaternion.setFromUnitVectors(X, q.divideScalar(now))
    }
  }
  return { group, update }
}
