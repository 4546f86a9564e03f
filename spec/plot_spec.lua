--- Plots: axes, curves, pictures.

local axis = require "sarrus.output.axis"
local curve = require "sarrus.output.curve"
local sarrus = require "sarrus"
local svg = require "sarrus.output.svg"
local read = dofile("spec/shell.lua").read

local MINUS = "\226\136\146"

--- The texts of an axis in a row, minor ticks as points.
local function texts(one)
  local words = {}
  for i, tick in ipairs(one.ticks) do
    words[i] = tick.text or "."
  end
  return (table.concat(words, " "):gsub(MINUS, "-"))
end

local function linear(low, high, count)
  return axis.new({ { low, high } }, { count = count or 6 })
end

local function logarithmic(low, high, count)
  return axis.new({ { low, high } }, { count = count or 8, log = true })
end

describe("axes", function()
  it("have ticks at 1, 2 or 5 times powers of ten", function()
    assert.are.equal("0 2 4 6 8 10", texts(linear(0, 10)))
    assert.are.equal("0 1 2 3 4 5 6 7 8 9 10", texts(linear(0, 10, 10)))
    assert.are.equal("0.0 0.2 0.4 0.6 0.8 1.0", texts(linear(0, 1)))
    assert.are.equal("-1.0 -0.5 0.0 0.5 1.0", texts(linear(-1, 1)))
    assert.are.equal("-0.15 -0.10 -0.05 0.00 0.05", texts(linear(-0.16, 0.07)))
    assert.are.equal("0 50 100 150 200 250", texts(linear(0, 270)))
    assert.are.equal("1000.00000 1000.00002 1000.00004 1000.00006 1000.00008 1000.00010",
      texts(linear(1000, 1000.00011)))
    for _, tick in ipairs(linear(0, 0.7).ticks) do
      assert.are.near(tonumber(tick.text), tick.at, 1e-15)
    end
  end)

  it("tell large and small numbers by a factor", function()
    local large, small = linear(0, 2.5e8), linear(-3e-7, 3e-7)
    assert.are.equal("0 50 100 150 200 250", texts(large))
    assert.are.equal(6, large.power)
    assert.are.equal("pressure [10^{6} Pa]", axis.title("pressure", "Pa", large.power))
    assert.are.equal("-300 -200 -100 0 100 200 300", texts(small))
    assert.are.equal(-9, small.power)
    assert.are.equal("q [10^{" .. MINUS .. "9}]", axis.title("q", "", small.power))
    assert.are.equal(0, linear(0, 99999).power)
    assert.are.equal("0 20000 40000 60000 80000", texts(linear(0, 99999)))
    assert.are.equal("0.00 0.02 0.04 0.06 0.08 0.10", texts(linear(0, 0.1)))
    assert.are.equal("0.0 0.5 1.0 1.5 2.0", texts(linear(0, 2e300)))
  end)

  it("have titles with units", function()
    assert.are.equal("J1.angle [rad]", axis.title("J1.angle", "rad", 0))
    assert.are.equal("q.x", axis.title("q.x", "", 0))
    assert.are.equal("[N m]", axis.title("", "N m", 0))
  end)

  it("have decades, and minor ticks where there is room", function()
    assert.are.equal("10^{-3} . . . . . . . . 10^{-2} . . . . . . . . 10^{-1}",
      texts(logarithmic(1e-3, 1e-1)))
    assert.are.equal("10^{-1} . . . . . . . . 1 . . . . . . . . 10", texts(logarithmic(0.3, 4)))
    assert.are.equal("10^{-16} . 10^{-14} . 10^{-12} . 10^{-10} . 10^{-8}",
      texts(logarithmic(2e-16, 7e-9, 7)))
    assert.are.equal("10^{2} . . . . . . . . 10^{3}", texts(logarithmic(200, 200)))
    local wide = logarithmic(1e-300, 1e300)
    assert.are.equal("10^{-300}", (wide.ticks[1].text:gsub(MINUS, "-")))
    assert.is_true(#wide.ticks < 700)
  end)

  it("put values in their place", function()
    local one = linear(10, 20)
    assert.are.equal(0.25, one.place(12.5))
    assert.is_nil(one.place(0 / 0))
    assert.is_nil(one.place(1 / 0))
    local log = logarithmic(1e-4, 1)
    assert.are.near(0.5, log.place(1e-2), 1e-15)
    assert.is_nil(log.place(0))
    assert.is_nil(log.place(-1))
    assert.is_nil(log.place(0 / 0))
  end)

  it("have room around one and the same value", function()
    assert.are.equal("-1.0 -0.5 0.0 0.5 1.0", texts(linear(0, 0)))
    assert.are.equal("27 28 29 30 31 32", texts(linear(29.43, 29.43 + 1e-11)))
    local none = axis.new({ { 0 / 0, 1 / 0 }, {} }, { count = 4 })
    assert.are.equal("-1.0 -0.5 0.0 0.5 1.0", texts(none))
    local nothing = axis.new({ { -1, 0 } }, { count = 4, log = true })
    assert.are.equal("1 . . . . . . . . 10", texts(nothing))
  end)

  it("can be equally long per metre", function()
    local x, y = axis.equal(linear(0, 1), linear(5, 7), 200, 200, { x = 5, y = 5 })
    assert.are.same({ -0.5, 1.5, 5, 7 }, { x.low, x.high, y.low, y.high })
    x, y = axis.equal(linear(0, 1), linear(5, 7), 400, 100, { x = 5, y = 5 })
    assert.are.same({ -3.5, 4.5, 5, 7 }, { x.low, x.high, y.low, y.high })
  end)
end)

--- The points of a path's data.
local function points(data)
  local list = {}
  for command, x, y in data:gmatch("([ML])([%d.-]+) ([%d.-]+)") do
    list[#list + 1] = { command, tonumber(x), tonumber(y) }
  end
  return list
end

describe("curves", function()
  it("keep every extreme of long data", function()
    local x, y, n = {}, {}, 200000
    for i = 1, n do
      x[i], y[i] = 600 * i / n, 100 + 30 * math.sin(i / 7000) + (i % 2) * 5
    end
    y[123457], y[70001] = 1, 299
    local list = points((curve.data(x, y)))
    local low, high = math.huge, -math.huge
    for _, p in ipairs(list) do
      low, high = math.min(low, p[3]), math.max(high, p[3])
    end
    assert.are.same({ 1, 299 }, { low, high })
    assert.is_true(#list <= 4 * 1201, #list)
    assert.are.same({ "M", 0, 105 }, list[1])
    assert.are.equal(600, list[#list][2])
    for i = 2, #list do
      assert.is_true(list[i][2] >= list[i - 1][2])
    end
  end)

  it("leave short data as it is", function()
    local list = points((curve.data({ 0, 10, 20, 30 }, { 5, 6.125, 7.006, 8 })))
    assert.are.same({ { "M", 0, 5 }, { "L", 10, 6.13 }, { "L", 20, 7.01 }, { "L", 30, 8 } }, list)
  end)

  it("have gaps, and rings for points by themselves", function()
    assert.are.equal("M0 0L1 1M3 3L4 4M6.5 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0",
      (curve.data({ 0, 1, 2, 3, 4, 5, 8 }, { 0, 1, false, 3, 4, false, 8 })))
    assert.are.equal("", (curve.data({ 1, 2 }, { false, false })))
    assert.are.equal("", (curve.data({}, {})))
  end)

  it("may go back and forth", function()
    local x, y = {}, {}
    for i = 0, 1000 do
      x[i + 1], y[i + 1] = 100 * math.cos(i / 10), 100 * math.sin(i / 10)
    end
    local data, climb = curve.data(x, y)
    assert.are.equal(1001, #points(data))
    assert.is_nil(climb)
  end)
end)

describe("pieces of SVG", function()
  it("are numbers in no locale", function()
    assert.are.equal("-12.50", svg.fixed(-1250, 2))
    assert.are.equal("0.05", svg.fixed(5, 2))
    assert.are.equal("-0.05", svg.fixed(-5, 2))
    assert.are.equal("7", svg.fixed(7, 0))
    assert.are.equal("12.5", svg.length(12.5))
    assert.are.equal("100", svg.length(100))
    assert.are.equal("0", svg.length(-0.001))
    assert.are.equal("-0.01", svg.length(-0.01))
  end)

  it("are words that cannot be taken for elements", function()
    assert.are.equal("a &#38; b &#60;c&#62; &#34;d&#34;", svg.words('a & b <c> "d"'))
    assert.are.equal('10<tspan dy="-4" font-size="8">6</tspan><tspan dx="4" dy="4">Pa</tspan>',
      svg.words("10^{6} Pa"))
    assert.is_true(svg.width("10^{6}", 10) < svg.width("106", 10))
    assert.is_true(svg.width("iiii", 10) < svg.width("mmmm", 10))
  end)
end)

-- Pictures ---------------------------------------------------------------------------------------

--- What is wrong with the nesting of elements; nil if nothing is.
local function misnested(text)
  local open = {}
  for close, name, empty in text:gmatch("<(/?)([%a]+)[^<>]-(/?)>") do
    if close == "/" then
      if table.remove(open) ~= name then
        return "</" .. name .. ">"
      end
    elseif empty == "" then
      open[#open + 1] = name
    end
  end
  return open[1]
end

local function recording(channels, until_time, every)
  local system = sarrus.system {
    name = "oscillator", coordinates = { "x", "y" },
    lagrangian = function(q, v)
      return (v.x ^ 2 + v.y ^ 2 - q.x ^ 2 - q.y ^ 2) / 2
    end,
  }
  local sim = assert(system:simulate { q = { 1, 0 }, v = { 0, 2 } })
  local result = sim:record { every = every or 0.05, channels = channels }
  assert(sim:advance(until_time or 6))
  return result
end

local function picture(of, options)
  local path = os.tmpname()
  assert.is_true(of:plot(path, options))
  local text = read(path)
  os.remove(path)
  assert.is_nil(misnested(text))
  return text
end

--- All texts of a picture, without raised parts and the like.
local function words_of(text)
  local list = {}
  for inside in text:gmatch("<text[^>]*>(.-)</text>") do
    list[#list + 1] = inside:gsub("<[^>]*>", ""):gsub(MINUS, "-")
  end
  return list
end

local function has(list, word)
  for _, one in ipairs(list) do
    if one == word then
      return true
    end
  end
  return false
end

describe("plots", function()
  local mixed = {
    "q.x", "q.y", { "power", function(s) return s.v.x end, unit = "W" },
    { "gap", function(s) return s.t > 2 and s.t < 3 and 0 / 0 or 1e-9 + s.t end, unit = "W" },
  }

  it("show channels of one unit together, with a legend above them", function()
    local text = picture(recording(mixed))
    local words = words_of(text)
    for _, word in ipairs { "q.x", "q.y", "power", "gap", "q", "[W]", "t [s]", "6" } do
      assert.is_true(has(words, word), word)
    end
    local boxes = {}
    for y, height in text:gmatch('class="axis"[^>]-d="M[%d.]+ ([%d.]+)v([%d.]+)h') do
      boxes[#boxes + 1] = { tonumber(y), tonumber(height) }
    end
    assert.are.equal(2, #boxes)
    for y in text:gmatch('<text x="[%d.]+" y="([%d.]+)" class="ink" fill="#222">') do -- legends
      y = tonumber(y)
      for _, box in ipairs(boxes) do
        assert.is_false(y > box[1] and y < box[1] + box[2])
      end
    end
    local pieces = {} -- of the second curve of each panel: q.y has no gap, `gap` has one
    for data in text:gmatch('class="c2" d="(M[^"]+L[^"]+)"') do
      pieces[#pieces + 1] = select(2, data:gsub("M", ""))
    end
    assert.are.same({ 1, 2 }, pieces)
  end)

  it("say what a single channel is beside its axis", function()
    local words = words_of(picture(recording(), { "q.x", title = "Motion & more",
      labels = { ["q.x"] = "deflection", t = "time" } }))
    for _, word in ipairs { "deflection", "time [s]", "Motion &#38; more" } do
      assert.is_true(has(words, word), word)
    end
    assert.is_false(has(words, "q.x"))
  end)

  it("are legible in the light and in the dark, and as a file of their own", function()
    local text = picture(recording())
    assert.is_truthy(text:find('^<svg xmlns="http://www.w3.org/2000/svg" width="640" height="'))
    assert.is_truthy(text:find("@media (prefers-color-scheme:dark){.paper{fill:#15171c}", 1, true))
    assert.is_truthy(text:find('class="c1" d="M[^"]*" stroke="#0072b2"'))
    assert.is_truthy(text:find('class="c2" d="M[^"]*" stroke="#d55e00" stroke%-dasharray="7 3"'))
    assert.is_truthy(text:find("<title>oscillator</title>", 1, true))
    assert.is_nil(text:find("href", 1, true))
  end)

  it("are of the size that is asked for", function()
    for _, options in ipairs { {}, { title = "x" }, { "q.x" } } do
      options.width, options.height = 500, 350
      local text = picture(recording(mixed), options)
      assert.is_truthy(text:find('width="500" height="350" viewBox="0 0 500 350"', 1, true))
    end
  end)

  it("have logarithmic axes, on which only positive values are", function()
    local of = recording { { "e", function(s) return 10 ^ -(2 * s.t) - 1e-6 end } }
    local text = picture(of, { log = true })
    assert.is_true(has(words_of(text), "10-4"))
    local data = text:match('class="c1" d="([^"]+)"')
    local last = points(data)[#points(data)]
    assert.is_true(last[2] < 640 * 0.6) -- from t = 3 on there is nothing
    assert.is_true(has(words_of(picture(of, { log = "xy", x = "e" })), "10-2"))
    assert.is_true(has(words_of(picture(of, { log = false })), "0.0"))
  end)

  it("show errors on a logarithmic axis by themselves", function()
    local model = sarrus.model {
      name = "rod", gravity = { 0, -9.81 },
      sarrus.body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
      sarrus.joint.revolute { "J1", "ground", "rod", at = { 0, 0 } },
    }
    local sim = assert(model:simulate { joints = { J1 = { angle = 0.5 } } })
    local of = sim:record { every = 0.01 }
    assert(sim:advance(3))
    local words = words_of(picture(of))
    assert.is_true(has(words, "10-16"))
    for _, word in ipairs { "J1.angle [rad]", "energy.total [J]", "residual.position" } do
      assert.is_true(has(words, word), word)
    end
  end)

  it("show paths with circles round", function()
    local meters = {
      { "x", function(s) return math.cos(s.t) end, unit = "m" },
      { "y", function(s) return math.sin(s.t) end, unit = "m" },
    }
    local text = picture(recording(meters, 6.3, 0.01), { "y", x = "x", width = 600, height = 300 })
    local low, high, left, right = math.huge, -math.huge, math.huge, -math.huge
    for _, p in ipairs(points(text:match('class="c1" d="([^"]+)"'))) do
      left, right = math.min(left, p[2]), math.max(right, p[2])
      low, high = math.min(low, p[3]), math.max(high, p[3])
    end
    assert.are.near(right - left, high - low, 0.05)
    assert.is_true(high - low > 150)
  end)

  it("are the same from run to run", function()
    assert.are.equal(picture(recording(mixed)), picture(recording(mixed)))
  end)

  it("say all that is wrong with what is asked for", function()
    local of = recording()
    local good, message = pcall(of.plot, of, "x.svg", { "q.x", "q.z", x = "tt", titel = "x",
      log = "z", width = 0, height = 1 / 0, labels = { ["q.q"] = "a", t = 3 } })
    assert.is_false(good)
    local lines = {}
    for line in message:gmatch("[^\n]+") do
      lines[#lines + 1] = line:gsub('^.-system "oscillator": plot: ', "")
    end
    table.sort(lines)
    assert.are.same({
      [[channels[2]: the recording has no channel "q.z" (did you mean 'q.x'?)]],
      "height: inf is not finite",
      [[labels: the recording has no channel "q.q" (did you mean 'q.x'?)]],
      [[labels["t"]: got number 3, want string]],
      [[log: got string "z", want true, false, "x", "y" or "xy"]],
      "unknown field 'titel' (did you mean 'title'?)",
      "width: 0 is not from 100 to 10000",
      [[x: the recording has no channel "tt"]],
    }, lines)
    for _, case in ipairs {
      { function() return of:plot("x.svg", 3) end,
        'system "oscillator": plot: got number 3, want a table of channels and options' },
      { function() return of:plot() end, "recording:plot: got nil, want a path" },
      { function() return of.plot("x.svg") end,
        'plot: called on "x.svg"; use recording:plot(…)' },
      { function() return of.sim:record({ every = 1 }):plot("x.svg") end,
        'system "oscillator": plot: nothing has been recorded yet: advance the simulation first' },
    } do
      good, message = pcall(case[1])
      assert.is_false(good)
      assert.are.equal(case[2], (message:gsub("^.-:%d+: ", "")))
    end
  end)

  it("86, 87: are written whole or not at all", function()
    local of = recording()
    assert.are.same({ nil, "recording:plot: /nowhere/x.svg: No such file or directory", "IO" },
      { of:plot("/nowhere/x.svg") })
    assert.are.same({ nil, "recording:plot: /tmp: Is a directory", "IO" }, { of:plot("/tmp") })
    assert.are.same({ nil, "recording:plot: /dev/full: No space left on device (after 0 bytes)",
      "IO" }, { of:plot("/dev/full") })
  end)
end)
