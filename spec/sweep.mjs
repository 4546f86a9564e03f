// The page of a sweep in a browser: what it shows, and what a click on its map does, as Lua.
import { launch } from "../lua/web/browser.mjs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

const browser = await launch()
const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
const errors = []
page.on("pageerror", (error) => errors.push(error.message))
await page.goto(pathToFileURL(resolve(process.argv[2])).href)
await page.waitForFunction(() => window.sweep?.places().length > 0)

// Click on a row in the map, and wait until its run has been drawn.
const click = async (row) => {
  const { x, y } = await page.evaluate((wanted) => {
    const at = window.sweep.places().find((one) => one.row === wanted)
    const box = document.querySelector("#map canvas").getBoundingClientRect()
    return { x: box.left + at.x, y: box.top + at.y }
  }, row)
  await page.mouse.click(x, y)
  return page.evaluate(() => ({ picked: window.sweep.picked, about: document.getElementById("about").textContent }))
}
const clicked = await click(4)
const frame = await page.waitForSelector("iframe:not([hidden])").then((one) => one.contentFrame())
await frame.waitForFunction(() => window.sarrus?.frames.count > 0)
const title = await frame.evaluate(() => document.querySelector("h1").textContent)
const whole = await frame.evaluate(() => document.getElementById("stage").getBoundingClientRect().bottom <=
  document.querySelector("footer").getBoundingClientRect().top)
await page.keyboard.press("ArrowRight")
const next = await page.evaluate(() => window.sweep.picked)
const summary = await page.evaluate(() => document.getElementById("summary").textContent)
await browser.close()

const text = (value) => JSON.stringify(value).replaceAll("\\u", "\\\\u")
console.log(`return { picked = ${clicked.picked}, about = ${text(clicked.about)}, title = ${text(title)}, whole = ${whole},
  next = ${next}, summary = ${text(summary)}, errors = ${text(errors.join("; "))} }`)
