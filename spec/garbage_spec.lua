-- Lua's collector rests while large models are built, and goes on however that ends.
local sarrus = require "sarrus"
local body, force, joint = sarrus.body, sarrus.force, sarrus.joint

-- Lua 5.1 does not tell whether it runs; in LuaJIT it is left alone.
local rests = not jit and pcall(collectgarbage, "isrunning") -- luacheck: ignore

--- Whether the collector runs: what nobody holds vanishes, sooner or later.
local function runs()
  if rests then
    return collectgarbage("isrunning")
  end
  local held = setmetatable({ [{}] = true }, { __mode = "k" })
  for _ = 1, 2e6 do
    if not next(held) then
      return true
    end
    setmetatable({}, nil)
  end
  return false
end

--- A planar chain of so many rods; `seen` notes whether the collector runs while it is built.
local function chain(count, seen, last)
  local parts = { gravity = { 0, -9.81 } }
  for i = 1, count do
    parts[#parts + 1] = body.rod { "b" .. i, from = { i - 1, 0 }, to = { i, 0 }, mass = 1 }
    parts[#parts + 1] = joint.revolute { "j" .. i, i == 1 and "ground" or "b" .. i - 1, "b" .. i,
      at = { i - 1, 0 } }
  end
  parts[#parts + 1] = force.custom { "f", { "b1" }, force = function()
    seen[#seen + 1] = runs()
    return { { force = { 0, 1 } } }
  end }
  parts[#parts + 1] = last
  return sarrus.model(parts)
end

describe("the collector", function()
  after_each(function()
    collectgarbage("restart")
  end)

  it("runs while small models are built", function()
    local seen = {}
    chain(10, seen)
    assert.same({ true }, seen)
  end)

  it("rests while large models are built, where Lua tells, and runs afterwards", function()
    local seen = {}
    local model = chain(120, seen)
    assert.same({ not rests }, seen)
    assert.is_true(runs())
    assert(model:simulate())
    assert.is_true(runs())
  end)

  it("runs after faults, which are told as always", function()
    local stray = joint.revolute { "k", "b1", "nobody", at = { 0, 0 } }
    local good, said = pcall(chain, 120, {}, stray)
    assert.is_false(good)
    assert.is_truthy(said:find('"k": body B, [3]: unknown body "nobody"', 1, true), said)
    assert.is_true(runs())
  end)

  it("stays stopped where the host has stopped it, in Luas that tell", function()
    collectgarbage("stop")
    assert(chain(120, {}):simulate())
    assert.equal(not rests, runs())
  end)

  it("collects what large models have left before the next, if it rests", function()
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
