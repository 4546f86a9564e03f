-- The examples of machines that touch, stick and let go: short, without warnings, right.
local sarrus = require "sarrus"

--- What a script prints, and what it warns of.
local function run(name)
  local path, lines, heard, plain = ("examples/%s.lua"):format(name), {}, {}, print
  local count = 0
  for _ in io.lines(path) do
    count = count + 1
  end
  assert.is_true(count < 80, count)
  sarrus.on_warning = function(warning) heard[#heard + 1] = warning.message end
  rawset(_G, "print", function(...)
    lines[#lines + 1] = table.concat({ ... }, "\t")
  end)
  local good, subject = pcall(dofile, path)
  rawset(_G, "print", plain)
  sarrus.on_warning = nil
  assert(good, subject)
  assert.same({}, heard)
  assert.is_truthy(subject) -- what the command shows
  return table.concat(lines, "\n")
end

local function find(pattern, text)
  return (assert(text:match(pattern), "no " .. pattern .. " in\n" .. text))
end

describe("the example", function()
  it("cam_follower lifts off where the cam falls faster than the follower", function()
    local text = run "cam_follower"
    assert.equal("9.810000000", find("falls away with ([%d.]+)", text))
    assert.equal("open", find("4.00 .- (%a+)\n", text))
  end)

  it("geneva turns by a quarter for every turn", function()
    local text = run "geneva"
    for turn = 1, 4 do
      local angle = tonumber(find("turn " .. turn .. "  the wheel is at +(%-[%d.]+)", text))
      assert.near(-90 * turn, angle, 0.2)
    end
    assert.equal(find("without play: ([%d.]+)", text), find("turns with ([%d.]+)", text))
    assert.is_nil(text:find("false", 1, true))
  end)

  it("gripper holds as long as friction can", function()
    local text = run "gripper"
    assert.equal(find("until t = ([%d.]+)", text), find("t = ([%d.]+) s  the box slips", text))
    assert.truthy(text:find("5.50   0.600000     40.0000     19.6200 N  stick", 1, true))
    assert.truthy(text:find("is on the floor", 1, true))
  end)

  it("door stays ajar until the draught is strong enough", function()
    local text = run "door"
    assert.equal(find("weight gave ([%d.]+) J", text), find("friction took ([%d.]+) J", text))
    assert.equal("6.995161", find("from t = ([%d.]+) s on", text))
    assert.equal("true", find("\n 6.00 .- (%a+)\n", text))
    assert.equal("false", find("\n 7.00 .- (%a+)\n", text))
  end)

  it("trebuchet throws", function()
    local text = run "trebuchet"
    local lifts, flies, bounces = find("([%d.]+) s  it lifts off", text),
      find("([%d.]+) s  it flies", text), find("([%d.]+) s  it bounces", text)
    assert.is_true(tonumber(lifts) < tonumber(flies) and tonumber(flies) < tonumber(bounces))
    -- From there it falls freely.
    local x, y, speed = text:match("it flies +at x = +([%d.-]+) m, y = +([%d.]+) m, with +([%d.]+)")
    local far = tonumber(find("it bounces +at x = +([%d.]+)", text))
    local t = tonumber(bounces) - tonumber(flies)
    local vx, vy = (far - x) / t, (0.12 - y) / t + 9.81 * t / 2
    assert.near(tonumber(speed), math.sqrt(vx ^ 2 + vy ^ 2), 2e-3)
  end)

  it("delta follows its path, with its loops closed", function()
    local text = run "delta"
    assert.equal("3", find("freedoms (%d)", text))
    assert.is_nil(text:find("false", 1, true))
    local count = 0
    for off in text:gmatch("(%-?[%d.]+) +true") do
      count = count + 1
      assert.is_true(math.abs(tonumber(off)) < 2)
    end
    assert.equal(6, count)
  end)
end)
