--- Progress of long runs: what is shown, when, and where.
local progress = require "sarrus.command.progress"
local shell = dofile("spec/shell.lua")

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore

--- Progress to t = 10 s on a clock that starts at 100; what it wrote.
local function shown(columns)
  local texts = {}
  return progress.new(0, 10, columns, function(text)
    texts[#texts + 1] = text
  end, 100), texts
end

describe("progress", function()
  it("names durations", function()
    local names = {}
    for i, seconds in ipairs { 0.2, 119.4, 119.6, 3599, 7199, 7205 } do
      names[i] = progress.duration(seconds)
    end
    assert.are.same({ "0 s", "119 s", "2 min", "59 min", "119 min", "2 h" }, names)
  end)

  it("draws a bar with time, speed, steps and estimate", function()
    local bar = shown(76)
    assert.are.equal("[======     ]   50 %  t = 5.00 of 10 s  2 s left  2.5 x real time  77 steps",
      bar:line(5, 77, 102))
    assert.are.equal("[            ]    0 %  t = 0.00 of 10 s  just begun  0 x real time  0 steps",
      bar:line(0, 0, 102))
    assert.are.equal("[============]  100 %  t = 10.00 of 10 s  0 s left  5 x real time  99 steps",
      bar:line(10, 99, 102))
  end)

  it("stays within the terminal", function()
    for columns = 1, 120 do
      assert.is_true(#shown(columns):line(5, 77, 102) < columns)
    end
    assert.are.equal("[=====    ]   50 %  t = 5.00 of 10 s  2 s left", shown(47):line(5, 77, 102))
    assert.truthy(shown(100):line(5, 77, 102, 70):find("  77 steps  70 of them implicit$"))
    assert.are.equal("[====   ]   50 %", shown(17):line(5, 77, 102))
    assert.are.equal("[==  ]", shown(7):line(5, 77, 102))
  end)

  it("draws a bar only on long work, not too often, and takes it away", function()
    local bar, texts = shown(80)
    bar:show(1, 10, 100.2)
    bar:finish()
    assert.are.same({}, texts)
    bar:show(2, 20, 100.4)
    bar:show(3, 30, 100.45)
    assert.are.equal(1, #texts)
    bar:show(4, 40, 100.6)
    bar:finish()
    assert.are.same({ "\r" .. (" "):rep(#bar:line(4, 40, 100.6)), "\r" }, { texts[3], texts[4] })
  end)

  it("prints lines ever more rarely where there is no terminal", function()
    local lines, texts = shown()
    for k = 1, 600 do
      lines:show(k / 60, 10 * k, 100 + k)
    end
    assert.are.equal("sarrus: 0 %, t = 0.08 of 10 s, 9 min left, 0.0167 x real time, "
      .. "50 steps\n", texts[1])
    -- at 5, 15, 35, 75 s, then every minute
    assert.are.equal(4 + math.floor((600 - 75) / 60), #texts)
    lines:finish()
    assert.are.equal(12, #texts)
  end)

  it("goes backwards too", function()
    local back = progress.new(10, 0, 76, print, 100)
    assert.are.equal("[===         ]   25 %  t = 7.50 of 0 s  6 s left  1.25 x real time  5 steps",
      back:line(7.5, 5, 102))
  end)

  it("is on the terminal of the command, if its errors go to one, and not with --quiet", function()
    local function on_terminal(options)
      return shell.run(('eval "$(.ci/env)"; script -qec "%s lua/bin/sarrus run '
        .. 'examples/four_bar.lua --until 5000 %s >/dev/null" /dev/null </dev/null')
        :format(interpreter, options))
    end
    if not pcall(shell.run, "script -qec true /dev/null </dev/null") then
      return pending("no pseudo-terminal can be made here")
    end
    assert.is_truthy(on_terminal(""):find(
      "\r%[=* *%]  [ %d]+ %%  t = [%d.]+ of 5000 s  %d+ s left  [%d.]+ x real time  %d+ steps *\r"))
    assert.are.equal("", on_terminal("--quiet"))
  end)
end)
