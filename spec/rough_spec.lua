-- Random scenes in space that crawled, chattered, found no forces or sank, by what was wrong.
local random = dofile("spec/random.lua")

local function holds(name, seed)
  local result = random.run(random.class(name), seed, 1)
  assert(result.wrong == 0 and result.early == 0, ("%s %d: %s"):format(name, seed,
    result.message or result.early > 0 and "ends early" or result.worst))
end

local sarrus = require "sarrus"

--- A ball falls on a level floor that grips it, moving across it in a direction.
local function gripped(angle)
  local ball = sarrus.model {
    name = "ball", gravity = { 0, 0, -9.81 },
    sarrus.shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
    sarrus.body.sphere { "ball", position = { 0, 0, 1 }, radius = 0.3, mass = 1,
      velocity = { math.cos(angle), math.sin(angle), 0 } },
    sarrus.contact.pair { "c", "floor", "ball", friction = 0.6, restitution = 0.3 },
  }
  local sim = assert(ball:simulate())
  assert(sim:advance(0.5))
  return sim:state():body("ball")
end

describe("what touches in space", function()
  it("does not sink where it has been let go", function() -- 3e-9, then STEP; it chatters
    assert.equal(0, random.run(random.class("rough"), 104, 1).wrong)
  end)

  it("is gripped by an impact along the slip before it, whichever way that is", function()
    for k = 0, 7 do -- rolling from the impact on: 5/7 of the speed
      local angle = 0.3 + k * math.pi / 4
      local b = gripped(angle)
      assert.is_true(math.abs(b.velocity.x - 5 / 7 * math.cos(angle)) < 1e-14)
      assert.is_true(math.abs(b.velocity.y - 5 / 7 * math.sin(angle)) < 1e-14)
      assert.is_true(math.abs(0.3 * b.spin.x + 5 / 7 * math.sin(angle)) < 1e-14)
      assert.is_true(math.abs(0.3 * b.spin.y - 5 / 7 * math.cos(angle)) < 1e-14)
    end
  end)

  it("slides on four corners", function()
    holds("rough", 10)
    holds("rough", 125)
  end)

  it("begins to slip with hardly any acceleration", function()
    holds("rough", 6)
  end)

  it("is held at points that share a load", function()
    holds("rough", 26)
    holds("solids", 104)
  end)

  it("rolls on two rims, whatever keeps it together", function()
    holds("rough", 163)
  end)

  it("stops though it is pushed on nearly as hard as friction can hold", function()
    holds("rough", 18)
  end)

  it("stands nearly upright", function()
    holds("rough", 53)
    holds("rough", 63)
    holds("solids", 288)
  end)
end)
