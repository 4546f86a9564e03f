--- Geometry by parameters: what random cases (spec/random/geometry.lua) do not show.
local sarrus = require "sarrus"
local core = require "sarrus.core"
local body, joint, force, shape, contact = sarrus.body, sarrus.joint, sarrus.force, sarrus.shape,
  sarrus.contact

--- A pendulum of a length and a mass.
local function pendulum(length, mass)
  return sarrus.model {
    name = "pendulum", gravity = { 0, -9.81 },
    body.rod { "rod", from = { 0, 0 }, to = { length, 0 }, mass = mass or 1 },
    joint.revolute { "hinge", "ground", "rod", at = { 0, 0 } },
  }
end

--- A four-bar whose coupler has a length; its rocker is drawn where a coupler of 2 m ends.
local function four_bar(length)
  local at_b, at_c = { 0, 1 }, { 2, 1.5 }
  return sarrus.model {
    name = "four-bar", gravity = { 0, -9.81 },
    body.rod { "crank", from = { 0, 0 }, to = at_b, mass = 1 },
    body.rod { "coupler", from = at_b, to = { length, 1 }, mass = 1 },
    body.rod { "rocker", from = { 3, 0 }, to = at_c, mass = 1 },
    joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
    joint.revolute { "B", "crank", "coupler", at = at_b },
    joint.revolute { "C", "coupler", "rocker", at = { a = { length, 1 }, b = at_c } },
    joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
  }
end

--- Runs f, and counts what it compiles.
local function compiled_by(f)
  local count, kept = 0, {}
  for _, name in ipairs { "system", "observer", "graph" } do
    kept[name] = core[name]
    core[name] = function(...)
      count = count + 1
      return kept[name](...)
    end
  end
  local good, message = pcall(f)
  for name, own in pairs(kept) do
    core[name] = own
  end
  assert(good, message)
  return count
end

local function raised(f, ...)
  local good, message = pcall(f, ...)
  assert.is_false(good)
  return message
end

