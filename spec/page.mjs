// page.mjs CHECK PAGE: open a page in Chromium, do what CHECK says, and print what is seen as a Lua
// value.
import { pathToFileURL } from "node:url"
import { launch } from "../lua/web/browser.mjs"

// A page, and everything that should not happen to it.
async function open(browser, file, hash, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, ...options })
  const faults = []
  page.on("console", (message) => faults.push(`console: ${message.text()}`))
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith("file:") && !url.startsWith("data:")) faults.push(`request: ${url}`)
  })
  await page.goto(pathToFileURL(file).href + hash)
  await page.waitForFunction(() => window.sarrus?.frames.count > 0)
  return { page, faults }
}

// Draw, and look at the pixels: how many differ from the first one, and a sum to compare.
const picture = (page) => page.evaluate(() => {
  const { stage, player } = window.sarrus
  stage.draw(player.time)
  const gl = stage.gl.getContext()
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl
  const pixels = new Uint32Array(width * height)
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(pixels.buffer))
  let drawn = 0
  let sum = 0
  pixels.forEach((x, i) => {
    if (x !== pixels[0]) drawn += 1
    sum = (sum + x * (i % 997)) % 4294967296
  })
  return { drawn, sum }
})

const state = (page) => page.evaluate(() => {
  const { player, look, stage } = window.sarrus
  return {
    time: player.time, playing: player.playing, speed: player.speed, loop: player.loop,
    theme: look.name, shown: document.documentElement.dataset.theme,
    forces: stage?.parts.forces.group.visible, traces: stage?.parts.traces.group.visible,
    help: document.getElementById("dialog").open,
    zoom: stage?.view.camera.zoom,
  }
})

const poses = (page) => page.evaluate(() => window.sarrus.stage.poses.map((p) =>
  [...p.position.toArray(), ...p.quaternion.toArray()]))

// For each plot: its title, the names of its curves, its range, and what it says of spikes.
const charts = (page) => page.evaluate(() => window.sarrus.plots.list.map(({ plot }) => {
  const caption = plot.root.closest("figure").querySelector("figcaption")
  return {
    title: caption.querySelector("b").textContent, low: plot.scales.y.min, high: plot.scales.y.max,
    cut: caption.querySelector(".cut")?.textContent,
    names: [...caption.querySelectorAll("button")].map((key) => key.textContent.split(" ")[0]),
  }
}))

// For each plot: its title, its curves, their values at the time, and how many pixels they colour.
const plots = (page) => page.evaluate(() => window.sarrus.plots.list.map(({ plot }) => {
  const { canvas } = plot.ctx
  const { data } = plot.ctx.getImageData(0, 0, canvas.width, canvas.height)
  let coloured = 0
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b, a] = data.slice(i, i + 4)
    if (a > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 40) coloured += 1
  }
  const caption = plot.root.closest("figure").querySelector("figcaption")
  return {
    title: caption.querySelector("b").textContent, coloured, points: plot.data[0].length,
    keys: [...caption.querySelectorAll("button")].map((key) => key.textContent),
  }
}))

