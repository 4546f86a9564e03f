--- Random tests: a class is one file in spec/random that returns
---   { cases = how many the specs run, bound = of the error,
---     case = function(draw) return error [, why it ended early] end
---     [, early = the part that may, since those say little of what is right; 0.1]
---     [, open = true where it is known that not all is right: run by name alone] },
--- where a case draws a problem, and gives by how much the answer differs from one found in another
--- way.  The case of a seed is the same under every Lua.  `make random` runs many.

local shell = dofile("spec/shell.lua")
local draw = dofile("spec/random/tools/draw.lua")

local random = {}

function random.class(name)
  return dofile("spec/random/" .. name .. ".lua")
end

--- The names of all classes but the open ones.
function random.classes()
  local names = {}
  for path in shell.run("ls spec/random/*.lua"):gmatch("[^\n]+") do
    local name = path:match("([^/]+)%.lua$")
    names[#names + 1] = not random.class(name).open and name or nil
  end
  return names
end

--- The error of one case; what raises is wrong altogether.
local function error_of(class, seed)
  local good, value, early = pcall(class.case, draw.new(seed))
  if not good then
    return math.huge, tostring(value)
  elseif value ~= value then
    return math.huge, "not a number"
  end
  return value, nil, early
end

--- Run the cases of the seeds from `seed` on.
---@return { worst: number, seed: integer, message: string?, wrong: integer, early: integer }
function random.run(class, seed, count)
  local result = { worst = -1, wrong = 0, early = 0 }
  for k = seed, seed + count - 1 do
    local value, message, early = error_of(class, k)
    result.early = result.early + (early and 1 or 0)
    if value > class.bound then
      result.wrong = result.wrong + 1
    end
    if value > result.worst then
      result.worst, result.seed, result.message = value, k, message
    end
  end
  return result
end

--- Run all classes but the open ones, or those that `words` names, and print a line for each;
--- answers whether all is right.
function random.print(seed, count, words)
  local right, names = true, {}
  for name in words:gmatch("%S+") do
    names[#names + 1] = name
  end
  for _, name in ipairs(#names > 0 and names or random.classes()) do
    local class = random.class(name)
    local result = random.run(class, seed, count)
    print(("%-14s %6d cases  worst %8.1e  bound %7.0e  SEED=%d%s"):format(name, count, result.worst,
      class.bound, result.seed, (result.wrong > 0 and ("  %d wrong"):format(result.wrong) or "")
        .. (result.early > 0 and ("  %d end early"):format(result.early) or "")))
    if result.wrong > 0 then
      right = false
      print(result.message and "  " .. result.message or "  beyond the bound")
    end
  end
  return right
end

return random
