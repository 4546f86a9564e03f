local sarrus = require "sarrus"
local pace = dofile "spec/pace.lua"
local four_bar = dofile("spec/sketches.lua").four_bar
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

describe("a model", function()
  it("runs as the page of the interface says", function()
    local sim = assert(four_bar():simulate { tolerance = 1e-12 })
    local before, count = nil, 0
    for t, s in sim:samples(10, 0.01) do
      local energy = s:energy()
      before = before or energy.total
      assert.near(before, energy.total, 1e-10)
      assert.near(energy.total, energy.kinetic + energy.potential, 1e-12)
      assert.is_true(s:residual().position < 1e-13)
      assert.equal(t, s.t)
      count = count + 1
    end
    assert.equal(1001, count)
    assert.equal(1, four_bar():freedoms())
  end)

  it("takes parts from lists, loops and functions", function()
    local function leg(name, x)
      return {
        body.rod { name, from = { x, 0 }, to = { x, -1 }, mass = 1 },
        joint.revolute { name .. " hip", "ground", name, at = { x, 0 } },
      }
    end
    local model = sarrus.model { gravity = { 0, -9.81 }, leg("left", 0), { leg("right", 1) } }
    assert.equal(2, model:freedoms())
    model:add(body.point { "bob", position = { 5, 5 }, mass = 1 })
    assert.equal("model: 3 bodies, 2 joints, 0 forces", tostring(model))
  end)

  it("does not follow later changes of the tables it was given", function()
    local given = { "p", position = { 0, 0 }, mass = 1 }
    local part = body.point(given)
    given.mass = -1
    assert.truthy(sarrus.model { part })
  end)

  it("knows parameters", function()
    local m = sarrus.parameter("m", 2)
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = m },
      joint.revolute { "J", "ground", "r", at = { 0, 0 }, torque = sarrus.parameter("tau", 0) },
    }
    local sim = assert(model:simulate { parameters = { m = 3 } })
    assert.near(3 * 9.81 / 4, sim:state():joint("J").force.y, 1e-12)
    assert(sim:set("tau", 3 * 9.81 / 2))
    local s = sim:state()
    assert.near(3 * 9.81, s:joint("J").force.y, 1e-12) -- held
    assert.near(3 * 9.81 / 2, s:joint("J").torque, 1e-12)
    assert.equal(3, sim:get("m"))
    local speed = sarrus.parameter("speed", 2)
    model = sarrus.model {
      body.point { "p", position = { 0, 0 }, mass = 1, velocity = { speed, 2 * speed } },
      force.drag { "air", "p", linear = speed },
    }
    assert.equal(4, assert(model:simulate {}):state():velocity("p").y)
    assert.equal(6, assert(model:simulate { parameters = { speed = 3 } }):state():velocity("p").y)
  end)

  it("gives a parameter one value, and says where it has another", function()
    local m, other = sarrus.parameter("m", 1), sarrus.parameter("m", 2)
    local function rods(one, two)
      return sarrus.model {
        body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = one },
        body.rod { "q", from = { 0, 0 }, to = { 1, 0 }, mass = 1, velocity = { 0, two } },
      }
    end
    assert(rods(m, sarrus.parameter("m", 1) * 2))
    local ok, message = pcall(rods, m, 3 * other)
    assert.is_false(ok)
    assert.truthy(message:find('body.rod "q": parameter "m" is 2, but 1 in body.rod "r"', 1, true))
    ok, message = pcall(sarrus.model, { gravity = { 0, -other },
      body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = m } })
    assert.is_false(ok)
    assert.truthy(message:find('body.rod "r": parameter "m" is 1, but 2 in gravity', 1, true))
    local model = rods(m, 1)
    assert.has_error(function()
      model:add(body.point { "p", position = { 0, 0 }, mass = sarrus.parameter("new", -1) })
    end)
    model:add(body.point { "p", position = { 0, 0 }, mass = sarrus.parameter("new", 2) })
  end)

  it("prints itself and its states", function()
    local model = sarrus.model { name = "arm", body.rod { "r", from = { 0, 0 }, to = { 1, 0 },
      mass = 1 }, joint.revolute { "J", "ground", "r", at = { 0, 0 }, axis = { 0, 0, 1 } } }
    assert.equal('model "arm": 1 body, 1 joint, 0 forces', tostring(model))
    local s = assert(model:simulate { joints = { J = { rate = 2 } } }):state()
    assert.equal('model "arm" at t = 0\n'
      .. "  r { angle = 0, position = { 0.5, 0 }, spin = 2, velocity = { 0, 1 }, x = 0.5, y = 0 }\n"
      .. "  J { angle = 0, rate = 2 }", tostring(s))
    assert.equal("{ r.x = 0.5, r.y = 0, r.angle = 0 }", tostring(s.q))
    assert.truthy(tostring(s:energy()):find("^{ kinetic = 0.66"))
    assert.truthy(tostring(s:joint("J")):find("unique_force = { true, true }", 1, true))
  end)

  it("explains itself", function()
    local text = four_bar():explain "model"
    for _, word in ipairs { "four-bar", "planar", "crank", "revolute", "1 freedom" } do
      assert.truthy(text:find(word, 1, true), word)
    end
    assert.truthy(four_bar():explain("equations"):find("crank.x", 1, true))
    assert.truthy(four_bar():explain("structure"))
    assert.truthy(four_bar():explain("tape"))
    local ok, message = pcall(four_bar().explain, four_bar(), "modle")
    assert.is_false(ok)
    assert.truthy(message:find("did you mean 'model'?", 1, true))
  end)

  it("warns of a rod that is joined away from its ends", function()
    local model = sarrus.model {
      body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "J", "ground", "r", at = { 0.5, 0 } },
    }
    assert.equal("rod_joint", model:warnings()[1].code)
    assert.equal(0, #four_bar():warnings())
  end)

  it("lets a rod slide, or turn, in its own line anywhere", function()
    local function warnings(kind, axis)
      local model = sarrus.model {
        body.rod { "r", from = { 0, 0, 0 }, to = { 1, 1, 0 }, mass = 1, radius = 0.1 },
        joint[kind] { "J", "ground", "r", at = { 0.5, 0.5, 0 }, axis = axis },
      }
      return #model:warnings()
    end
    for _, kind in ipairs { "prismatic", "cylindrical", "revolute" } do
      assert.equal(0, warnings(kind, { -2, -2, 0 }))
      assert.equal(1, warnings(kind, { 1, 0, 0 }))
    end
  end)
