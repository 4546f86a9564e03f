// A headless Chromium for pages from disk; where there is no graphics card it draws in software.
import { execSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const packages = join(dirname(fileURLToPath(import.meta.url)), "../../build/web/")

function program() {
  const names = [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"]
  for (const name of names.filter(Boolean)) {
    try {
      return execSync(`command -v ${name}`, { encoding: "utf8" }).trim()
    } catch { /* the next one */ }
  }
  throw new Error("no chromium found")
}

export function launch(flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]) {
  const { chromium } = createRequire(packages)("playwright-core")
  return chromium.launch({ executablePath: program(), args: ["--no-sandbox", ...flags] })
}