const checks = {
  // The slider, by hand.
  async slider(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0.5")
    const first = { picture: await picture(page), poses: await poses(page) }
    await page.locator("#time").fill("2.504")
    const second = { picture: await picture(page), poses: await poses(page) }
    const clock = await page.locator("#clock").textContent()
    return { faults, first, second, clock, plots: await plots(page) }
  },
  async keys(browser, file) {
    const { page, faults } = await open(browser, file, "#t=1")
    const seen = {}
    for (const key of ["ArrowRight", "ArrowLeft", "Shift+ArrowRight", "End", "Home", "f", "t", "l",
      "d", "+", "-", "Space"]) {
      await page.keyboard.press(key)
      seen[key] = await state(page)
    }
    await page.waitForTimeout(600)
    seen.played = await state(page)
    await page.keyboard.press("Space")
    seen.paused = await state(page)
    await page.keyboard.press("?")
    seen.help = await state(page)
    await page.keyboard.press("Escape")
    return { faults, seen }
  },
  async mouse(browser, file) {
    const { page, faults } = await open(browser, file, "#t=1")
    const before = await picture(page)
    const view = await page.locator("#view").boundingBox()
    const middle = [view.x + view.width / 2, view.y + view.height / 2]
    await page.mouse.move(...middle)
    await page.mouse.wheel(0, -300)
    await page.mouse.down()
    await page.mouse.move(middle[0] + 120, middle[1] + 60, { steps: 4 })
    await page.mouse.up()
    await page.waitForTimeout(300)
    const turned = await picture(page)
    await page.keyboard.press("r")
    await page.waitForTimeout(300)
    const reset = await picture(page)
    const plot = await page.locator(".u-over").first().boundingBox()
    await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2)
    return { faults, before, turned, reset, clicked: await state(page) }
  },
  async looks(browser, file) {
    const result = {}
    for (const colorScheme of ["light", "dark"]) {
      const { page, faults } = await open(browser, file, "#t=1&forces",
        { colorScheme, viewport: { width: 390, height: 844 } })
      result[colorScheme] = {
        faults, state: await state(page), picture: await picture(page),
        overflow: await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth),
        below: await page.evaluate(() => document.getElementById("plots").getBoundingClientRect().top
          >= document.getElementById("stage").getBoundingClientRect().bottom - 1),
      }
      await page.close()
    }
    return result
  },
  // Shapes, what touches and what strikes.
  async contacts(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const seen = await page.evaluate(() => {
      const { stage, data } = window.sarrus
      const { touches, forces } = stage.parts
      forces.group.visible = true
      const at = (t) => {
        stage.draw(t)
        const arrows = forces.group.children.filter((arrow) => arrow.visible)
        return { t, arrows: arrows.length, dots: touches.dots.filter((dot) => dot.visible).length,
          rings: touches.group.children.filter((mesh) => mesh.visible).length
            - touches.dots.filter((dot) => dot.visible).length }
      }
      const [first] = touches.impacts
      return { shapes: data.scene.shapes.length, impacts: touches.impacts.length,
        struck: [first.t, ...first.place.toArray()],
        places: touches.impacts.map(({ place }) => place.x),
        start: at(data.start), impact: at(first.t), end: at(data.end) }
    })
    return { faults, picture: await picture(page), ...seen }
  },
  // Where things are in the window, from -1 to 1: traces, and a body that the view follows.
  async view(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const seen = (t) => page.evaluate((time) => {
      const { stage, player } = window.sarrus
      player.seek(time)
      stage.draw(time)
      const { camera } = stage.view
      camera.updateMatrixWorld()
      const place = (p) => p.clone().project(camera).toArray().slice(0, 2)
      const Point = stage.poses[0].position.constructor
      const paths = stage.parts.traces.paths.flatMap((path) =>
        Array.from({ length: path.length / 3 }, (_, i) => place(new Point().fromArray(path, 3 * i))))
      const from = (p) => Math.max(...p.map(Math.abs))
      return {
        farthest: Math.max(...paths.map(from)), bodies: stage.poses.map((p) => place(p.position)),
        scales: stage.model.bodies.map((body) => body.scale.x),
        metre: stage.view.perMetre(stage.poses[0].position), tall: camera.top - camera.bottom,
        links: stage.parts.links.group.children.map((link) => link.visible),
      }
    }, t)
    const [start, end] = await page.evaluate(() => [window.sarrus.data.start, window.sarrus.data.end])
    const whole = [await seen(start), await seen(end)]
    await page.keyboard.press("b")
    const followed = [await seen(start), await seen(end)]
    const choice = await page.locator("#follow").inputValue()
    await page.locator("#follow").selectOption("whole")
    return { faults, whole, followed, choice, back: await seen(end) }
  },
  // How large everything is that the ground carries, and what each body consists of.
  async parts(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const seen = await page.evaluate(() => {
      const { ground, bodies } = window.sarrus.stage.model
      const size = (object) => {
        let most = 0
        object.traverse(({ geometry }) => {
          geometry?.computeBoundingSphere()
          most = Math.max(most, geometry?.boundingSphere.radius ?? 0)
        })
        return most
      }
      return { ground: ground.children.map(size),
        bodies: bodies.map(({ children }) => children.map(({ geometry }) => geometry?.type)) }
    })
    return { faults, ...seen }
  },
  // A drag over the second quarter of the first plot.
  async zoom(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const before = await charts(page)
    const { x, y, width, height } = await page.locator(".u-over").first().boundingBox()
    await page.mouse.move(x + width / 4, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
    await page.mouse.up()
    return { faults, before, after: await charts(page) }
  },
  async plots(browser, file) {
    const { page, faults } = await open(browser, file, "#t=1")
    const stage = await page.locator("#stage").isVisible()
    const title = await page.title()
    return { faults, stage, title, plots: await plots(page) }
  },
  // What is in the canvas where its size has just changed, before the browser paints it.
  async resized(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const drawn = await page.evaluate(() => new Promise((resolve) => {
      const place = document.getElementById("stage")
      let turn = 0
      new ResizeObserver(() => { // after that of the page, in the same frame
        turn += 1
        if (turn === 1) place.style.marginRight = "10px"
        if (turn !== 2) return
        const gl = window.sarrus.stage.gl.getContext()
        const { drawingBufferWidth: width, drawingBufferHeight: height } = gl
        const pixels = new Uint32Array(width * height)
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE,
          new Uint8Array(pixels.buffer))
        resolve(pixels.filter((x) => x !== pixels[0]).length)
      }).observe(place)
    }))
    return { faults, drawn }
  },
  // What the page tells of the run, and of planes that are not level.
  async told(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const failure = page.locator("#failure")
    return {
      faults, visible: await failure.isVisible(), failure: await failure.textContent(),
      slopes: await page.evaluate(() => window.sarrus.stage.slopes.map((slope) => {
        slope.updateMatrixWorld(true)
        const edge = slope.children.at(-1)
        const places = edge.geometry.getAttribute("position")
        const corners = [0, 2, 4, 6].map((i) => edge.localToWorld(
          slope.position.clone().fromBufferAttribute(places, i)).toArray())
        return { corners, shaded: slope.children.filter((part) => part.receiveShadow).length }
      })),
    }
  },
  // How long it takes to prepare pictures, all over the time, in JavaScript.
  async frames(browser, file) {
    const { page, faults } = await open(browser, file, "#t=0")
    const measured = await page.evaluate(() => {
      const { stage, plots, data, loading } = window.sarrus
      const times = []
      for (let i = 0; i < 60; i++) {
        const t = data.start + (data.end - data.start) * ((i * 37) % 60) / 60
        const start = performance.now()
        stage.draw(t)
        plots.update(t, true)
        times.push(performance.now() - start)
      }
      times.sort((a, b) => a - b)
      return { loading, median: times[30], longest: times[59] }
    })
    return { faults, ...measured }
  },
  async fallback(_, file) {
    const browser = await launch(["--disable-3d-apis"])
    const { page, faults } = await open(browser, file, "#t=1")
    const message = await page.locator("#no-webgl").isVisible()
    const list = await plots(page)
    await browser.close()
    return { faults, message, plots: list }
  },
}

function lua(value) {
  if (value === null || value === undefined) return "nil"
  if (Array.isArray(value)) return `{${value.map(lua).join(",")}}`
  if (typeof value !== "object") return JSON.stringify(value)
  return `{${Object.entries(value).map(([k, v]) => `[${JSON.stringify(k)}]=${lua(v)}`).join(",")}}`
}

const [name, file] = process.argv.slice(2)
const browser = await launch()
try {
  console.log(`return ${lua(await checks[name](browser, file))}`)
} finally {
  await browser.close()
}
