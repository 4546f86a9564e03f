--- What `sarrus verify` claims of a run, against what is known to 30 digits.

local verify = require "sarrus.verify"

local claimed = {}

--- Digits of a value, of `known`, a double and what it leaves; no double has more than 15.
local function digits(value, known, scale)
  local off = math.abs((value - known[1]) - (known[2] or 0))
  return scale == 0 and 15
    or math.max(0, math.floor(-math.log(math.max(off / scale, 1.1e-16)) / math.log(10)))
end

--- How many digits are claimed too many, of any channel; or, if more, how many beyond two the
--- weakest channel is claimed to have too few (others are right by luck where errors pass 0;
--- positions and speeds are not both).
---@param sim sarrus.Sim at its start
---@param labels string[]
---@param t number
---@param known number[][] per channel, a double and what it leaves
---@return integer
function claimed.error(sim, labels, t, known)
  local found = assert(verify.run(sim, labels, t))
  local many, least, right = -math.huge, math.huge, math.huge
  for i, one in ipairs(found.channels) do
    local own = digits(one.value, known[i], one.scale)
    many = math.max(many, one.digits - own)
    least, right = math.min(least, one.digits), math.min(right, own)
  end
  return math.max(many, right - least - 2)
end

return claimed
