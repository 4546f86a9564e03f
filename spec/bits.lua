--- Twenty recordings of the examples, and a hash of all their digits: what must not depend on the
--- compiler, its options, the Lua or its collector.  `make bits` compares them.
local bits = {}

-- Example, and how long it is recorded, in s.
local recordings = {
  { "arm", 0.5 }, { "belt", 0.5 }, { "bouncing_ball", 2 }, { "bushings", 0.3 }, { "cam", 1 },
  { "cam_follower", 1 }, { "chain", 0.3 }, { "delta", 0.2 }, { "door", 1 },
  { "double_pendulum", 2 }, { "four_bar", 2 }, { "friction", 2 }, { "geneva", 0.5 },
  { "gripper", 0.5 }, { "gyroscope", 0.5 }, { "motor_arm", 0.5 }, { "rolling_disk", 0.5 },
  { "slider_crank", 1 }, { "stewart", 0.5 }, { "stick_slip", 1 },
}

-- Settings of collectors, by name; those that a Lua does not have do nothing there.
local collectors = {
  { "default", function() end },
  { "stopped", function() collectgarbage("stop") end },
  { "eager", function()
    collectgarbage("setpause", 100) -- the next cycle begins at once
    collectgarbage("setstepmul", 400)
  end },
  { "lazy", function() collectgarbage("setpause", 1000) end },
  { "generational", function() pcall(collectgarbage, "generational") end },
}

--- What an example returns, without what it prints.
---@param path string
function bits.run(path)
  local words, write = print, io.write
  rawset(_G, "print", function() end)
  io.write = function() return io.stdout end -- luacheck: ignore
  rawset(_G, "arg", { [0] = path })
  local good, subject = pcall(assert(loadfile(path)))
  rawset(_G, "print", words)
  io.write = write -- luacheck: ignore
  assert(good, subject)
  return subject
end

--- Two sums of bytes, of 32 bits each, in doubles.
local function hash_of(text)
  local a, b = 1, 7
  for i = 1, #text do
    local byte = text:byte(i)
    a, b = (a * 31 + byte) % 4294967296, (b * 1000003 + byte) % 4294967291
  end
  return ("%08x%08x"):format(a, b)
end

--- A recording of an example.
local function record(name, seconds)
  local subject = bits.run("examples/" .. name .. ".lua")
  local sim = getmetatable(subject).__name == "sarrus.model" and assert(subject:simulate {})
    or subject
  local recording = sim:record { every = seconds / 64 }
  assert(sim:advance(sim.time + seconds))
  return recording
end

--- The hash of a recording: times and channels, with all digits.
---@param name string of the example
---@param seconds number
---@return string
function bits.hash(name, seconds)
  local recording, words = record(name, seconds), {}
  for i, t in ipairs(recording.t) do
    words[#words + 1] = ("%.17g"):format(t)
    for _, channel in ipairs(recording.channels) do
      words[#words + 1] = ("%.17g"):format(recording[channel.label][i])
    end
  end
  return hash_of(table.concat(words, " "))
end

--- All of them, or the first `most`, with a setting of the collector: lines of name and hash.
---@param setting? string "default"
---@param most? integer
---@return string
function bits.all(setting, most)
  local lines = {}
  for _, collector in ipairs(collectors) do
    if collector[1] == (setting or "default") then
      collector[2]()
    end
  end
  for i = 1, most or #recordings do
    local name, seconds = recordings[i][1], recordings[i][2]
    lines[i] = ("%-16s %s\n"):format(name, bits.hash(name, seconds))
  end
  return table.concat(lines)
end

--- Write all numbers to a file: a line for each channel but those of rounding errors.
---@param path string
function bits.write(path)
  local file = assert(io.open(path, "wb"))
  for _, one in ipairs(recordings) do
    local recording = record(one[1], one[2])
    for _, channel in ipairs(recording.channels) do
      if not channel.label:find("^residual") then
        file:write(one[1], "\t", channel.label, "\t")
        for _, x in ipairs(recording[channel.label]) do
          file:write((" %.17g"):format(x))
        end
        file:write("\n")
      end
    end
  end
  file:close()
end

--- Example, channel, largest magnitude (at least 1) and numbers of a line.
local function parse(line)
  local name, label, rest = line:match("^(.-)\t(.-)\t(.*)$")
  local numbers, size = {}, 1
  for word in rest:gmatch("%S+") do
    numbers[#numbers + 1] = tonumber(word)
    size = math.max(size, math.abs(numbers[#numbers]))
  end
  return name, label, size, numbers
end

--- How far the numbers of two files are apart, relative to the largest of their channel (at least
--- 1): a line for each example.
---@param path string
---@param other string
---@return string
function bits.apart(path, other)
  local worst, lines, others = {}, {}, io.lines(other)
  for line in io.lines(path) do
    local name, label, size, numbers = parse(line)
    local _, _, _, found = parse(others())
    worst[name] = worst[name] or { 0, label }
    for i, x in ipairs(numbers) do
      local off = math.abs(x - found[i]) / size
      worst[name] = off > worst[name][1] and { off, label } or worst[name]
    end
  end
  for i, one in ipairs(recordings) do
    lines[i] = ("%-16s %.1e  %s\n"):format(one[1], worst[one[1]][1], worst[one[1]][2])
  end
  return table.concat(lines)
end

--- The names of the settings.
function bits.settings()
  local names = {}
  for i, collector in ipairs(collectors) do
    names[i] = collector[1]
  end
  return names
end

return bits
