// The recording as the page carries it: JSON, with blocks of numbers in base64, little endian.

function bytes(text) {
  const raw = atob(text)
  const out = new Uint8Array(raw.length)
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i)
  return out.buffer
}

const doubles = (text) => new Float64Array(bytes(text))
const floats = (text) => new Float32Array(bytes(text))

// Channels: a column for each, as long as the times.
function series(data) {
  const t = doubles(data.time)
  const all = floats(data.values)
  const values = data.channels.map((_, k) => all.subarray(k * t.length, (k + 1) * t.length))
  return { t, values }
}

// The largest component of a force among rows of place and force.
function strength({ values, width }, d) {
  let most = 0
  for (let row = 0; row < values.length; row += width)
    for (let i = row + d; i < row + 2 * d; i++)
      if (Number.isFinite(values[i])) most = Math.max(most, Math.abs(values[i]))
  return most
}

// Frames: a row for each time, with the numbers of all bodies, or of all joints.
function frames({ scene, frames: given }) {
  const t = doubles(given.time)
  const block = (text, parts, width) => ({ values: floats(text), width, stride: parts * width })
  const reactions = block(given.reactions, scene.joints.length, 2 * scene.dimension)
  const touches = block(given.touches, scene.contacts.length, 2 * scene.dimension + 1)
  const strongest = Math.max(...[reactions, touches].map((one) => strength(one, scene.dimension)))
  return {
    t, n: t.length, reactions, touches, weak: 1e-9 * strongest, // what is weaker is rounding
    poses: block(given.poses, scene.bodies.length, scene.dimension === 2 ? 6 : 13),
  }
}

export function read(text) {
  const data = JSON.parse(text)
  const { t, values } = series(data)
  return {
    ...data, t, values, start: t[0], end: t[t.length - 1],
    frames: data.scene ? frames(data) : null,
  }
}
