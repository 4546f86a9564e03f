-- Many runs at once: each is what it would be alone.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local random = dofile("spec/random.lua")
local shell = dofile("spec/shell.lua")
local sketches = dofile("spec/sketches.lua")
local body, joint = sarrus.body, sarrus.joint

local function pendulum()
  return sarrus.model {
    name = "pendulum", gravity = { 0, sarrus.parameter("g", -9.81) },
    body.rod { "rod", from = { 0, 0 }, to = { 0, -1 }, mass = 1 },
    joint.revolute { "J", "ground", "rod", at = { 0, 0 } },
  }
end

local function swing(i)
  return { joints = { J = { angle = 0.1 * i } } }
end

local function raises(given)
  local good, message = pcall(sarrus.ensemble, given)
  assert.is_false(good)
  return (message:gsub("^[^\n]-:%d+: ", ""))
end

describe("an ensemble", function()
  it("has in each run the bits of a simulation alone, with any threads", function()
    local model = pendulum()
    for _, threads in ipairs { 1, 2, 3, 7 } do
      local e = assert(sarrus.ensemble { model, runs = 20, vary = swing, t_end = 2,
        channels = { "J.angle", "J.force.y" }, threads = threads })
      for i = 1, 20 do
        local sim = assert(model:simulate(swing(i)))
        sim:advance(2)
        assert.equal(2, e[i].t)
        assert.equal(sim:state():joint("J").angle, e[i]["J.angle"])
        assert.equal(sim:state():joint("J").force.y, e[i]["J.force.y"])
        assert.is_nil(e[i].code)
        assert.is_nil(e[i].message)
      end
      assert.equal(20, e.runs)
      assert.is_nil(e[21])
    end
  end)

  it("holds for random mechanisms, threads, channels and failures", function()
    local class = random.class("ensembles")
    local result = random.run(class, 1, class.cases)
    assert.equal(0, result.wrong, ("seed %d: %s"):format(result.seed, result.message or "differs"))
  end)

  it("takes a system, and a DAE", function()
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function(q) return { -q.x } end }
    local e = assert(sarrus.ensemble { system, runs = 3, t_end = 1, channels = { "q.x" },
      vary = function(i) return { q = { i } } end })
    local dae = sarrus.dae { differential = { "x" }, algebraic = { "y" },
      derivative = function(x, y) return { -y.y * x.x } end,
      constraints = function(_, y) return { y.y - 1 } end }
    local f = assert(sarrus.ensemble { dae, runs = 3, t_end = 1,
      vary = function(i) return { x = { i }, y = { 1 } } end })
    for i = 1, 3 do
      check.near(i * math.cos(1), e[i]["q.x"], 1e-12)
      check.near(i * math.exp(-1), f[i]["x.x"], 1e-12)
      assert.equal(1, f[i]["y.y"])
    end
  end)

  it("ends a run at an event that stops", function()
    local e = assert(sarrus.ensemble { pendulum(), runs = 2, vary = swing, t_end = 9,
      channels = { "J.angle" }, events = {
        sarrus.event { "turn", when = function(s) return s:joint("J").rate end, direction = "up" },
        sarrus.event { "low", when = function(s) return s:joint("J").angle end, direction = "up",
          stop = true },
      } })
    for i = 1, 2 do
      assert.is_true(e[i].t > 1.2 and e[i].t < 1.3)
      check.near(0, e[i]["J.angle"], 1e-12)
      assert.is_nil(e[i].code)
    end
  end)

  it("has derivatives by functions", function()
    local model = pendulum()
    local function run(channel)
      return sarrus.ensemble { model, runs = 1, t_end = 1, sensitivity = { "start.J.angle" },
        channels = { channel }, vary = function() return {} end }
    end
    local good, message = pcall(run, "J.angle:start.J.angle")
    assert.is_false(good)
    assert.is_truthy(message:find("of many runs a derivative is a channel with a function", 1,
      true), message)
    local sim = assert(model:simulate { sensitivity = { "start.J.angle" } })
    sim:advance(1)
    assert.equal(sim:state():derivative("J.angle", "start.J.angle"), run { "d", function(s)
      return s:derivative("J.angle", "start.J.angle")
    end }[1].d)
  end)

  it("counts steps over events that do not stop, as alone", function()
    local events = { sarrus.event { "low", when = function(s) return s:joint("J").angle end } }
    local given = swing(2)
    given.max_steps, given.events = 30, events
    local sim = assert(pendulum():simulate(given))
    local _, message, code = sim:advance(200)
    local e = assert(sarrus.ensemble { pendulum(), runs = 2, t_end = 200, channels = { "J.angle" },
      max_steps = 30, events = events, vary = swing })
    assert.equal("STEP", code)
    assert.same({ code, message, sim.time }, { e[2].code, e[2].message, e[2].t })
  end)

  it("keeps lists with every", function()
    local e = assert(sarrus.ensemble { pendulum(), runs = 2, vary = swing, t_end = 1, every = 0.25,
      channels = { "J.angle" } })
    assert.same({ 0, 0.25, 0.5, 0.75, 1 }, e[2].t)
    assert.equal(5, #e[2]["J.angle"])
    check.near(0.2, e[2]["J.angle"][1], 1e-15)
  end)
end)

