-- Times that other work on the machine changes little.

-- What `work` takes where bounds of times were measured and nothing else ran.
local usual = rawget(_G, "jit") and 0.012 or 0.024

local function work()
  local list = {}
  for i = 1, 20000 do
    list[i] = { tostring(i) }
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
end

--- How many times slower than it can be the machine is just now, at least 1.
local function pace()
  local began = os.clock()
  work()
  return math.max(1, (os.clock() - began) / usual)
end

--- Seconds of processor time that f takes where nothing else runs, the best of `tries`, and what
--- it answered last.
local function seconds(f, tries)
  local best, result = math.huge, nil
  for _ = 1, tries do
    local slower, start = pace(), os.clock()
    result = f()
    best = math.min(best, (os.clock() - start) / slower)
  end
  return best, result
end

--- How many times as long f takes as g, without a pace: the best of `tries` each, in turn.
local function ratio(f, g, tries)
  local first, second = math.huge, math.huge
  for _ = 1, tries do
    local start = os.clock()
    f()
    local between = os.clock()
    g()
    first, second = math.min(first, between - start), math.min(second, os.clock() - between)
  end
  return first / second
end

return { seconds = seconds, ratio = ratio }
