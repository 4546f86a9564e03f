--- Halton's points, scrambled and shifted by a seed: numbers from 0 to below 1 that fill a box more
--- evenly than random ones.
---
--- Coordinate i of point k is k written in the i-th prime, mirrored at the point; the digits other
--- than 0 are permuted, since high primes are in step for long otherwise, and the result is
--- shifted, modulo 1.  All of it is exact in doubles, so that a seed gives the same points
--- everywhere.

local MODULUS, FACTOR = 2147483647, 48271 -- Lehmer's generator: products stay below 2^53

--- Whole numbers below a bound, from a seed.
local function generator(seed)
  local state = seed % (MODULUS - 1) + 1
  for _ = 1, 10 do -- small seeds begin alike
    state = state * FACTOR % MODULUS
  end
  return function(bound)
    state = state * FACTOR % MODULUS
    return math.floor((state - 1) / (MODULUS - 1) * bound)
  end
end

local function primes(count)
  local list, candidate = {}, 2
  while #list < count do
    local prime = true
    for _, p in ipairs(list) do
      prime = prime and candidate % p ~= 0
    end
    list[#list + 1] = prime and candidate or nil
    candidate = candidate + 1
  end
  return list
end

--- The digits 1 to base - 1 in any order; 0 stays.
local function permutation(base, draw)
  local list = {}
  for digit = 1, base - 1 do
    list[digit] = digit
  end
  for i = base - 1, 2, -1 do
    local j = draw(i) + 1
    list[i], list[j] = list[j], list[i]
  end
  list[0] = 0
  return list
end

--- A function that gives coordinate i of point k, both from 1.
---@param dimensions integer
---@param seed integer
---@return fun(k: integer, i: integer): number
return function(dimensions, seed)
  local draw, bases, digits, shifts = generator(seed), primes(dimensions), {}, {}
  for i, base in ipairs(bases) do
    digits[i], shifts[i] = permutation(base, draw), draw(2 ^ 30) / 2 ^ 30
  end
  return function(k, i)
    local base, x, scale = bases[i], 0, 1
    while k > 0 do
      local digit = k % bases[i]
      scale = scale / base
      x = x + digits[i][digit] * scale
      k = (k - digit) / base
    end
    return (x + shifts[i]) % 1
  end
end
