-- Friction and restitution by parameters: refused where they get values that no law can have.
local sarrus = require "sarrus"
local body, contact, joint, shape = sarrus.body, sarrus.contact, sarrus.joint, sarrus.shape

local mu, e = sarrus.parameter("mu", 0.2), sarrus.parameter("e", 0.5)

local function block(fields)
  local pair = { "sole", "floor", "block" }
  for name, value in pairs(fields) do
    pair[name] = value
  end
  return sarrus.model {
    name = "block", gravity = { 0, -10 },
    body.box { "block", position = { 0, 0.5 }, size = { 0.2, 0.2 }, mass = 1 },
    shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, 1 } },
    contact.pair(pair),
  }
end

describe("friction and restitution by parameters", function()
  it("are refused by simulate, with contact and value", function()
    local model = block { friction = mu, restitution = e }
    local function start(parameters)
      return { model:simulate { parameters = parameters } }
    end
    assert.same({ nil, 'model "block": contact "sole": friction = mu = -1; must be 0 or positive',
      "INCONSISTENT" }, start { mu = -1 })
    assert.same({ nil, 'model "block": contact "sole": restitution = e = 1.5; must be from 0 to 1',
      "INCONSISTENT" }, start { e = 1.5 })
    assert.same({ nil, 'model "block": contact "sole": restitution = e = -0.5; must be from 0 to 1',
      "INCONSISTENT" }, start { mu = 0, e = -0.5 })
    assert.is_table(start({ mu = 0, e = 1 })[1])
  end)

  it("are refused as expressions, without a value, and where both kinds of friction are", function()
    local rough = block { friction = { static = 2 * mu, sliding = sarrus.log(mu) } }
    local _, message = rough:simulate { parameters = { mu = 0.5 } }
    assert.equal('model "block": contact "sole": friction.sliding = log(mu) = '
      .. "-0.6931471805599453; must be 0 or positive", message)
    _, message = rough:simulate { parameters = { mu = -1 } }
    assert.equal('model "block": contact "sole": friction.sliding = log(mu) = nan; must be 0 or '
      .. "positive", message)
  end)

  it("are refused where what holds at rest is below what slips", function()
    local low = 'model "block": contact "sole": friction: static = mu = 0.1 is below sliding = 0.3'
    local model = block { friction = { static = mu, sliding = 0.3 } }
    assert.same({ nil, low, "INCONSISTENT" }, { model:simulate { parameters = { mu = 0.1 } } })
    local sim = assert(model:simulate { parameters = { mu = 0.3 } })
    assert.same({ nil, low, "INCONSISTENT" }, { sim:set("mu", 0.1) })
    local _, message = block { friction = { static = 0.3, sliding = 2 * mu } }:simulate {}
    assert.equal('model "block": contact "sole": friction: static = 0.3 is below sliding = 2*mu = '
      .. "0.4", message)
    for _, radius in ipairs { false, 0.1 } do
      local function bound(x)
        return radius and { coefficient = x, radius = radius } or x
      end
      _, message = sarrus.model { name = "hinge",
        body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
        joint.revolute { "J", "ground", "rod", at = { 0, 0 },
          friction = { static = bound(mu), sliding = bound(1) } } }:simulate {}
      assert.truthy(message:find('joint.revolute "J": friction: static = ', 1, true))
    end
  end)

  it("are refused by set, which changes nothing then", function()
    local sim = assert(block { friction = mu, restitution = e }:simulate {})
    assert.same({ nil, 'model "block": contact "sole": friction = mu = -1; must be 0 or positive',
      "INCONSISTENT" }, { sim:set("mu", -1) })
    assert.same({ nil, 'model "block": contact "sole": restitution = e = 2; must be from 0 to 1',
      "INCONSISTENT" }, { sim:set { mu = 0.3, e = 2 } })
    assert.same({ 0.2, 0.5 }, { sim:get("mu"), sim:get("e") })
    assert.is_true(sim:set { mu = 0.3, e = 0 })
    assert.equal("END", (sim:advance(1)))
  end)

  it("of joints and of systems are refused, too", function()
    local hinge = sarrus.model { name = "hinge",
      body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
      joint.revolute { "J", "ground", "rod", at = { 0, 0 }, friction = mu } }
    local _, message, code = hinge:simulate { parameters = { mu = -1 } }
    assert.equal('model "hinge": joint.revolute "J": friction = mu = -1; must be 0 or '
      .. "positive", message)
    assert.equal("INCONSISTENT", code)
    local ball = sarrus.system { name = "ball", coordinates = { "y" },
      mass = function() return { { 1 } } end, force = function() return { -10 } end,
      contacts = { { "floor", gap = function(q) return q.y end, restitution = e } } }
    _, message, code = ball:simulate { q = { 1 }, parameters = { e = 7 } }
    assert.equal([[system "ball": contact "floor": restitution = e = 7; must be from 0 to 1]],
      message)
    assert.equal("INCONSISTENT", code)
  end)

  it("that leave their range in time are a failure then", function()
    local sim = assert(block { friction = 0.1 - sarrus.time }:simulate {})
    assert.same({ nil, 'model "block": contact "sole": friction must not be negative, and '
      .. "restitution be from 0 to 1 (t = 0)", "INCONSISTENT" },
      { sim:advance(1) })
  end)
end)
