--- How far a run has come, on the standard error: a bar on a terminal, else a line now and then.

local core = require "sarrus.core"

local progress = {}
progress.__index = progress

local FIRST, REDRAW = 0.3, 0.1 -- seconds until a bar appears, and between its changes
local FIRST_LINE, LONGEST = 5, 60 -- seconds until the first plain line; they come ever more rarely

--- A duration in words.
---@param seconds number
---@return string
function progress.duration(seconds)
  local whole = math.floor(seconds + 0.5)
  if whole < 120 then
    return ("%d s"):format(whole)
  elseif whole < 7200 then
    return ("%d min"):format(math.floor(whole / 60))
  end
  return ("%d h"):format(math.floor(whole / 3600))
end

--- Progress from one simulated time to another.
---@param from number
---@param to number
---@param columns? integer of the terminal; nil if there is none
---@param write fun(text: string)
---@param now number in seconds of any clock
function progress.new(from, to, columns, write, now)
  local size = math.floor(math.log(math.abs(to - from)) / math.log(10))
  return setmetatable({
    from = from, to = to, columns = columns, write = write,
    time = ("t = %%.%df of %%.6g s"):format(math.max(0, 3 - size)),
    began = now, due = now + (columns and FIRST or FIRST_LINE), pause = FIRST_LINE, drawn = 0,
  }, progress)
end

--- Done, as a fraction; simulated time against real time; seconds left.
function progress:estimate(t, now)
  local elapsed = math.max(now - self.began, 1e-9)
  local done = (t - self.from) / (self.to - self.from)
  local left = done > 0 and elapsed * (1 - done) / done or math.huge
  return done, math.abs(t - self.from) / elapsed, left
end

--- What is known, the most telling first.
function progress:facts(t, steps, now, implicit)
  local done, speed, left = self:estimate(t, now)
  return done, {
    ("%3d %%"):format(math.floor(100 * done)),
    self.time:format(t, self.to),
    left < 1e9 and progress.duration(left) .. " left" or "just begun",
    (speed < 100 and "%.3g x real time" or "%.0f x real time"):format(speed),
    ("%d steps"):format(steps),
    implicit and implicit > 0 and ("%d of them implicit"):format(implicit) or nil,
  }
end

local SHORTEST, WIDEST = 6, 30 -- bars, with their brackets

--- One line of a terminal: as many facts as fit beside a short bar, and the bar as wide as it can
--- be.
function progress:line(t, steps, now, implicit)
  local done, facts = self:facts(t, steps, now, implicit)
  local text = ""
  for _, fact in ipairs(facts) do
    if SHORTEST + #text + 2 + #fact < self.columns then
      text = text .. "  " .. fact
    end
  end
  local width = math.max(math.min(self.columns - 1 - #text, WIDEST), SHORTEST) - 2
  local full = math.floor(done * width + 0.5)
  local line = "[" .. ("="):rep(full) .. (" "):rep(width - full) .. "]" .. text
  return line:sub(1, self.columns - 1)
end

local function draw(self, line)
  self.write("\r" .. line .. (" "):rep(self.drawn - #line))
  self.drawn = #line
end

--- Show how far it is, if it is time to.
---@param t number simulated time
---@param steps integer
---@param now number
---@param implicit? integer of the steps
function progress:show(t, steps, now, implicit)
  if now < self.due then
    return
  elseif self.columns then
    draw(self, self:line(t, steps, now, implicit))
    self.due = now + REDRAW
  else
    local _, facts = self:facts(t, steps, now, implicit)
    self.write("sarrus: " .. table.concat(facts, ", "):gsub("^%s+", "") .. "\n")
    self.pause = math.min(2 * self.pause, LONGEST)
    self.due = now + self.pause
  end
end

--- Take the bar away.
function progress:finish()
  if self.drawn > 0 then
    draw(self, "")
    self.write("\r")
  end
end

--- Progress on the standard error.
---@param from number
---@param to number
function progress.on_stderr(from, to)
  return progress.new(from, to, core.columns(2), function(text)
    io.stderr:write(text)
  end, core.seconds())
end

return progress
