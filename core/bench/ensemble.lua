-- ensemble.lua [runs [tolerance [reference]]]: double pendulums for 10 s, as a system and as a
-- model, in one and in two threads: milliseconds of CPU and of time per run.  A reference is a file
-- of doubles, eight a run: angles and rates at the start, then at the end; with it, how many runs
-- end within 1e-6 of it.  Measured with a tolerance of 2e-11, simulations one after the other:
-- system 1.01 ms a run in one thread, 0.52 in two; model 1.56 and 0.79 ms.  In lanes 0.42 and 0.61
-- times as much CPU.
local sarrus = require "sarrus"
local cos, sin = sarrus.cos, sarrus.sin
local body, joint = sarrus.body, sarrus.joint

local runs, tolerance = tonumber(arg[1] or 1000), tonumber(arg[2] or 1e-9)
local G, T = 9.81, 10

--- Numbers from -1 to 1, the same everywhere: products are exact in doubles.
local state = 12345
local function uniform()
  state = (state * 48271) % 2147483647
  return 2 * state / 2147483647 - 1
end

-- Two rods of length 1 and mass 1; angles from the downward vertical.
local system = sarrus.system {
  name = "double pendulum", coordinates = { "a", "b" },
  mass = function(q)
    local c = cos(q.a - q.b) / 2
    return { { 4 / 3, c }, { c, 1 / 3 } }
  end,
  force = function(q, v)
    local s = sin(q.a - q.b) / 2
    return { -s * v.b ^ 2 - 1.5 * G * sin(q.a), s * v.a ^ 2 - 0.5 * G * sin(q.b) }
  end,
}
local model = sarrus.model {
  name = "double pendulum", gravity = { 0, -G },
  body.rod { "a", from = { 0, 0 }, to = { 0, -1 }, mass = 1 },
  body.rod { "b", from = { 0, -1 }, to = { 0, -2 }, mass = 1 },
  joint.revolute { "J1", "ground", "a", at = { 0, 0 } },
  joint.revolute { "J2", "a", "b", at = { 0, -1 } },
}

local starts, reference = {}, nil
for i = 1, runs do
  starts[i] = { uniform() * math.pi / 2, uniform() * math.pi / 2, uniform(), uniform() }
end
if arg[3] then
  local file = assert(io.open(arg[3], "rb"))
  local text = file:read("*a")
  file:close()
  reference, starts = {}, {}
  for i = 1, runs do
    local at = (i - 1) * 64 + 1
    local s = { string.unpack("<dddddddd", text, at) } -- luacheck: ignore
    starts[i], reference[i] = { s[1], s[2], s[3], s[4] }, { s[5], s[6] }
  end
end

local subjects = {
  { "system", system, { "q.a", "q.b" }, function(s)
    return { q = { s[1], s[2] }, v = { s[3], s[4] } }
  end },
  { "model", model, { "a.angle", "b.angle" }, function(s)
    return { joints = { J1 = { angle = s[1], rate = s[3] },
      J2 = { angle = s[2] - s[1], rate = s[4] - s[3] } } }
  end },
}

--- How many of the runs end within 1e-6 of the reference.
local function right(e, channels, offset)
  local count = 0
  for i = 1, runs do
    local a = e[i][channels[1]] + offset - reference[i][1]
    local b = e[i][channels[2]] + offset - reference[i][2]
    count = count + (math.max(math.abs(a), math.abs(b)) < 1e-6 and 1 or 0)
  end
  return count
end

for _, entry in ipairs(subjects) do
  local name, subject, channels, start = entry[1], entry[2], entry[3], entry[4]
  for threads = 1, 2 do
    local cpu, wall = os.clock(), require "sarrus.core".seconds()
    local e = assert(sarrus.ensemble { subject, runs = runs, t_end = T, tolerance = tolerance,
      channels = channels, threads = threads,
      vary = function(i)
        return start(starts[i])
      end })
    cpu, wall = os.clock() - cpu, require "sarrus.core".seconds() - wall
    print(("%-7s %d threads  %8.3f ms CPU and %8.3f ms a run%s"):format(name, threads,
      1e3 * cpu / runs, 1e3 * wall / runs, reference and (", %.2f %% within 1e-6"):format(
        100 * right(e, channels, name == "model" and math.pi / 2 or 0) / runs) or ""))
  end
end
