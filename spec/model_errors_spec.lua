-- What bad models get: one message, a line for each fault, with place, part, field and value.
local sarrus = require "sarrus"
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

--- The message of a model with these parts, which must be refused.
local function refused(parts)
  local ok, message = pcall(sarrus.model, parts)
  assert.is_false(ok)
  assert.equal("string", type(message))
  for line in message:gmatch("[^\n]+") do
    assert.truthy(line:find("^[^\n]*model_errors_spec%.lua:%d+: ") or line:find("^and %d+ more"),
      "no place in: " .. line)
  end
  return message
end

--- The message must have all these words.
local function says(message, ...)
  for _, word in ipairs { ... } do
    assert.truthy(message:find(word, 1, true), ("no %q in: %s"):format(word, message))
  end
end

local function rod(fields)
  local given = { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 }
  for key, value in pairs(fields or {}) do
    given[key] = value
  end
  return body.rod(given)
end

local function rigid(fields)
  local given = { "arm", position = { 0, 0, 0 }, mass = 1, inertia = { 1, 1, 1 } }
  for key, value in pairs(fields or {}) do
    given[key] = value
  end
  return body.rigid(given)
end

describe("a model of which no part has a place", function()
  it("is told all that is wrong with it", function()
    local message = refused { body.rod { "arm", frm = { 0, 0 }, mass = 1 },
      joint.revolute { "hinge", "ground", "amr", at = 2 } }
    says(message,
      "model: no part says with two or three numbers whether the model is planar or spatial",
      [[body.rod "arm": unknown field 'frm' (did you mean 'from'?)]],
      [[body.rod "arm": missing field 'to']],
      [[joint.revolute "hinge": at: got number 2, want a list of 2 numbers]],
      [[joint.revolute "hinge": body B, [3]: unknown body "amr" (did you mean 'arm'?)]])
  end)
end)

describe("a list of parts", function()
  local function point(name)
    return body.point { name, position = { 0, 0 }, mass = 1 }
  end

  it("may be in another one, but not in itself", function()
    local inner, whole = { point "b" }, { point "a" }
    whole[2] = inner
    assert.equal(4, sarrus.model(whole):freedoms())
    inner[2] = { whole }
    says(refused(whole), "model: [2][2][1]: the list contains itself")
    inner[2] = inner
    says(refused { inner }, "model: [1][2]: the list contains itself")
  end)

  it("are what they were declared as", function()
    local part = body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 }
    for key, shown in pairs { mass = "'mass'", [1] = "1", colour = "'colour'" } do
      local ok, message = pcall(function() part[key] = 5 end)
      assert.is_false(ok)
      assert.equal(('body.rod "arm": %s cannot be set: a part is what it was declared as'):format(
        shown), message:match("model_errors_spec%.lua:%d+: (.*)$"))
    end
  end)

  it("tells a field that was misspelt once, not as one that is missing, too", function()
    local message = refused { body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "hinge", "ground", "arm", att = { 0, 0 } } }
    says(message, [[joint.revolute "hinge": unknown field 'att' (did you mean 'at'?)]])
    assert.is_nil(message:find("missing"))
    says(refused { body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.prismatic { "slide", "ground", "arm", at = { 0, 0 }, axis = { 1, 0 }, torque = 3 } },
      [[joint.prismatic "slide": unknown field 'torque' (did you mean 'force'?)]])
  end)

  it("tells which fields there are where an unknown one looks like none of them", function()
    local arm = body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 }
    says(refused { arm, sarrus.force.torque { "push", "ground", "arm", torque = 3 } },
      [[force.torque "push": unknown field [3], want one of torque, frame]])
    local model = sarrus.model { arm }
    local _, message = pcall(model.simulate, model, { bodies = { arm = { turn = 1 } } })
    says(message, "unknown field 'bodies.arm.turn', want one of position, velocity, angle, spin")
  end)

  it("tells of a name too many", function()
    local arm = body.rod { "arm", from = { 0, 0 }, to = { 1, 0 }, mass = 1 }
    says(refused { arm, joint.revolute { "hinge", "ground", "arm", "more", at = { 0, 0 } } },
      'joint.revolute "hinge": unknown field [4]')
    says(refused { arm, force.drag { "air", "arm", "more", linear = 1 } },
      'force.drag "air": unknown field [3]')
  end)
