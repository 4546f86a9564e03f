-- What bad input gets; every title begins with its row of the list of bad inputs.
local sarrus = require "sarrus"
local problems = dofile("spec/problems.lua")
local shell = dofile("spec/shell.lua")

local nan, huge = 0 / 0, math.huge
local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

--- A system of unit masses.
local function system(name, coordinates, force, constraints)
  return sarrus.system {
    name = name,
    coordinates = coordinates,
    mass = function()
      local rows = {}
      for i = 1, #coordinates do
        rows[i] = {}
        for j = 1, #coordinates do
          rows[i][j] = i == j and 1 or 0
        end
      end
      return rows
    end,
    force = force,
    constraints = constraints,
  }
end

local oscillator = system("osc", { "x" }, function(q) return { -q.x } end)

local function simulate(options, of)
  local given = { q = { 1 } }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  local sim, message, code = (of or oscillator):simulate(given)
  return sim, message, code
end

--- Misuse: a string that names this file, and has the text in it.
local function raises(text, f, ...)
  local good, message = pcall(f, ...)
  assert.is_false(good)
  assert.is_truthy(message:find("sim_bad_input_spec.lua:%d+: ") == 1
    or message:find("/sim_bad_input_spec.lua:%d+: ") or message:find("^spec/"), message)
  assert.is_truthy(message:find(text, 1, true), message)
end

--- A failure: nil, a message with the text in it, the code.
local function fails(code, text, result, message, got)
  assert.is_nil(result)
  assert.are.equal(code, got, message)
  assert.is_truthy(message:find(text, 1, true), message)
end

--- A simulation whose event at t = pi/2 does something.
local function with_action(action)
  return (simulate { events = { sarrus.event { "noon", when = function(s) return s.q.x end,
    action = action } } })
end

--- It stands at the event, and goes on from there.
local function still_good(sim)
  assert.is_true(math.abs(sim.time - math.pi / 2) < 1e-12)
  assert.is_true(math.abs(sim:state().v.x + 1) < 1e-11)
  assert.are.equal("END", (sim:advance(2)))
  assert.is_true(math.abs(sim:state().q.x - math.cos(2)) < 1e-11)
end

