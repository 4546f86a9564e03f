-- How many times slower than it can be the machine is just now, at least 1: by a fixed piece of
-- work, of 24 ms (LuaJIT: 12) where bounds of times were measured and nothing else ran.
local usual = rawget(_G, "jit") and 0.012 or 0.024

local function work()
  local list = {}
  for i = 1, 20000 do
    list[i] = { tostring(i) }
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
end

return function()
  local began = os.clock()
  work()
  return math.max(1, (os.clock() - began) / usual)
end
