--- What is given for a body and cannot be kept: a pinned rod, drawn at random, whose velocity and
--- spin end where the norm of the mass is least, which is known in closed form.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"
local sketches = dofile("spec/sketches.lua")
local body, joint = sarrus.body, sarrus.joint

local function found(report, field)
  for _, miss in ipairs(report.not_kept) do
    if miss.field == field then
      return miss.off, miss.unit, miss.object
    end
  end
  return 0
end

describe("what is given for a body", function()
  it("and cannot be kept is told with how far off it is", function()
    local uniform = generator.uniform(1)
    for case = 1, 200 do
      local length, mass, angle = 0.5 + uniform(), 0.5 + uniform(), 2 * math.pi * uniform()
      local x, y = length / 2 * math.cos(angle), length / 2 * math.sin(angle)
      local model = sarrus.model {
        body.rod { "rod", from = { 0, 0 }, to = { 2 * x, 2 * y }, mass = mass },
        joint.revolute { "pin", "ground", "rod", at = { 0, 0 } },
      }
      local size = generator.decade(uniform, -3, 3)
      local u, v, w = size * (uniform() - 0.5), size * (uniform() - 0.5), size * (uniform() - 0.5)
      local state, report = assert(model:assemble {
        bodies = { rod = { velocity = { u, v }, spin = w } },
      })
      local moment = mass * length ^ 2 / 12
      local spin = (mass * (x * v - y * u) + moment * w) / (mass * (x ^ 2 + y ^ 2) + moment)
      assert.is_near(spin, state:body("rod").spin, 1e-12 * size)
      local off, unit, object = found(report, "velocity")
      assert.is_near(math.sqrt((u + spin * y) ^ 2 + (v - spin * x) ^ 2), off, 1e-12 * size)
      assert.same({ "m/s", "rod" }, { unit, object })
      off, unit = found(report, "spin")
      assert.is_near(math.abs(spin - w), off, 1e-12 * size)
      assert.equal("rad/s", unit)
      assert.equal(0, (found(report, "position")), "case " .. case)
    end
  end)

  it("and is kept is not told of", function()
    local uniform = generator.uniform(2)
    for case = 1, 100 do
      local z = case % 2 == 0 and 0 or nil
      local angle, spin = 2 * math.pi * uniform(), 10 * (uniform() - 0.5)
      local c, s = math.cos(angle), math.sin(angle)
      local model = sarrus.model {
        body.rod { "rod", from = { 0, 0, z }, to = { 2, 0, z }, mass = 1 },
        joint.revolute { "pin", "ground", "rod", at = { 0, 0, z }, axis = z and { 0, 0, 1 } },
      }
      local _, report = assert(model:assemble { bodies = { rod = {
        position = { c, s, z }, velocity = { -spin * s, spin * c, z },
        spin = z and { 0, 0, spin } or spin, angle = not z and angle or nil,
        orientation = z and { math.cos(angle / 2), 0, 0, math.sin(angle / 2) } or nil,
      } } })
      assert.same({}, report.not_kept)
    end
  end)

  it("and is moved is told in the plane and in space", function()
    for dimension = 2, 3 do
      local z = dimension == 3 and 0 or nil
      local model = sarrus.model {
        body.rod { "rod", from = { 0, 0, z }, to = { 1, 0, z }, mass = 1 },
        joint.fixed { "weld", "ground", "rod", at = { 0, 0, z } },
      }
      local sim = assert(model:simulate { bodies = { rod = {
        position = { 0.5, 0.3, z }, angle = not z and 0.2 or nil, velocity = { 0, 4, z },
        orientation = z and { math.cos(0.1), 0, 0, math.sin(0.1) } or nil,
      } } })
      local texts = {}
      for _, warning in ipairs(sim:warnings()) do
        texts[#texts + 1] = warning.code == "not_kept" and warning.message or nil
      end
      assert.same({
        "model: rod.position was given; where the constraints hold it is off by 0.3 m",
        ("model: rod.%s was given; where the constraints hold it is off by 0.2 rad"):format(
          z and "orientation" or "angle"),
        "model: rod.velocity was given; where the constraints hold it is off by 4 m/s",
      }, texts)
    end
  end)
end)

describe("what is given for a joint, and then for another one,", function()
  it("is kept by each", function()
    local model = sarrus.model {
      body.rod { "upper", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.rod { "lower", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "upper", at = { 0, 0 } },
      joint.revolute { "B", "upper", "lower", at = { 1, 0 } },
    }
    for _, name in ipairs { "A", "B" } do
      local s, report = assert(model:assemble { joints = { [name] = { angle = 0.3, rate = 2 } } })
      assert.is_near(0.3, s:joint(name).angle, 1e-14)
      assert.is_near(2, s:joint(name).rate, 1e-14)
      assert.same({}, report.not_kept)
    end
  end)
end)

-- Starts of two sliders that only differ by rounding, or by more ---------------------------------

--- A block of size 8 that slides along x and may have a motion or limits.
local function slider(field, value)
  return sarrus.model {
    body.box { "block", position = { 0, 0 }, size = { 8, 8 }, mass = 1 },
    joint.prismatic { "P", "ground", "block", at = { 0, 0 }, axis = { 1, 0 }, [field] = value },
  }
end

local function wheel(field, value)
  return sarrus.model {
    body.disk { "wheel", position = { 0, 0 }, radius = 4, mass = 1 },
    joint.revolute { "R", "ground", "wheel", at = { 0, 0 }, [field] = value },
  }
end

describe("what is given for a joint", function()
  it("and contradicts its motion by more than 1e-9 is refused", function()
    local function slid(at, off)
      return slider("motion", at - 2 + sarrus.time):assemble { t = 2, joints = {
        P = { length = at + off } } }
    end
    local function turned(angle, off)
      return wheel("motion", angle * sarrus.time):assemble { t = 2, joints = {
        R = { angle = 2 * angle + off } } }
    end
    assert.truthy(slid(1, 3e-9)) -- of the block's size
    assert.is_nil((slid(1, 2e-8)))
    assert.truthy(slid(500, 3e-7))
    assert.is_nil((slid(500, 7e-7)))
    assert.truthy(turned(0.25, 0.5e-9))
    assert.truthy(turned(0.25, -0.5e-9))
    assert.truthy(turned(2, 2e-9)) -- of 4
    local state, message, code = turned(0.25, 2e-9)
    assert.same({ "INCONSISTENT" }, { state or code })
    assert.equal('model: joint.revolute "R": the motion prescribes 0.5 at t = 2, but the start '
      .. "gives angle 0.500000002", message)
    state, message = slid(5, 0.5)
    assert.is_nil(state)
    assert.equal('model: joint.prismatic "P": the motion prescribes 5 at t = 2, but the start '
      .. "gives length 5.5", message)
  end)

  it("and cannot be kept is told with what came of it", function()
    local model = sarrus.model {
      body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
      joint.revolute { "one", "ground", "rod", at = { 0, 0 } },
      joint.revolute { "two", "ground", "rod", at = { 0, 0 } },
    }
    local s, report = assert(model:assemble { joints = {
      one = { angle = 0.25, rate = 1 }, two = { angle = 0.75, rate = 4 } } })
    local told = {}
    for _, miss in ipairs(report.not_kept) do
      local reading = s:joint(miss.object)
      told[miss.field] = (told[miss.field] or 0) + 1
      assert.equal(miss.field == "angle" and "rad" or "rad/s", miss.unit)
      assert.near(reading[miss.field], miss.got, 1e-14)
      assert.equal(({ one = { angle = 0.25, rate = 1 }, two = { angle = 0.75,
        rate = 4 } })[miss.object][miss.field], miss.given)
      assert.equal(math.abs(miss.given - miss.got), miss.off)
    end
    assert.is_true(told.angle >= 1 and told.rate >= 1)
    assert.equal(s:joint("one").angle, s:joint("two").angle)
    local _, kept = assert(model:assemble { joints = {
      one = { angle = 0.25, rate = 2 }, two = { angle = 0.25 + 6e-12, rate = 2 } } })
    assert.same({}, kept.not_kept)
    kept = select(2, assert(model:assemble { joints = {
      one = { angle = 0.25, rate = 2 }, two = { angle = 0.25 + 1e-10, rate = 2 } } }))
    assert.is_true(#kept.not_kept > 0)
  end)

  it("and is within rounding of a limit as drawn stays there", function()
    for _, make in ipairs { slider, wheel } do
      local function warnings(limits)
        return #assert(make("limits", limits):simulate {}):warnings()
      end
      assert.equal(0, warnings { 0.5e-12 * 4, 4 })
      assert.equal(0, warnings { -4, -0.5e-12 * 4 })
      assert.equal(0, warnings { 0, 4 })
      assert.equal(1, warnings { 2e-12 * 4, 4 })
      assert.equal(1, warnings { -4, -2e-12 * 4 })
    end
  end)
end)

describe("a rope", function()
  it("that is drawn beyond its length by rounding stays as it is", function()
    local function warnings(off)
      return #assert(sarrus.model { body.point { "b", position = { 0, -1 }, mass = 1 },
        joint.distance { "rope", "ground", "b", from = { 0, 0 }, to = { 0, -1 },
          limits = { 0, 1 - off } } }:simulate {}):warnings()
    end
    assert.equal(0, warnings(0))
    assert.equal(0, warnings(5e-13))
    assert.equal(1, warnings(5e-12))
    assert.equal(2, warnings(0.5)) -- moved, too
  end)
end)

describe("the velocity that is given for a body", function()
  it("is kept whole where its joints allow it", function()
    local model = sarrus.model {
      body.rod { "upper", from = { 0, 0 }, to = { 0, -1 }, mass = 1 },
      body.rod { "lower", from = { 0, -1 }, to = { 1, -1 }, mass = 3 },
      joint.revolute { "A", "ground", "upper", at = { 0, 0 } },
      joint.revolute { "B", "upper", "lower", at = { 0, -1 } },
    }
    local s, report = assert(model:assemble { bodies = { lower = { velocity = { 1, 2 } } } })
    -- the elbow moves along x, so that the lower rod turns by 2 over half its length
    assert.near(1, s:body("lower").velocity.x, 1e-13)
    assert.near(2, s:body("lower").velocity.y, 1e-13)
    assert.near(4, s:body("lower").spin, 1e-13)
    assert.near(1, s:body("upper").spin, 1e-13)
    assert.same({}, report.not_kept)
    assert.is_nil(report.most)
    assert.same({ 0, 0 }, { report.moved, assert(select(2, model:assemble())).moved_velocity })
  end)
end)

describe("a start that closes a gap", function()
  it("is told of from 1e-9 of the size on", function()
    local function codes(gap)
      local sim = assert(sketches.four_bar { [7] = joint.revolute { "D", "rocker", "ground",
        at = { a = { 3, 0 }, b = { 3, gap } } } }:simulate {})
      return #sim:warnings() > 0 and sim:warnings()[1].code .. ": " .. sim:warnings()[1].message
        or nil
    end
    assert.is_nil(codes(0))
    assert.is_nil(codes(1e-9))
    assert.truthy(codes(2e-8))
    assert.truthy(codes(0.25):find('^moved: model "four%-bar": the start was moved to close the '
      .. 'joints, most of all "%a+" by 0%.%d+ m$'))
  end)
end)

describe("a report of an assembly", function()
  it("tells how far bodies were moved and turned, and which the most", function()
    for dimension = 2, 3 do
      local function p(x, y)
        return dimension == 2 and { x, y } or { x, y, 0.5 }
      end
      local function v(x, y)
        return dimension == 2 and { x, y } or { x, y, 0 }
      end
      local parts = {}
      for i, name in ipairs { "near", "far", "free" } do
        parts[#parts + 1] = body.rod { name, from = p(0, i), to = p(1, i), mass = 1 }
      end
      parts[#parts + 1] = joint.fixed { "A", "ground", "near", at = p(0, 1) }
      parts[#parts + 1] = joint.fixed { "B", "ground", "far", at = p(0, 2) }
      local axis = { 2 / 3, -1 / 3, 2 / 3 }
      local half = { math.cos(0.6), math.sin(0.6) * axis[1], math.sin(0.6) * axis[2],
        math.sin(0.6) * axis[3] }
      local _, report = assert(sarrus.model(parts):assemble { bodies = {
        near = { position = p(0.5, 1.25), velocity = v(3, 4),
          angle = dimension == 2 and 0.25 or nil },
        far = { position = p(0.2, 2.4), velocity = v(1, 0),
          orientation = dimension == 3 and half or nil,
          angle = dimension == 2 and -1.2 or nil },
        free = { position = p(7, 7), angle = dimension == 2 and 2 or nil },
      } })
      assert.near(0.25, report.bodies.near.moved, 1e-13)
      assert.near(0.5, report.bodies.far.moved, 1e-13)
      assert.near(dimension == 2 and 0.25 or 0, report.bodies.near.turned, 1e-13)
      assert.near(1.2, report.bodies.far.turned, 1e-12)
      assert.near(0, report.bodies.free.moved, 1e-13)
      assert.near(0, report.bodies.free.turned, 1e-13)
      assert.equal("far", report.most)
      assert.near(0.5, report.moved, 1e-13)
      assert.near(5, report.moved_velocity, 1e-12)
      local misses = {}
      for _, miss in ipairs(report.not_kept) do
        misses[miss.object .. "." .. miss.field] = miss.off
      end
      assert.near(0.25, misses["near.position"], 1e-13)
      assert.near(5, misses["near.velocity"], 1e-12)
      assert.near(1.2, misses[dimension == 2 and "far.angle" or "far.orientation"], 1e-12)
      assert.is_nil(misses["free.position"])
    end
  end)
end)