describe("bad starts and options", function()
  it("48: q of the wrong length", function()
    local pendulum = problems.pendulum().system
    raises("q: y is missing; the system has 2 coordinates: x, y", simulate, { q = { 1 } },
      pendulum)
    raises("q: unknown coordinate 3; the system has 2 coordinates: x, y", simulate,
      { q = { 1, 2, 3 } }, pendulum)
    raises('q: unknown coordinate "z"', simulate, { q = { x = 1, y = 0, z = 2 } }, pendulum)
    raises("q: got number 1, want a list of 1 numbers", simulate, { q = 1 })
  end)

  it("49: a velocity that is not tangent is projected, and reported", function()
    local sim = simulate({ q = { 0, -1 }, v = { 3, 2 } }, problems.pendulum().system)
    assert.are.equal(2, sim:stats().assembly.moved_velocity)
    assert.are.equal(0, sim:state().v.y)
  end)

  it("50: a start that is not finite", function()
    raises("q.x: nan is not finite", simulate, { q = { nan } })
    raises("q.x: inf is not finite", simulate, { q = { huge } })
    raises("v.x: nan is not finite", simulate, { v = { nan } })
    raises("t: nan is not finite", simulate, { t = nan })
    raises("q.x: got string", simulate, { q = { "1" } })
  end)

  it("51: steps that are none", function()
    raises("step: 0 is not positive", simulate, { step = 0 })
    raises("step: -1 is not positive", simulate, { step = -1 })
    raises("step: nan is not finite", simulate, { step = nan })
    raises("max_step: 0 is not positive", simulate, { max_step = 0 })
    local sim = simulate { step = 10, order = 30 } -- longer than the interval: evaluated inside
    assert(sim:advance(1))
    assert.is_true(math.abs(sim:state().q.x - math.cos(1)) < 1e-14)
  end)

  it("52: to the present time, and to an earlier one", function()
    local sim = simulate()
    assert.are.equal("END", (sim:advance(0)))
    assert.are.equal(0, sim:stats().steps)
    assert.are.equal("END", (sim:advance(-3)))
    assert.is_true(math.abs(sim:state().v.x - math.sin(3)) < 1e-11)
  end)

  it("53: a time too large to add a step to", function()
    local sim = simulate { t = 1e18 }
    fails("STEP", "(t = 1e+18)", sim:advance(2e18))
    assert.are.equal(1, sim:state().q.x)
  end)

  it("54: tolerances that mean nothing", function()
    for _, tolerance in ipairs { 0, 1e-20, 1, -1 } do
      raises("is not from 2.3e-15 to below 1", simulate, { tolerance = tolerance })
    end
    raises("tolerance: nan is not finite", simulate, { tolerance = nan })
    assert.is_truthy(simulate { tolerance = 2.3e-15 })
  end)

  it("55: orders that do not exist", function()
    for _, order in ipairs { 0, -3, 2.5, 1e6, 61, 1 } do
      raises("is not a whole number from 2 to 60", simulate, { order = order })
    end
    assert.is_truthy(simulate { order = 2 })
    assert.is_truthy(simulate { order = 60 })
  end)

  it("56: no steps allowed, or too few", function()
    raises("max_steps: 0 is not a whole number from 1", simulate, { max_steps = 0 })
    local sim = simulate { max_steps = 3 }
    fails("STEP", "3 steps were not enough", sim:advance(1000))
    assert.are.equal(3, sim:stats().steps)
    assert.are.equal("END", (sim:advance(sim.time + 1)))
  end)

  it("one event or controller in place of a list", function()
    raises("events: got an event, want a list: { sarrus.event { … } }", simulate,
      { events = sarrus.event { "e", when = function(s) return s.t end } })
    raises("controllers: got a controller, want a list: { sarrus.controller { … } }", simulate,
      { controllers = sarrus.controller { period = 1, action = print } })
  end)

  it("58: output outside of what was computed", function()
    local sim = simulate()
    raises("at: t = 5 is outside of the span, 0 to 0", sim.at, sim, 5)
    raises("at: got number nan, want a finite time", sim.at, sim, nan)
    assert(sim:advance(0.5))
    raises("at: t = -0.1 is outside of the span, 0 to ", sim.at, sim, -0.1)
  end)

  it("62: counts that overflow", function()
    raises("max_steps: ", simulate, { max_steps = 2 ^ 63 - 1 })
    raises("order: ", simulate, { order = 2 ^ 63 - 1 })
  end)

  it("63: \"1\" is not 1", function()
    raises('unknown coordinate "1"', simulate, { q = { ["1"] = 1 } })
  end)

  it("unknown options, times and names", function()
    raises("unknown field 'tolerence' (did you mean 'tolerance'?)", simulate, { tolerence = 1 })
    raises('parameters: unknown parameter "k"; there are none', simulate,
      { parameters = { k = 1 } })
    local sim = simulate()
    raises("a simulation has no field \"tiem\" (did you mean 'time'?)", function()
      return sim.tiem
    end)
    raises('a state has no field "foo"', function() return sim:state().foo end)
    raises("a residual has no field \"positon\" (did you mean 'position'?)", function()
      return sim:residual().positon
    end)
    raises("the statistics of a simulation has no field \"step\" (did you mean", function()
      return sim:stats().step
    end)
    for _, t in ipairs { nan, huge, "3" } do
      raises("advance: got ", sim.advance, sim, t)
    end
    for _, dt in ipairs { 0, -1, nan, huge } do
      raises("samples: got number", sim.samples, sim, 1, dt)
    end
    raises('set: unknown parameter "k"', sim.set, sim, "k", 1)
    raises('impulse: unknown coordinate "y"', sim.impulse, sim, { y = 1 })
    local decay = assert(sarrus.dae { differential = { "x" }, derivative = function(x)
      return { -x.x }
    end }:simulate { x = { 1 } })
    raises("impulse: a general DAE has no masses", decay.impulse, decay, { x = 1 })
    raises("impulse.x: nan is not finite", sim.impulse, sim, { x = nan })
    assert.are.equal(0, sim:stats().steps)
  end)

  it("constraints that contradict each other: INCONSISTENT, with the number of one", function()
    local two = system("two", { "x", "y" }, nil, function(q)
      return { q.x ^ 2 + q.y ^ 2 - 1, q.x ^ 2 + q.y ^ 2 - 4 }
    end)
    fails("INCONSISTENT", 'system "two": constraint ', two:simulate { q = { 1, 1 } })
  end)
end)