describe("a run that asks the script", function()
  it("has the same digits, by channels, events and controllers of its own", function()
    local model = pendulum()
    local function own(i)
      local sum = 0
      local start = swing(i)
      start.controllers = i % 2 == 0 and { sarrus.controller { period = 0.1,
        action = function(sim, s)
          sum = sum + s:joint("J").angle
          sim:set("g", -9.81 - sum)
        end } } or nil
      start.events = i % 3 == 0 and { sarrus.event { "low", when = function(s)
        return s:joint("J").angle
      end, action = function(sim) sim:impulse("rod", { 0.1, 0 }) end } } or nil
      return start
    end
    for _, every in ipairs { false, 0.3 } do
      local channels = { "J.angle", every and "J.rate" or { "twice", function(s)
        return 2 * s:joint("J").angle
      end } }
      local e = assert(sarrus.ensemble { model, runs = 12, vary = own, t_end = 2, threads = 3,
        channels = channels, every = every or nil })
      for i = 1, 12 do
        local sim = assert(model:simulate(own(i)))
        local recording = sim:record { every = every or 1, channels = { "J.angle" } }
        assert(sim:advance(2))
        if every then
          assert.same(recording["J.angle"], e[i]["J.angle"])
        else
          assert.equal(sim:state():joint("J").angle, e[i]["J.angle"])
          assert.equal(2 * e[i]["J.angle"], e[i].twice)
          assert.equal(2, e[i].t)
        end
      end
    end
  end)

  it("is a row where a callback fails", function()
    local e = assert(sarrus.ensemble { pendulum(), runs = 2, vary = swing, t_end = 1,
      channels = { { "bad", function(s) return s.t < 0.5 and 1 or error("no more", 0) end } } })
    assert.equal("CALLBACK", e[1].code)
    assert.equal('model "pendulum": record: channel "bad" at t = 1: no more',
      e[1].message:match("^[^\n]*"):gsub(" %(t = 1%)$", ""))
    assert.is_true(e[1].bad ~= e[1].bad)
  end)
end)

