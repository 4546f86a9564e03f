--- Pages of recordings: as files, and opened in a browser.

local core = require "sarrus.core"
local sarrus = require "sarrus"
local browser = dofile("spec/browser.lua")
local shell = dofile("spec/shell.lua")
local four_bar = dofile("spec/sketches.lua").four_bar
local read = shell.read
local body, joint = sarrus.body, sarrus.joint

local function recorded(model, t_end, every)
  local sim = assert(model:simulate {})
  local recording = sim:record { every = every }
  assert(sim:advance(t_end))
  return recording, sim
end

--- A name for a page, removed at the end of the test.
local function temporary()
  local path = os.tmpname()
  os.remove(path)
  finally(function() os.remove(path .. ".html") end)
  return path .. ".html"
end

describe("core.base64", function()
  it("writes IEEE numbers, little endian", function()
    assert.equal("AACAPwAAAEAAAAC/", core.base64({ { 1, 2, -0.5 } }, 4))
    assert.equal("AAAAAAAA8D+amZmZmZm5Pw==", core.base64({ { 1 }, { 0.1 } }, 8))
    assert.equal("zczMPQ==", core.base64({ {}, { 0.1 } }, 4))
    assert.equal("", core.base64({}, 4))
  end)
end)

describe("a page", function()
  it("is one small file that needs no other", function()
    local path = temporary()
    assert.is_true(recorded(four_bar(), 10, 0.01):html(path))
    local text = read(path)
    assert.is_true(#text < 1.5e6, #text)
    local head = text:match("^(.-)<script") or text
    for _, pattern in ipairs { "<script[^>]+src=", "<link[^>]+stylesheet", "@import", "url%(" } do
      assert.is_nil(head:find(pattern), pattern)
    end
    assert.truthy(text:find("<title>four%-bar</title>"))
    assert.truthy(text:find("three.js authors", 1, true))
    assert.truthy(text:find("Leon Sorokin", 1, true))
  end)

  it("takes titles and names as they are", function()
    local name = '</script><b> & "%1"'
    local model = sarrus.model { name = name, body.point { name, position = { 0, 0 }, mass = 1 } }
    local path = temporary()
    assert.is_true(recorded(model, 1, 0.5):html(path, { traces = { name } }))
    local text = read(path)
    local title = "<title>&#60;/script&#62;&#60;b&#62; &#38; &#34;%1&#34;</title>"
    assert.truthy(text:find(title, 1, true))
    local data = text:match('<script type="application/json" id="data">(.-)</script>')
    local in_json = '"name":"\\u003c/script\\u003e\\u003cb\\u003e \\u0026 \\"%1\\""'
    assert.truthy(data:find(in_json, 1, true))
  end)

  it("says what is wrong with what it is given", function()
    local recording = recorded(four_bar(), 0.1, 0.05)
    local good, message = pcall(recording.html, recording, "x.html",
      { traces = { { "copler" }, { "crank", { 1 } } }, tilte = "x" })
    assert.is_false(good)
    assert.equal([[
recording:html: unknown field 'tilte' (did you mean 'title'?)
recording:html: traces[1]: unknown body "copler" (did you mean 'coupler'?)
recording:html: traces[2][2]: 1 element, want 2]], (("\n" .. message):gsub(
      "\n[^\n]-:%d+: ", "\n"):sub(2)))
  end)

  it("wants something recorded, in one direction", function()
    local sim = assert(four_bar():simulate {})
    local recording = sim:record { every = 0.1 }
    local _, message = pcall(recording.html, recording, "x.html")
    assert.truthy(message:find("recording:html: nothing has been recorded yet: "
      .. "advance the simulation first", 1, true))
    assert(sim:advance(1))
    assert(sim:advance(0.5))
    _, message = pcall(recording.html, recording, "x.html")
    assert.truthy(message:find("recording:html: the recording turns back in time at t = 1; "
      .. "a page goes one way", 1, true))
  end)

  it("of a motion backwards, or of one instant, goes forwards", function()
    local path = temporary()
    local function times(recording)
      assert.is_true(recording:html(path))
      return read(path):match('"time":"([^"]*)"')
    end
    assert.equal(core.base64({ { -1, -0.5, 0 } }, 8), times(recorded(four_bar(), -1, 0.5)))
    assert.truthy(read(path):find("planar, 3 bodies, 4 joints, 1 s, 3 samples", 1, true))
    assert.equal(core.base64({ { 0, 0 } }, 8), times(recorded(four_bar(), 0.1, 1)))
  end)

  it("leaves nothing where it cannot be written", function()
    local recording = recorded(four_bar(), 0.1, 0.05)
    local done, message, code = recording:html("/nowhere/at/all.html")
    assert.is_nil(done)
    assert.equal("IO", code)
    assert.equal("recording:html: /nowhere/at/all.html: No such file or directory", message)
  end)
end)

-- The template -----------------------------------------------------------------------------------

describe("the template of pages #build", function()
  it("is what `make page` makes of its sources", function()
    local hash = shell.run("cd lua/web && cat build.mjs package-lock.json package.json"
      .. " $(LC_ALL=C ls src/*) | { sha256sum 2>/dev/null || shasum -a 256; }"):match("^%x+")
    assert.equal(hash, read("lua/sarrus/output/page.html"):match("<!%-%- sources (%x+) %-%->"))
  end)

  it("comes out the same again", function()
    if not pcall(shell.run, "test -f build/web/packages && node --version") then
      return pending("needs the packages of `make build/web/packages`, from npm")
    end
    local path = temporary()
    shell.run("node lua/web/build.mjs " .. shell.quote(path))
    assert.is_true(read(path) == read("lua/sarrus/output/page.html"))
  end)
end)

-- In a browser -----------------------------------------------------------------------------------

describe("in a browser, a page #build", function()
  --- A test that drives a page of a recording by one of the checks of page.mjs.
  local function drives(what, check, make, test)
    it(what, function()
      if browser.missing then
        return pending(browser.missing)
      end
      local recording, sim = make()
      test(browser.see(check, recording), sim)
    end)
  end

  local function moving()
    return recorded(four_bar(), 5, 0.02)
  end

  --- Poses of the four-bar as the page has them, x, y and angle, against the simulation's.
  local function compare(poses, sim, t)
    local s = assert(four_bar():simulate {})
    assert(s:advance(t))
    for i, name in ipairs { "crank", "coupler", "rocker" } do
      local p, b = poses[i], s:state():body(name)
      assert.near(b.x, p[1], 1e-6)
      assert.near(b.y, p[2], 1e-6)
      assert.near(math.cos(b.angle), p[7] ^ 2 - p[6] ^ 2, 2e-6)
      assert.near(math.sin(b.angle), 2 * p[6] * p[7], 2e-6)
    end
    assert.equal(5, sim.time)
  end

  --- A box and a ball that fall on a line or a plane, and come to rest.
  local function falling(place)
    local shape, contact = sarrus.shape, sarrus.contact
    local up = place(0, 1)
    return recorded(sarrus.model {
      gravity = place(0, -9.81),
      body.box { "box", position = place(0, 0.6), size = place(0.4, 0.4, 0.4), mass = 1 },
      body.sphere { "ball", position = place(1, 0.5), radius = 0.2, mass = 1 },
      shape[#up == 2 and "line" or "plane"] { "floor", "ground", at = place(0, 0), normal = up },
      shape.box { "block", "ground", at = place(3, 0.5), size = place(1, 1, 1) },
      contact.pair { "hits", "floor", { "box", "ball" }, restitution = 0.2 },
    }, 2, 0.02)
  end

  for _, case in ipairs {
    { "plane", function(x, y) return { x, y } end, 2 + 1 },
    { "space", function(x, y, z) return { x, z or 0, y } end, 4 + 1 },
  } do
    drives("shows shapes, what touches and what strikes, in the " .. case[1], "contacts", function()
      return falling(case[2])
    end, function(seen)
      assert.same({}, seen.faults)
      assert.is_true(seen.picture.drawn > 5000)
      assert.equal(2, seen.shapes)
      assert.is_true(seen.impacts > 4)
      assert.near(math.sqrt(2 * 0.3 / 9.81), seen.struck[1], 1e-9) -- the ball is first
      assert.near(1, seen.struck[2], 1e-6)
      assert.same({ 0, 0 }, { seen.start.dots, seen.start.rings })
      assert.equal(1, seen.impact.rings)
      assert.same({ case[3], 0 }, { seen["end"].dots, seen["end"].rings })
    end)
  end

  drives("shows the mechanism, which the slider moves, and plots", "slider", moving,
    function(seen, sim)
      assert.same({}, seen.faults)
      assert.is_true(seen.first.picture.drawn > 5000)
      assert.are_not.equal(seen.first.picture.sum, seen.second.picture.sum)
      compare(seen.first.poses, sim, 0.5)
      compare(seen.second.poses, sim, 2.504)
      assert.equal("2.504 / 5.000 s", seen.clock)
      local titles = {}
      for i, plot in ipairs(seen.plots) do
        titles[i] = plot.title
        assert.equal(251, plot.points)
        assert.is_true(plot.coloured > 300, plot.title)
      end
      assert.same({ "angle (rad)", "angle (rad)", "reactions (N)", "energy (J)", "residual" },
        titles)
      local at = assert(four_bar():simulate {})
      assert(at:advance(2.504))
      local shown = tonumber(seen.plots[1].keys[1]:match("^A (.*)"))
      assert.near(at:state():joint("A").angle, shown, 2e-3)
    end)

  drives("obeys the keyboard", "keys", moving, function(seen)
    assert.same({}, seen.faults)
    local at = seen.seen
    assert.near(1.02, at.ArrowRight.time, 1e-9)
    assert.near(1, at.ArrowLeft.time, 1e-9)
    assert.near(1.5, at["Shift+ArrowRight"].time, 1e-9)
    assert.equal(5, at.End.time)
    assert.equal(0, at.Home.time)
    assert.same({ false, true }, { at.Home.forces, at.f.forces })
    assert.same({ true, false }, { at.f.traces, at.t.traces })
    assert.same({ true, false }, { at.t.loop, at.l.loop })
    assert.same({ "light", "dark" }, { at.l.theme, at.d.shown })
    assert.same({ 1, 2, 1 }, { at.d.speed, at["+"].speed, at["-"].speed })
    assert.is_true(at.Space.playing)
    assert.is_true(at.played.time > at.Space.time)
    assert.is_false(at.paused.playing)
    assert.is_true(at.help.help)
  end)

  drives("turns and zooms, and comes back; a plot seeks", "mouse", moving, function(seen)
    assert.same({}, seen.faults)
    assert.are_not.equal(seen.before.sum, seen.turned.sum)
    assert.equal(seen.before.sum, seen.reset.sum)
    assert.near(2.5, seen.clicked.time, 0.1)
  end)

  drives("is light and dark, and fits a phone", "looks", moving, function(seen)
    for name, look in pairs(seen) do
      assert.same({}, look.faults)
      assert.equal(name, look.state.shown)
      assert.is_true(look.state.forces)
      assert.is_true(look.picture.drawn > 5000)
      assert.equal(0, look.overflow)
      assert.is_true(look.below)
    end
    assert.are_not.equal(seen.light.picture.sum, seen.dark.picture.sum)
  end)

  drives("shows plots where there is no WebGL", "fallback", moving, function(seen)
    assert.same({}, seen.faults)
    assert.is_true(seen.message)
    assert.is_true(seen.plots[1].coloured > 300)
  end)

  drives("plays ten minutes of motion smoothly", "frames", function()
    return recorded(four_bar(), 600, 0.01)
  end, function(seen)
    assert.same({}, seen.faults)
    assert.is_true(seen.median < 16, seen.median)
    assert.is_true(seen.loading < 10000, seen.loading)
  end)

  drives("of a system has plots alone", "plots", function()
    local pendulum = sarrus.system {
      name = "pendulum", coordinates = { "phi" },
      lagrangian = function(q, v) return v.phi ^ 2 / 2 + 9.81 * sarrus.cos(q.phi) end,
    }
    local sim = assert(pendulum:simulate { q = { 1 } })
    local recording = sim:record { every = 0.01 }
    assert(sim:advance(2))
    return recording
  end, function(seen)
    assert.same({}, seen.faults)
    assert.is_false(seen.stage)
    assert.equal("pendulum", seen.title)
    assert.is_true(seen.plots[1].coloured > 300)
  end)

  -- A ball that bounces without loss, the next time at 2.574, between two samples.
  drives("keeps impacts sharp", "slider", function()
    local height, g = 1.3, 9.81
    local ball = sarrus.model {
      name = "ball", gravity = { 0, -g },
      body.sphere { "ball", position = { 0, height }, radius = 0.1, mass = 1 },
    }
    local floor = sarrus.event { "floor", direction = "down",
      when = function(s) return s:body("ball").y end,
      action = function(sim, s)
        assert(sim:impulse("ball", { 0, -2 * s:body("ball").velocity.y }))
      end,
    }
    local sim = assert(ball:simulate { events = { floor } })
    local recording = sim:record { every = 0.25 }
    assert(sim:advance(3))
    return recording
  end, function(seen)
    assert.same({}, seen.faults)
    local first = math.sqrt(2 * 1.3 / 9.81)
    local since = 2.504 - 3 * first
    assert.near(9.81 * (first - since / 2) * since, seen.second.poses[1][2], 1e-6)
  end)

  -- A top that turns 3.75 rad between samples, and jumps where an event acts.
  drives("turns fast bodies by their spin", "slider", function()
    local top = sarrus.model {
      name = "top", gravity = { 0, 0, -9.81 },
      body.disk { "top", position = { 0.06, 0, 0.08 }, radius = 0.05, length = 0.01,
        axis = { 0.6, 0, 0.8 }, mass = 0.5, spin = { 90, 0, 120 } },
      joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
    }
    local recording, sim = recorded(top, 3, 0.025)
    return recording, sim
  end, function(seen, sim)
    assert.same({}, seen.faults)
    local model = sim.system.model
    for t, shown in pairs { [0.5] = seen.first.poses[1], [2.504] = seen.second.poses[1] } do
      local again = assert(model:simulate {})
      assert(again:advance(t))
      local b = again:state():body("top")
      local dot = 0
      for i, x in ipairs { shown[7], shown[4], shown[5], shown[6] } do
        dot = dot + x * b.orientation[i]
      end
      assert.near(1, math.abs(dot), 1e-4)
      assert.near(b.position.x, shown[1], 1e-5)
    end
  end)
end)