end)

describe("a model's start", function()
  it("keeps what is given for joints", function()
    local model = four_bar()
    local s = assert(model:simulate { joints = { A = { angle = 0.3, rate = 2 } } }):state()
    assert.near(0.3, s:joint("A").angle, 1e-14)
    assert.near(2, s:joint("A").rate, 1e-13)
    assert.is_true(s:residual().position < 1e-14 and s:residual().velocity < 1e-13)
    s = assert(model:simulate { joints = { C = { angle = 0.2, rate = -1 } } }):state()
    assert.near(0.2, s:joint("C").angle, 1e-14)
    assert.near(-1, s:joint("C").rate, 1e-13)
  end)

  it("says what of it could not be kept", function()
    local sim = assert(four_bar():simulate {
      joints = { A = { angle = 0.3 }, D = { angle = 0.3 } },
    })
    local codes = {}
    for i, warning in ipairs(sim:warnings()) do
      codes[i] = warning.code
    end
    assert.same({ "moved", "not_kept", "not_kept" }, codes)
    assert.truthy(sim:warnings()[2].message:find("A.angle = 0.3 was given", 1, true))
    assert.equal("A", sim:warnings()[2].object)
    assert.is_true(sim:state():residual().position < 1e-14)
  end)

  it("propagates the velocity that is given for one body", function()
    local model = four_bar { [1] = body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1,
      spin = 5 } }
    local s = assert(model:simulate {}):state()
    assert.near(5, s:body("crank").spin, 1e-13)
    assert.is_true(s:residual().velocity < 1e-14)
    s = assert(model:simulate { bodies = { crank = { spin = -1 } } }):state()
    assert.near(-1, s:body("crank").spin, 1e-14)
  end)

  it("carries the rest of an open chain along", function()
    local model = sarrus.model {
      body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.rod { "b", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "a", at = { 0, 0 } },
      joint.revolute { "B", "a", "b", at = { 1, 0 } },
    }
    local s = assert(model:simulate { joints = { A = { angle = 1, rate = 2 } } }):state()
    assert.near(0, s:joint("B").angle, 1e-15)
    assert.near(0, s:joint("B").rate, 1e-14)
    assert.near(2 * math.cos(1), s:point("b", { 0.5, 0 }).x, 1e-14)
    s = assert(model:simulate {
      joints = { A = { angle = 1, rate = 2 }, B = { angle = -1, rate = 3 } },
    }):state()
    assert.near(math.cos(1) + 1, s:point("b", { 0.5, 0 }).x, 1e-14)
    assert.near(5, s:body("b").spin, 1e-14)
  end)

  it("closes a drawing with gaps, and reports what moved", function()
    local model = sarrus.model {
      body.rod { "crank", from = { 0, 0 }, to = { 0.05, 0.95 }, mass = 1 },
      body.rod { "coupler", from = { 0, 1 }, to = { 2.1, 2.1 }, mass = 1 },
      body.rod { "rocker", from = { 3, 0.1 }, to = { 2, 2 }, mass = 1 },
      joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
      joint.revolute { "B", "crank", "coupler", at = { a = { 0.05, 0.95 }, b = { 0, 1 } } },
      joint.revolute { "C", "coupler", "rocker", at = { a = { 2.1, 2.1 }, b = { 2, 2 } } },
      joint.revolute { "D", "rocker", "ground", at = { a = { 3, 0.1 }, b = { 3, 0 } } },
    }
    local s, report = model:assemble {}
    assert.is_true(s:residual().position < 1e-14)
    assert.is_true(report.moved > 0.01 and report.moved < 0.3)
    local sim = assert(model:simulate {})
    assert.equal("moved", sim:warnings()[1].code)
    assert.same(report, sim:stats().assembly)
    assert.is_true(report.bodies.coupler.moved > 0.01 and report.bodies.coupler.turned > 1e-3)
    assert.equal(sim:warnings()[1].object, report.most)
  end)

  it("takes poses of bodies", function()
    local model = sarrus.model { body.rigid { "b", position = { 0, 0, 0 }, mass = 1,
      inertia = { 1, 2, 2.5 } } }
    local s = assert(model:simulate { bodies = { b = {
      position = { 1, 2, 3 }, orientation = { axis = { 0, 0, 1 }, angle = math.pi / 2 },
      velocity = { 4, 5, 6 }, spin = { 1, 0, 0 },
    } } }):state()
    assert.near(2, s:body("b").position.y, 1e-15)
    assert.near(3, s:point("b", { 1, 0, 0 }).y, 1e-15)
    assert.near(math.sqrt(0.5), s:body("b").orientation[4], 1e-15)
    assert.near(-1, s:body("b").rates.y, 1e-15)
    assert.near(6, s:velocity("b").z, 1e-15)
    assert.near(7, s:velocity("b", { 1, 0, 0 }).z, 1e-15)
  end)
