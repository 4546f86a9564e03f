--- A failure is one table from the binding on; its words are those of failure.lua.

local core = require "sarrus.core"
local failure = require "sarrus.sim.failure"
local sarrus = require "sarrus"

local function pendulum()
  return sarrus.system {
    name = "pendulum",
    coordinates = { "x", "y" },
    mass = function() return { { 1, 0 }, { 0, 1 } } end,
    force = function() return { 0, -10 } end,
    constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
  }
end

local OPTIONS = { tolerance = 1e-9, scale = 1, order = 0, step = 0, max_step = 0, max_steps = 0 }

describe("a failure", function()
  it("of a point tells what violates which equation, by how much, when", function()
    local system = pendulum()
    local q, failed = system.compiled:expand(2, 3, { 0, -2 }, { 0, 0 }, {}, 1e-9)
    assert.is_nil(q)
    assert.same({ code = "INCONSISTENT", t = 3, row = 3, derivative = 0, size = 3, count = 0 },
      failed)
    local answer, message, code = failure.answer(system, failed)
    assert.is_nil(answer)
    assert.same({ 'system "pendulum": the positions violate constraint 1 by 3', "INCONSISTENT" },
      { message, code })
  end)

  it("of a simulation has the time at which it stands", function()
    local system = sarrus.system {
      coordinates = { "x" }, mass = function() return { { 1 } } end,
      force = function(q) return { 6 * q.x ^ 2 } end, -- x = (1 - t)^-2
    }
    local object = core.sim(system.compiled, nil, OPTIONS)
    assert.equal("END", object:start(0, { 1 }, { 2 }))
    local result, failed = object:advance(2)
    assert.is_nil(result)
    assert.same({ "STEP", object:time(), 0 }, { failed.code, failed.t, failed.count })
    assert.is_nil(failed.row)
    assert.is_nil(failed.event)
  end)

  it("of a declaration has no time", function()
    local graph = core.graph()
    local zero, one = graph:constant(0), graph:constant(1)
    local compiled, failed = core.system(graph, {
      coordinates = 2, parameters = 0, mass = { 1, 1, one, 1, 2, one, 2, 1, zero, 2, 2, one },
    })
    assert.is_nil(compiled)
    assert.same({ "ARGUMENT", 1, 2 }, { failed.code, failed.row, failed.column })
    assert.is_nil(failed.t)
  end)

  it("of a callback has its reason as it was raised", function()
    local sim = assert(pendulum():simulate {
      q = { 0, -1 },
      controllers = { sarrus.controller { period = 1, action = function() error("no", 0) end } },
    })
    local result, message, code = sim:advance(1)
    assert.is_nil(result)
    assert.equal("CALLBACK", code)
    assert.equal('system "pendulum": controller at t = 0: no', message:match("^[^\n]*"))
  end)

  it("is in the subject's own words where it has some", function()
    local subject = { what = "toy", words = function(_, failed)
      return failed.code == "SINGULAR" and "row " .. failed.row .. " is too much" or nil
    end }
    local _, own = failure.answer(subject, { code = "SINGULAR", row = 2, size = 1 })
    local _, usual = failure.answer(subject, { code = "CANCELLED" })
    assert.same({ "toy: row 2 is too much", "toy: interrupted" }, { own, usual })
  end)
end)

-- Joints that do not close -----------------------------------------------------------------------

local body, joint = sarrus.body, sarrus.joint

--- What assembly says of joints that stay open, and the nearest state.
local function unclosed(parts)
  local state, message, code, nearest = sarrus.model(parts):assemble { t = 1.5 }
  assert.is_nil(state)
  assert.equal("INCONSISTENT", code)
  local open = message:match("^model: the joints cannot be closed at t = 1%.5; in the nearest "
    .. "configuration there stay open (.*)%. Are the lengths right%? If they are, start nearer to "
    .. "a position that closes: give `joints` or `bodies`, or draw it so%. model:assemble returns "
    .. "the nearest configuration as its fourth value$")
  return open, nearest
end

