// The two looks.  Colours of the drawing follow the page's: a material is painted by its role.
import { Color } from "three"

const TONES = {
  light: ["#3567a8", "#cf7231", "#3d8a5b", "#a9475f", "#6d5aa9", "#857246", "#2b8a97", "#8b8f2d"],
  dark: ["#7eaee8", "#e9a06a", "#79c295", "#dd869b", "#aa99e2", "#c4af7c", "#6cc3cf", "#c3c76c"],
}
const ROLES = {
  light: { paper: "#fbfaf7", ink: "#2a2f36", soft: "#8a9098", faint: "#e9e7e0", metal: "#8d939b",
    force: "#c22f3d", trace: "#b0701c" },
  dark: { paper: "#14171b", ink: "#d9dde2", soft: "#7d858f", faint: "#242a31", metal: "#7d858f",
    force: "#ff6f75", trace: "#f0b35c" },
}

export const colour = {
  tone: (i) => (theme) => new Color(TONES[theme][i % TONES.light.length]),
  role: (name) => (theme) => new Color(ROLES[theme][name]),
  given: (text) => () => new Color(text),
  // Less bright in the dark, where light falls on it.
  lit: (of) => (theme) => of(theme).multiplyScalar(theme === "dark" ? 0.72 : 1),
  // Between the paper and another colour.
  tint: (of, share) => (theme) => new Color(ROLES[theme].paper).lerp(of(theme), share),
}

export const tones = (theme) => TONES[theme]

export function looks() {
  const wanted = matchMedia("(prefers-color-scheme: dark)")
  const listeners = []
  const painted = []
  const self = {
    name: wanted.matches ? "dark" : "light",
    onChange(f) {
      listeners.push(f)
    },
    set(name) {
      self.name = name
      document.documentElement.dataset.theme = name
      for (const [material, f] of painted) material.color.copy(f(name))
      for (const f of listeners) f(name)
    },
    toggle() {
      self.set(self.name === "dark" ? "light" : "dark")
    },
    paint(material, f) {
      material.color.copy(f(self.name))
      painted.push([material, f])
      return material
    },
  }
  wanted.addEventListener("change", () => self.set(wanted.matches ? "dark" : "light"))
  document.documentElement.dataset.theme = self.name
  return self
}
