// Cameras and how they fit what moves: straight from the front in the plane, from above one's
// shoulder in space.
import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three"
import { OrbitControls } from "three/addons/controls/OrbitControls.js"

const MARGIN = 1.12

// The least and the greatest of some numbers.
function bounds(list) {
  let [low, high] = [Infinity, -Infinity]
  for (const x of list) {
    low = Math.min(low, x)
    high = Math.max(high, x)
  }
  return { low, high, middle: (low + high) / 2 }
}

function front(points, aspect, camera, controls) {
  const x = bounds(points.map((p) => p.x))
  const y = bounds(points.map((p) => p.y))
  const half = MARGIN / 2 * Math.max(y.high - y.low, (x.high - x.low) / aspect, 1e-9)
  Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half,
    zoom: 1, near: -100 * half, far: 200 * half })
  camera.position.set(x.middle, y.middle, 20 * half)
  controls.target.set(x.middle, y.middle, 0)
}

// In axes of the camera: the middle of what is seen, and the distance from which all of it is.
function oblique(points, aspect, camera, controls, up) {
  const side = Math.abs(up.z) > 0.5 ? new Vector3(0.6, -1, 0) : new Vector3(0.6, 0, 1)
  side.addScaledVector(up, -side.dot(up)).normalize()
  const back = side.addScaledVector(up, 0.42).normalize()
  const right = new Vector3().crossVectors(up, back).normalize()
  const high = new Vector3().crossVectors(back, right)
  const axes = [right, high, back]
  const middle = axes.map((axis) => bounds(points.map((p) => p.dot(axis))).middle)
  const v = Math.tan(camera.fov * Math.PI / 360)
  const distance = bounds(points.map((p) => {
    const [x, y, z] = axes.map((axis, i) => p.dot(axis) - middle[i])
    return z + MARGIN * Math.max(Math.abs(x) / aspect, Math.abs(y)) / v
  })).high
  Object.assign(camera, { near: distance / 100, far: 60 * distance, zoom: 1 })
  controls.target.set(0, 0, 0)
  axes.forEach((axis, i) => controls.target.addScaledVector(axis, middle[i]))
  camera.position.copy(controls.target).addScaledVector(back, distance)
}

export function viewpoint(canvas, flat, points, up) {
  const camera = flat ? new OrthographicCamera() : new PerspectiveCamera(30)
  camera.up.copy(flat ? new Vector3(0, 1, 0) : up)
  const controls = new OrbitControls(camera, canvas)
  controls.dampingFactor = 0.12
  const fit = flat ? front : oblique
  let [aspect, height, around] = [1, 1, null]
  const anchor = new Vector3()
  const shown = () => around?.map((p) => p.clone().add(anchor)) ?? points
  const self = {
    camera, controls, touched: false,
    // Pixels for a metre at a place.
    perMetre: (p) => height * camera.zoom / (flat ? camera.top - camera.bottom
      : 2 * Math.tan(camera.fov * Math.PI / 360) * Math.max(camera.near, camera.position.distanceTo(p))),
    // Show what is within some distance of what `track` then tells, or all if none is given.
    follow(distance) {
      around = distance && [-distance, distance].flatMap((d) =>
        [new Vector3(d, 0, 0), new Vector3(0, d, 0), new Vector3(0, 0, flat ? 0 : d)])
    },
    track(place) {
      if (!around) return
      for (const moved of [camera.position, controls.target]) moved.add(place).sub(anchor)
      anchor.copy(place)
    },
    reset() {
      self.touched = false
      controls.enableDamping = false // what is left of a drag ends here
      controls.update()
      fit(shown(), aspect, camera, controls, up)
      camera.updateProjectionMatrix()
      controls.update()
      controls.enableDamping = true
    },
    // A view that nobody has turned keeps fitting the window.
    resize(width, tall) {
      const before = aspect
      height = tall
      aspect = width / height
      if (!flat) camera.aspect = aspect
      if (!self.touched) return self.reset()
      if (flat) {
        camera.left *= aspect / before
        camera.right *= aspect / before
      }
      camera.updateProjectionMatrix()
    },
  }
  controls.addEventListener("start", () => (self.touched = true))
  return self
}
