--- Lists of numbers or expressions, of which random equations are made.
local sarrus = require "sarrus"
local times = dofile("spec/random/tools/motion.lua").times

local lists = {}

function lists.less(a, b)
  local result = {}
  for i = 1, #b do
    result[i] = a[i] - b[i]
  end
  return result
end

--- letter1, letter2, …
function lists.named(letter, n)
  local names = {}
  for i = 1, n do
    names[i] = letter .. i
  end
  return names
end

function lists.part(list, from, count)
  local some = {}
  for i = 1, count do
    some[i] = list[from + i - 1]
  end
  return some
end

function lists.joined(a, b)
  local list = lists.part(a, 1, #a)
  for i = 1, #b do
    list[#a + i] = b[i]
  end
  return list
end

--- m functions of lists of n: c . x + a bend, of which the first m of c make a regular matrix; and
--- their gradient, transposed, times a list y.
function lists.functions(draw, m, n)
  local c, bend = draw:matrix(m, n, 0.3), draw:list(m, -0.2, 0.2)
  for i = 1, m do
    c[i][i] = c[i][i] + 2
  end
  return function(x)
    local result = times(c, x)
    for i = 1, m do
      result[i] = result[i] + bend[i] * sarrus.sin(x[i])
    end
    return result
  end, function(x, y)
    local result = {}
    for j = 1, n do
      result[j] = 0
      for i = 1, m do
        result[j] = result[j] + (c[i][j] + (i == j and bend[i] * sarrus.cos(x[i]) or 0)) * y[i]
      end
    end
    return result
  end
end

return lists
