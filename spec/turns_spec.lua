--- Angles of joints and of torsion springs in space, where a model starts: they count turns, which
--- directions of bodies do not tell.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, force, joint = sarrus.body, sarrus.force, sarrus.joint
local near = check.near

local function wheel(...)
  return sarrus.model {
    gravity = { 0, 0, 0 },
    body.box { "wheel", position = { 0, 0, 0 }, size = { 1, 2, 3 }, mass = 12 },
    joint.revolute { "axle", "ground", "wheel", at = { 0, 0, 0 }, axis = { 0, 0, 1 } }, ...,
  }
end

local angles = { 0.5, 2, -2, 3, 4, -4, 7, -9, 20 }

describe("turns in space", function()
  it("are counted where a joint starts", function()
    local model = wheel()
    for _, angle in ipairs(angles) do
      local sim = assert(model:simulate { joints = { axle = { angle = angle } } })
      near(angle, sim:state():joint("axle").angle)
      assert(sim:advance(0.1))
      near(angle, sim:state():joint("axle").angle)
    end
  end)

  it("of a torsion spring are the fewest, and it pulls back by them", function()
    local model = wheel(force.torsion { "k", "ground", "wheel", stiffness = 3, axis = { 0, 0, 1 } })
    for _, angle in ipairs(angles) do
      local turn = angle - 2 * math.pi * math.floor(angle / (2 * math.pi) + 0.5)
      local sim = assert(model:simulate { joints = { axle = { angle = angle } } })
      near(1.5 * turn ^ 2, sim:state():energy().total)
      assert(sim:advance(0.7)) -- the inertia is 12 (1 + 4) / 12
      near(angle - turn + turn * math.cos(0.7 * math.sqrt(3 / 5)), sim:state():joint("axle").angle,
        1e-9)
    end
  end)
end)