describe("geometry by parameters", function()
  it("swings as fast as its length says", function()
    local model = pendulum(sarrus.parameter("L", 1))
    for _, length in ipairs { 0.5, 1, 3 } do
      local sim = assert(model:simulate { parameters = { L = length } })
      local s = sim:state() -- 3 g / 2 L at the start
      assert.is_true(math.abs(s.a["rod.angle"] + 1.5 * 9.81 / length) < 1e-13 * 9.81 / length)
      assert.are.equal(length / 2, s:body("rod").x)
      assert.are.equal(length, s:point("rod", { length / 2, 0 }).x)
    end
  end)

  it("compiles nothing anew", function()
    local model = four_bar(sarrus.parameter("L", 2))
    local start = { parameters = { L = 2.1 }, joints = { A = { rate = 1 } } }
    local function run()
      local sim = assert(model:simulate(start))
      assert(sim:advance(0.1))
      local s = sim:state()
      return s:joint("C").force, s:energy(), s:residual()
    end
    run()
    local system = model.system
    assert.are.equal(0, compiled_by(function()
      for i = 1, 30 do
        start.parameters.L = 2 + i / 100
        run()
      end
    end))
    assert.are.equal(system, model.system)
  end)

  it("assembles anew where a drawing does not close", function()
    local model = four_bar(sarrus.parameter("L", 2))
    for _, length in ipairs { 1.8, 2.3, 2.6 } do
      local s, report = model:assemble { parameters = { L = length } }
      assert.is_true(s:residual().position < 1e-14)
      assert.is_true(report.moved > 0.01)
      local plain, other = four_bar(length):assemble {}
      assert.is_true(math.abs(s:body("rocker").angle - plain:body("rocker").angle) < 1e-13)
      assert.is_true(math.abs(report.moved - other.moved) < 1e-13)
    end
    local nothing, message, code, nearest = model:assemble { parameters = { L = 9 } }
    assert.is_nil(nothing)
    assert.are.equal("INCONSISTENT", code)
    assert.truthy(message:find('there stay open joint.revolute "', 1, true))
    assert.is_true(nearest:residual().position > 0.5)
  end)

  it("takes a parameter that no equation has", function()
    local model = sarrus.model {
      body.point { "p", position = { 0, 0 }, mass = 1, velocity = { sarrus.parameter("v", 1), 0 } },
    }
    local s = assert(model:simulate { parameters = { v = 3 } }):state()
    assert.are.equal(3, s:body("p").velocity.x)
  end)

  it("knows the values again after restoring and cloning", function()
    local model = pendulum(sarrus.parameter("L", 1))
    local sim = assert(model:simulate { parameters = { L = 2 } })
    assert(sim:advance(0.5))
    for _, other in ipairs { sim:clone(), assert(model:restore(sim:save())) } do
      assert.are.equal(2, other:get("L"))
      assert(other:advance(1) and sim:clone():advance(1))
      local one = sim:clone()
      assert(one:advance(1))
      assert.are.equal(one:state():body("rod").angle, other:state():body("rod").angle)
    end
  end)

  it("shows pages and records as it is", function()
    local model = pendulum(sarrus.parameter("L", 1))
    local sim = assert(model:simulate { parameters = { L = 2 } })
    local recording = sim:record { every = 0.1, channels = { "parameter.L", "rod.x" } }
    assert(sim:advance(0.2))
    assert.are.same({ 2, 2, 2 }, recording["parameter.L"])
    assert.are.equal(1, recording["rod.x"][1])
    local page = require "sarrus.output.page".of(recording)
    assert.truthy(page:find('"length":2[,}]'))
    assert.falsy(page:find('"length":1[,}]'))
  end)

  it("solves inverse dynamics, and finds redundant joints, for the values", function()
    local model = pendulum(sarrus.parameter("L", 1), 2)
    local s = assert(model:simulate { parameters = { L = 3 } }):state()
    local torque = assert(s:efforts { hinge = 0 }).hinge
    assert.is_true(math.abs(torque - 2 * 9.81 * 1.5) < 1e-12)
    local height = sarrus.parameter("height", 1.8)
    local door = sarrus.model { gravity = { 0, 0, -9.81 },
      body.box { "door", position = { 0.5, 0, 1 }, size = { 1, 0.05, 2 }, mass = 20 },
      joint.revolute { "top", "ground", "door", at = { 0, 0, height }, axis = { 0, 0, 1 } },
      joint.revolute { "bottom", "ground", "door", at = { 0, 0, 0.2 }, axis = { 0, 0, 1 } } }
    local sim = assert(door:simulate { parameters = { height = 1.2 } })
    assert.are.equal("redundant", sim:warnings()[1].code)
    assert.is_false(sim:state():joint("top").unique)
    assert.are.equal(1, door:freedoms())
  end)

  it("touches where its shapes are", function()
    local radius, floor = sarrus.parameter("radius", 0.1), sarrus.parameter("floor", 0)
    local model = sarrus.model { gravity = { 0, -10 },
      body.sphere { "ball", position = { 0, 2 }, radius = radius, mass = 1 },
      shape.line { "ground line", "ground", at = { 0, floor }, normal = { 0, 1 } },
      contact.pair { "contact", "ground line", "ball" } }
    local touch = sarrus.event { "touch", contact = "contact", on = "touch", stop = true }
    local sim = assert(model:simulate { events = { touch },
      parameters = { radius = 0.5, floor = 1 } })
    local _, _, t = sim:advance(2)
    assert.is_true(math.abs(t - math.sqrt(0.1)) < 1e-14)
  end)

  it("turns by parameters: axes, angles, orientations", function()
    local a = sarrus.parameter("a", 0.2)
    local function model(angle)
      return sarrus.model { gravity = { 0, 0, -9.81 },
        body.box { "box", position = { 1, 0, 0 }, size = { 1, 0.2, 0.1 }, mass = 1,
          orientation = { sarrus.cos(angle / 2), sarrus.sin(angle / 2), 0, 0 } },
        joint.revolute { "hinge", "ground", "box", at = { 0, 0, 0 },
          axis = { 0, sarrus.cos(angle), sarrus.sin(angle) } } }
    end
    local one = assert(model(a):simulate { parameters = { a = 1.1 } })
    local other = assert(model(1.1):simulate {})
    assert(one:advance(1) and other:advance(1))
    for i, x in ipairs(other:state().q) do
      assert.is_true(math.abs(one:state().q[i] - x) < 1e-13)
    end
    assert.truthy(raised(sarrus.model, { body.box { "box", position = { 1, 0, 0 },
      size = { 1, 1, 1 }, mass = 1, orientation = { { a, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } } })
      :find("orientation[1][1]: got", 1, true))
  end)
end)

--- A rod and a joint that point in a direction, in the plane or in space.
local function pointing(d)
  local gravity, zero = { 0.3, -9.81, 0.2 }, { 0, 0, 0 }
  gravity[3], zero[3] = d[3] and 0.2, d[3] and 0
  return sarrus.model { gravity = gravity,
    body.rod { "rod", from = zero, to = d, mass = 1, radius = 0.1 },
    body.rod { "next", from = d, to = { d[1], d[2] + 2, d[3] and 1 }, mass = 1, radius = 0.1 },
    joint.revolute { "hinge", "ground", "rod", at = zero, axis = d[3] and { d[2], -d[1], 0.1 } },
    joint.prismatic { "slide", "rod", "next", at = d, axis = d } }
end

describe("a drawing that parameters turn right round", function()
  local a = sarrus.parameter("a", 0.3)
  for _, dimension in ipairs { 2, 3 } do
    it(("is right in every direction in %dD"):format(dimension), function()
      local function direction(angle)
        return { 2 * sarrus.cos(angle), 2 * sarrus.sin(angle), dimension == 3 and 0 or nil }
      end
      local model = pointing(direction(a))
      for i = -8, 8 do
        local angle = i * math.pi / 8 -- with the axes and the halves between them
        local one = assert(model:simulate { parameters = { a = angle } })
        local other = assert(pointing(direction(angle)):simulate {})
        assert(one:advance(0.5) and other:advance(0.5))
        local s, exact = one:state(), other:state()
        for k, x in ipairs(exact.q) do
          assert.is_true(math.abs(s.q[k] - x) < 1e-12, ("q[%d] at %g"):format(k, angle))
        end
        assert.is_true(math.abs(s:joint("hinge").angle - exact:joint("hinge").angle) < 1e-12)
        assert.is_true(math.abs(s:joint("slide").length - exact:joint("slide").length) < 1e-12)
      end
    end)
  end

  it("goes round the corners of a polygon either way", function()
    local w = sarrus.parameter("w", 1)
    local model = sarrus.model { gravity = { 0, -10 },
      body.rigid { "body", position = { 0, 2 }, mass = 1, inertia = 0.1 },
      shape.polygon { "wedge", "body", points = { { w, 1 }, { 0, 3 }, { -w, 1 } } },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "contact", "floor", "wedge" } }
    for _, width in ipairs { 1, 0.5, -1 } do
      local sim = assert(model:simulate { parameters = { w = width } })
      assert(sim:advance(1))
      local c = sim:state():contact("contact")
      assert.are.equal(2, #c.points)
      assert.is_true(math.abs(c.normal_force - 10) < 1e-12)
    end
  end)
end)

describe("values that allow no geometry", function()
  it("are told with the part and the parameter, at the start", function()
    local model = pendulum(sarrus.parameter("L", 1), sarrus.parameter("m", 1))
    local sim, message, code = model:simulate { parameters = { L = 0 } }
    assert.is_nil(sim)
    assert.are.equal("INCONSISTENT", code)
    assert.are.equal("model \"pendulum\": body.rod \"rod\": 'from' and 'to' are the same place: "
      .. "the rod has no length (with L = 0, m = 1)", message)
    sim, message = model:simulate { parameters = { m = -2 } }
    assert.is_nil(sim)
    assert.truthy(message:find('body.rod "rod": mass = -2 kg; must be', 1, true))
    sim, message = pendulum(1 / sarrus.parameter("n", 1)):simulate { parameters = { n = 0 } }
    assert.is_nil(sim)
    assert.truthy(message:find('body.rod "rod": to[1]: ', 1, true))
    assert.truthy(message:find("is not finite (with n = 0)", 1, true))
    assert(model:simulate {})
  end)

  it("are told in the script's line, as declared", function()
    local line = debug.getinfo(1, "l").currentline + 1
    local message = raised(function() return sarrus.model { gravity = { 0, 0 },
      body.box { "box", position = { 0, 0 }, size = { sarrus.parameter("w", -1), 1 }, mass = 1 },
      body.sphere { "ball", position = { 0, 0 }, radius = sarrus.parameter("r", 0), mass = 1 },
    } end)
    assert.are.equal(("spec/geometry_spec.lua:%d: body.box \"box\": size[1] = -1; must be positive "
      .. "(with w = -1)\nspec/geometry_spec.lua:%d: body.sphere \"ball\": radius = 0; must be "
      .. "positive (with r = 0)"):format(line + 1, line + 2), (message:gsub("%./", "")))
  end)

  it("of a part without parameters name those of the model", function()
    local tilt = sarrus.parameter("tilt", 0)
    local wheel = sarrus.model { gravity = { 0, 0, -9.81 },
      body.disk { "disk", position = { 0, 0, 1 }, radius = 1, mass = 1,
        axis = { sarrus.cos(tilt), 0, sarrus.sin(tilt) } },
      joint.rolling { "track", "ground", "disk", radius = 1, normal = { 0, 0, 1 } } }
    assert(wheel:simulate {})
    local sim, message = wheel:simulate { parameters = { tilt = math.pi / 2 } }
    assert.is_nil(sim)
    assert.truthy(message:find('joint.rolling "track": the disk "disk" lies flat on the plane '
      .. "(with tilt = ", 1, true))
  end)

  it("leave a model as it was where one of its parts is added in vain", function()
    local model = pendulum(1)
    local function add(length)
      return model:add(body.rod { "more", from = { 1, 0 }, to = { 1 + length, 0 }, mass = 1 })
    end
    assert.truthy(raised(add, sarrus.parameter("more", 0)):find("the rod has no length", 1, true))
    assert(model:simulate {})
    model = pendulum(1)
    add(sarrus.parameter("more", 2))
    assert.are.equal(3, assert(model:simulate { parameters = { more = 4 } }):state():body("more").x)
  end)
end)

describe("setting while it moves", function()
  it("is misuse of what is drawn", function()
    local L = sarrus.parameter("L", 1)
    local sim = assert(pendulum(L):simulate {})
    for _, given in ipairs { { "L", 2 }, { L, 2 }, { { L = 2 } } } do
      assert.truthy(raised(sim.set, sim, given[1], given[2]):find(
        'set: "L" says where or how large something is (body.rod "rod": to), which stays so in a '
        .. "simulation: give it to simulate, parameters = { L = … }", 1, true))
    end
    assert.are.equal(1, sim:get("L"))
  end)

  it("changes masses, and not what they cannot be", function()
    local sim = assert(pendulum(1, sarrus.parameter("m", 1)):simulate {})
    assert(sim:set("m", 2))
    assert.is_true(math.abs(sim:state():joint("hinge").force.y - 2 * 9.81 / 4) < 1e-13)
    local done, message, code = sim:set { m = -1 }
    assert.is_nil(done)
    assert.are.equal("INCONSISTENT", code)
    assert.truthy(message:find('model "pendulum": body.rod "rod": mass = -1 kg', 1, true))
    assert.are.equal(2, sim:get("m"))
  end)

  it("changes lengths of springs and distances", function()
    local free, rope = sarrus.parameter("free", 1), sarrus.parameter("rope", 1)
    local model = sarrus.model {
      body.point { "p", position = { 1, 0 }, mass = 1 },
      body.point { "q", position = { 0, 1 }, mass = 1 },
      force.spring { "spring", "ground", "p", from = { 0, 0 }, to = { 1, 0 }, stiffness = 10,
        length = free },
      joint.distance { "rod", "ground", "q", from = { 0, 0 }, to = { 0, 1 }, length = rope } }
    local sim = assert(model:simulate {})
    assert(sim:set { free = 0.5, rope = 2 })
    local s = sim:state()
    assert.is_true(math.abs(s.a["p.x"] + 5) < 1e-13)
    assert.is_true(math.abs(s:body("q").y - 2) < 1e-13)
  end)
end)
