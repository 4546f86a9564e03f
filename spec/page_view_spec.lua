--- What pages show of a recording without being asked: in the view, and as charts.

local browser = dofile("spec/browser.lua")
local sarrus = require "sarrus"
local body, joint, shape, contact = sarrus.body, sarrus.joint, sarrus.shape, sarrus.contact

--- A test of what a check of page.mjs sees of a recording.
local function sees(what, check, make, test)
  it(what, function()
    if browser.missing then
      return pending(browser.missing)
    end
    local recording, options = make()
    local seen = browser.see(check, recording, options)
    assert.same({}, seen.faults)
    test(seen)
  end)
end

local function recorded(model, t_end, channels)
  local sim = assert(model:simulate {})
  local recording = sim:record { every = t_end / 200, channels = channels }
  assert(sim:advance(t_end))
  return recording
end

describe("the view of a page #build", function()
  -- A speck that is thrown 40 m from a frame of 1 m, and a rope that it was never held by.
  local function thrown()
    local model = sarrus.model {
      gravity = { 0, -9.81 },
      body.disk { "speck", position = { 0, 0 }, radius = 0.01, mass = 1, velocity = { 15, 15 } },
      body.rod { "frame", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.fixed { "foot", "ground", "frame", at = { 0, 0 } },
      joint.distance { "rope", "frame", "speck", from = { 1, 0 }, to = { 0, 0 },
        limits = { 0, 2 } },
    }
    local sim = assert(model:simulate {})
    assert(sim:release "rope")
    local recording = sim:record { every = 0.02 }
    assert(sim:advance(3))
    return recording, { traces = { "speck", { "speck", { 5, 0 } } } }
  end

  sees("is drawn anew at once where its size changes", "resized", function()
    return recorded(sarrus.model {
      body.box { "box", position = { 0, 0 }, size = { 1, 1 }, mass = 1, velocity = { 1, 0 } } }, 1)
  end, function(seen)
    assert.is_true(seen.drawn > 1000, seen.drawn)
  end)

  sees("shows a plane that is not level by its edge, its lines and shadows", "told", function()
    return recorded(sarrus.model {
      gravity = { 0, 0, -9.81 },
      body.sphere { "ball", position = { 0, 0, 0.2 }, radius = 0.1, mass = 1 },
      shape.plane { "slope", "ground", at = { 0, 0, 0 }, normal = { 0.6, 0, 0.8 } },
      shape.plane { "floor", "ground", at = { 0, 0, -3 }, normal = { 0, 0, 1 } },
      contact.pair { "c", { "slope", "floor" }, "ball" },
    }, 0.5)
  end, function(seen)
    assert.is_false(seen.visible) -- all went well
    assert.equal(1, #seen.slopes)
    assert.equal(1, seen.slopes[1].shaded)
    local low = math.huge
    for _, p in ipairs(seen.slopes[1].corners) do
      assert.near(0, 0.6 * p[1] + 0.8 * p[3], 1e-6)
      low = math.min(low, p[1])
    end
    assert.is_true(low < -0.1 and low > -3, low)
  end)

  sees("tells of a run that failed", "told", function()
    local sim = assert(sarrus.model { name = "burst",
      body.point { "p", position = { 1, 0 }, velocity = { 2, 0 }, mass = 1 },
      sarrus.force.custom { "f", { "p" }, force = function(p)
        return { { force = { 6 * p:point().x ^ 2, 0 } } }
      end } }:simulate {})
    local recording = sim:record { every = 0.01 }
    local _, message = sim:advance(2)
    assert.truthy(message:find("the steps became too small", 1, true))
    return recording
  end, function(seen)
    assert.is_true(seen.visible)
    assert.truthy(seen.failure:find('^model "burst": the steps became too small; p.x keeps them '
      .. "small.* %[STEP%]$"))
  end)

  sees("shows traces, follows a body, and keeps small ones visible", "view", thrown, function(seen)
    local start, ending = seen.whole[1], seen.whole[2]
    assert.is_true(start.farthest < 1 and start.farthest > 0.8, start.farthest)
    assert.is_true(ending.bodies[1][1] > 0.5)
    assert.near(5, start.scales[1] * 0.01 * start.metre, 0.1) -- pixels
    assert.is_true(start.scales[2] < start.scales[1])
    assert.equal("0", seen.choice)
    for _, one in ipairs(seen.followed) do
      assert.near(0, one.bodies[1][1], 1e-6)
      assert.near(0, one.bodies[1][2], 1e-6)
      assert.is_true(one.metre > 2 * start.metre)
    end
    assert.near(ending.bodies[1][1], seen.back.bodies[1][1], 1e-6)
    assert.near(start.metre, seen.back.metre, 1e-6)
  end)

  sees("shows no rope that has been let go", "view", thrown, function(seen)
    assert.same({ true, false }, { seen.whole[1].links[1], seen.whole[2].links[1] })
  end)

  -- A plate whose far corner no vertex taken at random would be.
  sees("shows all of a body", "view", function()
    local parts = {
      body.rigid { "plate", position = { 0, 0 }, mass = 1, inertia = 1, spin = 1 },
      shape.box { "needle", "plate", at = { 3, 0 }, size = { 6, 0.01 } },
    }
    for i = 1, 40 do
      parts[#parts + 1] = shape.disk { "disk" .. i, "plate", at = { i / 50, 0 }, radius = 0.1 }
    end
    return recorded(sarrus.model(parts), 6.3)
  end, function(seen)
    assert.is_true(seen.whole[1].tall > 12 and seen.whole[1].tall < 15, seen.whole[1].tall)
  end)

  sees("has small symbols where joints are crowded, and for small bodies", "parts", function()
    local parts = { body.disk { "pea", position = { 9, 0 }, radius = 0.02, mass = 1 },
      joint.revolute { "D", "ground", "pea", at = { 9, 0 } } }
    for i, x in ipairs { 0, 0.2, 5 } do
      parts[#parts + 1] = body.rod { "rod" .. i, from = { x, 0 }, to = { x, -2 }, mass = 1 }
      parts[#parts + 1] = joint.revolute { "J" .. i, "ground", "rod" .. i, at = { x, 0 } }
    end
    return recorded(sarrus.model(parts), 0.1)
  end, function(seen)
    local pea, first, second, alone = seen.ground[1], seen.ground[2], seen.ground[3], seen.ground[4]
    assert.near(first, second, 1e-12)
    assert.is_true(first < 0.5 * alone, first / alone)
    assert.is_true(pea < 0.2 * alone, pea / alone)
  end)

  sees("has bars between the joints of bodies in space, or their shapes", "parts", function()
    local function rigid(name, position)
      return body.rigid { name, position = position, mass = 1, inertia = { 1, 1, 1 } }
    end
    return recorded(sarrus.model {
      rigid("arm", { 0.5, 0, -0.2 }), rigid("fork", { 1.5, 0, 0 }), rigid("bob", { 2, 1, -1 }),
      rigid("tool", { 2, -1, 0 }),
      shape.sphere { "tip", "tool", at = { 2, -1, 0 }, radius = 0.2 },
      joint.spherical { "A", "ground", "arm", at = { 0, 0, 0 } },
      joint.spherical { "B", "arm", "fork", at = { 1, 0, 0 } },
      joint.spherical { "C", "fork", "bob", at = { 2, 1, 0 } },
      joint.spherical { "D", "fork", "tool", at = { 2, -1, 0 } },
    }, 0.1)
  end, function(seen)
    local bar, ball = "CapsuleGeometry", "SphereGeometry"
    assert.same({ { bar, ball }, { bar, bar, bar, ball }, { bar, ball, ball }, { ball, ball } },
      seen.bodies) -- a ball for each joint, on its second body
  end)

  -- While a box rests, a ball strikes beside it.
  sees("marks what strikes, not what rests", "contacts", function()
    return recorded(sarrus.model {
      gravity = { 0, -9.81 },
      body.box { "box", position = { -1, 0.2 }, size = { 0.4, 0.4 }, mass = 1 },
      body.sphere { "ball", position = { 1, 0.5 }, radius = 0.2, mass = 1 },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "hits", "floor", { "box", "ball" }, restitution = 0.2 },
    }, 2)
  end, function(seen)
    assert.is_true(#seen.places > 2)
    for _, x in ipairs(seen.places) do
      assert.near(1, x, 1e-6)
    end
    assert.same({ 2, 2 }, { seen.start.dots, seen.start.arrows })
    assert.same({ 3, 3 }, { seen["end"].dots, seen["end"].arrows })
  end)
end)

describe("the charts of a page #build", function()
  --- Channels that are functions of time, in metres.
  local function shown(functions)
    local channels = {}
    for i, one in ipairs(functions) do
      channels[i] = { one[1], function(s) return one[2](s.t) end, unit = one.unit or "m" }
    end
    local model = sarrus.model {
      body.point { "p", position = { 0, 0 }, mass = 1, velocity = { 1, 0 } },
    }
    return recorded(model, 10, channels)
  end

  local function names(plots)
    local list = {}
    for i, plot in ipairs(plots) do
      list[i] = plot.title:match("^%S+") .. ": " .. table.concat(plot.names, " ")
    end
    return list
  end

  sees("have an axis for each range of a quantity", "zoom", function()
    return recorded(sarrus.model {
      body.point { "far", position = { 0, 0 }, mass = 1, velocity = { 10, 9 } },
      body.point { "slow", position = { 0, 0 }, mass = 1, velocity = { 0.01, 0 } },
    }, 10)
  end, function(seen)
    assert.same({ "position: far.x far.y slow.y", "position: slow.x", "energy: total" },
      names(seen.before))
  end)

  sees("are not flattened by spikes, which a zoom shows", "zoom", function()
    return shown {
      { "wave", function(t) return math.sin(t) + (math.abs(t - 3) < 0.06 and 1e3 or 0) end },
      { "steps", function(t) return t < 9.9 and 0 or 1 end },
    }
  end, function(seen)
    local wave, steps = seen.before[1], seen.before[2]
    assert.same({ "wave: wave", "steps: steps" }, names(seen.before))
    assert.is_true(wave.low > -2 and wave.high < 2, wave.high)
    assert.equal("spikes to 1000 cut off", wave.cut)
    assert.is_true(seen.after[1].high > 999)
    assert.is_true(steps.high > 1) -- nothing else is there to be seen
    assert.is_nil(steps.cut)
  end)

  sees("that matter come first", "zoom", function()
    return recorded(sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      body.box { "sled", position = { 3, 0.5 }, size = { 1, 1 }, mass = 1, velocity = { 1, 0 } },
      joint.prismatic { "rail", "ground", "rod", at = { 0, 0 }, axis = { 1, 0 } },
      joint.revolute { "turn", "ground", "wheel", at = { 0, 3 } },
      body.disk { "wheel", position = { 0, 3 }, radius = 0.5, mass = 1, spin = 2 },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "sole", "floor", "sled", friction = 0.3 },
    }, 1, { "residual.position", "energy.total", "rail.length", "turn.angle", "sled.velocity.x" })
  end, function(seen)
    assert.same({ "angle: turn", "velocity: sled.x", "contact: sole", "energy: total",
      "length: rail", "reactions: rail turn", "residual: position" }, names(seen.before))
  end)
end)
