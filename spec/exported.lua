--- Exported models, run by spec/host.c and under Lua, for the specs and random cases.
local quantities = require "sarrus.output.quantities"
local shell = dofile("spec/shell.lua")

local exported = {}

local version = (jit and "luajit" or _VERSION:gsub("%s", "")) -- luacheck: ignore
local folder = "build/spec/" .. version
local host = folder .. "/host"

local built = false

--- Build the program, in a folder of this Lua's, where files of models may stand too.
---@return string folder
function exported.open()
  if not built then
    shell.run("mkdir -p " .. folder .. " && cc -O2 -std=c11 -Wall -Wextra -Wpedantic -Werror "
      .. "-Icore/include -o " .. host .. " spec/host.c build/libsarrus.a -llapack -lm")
    built = true
  end
  return folder
end

--- All channels that are exported, in order.
local function channels_of(sim)
  local list = {}
  for _, source in ipairs(quantities.of(sim)) do
    for _, quantity in ipairs(source.quantities) do
      for _, component in ipairs(quantity.get and (quantity.components or { "" }) or {}) do
        list[#list + 1] = (source.name .. "." .. quantity.name .. "." .. component):gsub("%.$", "")
      end
    end
  end
  return list
end

--- The numbers that spec/host.c prints, found under Lua: a list for each sample.
local function rows_of(model, start, until_, samples)
  local sim = assert(model:simulate(start))
  local channels, rows = channels_of(sim), {}
  local recording = sim:record { every = until_ / samples, channels = channels }
  local from = sim.time
  for k = 0, samples do
    local result = sim:advance(from + until_ * k / samples)
    if not result then
      break
    end
    local s, row = sim:state(), { sim.time }
    for _, name in ipairs { "q", "v", "a", "lambda", "modes" } do
      for _, x in ipairs(s[name]) do
        row[#row + 1] = x
      end
    end
    rows[k + 1] = row
  end
  for k, row in ipairs(rows) do
    for _, label in ipairs(channels) do
      row[#row + 1] = recording[label][k]
    end
  end
  return rows
end

--- What the program prints for a model.
---@param how? string how it starts, see spec/host.c
---@return string
function exported.run(path, until_, samples, how)
  return shell.run(("%s %s %.17g %d %s"):format(host, shell.quote(path), until_, samples,
    how or ""))
end

--- The numbers of it, without the line that tells of a failure.
local function rows_in_c(path, until_, samples)
  local rows = {}
  for line in exported.run(path, until_, samples):gmatch("[^\n]+") do
    local row = {}
    for word in line:gmatch("%S+") do
      word = word:find("^%-?%d+$") and word .. ".0" or word -- "-0" is no whole number
      row[#row + 1] = tonumber(word) or word == "-nan" and 0 / 0 or nil
    end
    rows[#rows + 1] = tonumber(line:match("^%S+")) and row or nil
  end
  return rows
end

--- How many numbers differ, in any bit.
local function differing(a, b)
  local count = math.abs(#a - #b)
  for k, row in ipairs(a) do
    count = count + math.abs(#row - #(b[k] or {}))
    for i, x in ipairs(row) do
      local y = (b[k] or {})[i]
      local same = x == y and (x ~= 0 or 1 / x == 1 / y) or x ~= x and y ~= y
      count = count + (same and 0 or 1)
    end
  end
  return count
end

--- The channels of a model where C starts it with an angle and a rate of a joint.
---@return table<string, number>
function exported.start(model, joint, angle, rate)
  exported.open()
  local path = os.tmpname()
  assert(model:export(path))
  local line = exported.run(path, 1, 1, ("%s=%.17g,%.17g"):format(joint, angle, rate))
    :match("^[^\n]*")
  os.remove(path)
  local channels, words, values = channels_of(assert(model:simulate {})), {}, {}
  for word in line:gmatch("%S+") do
    words[#words + 1] = tonumber(word)
  end
  for i, label in ipairs(channels) do
    values[label] = words[#words - #channels + i]
  end
  return values
end

--- How many numbers of a model differ from those in C, of how many.
---@return integer differing
---@return integer all
function exported.compare(model, start, until_, samples)
  exported.open()
  local path = os.tmpname()
  assert(model:export(path, start))
  local rows, found = rows_of(model, start, until_, samples), rows_in_c(path, until_, samples)
  os.remove(path)
  return differing(rows, found), #rows * #rows[1]
end

return exported
