-- How many digits are right: what is claimed, against closed forms.
local sarrus = require "sarrus"
local verify = require "sarrus.verify"
local claimed = dofile("spec/random/tools/claimed.lua")
local problems = dofile("spec/problems.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

--- What the command writes.
local function command(words)
  local pipe = assert(io.popen(interpreter .. " lua/bin/sarrus " .. words))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

--- Channels of what is known of a problem at one time, and their values.
local function labels_of(problem, answer)
  local labels, known = {}, {}
  for _, kind in ipairs { "q", "v", "lambda" } do
    for i = 1, #problem.system.coordinates do
      local value = (answer[kind] or {})[i]
      local name = kind == "lambda" and i or problem.system.coordinates[i]
      if value then
        labels[#labels + 1], known[#known + 1] = kind .. "." .. name, { value }
      end
    end
  end
  return labels, known
end

describe("verify", function()
  it("claims what closed forms confirm", function()
    local oscillator = sarrus.system { name = "oscillator", coordinates = { "x" },
      mass = function() return { { 1 } } end, force = function(q) return { -q.x } end,
    }
    for _, tolerance in ipairs { 1e-12, 1e-9, 1e-6 } do
      local sim = assert(oscillator:simulate { q = { 1 }, tolerance = tolerance })
      local found = assert(verify.run(sim, { "q.x" }, 20))
      local one = found.channels[1]
      local exact = -math.log(math.max(math.abs(one.value - math.cos(20)), 1e-16)) / math.log(10)
      assert.is_true(one.digits <= exact and one.digits >= exact - 3,
        ("%d claimed, %.1f right at %g"):format(one.digits, exact, tolerance))
    end
  end)

  it("claims of problems with known answers what is known", function()
    local list = { problems.robot(), problems.pendulum(), problems.squeezer(),
      problems.four_bars(2), problems.four_bars(40), problems.double_pendulum(),
      problems.sleigh() }
    for _, problem in ipairs(problems.literature()) do
      list[#list + 1] = problem
    end
    for _, problem in ipairs(list) do
      for _, tolerance in ipairs { 1e-12, 1e-9, 1e-6 } do
        for _, answer in ipairs(problem.known) do
          local labels, known = labels_of(problem, answer)
          local off = claimed.error(problems.simulate(problem, { tolerance = tolerance }), labels,
            answer.t, known)
          assert.is_true(off <= 0, ("%s, t = %g, at %g: %d digits"):format(problem.name, answer.t,
            tolerance, off))
        end
      end
    end
  end)

  it("finds the singularity of a motion in complex time", function()
    -- x'' = 2 x^3 with x = 1 / (2 - t)
    local pole = sarrus.system { name = "pole", coordinates = { "x" },
      mass = function() return { { 1 } } end, force = function(q) return { 2 * q.x ^ 3 } end,
    }
    local sim = assert(pole:simulate { q = { 0.5 }, v = { 0.25 } })
    local found = assert(verify.run(sim, { "q.x" }, 1))
    assert.is_true(math.abs(found.singularity.real - 2) < 1e-3, tostring(found.singularity.real))
    assert.are.equal(0, math.floor(found.singularity.imaginary * 100))
  end)

  it("is a command that names the weakest channel and its reason", function()
    local text = command("verify examples/double_pendulum.lua --until 20 "
      .. "--channels upper.position.x,energy.total | tail -n 6")
    assert.is_truthy(text:find("right at t = 20 s:\n  upper.position.x +%d digits  0%.68%d*\n"),
      text)
    assert.is_truthy(text:find("weakest: upper.position.x: errors grow: rounding at the start is "
      .. "%d%.%de%+%d+ times as large at the end\n"), text)
    assert.is_truthy(text:find("between steps constraints are met to %d%.%de%-1%d"), text)
    assert.is_truthy(text:find("nearest singularity in complex time: t = [%d.]+ %+%- [%d.]+i s\n"),
      text)
  end)

  it("refuses channels that are none, and runs that have begun", function()
    local text = command(
      "verify examples/four_bar.lua --channels A.angel 2>&1 | tail -n 2")
    assert.are.equal([[sarrus: --channels: unknown quantity of A "angel" (did you mean 'angle'?), ]]
      .. "want one of angle, rate, force, torque\ntry 'sarrus verify --help'\n", text)
  end)

  --- What the command says of a script.
  local function judged(text)
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    local output = command(("verify %s --until 3 --channels q.x 2>&1"):format(path))
    os.remove(path)
    return (output:gsub(path:gsub("%p", "%%%0"), "script.lua"))
  end

  it("gives each run the functions of a script that has just begun", function()
    -- The controller pushes in its first three periods only: counted by an upvalue, by a global and
    -- by a module, which runs must not leave to each other.
    local text = judged [[
      package.preload.counter = function() return { count = 0 } end
      local sarrus, counter, pushed = require "sarrus", require "counter", 0
      total = (total or 0)
      print("made")
      local cart = sarrus.system { name = "cart", coordinates = { "x" },
        mass = function() return { { 1 } } end,
        force = function() return { sarrus.parameter("f", 0) } end }
      return cart:simulate { q = { 1 }, controllers = { sarrus.controller { period = 0.25,
        action = function(sim)
          pushed, total, counter.count = pushed + 1, total + 1, counter.count + 1
          sim:set("f", pushed <= 3 and total <= 3 and counter.count <= 3 and 1 or 0)
        end } } }
    ]]
    assert.is_truthy(text:find("^made\nsystem"), text)
    assert.is_truthy(text:find("q.x  1[456] digits"), text)
    assert.is_nil(text:find("made.*made"), text)
    assert.is_nil(text:find("did not come to the end", 1, true), text)
  end)

  it("refuses simulations that other runs would not be like", function()
    local bars = [[
      local sarrus = require "sarrus"
      local model = sarrus.model { name = "bar", gravity = { 0, -10 },
        sarrus.body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
        sarrus.joint.revolute { "J", "ground", "a", at = { 0, 0 } } }
      local sim = model:simulate()
      %s
      return sim
    ]]
    local path = os.tmpname()
    for change, wanted in pairs {
      ['sim:lock("J")'] = "the script returns a simulation in which \"J\" is locked, and other "
        .. "runs would not know it [LIMIT]",
      ['sim:impulse("a", { 0, 1 })'] = "the script returns a simulation to which it has given an "
        .. "impulse, and other runs would not have it; give velocities to simulate [LIMIT]",
    } do
      local file = assert(io.open(path, "w"))
      file:write(bars:format(change))
      file:close()
      assert.are.equal("sarrus: " .. wanted .. "\n1\n",
        command(("verify %s --until 1 2>&1; echo $?"):format(path)))
    end
    os.remove(path)
  end)
end)
