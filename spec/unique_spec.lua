-- Which contact forces a model of rigid bodies determines, and which it leaves open.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

--- Two fingers press on a box, whose faces lie on theirs.
local function gripper(friction)
  return assert(sarrus.model {
    name = "gripper", gravity = { 0, -9.81 },
    body.box { "left", position = { -0.125, 0.3 }, size = { 0.05, 0.3 }, mass = 0.2 },
    body.box { "right", position = { 0.125, 0.3 }, size = { 0.05, 0.3 }, mass = 0.2 },
    body.box { "box", position = { 0, 0.3 }, size = { 0.2, 0.1 }, mass = 1 },
    joint.prismatic { "fl", "ground", "left", at = { -0.125, 0.45 }, axis = { 1, 0 }, force = 30 },
    joint.prismatic { "fr", "ground", "right", at = { 0.125, 0.45 }, axis = { -1, 0 }, force = 30 },
    contact.pair { "gl", "left", "box", friction = friction },
    contact.pair { "gr", "right", "box", friction = friction },
  }:simulate {})
end

--- A foot with corners at x = 0 and 1, whose mass is above `x`, on a floor; `speed` along it.
local function foot(x, friction, speed)
  return assert(sarrus.model {
    name = "foot", gravity = { 0, -10 },
    body.rigid { "foot", position = { x, 0.5 }, mass = 1, inertia = 1,
      velocity = { speed or 0, 0 } },
    shape.polygon { "sole", "foot", points = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } } },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair { "c", "floor", "sole", friction = friction },
  }:simulate {})
end

