// gltf.mjs FILE TIME …: load a glTF file with three.js, play it to each time, and print as a Lua
// value where its nodes are, in the axes of the model, and what they show.
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const packages = join(dirname(fileURLToPath(import.meta.url)), "../build/web/node_modules/three/")
const load = (path) => import(pathToFileURL(packages + path).href)
const three = await load("build/three.module.js")
const { GLTFLoader } = await load("examples/jsm/loaders/GLTFLoader.js")

globalThis.ProgressEvent ??= class extends Event {} // which node does not have

const [file, ...times] = process.argv.slice(2)
const loaded = await new GLTFLoader().parseAsync(readFileSync(file, "utf8"), "")
const root = loaded.scene.children[0]

const lua = (value) => {
  if (Array.isArray(value)) return `{ ${value.map(lua).join(", ")} }`
  if (value && typeof value === "object") {
    return `{ ${Object.entries(value).map(([k, v]) => `[${lua(k)}] = ${lua(v)}`).join(", ")} }`
  }
  return value === undefined || value === null ? "nil" : JSON.stringify(value)
}

// All triangles below a node: how many, their box in its own axes, whether normals are unit vectors.
const shown = (node) => {
  const box = new three.Box3()
  let triangles = 0
  let normal = 0
  node.traverse((one) => {
    if (!one.isMesh || (one !== node && one.parent !== node)) return
    const { position, normal: n } = one.geometry.attributes
    one.geometry.computeBoundingBox()
    box.union(one.geometry.boundingBox)
    triangles += position.count / 3
    for (let i = 0; i < n.count; i += 1) {
      normal = Math.max(normal, Math.abs(Math.hypot(n.getX(i), n.getY(i), n.getZ(i)) - 1))
    }
  })
  return { triangles, normal, low: box.min.toArray(), high: box.max.toArray() }
}

const mixer = new three.AnimationMixer(loaded.scene)
for (const clip of loaded.animations) mixer.clipAction(clip).play()
const number = (one) => loaded.parser.associations.get(one)?.nodes
const bodies = root.children.filter((one) => number(one) > 0)
const name = (one) => loaded.parser.json.nodes[number(one)].name
const at = times.map((time) => {
  mixer.setTime(Number(time))
  return Object.fromEntries(bodies.map((one) => [name(one),
    [...one.position.toArray(), ...one.quaternion.toArray()]]))
})
const down = new three.Vector3(0, -1, 0).applyQuaternion(root.quaternion.clone().invert())
console.log(`return ${lua({
  at, down: down.toArray(), duration: loaded.animations[0]?.duration ?? 0,
  tracks: loaded.animations[0]?.tracks.length ?? 0,
  shown: Object.fromEntries(bodies.map((one) => [name(one), shown(one)])),
})}`)
