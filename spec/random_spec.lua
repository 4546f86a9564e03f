--- Random cases of every class in spec/random; `make random` runs more.
local random = dofile("spec/random.lua")

local SEED = 1

describe("random", function()
  for _, name in ipairs(random.classes()) do
    local class = random.class(name)
    it(name .. " are right", function()
      local result = random.run(class, SEED, class.cases)
      assert.is_true(result.wrong == 0, ("%d wrong, the worst %.1e with SEED=%s: %s"):format(
        result.wrong, result.worst, result.seed, result.message or "beyond the bound"))
      assert.is_true(result.early <= (class.early or 0.1) * class.cases,
        ("%d of %d end early"):format(result.early, class.cases))
    end)
  end

  -- Loops held by all joints together, one of which holds less than a hundredth of it, or by two
  -- that depend on each other; a corner that others leave no motion where it comes to rest;
  -- two points of a capsule at one place; functions whose branches know zero by different rounding;
  -- two points that come to their bounds together, or lift together; parallel rods;
  -- a foot that lifts, whose load goes over to all that are opposite, in any order; forces of
  -- joints that have faded to nothing; ends of rods at one hinge, where one rests idly; feet that
  -- two others keep from slipping; walls on both sides of what hardly anything pulls.
  it("cases that contacts once ended go on", function()
    local ended = { bearings = { 356, 515, 645, 706, 739, 410672 }, onsets = { 410268 },
      scenes = { 34, 900024, 900106, 900198, 900945 }, saved = { 1066, 400059 },
      rough = { 22, 177 }, solids = { 17, 810095 },
      slid = { 25, 55, 89, 100, 104, 115 }, plates = { 5060, 900096 }, guided = { 900088 } }
    for name, seeds in pairs(ended) do
      for _, seed in ipairs(seeds) do
        local result = random.run(random.class(name), seed, 1)
        assert.are.equal("0 wrong, 0 early", ("%d wrong, %d early"):format(result.wrong,
          result.early), name .. " " .. seed)
      end
    end
  end)

  -- A foot that would lift where it stuck, but is pressed as it slips, begins to slip anew.
  it("friction acts against slip in all that has been seen to differ", function()
    local result = random.run(random.class("plates"), 900005, 1)
    assert.is_true(result.wrong == 0, result.worst)
  end)

  it("cases are the same under every Lua", function()
    local draw = dofile("spec/random/tools/draw.lua").new(SEED)
    local numbers = {}
    for i = 1, 1000 do
      numbers[i] = draw:unit()
    end
    assert.are.equal("0.3088475", ("%.7f"):format(numbers[1]))
    assert.are.equal("0.2343235", ("%.7f"):format(numbers[1000]))
  end)

  it("cases that fail are told with their seeds", function()
    local class = { bound = 0.5, case = function(draw)
      return draw:chance(0.3) and error("no luck") or 0
    end }
    local result = random.run(class, 7, 50)
    assert.is_true(result.wrong > 0 and result.wrong < 50)
    assert.are.equal(math.huge, result.worst)
    assert.is_truthy(result.message:find("no luck"))
    assert.are.equal(1, random.run(class, result.seed, 1).wrong)
  end)
end)