end)

describe("a model's states", function()
  it("are refilled and stay snapshots", function()
    local sim = assert(four_bar():simulate {})
    local s, first = sim:state(), sim:state()
    local angle = s:body("crank").angle
    assert(sim:advance(0.5))
    assert.equal(s, sim:state(s))
    assert.are_not.equal(angle, s:body("crank").angle)
    assert.equal(angle, first:body("crank").angle)
    assert.equal(s:joint("C").force.x, sim:at(0.5):joint("C").force.x)
  end)

  it("serve events", function()
    local hits = {}
    local sim = assert(four_bar():simulate { events = {
      sarrus.event { "level", direction = "both", when = function(s)
        return s:point("coupler", { 0, 0 }).y - 1.4
      end, action = function(_, s) hits[#hits + 1] = s:body("coupler").y end },
      sarrus.event { "force", stop = true, when = function(s)
        return s:joint("C").force.x - 10
      end },
    } })
    local result, name = sim:advance(2)
    assert.equal("EVENT", result)
    assert.equal("force", name)
    assert.near(10, sim:state():joint("C").force.x, 1e-9)
    assert.is_true(#hits > 0)
    assert.near(1.4, hits[1], 1e-13)
  end)

  it("take impulses at points", function()
    local model = sarrus.model { body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 2 } }
    local sim = assert(model:simulate {})
    assert(sim:impulse("r", { 0, 3 }, { 1, 0 }))
    local s = sim:state():body("r")
    assert.near(1.5, s.velocity.y, 1e-15)
    assert.near(3 * 0.5 / (2 / 12), s.spin, 1e-13)
    model = sarrus.model { body.rod { "r", from = { 0, 0, 0 }, to = { 1, 0, 0 }, mass = 2 } }
    sim = assert(model:simulate {})
    assert(sim:impulse("r", { 0, 3, 0 }, { 1, 0, 0 }))
    assert.near(3 * 0.5 / (2 / 12), sim:state():body("r").spin.z, 1e-13)
  end)

  it("tell the efforts for wanted accelerations, in loops too", function()
    local sim = assert(four_bar():simulate { joints = { A = { rate = 1 } } })
    local torque = sim:state():efforts { A = 0.5 }.A
    local driven = four_bar { [4] = joint.revolute { "A", "ground", "crank", at = { 0, 0 },
      torque = torque } }
    local s = assert(driven:simulate { joints = { A = { rate = 1 } } }):state()
    assert.near(0.5, s.a[3], 1e-12)
  end)
end)

describe("limits", function()
  local function pendulum(limits, torque)
    return sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "J", "ground", "r", at = { 0, 0 }, limits = limits, torque = torque },
    }
  end

  it("stop dead without restitution, and hold", function()
    local sim = assert(pendulum { -1, 0.5 }:simulate {})
    assert(sim:advance(2))
    local j = sim:state():joint("J")
    assert.near(-1, j.angle, 1e-14)
    assert.near(9.81 / 2 * math.cos(1), j.torque, 1e-12)
  end)

  it("give back all energy with restitution 1", function()
    local sim = assert(pendulum { -1, 0.5, restitution = 1 }:simulate {})
    assert(sim:advance(5))
    assert.near(0, sim:state():energy().total, 1e-11)
  end)

  it("come to rest with restitution below 1", function()
    local sim = assert(pendulum { -1, 0.5, restitution = 0.5 }:simulate {})
    assert(sim:advance(3))
    assert.near(-1, sim:state():joint("J").angle, 1e-13)
  end)

  it("let go where they would have to pull", function()
    for slope = 2, 8, 0.5 do -- the angle grows as t^3 from where it was held
      local sim = assert(pendulum({ 0, 1 }, slope * sarrus.time):simulate {})
      local t = 9.81 / 2 / slope
      assert(sim:advance(t - 0.05))
      assert.near(0, sim:state():joint("J").angle, 1e-13)
      assert(sim:advance(t + 0.5))
      assert.is_true(sim:state():joint("J").angle > 0.1)
    end
  end)
end)

