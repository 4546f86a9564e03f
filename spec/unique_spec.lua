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
