--- `sarrus equilibrium` and `sarrus linearise`, run as processes.
local shell = dofile("spec/shell.lua")
local quote = shell.quote

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore
local root = shell.run("pwd"):gsub("%s+$", "")

local scripts = {
  ["pendulum.lua"] = [[
local sarrus = require "sarrus"
return sarrus.model { name = "pendulum", gravity = { 0, -9.81 },
  sarrus.body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 3 },
  sarrus.joint.revolute { "J", "ground", "rod", at = { 0, 0 },
    torque = sarrus.parameter("tau", 0) } }
]],
  ["apple.lua"] = [[
local sarrus = require "sarrus"
return sarrus.model { name = "apple", gravity = { 0, -9.81 },
  sarrus.body.point { "apple", position = { 0, 0 }, mass = 1 } }
]],
  ["spinning.lua"] = [[
local sarrus = require "sarrus"
return sarrus.model { name = "wheel",
  sarrus.body.disk { "rim", position = { 0, 0 }, radius = 1, mass = 1 },
  sarrus.joint.revolute { "hub", "ground", "rim", at = { 0, 0 }, damping = 0.25 } }
  :simulate { joints = { hub = { rate = 2 } } }
]],
  ["oscillator.lua"] = [[
local sarrus = require "sarrus"
return sarrus.system { name = "oscillator", coordinates = { "x" },
  mass = function() return { { 1 } } end, force = function(q) return { -q.x } end }
  :simulate { q = { 0 } }
]],
}

describe("the command", function()
  local folder

  setup(function()
    folder = shell.temporary_directory()
    for name, text in pairs(scripts) do
      local file = assert(io.open(folder .. "/" .. name, "wb"))
      file:write(text)
      file:close()
    end
  end)

  teardown(function() shell.run("rm -rf " .. quote(folder)) end)

  --- What it prints, and the exit code behind.
  local function run(words)
    return shell.run(('eval "$(%s/.ci/env)"\ncd %s\n%s %s/lua/bin/sarrus %s; echo "[$?]"'):format(
      root, quote(folder), interpreter, root, words))
  end

  it("equilibrium tells where it is, what moved, and whether it stays", function()
    local text = run "equilibrium pendulum.lua --html modes.html"
    assert.is_truthy(text:find('"rod" moved most, by 0.707107 m\nstable; forces are balanced to ',
      1, true), text)
    assert.is_truthy(text:find("eigenvalues, 1/s\n  0 +- 3.836013556i: 0.610521 Hz, damping 0\n"
      .. "written: modes.html\n[0]\n", 1, true), text)
    assert.is_truthy(shell.read(folder .. "/modes.html"):find("modes of pendulum", 1, true))
  end)

  it("equilibrium fails in words", function()
    assert.equal('sarrus: model "apple": equilibrium: there is none near the start: nothing stops '
      .. '"apple", which is accelerated by 9.81 m/s^2 [LIMIT]\n[1]\n', run "equilibrium apple.lua")
    assert.equal('sarrus: system "oscillator": only models have equilibria to be found\n[1]\n',
      run "equilibrium oscillator.lua")
    assert.equal('sarrus: --set tua: model "pendulum" has no such parameter (did you mean '
      .. "'tau'?); it has tau\ntry 'sarrus equilibrium --help'\n[2]\n",
      run "equilibrium pendulum.lua --set tua=1")
  end)

  it("linearise prints matrices, about the equilibrium or the drawing", function()
    assert.equal([[
states: J.angle, J.rate
A
             0             1  J.angle
       -14.715             0  J.rate
B
             0  J.angle
             1  J.rate
C
           0.5             0  rod.position.x
D
             0  rod.position.x
eigenvalues, 1/s
  0 +- 3.836013556i: 0.610521 Hz, damping 0
[0]
]], run "linearise pendulum.lua --inputs tau --outputs rod.position.x")
    local here = run "linearise pendulum.lua --here"
    assert.is_truthy(here:find("it does not stay in this state: eigenvalues tell of its next "
      .. "moments alone\n[0]\n", 1, true), here)
  end)

  it("linearise wants names that are there", function()
    assert.equal("sarrus: --inputs: unknown parameter \"tua\" (did you mean 'tau'?)\n"
      .. "try 'sarrus linearise --help'\n[2]\n", run "linearise pendulum.lua --inputs tua")
    assert.equal("sarrus: --outputs: unknown quantity of J \"angel\" (did you mean 'angle'?), want "
      .. "one of angle, rate, force, torque\ntry 'sarrus linearise --help'\n[2]\n",
      run "linearise pendulum.lua --outputs J.angel")
  end)

  it("linearise takes a simulation as it stands, and writes JSON", function()
    assert.equal('{"A":[[0,1],[0,-0.5]],"B":[[],[]],"C":[],"D":[],"eigenvalues":[[0,0],[-0.5,0]],'
      .. '"inputs":[],"outputs":[],"states":["hub.angle","hub.rate"],"steady":false}\n[0]\n',
      run "linearise spinning.lua --json")
    assert.equal('sarrus: system "oscillator": only models can be linearised\n[1]\n',
      run "linearise oscillator.lua")
  end)
end)
