// Between samples: cubics through the recorded positions and velocities.

// The last k < n - 1 with t[k] <= x, so that of two samples at one time (before and after an
// event) the later one begins the interval.
export function locate(t, x) {
  let low = 0
  let high = t.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (t[middle] <= x) low = middle
    else high = middle
  }
  return low
}

// Where x lies: the interval k, its length h and the fraction s of it.
export function place(t, x) {
  const k = locate(t, x)
  const h = t[k + 1] - t[k]
  return { k, h, s: h > 0 ? Math.min(1, Math.max(0, (x - t[k]) / h)) : 1 }
}

// x(0) = a, x(h) = b, x'(0) = u, x'(h) = v at s h.
export function hermite(a, b, u, v, h, s) {
  const r = 1 - s
  return r * r * ((1 + 2 * s) * a + s * h * u) + s * s * ((1 + 2 * r) * b - r * h * v)
}

export function linear(column, { k, s }) {
  return column[k] + s * (column[k + 1] - column[k])
}

// Quaternions are (w, x, y, z).
function product([a, b, c, d], [e, f, g, h]) {
  return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e]
}

const conjugate = ([w, x, y, z]) => [w, -x, -y, -z]

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0]]

function exp(p) {
  const angle = Math.hypot(...p)
  const k = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5
  return [Math.cos(angle / 2), k * p[0], k * p[1], k * p[2]]
}

function log([w, x, y, z]) {
  const sine = Math.hypot(x, y, z)
  const k = sine > 1e-9 ? 2 * Math.atan2(w < 0 ? -sine : sine, Math.abs(w)) / sine : 2 * Math.sign(w)
  return [k * x, k * y, k * z]
}

// The rate of the rotation vector p when the spin is w:
//   w - p x w / 2 + c p x (p x w),  c = (1 - (angle / 2) cot(angle / 2)) / angle^2
function rate(p, w) {
  const angle = Math.hypot(...p)
  const c = angle > 1e-3 ? (1 - angle / 2 / Math.tan(angle / 2)) / (angle * angle) : 1 / 12
  const once = cross(p, w)
  const twice = cross(p, once)
  return w.map((x, i) => x - once[i] / 2 + c * twice[i])
}

const rotated = (q, [x, y, z]) => product(product(q, [0, x, y, z]), conjugate(q)).slice(1)

// Orientation: a turn at the spin of the start, then a rotation vector p that makes up for the
// change of spin, cubic with p(0) = p'(0) = 0:  q = exp(p) exp(w0 t) q0.  Spins of many turns per
// interval need no counting of turns.
export function turn(q0, q1, w0, w1, h, s) {
  const steady = (x) => product(exp(w0.map((w) => w * x)), q0)
  const p = log(product(q1, conjugate(steady(h))))
  const carried = rotated(exp(p), w0)
  const v = rate(p, w1.map((w, i) => w - carried[i]))
  return product(exp(p.map((x, i) => hermite(0, x, 0, v[i], h, s))), steady(s * h))
}
