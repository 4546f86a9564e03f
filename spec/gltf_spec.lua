-- recording:gltf, read back by three.js' own loader.
local check = dofile("spec/check.lua")
local files = dofile("spec/robots.lua")
local robots = dofile("spec/random/tools/robots.lua")
local shell = dofile("spec/shell.lua")
local sarrus = require "sarrus"
local body, joint, shape = sarrus.body, sarrus.joint, sarrus.shape

local near = check.near

local missing = not pcall(shell.run, "node --version && test -f build/web/packages")
  and "needs node and the packages of `make build/web/packages`" or nil

--- What three.js makes of a recording, at some times.
local function loaded(recording, ...)
  local path = os.tmpname()
  assert(recording:gltf(path .. ".gltf"))
  local good, output = pcall(shell.run,
    ("node spec/gltf.mjs %s %s"):format(shell.quote(path .. ".gltf"), table.concat({ ... }, " ")))
  os.remove(path)
  os.remove(path .. ".gltf")
  assert(good, output)
  return assert((loadstring or load)(output))() -- luacheck: std max
end

local function recorded(model, t_end)
  local sim = assert(model:simulate {})
  local recording = sim:record { every = t_end / 100 }
  assert(sim:advance(t_end))
  return recording
end

--- The state at a time, from another run.
local function state(recording, t)
  local sim = assert(recording.sim.system.model:simulate {})
  assert(sim:advance(t))
  return sim:state()
end

--- A test that is pending without node.
local function loads(what, test)
  it(what, function()
    if missing then
      return pending(missing)
    end
    test()
  end)
end

