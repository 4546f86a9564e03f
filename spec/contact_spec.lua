--- Contacts of models, against closed forms.

local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local G, near = 9.81, check.near

local function floor()
  return shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } }
end

--- A block on an incline that rises to the right, moving along it.
local function incline(angle, friction, speed)
  local n, half = { -math.sin(angle), math.cos(angle) }, 0.25
  return sarrus.model {
    gravity = { 0, -G },
    body.box { "block", position = { half * n[1], half * n[2] }, size = { 1, 2 * half }, mass = 2,
      angle = angle, velocity = { speed * n[2], -speed * n[1] } },
    shape.line { "slope", "ground", at = { 0, 0 }, normal = n },
    contact.pair { "sole", "slope", "block", friction = friction },
  }
end

--- How far the block has come along the incline.
local function climbed(s, angle)
  local at = s:body("block").position
  return at.x * math.cos(angle) + at.y * math.sin(angle)
end

describe("a disk", function()
  it("dropped on a line bounces, and rests for ever where its bounces end", function()
    local drop = sarrus.model {
      gravity = { 0, -G },
      body.disk { "ball", position = { 0, 1.1 }, radius = 0.1, mass = 1 }, floor(),
      contact.pair { "hit", "floor", "ball", restitution = 0.9 },
    }
    local sim = assert(drop:simulate { tolerance = 1e-14 })
    assert(sim:advance(8.5))
    local s = sim:state()
    near(0.1 + 5.565551008992671e-6, s:body("ball").y)
    near(-0.04166519580981356, s:body("ball").velocity.y)
    assert.equal("open", s:contact("hit").mode)
    assert(sim:advance(8.6))
    assert.equal("slip", sim:state():contact("hit").mode)
    assert(sim:advance(100))
    near(0.1, sim:state():body("ball").y, 1e-14)
    near(G, sim:state():contact("hit").normal_force)
  end)

  it("that rests is taken to have rested, and what bounced has no past", function()
    for _, case in ipairs { { 0.5, 20, 0.1 }, { 0.5, 0.6 }, { 1, 0.6, 1.1 - G / 2 * 0.2 ^ 2 } } do
      local sim = assert(sarrus.model { gravity = { 0, -G }, floor(),
        body.disk { "b", position = { 0, 1.1 }, radius = 0.1, mass = 1 },
        contact.pair { "hit", "floor", "b", restitution = case[1] } }:simulate {})
      assert(sim:advance(case[2]))
      local result, message, code = sim:advance(0.2)
      if case[3] then
        near(case[3], sim:state():body("b").y)
      else
        assert.same({ nil, "CONTACT" }, { result, code })
        assert.truthy(message:find("what was before cannot be told", 1, true))
        near(math.sqrt(2 / G), sim.time)
      end
    end
  end)

  it("that slides begins to roll", function()
    for _, case in ipairs { { body.disk, 1 / 3 }, { body.sphere, 2 / 7 } } do
      local make, share = case[1], case[2]
      local model = sarrus.model {
        gravity = { 0, -G }, make { "b", position = { 0, 0.3 }, radius = 0.3, mass = 2,
          velocity = { 2, 0 } }, floor(),
        contact.pair { "skid", "floor", "b", friction = 0.3 },
      }
      local sim = assert(model:simulate { tolerance = 1e-14, events = {
        sarrus.event { "rolls", contact = "skid", on = "stick", stop = true } } })
      local result, name, t = sim:advance(3)
      assert.same({ "EVENT", "rolls" }, { result, name })
      near(share * 2 / (0.3 * G), t)
      assert(sim:advance(3))
      local s = sim:state()
      near(2 * (1 - share), s:body("b").velocity.x)
      near(-2 * (1 - share) / 0.3, s:body("b").spin, 1e-11)
      assert.equal("stick", s:contact("skid").mode)
      near(0, s:contact("skid").friction_force)
    end
  end)

  it("hands its speed on through a row of others", function()
    local parts, names = {}, {}
    for i = 1, 5 do
      names[i] = "d" .. i
      parts[i] = body.disk { names[i], position = { i == 1 and -1 or i, 0 }, radius = 0.5, mass = 1,
        velocity = i == 1 and { 1, 0 } or nil }
    end
    parts[6] = contact.pair { "row", names, restitution = 1 }
    local sim = assert(sarrus.model(parts):simulate {})
    assert(sim:advance(3))
    for i = 1, 5 do
      near(i == 5 and 1 or 0, sim:state():body(names[i]).velocity.x, 1e-14)
    end
  end)

  it("falls off the edge of a box by way of its corner", function()
    local model = sarrus.model {
      gravity = { 0, -G },
      body.disk { "d", position = { 0.5, 0.8 }, radius = 0.3, mass = 1, velocity = { 0.5, 0 } },
      shape.box { "table", "ground", at = { 0, 0 }, size = { 2, 1 } },
      contact.pair { "edge", "table", "d" },
    }
    local sim = assert(model:simulate {})
    assert(sim:advance(0.9))
    near(0.95, sim:state():body("d").x)
    near(G, sim:state():contact("edge").normal_force)
    assert(sim:advance(1.1)) -- on the corner (1, 0.5): it falls about it with all of its energy
    local s = sim:state()
    near(0, s:contact("edge").gap)
    near(0.125 + G * 0.8, s:energy().total)
    local arm, v = s:body("d").position - sarrus.vec(1, 0.5), s:body("d").velocity
    near(G * arm.y / 0.3 - sarrus.vec.dot(v, v) / 0.3, s:contact("edge").normal_force, 1e-10)
    assert(sim:advance(2))
    assert.equal("open", sim:state():contact("edge").mode)
    near(0.125 + G * 0.8, sim:state():energy().total)
  end)
end)

