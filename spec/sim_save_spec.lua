-- Saving and restoring; rows 88 and 89 of the list of bad inputs.
local sarrus = require "sarrus"
local problems = dofile("spec/problems.lua")
local accuracy = dofile("spec/accuracy.lua")
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

local squeezer = problems.squeezer()

--- A simulation of the squeezer somewhere on its way, and what it saves.
local function saved(t)
  local sim = problems.simulate(squeezer)
  assert(sim:advance(t or 0.0123))
  return sim, sim:save()
end

local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function changed(record, position, byte)
  return record:sub(1, position - 1) .. string.char(byte) .. record:sub(position + 1)
end

describe("a saved simulation", function()
  it("continues bit for bit in a new process", function()
    local sim, record = saved()
    local path = os.tmpname()
    assert(sarrus.checkpoint(path, record))
    local script = ("local P = dofile('spec/problems.lua') local f = io.open(%q, 'rb') "
      .. "local sim = assert(P.squeezer().system:restore(f:read('*a'))) f:close() "
      .. "assert(sim:advance(0.03)) io.write((sim:save():gsub('.', function(c) "
      .. "return ('%%02x'):format(c:byte()) end)))"):format(path)
    local there = shell.run('eval "$(.ci/env)"; ' .. interpreter .. " -e " .. shell.quote(script))
    os.remove(path)
    assert(sim:advance(0.03))
    assert.is_true(hex(sim:save()) == there, "the states differ")
  end)

  it("continues bit for bit from anywhere: a start, a step's end, an intervention", function()
    local pendulum = problems.pendulum()
    for _, prepare in ipairs {
      function() end,
      function(sim) sim:step() end,
      function(sim) sim:advance(3.21) end,
      function(sim) sim:advance(-1) sim:advance(0.5) end,
      function(sim) sim:advance(1) sim:impulse { x = 1 } end,
    } do
      local sim = problems.simulate(pendulum)
      prepare(sim)
      local copy = assert(pendulum.system:restore(sim:save()))
      assert.are.equal(sim.time, copy.time)
      assert.are.equal(0, accuracy.differing(sim:state(), copy:state()))
      assert(sim:advance(7) and copy:advance(7))
      assert.are.equal(0, accuracy.differing(sim:state(), copy:state()))
      assert.is_true(sim:save() == copy:save())
    end
  end)

  it("keeps events, controllers, parameters and options", function()
    local spring = sarrus.system { name = "spring", coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function(q) return { -sarrus.parameter("k", 1) * q.x } end }
    local function parts(log)
      return {
        events = { sarrus.event { "e", when = function(s) return s.q.x end,
          action = function(_, s) log[#log + 1] = s.t end } },
        controllers = { sarrus.controller { period = 0.3,
          action = function(self, s) log[#log + 1] = -s.t assert(self:set("k", 1 + s.t)) end } },
      }
    end
    local one, other = {}, {}
    local given = parts(one)
    given.q, given.tolerance, given.max_step = { 1 }, 1e-9, 0.25
    local sim = assert(spring:simulate(given))
    assert(sim:advance(2.15))
    local copy = assert(spring:restore(sim:save(), parts(other)))
    local seen = #one
    assert.are.equal(sim:get "k", copy:get "k")
    assert(sim:advance(5) and copy:advance(5))
    assert.is_true(#other > 10)
    for i, t in ipairs(other) do
      assert.are.equal(one[seen + i], t)
    end
    assert.are.equal(0, accuracy.differing(sim:state(), copy:state()))
    local stats, copied = sim:stats(), copy:stats()
    stats.seconds, copied.seconds = nil, nil
    stats.compiled, copied.compiled = nil, nil -- by the first simulation alone
    assert.are.same(stats, copied)
    local result, message, code = spring:restore(sim:save(), { events = parts({}).events })
    assert.are.same({ nil, "FORMAT" }, { result, code })
    assert.is_truthy(message:find("saved with 1 controller, given 0", 1, true))
    result, message, code = spring:restore(sim:save())
    assert.are.same({ nil, "FORMAT" }, { result, code })
    assert.is_truthy(message:find("give `restore` the same `events`", 1, true))
  end)

  it("goes on through switches of piecewise forces", function()
    local bouncer = sarrus.system { name = "bouncer", coordinates = { "x" },
      mass = function() return { { 1 } } end,
      force = function(q) return { 400 * sarrus.max(-q.x, 0) - 9.81 } end }
    local sim = assert(bouncer:simulate { q = { 0.5 } })
    for _ = 1, 20 do
      assert(sim:step())
      local copy = assert(bouncer:restore(sim:save()))
      local ahead = sim:clone()
      assert(copy:step() and ahead:step())
      assert.are.equal(0, accuracy.differing(copy:state(), ahead:state()))
    end
  end)
end)

describe("a damaged record", function()
  local function refused(record, what, of)
    local result, message, code = (of or squeezer.system):restore(record)
    assert.is_nil(result, what)
    assert.is_true(code == "FORMAT" or code == "VERSION", what .. ": " .. tostring(code))
    assert.is_truthy(message:find('system "', 1, true) and message:find("restore: ", 1, true))
    return code
  end

  it("may be one of other events, which the message counts", function()
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
    local event = sarrus.event { "far", when = function(s) return s.q.x - 5 end }
    local record = assert(system:simulate { q = { 1 }, events = { event } }):save()
    local function message(given)
      return select(2, system:restore(record, given)):match("or with other events (%b())")
    end
    assert.equal("(none given)", message())
    assert.equal("(2 given)", message { events = { event,
      sarrus.event { "near", when = function(s) return s.q.x end } } })
    assert.is_table(system:restore(record, { events = { event } }))
  end)

  it("88: truncated at any byte is refused", function()
    local pendulum = problems.pendulum()
    local record = problems.simulate(pendulum):save()
    for length = 0, #record - 1 do
      refused(record:sub(1, length), "length " .. length, pendulum.system)
    end
    refused(record .. "\0", "one byte more", pendulum.system)
  end)

  it("88: with any bit flipped is refused", function()
    local _, record = saved()
    for position = 1, #record, math.max(1, math.floor(#record / 1500)) do
      local byte, bit = record:byte(position), 2 ^ (position % 8)
      local flipped = byte % (2 * bit) >= bit and byte - bit or byte + bit
      refused(changed(record, position, flipped), "byte " .. position)
    end
    for position = 1, 64 do
      refused(changed(record, position, (record:byte(position) + 1) % 256), "byte " .. position)
    end
  end)

  it("goes on where constraints no longer depend on each other", function()
    local p, names, q = sarrus.parameter("p", 0), {}, {}
    for i = 1, 12 do
      names[i], q[i] = "x" .. i, i == 1 and 1 or 0
    end
    local system = sarrus.system { name = "loose", coordinates = names,
      mass = function()
        local mass = {}
        for i = 1, 12 do
          mass[i] = {}
          for j = 1, 12 do
            mass[i][j] = i == j and 1 or 0
          end
        end
        mass[1][2], mass[2][1], mass[2][2] = 2000 * p, 2000 * p, 1 + (2000 * p) ^ 2
        return mass
      end,
      force = function(x) return { -x.x1, -x.x2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 } end,
      constraints = function(x) return { x.x3 - x.x4, x.x3 - x.x4 + p * x.x5 } end }
    local sim = assert(system:simulate { q = q })
    assert(sim:advance(0.3))
    local copy = sim:clone()
    for _, one in ipairs { sim, copy } do
      assert.is_true(one:set("p", 1))
      assert(one:advance(0.4))
    end
    assert.are.same({ sim:state().q.x1, sim:state().q.x3 },
      { copy:state().q.x1, copy:state().q.x3 })
  end)

  it("88: of another version is VERSION, with wrong magic FORMAT", function()
    local _, record = saved()
    assert.are.equal("VERSION", refused(changed(record, 9, record:byte(9) + 1), "newer"))
    assert.are.equal("VERSION", refused(changed(record, 9, record:byte(9) - 1), "older"))
    assert.are.equal("FORMAT", refused("S" .. record:sub(2), "magic"))
    assert.are.equal("FORMAT", refused(record:sub(1, 16)
      .. record:sub(17, 24):reverse() .. record:sub(25), "the other byte order"))
    assert.are.equal("FORMAT", refused("", "nothing"))
  end)

  it("88: of another system is refused", function()
    local _, record = saved()
    assert.are.equal("FORMAT", refused(record, "pendulum", problems.pendulum().system))
    assert.are.equal("FORMAT", refused(record, "a copy more", problems.squeezer(3).system))
    local heavier = problems.pendulum()
    heavier.system = sarrus.system { name = "pendulum", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      force = function() return { 0, -9.82 } end,
      constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end }
    refused(problems.simulate(problems.pendulum()):save(), "gravity", heavier.system)
    assert.is_truthy(problems.pendulum().system:restore(
      problems.simulate(problems.pendulum()):save()), "an equal system serves")
  end)

  it("89: with huge counts allocates nothing", function()
    local _, record = saved()
    local before = collectgarbage("count")
    for position = 33, 120, 8 do
      refused(record:sub(1, position - 1) .. ("\255"):rep(6) .. "\127" .. record:sub(position + 7),
        "count at " .. position)
    end
    assert.is_true(collectgarbage("count") - before < 4 * #record / 1024 + 1000)
  end)

  it("is misuse where it is no string", function()
    for _, record in ipairs { 3, {}, true } do
      local good, message = pcall(function() return squeezer.system:restore(record) end)
      assert.is_false(good)
      assert.is_truthy(message:find("sim_save_spec.lua:%d+: system \"squeezer\": restore: got "))
    end
    assert.is_false(pcall(squeezer.system.restore, squeezer.system, nil))
  end)
end)

--- By their last digits.
local function assert_same(one, other, when)
  assert.equal(one.t, other.t)
  for _, name in ipairs { "q", "v", "lambda" } do
    for i = 1, #one[name] do
      if one[name][i] ~= other[name][i] then
        error(("%s[%d] differs by %g %s %g"):format(name, i, one[name][i] - other[name][i], when,
          one.t))
      end
    end
  end
end

--- What is restored before each of the steps to `t` stands there and steps as what was saved.
local function step_both(model, t)
  local sim = assert(model:simulate {})
  while sim.time < t do
    local copy = assert(model:restore(sim:save()))
    assert_same(sim:state(), copy:state(), "at")
    assert(sim:step())
    assert(copy:step())
    assert_same(sim:state(), copy:state(), "after a step to")
  end
end

--- A box that lies on a floor that is tilted by an angle, or leans more and is above it.
local function on_floor(angle, box, coefficients)
  local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape
  local c, s = math.cos(angle), math.sin(angle)
  local turn = { axis = { 0, 1, 0 }, angle = angle + (box.lean or 0) }
  local at = { 0.3 * s, 0, 0.3 * c + (box.above or 0) }
  local pair = { "touch", "floor", "shape" }
  for name, x in pairs(coefficients) do
    pair[name] = x
  end
  return sarrus.model { gravity = { 0, 0, -9.81 },
    shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { s, 0, c } },
    body.rigid { "b", position = at, orientation = turn, mass = 2, inertia = { 0.1, 0.2, 0.25 },
      velocity = box.velocity, spin = box.spin },
    shape.box { "shape", "b", at = at, size = { 1, 0.8, 0.6 }, orientation = turn },
    contact.pair(pair) }
end

describe("what is saved in space", function()
  it("goes on with the same digits where four corners slide", function()
    step_both(on_floor(0.1, { velocity = { 2, 1, 0 }, spin = { 0.1, 0, 1 } }, { friction = 0.3 }),
      0.3)
  end)

  it("goes on with the same digits where four corners hardly stick", function()
    step_both(on_floor(0.28, {}, { friction = 0.3 }), 0.3)
  end)

  it("goes on with the same digits where friction turns with the slip", function()
    for _, restitution in ipairs { 0, 0.5 } do
      step_both(on_floor(0.1, { above = 0.5, lean = 0.4, velocity = { 1, -2, 0 },
        spin = { 1, 2, 3 } }, { friction = 0.2, restitution = restitution }), 0.8)
    end
  end)
end)

describe("a checkpoint", function()
  it("is written whole, over an old one, or not at all", function()
    local _, record = saved()
    local path = os.tmpname()
    assert.is_true(sarrus.checkpoint(path, "old"))
    assert.is_true(sarrus.checkpoint(path, record))
    local file = assert(io.open(path, "rb"))
    assert.is_true(file:read("*a") == record)
    file:close()
    os.remove(path)
    local result, message, code = sarrus.checkpoint("/nowhere/at/all", record)
    assert.are.same({ nil, "IO" }, { result, code })
    assert.is_truthy(message:find("/nowhere/at/all", 1, true))
  end)

  it("keeps the mode of an old one", function()
    local path = os.tmpname()
    for _, mode in ipairs { "-rw-------", "-rw-r-----", "-rw-rw-rw-" } do
      local letters = { "u=" .. mode:sub(2, 4), "g=" .. mode:sub(5, 7), "o=" .. mode:sub(8, 10) }
      os.execute("chmod " .. table.concat(letters, ","):gsub("-", "") .. " " .. path)
      assert.is_true(sarrus.checkpoint(path, "record"))
      local pipe = assert(io.popen("ls -l " .. path))
      assert.are.equal(mode, pipe:read("*a"):sub(1, 10))
      pipe:close()
    end
    os.remove(path)
  end)
end)
