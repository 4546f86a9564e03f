--- The yard of examples/love without LÖVE: the game that plays itself there, 600 frames at 60 Hz.
--- `eval "$(make -s env)"; luajit core/bench/yard.lua [runs]` tells what frames cost in CPU time.
--- All runs have the same frames: the least of a frame's times is its own, the rest is what else
--- the machine did.  `luajit core/bench/yard.lua frame 83` plays as far as that frame and no
--- farther, for programs that count instructions.
package.path = "examples/love/?.lua;" .. package.path
local yard = require "yard"

local FRAMES, STEP, SWINGS = 600, 1 / 60, 20

--- Plays so many frames; what each of them takes.
local function play(frames)
  local scene = yard.new(SWINGS)
  local swing, costs = scene.swings[5], {}
  collectgarbage()
  for frame = 1, frames do
    local began = os.clock()
    if frame >= 60 and frame < 150 then
      assert(scene:pull(swing, swing.x + 2.5, swing.y + 3.5))
    elseif frame == 150 then
      assert(scene:pull(swing))
    end
    scene:update(STEP)
    costs[frame] = os.clock() - began
  end
  return costs, scene
end

if arg[1] == "frame" then
  play(tonumber(arg[2]))
  return
end

local least, scene = {}, nil
for _ = 1, tonumber(arg[1]) or 5 do
  local costs
  costs, scene = play(FRAMES)
  for frame, seconds in ipairs(costs) do
    least[frame] = math.min(least[frame] or seconds, seconds)
  end
end
local order = {}
for frame = 1, FRAMES do
  order[frame] = frame
end
table.sort(order, function(a, b) return least[a] < least[b] end)
local function at(part)
  local frame = order[math.ceil(part * FRAMES)]
  return ("%.3f ms (frame %d)"):format(1000 * least[frame], frame)
end
print(("%d swings, %d broken: median %s, p99 %s, worst %s"):format(SWINGS, scene.broken, at(0.5),
  at(0.99), at(1)))
