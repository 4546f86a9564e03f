-- Bodies without mass between two hinges: together they are a universal joint.
local check = dofile("spec/check.lua")
local draws = dofile("spec/random/tools/draw.lua")
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local function rod(position)
  return body.rigid { "rod", position = position, mass = 3, inertia = { 0.1, 0.2, 0.25 } }
end

--- The rod on a fork that turns about y, and on a universal joint, after a while.
local function both(axis, at, position)
  local fork = sarrus.model {
    gravity = { 1, 2, -9.81 }, rod(position),
    body.rigid { "fork", position = at, mass = 0, inertia = { 0, 0, 0 } },
    joint.revolute { "swing", "ground", "fork", at = at, axis = { 0, 1, 0 } },
    joint.revolute { "sway", "fork", "rod", at = at, axis = axis },
  }
  local cross = sarrus.model {
    gravity = { 1, 2, -9.81 }, rod(position),
    joint.universal { "cross", "ground", "rod", at = at, axes = { { 0, 1, 0 }, axis } },
  }
  local states = {}
  for i, model in ipairs { fork, cross } do
    local sim = assert(model:simulate {})
    assert(sim:advance(0.3))
    states[i] = sim:state()
  end
  return states[1], states[2]
end

describe("a fork without mass", function()
  it("is determined whatever rounding its axes have", function()
    local draw = draws.new(5)
    for k = 0, 23 do
      local angle = k * math.pi / 12 -- right angles with rounding among them
      local at = k % 2 == 0 and { 0, 0, 0 } or draw:list(3, -1, 1)
      local position = { at[1] + draw:between(-0.3, 0.3), at[2] + draw:between(-0.3, 0.3), at[3] }
      local one, other = both({ math.cos(angle), 0, math.sin(angle) }, at, position)
      for i = 1, 3 do
        check.near(other:body("rod").position[i], one:body("rod").position[i], 1e-12)
        check.near(other:body("rod").spin[i], one:body("rod").spin[i], 1e-11)
      end
      assert.is_true(type(assert(one:efforts({ swing = 1 })).sway) == "number")
    end
  end)
end)
