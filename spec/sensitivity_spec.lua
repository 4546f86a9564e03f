-- Derivatives of simulations by parameters and starting values.
local sarrus = require "sarrus"
local body, force, joint, shape = sarrus.body, sarrus.force, sarrus.joint, sarrus.shape

local function message_of(f, ...)
  local good, message = pcall(f, ...)
  assert.is_false(good)
  return (message:gsub("^[^:]*:%d+: ", ""))
end

local function near(expected, found, tolerance)
  assert.is_true(math.abs(found - expected) <= tolerance * math.max(1, math.abs(expected)),
    ("%.17g in place of %.17g"):format(found, expected))
end

--- x'' = -w^2 x - 2 c x', by the closed form of x and its derivatives (c = 0).
local function oscillator()
  local w = sarrus.parameter("w", 2)
  return sarrus.system {
    name = "oscillator", coordinates = { "x" },
    mass = function() return { { 1 } } end,
    force = function(q) return { -w ^ 2 * q.x } end,
  }
end

describe("sensitivity", function()
  it("is that of a closed form", function()
    local sim = assert(oscillator():simulate { q = { 1 }, v = { 0.5 }, tolerance = 1e-14,
      sensitivity = { "w", "start.q.x", "start.v.x" } })
    for t, s in sim:samples(10, 0.7) do
      local c, d = math.cos(2 * t), math.sin(2 * t)
      near(-t * d + 0.5 * (t * c / 2 - d / 4), s:derivative("q.x", "w"), 1e-13)
      near(c, s:derivative("q.x", "start.q.x"), 1e-13)
      near(d / 2, s:derivative("q.x", "start.v.x"), 1e-13)
      near(-2 * d, s:derivative("v.x", "start.q.x"), 1e-13)
      near(-4 * c, s:derivative("a.x", "start.q.x"), 1e-13)
    end
  end)

  it("is that of where a body of the plane is turned to, and of how fast it turns", function()
    local sim = assert(sarrus.model { name = "spinner",
      body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 1, spin = 2 },
    }:simulate { sensitivity = { "start.b.angle", "start.b.spin" } })
    assert(sim:advance(3))
    near(1, sim:state():derivative("b.angle", "start.b.angle"), 1e-11)
    near(3, sim:state():derivative("b.angle", "start.b.spin"), 1e-11)
  end)

  it("is asked for by parameters or by their names", function()
    local k = sarrus.parameter("k", 4)
    local model = sarrus.model { name = "slider",
      body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = 1 },
      joint.prismatic { "P", "ground", "b", at = { 0, 0 }, axis = { 1, 0 }, stiffness = k } }
    local start = { joints = { P = { length = 1 } }, sensitivity = { k } }
    local sim = assert(model:simulate(start))
    assert(sim:advance(1)) -- cos(sqrt(k) t)
    near(-math.sin(2) / 4, sim:state():derivative("P.length", k), 1e-11)
    assert.are.equal(sim:state():derivative("P.length", "k"),
      sim:state():derivative("P.length", k))
    assert.are.same({ "k" }, model:linearise({ inputs = { k } }).inputs)
    local t, x = {}, {}
    for i = 1, 21 do
      t[i], x[i] = (i - 1) / 10, math.cos((i - 1) / 10 * 3)
    end
    for _, wanted in ipairs { k, "k", { k, low = 5 } } do
      local fitted = assert(sarrus.fit { model, parameters = { wanted },
        joints = { P = { length = 1 } }, data = { t = t, ["P.length"] = x } })
      near(9, fitted.values.k, 1e-9)
    end
    assert.are.equal("fit: parameters[1]: got an expression, want a parameter or its name",
      message_of(sarrus.fit, { model, parameters = { 2 * k }, data = { t = t, ["P.length"] = x } }))
    assert.are.equal("fit: got nil, want a model or a system first: { model, parameters = … }",
      message_of(sarrus.fit, { parameters = { k }, data = { t = t, ["P.length"] = x } }))
    start.sensitivity = { k, "k" }
    assert.are.equal('model "slider": simulate: sensitivity[2]: "k" stands there twice',
      message_of(model.simulate, model, start))
  end)

  it("changes nothing of the motion", function()
    local function run(names)
      local sim = assert(oscillator():simulate { q = { 1 }, v = { 0.5 }, sensitivity = names })
      assert(sim:advance(10))
      return sim:state().q.x, sim:stats().steps
    end
    local x, steps = run()
    local y, others = run { "w" }
    assert.are.equal(x, y)
    assert.are.equal(steps, others)
  end)

  it("keeps the energy of a loop as it was at the start", function()
    local height = sarrus.parameter("height", 1)
    local loop = sarrus.model {
      name = "loop", gravity = { 0, -9.81 },
      body.rod { "crank", from = { 0, 0 }, to = { 0, height }, mass = 1 },
      body.rod { "coupler", from = { 0, height }, to = { 2, 2 }, mass = 1 },
      body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
      joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
      joint.revolute { "B", "crank", "coupler", at = { 0, height } },
      joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
      joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
    }
    local names = { "height", "start.A.angle", "start.A.rate" }
    local sim = assert(loop:simulate { tolerance = 1e-14, sensitivity = names,
      joints = { A = { angle = 0.1, rate = 0.5 } } })
    local first = sim:state()
    assert(sim:advance(2))
    local last = sim:state()
    for _, name in ipairs(names) do
      near(first:derivative("energy.total", name), last:derivative("energy.total", name), 1e-10)
      near(0, last:derivative("residual.position", name), 1e-13)
    end
    near(1, first:derivative("A.angle", "start.A.angle"), 1e-13)
    near(1, first:derivative("A.rate", "start.A.rate"), 1e-13)
  end)

  it("goes through bounces, whose instants change, in closed form", function()
    local e, g = sarrus.parameter("e", 0.9), sarrus.parameter("g", 9.81)
    local ball = sarrus.system {
      name = "ball", coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function() return { -g } end,
      contacts = { { "floor", gap = function(q) return q.x end, restitution = e } },
    }
    local n, t1 = 0, math.sqrt(2 / 9.81)
    local sim = assert(ball:simulate { q = { 1 }, v = { 0 }, tolerance = 1e-13,
      sensitivity = { "e", "g", "start.q.x" },
      events = { sarrus.event { "touch", contact = "floor", on = "touch", action = function(_, s)
        n = n + 1
        local sum, slope = 1, 0
        for k = 1, n - 1 do
          sum, slope = sum + 2 * 0.9 ^ k, slope + 2 * k * 0.9 ^ (k - 1)
        end
        near(t1 * slope, s:derivative("time", "e"), 1e-12)
        near(-0.5 * t1 / 9.81 * sum, s:derivative("time", "g"), 1e-12)
        near(0.5 * t1 * sum, s:derivative("time", "start.q.x"), 1e-12)
      end } } })
    assert(sim:advance(6))
    assert.are.equal(11, n)
  end)

  it("comes to rest with what it depends on", function()
    local mu = sarrus.parameter("mu", 0.3) -- stops after v^2 / (2 mu g)
    local block = sarrus.model {
      name = "block", gravity = { 0, -9.81 },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      body.box { "b", position = { 0, 0.1 }, size = { 0.4, 0.2 }, mass = 2, velocity = { 2, 0 } },
      sarrus.contact.pair { "sole", "floor", "b", friction = mu },
    }
    local sim = assert(block:simulate { tolerance = 1e-14,
      sensitivity = { "mu", "start.b.velocity.x" } })
    assert(sim:advance(3))
    local s = sim:state()
    near(-4 / (2 * 0.09 * 9.81), s:derivative("b.position.x", "mu"), 1e-12)
    near(2 / (0.3 * 9.81), s:derivative("b.position.x", "start.b.velocity.x"), 1e-12)
    near(0, s:derivative("b.velocity.x", "mu"), 1e-13)
  end)

  it("goes through impacts with friction where joints leave one freedom", function()
    local function speed(length, mu, names)
      local rod = sarrus.model {
        name = "rod", gravity = { 0, -9.81 },
        shape.line { "floor", "ground", at = { 0, -0.5 }, normal = { 0, 1 } },
        body.rod { "b", from = { 0, 0 }, to = { sarrus.parameter("length", length), 0.2 },
          mass = 1 },
        joint.revolute { "J", "ground", "b", at = { 0, 0 } },
        sarrus.contact.pair { "c", "floor", "b", friction = sarrus.parameter("mu", mu),
          restitution = 0.5 },
      }
      local sim = assert(rod:simulate { tolerance = 1e-14, sensitivity = names })
      assert(sim:advance(0.62))
      return sim:state()
    end
    local s, h = speed(1, 0.3, { "length", "mu" }), 1e-3
    local function difference(f)
      return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + f(3 * h) - f(-3 * h)) / (60 * h)
    end
    near(difference(function(by)
      return speed(1 + by, 0.3):joint("J").rate
    end), s:derivative("J.rate", "length"), 1e-9)
    near(difference(function(by)
      return speed(1, 0.3 + by):joint("J").rate
    end), s:derivative("J.rate", "mu"), 1e-9)
  end)

  it("is refused by a coefficient of friction of 0, beside which friction begins", function()
    local function slide(height)
      local mu = sarrus.parameter("mu", 0)
      local block = sarrus.model {
        name = "block", gravity = { 0, -9.81 },
        shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
        body.box { "b", position = { 0, 0.1 + height }, size = { 0.4, 0.2 }, mass = 2,
          velocity = { 2, 0 } },
        sarrus.contact.pair { "sole", "floor", "b", friction = mu },
      }
      local sim = assert(block:simulate { sensitivity = { "mu" } })
      assert(sim:advance(0.5))
      local s = sim:state()
      return select(2, pcall(s.derivative, s, "b.position.x", "mu"))
    end
    local words = "or friction of a coefficient 0 would begin"
    assert.is_truthy(slide(0):find("there is none from t = 0 on: .*" .. words))
    assert.is_truthy(slide(0.1):find("there is none from t = 0.1427.*" .. words))
  end)

  it("is recorded by names that are followed, and by no others", function()
    local function refused(names, label)
      local sim = assert(oscillator():simulate { q = { 1 }, v = { 0.5 }, sensitivity = names })
      local ok, message = pcall(sim.record, sim, { every = 1, channels = { label } })
      assert.is_false(ok)
      return (message:gsub("^.-: record", "record"))
    end
    assert.are.equal("record: channels[1]: q.x:w: no derivatives are followed: give simulate "
      .. 'sensitivity = { "w" }', refused(nil, "q.x:w"))
    assert.are.equal('record: channels[1]: q.x:zz: "zz" is not followed: sensitivity lists w',
      refused({ "w" }, "q.x:zz"))
  end)

  it("is recorded, saved, restored and cloned", function()
    local system = oscillator()
    local given = { q = { 1 }, v = { 0.5 }, sensitivity = { "w" } }
    local sim = assert(system:simulate(given))
    local recording = sim:record { every = 1, channels = { "q.x", "q.x:w" } }
    assert(sim:advance(2))
    assert.are.equal(sim:state():derivative("q.x", "w"), recording["q.x:w"][3])
    local copies = { sim:clone(), assert(system:restore(sim:save(), { sensitivity = { "w" } })) }
    assert(sim:advance(5))
    for _, copy in ipairs(copies) do
      assert(copy:advance(5))
      assert.are.equal(sim:state():derivative("v.x", "w"), copy:state():derivative("v.x", "w"))
    end
    local none, message, code = system:restore(sim:save())
    assert.is_nil(none)
    assert.are.equal('system "oscillator": restore: saved with 1 name of sensitivity, given 0: '
      .. "give `restore` the same `sensitivity`", message)
    assert.are.equal("FORMAT", code)
  end)

  it("refuses in words", function()
    local system = oscillator()
    local function refusal(names)
      return (message_of(system.simulate, system, { q = { 1 }, sensitivity = names })
        :gsub('^system "oscillator": simulate: sensitivity:? ?', ""))
    end
    assert.are.equal('"v" is no parameter and no starting value', refusal { "v" })
    assert.are.equal('"start.q.y" is no parameter and no starting value (did you mean '
      .. "'start.q.x'?)", refusal { "start.q.y" })
    assert.are.equal("got number 3, want a list of names", refusal(3))
    assert.are.equal('[2]: "w" stands there twice', refusal { "w", "w" })
    local plain = assert(system:simulate { q = { 1 } }):state()
    assert.are.equal("derivative: no derivatives are followed: give simulate sensitivity = "
      .. '{ "name" }', message_of(plain.derivative, plain, "q.x", "w"))
    local s = assert(system:simulate { q = { 1 }, sensitivity = { "w" } }):state()
    assert.are.equal('derivative: "k" is not followed: sensitivity lists w',
      message_of(s.derivative, s, "q.x", "k"))
    assert.are.equal('derivative: "time" is that of an event, and is asked for in its action',
      message_of(s.derivative, s, "time", "w"))
    assert.are.equal('derivative: unknown part "p", want one of q, v, a, parameter',
      message_of(s.derivative, s, "p.x", "w"))
  end)

  it("is found where the stiffness of a spring hardly matters any more", function()
    local k, m = sarrus.parameter("k", 1), sarrus.parameter("m", 1)
    for _, stiffness in ipairs { 1e6, 1e7 } do
      local model = sarrus.model {
        gravity = { 0, -9.81 }, body.point { "b", mass = m, position = { 0.8, -0.6 } },
        force.spring { "S", "ground", "b", from = { 0, 0 }, to = { 0.8, -0.6 }, stiffness = k,
          length = 1, damping = 2 * math.sqrt(stiffness) },
      }
      local function derivatives(method)
        local sim = assert(model:simulate { method = method, tolerance = 1e-13,
          sensitivity = { "k", "m" }, parameters = { k = stiffness } })
        assert(sim:advance(2))
        local s = sim:state()
        return stiffness * s:derivative("b.position.x", "k"), s:derivative("b.position.x", "m")
      end
      local by_k, by_m = derivatives("series")
      for _, method in ipairs { "stiff", "auto" } do
        local k_too, m_too = derivatives(method)
        near(by_k, k_too, 1e-13)
        near(by_m, m_too, 1e-13)
      end
    end
  end)

  it("names a direction in which no motion goes", function()
    local a = sarrus.parameter("a", 1)
    local twice = sarrus.system { -- the second constraint holds for one length only
      name = "twice", coordinates = { "x", "y" },
      mass = function() return { { 1, 0 }, { 0, 1 } } end,
      force = function() return { 0, -1 } end,
      constraints = function(q)
        return { q.x ^ 2 + q.y ^ 2 - a ^ 2, q.x ^ 2 + q.y ^ 2 - 1 }
      end,
    }
    local sim, message, code = twice:simulate { q = { 1, 0 }, sensitivity = { "a" } }
    assert.is_nil(sim)
    assert.are.equal("INCONSISTENT", code)
    assert.is_truthy(message:find('no motion goes on with another "a": ', 1, true), message)
  end)