describe("a large model", function()
  --- A chain of n rods, built and started.
  local function chain(n, dimension)
    local function at(x)
      return dimension == 2 and { x, 0 } or { x, 0, 0 }
    end
    local parts = { gravity = dimension == 2 and { 0, -9.81 } or { 0, -9.81, 0 } }
    for i = 1, n do
      local name, before = "b" .. i, i > 1 and "b" .. i - 1 or "ground"
      parts[#parts + 1] = body.rod { name, from = at(i - 1), to = at(i), mass = 1 }
      parts[#parts + 1] = joint.revolute { "j" .. i, before, name, at = at(i - 1),
        axis = { 0, 0, 1 } }
    end
    return assert(sarrus.model(parts):simulate {})
  end

  for dimension = 2, 3 do
    it(("of 1,000 bodies and joints in %dD is not dense"):format(dimension), function()
      local time, small = pace.seconds(function() return chain(100, dimension) end, 10)
      assert.is_true(time < 0.1, time .. " s for 100 bodies")
      collectgarbage()
      local before, large = collectgarbage("count"), chain(1000, dimension)
      assert.is_true(collectgarbage("count") - before < 200 * 1024)
      time = pace.seconds(function() return chain(1000, dimension) end, 3)
      assert.is_true(time < 2, time .. " s for 1000 bodies")
      local ratio = pace.ratio(function() assert(large:step()) end,
        function() assert(small:step()) end, 10)
      assert.is_true(ratio < 40, ratio .. " times as long") -- it would be 1000 if it were dense
      assert.is_true(large:state():residual().position < 1e-10)
    end)
  end
end)

describe("a saved simulation of a model", function()
  it("goes on bit for bit, stops and all", function()
    local function model()
      return sarrus.model {
        gravity = { 0, -9.81 },
        body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
        body.rod { "b", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
        joint.revolute { "A", "ground", "a", at = { 0, 0 },
          limits = { -1, 0.5, restitution = 0.3 } },
        joint.revolute { "B", "a", "b", at = { 1, 0 } },
      }
    end
    local sim = assert(model():simulate {})
    assert(sim:advance(0.7))
    local other = assert(model():restore(sim:save()))
    local clone = sim:clone()
    assert(sim:advance(2))
    assert(other:advance(2))
    assert(clone:advance(2))
    assert.equal(sim:state():joint("B").angle, other:state():joint("B").angle)
    assert.equal(sim:state():joint("A").torque, clone:state():joint("A").torque)
    local changed = sarrus.model { body.point { "p", position = { 0, 0 }, mass = 1 } }
    local refused, _, code = changed:restore(sim:save())
    assert.is_nil(refused)
    assert.equal("FORMAT", code)
  end)
end)

describe("a force", function()
  it("is known to friends of the model", function()
    assert.has_error(function() return force.sprng end)
  end)
end)
