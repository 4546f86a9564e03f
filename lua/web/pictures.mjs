// Pictures of pages, as WebP.  Each line of the standard input: page, picture, hash of the address,
// what to show (a CSS selector), width, height; tabs between them.
import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { launch } from "./browser.mjs"

// Chromium itself writes PNG only, but its canvas knows WebP.
async function webp(page, png) {
  const url = await page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext("2d").drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 })
    return new Promise((done) => {
      const reader = new FileReader()
      reader.onload = () => done(reader.result)
      reader.readAsDataURL(blob)
    })
  }, png.toString("base64"))
  return Buffer.from(url.split(",")[1], "base64")
}

const browser = await launch()
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [file, picture, hash, selector, width, height] = line.split("\t")
  const page = await browser.newPage({ deviceScaleFactor: 1.5,
    viewport: { width: Number(width), height: Number(height) } })
  await page.goto(pathToFileURL(resolve(file)).href + hash)
  await page.waitForFunction(() => window.sarrus?.frames.count > 0)
  await page.waitForTimeout(300)
  writeFileSync(picture, await webp(page, await page.locator(selector).first().screenshot()))
  await page.close()
}
await browser.close()
