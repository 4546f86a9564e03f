--- Lua's collector, which rests while large models are built.
---
--- What building allocates is mostly kept until it is done, so that cycles in between mark all of
--- it for little: of 3,000 spatial bodies, from the script to the first step, they take 0.3 of the
--- time.  At rest, the process has a fifth to a quarter more memory at its peak.

local core = require "sarrus.core"

local collectgarbage, pcall = collectgarbage, pcall -- a host may take them away from scripts

local garbage = {}

local MANY = 100 -- parts, or bodies: those of fewer are built in a few milliseconds

local left -- the last stage that has left its garbage

--- Whether the collector runs, and may rest: a host may have stopped it.  Lua 5.1 does not tell;
--- LuaJIT has little address space, and does not collect when it is short of memory.
local function is_running()
  if not collectgarbage or rawget(_G, "jit") then
    return false
  end
  local told, running = pcall(collectgarbage, "isrunning")
  return told and running
end

local function go_on(good, ...)
  core.resume_collector()
  if not good then
    error((...), 0)
  end
  return ...
end

--- Call a function while the collector rests, if there are many parts.  The core's objects are
--- large, and tell the collector so only while it runs: garbage of a model that was built before is
--- collected first.
---@param count integer of parts, or bodies
---@param stage integer of building: each later one is of the same model
---@param f function
---@return any ... what it returns
function garbage.wait(count, stage, f, ...)
  if count < MANY or not is_running() then
    return f(...)
  elseif left and stage <= left then
    collectgarbage()
  end
  left = stage
  collectgarbage("stop")
  return go_on(pcall(f, ...))
end

return garbage
