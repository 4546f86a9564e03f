--- Runs of a sweep shared by the processes that mpirun started.  The first hands out runs, a few at
--- a time, and keeps the rows; the others ask for more as soon as they are done, so that slow runs
--- hold nobody back.
---
---   to the first     "want"            "row <run> <failed> <row>"
---   from the first   "runs 1 2 3"      "stop"

local core = require "sarrus.core"

local share = {}

-- Seconds between two looks for signals; runs that are handed out at once, at most.
local PATIENCE, MOST = 0.1, 64

--- The number of this process, from 0, where there are several; nil where there is one.
---@return integer?
function share.rank()
  local size = tonumber(os.getenv "OMPI_COMM_WORLD_SIZE") or 1
  return size > 1 and tonumber(os.getenv "OMPI_COMM_WORLD_RANK") or nil
end

--- Begin: the module, or nil and a message.
---@return table? mpi
---@return string? message
function share.begin()
  local good, mpi = pcall(require, "sarrus.mpi")
  if not good then
    return nil, "started by mpirun, but sarrus was built without MPI (Debian: libopenmpi-dev, then "
      .. "make)"
  end
  local _, size = mpi.start()
  return setmetatable({ size = size, waiting = size - 1 }, { __index = mpi })
end

--- Hand out runs and hear of rows until all have come; false where a signal came first.
---@param mpi table
---@param left integer[]
---@param told fun(run: integer, row: string, failed: boolean)
---@return boolean whole
function share.serve(mpi, left, told)
  local next, missing, idle = 1, #left, {}
  while missing > 0 do
    local text, from = mpi.receive(PATIENCE)
    if core.caught() then
      return false
    elseif text == "want" and next <= #left then
      local count = math.ceil((#left - next + 1) / (4 * (mpi.size - 1)))
      local last = math.min(#left, next + math.min(count, MOST) - 1)
      mpi.send("runs " .. table.concat(left, " ", next, last), from)
      next = last + 1
    elseif text == "want" then
      idle[#idle + 1] = from
    elseif text then
      local run, failed, row = text:match("^row (%d+) (%d) (.*)$")
      told(tonumber(run), row, failed == "1")
      missing = missing - 1
    end
  end
  for _, rank in ipairs(idle) do
    mpi.send("stop", rank)
    mpi.waiting = mpi.waiting - 1
  end
  return true
end

--- Let the others go, and end.
---@param mpi table
function share.finish(mpi)
  while mpi.waiting > 0 do
    local text, from = mpi.receive(PATIENCE)
    if text == "want" then
      mpi.send("stop", from)
      mpi.waiting = mpi.waiting - 1
    end
  end
  mpi.finish()
end

--- Ask for runs, run them, send the rows, until there are no more.
---@param mpi table
---@param run fun(list: integer[], told: fun(run: integer, row: string, failed: boolean)): boolean
function share.toil(mpi, run)
  while true do
    mpi.send("want", 0)
    local text
    repeat
      text = mpi.receive(PATIENCE)
    until text
    if text == "stop" then
      return mpi.finish()
    end
    local list = {}
    for number in text:gmatch("%d+") do
      list[#list + 1] = tonumber(number)
    end
    run(list, function(number, row, failed)
      mpi.send(("row %d %d %s"):format(number, failed and 1 or 0, row), 0)
    end)
  end
end

return share
