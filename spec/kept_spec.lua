--- What is given for a body and cannot be kept: a pinned rod, drawn at random, whose velocity and
--- spin end where the norm of the mass is least, which is known in closed form.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"
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