describe("callbacks", function()
  it("64: that raise are CALLBACK, with traceback and time", function()
    local sim = with_action(function() error("boom") end)
    local result, message, code = sim:advance(3)
    fails("CALLBACK", 'system "osc": event "noon" at t = 1.57079632679489', result, message, code)
    assert.is_truthy(message:find("sim_bad_input_spec.lua:%d+: boom\n.*traceback"))
    still_good(sim)
    local count = 0
    sim = simulate { controllers = { sarrus.controller { period = 1, action = function(_, s)
      count = count + 1
      if s.t == 2 then
        error { "not a string" }
      end
    end } } }
    fails("CALLBACK", "controller at t = 2: ", sim:advance(5))
    assert.are.equal(2, sim.time)
    assert.are.equal("END", (sim:advance(5)))
    assert.are.equal(5, count)
  end)

  it("66: that yield", function()
    local sim = with_action(function() coroutine.yield() end)
    local _, result, message, code = coroutine.resume(coroutine.create(function()
      return sim:advance(3)
    end))
    fails("CALLBACK", "a callback cannot yield", result, message, code)
    still_good(sim)
  end)

  it("67, 68: that move or close the simulation are told it is busy", function()
    for _, method in ipairs { "step", "advance", "close", "samples" } do
      local sim = with_action(function(self) self[method](self, 3, 1) end)
      fails("CALLBACK", method .. ": the simulation is busy", sim:advance(3))
      still_good(sim)
    end
  end)

  it("68: that collect garbage do no harm", function()
    local sim = with_action(function() collectgarbage() collectgarbage() end)
    assert.are.equal("END", (sim:advance(2)))
    assert.is_true(math.abs(sim:state().q.x - math.cos(2)) < 1e-11)
  end)

  it("71: events that vanish, or are not finite, are named", function()
    for _, when in ipairs {
      function() return 0 end,
      function(s) return s.q.x - s.q.x end,
      function(s) return sarrus.sin(s.q.x) ^ 2 + sarrus.cos(s.q.x) ^ 2 - 1 end,
    } do
      local sim = simulate { events = { sarrus.event { "nothing", when = when } } }
      fails("EVENT", 'event "nothing" vanishes identically', sim:advance(1))
      assert.are.equal(0, sim.time)
    end
    raises("event: the name is missing", sarrus.event, { when = function(s) return s.q.x end })
    local function twice()
      return sarrus.event { "e", when = function(s) return s.q.x end }
    end
    raises('events[2]: the name "e" is taken by the event at spec', simulate,
      { events = { twice(), twice() } })
    raises('event "two": when returned 2 results, want one', simulate,
      { events = { sarrus.event { "two", when = function(s) return s.q.x, 1 end } } })
    raises('event "bad": when is nan', simulate,
      { events = { sarrus.event { "bad", when = function() return nan end } } })
    local sim = simulate { events = { sarrus.event { "log", when = function(s)
      return sarrus.log(s.q.x - 5) end } } }
    fails("EVENT", 'event "log" is not finite', sim:advance(1))
  end)

  it("73: an impulse out of the constraints is projected", function()
    local sim = problems.simulate(problems.pendulum(), { events = { sarrus.event { "hit",
      when = function(s) return s.q.x end, action = function(self) self:impulse { y = 7 } end } } })
    assert.are.equal("END", (sim:advance(1)))
    assert.is_true(sim:residual().velocity < 1e-13)
  end)
end)

describe("motions that end", function()
  it("75: in finite time are STEP, just before it", function()
    local blow = system("blow", { "y", "z" }, function(q) return { 6 * q.y ^ 2, 0 } end)
    local sim = simulate({ q = { 1, 0 }, v = { 2, 0 } }, blow) -- y = 1/(1 - t)^2
    local result, message, code = sim:advance(3)
    fails("STEP", "does the motion blow up", result, message, code)
    assert.is_true(sim.time < 1 and sim.time > 1 - 1e-3)
    local s = sim:state()
    assert.is_true(math.abs(s.q.y * (1 - s.t) ^ 2 - 1) < 1e-2)
    fails("STEP", "y keeps them small", result, message, code)
  end)

  it("76: stiff ones are bounded by max_steps", function()
    local stiff = system("stiff", { "y" }, function(q, v) return { -1e6 * v.y - q.y } end)
    local sim = simulate({ max_steps = 500, method = "series" }, stiff)
    local result, message, code = sim:advance(100)
    fails("STEP", "500 steps were not enough; y keeps them small", result, message, code)
    assert.is_true(math.abs(sim:state().q.y - 1) < 1e-6)
  end)

  it("77: a force that is not smooth", function()
    local rough = system("rough", { "y" }, function(q) return { -sarrus.sqrt(q.y) } end)
    local sim = simulate({}, rough)
    local result, _, code = sim:advance(100)
    assert.is_nil(result)
    assert.is_true(code == "STEP" or code == "NONFINITE")
    assert.is_true(sim.time > 1 and sim:state().q.y >= 0)
  end)

  it("78: matrices singular for good are SINGULAR; isolated ones are crossed", function()
    local massless = sarrus.system { name = "massless", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 0 } } end }
    fails("SINGULAR", "the equation of motion of y", massless:simulate { q = { 1, 1 } })
    local many, masses, at = {}, {}, {} -- so many that elimination is sparse
    for i = 1, 20 do
      many[i], masses[i], at[i] = "x" .. i, {}, 0
      for j = 1, 20 do
        masses[i][j] = i == j and i ~= 15 and 1 or 0
      end
    end
    local larger = sarrus.system { name = "larger", coordinates = many,
      mass = function() return masses end }
    fails("SINGULAR", "is singular: the equation of motion of x15", larger:simulate { q = at })
    local bars = problems.four_bars(2)
    local sim = problems.simulate(bars)
    assert.are.equal("END", (sim:advance(bars.singular[2] + 0.1)))
  end)
