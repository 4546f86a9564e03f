-- What a script does not need is not read: most of the time of a first small model is reading.
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

local four_bar = [[
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint
local model = sarrus.model { gravity = { 0, -9.81 },
  body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
  body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = 1 },
  body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
  joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
  joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
  joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
  joint.revolute { "D", "rocker", "ground", at = { 3, 0 } } }
local sim = assert(model:simulate())
assert(sim:step())
local names = {}
for name in pairs(package.loaded) do
  names[#names + 1] = name:match("^sarrus%.(.*)$")
end
table.sort(names)
print(table.concat(names, "\n"))
print(select(2, pcall(function() return sim.implse end)))
print(select(2, pcall(function() return sarrus.forc end)))
]]

describe("a first four-bar #build", function()
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(four_bar)
  file:close()
  local said = "\n" .. shell.run('eval "$(.ci/env)"; ' .. interpreter .. " " .. path .. " 2>&1")
  os.remove(path)

  it("loads nothing of contacts, limits, forces, space, events, derivatives and states", function()
    assert.is_truthy(said:find("\nmodel.start.assemble\n", 1, true))
    for _, name in ipairs {
      "contact", "expr.evaluate", "expr.rotation", "expr.trace", "force", "model.change",
      "model.drawing.form", "model.drawing.shape", "model.equations.bearing",
      "model.equations.frame_spatial", "model.equations.observe", "model.equations.stop",
      "model.equations.touch", "model.explain", "model.part.redrawn", "model.start.nearby",
      "model.start.outside", "model.start.redundancy", "model.state", "shape", "sim.event",
      "sim.intervene", "sim.sensitivity", "sim.state", "system.coefficients", "system.law",
    } do
      assert.is_nil(said:find("\n" .. name .. "\n", 1, true), name)
    end
  end)

  it("suggests names of what is not loaded", function()
    for _, message in ipairs {
      'a simulation has no field "implse" (did you mean \'impulse\'?)',
      'sarrus has no field "forc" (did you mean \'force\'?)',
    } do
      assert.is_truthy(said:find(message, 1, true), said)
    end
  end)
end)
