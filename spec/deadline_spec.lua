-- Loops that must not wait: readers, budgets, hooks of a host's watchdog, garbage.
local sarrus = require "sarrus"
local core = require "sarrus.core"
local sketches = dofile("spec/deadlines.lua")

local unpack = table.unpack or unpack -- luacheck: ignore

--- Bytes of garbage that each of 1000 calls makes.
local function garbage(f)
  for _ = 1, 400 do -- LuaJIT compiles meanwhile
    f()
  end
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  for _ = 1, 1000 do
    f()
  end
  local made = (collectgarbage("count") - before) * 1.024
  collectgarbage("restart")
  return made
end

describe("a reader", function()
  it("reads what states, recordings and systems tell", function()
    local arm = sketches.arm()
    local sim = assert(arm:simulate { joints = { J2 = { angle = 0.4 } } })
    local reader = sim:reader { "J2.angle", "J3.force.x", "energy.total", "link6.orientation.w",
      "parameter.tau2", { "twice", function(s) return 2 * s:joint("J2").angle end } }
    assert(sim:advance(0.3))
    assert(sim:set("tau2", 5))
    local s = sim:state()
    local list = reader:read()
    assert.is_true(math.abs(list[3] - s:energy().total) < 1e-12 * list[3]) -- summed otherwise
    list[3] = 0
    assert.are.same({ s:joint("J2").angle, s:joint("J3").force.x, 0,
      s:body("link6").orientation[1], 5, 2 * s:joint("J2").angle }, list)
    assert.are.equal("energy.total", reader.channels[3].label)
    assert.are.equal('reader of model "arm": 6 channels', tostring(reader))
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function(q) return { -q.x } end }
    local swing = assert(system:simulate { q = { 1 } })
    assert(swing:advance(1))
    assert.is_true(math.abs(swing:reader { "q.x" }:read()[1] - math.cos(1)) < 1e-14)
  end)

  it("fills the list that it is given, and no more of it", function()
    local sim = assert(sketches.arm():simulate {})
    local list = { 7, 8, 9 }
    assert.are.equal(list, sim:reader { "J1.angle", "J1.rate" }:read(list))
    assert.are.same({ 0, 0, 9 }, list)
  end)

  it("names misuse", function()
    local sim = assert(sketches.arm():simulate {})
    local reader = sim:reader { "J1.angle" }
    local cases = {
      { 'model "arm": reader: channels[1]: unknown quantity of J1 "angel" (did you mean '
        .. "'angle'?), want one of angle, rate, force, torque", sim.reader, sim, { "J1.angel" } },
      { 'model "arm": reader: got string "J1.angle", want a list of channels', sim.reader, sim,
        "J1.angle" },
      { "reader:read: got number 3, want a list to fill", reader.read, reader, 3 },
      { "read: called on a table; use reader:read(…)", reader.read, {} },
      { 'reader:read: channel "x": got nil, want number', function()
        sim:reader { { "x", function() end } }:read()
      end },
    }
    for _, case in ipairs(cases) do
      local good, message = pcall(unpack(case, 2))
      assert.is_false(good)
      assert.are.equal(case[1], (message:gsub("^[^:]*:%d+: ", "")))
    end
    sim:close()
    local _, message = pcall(function() reader:read() end)
    assert.are.equal("reader:read: the simulation is closed",
      message:match("^[^:]*deadline_spec.lua:%d+: (.*)$"))
  end)
end)

describe("a budget", function()
  it("ends an advance between steps, and the next one goes on, bit for bit", function()
    local arm = sketches.arm()
    local start = { joints = { J2 = { angle = 0.4, rate = 1 } } }
    local once, twin = assert(arm:simulate(start)), assert(arm:simulate(start))
    assert(once:advance(2))
    local calls, last = 0, 0
    repeat
      local result = twin:advance(2, { seconds = 0 })
      calls = calls + 1
      assert.is_true(twin.time > last)
      last = twin.time
    until result ~= "BUDGET"
    assert.is_true(calls > 10 and calls <= once:stats().steps + 1)
    assert.is_true(once:save() == twin:save())
  end)

  it("holds for the whole call, controllers and events included", function()
    local runs = 0
    local sim = assert(sketches.arm():simulate { controllers = { sarrus.controller {
      period = 1e-3, action = function() runs = runs + 1 end } } })
    local began = core.seconds()
    assert.are.equal("BUDGET", (sim:advance(1e6, { seconds = 0.05 })))
    assert.is_true(core.seconds() - began < 1)
    assert.are.equal(math.floor(sim.time * 1000 + 1e-6) + 1, runs)
    assert.are.equal("END", (sim:advance(sim.time + 0.01, { seconds = math.huge })))
  end)

  it("is checked", function()
    local sim = assert(sketches.arm():simulate {})
    for given, text in pairs {
      [{ second = 1 }] = 'advance: unknown field "second" (did you mean \'seconds\'?)',
      [{ seconds = -1 }] = "advance: seconds: got number -1, want a time of 0 or more",
      [{ seconds = 0 / 0 }] = "advance: seconds: got number nan, want a time of 0 or more",
      [{ seconds = "1" }] = 'advance: seconds: got string "1", want a time of 0 or more',
      [7] = "advance: got number 7, want { seconds = budget }",
    } do
      local _, message = pcall(sim.advance, sim, 1, given)
      assert.are.equal(text, (message:gsub("^[^:]*:%d+: ", "")))
    end
    assert.are.equal(0, sim.time)
  end)
end)

