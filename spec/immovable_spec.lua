--- Bodies that cannot move, though they are drawn with a velocity and a spin: fixed to the ground,
--- one to another, or in a truss.  They rest, and the start says what it could not keep.

local generator = dofile("spec/generator.lua")
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local function list(uniform, count, size)
  local x = {}
  for k = 1, count do
    x[k] = size * (2 * uniform() - 1)
  end
  return x
end

local function rests(model, case)
  local sim = assert(model:simulate {})
  local before = sim:state()
  local result, message = sim:advance(generator.decade(function() return case % 7 / 6 end, -3, 3))
  assert(result, ("case %d: %s"):format(case, tostring(message)))
  local after = sim:state()
  for i = 1, #before.q do
    assert.is_near(before.q[i], after.q[i], 1e-10 * (1 + math.abs(before.q[i])))
    assert.is_near(0, after.v[i], 1e-11)
  end
  local kept = 0
  for _, warning in ipairs(sim:warnings()) do
    kept = kept + (warning.code == "not_kept" and 1 or 0)
  end
  assert.is_true(kept > 0)
end

describe("bodies that cannot move", function()
  it("rest where they are fixed", function()
    local uniform = generator.uniform(1)
    for case = 1, 200 do
      local dimension, size = 2 + case % 2, generator.decade(uniform, -1, 2)
      local parts = { gravity = list(uniform, dimension, case % 3 == 0 and 0 or 9.81) }
      local last = "ground"
      for i = 1, 1 + case % 4 do
        local spin = list(uniform, 3, 5)
        local inertia = dimension == 3 and { 1 + uniform(), 1 + uniform(), 1 + uniform() }
        parts[#parts + 1] = body.rigid { "b" .. i, position = list(uniform, dimension, size),
          mass = 0.1 + uniform(), inertia = inertia or 0.1 + uniform(),
          velocity = uniform() < 0.5 and list(uniform, dimension, 5) or nil,
          spin = dimension == 3 and spin or spin[1] }
        parts[#parts + 1] = joint.fixed { "f" .. i, last, "b" .. i,
          at = list(uniform, dimension, size) }
        last = "b" .. i
      end
      rests(sarrus.model(parts), case)
    end
  end)

  it("rest in a truss", function()
    local uniform = generator.uniform(2)
    for case = 1, 100 do
      local a, b, c = { 0, 0 }, { 1 + uniform(), 0 }, { uniform(), 0.5 + uniform() }
      rests(sarrus.model {
        gravity = { 0, -9.81 },
        body.rod { "left", from = a, to = c, mass = 1, spin = 2 * uniform() - 1 },
        body.rod { "right", from = b, to = c, mass = 1, spin = 2 * uniform() - 1 },
        joint.revolute { "A", "ground", "left", at = a },
        joint.revolute { "B", "ground", "right", at = b },
        joint.revolute { "C", "left", "right", at = c },
      }, case)
    end
  end)
end)