end)

describe("a model with a bad body", function()
  it("1: names a negative mass", function()
    says(refused { rod { mass = -1 } }, 'body.rod "arm"', "mass = -1 kg", "sign")
  end)

  it("2: names the freedom of a massless body", function()
    local sim, message, code = sarrus.model { body.point { "p", position = { 0, 0 }, mass = 0 } }
      :simulate {}
    assert.is_nil(sim)
    assert.equal("SINGULAR", code)
    says(message, '"p"', "mass")
    local carried = sarrus.model {
      gravity = { 0, -9.81 },
      body.rod { "light", from = { 0, 0 }, to = { 1, 0 }, mass = 0 },
      body.point { "bob", position = { 1, 0 }, mass = 1 },
      joint.revolute { "A", "ground", "light", at = { 0, 0 } },
      joint.revolute { "B", "light", "bob", at = { 1, 0 } },
    }
    assert.truthy(assert(carried:simulate {}):advance(1))
  end)

  it("3, 4: wants finite numbers", function()
    says(refused { rod { mass = 0 / 0 } }, "mass", "not finite")
    says(refused { rod { mass = math.huge } }, "mass", "not finite")
    says(refused { rod { mass = "2" } }, "mass", 'got string "2"', "number")
  end)

  it("5: warns of masses too different", function()
    local model = sarrus.model {
      rod { mass = 1e15 }, body.rod { "tip", from = { 1, 0 }, to = { 2, 0 }, mass = 1 },
      joint.revolute { "J", "arm", "tip", at = { 1, 0 } },
    }
    local warning = model:warnings()[1]
    assert.equal("ill_scaled", warning.code)
    says(warning.message, '"arm"', '"tip"')
  end)

  it("6, 7, 8, 10: checks inertia", function()
    says(refused { rigid { inertia = { { 1, 0.1, 0 }, { 0.2, 1, 0 }, { 0, 0, 1 } } } }, "symmetric",
      "Ixy = 0.1", "Iyx = 0.2")
    says(refused { rigid { inertia = { { 1, 2, 0 }, { 2, 1, 0 }, { 0, 0, 1 } } } }, "principal",
      "-1")
    says(refused { rigid { inertia = { 1.11, 100.11, 1.01 } } }, "triangle inequality", "1.01",
      "100.11")
    says(refused { rigid { inertia = { { 1, 0 }, { 0, 1 } } } }, "inertia", "Ixx")
    says(refused { rigid { inertia = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } } }, "inertia", "3x3")
    says(refused { rigid { inertia = 2 } }, "inertia", "Ixx")
    says(refused { body.rigid { "b", position = { 0, 0 }, mass = 1, inertia = { 1, 1, 1 } } },
      "inertia", "one number")
  end)

  it("9: finds a point mass without inertia on a spherical joint, and lets it turn elsewhere",
    function()
      local function hung(how)
        return sarrus.model {
          gravity = { 0, 0, -9.81 }, rigid { position = { 1, 0, 0 }, inertia = { 0, 0, 0 } }, how,
        }
      end
      local sim, message, code = hung(joint.spherical { "S", "ground", "arm", at = { 0, 0, 0 } })
        :simulate {}
      assert.is_nil(sim)
      assert.equal("SINGULAR", code)
      says(message, '"arm"')
      assert(hung(joint.revolute { "R", "ground", "arm", at = { 0, 0, 0 }, axis = { 0, 1, 0 } })
        :simulate {})
    end)

  it("12: gives both places of a name", function()
    local message = refused {
      rod {},
      rod {},
    }
    says(message, '"arm"', "is taken")
    assert.truthy(message:match("spec%.lua:(%d+).*spec%.lua:(%d+)"))
  end)

  it("13: wants proper names", function()
    for _, name in ipairs { "", "a.b", ("x"):rep(10000), "a\0b", "\255", "ground", "tab\t" } do
      says(refused { rod { name } }, "name")
    end
    says(refused { rod { 7 } }, "name", "got number 7")
    says(refused { body.rod { from = { 0, 0 }, to = { 1, 0 }, mass = 1 } }, "name is missing")
  end)

  it("16, 17: suggests and lists fields", function()
    says(refused { rod { mas = 1 } }, "'mas'", "did you mean 'mass'?")
    says(refused { body.rigid { "b", color = "red" }, rod {} }, "'mass', 'position', 'inertia'")
    says(refused { body.rod { "b", from = { 0, 0 }, to = { 1, 0 } } }, "'mass'", "'density'")
    says(refused { rod { density = 1 } }, "either 'mass' or 'density'")
  end)

  it("18, 19: wants places of one dimension", function()
    says(refused { rod { from = { 0, nil, 3 } } }, "from")
    says(refused { rod { from = { 0, 0, 0, 0 } } }, "from", "4")
    says(refused { rod {}, body.point { "p", position = { 0, 0, 0 }, mass = 1 } }, "position",
      "3 components in a planar model")
    says(refused { gravity = { 0, 0, -9.81 }, rod {} }, "from", "2 components in a spatial model")
    says(refused { rod {}, nil, rod { "other" } }, "[2] is missing")
    says(refused { rod {}, "crank" }, "[2]", 'got string "crank"')
    says(refused { gravity = 9.81, rod {} }, "gravity", "got number 9.81")
    says(refused { gravity = { 0, 0 / 0 }, rod {} }, "gravity", "not finite")
  end)

  it("20, 21: checks orientations", function()
    says(refused { rigid { orientation = { 0, 0, 0, 0 } } }, "orientation", "zero")
    says(refused { rigid { orientation = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, -1 } } } },
      "determinant -1", "deviation 0")
    says(refused { rigid { orientation = { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 1 } } } },
      "deviation 3")
    local model = sarrus.model { rigid { orientation = { 1.1, 0, 0, 0 } } }
    assert.equal("normalised", model:warnings()[1].code)
    assert.equal(0, #sarrus.model { rigid { orientation = { 1 + 1e-6, 0, 0, 0 } } }:warnings())
  end)

  it("22: lets errors of metatables through", function()
    local haunted = setmetatable({ "arm" }, { __index = function(_, key)
      error("haunted " .. tostring(key), 0)
    end })
    local ok, message = pcall(sarrus.model, { gravity = { 0, 0 }, body.rod(haunted) })
    assert.is_false(ok)
    says(message, "haunted")
  end)

  it("25, 47: refuses lists beyond all bounds", function()
    says(refused { [1e9] = rod {} }, "LIMIT")
  end)

  it("tells all faults at once, in the order of the parts", function()
    local message = refused {
      joint.revolute { "J", "amr", "ground", att = { 0, 0 } },
      rod { mass = -1, colour = "red" },
      rod { "b", to = { 0, 0 } },
    }
    local first, second = message:find('"amr"', 1, true), message:find("mass = -1", 1, true)
    assert.is_true(first < second and second < message:find("no length", 1, true))
    says(message, "'colour'", "did you mean 'color'?", "'att'", "did you mean 'at'?")
    local many = {}
    for i = 1, 30 do
      many[i] = rod { "b" .. i, mass = -1 }
    end
    says(refused(many), "and 10 more")
  end)
