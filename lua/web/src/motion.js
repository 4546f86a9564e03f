// Poses of the bodies and reactions of the joints at a time, in space in both kinds of models.
import { Quaternion, Vector3 } from "three"
import { hermite, place, turn } from "./interpolate.js"

const Z = new Vector3(0, 0, 1)
const newPose = () => ({ position: new Vector3(), quaternion: new Quaternion() })

// x, y, angle and their rates
function planar(x, i, j, h, s, pose) {
  const at = (c) => hermite(x[i + c], x[j + c], x[i + c + 3], x[j + c + 3], h, s)
  pose.position.set(at(0), at(1), 0)
  pose.quaternion.setFromAxisAngle(Z, at(2))
}

// x, y, z, the quaternion, the velocity, the spin
function spatial(x, i, j, h, s, pose) {
  const at = (c) => hermite(x[i + c], x[j + c], x[i + c + 7], x[j + c + 7], h, s)
  const part = (row, from, to) => Array.from(x.subarray(row + from, row + to))
  const q = turn(part(i, 3, 7), part(j, 3, 7), part(i, 10, 13), part(j, 10, 13), h, s)
  pose.position.set(at(0), at(1), at(2))
  pose.quaternion.set(q[1], q[2], q[3], q[0]).normalize()
}

export function motion({ scene, frames }) {
  const { t: times, poses: block, reactions, touches } = frames
  const set = scene.dimension === 2 ? planar : spatial
  const poses = scene.bodies.map(newPose)
  const ground = newPose()

  const put = (body, { k, h, s }, pose) => {
    const row = k * block.stride + body * block.width
    set(block.values, row, row + block.stride, h, s, pose)
    return pose
  }
  const acting = ({ values, stride, width }, part, t, { point, force }) => {
    const { k, s } = place(times, t)
    const row = k * stride + part * width
    const at = (c) => (1 - s) * values[row + c] + s * values[row + stride + c]
    if (scene.dimension === 2) return point.set(at(0), at(1), 0) && force.set(at(2), at(3), 0)
    return point.set(at(0), at(1), at(2)) && force.set(at(3), at(4), at(5))
  }
  return {
    poses,
    update(t) {
      const where = place(times, t)
      poses.forEach((pose, body) => put(body, where, pose))
    },
    // Of one body (-1: the ground), in a pose of the caller's.
    at: (body, t, pose) => (body < 0 ? ground : put(body, place(times, t), pose)),
    // A place in the axes of a body as last updated, in the world.
    world(body, point, out) {
      const { position, quaternion } = body < 0 ? ground : poses[body]
      return out.set(point[0], point[1], point[2] ?? 0).applyQuaternion(quaternion).add(position)
    },
    // The point and the force of a joint, or of a point of contact.
    reaction: (joint, t, out) => acting(reactions, joint, t, out),
    touch: (contact, t, out) => acting(touches, contact, t, out),
  }
}

// How far the point of B moves along the axis of A, from the least to the greatest.
export function travel(joint, { t, n }, move) {
  const [p, q, axis] = [new Vector3(), new Vector3(), new Vector3()]
  const stride = Math.max(1, Math.floor(n / 300))
  let [low, high] = [0, 0]
  for (let k = 0; k < n; k += stride) {
    move.update(t[k])
    move.world(joint.a, joint.at_a, p)
    move.world(joint.b, joint.at_b, q)
    move.world(joint.a, joint.at_a.map((x, i) => x + joint.axis[i]), axis).sub(p)
    const along = q.sub(p).dot(axis)
    low = Math.min(low, along)
    high = Math.max(high, along)
  }
  return { low, high }
}

// The size of a force at each frame: of a joint's reaction, or of the sum over points of contact.
export function forceSizes({ scene, frames: { n } }, { values, stride, width }, parts) {
  const d = scene.dimension
  return Float32Array.from({ length: n }, (_, k) => {
    const sum = [0, 0, 0]
    for (const part of parts)
      for (let i = 0; i < d; i++) sum[i] += values[k * stride + part * width + d + i]
    return Math.hypot(...sum)
  })
}
