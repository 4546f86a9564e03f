--- Recordings: channels, instants, frames.

local sarrus = require "sarrus"
local four_bar = dofile("spec/sketches.lua").four_bar
local body, joint = sarrus.body, sarrus.joint

--- x = cos(w t), y = sin(w t)
local function circle()
  return sarrus.system {
    name = "circle", coordinates = { "x", "y" },
    mass = function() return { { 1, 0 }, { 0, 1 } } end,
    force = function() return { 0, 0 } end,
    constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
  }
end

local function ball(events)
  local model = sarrus.model {
    name = "ball", gravity = { 0, -10 },
    body.point { "ball", position = { 0, 5 }, mass = 1 },
  }
  return assert(model:simulate { events = events })
end

--- A ball that loses nothing reaches the floor at t = 1, 3, 5 …
local function bounce()
  return sarrus.event { "bounce", direction = "down",
    when = function(s) return s:body("ball").y end,
    action = function(sim, s)
      assert(sim:impulse("ball", { 0, -2 * s:body("ball").velocity.y }))
    end }
end

describe("recordings", function()
  it("hold what samples show", function()
    local sim, other = assert(four_bar():simulate {}), assert(four_bar():simulate {})
    local recording = sim:record { every = 0.125, channels = {
      "A.angle", "C.force.x", "crank.position.y", "rocker.spin", "energy.total", "D.torque",
      "residual.velocity", "coupler.angle", "B.rate",
    } }
    assert(sim:advance(4))
    local k = 0
    for t, s in other:samples(4, 0.125) do
      k = k + 1
      assert.are.equal(t, recording.t[k])
      assert.are.equal(s:joint("A").angle, recording["A.angle"][k])
      assert.are.equal(s:joint("B").rate, recording["B.rate"][k])
      assert.are.equal(s:joint("C").force.x, recording["C.force.x"][k])
      assert.are.equal(s:joint("D").torque, recording["D.torque"][k])
      assert.are.equal(s:body("crank").position.y, recording["crank.position.y"][k])
      assert.are.equal(s:body("coupler").angle, recording["coupler.angle"][k])
      assert.are.equal(s:body("rocker").spin, recording["rocker.spin"][k])
      assert.are.near(s:energy().total, recording["energy.total"][k], 1e-13)
      assert.are.near(s:residual().velocity, recording["residual.velocity"][k], 4e-15)
    end
    assert.are.equal(33, k)
    assert.are.equal(33, #recording.t)
    assert.are.equal(33, #recording["C.force.x"])
    assert.are.equal(sim:state().q[1], other:state().q[1])
  end)

  it("never change the motion", function()
    local plain, recorded = assert(four_bar():simulate {}), assert(four_bar():simulate {})
    recorded:record { every = 0.001, channels = { "A.angle", { "f", function(s) return s.t end } } }
    assert(plain:advance(3))
    assert(recorded:advance(3))
    for i, x in ipairs(plain:state().q) do
      assert.are.equal(x, recorded:state().q[i])
    end
    assert.are.equal(plain:stats().steps, recorded:stats().steps)
  end)

  it("are fed by step, advance and samples alike", function()
    local lists = {}
    for i, move in ipairs {
      function(sim) assert(sim:advance(2)) end,
      function(sim) for _ in sim:samples(2, 0.37) do end end, -- luacheck: ignore 542
      function(sim)
        while sim.time < 2 do
          assert(sim:step())
        end
      end,
    } do
      local sim = assert(four_bar():simulate {})
      local recording = sim:record { every = 0.01, channels = { "C.force.y",
        { "twice", function(s) return 2 * s:joint("C").force.y end } } }
      move(sim)
      lists[i] = recording
      for k = 1, 200 do
        assert.are.equal((k - 1) / 100, recording.t[k])
        assert.are.near(lists[1]["C.force.y"][k], recording["C.force.y"][k], 1e-11)
        assert.are.near(2 * recording["C.force.y"][k], recording.twice[k], 1e-11)
      end
    end
    assert.are.equal(201, #lists[1].t)
    assert.are.equal(201, #lists[2].t)
  end)

  it("can be read while it runs", function()
    local sim = assert(circle():simulate { q = { 1, 0 }, v = { 0, 1 } })
    local recording = sim:record { every = 0.5 }
    assert.are.equal(0, #recording.t)
    assert(sim:advance(1))
    assert.are.same({ 0, 0.5, 1 }, recording.t)
    assert(sim:advance(1.6))
    assert.are.same({ 0, 0.5, 1, 1.5 }, recording.t)
    assert.are.near(math.cos(1.5), recording["q.x"][4], 1e-12)
  end)

  it("go backwards", function()
    local sim = assert(circle():simulate { q = { 1, 0 }, v = { 0, 1 } })
    local recording = sim:record { every = 0.5, channels = { "q.x", "v.y", "a.x", "lambda.1",
      { "y", function(s) return s.q.y end } } }
    assert(sim:advance(-1.2))
    assert(sim:advance(-0.4))
    assert.are.same({ 0, -0.5, -1, -1, -0.5 }, recording.t)
    for k, t in ipairs(recording.t) do
      assert.are.near(math.cos(t), recording["q.x"][k], 1e-12)
      assert.are.near(math.sin(t), recording.y[k], 1e-12)
      assert.are.near(math.cos(t), recording["v.y"][k], 1e-12)
      assert.are.near(-math.cos(t), recording["a.x"][k], 1e-10)
      assert.are.near(0.5, recording["lambda.1"][k], 1e-10)
    end
  end)

  it("tell errors of systems as the simulation does", function()
    local skate = sarrus.system { -- on a turning circle, and along its own direction
      coordinates = { "x", "y", "phi" },
      mass = function() return { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } end,
      force = function() return { 1, 0, 1 } end,
      constraints = function(q, t) return { q.x ^ 2 + q.y ^ 2 - 1 - sarrus.sin(t) ^ 2 } end,
      velocity_constraints = function(q, v)
        return { v.x * sarrus.sin(q.phi) - v.y * sarrus.cos(q.phi) }
      end,
    }
    local sim = assert(skate:simulate { q = { 1, 0, 1 }, tolerance = 1e-5 })
    local recording = sim:record { every = 0.125, channels = { "residual.position",
      "residual.velocity" } }
    local errors = {}
    for k = 0, 8 do
      assert(sim:advance(k / 8))
      errors[k + 1] = sim:residual()
    end
    local largest = 0
    for k, one in ipairs(errors) do
      assert.are.near(one.position, recording["residual.position"][k], 1e-15)
      assert.are.near(one.velocity, recording["residual.velocity"][k], 1e-14)
      largest = math.max(largest, one.velocity)
    end
    assert.is_true(largest > 1e-12)
    local free = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
    local unbound = assert(free:simulate { q = { 0 } })
    local given = { every = 1, channels = { "residual.position" } }
    assert.is_false(pcall(unbound.record, unbound, given))
  end)

  it("show the state after an action, and frames before and after it", function()
    local sim = ball { bounce() }
    local channels = { "ball.position.y", "ball.velocity.y" }
    local recording = sim:record { every = 0.25, channels = channels }
    assert(sim:advance(4))
    for k, t in ipairs(recording.t) do
      local since = (t + 1) % 2 -- 0 at a bounce
      assert.are.near(10 * since - 5 * since ^ 2, recording["ball.position.y"][k], 1e-9)
      assert.are.near(10 - 10 * since, recording["ball.velocity.y"][k], 1e-9)
    end
    assert.are.equal(17, #recording.t)
    local frames = recording.frames
    assert.are.equal(19, #frames)
    assert.are.near(1, frames[5].t, 1e-12)
    assert.are.equal(frames[5].t, frames[6].t)
    assert.are.near(-10, frames[5].poses[5], 1e-9)
    assert.are.near(10, frames[6].poses[5], 1e-9)
    assert.are.equal(1.25, frames[7].t)
  end)

  it("have frames before and after any impulse, once", function()
    local control = sarrus.controller { period = 1, action = function(sim, s)
      if s.t > 0 then
        assert(sim:impulse("ball", { 1, 0 }))
        assert(sim:impulse("ball", { 1, 0 }))
      end
    end }
    local model = sarrus.model { body.point { "ball", position = { 0, 5 }, mass = 1 } }
    local sim = assert(model:simulate { controllers = { control } })
    local recording = sim:record { every = 0.4 }
    assert(sim:advance(1.5))
    assert(sim:advance(1.6))
    assert(sim:impulse("ball", { 3, 0 }))
    local seen = {}
    for i, frame in ipairs(recording.frames) do
      seen[i] = ("%.1f %g"):format(frame.t, frame.poses[4])
    end
    assert.are.same({ "0.0 0", "0.4 0", "0.8 0", "1.0 0", "1.0 1", "1.0 2", "1.2 2", "1.6 2",
      "1.6 5" }, seen)
    assert.are.equal(5, #recording.t)
  end)

  it("end at an event that stops, which is recorded if it is on the grid", function()
    local stop = sarrus.event { "floor", stop = true,
      when = function(s) return s:body("ball").y - 3.75 end,
      action = function(sim) assert(sim:impulse("ball", { 0, 5 })) end }
    local sim = ball { stop }
    local recording = sim:record { every = 0.25, channels = { "ball.velocity.y",
      { "v", function(s) return s:body("ball").velocity.y end } } }
    assert.are.equal("EVENT", (sim:advance(4)))
    assert.are.same({ 0, 0.25, 0.5 }, recording.t)
    assert.are.near(0, recording["ball.velocity.y"][3], 1e-12)
    assert.are.near(0, recording.v[3], 1e-12)
  end)

  it("show parameters as they were", function()
    local k = sarrus.parameter("k", 1)
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function() return { k } end }
    local control = sarrus.controller { period = 1, action = function(sim)
      assert(sim:set(k, sim:get(k) + 1))
    end }
    local sim = assert(system:simulate { q = { 0 }, controllers = { control } })
    local recording = sim:record { every = 0.5, channels = { "parameter.k", "a.x",
      { "asked", function(s) return s.a.x end } } }
    assert(sim:advance(2.5))
    -- At the start the state after the controller, later the one before it: as samples.
    assert.are.same({ 2, 2, 2, 3, 3, 4 }, recording["parameter.k"])
    assert.are.same({ 2, 2, 2, 3, 3, 4 }, recording["a.x"])
    assert.are.same({ 2, 2, 2, 3, 3, 4 }, recording.asked)
  end)

  it("have sensible channels of their own", function()
    local sim = assert(four_bar():simulate {})
    local recording = sim:record { every = 1 }
    assert.are.same({
      { label = "A.angle", unit = "rad" }, { label = "B.angle", unit = "rad" },
      { label = "C.angle", unit = "rad" }, { label = "D.angle", unit = "rad" },
      { label = "energy.total", unit = "J" }, { label = "residual.position", unit = "" },
    }, recording.channels)
    assert.are.equal(sim, recording.sim)
    assert.are.same({
      { label = "ball.position.x", unit = "m" }, { label = "ball.position.y", unit = "m" },
      { label = "energy.total", unit = "J" },
    }, ball():record { every = 1 }.channels)
    local mixed = sarrus.model { body.point { "free", mass = 1, position = { 5, 5 } },
      body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "J", "ground", "arm", at = { 0, 0 } } }
    assert.are.same({
      { label = "J.angle", unit = "rad" },
      { label = "free.position.x", unit = "m" }, { label = "free.position.y", unit = "m" },
      { label = "energy.total", unit = "J" }, { label = "residual.position", unit = "" },
    }, assert(mixed:simulate {}):record { every = 1 }.channels)
    local dae = sarrus.dae { differential = { "x" }, algebraic = { "z" },
      derivative = function(_, y) return { y.z } end,
      constraints = function(x, y) return { y.z + x.x } end }
    local decay = assert(dae:simulate { x = { 1 } })
    local fallen = decay:record { every = 1 }
    assert(decay:advance(1))
    assert.are.near(math.exp(-1), fallen["x.x"][2], 1e-12)
    assert.are.near(-math.exp(-1), fallen["y.z"][2], 1e-12)
  end)

  it("have frames of bodies and joints in space", function()
    local model = sarrus.model {
      name = "top", gravity = { 0, 0, -9.81 },
      body.cylinder { "top", position = { 0.1, 0, 0 }, radius = 0.05, length = 0.02,
        axis = { 1, 0, 0 }, mass = 0.5, spin = { 150, 0, 0 } },
      body.point { "mote", position = { 1, 2, 3 }, velocity = { 1, 0, 0 }, mass = 1 },
      joint.spherical { "tip", "ground", "top", at = { 0, 0, 0 } },
    }
    local sim, other = assert(model:simulate {}), assert(model:simulate {})
    local recording = sim:record { every = 0.01, channels = { "top.orientation.x", "top.rates.x",
      "top.spin.z" } }
    assert(sim:advance(1))
    local k, last = 0
    for t, s in other:samples(1, 0.01) do
      k = k + 1
      local frame, b, tip = recording.frames[k], s:body("top"), s:joint("tip")
      local p = frame.poses
      assert.are.equal(26, #p)
      assert.are.near(t, frame.t, 1e-15)
      assert.are.near(b.orientation[2], recording["top.orientation.x"][k], 1e-12)
      local turned = 0
      for i = 1, 4 do
        turned = turned + b.orientation[i] * p[3 + i]
      end
      assert.are.near(1, math.abs(turned), 1e-9)
      for i = 1, 3 do
        assert.are.near(b.position[i], p[i], 1e-12)
        assert.are.near(b.velocity[i], p[7 + i], 1e-10)
        assert.are.near(b.spin[i], p[10 + i], 1e-9)
        assert.are.near(0, frame.reactions[i], 1e-12)
        assert.are.near(tip.force[i], frame.reactions[3 + i], 1e-9)
        assert.are.near(i + (i == 1 and t or 0), p[13 + i] + (i == 3 and 4.905 * t ^ 2 or 0), 1e-9)
      end
      if last then -- no quaternion jumps to its negative
        local step = p[4] * last[4] + p[5] * last[5] + p[6] * last[6] + p[7] * last[7]
        assert.is_true(step > 0)
      end
      last = p
    end
    assert.are.equal(101, k)
  end)

  it("say all that is wrong with their channels", function()
    local sim = assert(four_bar():simulate {})
    local good, message = pcall(sim.record, sim, { every = 0, chanels = {}, channels = {
      "A.angel", "crnk.position.x", "crank.position.q", "crank.position", "A.angle.x", "A", 3,
      { "t", print }, { "A.rate" }, "A.angle", "A.angle", "energy.totl", "parameter.k",
    } })
    assert.is_false(good)
    local lines = {}
    for line in message:gmatch("[^\n]+") do
      lines[#lines + 1] = line:gsub('^.-model "four%-bar": record: ', "")
    end
    assert.are.same({
      "unknown field 'chanels' (did you mean 'channels'?)",
      "every: 0 is not positive",
      [[channels[1]: unknown quantity of A "angel" (did you mean 'angle'?), want one of angle, ]]
        .. "rate, force, torque",
      [[channels[2]: unknown part "crnk" (did you mean 'crank'?), want one of crank, coupler, ]]
        .. "rocker, A, B, C, D, energy, residual",
      [[channels[3]: unknown component of crank.position "q", want one of x, y]],
      "channels[4]: crank.position has components: crank.position.x, crank.position.y",
      "channels[5]: A.angle is one number, without components",
      [[channels[6]: unknown quantity of A "", want one of angle, rate, force, torque]],
      [[channels[7]: got number 3, want "part.quantity" or { "label", function(s) … end }]],
      [[channels[8]: the name "t" is taken]],
      "missing field 'channels[9][2]'",
      [[channels[11]: the name "A.angle" is taken]],
      [[channels[12]: unknown quantity of energy "totl" (did you mean 'total'?), want one of ]]
        .. "kinetic, potential, total",
      [[channels[13]: unknown part "parameter", want one of crank, coupler, rocker, A, B, C, D, ]]
        .. "energy, residual",
    }, lines)
  end)

  it("have intervals that time can tell", function()
    local sim = assert(circle():simulate { q = { 1, 0 }, t = 1e6 })
    local _, message = pcall(sim.record, sim, { every = 1e-11 })
    assert.are.equal('system "circle": record: every: 1e-11 is nothing beside the time, 1000000',
      (message:gsub("^.-:%d+: ", "")))
  end)

  it("say which channel is missing", function()
    local sim = assert(four_bar():simulate {})
    local recording = sim:record { every = 1 }
    local _, message = pcall(function() return recording["A.angel"] end)
    assert.are.equal([[the recording has no channel "A.angel" (did you mean 'A.angle'?)]],
      (message:gsub("^.-:%d+: ", "")))
  end)

  it("tell what a script's channel did wrong, and can go on", function()
    local sim = assert(four_bar():simulate {})
    local angry = true
    local recording = sim:record { every = 0.5, channels = { { "f", function(s)
      if angry and s.t >= 1 then
        error("too late", 0)
      end
      return s.t
    end } } }
    local result, message, code = sim:advance(2)
    assert.is_nil(result)
    assert.are.equal("CALLBACK", code)
    assert.are.equal('model "four-bar": record: channel "f" at t = 1: too late',
      message:match("^[^\n]+"))
    assert.are.equal(1, sim.time)
    angry = false
    assert(sim:advance(2))
    assert.are.same({ 0, 0.5, 1, 1.5, 2 }, recording.f)
    sim:record { every = 1, channels = { { "words", function() return "many" end } } }
    result, message, code = sim:advance(3)
    assert.is_nil(result)
    assert.are.equal('model "four-bar": record: channel "words" at t = 2: got string "many", '
      .. "want number", message)
    assert.are.equal("CALLBACK", code)
  end)

  it("cannot be used to move the simulation", function()
    local sim = assert(four_bar():simulate {})
    local f = function() return sim:advance(9) and 0 end
    sim:record { every = 1, channels = { { "f", f } } }
    local result, message, code = sim:advance(1)
    assert.is_nil(result)
    assert.are.equal("CALLBACK", code)
    assert.is_truthy(message:find("a callback cannot move or close it", 1, true))
  end)

  it("outlive their simulation", function()
    local sim = assert(circle():simulate { q = { 1, 0 }, v = { 0, 1 } })
    local recording = sim:record { every = 1 }
    assert(sim:advance(2))
    sim:close()
    sim = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    assert.are.same({ 0, 1, 2 }, recording.t)
    assert.are.near(math.sin(2), recording["q.y"][3], 1e-12)
  end)

  it("can be closed by what they ask, and by actions", function()
    local sim, recording = ball { bounce() }, nil
    recording = sim:record { every = 0.25, channels = { { "f", function(s)
      return s.t == 0.75 and recording:close() and 0 or s.t
    end } } }
    local other
    local stop = sarrus.event { "half", when = function(s) return s.t - 0.5 end,
      action = function() other:close() end }
    local second = ball { stop }
    other = second:record { every = 0.25 }
    assert.are.equal("END", (sim:advance(2)))
    assert.are.same({ 0, 0.25, 0.5 }, recording.f)
    assert.are.equal("END", (second:advance(2)))
    assert.are.same({ 0, 0.25 }, other.t)
  end)

  it("are fed no more once they are closed", function()
    local sim = assert(circle():simulate { q = { 1, 0 }, v = { 0, 1 } })
    local square = { "t2", function(s) return s.t ^ 2 end }
    local recording = sim:record { every = 1, channels = { square } }
    assert(sim:advance(2))
    recording:close()
    recording:close()
    assert(sim:advance(4))
    assert.are.same({ 0, 1, 4 }, recording.t2)
  end)
end)