end)

describe("objects", function()
  it("79: that are closed say so; closing twice is nothing", function()
    local sim = simulate()
    sim:close()
    sim:close()
    for _, method in ipairs { "advance", "step", "state", "at", "span", "stats", "residual", "save",
      "clone", "warnings", "samples" } do
      raises(method .. ": the simulation is closed", function() sim[method](sim, 1, 1) end)
    end
    raises("the simulation is closed", function() return sim.time end)
    assert.are.equal("simulation (closed)", tostring(sim))
  end)

  it("80: outlive what they came from", function()
    local events = 0
    local sim
    do
      local own = system("own", { "x" }, function(q) return { -q.x } end)
      sim = simulate({ events = { sarrus.event { "e", when = function(s) return s.q.x end,
        action = function() events = events + 1 end } } }, own)
    end
    for _ = 1, 3 do
      collectgarbage()
    end
    assert.are.equal("END", (sim:advance(10)))
    assert.are.equal(3, events)
  end)

  it("81: that are forged are type errors", function()
    local sim = simulate()
    for _, forged in ipairs { {}, 3, "sim", setmetatable({}, getmetatable(sim)) } do
      assert.is_false(pcall(sim.advance, forged, 3))
      assert.is_false(pcall(sim.state, forged))
    end
    assert.is_false(pcall(debug.getregistry and rawget(sim, "core").advance, io.stdout, 3))
    assert.is_false(pcall(oscillator.simulate, {}, { q = { 1 } }))
  end)

  it("82: called with a dot are told of the colon", function()
    local sim = simulate()
    raises("step: called on nil; use sim:step(", function() sim.step() end)
    raises("advance: called on 3; use sim:advance(", function() sim.advance(3) end)
    raises("close: called on nil; use sim:close(", function() sim.close() end)
    raises("simulate: called on a table; use system:simulate(…)", function()
      oscillator.simulate { q = { 1 } }
    end)
    raises('contact: unknown contact "c"; there are none', function() sim:state():contact("c") end)
  end)

  it("96: made where the stack is nearly exhausted raise an error, or work", function()
    local function deep(n)
      if n == 0 then
        return simulate()
      end
      local good, result = pcall(deep, n - 1)
      return good and result or nil
    end
    for n = 150, 250, 5 do
      local sim = deep(n)
      assert.is_true(sim == nil or sim:advance(1) == "END")
    end
    assert.is_truthy(deep(10))
  end)

  it("97, 98: do not depend on directory, home, output or locale", function()
    local script = ("local P = dofile(%q) os.setlocale(os.getenv('LC_ALL') or 'C') "
      .. "local sim = P.simulate(P.squeezer()) sim:advance(0.01) io.stderr:write((sim:save():gsub("
      .. "'.', function(c) return ('%%02x'):format(c:byte()) end)))")
      :format(shell.run("pwd"):gsub("%s+$", "") .. "/spec/problems.lua")
    local function run(prefix)
      return shell.run('eval "$(.ci/env)"; ' .. prefix .. " " .. interpreter .. " -e "
        .. shell.quote(script))
    end
    local plain = run("")
    assert.is_true(#plain > 1000)
    assert.are.equal(plain, run("cd / && env -u HOME LC_ALL=de_DE.UTF-8"))
    assert.are.equal(plain, run("LC_ALL=tr_TR.UTF-8"))
    assert.are.equal(plain, run("exec 1>&-;"))
  end)

  it("49: strict refuses a start that is not consistent", function()
    local circle = sarrus.system {
      name = "circle", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
    }
    assert(circle:simulate { q = { 1, 0 }, v = { 0, 1 }, strict = true })
    fails("INCONSISTENT", "positions off by up to 0.1", circle:simulate {
      q = { 1.1, 0 }, strict = true,
    })
    fails("INCONSISTENT", "velocities by 1", circle:simulate {
      q = { 1, 0 }, v = { 1, 0 }, strict = true,
    })
  end)

  it("53: the message speaks of the precision of time", function()
    fails("STEP", "steps vanish beside the time itself", simulate({ t = 1e18 }):advance(2e18))
  end)
end)
