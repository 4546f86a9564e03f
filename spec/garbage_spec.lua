-- Lua's collector rests while large models are built, and goes on however that ends.
local sarrus = require "sarrus"
local body, force, joint = sarrus.body, sarrus.force, sarrus.joint

local rests = not jit and pcall(collectgarbage, "isrunning") -- luacheck: ignore

--- A planar chain of so many rods; `seen` notes whether the collector runs while it is built.
local function chain(count, seen, last)
  local parts = { gravity = { 0, -9.81 } }
  for i = 1, count do
    parts[#parts + 1] = body.rod { "b" .. i, from = { i - 1, 0 }, to = { i, 0 }, mass = 1 }
    parts[#parts + 1] = joint.revolute { "j" .. i, i == 1 and "ground" or "b" .. i - 1, "b" .. i,
      at = { i - 1, 0 } }
  end
  parts[#parts + 1] = force.custom { "f", { "b1" }, force = function()
    seen[#seen + 1] = collectgarbage("isrunning")
    return { { force = { 0, 1 } } }
  end }
  parts[#parts + 1] = last
  return sarrus.model(parts)
end

describe("the collector", function()
  if not rests then
    return pending "never rests in this Lua"
  end

  after_each(function()
    collectgarbage("restart")
  end)

  it("runs while small models are built", function()
    local seen = {}
    chain(10, seen)
    assert.same({ true }, seen)
  end)

  it("rests while large models are built, and runs afterwards", function()
    local seen = {}
    local model = chain(120, seen)
    assert.same({ false }, seen)
    assert.is_true(collectgarbage("isrunning"))
    assert(model:simulate())
    assert.is_true(collectgarbage("isrunning"))
  end)

  it("runs after faults, which are told as always", function()
    local stray = joint.revolute { "k", "b1", "nobody", at = { 0, 0 } }
    local good, said = pcall(chain, 120, {}, stray)
    assert.is_false(good)
    assert.is_truthy(said:find('"k": body B, [3]: unknown body "nobody"', 1, true), said)
    assert.is_true(collectgarbage("isrunning"))
  end)

  it("stays stopped where the host has stopped it", function()
    collectgarbage("stop")
    assert(chain(120, {}):simulate())
    assert.is_false(collectgarbage("isrunning"))
  end)

  it("collects what large models have left before the next", function()
    local kept = setmetatable({}, { __mode = "k" })
    for _ = 1, 4 do
      local model = chain(120, {})
      kept[model] = true
      assert(model:simulate())
    end
    local count = 0
    for _ in pairs(kept) do
      count = count + 1
    end
    assert.is_true(count <= 2, count)
  end)
end)
