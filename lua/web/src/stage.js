// The mechanism in its surroundings, and one picture when asked.
import { Box3, Group, PCFShadowMap, Scene, Vector3, WebGLRenderer } from "three"
import { arrows } from "./arrows.js"
import { viewpoint } from "./camera.js"
import { cloud } from "./cloud.js"
import { enlarge } from "./least.js"
import { links } from "./links.js"
import { motion, travel } from "./motion.js"
import { planar } from "./planar.js"
import { shadows, spatial } from "./spatial.js"
import { surroundings } from "./surroundings.js"
import { colour } from "./theme.js"
import { touches } from "./touches.js"
import { traces } from "./traces.js"

function renderer(canvas, context) {
  const gl = new WebGLRenderer({ canvas, context })
  gl.shadowMap.enabled = true
  gl.shadowMap.type = PCFShadowMap
  return gl
}

function mechanism({ scene, frames }, move, look, up) {
  const build = scene.dimension === 2 ? planar : spatial
  return build(scene, look, (joint) => travel(joint, frames, move), up)
}

// Bodies where they are.
function pose(model, poses) {
  poses.forEach(({ position, quaternion }, i) => {
    model.bodies[i].position.copy(position)
    model.bodies[i].position.z += model.layer(i)
    model.bodies[i].quaternion.copy(quaternion)
  })
}

function fit(canvas, gl, view) {
  const { clientWidth: width, clientHeight: height } = canvas
  if (width === 0 || height === 0) return
  gl.setPixelRatio(Math.min(2, devicePixelRatio)) // this and the next empty the canvas
  gl.setSize(width, height, false)
  view.resize(width, height)
}

export function stage(canvas, context, data, look) {
  const gl = renderer(canvas, context)
  const scene = new Scene()
  const move = motion(data)
  const up = new Vector3(...data.scene.down, ...(data.scene.dimension === 2 ? [0] : [])).negate()
  const model = mechanism(data, move, look, up)
  const parts = {
    links: links(data, move, model, look),
    traces: traces(data, move, model, look),
    forces: arrows(data, move, model, look),
    touches: touches(data, move, model, look),
  }
  const solid = new Group().add(model.ground, ...model.bodies, parts.links.group)
  const points = cloud(data, model, move, parts.traces.paths)
  if (!model.flat) shadows(solid)
  scene.add(solid, model.endless, parts.traces.group, parts.touches.group, parts.forces.group)
  const box = new Box3().setFromPoints(points)
  const slopes = surroundings(scene, model.flat, box, up, look, data.scene.shapes)

  const view = viewpoint(canvas, model.flat, points, up)
  const backdrop = () => gl.setClearColor(colour.role("paper")(look.name))
  backdrop()
  look.onChange(backdrop)
  let followed = -1
  // Keep a body in the middle, -1: none.
  const follow = (body) => {
    followed = body
    view.follow(body < 0 ? null : Math.max(0.7 * data.scene.drawn, 0.3 * data.scene.size))
    if (body >= 0) view.track(move.poses[body].position)
    view.reset()
  }
  const draw = (t) => {
    move.update(t)
    pose(model, move.poses)
    if (followed >= 0) view.track(move.poses[followed].position)
    enlarge(model, view)
    parts.links.update()
    parts.traces.update(t)
    parts.touches.update(t, view)
    if (parts.forces.group.visible) parts.forces.update(t, view)
    gl.render(scene, view.camera)
  }
  const resize = () => fit(canvas, gl, view)
  return { draw, follow, view, parts, slopes, gl, model, poses: move.poses, resize }
}