end)

describe("the sensitivity of a model by its start", function()
  local gravity = 10

  --- A free body, and a slider that oscillates as cos(2 t), with derivatives by all that is named.
  local function free(dimension, names)
    local function vector(x, y)
      return dimension == 2 and { x, y } or { x, y, 0 }
    end
    local model = sarrus.model { gravity = vector(0, -gravity),
      body.rigid { "b", position = vector(1, 2), velocity = vector(3, 4), mass = 2,
        spin = dimension == 2 and 5 or { 0, 0, 5 },
        inertia = dimension == 2 and 1 or { 1, 1, 1 } },
      body.rigid { "s", position = vector(9, 0), mass = 1,
        inertia = dimension == 2 and 1 or { 1, 1, 1 } },
      joint.prismatic { "P", "ground", "s", at = vector(9, 0), axis = vector(1, 0),
        stiffness = 4 },
    }
    local sim = assert(model:simulate { sensitivity = names, joints = { P = { length = 0.5 } } })
    assert(sim:advance(0.75))
    return sim:state()
  end

  it("is that of free flight, and of an oscillator, in closed form", function()
    local t = 0.75
    for dimension = 2, 3 do
      local names = { "start.b.position.x", "start.b.position.y", "start.b.velocity.x",
        "start.b.velocity.y", "start.P.length", "start.P.speed" }
      if dimension == 2 then
        names[#names + 1], names[#names + 2] = "start.b.angle", "start.b.spin"
      else
        names[#names + 1], names[#names + 2] = "start.b.spin.z", "start.b.position.z"
      end
      local s = free(dimension, names)
      for _, axis in ipairs { "x", "y" } do
        near(1, s:derivative("b.position." .. axis, "start.b.position." .. axis), 1e-11)
        near(t, s:derivative("b.position." .. axis, "start.b.velocity." .. axis), 1e-11)
        near(1, s:derivative("b.velocity." .. axis, "start.b.velocity." .. axis), 1e-11)
        near(0, s:derivative("b.velocity." .. axis, "start.b.position." .. axis), 1e-11)
        near(0, s:derivative("P.length", "start.b.position." .. axis), 1e-11)
      end
      near(0, s:derivative("b.position.x", "start.b.position.y"), 1e-11)
      near(math.cos(2 * t), s:derivative("P.length", "start.P.length"), 1e-11)
      near(math.sin(2 * t) / 2, s:derivative("P.length", "start.P.speed"), 1e-11)
      near(-2 * math.sin(2 * t), s:derivative("P.speed", "start.P.length"), 1e-11)
      if dimension == 2 then
        near(1, s:derivative("b.angle", "start.b.angle"), 1e-11)
        near(t, s:derivative("b.angle", "start.b.spin"), 1e-11)
      else
        near(1, s:derivative("b.spin.z", "start.b.spin.z"), 1e-11)
        near(1, s:derivative("b.position.z", "start.b.position.z"), 1e-11)
        near(0, s:derivative("b.position.x", "start.b.position.z"), 1e-11)
      end
    end
  end)

  it("is exact by parameters that the drawing depends on by a power", function()
    for _, value in ipairs { 1.5, -0.5, 0 } do
      local k = sarrus.parameter("k", value)
      local sim = assert(sarrus.model { gravity = { 0, -gravity },
        body.point { "p", position = { k ^ 6 + 2 * k, 1 }, velocity = { k ^ 5, 0 }, mass = 1 },
      }:simulate { sensitivity = { "k" } })
      assert(sim:advance(2))
      local slope = 6 * value ^ 5 + 2
      near(slope + 2 * 5 * value ^ 4, sim:state():derivative("p.position.x", "k"), 1e-10)
      near(5 * value ^ 4, sim:state():derivative("p.velocity.x", "k"), 1e-10)
      near(0, sim:state():derivative("p.position.y", "k"), 1e-11)
    end
  end)
end)
