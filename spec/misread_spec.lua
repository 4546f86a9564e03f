--- What is easily written by mistake, and what is said of it.
local sarrus = require "sarrus"

local body, shape, contact, joint = sarrus.body, sarrus.shape, sarrus.contact, sarrus.joint

--- A box at a height, with its floor.
local function box(height, up, more)
  local given = { "box", position = { 0, height }, size = { 0.1, 0.1 }, mass = 0.5 }
  for key, value in pairs(more or {}) do
    given[key] = value
  end
  return body.box(given), shape.line { "floor", "ground", at = { 0, 0 }, normal = { 0, up } }
end

local function model(...)
  return sarrus.model { gravity = { 0, -9.81 }, ... }
end

local function said(...)
  local good, message = pcall(model, ...)
  assert.is_false(good)
  return message
end

describe("what penetrates at the start", function()
  local function refused(height, up)
    local one, floor = box(height, up)
    local sim, message, code = model(one, floor, contact.pair { "sole", "floor", "box" })
      :simulate {}
    assert.is_nil(sim)
    assert.are.equal("CONTACT", code)
    return message
  end

  it("is told with its shapes, its unit and the side of the floor", function()
    assert.are.equal('model: contact "sole" of "floor" and "box" penetrates by 0.01 m; move what '
      .. 'touches apart, or turn the normal of "floor" round, if it points away (t = 0)',
      refused(0.04, 1))
  end)

  it("is so where the normal points away", function()
    assert.is_truthy(refused(0.05, -1):find('or turn the normal of "floor" round', 1, true))
  end)
end)

it("a part in place of its name", function()
  local one, floor = box(0.05, 1)
  assert.is_truthy(said(one, floor, contact.pair { "sole", one, "floor" })
    :find('A, [2]: got body.box "box", want its name, in quotes, or a list of names', 1, true))
end)

it("a colour that is none", function()
  assert.is_truthy(said((box(0.05, 1, { color = "blu" })))
    :find([[color: no colour has the name "blu" (did you mean 'blue'?)]], 1, true))
  model((box(0.05, 1, { color = "RebeccaPurple" })))
end)

it("an angle in degrees", function()
  local warnings = model((box(0.05, 1, { angle = 30 }))):warnings()
  assert.are.equal("degrees", warnings[1].code)
  assert.are.equal('model: body.box "box": the angle 30 looks like degrees; angles are in radians',
    warnings[1].message)
  assert.are.equal(0, #model((box(0.05, 1, { angle = 3 }))):warnings())
end)

it("a torque beside a motion", function()
  local warnings = model((box(0.05, 1)), joint.revolute { "hinge", "ground", "box",
    at = { 0, 0 }, motion = sarrus.time, torque = 3 }):warnings()
  assert.are.equal("driven", warnings[1].code)
  assert.are.equal('model: joint.revolute "hinge": its motion is prescribed, so that its torque '
    .. "moves nothing; give one of the two", warnings[1].message)
end)
