// Time: what is shown, how fast it goes, and who wants to hear of it.
import { locate } from "./interpolate.js"

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]

// Real time, unless all would be over in less than four seconds.
function comfortable(duration) {
  return [...SPEEDS].reverse().find((speed) => speed <= 1 && duration / speed >= 4) ?? SPEEDS[0]
}

export function player(data) {
  const { t, start, end } = data
  const listeners = []
  const clamp = (x) => Math.min(end, Math.max(start, x))

  const self = {
    time: start, playing: false, loop: true, speed: comfortable(end - start),
    onChange(f) {
      listeners.push(f)
    },
    changed() {
      for (const f of listeners) f(self)
    },
    seek(x) {
      self.time = clamp(x)
      self.changed()
    },
    play(on = true) {
      if (on && self.time >= end) self.time = start
      self.playing = on && end > start
      self.changed()
    },
    setSpeed(speed) {
      self.speed = speed
      self.changed()
    },
    faster(by) {
      const i = SPEEDS.indexOf(self.speed) + by
      self.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i))])
    },
    setLoop(on) {
      self.loop = on
      self.changed()
    },
    // To the sample before or after.
    sample(by) {
      self.play(false)
      const k = locate(t, self.time)
      if (by > 0) self.seek(t.subarray(k + 1).find((x) => x > self.time) ?? end)
      else self.seek(t[k] < self.time ? t[k] : t[Math.max(0, k - 1)])
    },
    skip(fraction) {
      self.seek(self.time + fraction * (end - start))
    },
    // Real seconds have passed.
    tick(seconds) {
      if (!self.playing) return
      const next = self.time + seconds * self.speed
      if (next < end) self.seek(next)
      else if (self.loop) self.seek(start)
      else {
        self.playing = false
        self.seek(end)
      }
    },
  }
  return self
}
