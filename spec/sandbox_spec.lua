-- Hosts that load few libraries, and scripts that they do not trust.
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

--- What a script prints, in a process of its own.
local function run(script)
  return shell.run('eval "$(.ci/env)"; ' .. interpreter .. " " .. script .. " 2>&1")
end

local few = [[
for _, name in ipairs { "debug", "io", "os" } do _G[name], package.loaded[name] = nil, nil end
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint
local model = sarrus.model { gravity = { 0, -9.81 },
  body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
  joint.revolute { "J", "ground", "r", at = { 0, 0 } } }
local sim = assert(model:simulate {})
local recording = sim:record { every = 0.25, channels = { "J.angle" } }
assert(sim:advance(0.5, { seconds = 10 }))
print(#recording.t, sim:stats().seconds >= 0,
  sarrus.adomian.polynomials(function(u) return u ^ 2 end, 1)[1])
print(select(2, pcall(sim.advance, sim, "x")))
print(select(2, pcall(function() return sarrus.series { 1, 1 }:compose(math.sin) end)))
print(select(2, pcall(function()
  return sarrus.system { coordinates = { "x" },
    mass = function(q) return { { math.cos(q.x) } } end }
end)))
print((select(2, sim:advance(1, nil))))
]]

describe("sarrus without debug, io and os", function()
  it("works, and still tells the line of the script", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write(few)
    file:close()
    local said = run(path):gsub(path:gsub("%p", "%%%0"), "script")
    os.remove(path)
    assert.are.equal([[
3	true	2*u0*u1
script:12: advance: got string "x", want a finite time
script:13: series:compose: got a function, want a series
script:16: system: mass: bad argument #1 to 'cos' (number expected, got table); ]]
      .. [[use sarrus.cos for expressions and series
nil
]], (said:gsub("got sarrus.expression", "got table")))
  end)
end)

describe("a sandbox", function()
  it("lets no attempt read, write or crash", function()
    local folder = shell.temporary_directory()
    local secret = folder .. "/secret"
    for _, ending in ipairs { "", ".urdf", ".xml", ".stl" } do
      local file = assert(io.open(secret .. ending, "w"))
      file:write("the hidden words")
      file:close()
    end
    shell.run("mkdir " .. shell.quote(folder .. "/empty"))
    local said = run(("spec/hostile.lua %s %s"):format(shell.quote(secret),
      shell.quote(folder .. "/empty")))
    local left = shell.run("ls " .. shell.quote(folder .. "/empty"))
    shell.run("rm -rf " .. shell.quote(folder))
    local count = said:match("\nalive after (%d+) attempts\n$")
    assert.is_truthy(count, said:sub(-500))
    assert.is_true(tonumber(count) >= 100)
    assert.is_nil(said:find("hidden words", 1, true))
    assert.are.equal("", left)
    for line in said:gmatch("[^\n]+") do -- none of what asks for files succeeds
      local name = line:match("^(%a+) %d+: ")
      if name then
        assert.is_truthy(line:find("files are closed (sarrus.sandbox)", 1, true)
          or line:find(": false ", 1, true), line)
      end
    end
  end)

  it("is closed for good, before the first simulation", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write([[
local sarrus = require "sarrus"
print(sarrus.sandbox { files = true })
local pendulum = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
assert(pendulum:simulate { q = { 0 } })
print(select(2, pcall(sarrus.sandbox, { files = false })))
print(select(2, pcall(sarrus.sandbox, { file = false })))
]])
    file:close()
    local said = run(path):gsub(path:gsub("%p", "%%%0"), "script")
    os.remove(path)
    assert.are.equal([[
true
script:5: sandbox: a model has been simulated already; files are closed before the first
script:6: sandbox: unknown field 'file' (did you mean 'files'?)
]], said)
  end)

  it("reads no file of Lua afterwards", function()
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write([[
local sarrus = require "sarrus"
local types = require "sarrus.model.part.family"
sarrus.sandbox { files = false }
require, loadfile, dofile = nil, nil, nil
package.path, package.cpath = "", ""
for _, name in ipairs { "body", "joint", "force", "shape", "contact" } do
  for kind in pairs(sarrus[name]) do
    local _, message = pcall(sarrus.model, { sarrus[name][kind] { "part" } })
    if message:find("not found", 1, true) then print(message) end
  end
end
local function pendulum()
  return sarrus.model { gravity = { 0, -9.81 },
    sarrus.body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
    sarrus.joint.revolute { "J", "ground", "r", at = { 0, 0 }, limits = { -3, 3 } } }
end
local sim = pendulum():simulate { sensitivity = { "start.J.angle" } }
sim:record { every = 0.1, channels = { "J.angle" } }
sim:advance(0.5)
local s = sim:state()
print(#sim:reader { "J.angle" }:read() == 1, s:derivative("J.angle", "start.J.angle") ~= 0,
  #s:mass_matrix() == 1, s:efforts { J = 1 } ~= nil)
print(pendulum():equilibrium().t == 0, #pendulum():modes() == 1, #pendulum():explain "model" > 0)
print(#pendulum():reach { targets = { { "r", point = { 0.5, 0 }, position = { 0, -1 } } } }.q > 0)
local oscillator = sarrus.system { coordinates = { "x" },
  mass = function() return { { 1 } } end, force = function(q) return { -q.x } end }
print(oscillator:decompose { q = { 1 }, v = { 0 }, order = 2 }.q[1],
  #oscillator:explain "equations" > 0, types.names[1])
]])
    file:close()
    local said = run(path):gsub(path:gsub("%p", "%%%0"), "script")
    os.remove(path)
    assert.are.equal([[
true	true	true	true
true	true	true
true
1 - 1/2 t^2 + O(t^3)	true	body
]], said)
  end)
end)
