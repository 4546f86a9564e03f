// Symbols of joints that have little room are smaller, down to a third, and smaller than what they
// hold; radii are those of the bodies.
export const roomy = ({ a, b, room = Infinity }, u, radii) => Math.min(u, Math.max(room / 4, u / 3),
  ...[a, b].map((body) => 0.6 * (radii[body] || Infinity)))