--- The contacts of a disk with a floor, and with one lower and turned by a little.
local function twice(lower, slope)
  local s = assert(sarrus.model {
    name = "twice", gravity = { 0, -10 },
    body.disk { "disk", position = { 0, 1 }, radius = 1, mass = 1 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    shape.line { "other", "ground", at = { 0, -lower }, normal = { slope, 1 } },
    contact.pair { "c", "floor", "disk" }, contact.pair { "d", "other", "disk" },
  }:simulate {}):state()
  return s:contact("c"), s:contact("d")
end

describe("forces of contacts", function()
  it("are not unique where a face lies on a face, whichever corners the load is put on", function()
    for _, friction in ipairs { 0.5, 1 } do -- one corner of each face is pressed, or both are
      local s = gripper(friction):state()
      local left = s:contact("gl")
      assert.equal(friction == 1 and 2 or 1, #left.points)
      assert.is_false(left.unique) -- the higher the one presses, the more the other lifts
      for _, point in ipairs(left.points) do
        assert.is_false(point.unique)
      end
      assert.same({ true, false }, s:joint("fl").unique_force)
      assert.is_false(s:joint("fl").unique_torque[1])
    end
  end)

  it("may have a sum that is unique, of parts that are not", function()
    local smooth = foot(0.5):state():contact("c")
    assert.is_true(smooth.unique)
    assert.is_true(smooth.points[1].unique)
    local stuck = foot(0.5, 0.5):state():contact("c") -- both corners can hold it along the floor
    assert.is_true(stuck.unique)
    assert.is_false(stuck.points[1].unique)
  end)

  it("are shared by contacts of the same pair", function()
    local c, d = twice(0, 0)
    assert.is_false(c.unique)
    assert.is_false(d.unique)
  end)

  it("are shared by what touches within 1e-9 of the size, which a disk alone has of its inertia",
    function()
      local size = math.sqrt(1 / 2)
      for part, unique in pairs { [0.3] = false, [0.7] = false, [1.5] = true, [3] = true } do
        local c, d = twice(part * 1e-9 * size, 0)
        assert.equal(1, #c.points + #d.points) -- the other is idle
        assert.equal(unique, c.unique)
        assert.equal(unique, d.unique)
      end
    end)

  it("are shared by what presses in directions that differ by less than 1e-9", function()
    for part, unique in pairs { [0.3] = false, [0.7] = false, [1.5] = true, [3] = true } do
      local c, d = twice(1e-10, part * 1e-9)
      assert.equal(1, #c.points + #d.points)
      assert.equal(unique, c.unique)
      assert.equal(unique, d.unique)
    end
  end)

  it("of a box that slides on four corners are one choice of many", function()
    local s = assert(sarrus.model {
      name = "sledge", gravity = { 0, 0, -10 },
      body.box { "box", position = { 0, 0, 0.1 }, size = { 1, 1, 0.2 }, mass = 1,
        velocity = { 1, 0, 0 } },
      shape.plane { "floor", "ground", at = { 0, 0, 0 }, normal = { 0, 0, 1 } },
      contact.pair { "c", "floor", "box", friction = 0.1 },
    }:simulate {}):state()
    local c = s:contact("c")
    assert.is_true(c.unique)
    assert.is_false(c.points[1].unique)
  end)

  it("are unique where the idle corner cannot carry any", function()
    for _, friction in ipairs { 0, 0.5 } do
      local c = foot(0, friction):state():contact("c") -- on the point of tipping
      assert.is_true(c.unique)
      assert.equal(10, c.normal_force)
      for _, point in ipairs(c.points) do
        assert.is_true(point.unique)
      end
    end
    assert.is_true(foot(0.5, 0.5, 1):state():contact("c").points[1].unique) -- slips: both known
  end)
end)

--- A slider on its rail, with a speed along it, and beside it a block that slides; the slider's tip
--- touches a floor 1e-11 below it.
local function parts_of_slider(way, speed, friction)
  local flat = #way == 2
  local function at(x, height)
    return flat and { x, height } or { x, 0, height }
  end
  local velocity = {}
  for k, x in ipairs(way) do
    velocity[k] = speed * x
  end
  return {
    name = "slider", gravity = at(0, -10),
    body.rigid { "slider", position = at(0, 0), mass = 1, inertia = flat and 1 or { 1, 1, 1 },
      velocity = velocity },
    joint.prismatic { "rail", "ground", "slider", at = at(0, 0), axis = way },
    shape.point { "tip", "slider", at = at(0, 0) },
    body.box { "block", position = at(5, 0.5), size = flat and { 1, 1 } or { 1, 1, 1 }, mass = 1,
      velocity = at(1, 0) },
    shape[flat and "line" or "plane"] { "floor", "ground", at = at(0, 0), normal = at(0, 1) },
    shape[flat and "line" or "plane"] { "low", "ground", at = at(0, -1e-11), normal = at(0, 1) },
    contact.pair { "a", "low", "tip", friction = friction },
    contact.pair { "b", "floor", "block", friction = 0.5 },
  }
end

describe("a tip that a rail may press on a floor", function()
  local function unique(...)
    local s = assert(sarrus.model(parts_of_slider(...)):simulate {}):state()
    local a = s:contact("a")
    assert.equal("open", a.mode)
    assert.equal("slip", s:contact("b").mode)
    assert.is_true(s:contact("b").unique)
    return a.unique
  end

  it("has a force that is not unique where it rests or slides without friction", function()
    for _, way in ipairs { { 1, 0 }, { 1, 0, 0 } } do
      assert.is_false(unique(way, 0, 0.5))
      assert.is_false(unique(way, 1, 0))
    end
  end)

  it("has none where friction would slow it down, from 1e-9 of the fastest on", function()
    for _, way in ipairs { { 1, 0 }, { 1, 0, 0 } } do
      for speed, other in pairs { [3e-10] = false, [7e-10] = false, [1.5e-9] = true, [3e-9] = true,
        [1] = true } do
        assert.equal(other, unique(way, speed, 0.5))
        assert.equal(other, unique(way, -speed, 0.5))
      end
    end
  end)

  it("has one where the rail rises as steeply as pressure and friction lean back", function()
    for _, sign in ipairs { 1, -1 } do -- up the rail, to either side
      assert.is_false(unique({ 1, sign * 0.5 }, sign, 0.5))
      assert.is_true(unique({ 1, sign * 0.25 }, sign, 0.5))
      for _, across in ipairs { 0, 4 / 3, -4 / 3 } do -- sqrt(1 + across^2) along the floor
        local along = math.sqrt(1 + across ^ 2)
        assert.is_false(unique({ 1, across, sign * 0.5 * along }, sign, 0.5))
        assert.is_true(unique({ 1, across, sign * 0.25 * along }, sign, 0.5))
      end
    end
    for _, across in ipairs { 4 / 3, 3 / 4 } do
      assert.is_false(unique({ across, 1, 0.5 * math.sqrt(1 + across ^ 2) }, 1, 0.5))
      assert.is_false(unique({ 0, 1, 0.5 }, across, 0.5))
      assert.is_true(unique({ 0, 1, 0.25 }, across, 0.5))
    end
  end)
end)

describe("a tip beside a wheel that rolls", function()
  local ways = {
    rolling = function()
      return joint.rolling { "R", "ground", "wheel", radius = 1, normal = { 0, 1 } }
    end,
    places = function()
      return joint.custom { "R", { "wheel" },
        equations = function(one) return { one:point().y - 1 } end,
        velocity_equations = function(one) return { one:velocity().x + one:spin() } end }
    end,
    speeds = function()
      return joint.custom { "R", { "wheel" },
        velocity_equations = function(one) return { one:spin(), one:velocity().y } end }
    end,
  }

  local function unique(way)
    local parts = { name = "wheel", gravity = { 0, -10 },
      body.disk { "wheel", position = { 0, 1 }, radius = 1, mass = 1 },
      shape.line { "low", "ground", at = { 0, -1e-11 }, normal = { 0, 1 } },
      body.box { "block", position = { 5, 0.5 }, size = { 1, 1 }, mass = 1 },
      shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
      contact.pair { "a", "low", "wheel", friction = 0.5 },
      contact.pair { "b", "floor", "block", friction = 0.5 },
      ways[way](),
    }
    return assert(sarrus.model(parts):simulate {}):state():contact("a").unique
  end

  it("has a force that is not unique, whichever equations hold it up", function()
    for way in pairs(ways) do
      assert.is_false(unique(way), way)
    end
  end)
end)

--- Whether the torque of a lever's stop is unique, and that of a door's, which turn as one: the
--- lever's stop is lower by an angle; a block that slides is beside them.
local function stops(lower, size)
  local parts = {
    name = "doors", gravity = { 0, -10 },
    body.rod { "door", from = { 0, 0 }, to = { size, 0 }, mass = 1 },
    body.rod { "lever", from = { 0, 0 }, to = { 0, size }, mass = 1 },
    joint.revolute { "A", "ground", "door", at = { 0, 0 }, limits = { 0, 2 } },
    joint.revolute { "B", "ground", "lever", at = { 0, 0 }, limits = { -lower, 2 } },
    joint.coupled { "C", "A", "B", coefficients = { 0, 1 } },
    body.box { "block", position = { 5, 0.5 }, size = { 1, 1 }, mass = 1, velocity = { 1, 0 } },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair { "slides", "floor", "block", friction = 0.5 },
  }
  local s = assert(sarrus.model(parts):simulate {}):state()
  assert.equal("slip", s:contact("slides").mode)
  return s:joint("A").unique_torque[1], s:joint("B").unique_torque[1]
end

describe("stops of two joints that turn as one", function()
  it("share the load within 1e-9 of a radian, whatever the size", function()
    for _, size in ipairs { 0.01, 1, 100 } do
      for lower, unique in pairs { [0] = false, [3e-10] = false, [7e-10] = false, [1.5e-9] = true,
        [3e-9] = true } do
        local door, lever = stops(lower, size)
        assert.equal(unique, door)
        assert.equal(unique, lever)
      end
    end
  end)
end)

describe("what two hinges of a door share", function()
  it("are all forces, and torques across their axis, whatever the size", function()
    for _, size in ipairs { 1e-9, 1e-3, 1, 1e3, 1e9 } do
      local s = assert(sarrus.model {
        name = "door", gravity = { 0, 0, -10 },
        body.box { "door", position = { size / 2, 0, size }, size = { size, size / 20, 2 * size },
          mass = 3 },
        joint.revolute { "low", "ground", "door", at = { 0, 0, 0 }, axis = { 0, 0, 1 } },
        joint.spherical { "high", "ground", "door", at = { 0, 0, 2 * size } },
      }:simulate {}):state()
      for _, name in ipairs { "low", "high" } do
        local j = s:joint(name)
        assert.is_false(j.unique)
        assert.same({ false, false, false }, j.unique_force)
        assert.same({ name == "high", name == "high", true }, j.unique_torque)
      end
    end
  end)
end)
