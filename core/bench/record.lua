-- lua5.4 core/bench/record.lua [rows]: a recording of a four-bar to CSV against loops of file:write
-- and string.format, and its memory.
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint

local model = sarrus.model {
  name = "four-bar", gravity = { 0, -9.81 },
  body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
  body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = 1 },
  body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
  joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
  joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
  joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
  joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
}
local channels = { "A.angle", "C.force.x", "crank.position.y" }
local EVERY, FORMAT = 1e-3, "%.17g,%.17g,%.17g,%.17g\n"

local bench = {}

local function seconds(f)
  collectgarbage()
  local began = os.clock()
  f()
  return os.clock() - began
end

--- Pages of this process that are in memory, in MB; 0 where there is no /proc.
local function resident()
  local file = io.open("/proc/self/statm")
  local pages = file and tonumber(file:read("*a"):match("^%d+ (%d+)")) or 0
  return pages * 4096 / 2 ^ 20, file and file:close()
end

--- Rows as the simulation moves: by a recording, and how much the memory grew meanwhile.
local function streamed(rows, path)
  local sim = assert(model:simulate {})
  local recording = assert(sim:record { every = EVERY, channels = channels, csv = path,
    keep = false })
  assert(sim:advance(rows * EVERY / 10))
  local before, most = resident(), 0
  local time = seconds(function()
    for k = 2, 10 do
      assert(sim:advance(rows * EVERY * k / 10))
      most = math.max(most, (resident()))
    end
    assert(recording:close())
  end)
  return time * 10 / 9, most - before
end

--- The same by a loop over samples.
local function looped(rows, path)
  local sim, file = assert(model:simulate {}), assert(io.open(path, "wb"))
  return seconds(function()
    for t, s in sim:samples(rows * EVERY, EVERY) do
      file:write(FORMAT:format(t, s:joint("A").angle, s:joint("C").force.x,
        s:body("crank").position.y))
    end
    file:close()
  end)
end

--- Numbers that are there already, written by the recording and by a loop over lists.
local function written(rows, path)
  local sim = assert(model:simulate {})
  local recording = sim:record { every = EVERY, channels = channels }
  assert(sim:advance(rows * EVERY))
  local t, a, b, c = recording.t, recording[channels[1]], recording[channels[2]],
    recording[channels[3]]
  local ours = seconds(function()
    assert(recording:csv(path))
  end)
  local file = assert(io.open(path, "wb"))
  local loop = seconds(function()
    for i = 1, #t do
      file:write(FORMAT:format(t[i], a[i], b[i], c[i]))
    end
    file:close()
  end)
  return ours, loop
end

--- Seconds for so many rows of four numbers, and the growth of the memory in MB.
function bench.measure(rows)
  local path = os.tmpname()
  local result = { rows = rows }
  result.streamed, result.growth = streamed(rows, path)
  result.looped = looped(rows, path)
  result.written, result.formatted = written(rows, path)
  os.remove(path)
  return result
end

function bench.print(rows)
  local r = bench.measure(rows)
  print(("%d rows of 4 numbers; the memory grew by %.1f MB"):format(r.rows, r.growth))
  print(("%-34s %8.3f s"):format("record { csv = path }", r.streamed))
  print(("%-34s %8.3f s  %5.1f times"):format("samples, file:write, string.format", r.looped,
    r.looped / r.streamed))
  print(("%-34s %8.3f s"):format("recording:csv(path)", r.written))
  print(("%-34s %8.3f s  %5.1f times"):format("lists, file:write, string.format", r.formatted,
    r.formatted / r.written))
end

if arg and arg[0] and arg[0]:find("record%.lua$") then
  bench.print(tonumber(arg[1]) or 1000000)
end

return bench
