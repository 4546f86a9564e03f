-- Random scenes in space that crawled, chattered, found no forces or sank, by what was wrong.
local random = dofile("spec/random.lua")

local function holds(name, seed)
  local result = random.run(random.class(name), seed, 1)
  assert(result.wrong == 0 and result.early == 0, ("%s %d: %s"):format(name, seed,
    result.message or result.early > 0 and "ends early" or result.worst))
end

describe("what touches in space", function()
  it("slides on four corners", function()
    holds("rough", 10)
    holds("rough", 125)
  end)

  it("begins to slip with hardly any acceleration", function()
    holds("rough", 6)
  end)

  it("is held at points that share a load", function()
    holds("rough", 26)
    holds("solids", 104)
  end)

  it("stands nearly upright", function()
    holds("rough", 53)
    holds("rough", 63)
    holds("solids", 288)
  end)
end)
