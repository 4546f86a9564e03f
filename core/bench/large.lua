--- From the script to the first step of a large model: a chain of spatial bodies along x, at rest.
---   lua5.4 core/bench/large.lua [COUNT] [rod | box] [revolute | spherical]
--- Prints the CPU seconds of each stage (default: 10,000 rods, revolute joints about y).
--- `eval "$(make -s env)"` first.
local count, kind, joined = tonumber(arg[1]) or 10000, arg[2] or "rod", arg[3] or "revolute"

local last, total = os.clock(), 0

--- Print the time since the last call.
local function lap(name)
  local now = os.clock()
  total = total + now - last
  print(("%-10s %7.3f s"):format(name, now - last))
  last = os.clock()
end

local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint
local make_body = {
  rod = function(name, x)
    return body.rod { name, from = { x, 0, 0 }, to = { x + 1, 0, 0 }, mass = 1 }
  end,
  box = function(name, x)
    return body.box { name, position = { x + 0.5, 0, 0 }, size = { 1, 0.2, 0.1 }, mass = 1 }
  end,
}
local make_joint = {
  revolute = function(name, a, b, x)
    return joint.revolute { name, a, b, at = { x, 0, 0 }, axis = { 0, 1, 0 } }
  end,
  spherical = function(name, a, b, x) return joint.spherical { name, a, b, at = { x, 0, 0 } } end,
}

local parts, before = { gravity = { 0, 0, -9.81 } }, "ground"
for i = 1, count do
  local name = "b" .. i
  parts[#parts + 1] = make_body[kind](name, i - 1)
  parts[#parts + 1] = make_joint[joined]("j" .. i, before, name, i - 1)
  before = name
end
lap "parts"
local model = sarrus.model(parts)
lap "model"
local sim = assert(model:simulate())
lap "simulate"
assert(sim:step())
lap "step"
print(("%-10s %7.3f s, Lua %.0f MB"):format("total", total, collectgarbage("count") / 1024))
