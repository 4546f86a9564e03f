-- The examples of mechanisms run, are short, and print what is known.
local names = {
  "four_bar", "slider_crank", "double_pendulum", "gyroscope", "stewart", "arm", "suspension",
  "chain", "cam", "rolling_disk", "guided_arm", "coupler_curves",
  "bushings", "motor_arm", "belt", "bicycle", "crane",
}

--- What a script prints, as one text.
local function output(path)
  local lines, plain = {}, print
  rawset(_G, "print", function(...)
    local texts = {}
    for i = 1, select("#", ...) do
      texts[i] = tostring((select(i, ...)))
    end
    lines[#lines + 1] = table.concat(texts, "\t")
  end)
  local ok, message = pcall(dofile, path)
  rawset(_G, "print", plain)
  assert(ok, message)
  return table.concat(lines, "\n"), #lines
end

local function line_count(path)
  local count = 0
  for _ in io.lines(path) do
    count = count + 1
  end
  return count
end

describe("the example", function()
  for _, name in ipairs(names) do
    local path = "examples/" .. name .. ".lua"
    it(name .. " prints a table", function()
      local text, lines = output(path)
      assert.is_true(lines >= 8)
      assert.is_nil(text:find("nan", 1, true))
      assert.is_nil(text:find("false", 1, true))
      assert.is_true(line_count(path) < 80)
    end)
  end

  it("slider_crank agrees with its closed form", function()
    for x, exact in output("examples/slider_crank.lua"):gmatch("\n *[%d.]+ +([%d.]+) +([%d.]+) ") do
      assert.equal(exact, x)
    end
  end)

  it("double_pendulum meets the reference", function()
    assert.truthy(output("examples/double_pendulum.lua"):find("-1.04076578  -1.70734766", 1, true))
  end)

  it("coupler_curves finds Hoeken's proportion", function()
    assert.truthy(output("examples/coupler_curves.lua"):find("drawn with 2.50", 1, true))
  end)

  it("bushings, motor_arm and belt take steps as long as the motion allows", function()
    for _, name in ipairs { "bushings", "motor_arm", "belt" } do
      local pattern = "series: (%d+) steps; chosen: (%d+), of which %d+ are implicit; the same d"
      local short, taken = output("examples/" .. name .. ".lua"):match(pattern)
      assert.is_true(20 * taken < tonumber(short), name)
    end
  end)

  it("arm reaches its target", function()
    local last = output("examples/arm.lua"):match("[^\n]*$")
    assert.truthy(last:find("0.5000   0.6000   0.8000   1.0000", 1, true))
  end)
end)
