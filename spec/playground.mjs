// playground.mjs PAGE SCRIPT [PICTURE]: open the playground in Chromium; print as a Lua value how long
// the first motion took, frames a second of the Stewart platform and what one costs, what a script
// prints, what a link keeps, and everything that should not happen.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { launch } from "../lua/web/browser.mjs"

const [file, script, picture] = process.argv.slice(2)
const url = pathToFileURL(file).href
const faults = []
const browser = await launch()

async function open(hash) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 700 } })
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`))
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`request: ${request.url()}`)
  })
  const began = performance.now()
  await page.goto(url + hash)
  return { page, began }
}

// The frame in which something moves.
async function moving(page) {
  for (;;) {
    for (const frame of page.frames().slice(1)) {
      const moves = await frame.evaluate(() =>
        window.sarrus?.player.playing && window.sarrus.player.time > 0).catch(() => false)
      if (moves) return frame
    }
    await page.waitForTimeout(10)
  }
}

const seconds = (began) => (performance.now() - began) / 1000
const quote = (text) => JSON.stringify(text).replace(/\\u([0-9a-f]{4})/g, "?")

const first = await open("")
await moving(first.page)
const motion = seconds(first.began)
if (picture) await first.page.screenshot({ path: picture })

// How often it draws, and what a frame costs the page itself; where there is no graphics card, what
// is drawn in software takes far longer than that.
await first.page.selectOption("#examples", "stewart")
await first.page.waitForFunction(() => document.getElementById("state").textContent === "done")
await first.page.waitForTimeout(300)
const stewart = await moving(first.page)
const frames = await stewart.evaluate(() => new Promise((resolve) => {
  let count = 0
  const began = performance.now()
  const tick = (now) => {
    count += 1
    if (now - began < 2000) requestAnimationFrame(tick)
    else resolve(1000 * count / (now - began))
  }
  requestAnimationFrame(tick)
}))
const cost = await stewart.evaluate(() => {
  const { player, stage } = window.sarrus
  player.play(false)
  const began = performance.now()
  for (let k = 0; k < 60; k += 1) {
    player.seek(k / 60)
    stage.draw(player.time)
  }
  return (performance.now() - began) / 60
})
if (picture) await first.page.screenshot({ path: picture.replace(".png", "_stewart.png") })

// A script of one's own, shared by link.
const text = readFileSync(script, "utf8")
await first.page.fill("#script", text)
await first.page.fill("#until", "1")
await first.page.click("#share")
const link = await first.page.evaluate(() => location.hash)
const other = await open(link)
await other.page.waitForFunction(() => /done|nothing/.test(document.getElementById("state").textContent))
const printed = await other.page.textContent("#output")
const kept = await other.page.inputValue("#script") === text

// A script that does not end is stopped; one that fails says where.
await other.page.fill("#script", "while true do end")
await other.page.click("#run")
await other.page.waitForTimeout(200)
await other.page.click("#stop")
await other.page.fill("#script", "local x = nil\nreturn x.y")
await other.page.click("#run")
await other.page.waitForFunction(() => /nothing/.test(document.getElementById("state").textContent))
const failure = await other.page.textContent("#output")
await browser.close()

console.log(`return { motion = ${motion}, frames = ${frames}, cost = ${cost}, printed = ${quote(printed)}, kept = ${kept},`
  + ` failure = ${quote(failure)}, faults = { ${faults.map(quote).join(", ")} } }`)
