-- What is dropped is freed in time, without anybody calling collectgarbage.
local sarrus = require "sarrus"

--- Pages of this process that are in memory, in bytes; nil where there is no /proc.
local function resident()
  local file = io.open("/proc/self/statm")
  if not file then
    return nil
  end
  local pages = tonumber(file:read("*a"):match("^%d+ (%d+)"))
  file:close()
  return pages * 4096
end

local function build(i)
  return sarrus.system {
    coordinates = { "x", "y" },
    mass = function(q) return { { 2 + sarrus.cos(q.y), 0.1 }, { 0.1, 1 } } end,
    force = function(q, v) return { -i * q.x, v.x * sarrus.sin(q.x + q.y) } end,
    constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
  }
end

--- Run `step` so often; the resident memory after a first tenth, and the most of it later.
local function watch(count, step)
  local settled, most = nil, 0
  for i = 1, count do
    step(i)
    if i == count / 10 then
      settled = resident()
    elseif i % 100 == 0 and settled then
      most = math.max(most, resident())
    end
  end
  return settled, most
end

local MEGABYTE = 2 ^ 20

describe("memory", function()
  if not resident() then
    return pending("needs /proc/self/statm")
  end

  it("stays constant while 10^4 systems are built and dropped", function()
    local settled, most = watch(10000, build)
    assert.is_true(most < settled + 16 * MEGABYTE,
      ("%.1f MB, then %.1f MB"):format(settled / MEGABYTE, most / MEGABYTE))
  end)

  it("stays constant while one system is expanded 10^4 times", function()
    local system = build(1)
    local settled, most = watch(10000, function()
      assert(system:decompose { q = { 1, 0 }, v = { 0, 1 }, order = 30 })
    end)
    assert.is_true(most < settled + 16 * MEGABYTE,
      ("%.1f MB, then %.1f MB"):format(settled / MEGABYTE, most / MEGABYTE))
  end)

  it("stays constant while recordings are made and dropped", function()
    local model = sarrus.model {
      sarrus.body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
      sarrus.joint.revolute { "J1", "ground", "rod", at = { 0, 0 } },
    }
    local settled, most = watch(200, function() -- of 1 MB each
      local sim = assert(model:simulate { joints = { J1 = { rate = 1 } } })
      sim:record { every = 1e-4 }
      assert(sim:advance(1))
    end)
    assert.is_true(most < settled + 64 * MEGABYTE,
      ("%.1f MB, then %.1f MB"):format(settled / MEGABYTE, most / MEGABYTE))
  end)

  it("stays constant while 10^4 declarations fail", function()
    local settled, most = watch(10000, function()
      assert.is_false(pcall(sarrus.system, {
        coordinates = { "x", "y" },
        mass = function(q) return { { 1, q.x }, { sarrus.sin(q.y), 1 } } end,
      }))
    end)
    assert.is_true(most < settled + 16 * MEGABYTE,
      ("%.1f MB, then %.1f MB"):format(settled / MEGABYTE, most / MEGABYTE))
  end)

  it("holds what a system needs, not what it was made from", function()
    local before = collectgarbage("count")
    local kept = {}
    for i = 1, 100 do
      kept[i] = build(i)
    end
    for _ = 1, 4 do
      collectgarbage()
    end
    assert.is_true((collectgarbage("count") - before) / 100 < 20) -- kB of Lua objects a system
    assert.is_truthy(kept[100]:decompose { q = { 1, 0 }, v = { 0, 1 }, order = 4 })
  end)
end)