--- Rods of length 2 between hinges that are each farther apart by a gap.
local function stretched(gaps)
  local parts = {}
  for i, gap in ipairs(gaps) do
    local name = "r" .. i
    parts[#parts + 1] = body.rod { name, from = { 0, i }, to = { 2, i }, mass = 1 }
    parts[#parts + 1] = joint.revolute { "a" .. i, "ground", name, at = { 0, i } }
    parts[#parts + 1] = joint.revolute { "b" .. i, "ground", name,
      at = { a = { 2 + gap, i }, b = { 2, i } } }
  end
  return parts
end

describe("joints that cannot be closed", function()
  local both = '; these work against each other: "a1", "b1", "a2", "b2", "a3", "b3"'

  it("are named with their gaps, up to five, from a tenth of the largest on", function()
    assert.equal('joint.revolute "b1" by 0.1 m, joint.revolute "b2" by 0.2 m, joint.revolute "b3" '
      .. 'by 0.3 m, joint.revolute "b4" by 0.4 m, joint.revolute "b5" by 0.5 m' .. both
      .. ', "a4", "b4", "a5", "b5", "a6", "b6"',
      (unclosed(stretched { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6 })))
    local text, nearest = unclosed(stretched { 1, 0.11, 0.09 })
    assert.equal('joint.revolute "b1" by 1 m, joint.revolute "b2" by 0.11 m' .. both, text)
    assert.near(1, nearest:residual().position, 1e-9)
    for _, list in ipairs { nearest.v, nearest.a, nearest.lambda } do -- nothing is known of them
      for i = 1, math.max(#list, 2) do
        assert.equal(0, list[i])
      end
    end
    assert.equal(#nearest.q, #nearest.v)
  end)

  it("are off however little it is, in metres and radians by the size", function()
    assert.equal('joint.revolute "b1" by 0.002 m; these work against each other: "a1", "b1"',
      (unclosed(stretched { 0.002 })))
    local parts = stretched { 1 }
    for _, part in ipairs {
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.prismatic { "guide", "ground", "rod", at = { 0, 0 }, axis = { 1, 0 } },
      joint.revolute { "motor", "ground", "rod", at = { 0, 0 }, motion = sarrus.time / 30 },
    } do
      parts[#parts + 1] = part
    end
    assert.equal('joint.revolute "b1" by 1 m, joint.revolute "motor" by 0.05 rad (0.15 m over 3 m)'
      .. '; these work against each other: "a1", "b1", "guide", "motor"', (unclosed(parts)))
  end)

  it("are not off by what is less than a hundredth of the rest", function()
    local function open(angle)
      return (unclosed {
        body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
        body.rod { "other", from = { 2, 0 }, to = { 4, 0 }, mass = 1 },
        joint.prismatic { "guide", "ground", "rod", at = { 0, 0 }, axis = { 1, 0 } },
        joint.revolute { "motor", "ground", "other", at = { 2, 0 },
          motion = angle * sarrus.time / 1.5 },
        joint.fixed { "weld", "rod", "other", at = { 2, 0 } },
      }:gsub("; these.*", ""))
    end
    assert.equal('joint.fixed "weld" by 0.0625 rad (0.25 m over 4 m)', open(1 / 16))
    assert.truthy(open(1 / 8):find("by 0.0078%d* m and 0.125 rad %(0.5 m over 4 m%)$"))
  end)

  it("are off by angles too, which the size makes lengths of", function()
    local rod = body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 }
    assert.equal('joint.revolute "motor" by 0.25 rad (0.5 m over 2 m); these work against each '
      .. 'other: "guide", "motor"', (unclosed {
        rod, joint.prismatic { "guide", "ground", "rod", at = { 0, 0 }, axis = { 1, 0 } },
        joint.revolute { "motor", "ground", "rod", at = { 0, 0 }, motion = sarrus.time / 6 },
      }))
    local text, nearest = unclosed { rod,
      body.rod { "other", from = { 2, 0 }, to = { 4, 0 }, mass = 1 },
      joint.prismatic { "guide", "ground", "rod", at = { 0, 0 }, axis = { 1, 0 } },
      joint.revolute { "motor", "ground", "other", at = { 2, 0 }, motion = sarrus.time / 6 },
      joint.fixed { "weld", "rod", "other", at = { 2, 0 } },
    }
    for _, name in ipairs { "rod", "other" } do -- which is at rest
      local at = nearest:body(name)
      assert.same({ 0, 0, 0 }, { at.velocity.x, at.velocity.y, at.spin })
    end
    local off = nearest:point("rod", { 1, 0 }) - nearest:point("other", { -1, 0 })
    assert.equal(('joint.fixed "weld" by %.6g m and 0.25 rad (1 m over 4 m); these work against '
      .. 'each other: "guide", "motor", "weld"'):format(sarrus.vec.norm(off)), text)
  end)

  it("are off by what a script's own equations miss, without a unit", function()
    local function wish(x, y)
      return joint.custom { "wish" .. x, { "rod" }, equations = function(a)
        return { a:point().x - x, a:point().y - y }
      end }
    end
    local text = unclosed { body.rod { "rod", from = { 0, 0 }, to = { 2, 0 }, mass = 1 },
      wish(5, 1), wish(8, -3) }
    assert.equal('joint.custom "wish8" by 5; these work against each other: "wish5", "wish8"',
      text)
  end)

  it("may be redundant in space", function()
    local text = unclosed {
      body.rod { "rod", from = { 0, 0, 0 }, to = { 2, 0, 0 }, mass = 1 },
      joint.fixed { "weld", "ground", "rod", at = { 0, 0, 0 } },
      joint.revolute { "r", "ground", "rod", axis = { 1, 0, 0 },
        at = { a = { 0, 1, 0 }, b = { 0, 0.5, 0 } } },
    }
    assert.equal('joint.revolute "r" by 0.5 m; these work against each other: "weld", "r" (if the '
      .. "loop is redundant, a gap across it cannot close: draw it away, or let one of them be "
      .. "spherical or cylindrical)", text)
  end)
end)

describe("a model without accelerations", function()
  it("names the bodies that lack mass or inertia", function()
    local function message(parts)
      local _, text, code = sarrus.model(parts):simulate {}
      assert.equal("SINGULAR", code)
      return text
    end
    local parts = {}
    for i, inertia in ipairs { 1, 0, 1 } do
      parts[i] = body.rigid { "b" .. i, position = { 3 * i, 0 }, mass = i == 1 and 0 or 1,
        inertia = inertia }
    end
    assert.equal('model: nothing determines the acceleration of body "b" in its freedom "angle": '
      .. "is its mass or inertia zero?", (message { body.rigid { "b", position = { 0, 0 }, mass = 1,
        inertia = 0 } }:gsub(" %(.-%)", "")))
    assert.equal('model: nothing determines the acceleration of body "b1" in its freedom "x": '
      .. "is its mass or inertia zero?", (message(parts):gsub(" %(.-%)", "")))
  end)
end)
