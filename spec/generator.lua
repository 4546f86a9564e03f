--- Numbers without a pattern, the same under every Lua.

local generator = {}

--- A function that answers numbers between 0 and 1.
---@param seed integer
---@return fun(): number
function generator.uniform(seed)
  local state = seed
  local function uniform()
    state = state * 16807 % 2147483647
    return state / 2147483647
  end
  for _ = 1, 10 do
    uniform()
  end
  return uniform
end

--- A number between 10^low and 10^high.
function generator.decade(uniform, low, high)
  return 10 ^ (low + (high - low) * uniform())
end

return generator
