--- Nested tables of numbers, compared: how far they are apart, relative to the largest of each
--- list.

local compare = {}

--- The largest number in a nested table, at least 1.
local function size_of(x)
  if type(x) == "number" then
    return math.abs(x)
  end
  local size = 1
  for _, y in pairs(type(x) == "table" and x or {}) do
    size = math.max(size, size_of(y))
  end
  return size
end

--- How far two values are apart; infinitely where they are of different kinds.
local function apart(x, y, size)
  if type(x) == "number" and type(y) == "number" then
    return x == y and 0 or math.abs(x - y) / size
  elseif type(x) ~= "table" or type(y) ~= "table" then
    return x == y and 0 or error(("%s is not %s"):format(tostring(x), tostring(y)))
  end
  local off = 0
  for key in pairs(x) do
    off = math.max(off, apart(x[key], rawget(y, key), size))
  end
  for key in pairs(y) do
    if rawget(x, key) == nil then
      error(tostring(key) .. " is missing")
    end
  end
  return off
end

--- How far two lists are apart, the parts of the list each by their own size.
function compare.off(found, exact)
  local off = 0
  for i = 1, math.max(#found, #exact) do
    off = math.max(off, apart(found[i], exact[i], size_of(exact[i])))
  end
  return off
end

return compare
