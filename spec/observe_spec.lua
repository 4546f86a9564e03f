--- What joints exert, by their drives, rotors, locks and reactions: closed forms of one rod.
local sarrus = require "sarrus"
local check = dofile("spec/check.lua")
local near = check.near

local ROD, ROTOR, TORQUE = 2 / 3, 0.5, 3 -- m l^2 / 3 of 2 kg and 1 m; kg m^2; N m

local function driven(dimension, fields)
  local function at(x)
    return dimension == 2 and { x, 0 } or { x, 0, 0 }
  end
  local joint = { "J", "ground", "rod", at = at(0), axis = dimension == 3 and { 0, 0, 1 } or nil }
  for name, value in pairs(fields) do
    joint[name] = value
  end
  return sarrus.model {
    sarrus.body.rod { "rod", from = at(0), to = at(1), mass = 2 }, sarrus.joint.revolute(joint),
  }
end

local function torque_of(s, dimension)
  local torque = s:joint("J").torque
  return dimension == 3 and torque.z or torque
end

describe("the torque of a joint", function()
  for _, dimension in ipairs { 2, 3 } do
    it(("is what its drive gives less what its rotor takes (%dD)"):format(dimension), function()
      local sim = assert(driven(dimension, { torque = TORQUE, inertia = ROTOR }):simulate())
      near(TORQUE * ROD / (ROD + ROTOR), torque_of(sim:state(), dimension), 1e-14)
      assert(sim:advance(0.5))
      near(TORQUE / (ROD + ROTOR) * 0.5, sim:state():joint("J").rate, 1e-14)
      near(TORQUE * ROD / (ROD + ROTOR), torque_of(sim:state(), dimension), 1e-12)
    end)

    it(("is nothing where it is released, and the rod flies on (%dD)"):format(dimension), function()
      local sim = assert(driven(dimension, { torque = TORQUE, inertia = ROTOR }):simulate())
      assert(sim:advance(0.5))
      local rate = sim:state():joint("J").rate
      assert(sim:release("J"))
      near(0, torque_of(sim:state(), dimension), 1e-14)
      assert(sim:advance(1.5))
      near(0, torque_of(sim:state(), dimension), 1e-14)
      local spin = sim:state():body("rod").spin
      near(rate, dimension == 3 and spin.z or spin, 1e-12)
    end)

    it(("holds what the drive gives where it is locked (%dD)"):format(dimension), function()
      local sim = assert(driven(dimension, { torque = TORQUE, inertia = ROTOR }):simulate())
      assert(sim:lock("J") and sim:advance(1))
      near(0, torque_of(sim:state(), dimension), 1e-14)
      near(0, sim:state():joint("J").angle, 0)
    end)

    it(("is that of springs and dampers (%dD)"):format(dimension), function()
      local sim = assert(driven(dimension, { stiffness = 4, damping = 0.5 }):simulate {
        joints = { J = { angle = 0.25, rate = 2 } } })
      near(-4 * 0.25 - 0.5 * 2, torque_of(sim:state(), dimension), 1e-14)
    end)
  end
end)

describe("the channels of a body", function()
  local expected = {
    [2] = { ["position.x"] = 1, ["position.y"] = 2, ["velocity.x"] = 3, ["velocity.y"] = 4, x = 1,
      y = 2, angle = 0.5, spin = 6 },
    [3] = { ["position.x"] = 1, ["position.y"] = 2, ["position.z"] = 7, ["velocity.x"] = 3,
      ["velocity.y"] = 4, ["velocity.z"] = 8, ["spin.x"] = 0, ["spin.y"] = 0, ["spin.z"] = 6,
      ["rates.x"] = 6, ["rates.y"] = 0, ["rates.z"] = 0, ["orientation.w"] = math.sqrt(0.5),
      ["orientation.x"] = 0, ["orientation.y"] = -math.sqrt(0.5), ["orientation.z"] = 0 },
  }

  it("are all that a state tells of it, and no more", function()
    for dimension, list in pairs(expected) do
      local flat = dimension == 2
      local sim = assert(sarrus.model {
        sarrus.body.rigid { "b", mass = 2, position = flat and { 1, 2 } or { 1, 2, 7 },
          velocity = flat and { 3, 4 } or { 3, 4, 8 }, spin = flat and 6 or { 0, 0, 6 },
          angle = flat and 0.5 or nil, inertia = flat and 1 or { 1, 1, 1 },
          orientation = not flat and { axis = { 0, 1, 0 }, angle = -math.pi / 2 } or nil },
      }:simulate {})
      local names = {}
      for name in pairs(list) do
        names[#names + 1] = "b." .. name
      end
      local recording = sim:record { every = 1, channels = names }
      assert(sim:advance(0.5))
      for name, value in pairs(list) do
        near(value, recording["b." .. name][1], 1e-14)
      end
      assert.is_false((pcall(sim.record, sim, { every = 1,
        channels = { flat and "b.rates.x" or "b.angle" } })))
    end
  end)
end)

describe("the channels of a joint", function()
  local function recorded(parts, given, names)
    local sim = assert(sarrus.model(parts):simulate { joints = { J = given } })
    for i, name in ipairs(names) do
      names[i] = "J." .. name
    end
    local recording, list = sim:record { every = 1, channels = names }, {}
    assert(sim:advance(0.5))
    for i, name in ipairs(names) do
      list[i] = recording[name][1]
    end
    return list
  end

  it("are coordinates with their rates, and all components of what it exerts", function()
    local given = { angle = 0.5, rate = 2, length = 3, speed = 4 }
    local body = sarrus.body.box { "b", position = { 0, 0, 0 }, size = { 1, 1, 1 }, mass = 2 }
    local joint = sarrus.joint.cylindrical { "J", "ground", "b", at = { 0, 0, 0 },
      axis = { 0, 0, 1 } }
    local list = recorded({ body, joint, gravity = { -10, -5, 0 } }, given, { "angle", "rate",
      "length", "speed", "force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z" })
    for i, x in ipairs { 0.5, 2, 3, 4, 20, 10, 0, 0, 0, 0 } do
      near(x, list[i], 1e-12)
    end
  end)

  it("have two components of the force in the plane, and one of the torque", function()
    local body = sarrus.body.box { "b", position = { 0, 0 }, size = { 1, 1 }, mass = 2 }
    local joint = sarrus.joint.revolute { "J", "ground", "b", at = { 0, 0 } }
    local list = recorded({ body, joint, gravity = { -10, -5 } }, { angle = 0.5, rate = 2 },
      { "angle", "rate", "force.x", "force.y", "torque" })
    for i, x in ipairs { 0.5, 2, 20, 10, 0 } do
      near(x, list[i], 1e-12)
    end
  end)
end)