end)

describe("a model with a bad joint", function()
  local function joined(...)
    return refused { rod {}, body.rod { "tip", from = { 1, 0 }, to = { 2, 0 }, mass = 1 }, ... }
  end
  local function spatial(...)
    return refused { rigid {}, rigid { "tip", position = { 1, 0, 0 } }, ... }
  end

  it("26, 27, 28: resolves names", function()
    says(joined(joint.revolute { "J", "amr", "tip", at = { 1, 0 } }), '"amr"',
      "did you mean 'arm'?")
    says(joined(joint.revolute { "J", "arm", "arm", at = { 1, 0 } }), "both bodies", '"arm"')
    says(joined(joint.revolute { "J", rod {}, "tip", at = { 1, 0 } }), "got a part",
      "name of a body")
    says(joined(joint.revolute { "J", "arm", at = { 1, 0 } }), "body B", "missing")
  end)

  it("29, 30: wants directions", function()
    says(spatial(joint.revolute { "J", "arm", "tip", at = { 0, 0, 0 }, axis = { 0, 0, 0 } }),
      "axis", "length 0")
    says(spatial(joint.revolute { "J", "arm", "tip", at = { 0, 0, 0 }, axis = { 0, 0, 1e-16 } }),
      "axis", "1e-16")
    says(spatial(joint.universal { "J", "arm", "tip", at = { 0, 0, 0 },
      axes = { { 0, 0, 1 }, { 0, 0, -2 } } }), "parallel", "angle 0")
    local model = sarrus.model { rigid {}, joint.revolute { "J", "ground", "arm", at = { 0, 0, 0 },
      axis = { 0, 0, 2 } } }
    local sim = assert(model:simulate { joints = { J = { angle = 0.5 } } })
    assert.near(0.5, sim:state():joint("J").angle, 1e-15)
  end)

  it("31: lists the types", function()
    local ok, message = pcall(function() return joint.hinge end)
    assert.is_false(ok)
    says(message, "model_errors_spec.lua", '"hinge"', "did you mean 'revolute'?", "prismatic")
    ok, message = pcall(function() return joint.revolut end)
    assert.is_false(ok)
    says(message, "did you mean 'revolute'?")
  end)

  it("takes the axis z in the plane, and no other", function()
    local function turning(axis)
      return sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 },
        axis = axis }, force.torsion { "t", "arm", stiffness = 1, axis = axis } }
    end
    assert.equal(1, turning({ 0, 0, 2 }):freedoms())
    for _, case in ipairs { { { 0, 0, -1 }, "exchange A and B" }, { { 0, 1, 1 }, "{0, 0, 1}" },
      { { 0, 1 }, "in a planar model bodies turn about {0, 0, 1}" }, { { 0 }, "want 3" },
      { sarrus.parameter("p", 1), "got an expression, want a list of 3 numbers" } } do
      local ok, message = pcall(turning, case[1])
      assert.is_false(ok)
      says(message, 'joint.revolute "J": axis', case[2])
    end
  end)

  it("32: keeps names unique over all parts", function()
    says(joined(joint.revolute { "J", "arm", "tip", at = { 1, 0 } },
      joint.revolute { "J", "arm", "ground", at = { 0, 0 } }), '"J"', "unique")
    says(joined(joint.revolute { "arm", "arm", "tip", at = { 1, 0 } }), "body.rod", "unique")
  end)

  it("39: checks limits", function()
    local function limited(limits)
      return joint.revolute { "J", "arm", "tip", at = { 1, 0 }, limits = limits }
    end
    says(joined(limited { 1, -1 }), "limits", "lower limit 1", "upper -1")
    says(joined(limited { 0 / 0, 1 }), "limits", "not finite")
    says(joined(limited { -1, 1, restitution = 2 }), "restitution = 2")
    local model = sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 },
      limits = { -1, 1 } } }
    local ok, message = pcall(model.simulate, model, { joints = { J = { angle = 1.5 } } })
    assert.is_false(ok)
    says(message, "model_errors_spec.lua", "1.5", "limits -1 to 1")
  end)

  it("60: takes limits of 90 for degrees", function()
    local model = sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 },
      limits = { -90, 90 } } }
    assert.equal("degrees", model:warnings()[1].code)
  end)

  it("40, 41: checks ratios, stiffness and damping", function()
    local one = joint.revolute { "J", "ground", "arm", at = { 0, 0 } }
    local other = joint.revolute { "K", "ground", "tip", at = { 1, 0 } }
    says(joined(one, other, joint.gear { "G", "J", "K", ratio = 0 }), "ratio = 0")
    says(joined(one, other, joint.gear { "G", "J", "K", ratio = math.huge }), "not finite")
    says(joined(one, other, joint.gear { "G", "J", "L", ratio = 1 }), "name of a joint")
    says(joined(joint.revolute { "J", "ground", "arm", at = { 0, 0 }, stiffness = 0 / 0 }),
      "stiffness", "not finite")
    local model = sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 },
      stiffness = -1, damping = -2 } }
    assert.equal(2, #model:warnings())
    assert.equal("negative", model:warnings()[1].code)
  end)

  it("44: wants one result of a function", function()
    local ok, message = pcall(sarrus.model, { rod {}, joint.revolute { "J", "ground", "arm",
      at = { 0, 0 }, torque = function(angle) return angle, 2 end } })
    assert.is_false(ok)
    says(message, 'joint.revolute "J": torque returned 2 results, want one')
  end)

  it("44: names a function that does not answer a number", function()
    for _, f in ipairs {
      function() end, function() return "x" end, function() return 0 / 0 end,
    } do
      says(joined(joint.revolute { "J", "arm", "tip", at = { 1, 0 }, torque = f }),
        'joint.revolute "J"', "torque")
    end
    says(joined(joint.revolute { "J", "arm", "tip", at = { 1, 0 },
      motion = function(t) return t.x end }), "motion")
    says(joined(joint.custom { "J", { "arm", "tip" }, equations = function(a)
      return a:piont { 0, 0 }
    end }), 'joint.custom "J"', "equations", "piont")
  end)

  it("says where a type exists", function()
    says(joined(joint.spherical { "J", "arm", "tip", at = { 1, 0 } }), "spatial", "revolute")
    says(refused { body.point { "p", position = { 0, 0, 0 }, mass = 1 },
      joint.revolute { "J", "ground", "p", at = { 0, 0, 0 }, axis = { 0, 0, 1 } } },
      "no orientation", "spherical")
  end)