describe("a block on an incline", function()
  it("below the friction angle stays where it is, with the forces of its corners", function()
    local angle = 0.3
    local sim = assert(incline(angle, 0.5, 0):simulate { tolerance = 1e-14 })
    assert(sim:advance(1000))
    local s = sim:state()
    near(0, climbed(s, angle), 1e-13)
    local sole = s:contact("sole")
    assert.equal("stick", sole.mode)
    assert.equal(2, #sole.points)
    near(2 * G * math.cos(angle), sole.normal_force)
    near(2 * G * math.sin(angle), sole.friction_force)
    near(0, sole.force.x)
    near(2 * G, sole.force.y)
    -- Moments about the middle: the friction acts 0.25 below it, the corners 0.5 beside it.
    local share = 0.25 * 2 * G * math.sin(angle) / 1
    near(G * math.cos(angle) + share, sarrus.vec.dot(sole.points[1].force, sole.points[1].normal))
    near(G * math.cos(angle) - share, sarrus.vec.dot(sole.points[2].force, sole.points[2].normal))
  end)

  it("that is kicked after it has rested comes to rest again", function() -- went back, at 18 m/s
    local wrong, seed = 0, 1
    local function drawn(low, high)
      seed = seed * 16807 % 2147483647
      return low + (high - low) * seed / 2147483647
    end
    for _ = 1, 60 do
      local mass, mu, speed = drawn(0.5, 3.5), drawn(0.1, 0.6), drawn(-1, 1)
      local sim = assert(sarrus.model { gravity = { 0, -9.81 },
        body.box { "b", position = { 0, 0.05 }, size = { 4, 0.1 }, mass = mass },
        shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
        contact.pair { "sole", "b", "floor", friction = mu } }:simulate {})
      assert(sim:advance(0.3))
      assert(sim:impulse("b", { mass * speed, 0 }, { 0, 0.05 }))
      assert(sim:advance(3))
      local way = speed * math.abs(speed) / (2 * mu * 9.81)
      wrong = wrong + (math.abs(sim:state():body("b").x - way) > 1e-12 and 1 or 0)
    end
    assert.equal(0, wrong)
  end)

  it("slides up, and stays or comes back", function()
    local angle, speed = 0.3, 2
    local down, held = G * math.sin(angle), G * math.cos(angle)
    for _, mu in ipairs { 0.2, 0.5 } do
      local up = down + mu * held
      local stop, high = speed / up, speed ^ 2 / (2 * up)
      local sim = assert(incline(angle, mu, speed):simulate { tolerance = 1e-14 })
      assert(sim:advance(0.9 * stop))
      near(high * 0.99, climbed(sim:state(), angle))
      near(mu * 2 * held, sim:state():contact("sole").friction_force)
      assert(sim:advance(stop + 1))
      near(mu > math.tan(angle) and high or high - (down - mu * held) / 2,
        climbed(sim:state(), angle))
    end
  end)
end)

describe("a thin bar", function()
  it("slides down at a wall without friction as a ladder does", function()
    local bar = sarrus.model {
      gravity = { 0, -G },
      body.rod { "ladder", from = { 0, 0.8 }, to = { 0.6, 0 }, mass = 1 }, floor(),
      shape.line { "wall", "ground", at = { 0, 0 }, normal = { 1, 0 } },
      contact.pair { "ends", { "floor", "wall" }, "ladder" },
    }
    local sim = assert(bar:simulate {})
    assert(sim:advance(0.2))
    local s = sim:state()
    near(G * 0.4, s:energy().total)
    -- m l^2 / 3 w^2 / 2 = m g l / 2 (sin a0 - sin a)
    local at = s:body("ladder")
    near(3 * G * (0.8 + math.sin(at.angle)), at.spin ^ 2, 1e-10)
    near(0, s:contact("ends").gap)
    -- Leaves the wall where its height is two thirds of the first.
    assert(sim:advance(2))
    assert.equal(2, #sim:state():contact("ends").points)
    near(0, sim:state():body("ladder").y)
  end)

  --- A shelf 20 m long, with what falls on it, from this height.
  local function shelf(...)
    return sarrus.model {
      gravity = { 0, -G }, body.rod { "shelf", from = { -10, 0 }, to = { 10, 0 }, mass = 1 },
      joint.fixed { "nails", "ground", "shelf", at = { 0, 0 } }, ...
    }
  end

  local function rests(model, low)
    local sim = assert(model:simulate {})
    near(0.5, sim:state():contact("c").gap, 3e-7)
    assert(sim:advance(3))
    local s = sim:state()
    near(2 * G, s:contact("c").normal_force)
    near(low, s:body("thing").y, 3e-7) -- it is 1e-8 of its length thick for what is thin too
  end

  it("carries bars, from either side and however they are tilted", function()
    for _, tilt in ipairs { 0, 1e-6, -0.1, 0.5 } do
      local x, y = math.cos(tilt), math.abs(math.sin(tilt))
      for _, names in ipairs { { "shelf", "thing" }, { "thing", "shelf" } } do
        rests(shelf(
          body.rod { "thing", from = { 0.3 - x, 0.5 + y - math.sin(tilt) },
            to = { 0.3 + x, 0.5 + y + math.sin(tilt) }, mass = 2 },
          contact.pair { "c", names[1], names[2] }), 0)
      end
    end
  end)

  it("carries points", function()
    for _, x in ipairs { 0, 0.3, 9.99 } do
      rests(shelf(body.point { "thing", position = { x, 0.5 }, mass = 2 },
        shape.point { "tip", "thing", at = { x, 0.5 } },
        contact.pair { "c", "shelf", "tip" }), 0)
    end
  end)

  it("is refused where something lies in it, on neither side", function()
    local thing = body.rod { "thing", from = { -1, 0 }, to = { 1, 0 }, mass = 2 }
    local sim, message, code = shelf(thing, contact.pair { "c", "shelf", "thing" }):simulate {}
    assert.is_nil(sim)
    assert.equal("CONTACT", code)
    assert.is_truthy(message:find('contact "c" of "shelf" and "thing" penetrates by 2e-07 m', 1,
      true), message)
  end)
end)

describe("boxes", function()
  it("stand exactly on each other", function()
    local parts = { gravity = { 0, -G }, floor() }
    for i = 1, 3 do
      parts[#parts + 1] = body.box { "b" .. i, position = { 0, i - 0.5 }, size = { 1, 1 },
        mass = i }
    end
    parts[#parts + 1] = contact.pair { "stack", { "floor", "b1", "b2", "b3" }, friction = 0.5 }
    local sim = assert(sarrus.model(parts):simulate {})
    assert(sim:advance(2))
    local s = sim:state()
    for i = 1, 3 do
      near(i - 0.5, s:body("b" .. i).y)
      near(0, s:body("b" .. i).angle)
    end
    near(G * (6 + 5 + 3), s:contact("stack").normal_force, 1e-9)
  end)

  it("fall on their corners and lose energy only", function()
    local model = sarrus.model {
      gravity = { 0, -G }, floor(),
      body.box { "box", position = { 0, 1.2 }, size = { 0.6, 0.4 }, mass = 2, angle = 0.4,
        velocity = { 1.5, 0 }, spin = -4 },
      contact.pair { "corners", "floor", "box", friction = 0.4, restitution = 0.3 },
    }
    local sim = assert(model:simulate {})
    local energy = math.huge
    for _, s in sim:samples(3, 0.01) do
      local now, touch = s:energy().total, s:contact("corners")
      assert.is_true(now <= energy + 1e-9)
      assert.is_true(touch.gap >= -1e-9)
      assert.is_true(touch.normal_force >= -1e-9)
      energy = now
    end
    local s = sim:state()
    near(0.2, s:body("box").y)
    near(2 * G, s:contact("corners").normal_force, 1e-10)
    assert.equal(2, #s:contact("corners").points)
  end)

  it("fall as dominoes and come to rest on each other", function() -- 15 of 15 ended with CONTACT
    for count = 2, 5 do
      local parts, names = { gravity = { 0, -G }, floor() }, {}
      for i = 1, count do
        names[i] = "d" .. i
        parts[#parts + 1] = body.box { names[i], position = { 0.03 * i, 0.025 },
          size = { 0.008, 0.05 }, mass = 0.01 }
        parts[#parts + 1] = i > 1 and contact.pair { "c" .. i, names[i - 1], names[i],
          friction = 0.2 } or nil
      end
      parts[#parts + 1] = contact.pair { "base", "floor", names, friction = 0.4 }
      local sim = assert(sarrus.model(parts):simulate {})
      assert(sim:impulse("d1", { 0.003, 0 }, { 0.026, 0.05 }))
      assert(sim:advance(1))
      local s = sim:state()
      near(count * 0.01 * G, s:contact("base").normal_force, 1e-12)
      near(0, s:energy().kinetic, 1e-20)
      assert.is_true(s:body("d1").angle < -1.2 and s:contact("base").gap > -1e-12)
    end
  end)
end)

describe("a custom contact", function()
  it("is any condition: a rope that goes tight", function()
    local model = sarrus.model {
      gravity = { 0, -G },
      body.point { "bob", position = { 0, -0.2 }, mass = 2 },
      contact.custom { "rope", { "bob" }, gap = function(bob)
        return 1 - sarrus.vec.norm(bob:point())
      end },
    }
    local sim = assert(model:simulate {})
    assert(sim:advance(3))
    local s = sim:state()
    near(-1, s:body("bob").position.y)
    near(2 * G, s:contact("rope").normal_force)
    near(2 * G, s:contact("rope").force.y)
  end)

  it("with friction: a bead on a belt", function()
    local model = sarrus.model {
      gravity = { 0, -G },
      body.point { "bead", position = { 0, 0 }, mass = 2 },
      contact.custom { "belt", { "bead" }, friction = 0.2,
        gap = function(bead) return bead:point().y end,
        slip = function(bead) return bead:velocity().x - 1 end },
    }
    local sim = assert(model:simulate {})
    assert(sim:advance(0.1))
    near(0.2 * 2 * G, sim:state():contact("belt").force.x)
    assert(sim:advance(2))
    near(1, sim:state():body("bead").velocity.x)
    near(2 - 0.5 / (0.2 * G), sim:state():body("bead").position.x)
    assert.equal("stick", sim:state():contact("belt").mode)
  end)
end)

describe("what a contact tells", function()
  local function bouncing()
    return sarrus.model {
      gravity = { 0, -G },
      body.disk { "ball", position = { 0, 1.1 }, radius = 0.1, mass = 3 }, floor(),
      contact.pair { "hit", "floor", "ball", restitution = 0.5, friction = 0.2 },
    }
  end

  it("of an impact is that of sliding, whatever holds at rest", function()
    local skid = sarrus.model { gravity = { 0, 0 }, floor(),
      body.disk { "b", position = { 0, 1 }, radius = 0.2, mass = 3, velocity = { 2, -1 } },
      contact.pair { "hit", "floor", "b", friction = { static = 0.9, sliding = 0.1 },
        restitution = 0.5 } }
    local sim = assert(skid:simulate {})
    assert(sim:advance(0.9))
    near(2 - 0.1 * 1.5, sim:state():body("b").velocity.x)
    near(0.5, sim:state():body("b").velocity.y)
  end)

  it("of an impact is its impulse", function()
    local told
    local sim = assert(bouncing():simulate { events = {
      sarrus.event { "touch", contact = "hit", on = "touch", stop = true, action = function(_, s)
        told = s:contact("hit").impulse
      end } } })
    assert.equal("EVENT", (sim:advance(1)))
    near(3 * 1.5 * math.sqrt(2 * G), told)
    assert(sim:advance(0.6))
    near(0, sim:state():contact("hit").impulse)
  end)

  it("is recorded too, with a frame before and after an impact", function()
    local sim = assert(bouncing():simulate {})
    local recording = sim:record { every = 0.25, channels = { "hit.gap", "hit.normal_force",
      "hit.friction_force", "hit.force.y", "hit.mode" } }
    assert(sim:advance(5))
    near(1, recording["hit.gap"][1])
    near(3 * G, recording["hit.normal_force"][21])
    near(3 * G, recording["hit.force.y"][21])
    near(0, recording["hit.friction_force"][21])
    assert.is_true(recording["hit.mode"][21] >= 1)
    local frames, found = recording.frames, nil
    for i = 2, #frames do
      found = found or frames[i].t == frames[i - 1].t and i or nil
    end
    near(-0.5 * frames[found - 1].poses[5], frames[found].poses[5])
    near(math.sqrt(2 / G), frames[found].t)
    assert.equal(5, #frames[found].touches)
  end)

  it("names what touches", function()
    local sim = assert(bouncing():simulate {})
    assert(sim:advance(9))
    local point = sim:state():contact("hit").points[1]
    assert.same({ "floor", "ball" }, { point.a, point.b })
    near(0, point.position.y)
    near(1, point.normal.y)
    near(3 * G, point.force.y)
    assert.is_true(sim:state():contact("hit").unique)
  end)

  it("that is unknown is misuse", function()
    local s = assert(bouncing():simulate {}):state()
    local _, message = pcall(function() return s:contact("hitt") end)
    assert.truthy(message:find([[contact: unknown contact "hitt" (did you mean 'hit'?)]], 1, true))
  end)

  it("is suggested for what others call it", function()
    local function with(fields)
      return check.misuse(function()
        local pair = { "hit", "floor", "ball" }
        for name, value in pairs(fields) do
          pair[name] = value
        end
        return sarrus.model { gravity = { 0, -G }, floor(), contact.pair(pair),
          body.disk { "ball", position = { 0, 1 }, radius = 0.1, mass = 3 } }
      end)
    end
    assert.equal([[contact.pair "hit": unknown field 'mu' (did you mean 'friction'?)]],
      with { mu = 0.1 })
    assert.equal([[contact.pair "hit": unknown field 'e' (did you mean 'restitution'?)]],
      with { e = 0.1 })
    assert.truthy(with({ friction = { static = 1, kinetic = 0.5 } }):find(
      "unknown field 'friction.kinetic' (did you mean 'sliding'?)", 1, true))
    assert.equal([[event "taut": unknown field 'joint' (did you mean 'contact'?)]],
      check.misuse(sarrus.event, { "taut", joint = "rope", on = "touch" }))
    assert.equal([[model: simulate: parameters: unknown parameter "nu" (did you mean 'mu'?); ]]
      .. "there are mu, e", check.misuse(function()
        return sarrus.model { gravity = { 0, -G }, floor(),
          body.disk { "ball", position = { 0, 1 }, radius = 0.1, mass = 3 },
          contact.pair { "hit", "floor", "ball", friction = sarrus.parameter("mu", 0.1),
            restitution = sarrus.parameter("e", 0.1) } }:simulate { parameters = { nu = 1 } }
      end))
  end)

  it("in the action of a touch is after the impact, what was before is at that time", function()
    local seen
    local sim = assert(bouncing():simulate { events = { sarrus.event { "land", contact = "hit",
      on = "touch", action = function(sim, s)
        seen = seen or { s:body("ball").velocity.y, sim:at(s.t):body("ball").velocity.y,
          s:contact("hit").impulse }
      end } } })
    assert(sim:advance(1))
    assert.is_true(seen[1] > 0 and seen[2] < 0)
    near(3 * (seen[1] - seen[2]), seen[3])
  end)

  it("of a place at an event changes by the place at that time, and by the instant", function()
    local e, v, g, h = sarrus.parameter("e", 0.5), 2, 10, 0.45
    local t0, count, slope = math.sqrt(2 * h / g), 0, nil
    local model = sarrus.model { gravity = { 0, -g },
      body.disk { "ball", position = { 0, 0.1 + h }, radius = 0.1, mass = 1, velocity = { v, 0 } },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "hit", "floor", "ball", restitution = e } }
    local sim = assert(model:simulate { sensitivity = { "e" }, events = { sarrus.event { "land",
      contact = "hit", on = "touch", action = function(_, s)
        count = count + 1
        slope = count == 2 and s:derivative("ball.x", "e")
          + s:body("ball").velocity.x * s:derivative("time", "e") or slope
      end } } })
    assert(sim:advance(1))
    near(v * 2 * t0, slope) -- lands again after t0 (1 + 2 e)
  end)

  it("of a start in penetration is how deep", function()
    local model = sarrus.model {
      gravity = { 0, -G }, floor(),
      body.disk { "ball", position = { 0, 0.05 }, radius = 0.1, mass = 3 },
      contact.pair { "hit", "floor", "ball" },
    }
    local sim, message, code = model:simulate {}
    assert.is_nil(sim)
    assert.equal("CONTACT", code)
    assert.truthy(message:find("0.05", 1, true))
  end)

  it("of centres that coincide is its name", function()
    local disks = sarrus.model { name = "rings",
      body.disk { "a", position = { 0, 0 }, radius = 1, mass = 1 },
      body.disk { "b", position = { 0, 0 }, radius = 0.2, mass = 1 },
      body.disk { "c", position = { 3, 0 }, radius = 0.2, mass = 1 },
      contact.pair { "far", "a", "c" }, contact.pair { "near", "a", "b" } }
    assert.same({ nil, 'model "rings": contact.pair "near": the centres of two shapes coincide, so '
      .. "that there is no normal; move them apart (t = 0)", "NONFINITE" }, { disks:simulate {} })
    local spheres = sarrus.model { name = "balls",
      body.sphere { "a", position = { 0, 0, 0 }, radius = 1, mass = 1 },
      body.sphere { "b", position = { 0, 0, 0 }, radius = 0.2, mass = 1 },
      contact.pair { "near", "a", "b", friction = 0.1 } }
    local _, message = spheres:simulate {}
    assert.truthy(message:find('contact.pair "near"', 1, true))
  end)
end)

describe("an impact that cannot be decided", function()
  local function thrown()
    return sarrus.model {
      gravity = { 0, -G }, floor(),
      body.disk { "ball", position = { 0, 1 }, velocity = { 0, 3 }, radius = 0.1, mass = 1 },
      contact.pair { "hit", "floor", "ball", restitution = 0.5 },
    }
  end

  it("is a failure only once time gets there", function() -- was one at -0.1, whose step ends there
    local model = thrown()
    local sim, early = assert(model:simulate {}), (3 - math.sqrt(9 + 2 * G * 0.9)) / G
    for _, t in ipairs { -0.1, -0.15 } do
      assert(sim:advance(t))
      near(1 + 3 * t - G / 2 * t ^ 2, sim:state():body("ball").position.y, 1e-14)
    end
    local record = sim:save()
    for _ = 1, 2 do
      local done, _, code = sim:advance(-1)
      assert.are.same({ nil, "CONTACT" }, { done, code })
      near(early, sim.time, 1e-14)
      near(0.1, sim:state():body("ball").position.y, 1e-14)
    end
    sim = assert(model:restore(record))
    assert.are.equal("CONTACT", select(3, sim:advance(-1)))
    near(early, sim.time, 1e-14)
    assert(sim:advance(0.2)) -- and back
    near(1 + 3 * 0.2 - G / 2 * 0.04, sim:state():body("ball").position.y, 1e-14)
  end)
end)

describe("in space", function()
  local function plane()
    return shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } }
  end

  it("a sphere bounces, slides and rolls", function()
    local model = sarrus.model {
      gravity = { 0, 0, -G }, plane(),
      body.sphere { "b", position = { 0, 0, 0.1 }, radius = 0.1, mass = 1, velocity = { 1.2, 1.6,
        0 } },
      contact.pair { "skid", "floor", "b", friction = 0.3 },
    }
    local sim = assert(model:simulate { tolerance = 1e-14 })
    assert(sim:advance(0.1))
    near(2 - 0.3 * G * 0.1, sarrus.vec.norm(sim:state():body("b").velocity))
    assert(sim:advance(1))
    local v = sim:state():body("b").velocity
    near(1.2 * 5 / 7, v.x)
    near(1.6 * 5 / 7, v.y)
    near(0.1, sim:state():body("b").position.z)
  end)

  it("boxes that are thrown on a rough floor come to rest", function()
    local tools = dofile("spec/random/tools/draw.lua")
    for _, seed in ipairs { 6, 8 } do
      local draw = tools.new(seed)
      local mu, v, w = draw:between(0.05, 1), draw:list(3, -1, 1), draw:list(3, -4, 4)
      local sim = assert(sarrus.model { gravity = { 0, 0, -9.81 },
        body.box { "b", position = { 0, 0, 1 }, size = { 0.4, 0.3, 0.2 }, mass = 1,
          velocity = v, spin = w,
          orientation = { axis = draw:direction(), angle = draw:between(0, 3) } },
        shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
        contact.pair { "c", "floor", "b", friction = mu } }:simulate {})
      assert(sim:advance(3))
      near(0, sim:state():energy().kinetic, 1e-15)
    end
  end)

  -- With F along the plane, k = mu N / F and the angle a between slip and F, |slip| sin a goes as
  -- tan(a/2)^k: the digits are those of quadratures with 30.
  it("a box on four corners turns downhill while it stops, and stays", function()
    local function box(across)
      return sarrus.model {
        gravity = { -G * math.sin(0.3), 0, -G * math.cos(0.3) },
        shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
        body.box { "body", position = { 0, 0, 0.05 }, size = { 0.4, 0.4, 0.1 }, mass = 1,
          velocity = { 2, across, 0 } },
        contact.pair { "touch", "floor", "body", friction = 0.5 },
      }
    end
    for _, case in ipairs { { 0, 0.26367905268919945, 0 },
      { 0.3, 0.26660216998345253, 0.049688175677309908 } } do
      local model = box(case[1])
      for _, order in ipairs { 12, 16, 20 } do
        local sim = assert(model:simulate { tolerance = 1e-13, order = order })
        assert(sim:advance(1))
        local at = sim:state():body("body").position
        near(case[2], at.x)
        near(case[3], at.y)
        assert.equal("stick", sim:state():contact("touch").mode)
        assert.is_true(sim:stats().steps < 200)
      end
    end
  end)

  it("rough spheres pass each other at any height", function()
    local sim = assert(sarrus.model {
      body.sphere { "a", position = { 0, 0, 0 }, radius = 0.1, mass = 1 },
      body.sphere { "b", position = { 1, 0.3, 1 }, radius = 0.1, mass = 1,
        velocity = { 0, 0, -1 } },
      contact.pair { "c", "a", "b", friction = 0.3 } }:simulate {})
    assert(sim:advance(2))
    near(-1, sim:state():body("b").position.z)
    assert.is_true(sim:stats().steps < 10)
  end)

  it("a hinged bar and a falling sphere strike with the right impulse", function()
    -- A sphere of mass 1 at 2 m/s on the end of a bar of mass 3, inertia m l^2 / 3 about its hinge.
    local model = sarrus.model {
      body.rod { "bar", from = { 0, 0, 0 }, to = { 1, 0, 0 }, radius = 0.01, mass = 3 },
      body.sphere { "b", position = { 1, 0, 1 }, radius = 0.1, mass = 1, velocity = { 0, 0, -2 } },
      joint.revolute { "hinge", "ground", "bar", at = { 0, 0, 0 }, axis = { 0, 1, 0 } },
      contact.pair { "strike", "bar", "b", restitution = 1 },
    }
    local sim = assert(model:simulate {})
    assert(sim:advance(0.5))
    local inertia = 3 * (1 / 12 + 1e-4 / 4) + 3 / 4
    local impulse = 2 * 2 / (1 + 1 / inertia)
    near(impulse - 2, sim:state():body("b").velocity.z)
    near(impulse / inertia, sim:state():joint("hinge").rate)
  end)
end)

describe("a face that touches on more points than are needed", function()
  --- A box that slides with a spin about the normal: y and the spin after a while.
  local function slid(spin, options)
    local model = sarrus.model { gravity = { 0, 0, -9.81 },
      sarrus.body.box { "box", position = { 0, 0, 0.1 }, size = { 0.3, 0.2, 0.2 }, mass = 2,
        velocity = { 2, 0, 0 }, spin = { 0, 0, spin } },
      sarrus.shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
      sarrus.contact.pair { "sole", "floor", "box", friction = 0.3 } }
    local sim = assert(model:simulate(options))
    assert(sim:advance(0.3))
    local state = sim:state()
    return state:body("box"), state:contact("sole"), state
  end

  it("slides as its mirror image does, on all of them", function()
    local left, sole = slid(3)
    local right = slid(-3)
    assert.is_true(math.abs(left.position.x - right.position.x) < 1e-11)
    assert.is_true(math.abs(left.position.y + right.position.y) < 1e-11)
    assert.is_true(math.abs(left.spin.z + right.spin.z) < 1e-11)
    assert.is_true(math.abs(left.position.y) > 1e-3)
    assert.equal(4, #sole.points)
    assert.is_false(sole.unique)
  end)

  it("slides alike by implicit steps", function()
    local series, stiff = slid(3), slid(3, { method = "stiff" })
    assert.is_true(math.abs(series.position.y - stiff.position.y) < 1e-11)
    assert.is_true(math.abs(series.spin.z - stiff.spin.z) < 1e-11)
  end)

  it("has derivatives that are those of its motion", function()
    local _, _, state = slid(3, { tolerance = 1e-13, sensitivity = { "start.box.spin.z" } })
    local more, less = slid(3 + 1e-5, { tolerance = 1e-13 }), slid(3 - 1e-5, { tolerance = 1e-13 })
    local function is_slope(channel, a, b)
      local slope = state:derivative(channel, "start.box.spin.z")
      assert.is_true(math.abs(slope - (a - b) / 2e-5) < 1e-9)
      assert.is_true(math.abs(slope) > 1e-4)
    end
    is_slope("box.position.y", more.position.y, less.position.y)
    is_slope("box.spin.z", more.spin.z, less.spin.z)
  end)

  it("is caught between four pads without turning", function()
    local names, parts = {}, { gravity = { 0, 0, -9.81 },
      sarrus.body.box { "box", position = { 0, 0, 0 }, size = { 0.1, 0.1, 0.1 }, mass = 0.5 } }
    for _, x in ipairs { -1, 1 } do
      local side = x < 0 and "l" or "r"
      parts[#parts + 1] = sarrus.body.box { side, position = { 0.095 * x, 0, 0 },
        size = { 0.02, 0.08, 0.16 }, mass = 0.1 }
      parts[#parts + 1] = sarrus.joint.prismatic { "j" .. side, "ground", side,
        at = { 0.09 * x, 0, 0 }, axis = { -x, 0, 0 }, force = 10 }
      for i, y in ipairs { 0.02, -0.02 } do
        names[#names + 1] = side .. i
        parts[#parts + 1] = sarrus.shape.sphere { side .. i, side, at = { 0.065 * x, y, 0.01 },
          radius = 0.01 }
      end
    end
    parts[#parts + 1] = sarrus.contact.pair { "pads", names, "box", friction = 0.6 }
    local sim = assert(sarrus.model(parts):simulate())
    assert(sim:advance(0.1))
    local box, pads = sim:state():body("box"), sim:state():contact("pads")
    assert.is_true(math.abs(box.spin.x) + math.abs(box.spin.y) + math.abs(box.spin.z) < 1e-12)
    assert.equal("stick", pads.mode)
    for _, point in ipairs(pads.points) do
      assert.is_true(math.abs(math.abs(point.force.x) - 5) < 1e-9)
    end
  end)
end)
