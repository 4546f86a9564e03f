// Around the mechanism: a grid, and in space light and a floor that catches shadows.
import { DirectionalLight, HemisphereLight, Mesh, PlaneGeometry, ShadowMaterial, Vector3 } from "three"
import { grid } from "./grid.js"
import { materials } from "./materials.js"
import { carries, isSlope, slope } from "./slope.js"

function illuminate(scene, box, up) {
  const radius = box.getSize(new Vector3()).length() / 2
  const centre = box.getCenter(new Vector3())
  const sun = new DirectionalLight(0xffffff, 2.2)
  const aside = Math.abs(up.z) > 0.5 ? new Vector3(0.55, -0.5, 0) : new Vector3(0.55, 0, 0.5)
  sun.position.copy(centre).addScaledVector(up, 3 * radius).addScaledVector(aside, 3 * radius)
  sun.target.position.copy(centre)
  sun.castShadow = true
  sun.shadow.mapSize.set(2048, 2048)
  sun.shadow.radius = 4
  sun.shadow.bias = -0.0005
  sun.shadow.normalBias = 0.004 * radius
  Object.assign(sun.shadow.camera, { left: -1.5 * radius, right: 1.5 * radius, top: 1.5 * radius,
    bottom: -1.5 * radius, near: 0.1 * radius, far: 9 * radius })
  const sky = new HemisphereLight(0xffffff, 0xd8d2c6, 2.1)
  sky.position.copy(up)
  scene.add(sun, sun.target, sky)
}

function floor(lines, size) {
  const material = new ShadowMaterial({ opacity: 0.16, depthWrite: false })
  const plane = new Mesh(new PlaneGeometry(size, size), material)
  plane.position.copy(lines.position)
  plane.quaternion.copy(lines.quaternion)
  plane.receiveShadow = true
  return plane
}

// Planes of the ground that are not level are part of it, and returned.
export function surroundings(scene, flat, box, up, look, shapes) {
  const paint = materials(look)
  const size = box.getSize(new Vector3())
  const reach = Math.max(size.x, size.y, size.z)
  const through = box.getCenter(new Vector3())
  if (flat) {
    through.z = -0.001 * reach
    scene.add(grid(new Vector3(0, 0, 1), through, reach, paint))
    return []
  }
  const low = new Vector3(up.x > 0 ? box.min.x : box.max.x, up.y > 0 ? box.min.y : box.max.y,
    up.z > 0 ? box.min.z : box.max.z)
  through.addScaledVector(up, low.sub(through).dot(up))
  const lines = grid(up, through, reach, paint)
  const inclined = shapes.filter((shape) => isSlope(shape, up))
  const slopes = inclined.map((shape) => slope(shape, box, up, paint))
  scene.add(lines, ...slopes)
  if (!inclined.some((shape) => carries(shape, up))) scene.add(floor(lines, 6 * reach))
  illuminate(scene, box, up)
  return slopes
}
