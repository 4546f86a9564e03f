-- The examples of contact run, are short, warn of nothing, and print what is known.
local sarrus = require "sarrus"
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

local function output(name)
  local file = ("examples/%s.lua"):format(name)
  local lines = 0
  for _ in io.lines(file) do
    lines = lines + 1
  end
  assert.is_true(lines < 80)
  return shell.run('eval "$(.ci/env)"; ' .. interpreter .. " " .. file)
end

describe("the example", function()
  it("tumbling_box comes to rest on two corners", function()
    assert.truthy(output("tumbling_box"):find("on 2 corners, which carry 19.6200 N: stick", 1,
      true))
  end)

  it("newtons_cradle lets one ball out for one that comes in", function()
    local text = output("newtons_cradle")
    assert.truthy(text:find("t = 1.00 s   0.0000  0.0000  0.0000  0.0000  0.4989", 1, true))
    assert.truthy(text:find("t = 2.00 s  -0.4957  0.0000  0.0000  0.0000  0.0000", 1, true))
  end)

  it("stick_slip slips where the spring has the strength", function()
    local text = output("stick_slip")
    assert.equal(text:match("expected at t = ([%d.]+)"), text:match("t = +([%d.]+) s +slips"))
    local _, sticks = text:gsub("sticks", "")
    assert.is_true(sticks >= 2)
  end)

  it("rolling_ball rolls from the moment of the closed form", function()
    local text = output("rolling_ball")
    assert.equal(text:match("closed form: +([%d.]+)"), text:match("rolls from t = ([%d.]+)"))
    assert.truthy(text:find("at 2.857142857143 m/s", 1, true))
  end)

  it("walker walks, ever more evenly", function()
    local text, last = output("walker"), nil
    for speed in text:gmatch("s: ([%d.]+) rad/s") do
      last = tonumber(speed)
    end
    assert.near(tonumber(text:match("for ever: +([%d.]+)")), last, 0.01)
  end)

  for _, name in ipairs { "tumbling_box", "newtons_cradle", "stick_slip", "rolling_ball",
    "walker" } do
    it(name .. " warns of nothing", function()
      local heard, plain = {}, print
      sarrus.on_warning = function(warning) heard[#heard + 1] = warning.message end
      rawset(_G, "print", function() end)
      local good, message = pcall(dofile, ("examples/%s.lua"):format(name))
      rawset(_G, "print", plain)
      sarrus.on_warning = nil
      assert(good, message)
      assert.same({}, heard)
    end)
  end
end)