describe("a run that fails", function()
  local function mixed(more)
    local given = { sketches.four_bar(), runs = 3, t_end = 1, channels = { "A.angle" },
      vary = function(i)
        return i == 1 and {} or i == 2 and { max_steps = 2 }
          or { bodies = { rocker = { position = { 3, 5 } } }, strict = true }
      end }
    for name, value in pairs(more or {}) do
      given[name] = value
    end
    return assert(sarrus.ensemble(given))
  end

  it("is a row with its code, and the message of a simulation alone", function()
    local e = mixed()
    assert.is_nil(e[1].code)
    assert.equal("STEP", e[2].code)
    local sim = assert(sketches.four_bar():simulate { max_steps = 2 })
    assert.equal(select(2, sim:advance(1)), e[2].message)
    assert.equal(sim.time, e[2].t)
    assert.is_true(e[2]["A.angle"] ~= e[2]["A.angle"])
    local _, message, code = sketches.four_bar():simulate { strict = true,
      bodies = { rocker = { position = { 3, 5 } } } }
    assert.equal(code, e[3].code)
    assert.equal(message, e[3].message)
    assert.is_true(e[3].t ~= e[3].t)
  end)

  it("is written too", function()
    local path = os.tmpname()
    assert(mixed():csv(path))
    local lines = {}
    for line in io.lines(path) do
      lines[#lines + 1] = line
    end
    assert.equal("run,t [s],A.angle [rad],code,message", lines[1])
    assert.is_truthy(lines[2]:find("^1,1,%-?%d+%.%d+,,$"))
    assert.is_truthy(lines[3]:find('^2,0%.%d+,nan,STEP,"model ""four%-bar"": 2 steps'))
    assert.is_truthy(lines[4]:find("^3,nan,nan,INCONSISTENT,"))
    assert(mixed { every = 0.5 }:csv(path))
    local text = shell.read(path)
    assert.is_truthy(text:find("\n1,0.5,"))
    assert.is_truthy(text:find("\n3,nan,nan,INCONSISTENT,"))
    os.remove(path)
    local done, message, code = mixed():csv("/no/such/folder/x.csv")
    assert.is_nil(done)
    assert.equal("IO", code)
    assert.equal("ensemble:csv: /no/such/folder/x.csv: No such file or directory", message)
  end)
end)

describe("misuse of an ensemble", function()
  it("is told", function()
    local model = pendulum()
    assert.equal("ensemble: got nil, want a table", raises(nil))
    assert.equal("ensemble: got nil, want a model or a system first: { model, runs = … }",
      raises {})
    assert.equal('ensemble of model "pendulum": missing field \'vary\'',
      raises { model, runs = 1, t_end = 1 })
    assert.equal('ensemble of model "pendulum": unknown field \'chanels\' (did you mean '
      .. "'channels'?)", raises { model, runs = 1, t_end = 1, vary = swing, chanels = {} })
    assert.equal('ensemble of model "pendulum": channels[1]: the name "code" is taken',
      raises { model, runs = 1, t_end = 1, vary = swing,
        channels = { { "code", function() return 1 end } } })
    assert.equal('ensemble of model "pendulum": vary(1): got number 3, want the start of the run, '
      .. "a table", raises { model, runs = 1, t_end = 1, vary = function() return 3 end })
    assert.equal('ensemble of model "pendulum": events[1]: event "e" has an action, which all '
      .. "runs would share; let vary give it", raises { model, runs = 2, t_end = 1, vary = swing,
        events = { sarrus.event { "e", when = function(s) return s.t end,
          action = function() end } } })
    assert.equal('ensemble of model "pendulum": threads: 0 is not a whole number from 1 to 1024',
      raises { model, runs = 1, t_end = 1, vary = swing, threads = 0 })
  end)

  it("in vary ends all runs", function()
    local e, message, code = sarrus.ensemble { pendulum(), runs = 50, t_end = 100, threads = 3,
      vary = function(i)
        return i < 20 and swing(i) or error("not today", 0)
      end }
    assert.is_nil(e)
    assert.equal("CALLBACK", code)
    assert.equal('ensemble of model "pendulum": vary(20): not today',
      message:match("^[^\n]*"))
  end)

  it("in reading suggests", function()
    local e = assert(sarrus.ensemble { pendulum(), runs = 1, t_end = 1, vary = swing })
    local good, message = pcall(function() return e[1]["J.angel"] end)
    assert.is_false(good)
    assert.equal([[the run has no channel "J.angel" (did you mean 'J.angle'?)]],
      (message:gsub("^.-:%d+: ", "")))
    assert.equal('ensemble of model "pendulum": 1 run, 0 failed', tostring(e))
  end)
end)
