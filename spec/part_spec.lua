--- What a part is made of: its definition says everything, so that no other file knows it by name.

local annotation = dofile("core/doc/annotation.lua")
local families = require "sarrus.model.part.family"
local json = require "sarrus.output.json"
local constraint = require "sarrus.model.equations.constraint"
local kinds = require "sarrus.model.part.kinds"
local fields = require "sarrus.base.fields"
local sarrus = require "sarrus"
local scenes = require "sarrus.output.scene"
local read = dofile("spec/shell.lua").read
local body, joint, force = sarrus.body, sarrus.joint, sarrus.force

-- The contracts ----------------------------------------------------------------------------------

--- The fields of a class, each with whether it may be left out, those of its parent among them.
local function contract(class, paths)
  for _, path in ipairs(paths) do
    local found, parent
    for line in read(path):gmatch("[^\n]+") do
      local name, base = line:match("^%-%-%-@class ([%w.]+):?%s*([%w.]*)")
      local field, rest = line:match("^%-%-%-@field ([%w_]+) (.*)$")
      if name == class then
        found, parent = {}, base
      elseif found and field then
        found[field] = { optional = annotation.take_type(rest):find("[?]$") ~= nil
          or annotation.take_type(rest):find("|nil$") ~= nil }
      elseif found then
        break
      end
    end
    for field, entry in pairs(found and parent ~= "" and contract(parent, paths) or {}) do
      found[field] = entry
    end
    if found then
      return found
    end
  end
  error("no class " .. class)
end

local classes = {
  body = "sarrus.BodyDefinition", joint = "sarrus.JointDefinition",
  force = "sarrus.ForceDefinition", shape = "sarrus.ShapeDefinition",
  contact = "sarrus.ContactDefinition",
}

