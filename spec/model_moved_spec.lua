-- Rotating, shifting, renaming and reordering the drawing changes no relative result.
local sarrus = require "sarrus"
local rotation = require "sarrus.expr.rotation"
local body, joint, force, vec = sarrus.body, sarrus.joint, sarrus.force, sarrus.vec

--- A place to draw at: shifted, turned about an axis, names with a prefix, parts in reverse.
local function sheet(dimension, case)
  local matrix = rotation.about(case.axis or { 0, 0, 1 }, case.angle or 0)
  local shift, prefix = case.shift or { 0, 0, 0 }, case.prefix or ""
  local function along(x, y, z)
    local d = rotation.apply(matrix, { x, y, z or 0 })
    return dimension == 2 and { d[1], d[2] } or d
  end
  return {
    along = along,
    at = function(x, y, z)
      local d = along(x, y, z)
      for k = 1, dimension do
        d[k] = d[k] + shift[k]
      end
      return d
    end,
    name = function(name)
      return prefix .. name
    end,
    model = function(parts)
      local list = { gravity = along(0, -9.81) }
      for i, part in ipairs(parts) do
        list[case.reverse and #parts + 1 - i or i] = part
      end
      return sarrus.model(list)
    end,
  }
end

--- Three rods in a loop, and a spring; in space of hinges, so redundant.
local function loop(dimension)
  return function(case)
    local on = sheet(dimension, case)
    local at, n = on.at, on.name
    local axis = dimension == 3 and on.along(0, 0, 1) or nil
    return on.model {
      body.rod { n "a", from = at(0, 0), to = at(0.6, 0.8), mass = 1 },
      body.rod { n "b", from = at(0.6, 0.8), to = at(1.6, 0.8), mass = 2 },
      body.rod { n "c", from = at(2, 0), to = at(1.6, 0.8), mass = 1 },
      joint.revolute { n "A", "ground", n "a", at = at(0, 0), axis = axis },
      joint.revolute { n "B", n "a", n "b", at = at(0.6, 0.8), axis = axis },
      joint.revolute { n "C", n "b", n "c", at = at(1.6, 0.8), axis = axis },
      joint.revolute { n "D", n "c", "ground", at = at(2, 0), axis = axis },
      force.spring { n "k", "ground", n "b", from = at(1, 3), to = at(1, 0.8), stiffness = 30,
        length = 1 },
    }
  end
end

--- An open chain that leaves every plane.
local function chain(case)
  local on = sheet(3, case)
  local at, n = on.at, on.name
  return on.model {
    body.rod { n "a", from = at(0, 0), to = at(0.6, 0.8), mass = 1 },
    body.rod { n "b", from = at(0.6, 0.8), to = at(1.6, 0.8), mass = 2 },
    body.box { n "c", position = at(1.9, 0.5, 0.1), size = { 0.5, 0.3, 0.2 }, mass = 1,
      orientation = { axis = case.axis or { 0, 0, 1 }, angle = case.angle or 0 } },
    joint.revolute { n "A", "ground", n "a", at = at(0, 0), axis = on.along(0, 0.6, 0.8) },
    joint.universal { n "B", n "a", n "b", at = at(0.6, 0.8),
      axes = { on.along(0, 0, 1), on.along(0, 1) } },
    joint.revolute { n "C", n "b", n "c", at = at(1.6, 0.8), axis = on.along(1, 1) },
    force.spring { n "k", "ground", n "c", from = at(1, 3), to = at(2, 0.8), stiffness = 30,
      length = 1 },
  }
end

local cases = {
  { shift = { 20, -15, 10 } }, { angle = 1.1 }, { prefix = "long name ", reverse = true },
  { shift = { -10, 20, 15 }, angle = 2.5, prefix = "x", reverse = true },
}
local spatial = {
  { axis = { 0.48, 0.6, 0.64 }, angle = 1.1 },
  { axis = { 0.6, 0, 0.8 }, angle = 2.5, shift = { -10, 20, 15 }, prefix = "x", reverse = true },
}

local function run(model)
  local sim = assert(model:simulate {})
  assert(sim:advance(2))
  return sim:state()
end

local function compare(draw, moved)
  local base = run(draw {})
  for _, case in ipairs(moved) do
    local s = run(draw(case))
    for _, record in ipairs(base.model.joints) do
      local one, other = base:joint(record.name), s:joint((case.prefix or "") .. record.name)
      assert.near(one.angle or 0, other.angle or 0, 1e-11)
      assert.near(one.rate or 0, other.rate or 0, 1e-11 * (1 + math.abs(one.rate or 0)))
      local force_one = vec.norm(one.force)
      assert.near(force_one, vec.norm(other.force), 1e-11 * force_one)
    end
  end
end

describe("moving the drawing", function()
  it("changes no result of a planar loop by more than 1e-11 in 2 s", function()
    compare(loop(2), cases)
  end)

  for name, draw in pairs { loop = loop(3), chain = chain } do
    it("changes no result of a spatial " .. name, function()
      compare(draw, cases)
      compare(draw, spatial)
    end)
  end
end)
