--- Loops that move though counting says that they cannot; random ones are in spec/random/overconstrained.lua.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

--- Six hinges, three of them the others turned by half a turn about the z axis.
local function bricard()
  local at = { { 1, 0, 0 }, { 0, 1, 1 }, { -1, 1, 0 } }
  local axes = { { 1, 1, 0 }, { 0, 1, 1 }, { 1, 0, 1 } }
  local parts = {}
  for k = 1, 3 do
    at[k + 3] = { -at[k][1], -at[k][2], at[k][3] }
    axes[k + 3] = { -axes[k][1], -axes[k][2], axes[k][3] }
  end
  for k = 1, 5 do
    parts[k] = body.rigid { "b" .. k, position = at[k], mass = 1, inertia = { 1, 2, 2 } }
  end
  for k = 1, 6 do
    parts[5 + k] = joint.revolute { "j" .. k, k > 1 and "b" .. k - 1 or "ground",
      k < 6 and "b" .. k or "ground", at = at[k], axis = axes[k] }
  end
  return sarrus.model(parts)
end

describe("an overconstrained loop", function()
  -- The rows kept at the start depend on each other at t = 8.48.
  it("goes on where the rows it started with become dependent", function()
    local sim = assert(bricard():simulate { joints = { j1 = { rate = 2 } } })
    local before = sim:state():energy().total
    assert(sim:advance(30))
    local s = sim:state()
    assert.is_true(math.abs(s:energy().total - before) < 1e-10 * before)
    assert.is_true(s:residual().position < 1e-12)
  end)

  it("goes on to the same digits after it was saved and restored", function()
    local model = bricard()
    local sim = assert(model:simulate { joints = { j1 = { rate = 2 } } })
    assert(sim:advance(9))
    local saved = sim:save()
    assert(sim:advance(20))
    local other = assert(model:restore(saved))
    assert(other:advance(20))
    for i = 1, #sim:state().q do
      assert.are.equal(sim:state().q[i], other:state().q[i])
    end
    for i = 1, #sim:state().lambda do
      assert.are.equal(sim:state().lambda[i], other:state().lambda[i])
    end
  end)
end)