end)

describe("a mechanism that cannot be", function()
  local function loop(lengths)
    local x, parts, before = 0, { name = "loop" }, "ground"
    for i = 1, 3 do
      parts[#parts + 1] = body.rod { "r" .. i, from = { x, 0 }, to = { x + lengths[i], 0 },
        mass = 1 }
      parts[#parts + 1] = joint.revolute { "J" .. i, before, "r" .. i, at = { x, 0 } }
      x, before = x + lengths[i], "r" .. i
    end
    parts[#parts + 1] = joint.revolute { "J4", before, "ground", at = { a = { x, 0 },
      b = { lengths[4], 0 } } }
    return sarrus.model(parts)
  end

  it("35, 36: tells the gap, the joint, and keeps the nearest configuration", function()
    local state, message, code, nearest = loop({ 1, 1, 1, 10 }):assemble {}
    assert.is_nil(state)
    assert.equal("INCONSISTENT", code)
    says(message, '"J4"', " m", "nearest", "start nearer")
    assert.truthy(nearest:body("r3").position)
  end)

  it("37: names constraints that contradict each other", function()
    local model = sarrus.model {
      body.point { "p", position = { 1, 0 }, mass = 1 },
      joint.distance { "d1", "ground", "p", from = { 0, 0 }, to = { 1, 0 }, length = 1 },
      joint.distance { "d2", "ground", "p", from = { 0, 0 }, to = { 1, 0 }, length = 2 },
    }
    local sim, message, code = model:simulate {}
    assert.is_nil(sim)
    assert.equal("INCONSISTENT", code)
    says(message, '"d1"', '"d2"', " by 1 m")
  end)

  it("42, 43: tells motions from what is given", function()
    local function driven(...)
      return sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 },
        motion = sarrus.time + 0.5 }, ... }
    end
    local sim, message, code = driven():simulate { joints = { J = { angle = 0.2 } } }
    assert.is_nil(sim)
    assert.equal("INCONSISTENT", code)
    says(message, "0.5", "0.2", '"J"')
    local warning = assert(driven():simulate { joints = { J = { rate = 5 } } }):warnings()
    says(warning[#warning].message, "J.rate = 5 was given, the constraints allow 1")
    assert.near(0.5, assert(driven():simulate {}):state():joint("J").angle, 1e-15)
    sim, message, code = driven(joint.fixed { "F", "ground", "arm", at = { 0, 0 } }):simulate {}
    assert.is_nil(sim)
    assert.equal("INCONSISTENT", code)
    says(message, '"J"', '"F"')
  end)

  it("33, 34: runs redundant joints and names them", function()
    local model = sarrus.model {
      gravity = { 0, -9.81 }, rod {},
      joint.revolute { "J", "ground", "arm", at = { 0, 0 } },
      joint.revolute { "K", "ground", "arm", at = { 0, 0 } },
    }
    local sim = assert(model:simulate {})
    local warning = sim:warnings()[1]
    assert.equal("redundant", warning.code)
    says(warning.message, '"J"', '"K"', "motion along x", "motion along y")
    assert.equal(1, model:freedoms())
    assert(sim:advance(1))
    local s = sim:state()
    assert.is_false(s:joint("J").unique)
    assert.near(s:joint("J").force.y, s:joint("K").force.y, 1e-10)
  end)

  it("38: refuses to start where the motion is not determined", function()
    local function parallelogram()
      return sarrus.model {
        gravity = { 0, -9.81 },
        body.rod { "a", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
        body.rod { "b", from = { 1, 0 }, to = { 3, 0 }, mass = 1 },
        body.rod { "c", from = { 2, 0 }, to = { 3, 0 }, mass = 1 },
        joint.revolute { "A", "ground", "a", at = { 0, 0 } },
        joint.revolute { "B", "a", "b", at = { 1, 0 } },
        joint.revolute { "C", "b", "c", at = { 3, 0 } },
        joint.revolute { "D", "c", "ground", at = { 2, 0 } },
      }
    end
    for _, model in ipairs { parallelogram(), loop { 1, 1, 1, 3 } } do
      local sim, message, code = model:simulate {}
      assert.is_nil(sim)
      assert.equal("SINGULAR", code)
      says(message, "singular configuration", "beside it")
    end
    assert.equal(1, parallelogram():freedoms())
    assert(parallelogram():simulate { joints = { A = { angle = 0.1 }, D = { angle = -0.1 } } })
  end)

  it("45: names a spring whose points coincide", function()
    local function sprung(length)
      return sarrus.model { body.point { "p", position = { 0, 0 }, mass = 1 },
        force.spring { "k", "ground", "p", from = { 0, 0 }, to = { 0, 0 }, stiffness = 1,
          length = length } }
    end
    local sim, message, code = sprung(1):simulate {}
    assert.is_nil(sim)
    assert.equal("NONFINITE", code)
    says(message, '"k"')
    local parts = { body.point { "p", position = { 0, 0 }, mass = 1 } }
    for i = 1, 4 do
      parts[i + 1] = force.spring { "k" .. i, "ground", "p", from = { 0, 0 }, to = { 0, 0 },
        stiffness = 1, length = 1 }
    end
    message = select(2, sarrus.model(parts):simulate {})
    says(message, 'do the two points of force.spring "k1" or force.spring "k2" or '
      .. 'force.spring "k3" coincide?')
    assert(assert(sprung(nil):simulate {}):advance(1))
    message = select(2, sarrus.model { parts[1],
      force.applied { "f", "p", force = { sarrus.log(sarrus.time), 0 } } }:simulate {})
    assert.truthy(message:find("is not finite, or outside its domain[^;]*$"), message)
  end)
end)

describe("a model", function()
  it("stays as it was when a part is refused", function()
    local model = sarrus.model { rod {} }
    local ok, message = pcall(model.add, model, joint.revolute { "J", "amr", "ground",
      at = { 0, 0 } })
    assert.is_false(ok)
    says(message, '"amr"')
    model:add(joint.revolute { "J", "ground", "arm", at = { 0, 0 } })
    assert.equal(1, model:freedoms())
    assert(model:simulate {})
    ok, message = pcall(model.add, model, rod { "late" })
    assert.is_false(ok)
    says(message, "has been simulated")
  end)

  it("refuses unknown starts", function()
    local model = sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 } } }
    for _, case in ipairs {
      { { joints = { K = { angle = 1 } } }, '"K"' },
      { { joints = { J = { angel = 1 } } }, "did you mean 'angle'?" },
      { { joints = { J = { angle = "x" } } }, "want number" },
      { { bodies = { amr = {} } }, "did you mean 'arm'?" },
      { { joint = {} }, "did you mean 'joints'?" },
    } do
      local ok, message = pcall(model.simulate, model, case[1])
      assert.is_false(ok)
      says(message, "model_errors_spec.lua", case[2])
    end
  end)

  it("tells unknown names from states", function()
    local model = sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 } } }
    local s = assert(model:simulate {}):state()
    for _, f in ipairs {
      function() s:body("amr") end, function() s:joint("K") end,
      function() s:point("arm", { 1 }) end,
      function() s.body("arm") end, function() s:efforts { K = 1 } end,
    } do
      local ok, message = pcall(f)
      assert.is_false(ok)
      says(message, "model_errors_spec.lua")
    end
  end)

  it("tells unknown fields of models, states and readings, with what was meant", function()
    local model = sarrus.model { rod {}, joint.revolute { "J", "ground", "arm", at = { 0, 0 } } }
    local sim = assert(model:simulate {})
    local s = sim:state()
    local function unknown(text, f)
      local ok, message = pcall(f)
      assert.is_false(ok)
      says(message, "model_errors_spec.lua", text)
    end
    unknown("a model has no field \"linearize\"", function() return model:linearize {} end)
    unknown("a model has no field \"assembel\" (did you mean 'assemble'?)", function()
      return model.assembel
    end)
    unknown("a state has no field \"foo\"", function() return s.foo end)
    unknown("a state has no field \"enrgy\" (did you mean 'energy'?)", function()
      return s:enrgy()
    end)
    unknown("a joint's reading has no field \"angel\" (did you mean 'angle'?)", function()
      return s:joint("J").angel
    end)
    unknown("a body's reading has no field \"postion\" (did you mean 'position'?)", function()
      return s:body("arm").postion
    end)
    unknown("the energy has no field \"totl\" (did you mean 'total'?)", function()
      return s:energy().totl
    end)
    unknown("a residual has no field \"velocty\" (did you mean 'velocity'?)", function()
      return s:residual().velocty
    end)
    assert.is_nil(s:joint("J").length) -- known, but not of this joint
    local watch = sarrus.event { "e", when = function(x) return x:joint("J").angel end }
    unknown("did you mean 'angle'?", function() return model:simulate { events = { watch } } end)
  end)

  it("tells of methods of states, and of bodies of custom parts, called with a dot", function()
    local s = assert(sarrus.model { rod {} }:simulate {}):state()
    for _, name in ipairs { "body", "point", "velocity", "joint", "contact", "energy", "residual",
      "efforts", "derivative", "jacobian", "mass_matrix" } do
      local ok, message = pcall(function() return s[name]() end)
      assert.is_false(ok)
      says(message, "model_errors_spec.lua", ("%s: called on nil; use s:%s(…)"):format(name, name))
    end
    for text, potential in pairs {
      ["point: called on a table; use body:point(…)"] = function(a) return a.point { 0, 0 }.x end,
      ["angle: called on nil; use body:angle(…)"] = function(a) return a.angle() end,
      ["a frame has no field \"pont\" (did you mean 'point'?)"] = function(a)
        return a:pont { 0, 0 }.x
      end,
    } do
      local ok, message = pcall(sarrus.model, {
        rod {}, force.custom { "f", { "arm" }, potential = potential },
      })
      assert.is_false(ok)
      says(message, "model_errors_spec.lua", 'force.custom "f": potential: ' .. text)
    end
  end)

  it("tells unknown fields of systems and DAEs, and in their events", function()
    local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
    local dae = sarrus.dae { differential = { "u" }, derivative = function(x) return { -x.u } end }
    for text, f in pairs {
      ["a system has no field \"decompse\" (did you mean 'decompose'?)"] = function()
        return system.decompse
      end,
      ["a dae has no field \"indx\" (did you mean 'index'?)"] = function() return dae.indx end,
      ["a state has no field \"z\""] = function()
        return dae:simulate { x = { 1 }, events = { sarrus.event { "e", when = function(s)
          return s.z
        end } } }
      end,
      ["a state has no field \"x\""] = function()
        return system:simulate { q = { 1 }, events = { sarrus.event { "e", when = function(s)
          return s.x
        end } } }
      end,
      ["a decomposition has no field \"p\""] = function()
        return system:decompose({ q = { 1 }, v = { 0 }, order = 2 }).p
      end,
    } do
      local ok, message = pcall(f)
      assert.is_false(ok)
      says(message, "model_errors_spec.lua", text)
    end
    assert.equal("t = 0, x = { u = 1 }, y = {  }", tostring(dae:simulate { x = { 1 } }:state()))
  end)
end)
