// A plane of the ground that is not level: a sheet about what moves, with lines, an edge and shadows.
import { BufferGeometry, Float32BufferAttribute, Group, LineSegments, Matrix4, Mesh, PlaneGeometry,
  ShadowMaterial, Vector3 } from "three"
import { round } from "./arrows.js"
import { colour } from "./theme.js"

const LEVEL = 0.9999

// Whether a shape is such a plane; and whether what stands on it throws its shadow there.
export const isSlope = ({ kind, body, normal }, up) =>
  kind === "plane" && body < 0 && Math.abs(up.dot(new Vector3(...normal).normalize())) < LEVEL
export const carries = ({ normal }, up) => up.dot(new Vector3(...normal).normalize()) > 0.05

const corners = ({ min, max }) => [min.x, max.x].flatMap((x) =>
  [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))))

// How far the box reaches along an axis, from `at`, with some room, in whole steps.
function range(box, at, axis, step) {
  const along = corners(box).map((p) => p.sub(at).dot(axis))
  return [Math.floor(Math.min(...along) / step - 1) * step,
    Math.ceil(Math.max(...along) / step + 1) * step]
}

function lines([left, right], [low, high], step, paint) {
  const position = []
  const put = (a, b, c, d) => position.push(a, b, 0, c, d, 0)
  for (let x = left; x < right + step / 2; x += step) put(x, low, x, high)
  for (let y = low; y < high + step / 2; y += step) put(left, y, right, y)
  const geometry = new BufferGeometry()
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3))
  return new LineSegments(geometry, paint.line(colour.tint(colour.role("metal"), 0.45)))
}

function edge([left, right], [low, high], paint) {
  const geometry = new BufferGeometry()
  const places = [[left, low], [right, low], [right, high], [left, high]]
  geometry.setAttribute("position", new Float32BufferAttribute(
    places.flatMap((p, i) => [...p, 0, ...places[(i + 1) % 4], 0]), 3))
  return new LineSegments(geometry, paint.line(colour.role("metal")))
}

// The sheet, one side of which is level.
export function slope({ at, normal }, box, up, paint) {
  const size = box.getSize(new Vector3())
  const step = round(Math.max(size.x, size.y, size.z) / 6)
  const n = new Vector3(...normal).normalize()
  const x = new Vector3().crossVectors(up, n).normalize()
  const y = new Vector3().crossVectors(n, x)
  const origin = new Vector3(...at)
  const [across, along] = [range(box, origin, x, step), range(box, origin, y, step)]
  const [width, height] = [across[1] - across[0], along[1] - along[0]]
  const shadow = new ShadowMaterial({ opacity: 0.16, depthWrite: false })
  const sheets = [paint.glass(colour.role("metal")), shadow].map((material) => {
    const mesh = new Mesh(new PlaneGeometry(width, height), material)
    mesh.position.set((across[0] + across[1]) / 2, (along[0] + along[1]) / 2, 0)
    mesh.receiveShadow = material === shadow
    return mesh
  })
  const group = new Group().add(...sheets, lines(across, along, step, paint), edge(across, along, paint))
  group.applyMatrix4(new Matrix4().makeBasis(x, y, n).setPosition(origin))
  return group
}