describe("a glTF file #build", function()
  loads("moves all bodies as the simulation did", function()
    local parts = robots.with_file(files.walker(false), ".xml", function(path)
      return assert(sarrus.import(path))
    end)
    local recording = recorded(sarrus.model { gravity = parts.gravity, parts }, 0.5)
    local seen = loaded(recording, 0, 0.25, 0.4975)
    near(0.5, seen.duration, 1e-6)
    near(-1, seen.down[3], 1e-6)
    for i, t in ipairs { 0, 0.25, 0.4975 } do -- the last one between two instants
      local s = state(recording, t)
      for name, now in pairs(seen.at[i]) do
        local at, q = s:body(name).position, s:body(name).orientation
        for k = 1, 3 do
          near(at[k], now[k], i == 3 and 4e-5 or 3e-7) -- straight between: 9.81 h^2 / 8
        end
        local along = q[1] * now[7] + q[2] * now[4] + q[3] * now[5] + q[4] * now[6]
        near(1, math.abs(along), i == 3 and 1e-5 or 1e-6)
      end
    end
  end)

  loads("shows every form of bodies and shapes, in space", function()
    local mesh = os.tmpname()
    local file = assert(io.open(mesh .. ".obj", "w"))
    file:write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    file:close()
    local recording = recorded(sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.box { "box", position = { 1, 0, 0 }, size = { 1, 2, 3 }, mass = 1, color = "red" },
      body.sphere { "ball", position = { 0, 0, 0 }, radius = 0.5, mass = 1 },
      body.cylinder { "drum", position = { 0, 3, 0 }, radius = 1, length = 4, axis = { 1, 0, 0 },
        mass = 1 },
      body.rod { "rod", from = { 0, 0, 0 }, to = { 4, 0, 0 }, radius = 0.1, mass = 1 },
      body.rigid { "bare", position = { 0, 0, 5 }, mass = 1, inertia = { 1, 1, 1 } },
      shape.mesh { "hull", "bare", file = mesh .. ".obj", at = { 0, 0, 5 }, scale = { 2, -1, 1 } },
      body.rigid { "pill", position = { 0, 0, 9 }, mass = 1, inertia = { 1, 1, 1 } },
      shape.capsule { "pills", "pill", from = { 0, 0, 8 }, to = { 0, 0, 10 }, radius = 0.5,
        color = "#123" },
      body.point { "speck", position = { 9, 9, 9 }, mass = 1 },
      shape.plane { "floor", "ground", at = { 0, 0, -9 }, normal = { 0, 0, 1 } },
    }, 0.1)
    local seen = loaded(recording, 0)
    os.remove(mesh)
    os.remove(mesh .. ".obj")
    local function spans(name, low, high)
      for k = 1, 3 do
        near(low[k], seen.shown[name].low[k], 1e-6)
        near(high[k], seen.shown[name].high[k], 1e-6)
      end
      assert.is_true(seen.shown[name].normal < 1e-6)
    end
    spans("box", { -0.5, -1, -1.5 }, { 0.5, 1, 1.5 })
    spans("ball", { -0.5, -0.5, -0.5 }, { 0.5, 0.5, 0.5 })
    spans("drum", { -2, -1, -1 }, { 2, 1, 1 })
    spans("bare", { 0, -1, 0 }, { 2, 0, 1 })
    spans("pill", { -0.5, -0.5, -1.5 }, { 0.5, 0.5, 1.5 })
    near(2, seen.shown.rod.high[1], 1e-6)
    assert.equal(12, seen.shown.box.triangles)
    assert.equal(4, seen.shown.bare.triangles)
  end)

  loads("stands upright, from a plane too", function()
    local recording = recorded(sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.disk { "disk", position = { 1, 0 }, radius = 0.2, mass = 1 },
      body.box { "plate", position = { 3, 0 }, size = { 1, 2 }, mass = 1 },
      shape.polygon { "flag", "rod", points = { { 0, 0 }, { 1, 0 }, { 0, 1 } } },
      shape.line { "ground line", "ground", at = { 0, -3 }, normal = { 0, 1 } },
      shape.disk { "hub", "ground", at = { 0, 0 }, radius = 0.1 },
      joint.revolute { "A", "ground", "rod", at = { 0, 0 } },
      joint.revolute { "B", "rod", "disk", at = { 1, 0 } },
    }, 1)
    local seen = loaded(recording, 0.5)
    near(-1, seen.down[2], 1e-6)
    local at = state(recording, 0.5):body "rod"
    near(at.x, seen.at[1].rod[1], 1e-6)
    near(math.sin(at.angle / 2), seen.at[1].rod[6], 1e-6)
    near(0.2, seen.shown.disk.high[2], 1e-6)
  end)

  it("has bounds, and times that rise, where an impact makes two frames of one", function()
    local model = sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.sphere { "ball", position = { 0, 0, 1 }, radius = 0.1, mass = 1 },
      shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
      sarrus.contact.pair { "bounce", "floor", "ball", restitution = 0.8 },
    }
    local recording = recorded(model, 2)
    local path = os.tmpname() .. ".gltf"
    assert(recording:gltf(path))
    local text = shell.read(path)
    os.remove(path)
    assert.truthy(text:find('"asset":{"generator":"sarrus [%d.]+","version":"2.0"}'))
    assert.truthy(text:find('"max":[2],"min":[0],"type":"SCALAR"', 1, true))
  end)

  it("is refused for what has no bodies, or nothing recorded, or another name", function()
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function(q) return { -q.x } end }
    local sim = assert(system:simulate { q = { 1 }, v = { 0 } })
    local recording = sim:record { every = 0.1 }
    assert(sim:advance(1))
    assert.equal("recording:gltf: only models have bodies to show",
      check.misuse(recording.gltf, recording, "x.gltf"))
    local model = sarrus.model { body.sphere { "b", position = { 0, 0, 0 }, radius = 1, mass = 1 } }
    sim = assert(model:simulate {})
    recording = sim:record { every = 0.1 }
    assert.equal('recording:gltf: "x.glb": the file is text; name it .gltf',
      check.misuse(recording.gltf, recording, "x.glb"))
    assert(sim:advance(1))
    local done, message, code = recording:gltf "no/such/folder/x.gltf"
    assert.is_nil(done)
    assert.equal("IO", code)
    assert.truthy(message:find("recording:gltf: no/such/folder/x.gltf: ", 1, true))
  end)
end)
