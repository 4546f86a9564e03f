--- Warnings of models and simulations, on the standard error.

local MOST = 20

--- Print the warnings behind the first `seen` of a list; answers how many there are now.
---@param list sarrus.Warning[]
---@param seen? integer
---@return integer
local function print_warnings(list, seen)
  local first = (seen or 0) + 1
  for i = first, math.min(#list, first + MOST - 1) do
    local times = list[i].count > 1 and (" (%d times)"):format(list[i].count) or ""
    io.stderr:write("sarrus: warning: ", list[i].message, times, "\n")
  end
  if #list >= first + MOST then
    io.stderr:write(("sarrus: and %d more warnings\n"):format(#list - first - MOST + 1))
  end
  return #list
end

return print_warnings
