--- A seeded source of random numbers, the same under every Lua: L'Ecuyer's MRG32k3a, whose products
--- stay below 2^53.

local draw = {}

---@class Draw
local Draw = {}
Draw.__index = Draw

local M1, M2 = 4294967087, 4294944443

--- Numbers of one seed; neighbouring seeds have nothing in common.
function draw.new(seed)
  local state, x = {}, seed % 4294967296
  for i = 1, 6 do
    x = (x * 69069 + 1234567 + i) % 4294967296
    state[i] = x % (i <= 3 and M1 or M2)
  end
  state[1], state[4] = state[1] + 1, state[4] + 1 -- not all of three are zero
  local self = setmetatable({ state = state }, Draw)
  for _ = 1, 12 do
    self:unit()
  end
  return self
end

--- Between 0 and 1.
function Draw:unit()
  local s = self.state
  local p = (1403580 * s[2] - 810728 * s[1]) % M1
  local q = (527612 * s[6] - 1370589 * s[4]) % M2
  s[1], s[2], s[3] = s[2], s[3], p
  s[4], s[5], s[6] = s[5], s[6], q
  return ((p - q) % M1 + 0.5) / M1
end

function Draw:between(low, high)
  return low + (high - low) * self:unit()
end

--- A whole number from low to high.
function Draw:whole(low, high)
  return low + math.floor(self:unit() * (high - low + 1))
end

--- With either sign, its size between low and high.
function Draw:signed(low, high)
  local size = self:between(low, high)
  return self:unit() < 0.5 and -size or size
end

function Draw:chance(probability)
  return self:unit() < probability
end

function Draw:pick(list)
  return list[self:whole(1, #list)]
end

--- A list of n numbers.
function Draw:list(n, low, high)
  local list = {}
  for i = 1, n do
    list[i] = self:between(low, high)
  end
  return list
end

--- n rows of m numbers.
function Draw:matrix(n, m, size)
  local rows = {}
  for i = 1, n do
    rows[i] = self:list(m, -size, size)
  end
  return rows
end

--- A unit vector of the space, all directions alike.
function Draw:direction()
  local z, angle = self:between(-1, 1), self:between(0, 2 * math.pi)
  local r = math.sqrt(1 - z * z)
  return { r * math.cos(angle), r * math.sin(angle), z }
end

return draw
