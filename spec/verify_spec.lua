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
end)