describe("the definition of a part", function()
  for _, family in ipairs(families.all()) do
    local said = contract(classes[family.name],
      { ("lua/sarrus/%s/init.lua"):format(family.name), "lua/sarrus/model/part/init.lua" })

    it("of family " .. family.name .. " says what its contract names, and no more", function()
      local faults = {}
      for _, kind in ipairs(family.types) do
        local definition = require(("sarrus.%s.%s"):format(family.name, kind))
        for key in pairs(definition) do
          faults[#faults + 1] = not said[key] and kind .. "." .. key .. " is unknown" or nil
        end
        for key, entry in pairs(said) do
          faults[#faults + 1] = not entry.optional and definition[key] == nil
            and kind .. "." .. key .. " is missing" or nil
        end
      end
      assert.equal("", table.concat(faults, "\n"))
    end)

    it("of family " .. family.name .. " is a file of its name", function()
      local pipe = assert(io.popen("ls lua/sarrus/" .. family.name))
      local found, listed = {}, {}
      for name in pipe:lines() do
        found[#found + 1] = name ~= "init.lua" and name:gsub("%.lua$", "") or nil
      end
      pipe:close()
      for i, kind in ipairs(family.types) do
        listed[i] = kind
      end
      table.sort(found)
      table.sort(listed)
      assert.same(found, listed)
    end)
  end
end)

-- Names mean nothing -----------------------------------------------------------------------------

--- Models with every type, made by constructors of these families.
local function models(b, j, f)
  return {
    sarrus.model {
      gravity = { 0, -9.81 },
      b.disk { "wheel", position = { 0, 0.5 }, radius = 0.5, mass = 1, angle = 0.3 },
      b.rod { "arm", from = { 0, 0.5 }, to = { 1, 0.5 }, mass = 1 },
      b.rod { "inner", from = { 0.5, 0.5 }, to = { 2, 0.5 }, mass = 1, radius = 0.01 },
      b.box { "shoe", position = { 3, 0 }, size = { 1, 0.5 }, density = 2 },
      b.point { "bob", position = { 3, -1 }, mass = 1 },
      b.sphere { "ball", position = { 5, 0 }, radius = 0.2, mass = 1 },
      b.rigid { "rest", position = { 6, 0 }, inertia = 1, mass = 1 },
      j.rolling { "roll", "ground", "wheel", radius = 0.5, normal = { -0.1, 1 } },
      j.revolute { "hub", "wheel", "arm", at = { 0, 0.5 }, stiffness = 1 },
      j.prismatic { "tube", "arm", "inner", at = { 1, 0.5 }, axis = { 1, 0 }, damping = 1 },
      j.slot { "way", "ground", "shoe", at = { 3, 0 }, axis = { 1, 0 } },
      j.rack { "rack", "hub", "tube", radius = 2 },
      j.distance { "rope", "shoe", "bob", from = { 3, 0 }, to = { 3, -1 } },
      j.fixed { "weld", "ball", "rest", at = { 5.5, 0 } },
      f.torsion { "twist", "ground", "rest", stiffness = 2 },
      f.drag { "air", "ball", quadratic = 0.1 },
      f.torque { "drive", "ball", torque = 0.1 },
    },
    sarrus.model {
      gravity = { 0, 0, -9.81 },
      b.cylinder { "nut", position = { 0, 0, 1 }, radius = 0.2, length = 0.3, mass = 1 },
      b.rod { "one", from = { 1, 0, 0 }, to = { 1, 1, 0 }, mass = 1 },
      b.rod { "two", from = { 1, 0.5, 0 }, to = { 1, 2, 0 }, mass = 1 },
      b.rigid { "far", position = { 4, 0, 0 }, inertia = { 1, 2, 2.5 }, mass = 1 },
      b.rigid { "high", position = { 4, 0, 1 }, inertia = { 1, 2, 2.5 }, mass = 1 },
      j.screw { "thread", "ground", "nut", at = { 0, 0, 0 }, axis = { 0, 0, 1 }, pitch = 0.5 },
      j.revolute { "foot", "ground", "one", at = { 1, 0, 0 }, axis = { 0, 0, 1 } },
      j.gear { "gear", "thread", "foot", ratio = 2 },
      j.cylindrical { "slide", "one", "two", at = { 1, 1, 0 }, axis = { 0, 1, 0 } },
      j.universal { "cross", "two", "far", at = { 1, 2, 0 }, axes = { { 1, 0, 0 }, { 0, 0, 1 } } },
      j.spherical { "tip", "far", "high", at = { 4, 0, 0.5 } },
      j.planar { "floor", "ground", "high", at = { 4, 0, 2 }, normal = { 1, 0, 1 } },
      j.custom { "own", { "high" }, velocity_equations = function(a)
        return { a:velocity()[1] - a:velocity()[2] }
      end },
      f.spring { "coil", "ground", "far", from = { 4, 0, 3 }, to = { 4, 0, 0 }, stiffness = 20 },
      f.damper { "oil", "far", "high", from = { 4, 0, 0 }, to = { 4, 0, 1 }, damping = 2 },
      f.bushing { "soft", "nut", at = { 0, 0, 1 }, stiffness = 3 },
      f.applied { "push", "two", force = { 0, 0, 1 } },
      f.custom { "well", { "two" }, potential = function(a) return a:point()[1] ^ 2 end },
    },
  }
end

--- Constructors of the same definitions by other names.
local function renamed(family)
  return setmetatable({}, { __index = function(_, kind)
    local definition = require(("sarrus.%s.%s"):format(family, kind))
    return families.constructor(family, "another_" .. kind, definition)
  end })
end

local function plain(text)
  return (text:gsub("another_", ""))
end

describe("the name of a type", function()
  it("decides nothing: another one gives the same bits, the same scene, the same words", function()
    local usual = models(body, joint, force)
    local others = models(renamed "body", renamed "joint", renamed "force")
    local start = { { t = 0 }, { joints = { thread = { angle = 1.2, rate = 0.3 } } } }
    for i, model in ipairs(usual) do
      local texts = {}
      for k, one in ipairs { model, others[i] } do
        local sim = assert(one:simulate(start[i]))
        assert(sim:advance(0.1))
        texts[k] = {
          tostring(sim:state()), plain(json.encode(scenes.of(one))),
          plain(one:explain("model"):gsub(" +", " ")),
        }
      end
      assert.same(texts[1], texts[2])
    end
  end)

  it("is suggested for what other tools call it, in its own family", function()
    local function unknown(family, name)
      local _, message = pcall(function() return family[name] end)
      return message:match("unknown [^;]*")
    end
    assert.equal([[unknown joint type "hinge" (did you mean 'revolute'?)]], unknown(joint, "hinge"))
    assert.equal([[unknown body type "link" (did you mean 'rod'?)]], unknown(body, "link"))
    assert.equal([[unknown body type "capsule" (did you mean 'rod' with 'radius'?)]],
      unknown(body, "capsule"))
    assert.equal('unknown joint type "link"', unknown(joint, "link"))
  end)

  it("is asked for nowhere but in its own file", function()
    local faults = {}
    local pipe = assert(io.popen("ls lua/sarrus/*.lua lua/sarrus/*/*.lua lua/web/src/*.js"))
    for path in pipe:lines() do
      for _, pattern in ipairs { "%.type%s*[=~]=", "%.kind%s*[=~!]==?%s*\"", "%[[%w_]*%.type%]" } do
        faults[#faults + 1] = read(path):find(pattern) and path .. ": " .. pattern or nil
      end
    end
    pipe:close()
    assert.equal("", table.concat(faults, "\n"))
  end)
end)

-- A joint from outside ---------------------------------------------------------------------------

--- The point `at` of B stays on the curve y = bend x^2 of A, from `origin`.
local curve = { dimension = 2, instead = "slot", symbol = "ball" }

function curve.fields(dimension)
  return {
    { "origin", kinds.place(dimension), required = true },
    { "at", kinds.at(dimension), required = true },
    { "bend", kinds.scalar, required = true },
  }
end

function curve.check(record, fault)
  if record.checked.bend == 0 then
    fault("a curve that is not bent: use slot")
  end
end

function curve.equations(checked, a, b)
  local d = b:place(checked.at.b) - a:place(checked.origin)
  local x, y = a:along { 1, 0 }, a:along { 0, 1 }
  local along, across = d[1] * x[1] + d[2] * x[2], d[1] * y[1] + d[2] * y[2]
  return { { across - checked.bend * along ^ 2, "motion across the curve", unit = "m" } }
end

function curve.coordinate(checked, a, b)
  return constraint.length(a, b, checked.at.a, checked.at.b, { 1, 0 })
end

describe("a joint that is defined outside", function()
  local on_curve = families.constructor("joint", "curve", curve)

  local function bead(bend)
    return sarrus.model {
      gravity = { 0, -10 },
      body.point { "bead", position = { 1, 0.5 }, mass = 2 },
      on_curve { "rail", "ground", "bead", origin = { 0, 0 }, at = { 1, 0.5 }, bend = bend or 0.5 },
    }
  end

  it("holds, has a coordinate and a reaction, and keeps the energy", function()
    local model = bead()
    assert.equal(1, model:freedoms())
    local sim = assert(model:simulate { joints = { rail = { length = 0.5 } } })
    local s = sim:state()
    assert.near(1.5, s:body("bead").x, 1e-12)
    assert.near(0.5 * 1.5 ^ 2, s:body("bead").y, 1e-12)
    local before = s:energy().total
    local recording = sim:record { every = 0.1, channels = { "rail.length", "rail.force.y" } }
    sim:advance(2)
    s = sim:state()
    assert.near(0.5 * s:body("bead").x ^ 2, s:body("bead").y, 1e-11)
    assert.near(before, s:energy().total, 1e-10)
    assert.near(s:body("bead").x - 1, recording["rail.length"][21], 1e-11)
    assert.near(s:joint("rail").force[2], recording["rail.force.y"][21], 1e-9)
  end)

  it("has its place in texts, scenes and messages", function()
    local model = bead()
    assert.truthy(model:explain("model"):find("rail%s+curve%s+ground %- bead%s+1 equation"))
    local drawn = scenes.of(model).joints[1]
    assert.same({ "curve", "ball", { 1, 0.5 } }, { drawn.kind, drawn.symbol, drawn.at_a })
    local _, message = pcall(bead, 0)
    assert.equal('joint.curve "rail": a curve that is not bent: use slot',
      (message:gsub("^[^:]*:%d+: ", "")))
  end)
end)

-- A family from outside --------------------------------------------------------------------------

describe("a family that is defined outside", function()
  --- Marks: places of a body, whose height counts as an energy.
  local function declare(model, part, fault)
    local checked = fields.collect({
      { 1, fields.any }, { 2, fields.any }, { "at", kinds.at(2), required = true },
    }, part.given, "", fault)
    local on = families.find(model, "body", part.given[2])
    if not on then
      return fault("no such body")
    end
    return checked.at and { name = part.given[1], part = part, bodies = { on }, checked = checked,
      definition = part.definition }
  end

  local mark

  before_each(function()
    families.new {
      name = "mark", list = "marks", stage = families.STAGES.fixture, types = {}, optional = true,
      declare = declare,
      put = function(equations, record)
        if record.checked.at.a[1] > 8 then
          error("too far", 0)
        end
        local height = equations:frame(record.bodies[1]):place(record.checked.at.a)[2]
        equations.potentials[#equations.potentials + 1] = 3 * height
      end,
      line = function(record)
        return "  " .. record.name .. " on " .. record.bodies[1].name
      end,
    }
    mark = families.constructor("mark", "dot", {})
  end)

  after_each(function()
    assert.equal("mark", table.remove(families.names))
  end)

  local function rod()
    return body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 }
  end

  it("is put in its stage, listed, counted, drawn and found", function()
    local model = sarrus.model { mark { "top", "rod", at = { 2, 1 } }, rod() }
    assert.equal(1, #model.marks)
    assert.equal(model.marks[1], families.find(model, "mark", "top"))
    assert.is_nil(families.find(model, "joint", "top"))
    assert.equal('model: 1 body, 0 joints, 0 forces, 1 mark', tostring(model))
    assert.truthy(model:explain("model"):find("\nmarks\n  top on rod\n", 1, true))
    assert.near(3, assert(model:simulate {}):state():energy().potential, 1e-15)
    assert.same({ { 1, 1 } }, scenes.of(model).bodies[1].struts)
  end)

  it("shares names and faults with the others", function()
    local _, message = pcall(sarrus.model, {
      mark { "a", "rot", at = { 2, 1 } }, mark { "b", "rod", at = { 9, 1 } }, rod(),
      mark { "rod", "rod", at = { 2, 1 } },
    })
    local found = {}
    for line in message:gmatch("[^\n]+") do
      found[#found + 1] = (line:gsub("^[^:]*:%d+: ", ""):gsub(" at .*", ""))
    end
    assert.same({ 'mark.dot "a": no such body', "too far",
      'mark.dot "rod": the name "rod" is taken by body.rod "rod"' }, found)
  end)

  it("leaves models without it as they are", function()
    local model = sarrus.model { rod() }
    assert.equal("model: 1 body, 0 joints, 0 forces", tostring(model))
    assert.equal("model: 1 body, 0 joints, 0 forces, 1 mark",
      tostring(model:add(mark { "top", "rod", at = { 2, 1 } })))
  end)
end)
