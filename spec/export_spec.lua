-- Exported models run in C as they run under Lua, to the last bit.
local sarrus = require "sarrus"
local exported = dofile("spec/exported.lua")
local run_example = dofile("spec/bits.lua").run
local shell = dofile("spec/shell.lua")
local sketches = dofile("spec/sketches.lua")

--- The models of all examples by name.
local function models()
  local list = {}
  for path in shell.run("ls examples/*.lua"):gmatch("[^\n]+") do
    local subject = run_example(path)
    local class = type(subject) == "table" and getmetatable(subject).__name
    local model = class == "sarrus.model" and subject
      or class == "sarrus.sim" and rawget(subject.system, "model") or nil
    if model then
      list[#list + 1] = { name = path, model = model }
    end
  end
  return list
end

local function compare(name, model, start, until_)
  local off, all = exported.compare(model, start, until_, 8)
  assert.equal(0, off, name)
  return all
end

describe("model:export", function()
  local folder
  setup(function() folder = exported.open() end)

  it("gives every example the same bits in C as under Lua", function()
    local count, numbers = 0, 0
    for _, one in ipairs(models()) do
      numbers = numbers + compare(one.name, one.model, {}, 0.5)
      count = count + 1
    end
    assert.is_true(count >= 27)
    assert.is_true(numbers > 30000)
  end)

  it("keeps a start and options", function()
    local model = sketches.four_bar()
    local start = {
      joints = { A = { angle = 0.3, rate = 1 } }, tolerance = 1e-9, t = 2, method = "series",
      max_step = 0.01,
    }
    compare("four-bar", model, start, 0.3)
  end)

  it("writes the same file under every Lua, and each time", function()
    local path = folder .. "/model.sarrus"
    assert(sketches.four_bar():export(path))
    local first = shell.read(path)
    assert(sketches.four_bar():export(path))
    assert.is_true(first == shell.read(path))
    assert.equal("sarrus\026m", first:sub(1, 8))
  end)

  it("goes on in C from what was saved under Lua", function()
    local model, path = sketches.four_bar(), folder .. "/model.sarrus"
    assert(model:export(path))
    local sim = assert(model:simulate {})
    assert(sim:advance(0.7))
    assert(sarrus.checkpoint(folder .. "/record", sim:save()))
    local line = exported.run(path, 0.5, 1, folder .. "/record"):match("\n([^\n]*)\n$")
    assert(sim:advance(sim.time + 0.5))
    local numbers, s = {}, sim:state()
    for word in line:gmatch("%S+") do
      numbers[#numbers + 1] = tonumber(word)
    end
    assert.equal(sim.time, numbers[1])
    for i, x in ipairs(s.q) do
      assert.equal(x, numbers[1 + i])
    end
  end)

  it("strikes bodies in C as under Lua", function()
    for _, name in ipairs { "four_bar", "stewart", "double_pendulum", "gyroscope" } do
      local model, path = run_example("examples/" .. name .. ".lua"), folder .. "/model.sarrus"
      assert(model:export(path))
      local sim = assert(model:simulate {})
      local planar = model.dimension == 2
      for _, body in ipairs(model.bodies) do
        assert(sim:impulse(body.name, planar and { 0.1, 0.2 } or { 0.1, 0.2, 0.3 },
          planar and { 1, 2 } or { 1, 2, 3 }))
      end
      local i, s = 1, sim:state()
      local line = exported.run(path, 0.1, 1, "struck"):match("^[^\n]*")
      for word in line:gmatch(" (%S+)") do
        local x = i <= #s.q and s.q[i] or s.v[i - #s.q]
        assert.is_true(i > 2 * #s.q or x == tonumber(word), name)
        i = i + 1
      end
      assert.is_true(i > 2 * #s.q)
    end
  end)

  it("names what went wrong in C as in the script", function()
    local path = folder .. "/model.sarrus"
    local k = sarrus.parameter("stop", 1)
    local model = sarrus.model {
      name = "fall", gravity = { 0, -9.81 },
      sarrus.body.point { "stone", position = { 0, 0 }, mass = 1 },
      sarrus.force.custom { "end", { "stone" }, force = function(_, t)
        return { { force = { sarrus.sqrt(k - t), 0 } } }
      end },
    }
    assert(model:export(path))
    local rows = exported.run(path, 2, 4)
    assert.equal('the steps became too small: "stone.x" keeps them small',
      rows:match("([^\n]*)\n$"))
  end)

  it("refuses what cannot be written", function()
    local model = sketches.four_bar()
    local good, message, code = model:export(folder .. "/no/such/place")
    assert.is_nil(good)
    assert.equal("IO", code)
    assert.equal(('model "four-bar": export: %s/no/such/place: No such file or directory')
      :format(folder), message)
    assert.has_error(function() model:export() end)
    local raised = select(2, pcall(model.export, model, folder .. "/x", { events = {} }))
    assert.is_truthy(raised:find(
      'model "four-bar": export: events cannot be exported', 1, true))
    raised = select(2, pcall(model.export, model))
    assert.is_truthy(raised:find('model "four-bar": export: got nil, want a path', 1, true), raised)
    raised = select(2, pcall(model.export, 7, "x"))
    assert.is_truthy(raised:find("export: called on 7; use model:export(…)", 1, true))
  end)
end)
