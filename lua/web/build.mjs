// build.mjs [FILE]: bundle src/ into one page that needs nothing else, lua/sarrus/output/page.html
// if not given.  The packages are those of build/web (see `make page`).
import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "../..")
const modules = join(root, "build/web/node_modules")
const { build } = createRequire(join(root, "build/web/"))("esbuild")

const read = (...path) => readFileSync(join(...path), "utf8")

// What the page is made of, in the order that `cat` lists it: see spec/page_spec.lua.
function sourcesHash() {
  const hash = createHash("sha256")
  const sources = readdirSync(join(here, "src")).sort().map((name) => join("src", name))
  for (const path of ["build.mjs", "package-lock.json", "package.json", ...sources])
    hash.update(readFileSync(join(here, path)))
  return hash.digest("hex")
}

function licences() {
  const { dependencies } = JSON.parse(read(here, "package.json"))
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}\n\n${read(modules, name, "LICENSE").trim()}\n`)
    .join("\n")
}

async function bundle(entry, options) {
  const result = await build({
    entryPoints: [join(here, "src", entry)], bundle: true, minify: true, write: false,
    legalComments: "none", nodePaths: [modules], target: "es2020", ...options,
  })
  return result.outputFiles[0].text.trim()
}

// In a script element nothing may look like its end.
const inScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")

const parts = {
  style: await bundle("style.css"),
  licences: licences().replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  script: inScript(await bundle("main.js", { format: "iife" })),
}
let page = read(here, "src/page.html").replace(/\n\s+/g, "\n")
for (const [name, text] of Object.entries(parts))
  page = page.replace(`{{${name}}}`, () => text)
page = page.trimEnd() + `\n<!-- sources ${sourcesHash()} -->\n`

const [file = join(root, "lua/sarrus/output/page.html")] = process.argv.slice(2)
writeFileSync(file, page)
