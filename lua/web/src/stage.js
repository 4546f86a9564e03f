// The mechanism in its surroundings: renderer, light, ground, and one picture when asked.
import { Box3, DirectionalLight, Group, HemisphereLight, Mesh, PCFShadowMap, PlaneGeometry, Scene,
  ShadowMaterial, Vector3, WebGLRenderer } from "three"
import { arrows } from "./arrows.js"
import { viewpoint } from "./camera.js"
import { cloud } from "./cloud.js"
import { grid } from "./grid.js"
import { links } from "./links.js"
import { materials } from "./materials.js"
import { motion, travel } from "./motion.js"
import { planar } from "./planar.js"
import { shadows, spatial } from "./spatial.js"
import { colour } from "./theme.js"
import { traces } from "./traces.js"

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

// The plane below everything that catches shadows.
function shadowPlane(gridObject, size) {
  const plane = new Mesh(new PlaneGeometry(size, size), new ShadowMaterial({ opacity: 0.16 }))
  plane.position.copy(gridObject.position)
  plane.quaternion.copy(gridObject.quaternion)
  plane.receiveShadow = true
  plane.material.depthWrite = false
  return plane
}

function surroundings(scene, model, box, up, look) {
  const paint = materials(look)
  const size = box.getSize(new Vector3())
  const reach = Math.max(size.x, size.y, size.z)
  const through = box.getCenter(new Vector3())
  if (model.flat) {
    through.z = -0.001 * reach
    scene.add(grid(new Vector3(0, 0, 1), through, reach, paint))
    return
  }
  const low = new Vector3(up.x > 0 ? box.min.x : box.max.x, up.y > 0 ? box.min.y : box.max.y,
    up.z > 0 ? box.min.z : box.max.z)
  through.addScaledVector(up, low.sub(through).dot(up))
  const floor = grid(up, through, reach, paint)
  scene.add(floor, shadowPlane(floor, 6 * reach))
  illuminate(scene, box, up)
  shadows(model.root)
}

function renderer(canvas, context) {
  const gl = new WebGLRenderer({ canvas, context })
  gl.shadowMap.enabled = true
  gl.shadowMap.type = PCFShadowMap
  return gl
}

export function stage(canvas, context, data, look) {
  const gl = renderer(canvas, context)
  const scene = new Scene()
  const move = { ...motion(data), start: data.start }
  const model = (data.scene.dimension === 2 ? planar : spatial)(data.scene, look,
    (joint) => travel(joint, data.frames, move))
  model.root = new Group().add(model.ground, ...model.bodies)
  model.bounded = !data.scene.joints.some(({ kind }) => kind === "rolling")
  const points = cloud(data.frames, model, move)
  const box = new Box3().setFromPoints(points)
  const up = new Vector3(...data.scene.down, ...(model.flat ? [0] : [])).negate()
  surroundings(scene, model, box, up, look)
  const parts = {
    links: links(data.scene, move, model, look),
    traces: traces(data, move, model, look),
    forces: arrows(data, move, model, look),
  }
  if (!model.flat) shadows(parts.links.group)
  scene.add(model.root, ...Object.values(parts).map((part) => part.group))
  const view = viewpoint(canvas, model.flat, points, up)
  const backdrop = () => gl.setClearColor(colour.role("paper")(look.name))

  const draw = (t) => {
    move.update(t)
    move.poses.forEach(({ position, quaternion }, i) => {
      model.bodies[i].position.copy(position)
      model.bodies[i].position.z += model.layer(i)
      model.bodies[i].quaternion.copy(quaternion)
    })
    parts.links.update()
    parts.traces.update(t)
    if (parts.forces.group.visible) parts.forces.update(t)
    gl.render(scene, view.camera)
  }
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas
    if (width === 0 || height === 0) return
    gl.setPixelRatio(Math.min(2, devicePixelRatio))
    gl.setSize(width, height, false)
    if (view.camera.isPerspectiveCamera) view.camera.aspect = width / height
    view.resize(width, height)
  }
  backdrop()
  look.onChange(backdrop)
  return { draw, resize, view, parts, poses: move.poses, gl, model }
}
