--- Impacts in space of what rests or rolls on a floor, against closed forms: the floor gives no
--- more friction than its coefficient times its own normal impulse.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, contact, shape = sarrus.body, sarrus.contact, sarrus.shape

local R = 0.1

local function floor(names, friction)
  return shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
    contact.pair { "sole", "floor", names, friction = friction }
end

local function model(parts, ...)
  parts.gravity = { 0, 0, -9.81 }
  for _, part in ipairs { ... } do
    parts[#parts + 1] = part
  end
  return sarrus.model(parts)
end

local function until_hit(m)
  local sim = assert(m:simulate { events = {
    sarrus.event { "touched", contact = "hit", on = "touch", stop = true } } })
  assert.are.equal("EVENT", (sim:advance(1)))
  return sim
end

describe("an impact on what rests or rolls in space", function()
  it("leaves a billiard ball its spin", function()
    local m = model({
      body.sphere { "cue", position = { 0, 0, R }, radius = R, mass = 1, velocity = { 1, 0, 0 },
        spin = { 0, 1 / R, 0 } },
      body.sphere { "eight", position = { 0.5, 0, R }, radius = R, mass = 1 },
      contact.pair { "hit", "cue", "eight", restitution = 1 } }, floor({ "cue", "eight" }, 0.2))
    local sim = until_hit(m)
    local cue, eight = sim:state():body("cue"), sim:state():body("eight")
    check.near(0, cue.velocity.x, 1e-12)
    check.near(1 / R, cue.spin.y, 1e-11)
    check.near(1, eight.velocity.x, 1e-12)
    check.near(0, eight.spin.y, 1e-11)
    assert(sim:advance(3))
    check.near(2 / 7, sim:state():body("cue").velocity.x, 1e-11)
    check.near(5 / 7, sim:state():body("eight").velocity.x, 1e-11)
  end)

  it("turns a rolling ball round at a smooth wall, not its spin", function()
    for _, friction in ipairs { 0, 0.01, 0.4 } do
      local sim = until_hit(model({
        body.sphere { "ball", position = { 0, 0, R }, radius = R, mass = 1, velocity = { 1, 0, 0 },
          spin = { 0, 1 / R, 0 } },
        shape.plane { "wall", "ground", at = { 0.5, 0, 0 }, normal = { -1, 0, 0 } },
        contact.pair { "hit", "wall", "ball", restitution = 1 } }, floor("ball", friction)))
      local ball = sim:state():body("ball")
      check.near(-1, ball.velocity.x, 1e-12)
      check.near(1 / R, ball.spin.y, 1e-11)
    end
  end)

  it("holds a box no more than its floor presses it", function()
    for _, friction in ipairs { 0, 0.01, 0.5 } do
      for _, above in ipairs { 0, 0.02, 0.05 } do
        local s = assert(model({
          body.sphere { "cue", position = { -0.15, 0, 0.1 + above }, radius = 0.05, mass = 1,
            velocity = { 2, 0, 0 } },
          body.box { "target", position = { 0, 0, 0.1 }, size = { 0.2, 0.2, 0.2 }, mass = 1 },
          contact.pair { "hit", "cue", "target" } }, floor("target", friction)):simulate()):state()
        local target, N = s:body("target"), s:contact("sole").impulse
        check.near(s:contact("hit").impulse - friction * N, target.velocity.x, 1e-12)
        check.near(N, target.velocity.z, 1e-12)
        assert.is_true(above == 0 or N > 0.1)
      end
    end
  end)
end)