describe("a hook that counts", function()
  it("is called between steps, whatever its count, and what it raises arrives", function()
    for _, count in ipairs { 1, 1000, 1e6, 2 ^ 30 } do
      local arm = sketches.arm()
      local sim = assert(arm:simulate { joints = { J2 = { angle = 0.4 } } })
      local calls, enough = 0, {}
      local _, steps_before = nil, sim:stats().steps
      local good, value = pcall(function()
        debug.sethook(function()
          calls = calls + (sim:stats().steps > steps_before and 1 or 0)
          if calls >= 5 then
            debug.sethook()
            error(enough)
          end
        end, "", count)
        sim:advance(1e6)
      end)
      debug.sethook()
      assert.is_false(good)
      assert.are.equal(enough, value)
      assert.is_true(sim:stats().steps <= 6)
      local twin = assert(arm:simulate { joints = { J2 = { angle = 0.4 } } })
      assert(sim:advance(1) and twin:advance(1))
      assert.is_true(sim:save() == twin:save())
    end
  end)
end)

describe("garbage", function()
  it("is not made by set, advance, read, nor by states that are refilled", function()
    for _, name in ipairs { "arm", "stewart" } do
      local model = sketches[name]()
      local sim = assert(model:simulate { tolerance = 1e-9 })
      local reader = sim:reader(sketches.channels[name])
      local list, s, given, k, budget = {}, sim:state(), {}, 0, { seconds = 1 }
      local names = sketches.parameters[name]
      local bytes = garbage(function()
        k = k + 1
        for i = 1, 6 do
          given[names[i]] = (k * i) % 5
        end
        assert(sim:set(given))
        assert(sim:set(names[1], 7))
        assert(sim:advance(sim.time + 1e-4, budget))
        reader:read(list)
        sim:state(s)
      end)
      assert.is_true(bytes < 8, name .. ": " .. bytes .. " bytes")
    end
  end)
end)

describe("what intervenes every millisecond", function()
  --- Torques that change at 1 kHz, for t seconds from the present time on.
  local function drive(sim, t, between)
    local first = math.floor(sim.time * 1000 + 0.5)
    for k = first, first + t * 1000 - 1 do
      assert(sim:set { tau1 = math.sin(0.01 * k), tau2 = math.cos(0.02 * k) })
      if between then
        between(sim, k)
      end
      assert(sim:advance((k + 1) / 1000))
    end
  end

  it("lowers the order, by what has intervened alone, and accuracy stays", function()
    local arm = sketches.arm()
    local start = { joints = { J2 = { angle = 0.4 } }, tolerance = 1e-9 }
    local sim, asked = assert(arm:simulate(start)), assert(arm:simulate(start))
    drive(sim, 0.3)
    assert.is_true(sim:stats().order <= 16)
    assert.are.equal(300, sim:stats().steps)
    drive(asked, 0.3, function(one, k)
      assert(one:advance((k + 0.3) / 1000))
      one:at((k + 0.1) / 1000)
      assert(one:advance((k + 0.7) / 1000))
    end)
    assert.is_true(sim:save() == asked:save())
    start.tolerance = 1e-14
    local tight = assert(arm:simulate(start))
    drive(tight, 0.3)
    local a, b = sim:state(), tight:state()
    for i = 1, 6 do
      local one, other = a:joint("J" .. i), b:joint("J" .. i)
      assert.is_true(math.abs(one.angle - other.angle) < 1e-7)
    end
  end)

  it("is remembered by what is saved, and forgotten where nothing intervenes", function()
    local arm = sketches.arm()
    local sim = assert(arm:simulate { joints = { J2 = { angle = 0.4 } }, tolerance = 1e-9 })
    drive(sim, 0.05)
    local twin = assert(arm:restore(sim:save()))
    drive(sim, 0.05)
    drive(twin, 0.05)
    assert.is_true(sim:save() == twin:save())
    assert(sim:advance(1))
    assert.is_true(sim:stats().order >= 20)
  end)
end)
