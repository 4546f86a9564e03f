--- Attempts of a hostile script to read files, to write them, or to bring the process down, by all
--- that a host gives it: sarrus after `sarrus.sandbox { files = false }`, and the libraries of Lua
--- that reach no files.  `lua spec/hostile.lua SECRET FOLDER [SECONDS]` prints a line for each: its
--- name and what came of it.  The secret is a file whose text must not be seen, the folder stays
--- empty.
local secret, folder = arg[1], arg[2]
local sarrus = require "sarrus"
assert(sarrus.sandbox { files = false })

local body, joint, shape = sarrus.body, sarrus.joint, sarrus.shape
local attempts = {}

local function try(name, f)
  attempts[#attempts + 1] = { name, f }
end

-- What it plays with -----------------------------------------------------------------------------

local function rods(n)
  local parts = { name = "rods", gravity = { 0, -9.81 } }
  for i = 1, n do
    parts[#parts + 1] = body.rod { "r" .. i, from = { i - 1, 0 }, to = { i, 0 }, mass = 1 }
    parts[#parts + 1] = joint.revolute { "J" .. i, i == 1 and "ground" or "r" .. i - 1, "r" .. i,
      at = { i - 1, 0 }, torque = sarrus.parameter("tau" .. i, 0) }
  end
  return parts
end

local model = sarrus.model(rods(2))
local sim = assert(model:simulate {})
local recording = sim:record { every = 0.1 }
assert(sim:advance(0.5))

-- Writing ----------------------------------------------------------------------------------------

local paths = { folder .. "/x", "../x", "/dev/stdout", "x\0y", "", "|touch " .. folder .. "/x" }
for _, method in ipairs { "csv", "jsonl", "html", "gltf" } do
  for i, path in ipairs(paths) do
    try(method .. " " .. i, function() return recording[method](recording, path) end)
  end
end
for i, path in ipairs(paths) do
  try("plot " .. i, function() return recording:plot(path, { "J1.angle" }) end)
  try("checkpoint " .. i, function() return sarrus.checkpoint(path, "text") end)
  try("record " .. i, function() return sim:record { every = 1, csv = path, jsonl = path } end)
end
for i, name in ipairs { "sarrus.sweep.journal", "sarrus.sweep.parts", "sarrus.command" } do
  try("module " .. i, function() return require(name).open(folder .. "/x", "x") end)
end
try("files again", function() return sarrus.sandbox { files = true } end)
try("a sandbox without a word", function() return sarrus.sandbox {} end)
try("rows of a sheet of its own", function()
  return recording.own.recorder:stream(recording.own.recorder)
end)

-- Reading ----------------------------------------------------------------------------------------

for i, path in ipairs { secret, secret .. ".urdf", secret .. ".xml", "/proc/self/maps", "." } do
  try("import " .. i, function() return sarrus.import(path) end)
  try("mesh " .. i, function()
    return sarrus.model { body.sphere { "s", position = { 0, 0, 0 }, radius = 1, mass = 1 },
      shape.mesh { "m", "s", file = path } }
  end)
end
try("mesh .stl", function()
  return sarrus.model { body.sphere { "s", position = { 0, 0, 0 }, radius = 1, mass = 1 },
    shape.mesh { "m", "s", file = secret .. ".stl" } }
end)

-- Objects behind the objects ---------------------------------------------------------------------

local function victims()
  local m = sarrus.model(rods(2))
  local s = assert(m:simulate {})
  local r = s:record { every = 0.1 }
  assert(s:advance(0.2))
  local reader = s:reader { "J1.angle" }
  reader:read()
  s:state():energy()
  return m, s, r, reader
end

--- Arguments that no caller of good will gives.
local function bad_arguments(m, s)
  return { {}, { 0 }, { -1 }, { 1e300 }, { 0 / 0 }, { {} }, { {}, {}, {}, {}, {}, {} }, { "x" },
    { s.core }, { m.system.compiled, s.core, m }, { 2 ^ 31, 2 ^ 31 }, { { 2 ^ 30 }, { 1 } },
    { function() error("no") end }, { 1, { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 }, { 7 } },
    { setmetatable({}, { __index = function() return 1e9 end }) } }
end

local methods = {
  sim = "start guess advance step feed mark at state struck time span residual stats notes "
    .. "dependent null singular reached get preset set impulse release release_force lock locked "
    .. "save close slopes directions",
  recorder = "next set due take read stream failure count copy column row close",
  compiled = "print print_expr expand",
}

for object, names in pairs(methods) do
  for name in names:gmatch("%S+") do
    try(object .. ":" .. name, function()
      local count = 0
      local unpack = table.unpack or unpack -- luacheck: ignore
      for i = 1, 15 do
        local m, s, r = victims()
        local target = object == "sim" and s.core or object == "recorder" and r.own.recorder
          or m.system.compiled
        local f = target[name]
        if f then
          pcall(f, target, unpack(bad_arguments(m, s)[i]))
          pcall(f, unpack(bad_arguments(m, s)[i]))
          pcall(s.advance, s, 0.3)
          pcall(s.state, s)
          count = count + 1
        end
      end
      return count
    end)
  end
end

for _, field in ipairs { "__gc", "__index", "__close", "__tostring" } do
  try("the metatable's " .. field, function()
    local m, s, r = victims()
    for _, target in ipairs { s.core, m.system.compiled, r.own.recorder } do
      pcall(function() getmetatable(target)[field](target) end)
      pcall(function() setmetatable(target, {}) end)
    end
    return s:advance(0.3)
  end)
end

-- Callbacks --------------------------------------------------------------------------------------

local function with_action(action)
  local m = sarrus.model(rods(2))
  local s
  s = assert(m:simulate { controllers = { sarrus.controller { period = 0.1, action = action } } })
  local result, message = s:advance(1)
  pcall(s.advance, s, 2)
  return result, message
end

local evil = setmetatable({}, { __tostring = function() error("again") end,
  __index = function() error("index") end, __len = function() return 2 ^ 40 end,
  __call = function() error("call") end, __eq = function() error("eq") end })

for name, action in pairs {
  close = function(s) s:close() end, advance = function(s) s:advance(9) end,
  step = function(s) s:step() end, yield = function() coroutine.yield() end,
  raise = function() error(evil) end, nothing = function() error() end,
  forget = function(s) s.core = nil end, swap = function(s) s.system = model end,
  record = function(s) s:record { every = 0.1 } end, core = function(s) s.core:close() end,
  inside = function(s) s.core:advance(5) end,
  restart = function(s) s.core:start(0, { 1 }, { 2 }) end,
  recurse = function(s, state) local function f() return 1 + f() end return f(s, state) end,
  collect = function(_, state) for k in pairs(state) do state[k] = nil end collectgarbage() end,
  cut = function(_, state) state.q[1], state.lambda = nil, nil end,
} do
  try("a controller: " .. name, function() return with_action(action) end)
end

-- Values that are not what they seem -------------------------------------------------------------

for name, value in pairs {
  evil = evil, long = ("x"):rep(2 ^ 20), nan = 0 / 0, huge = 1e308, minus = -1, text = "\0\255",
  ["function"] = print, thread = coroutine.create(print), core = sim.core, expression = sarrus.time,
} do
  try("a mass: " .. name, function()
    return sarrus.model { body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = value } }
  end)
  try("a name: " .. name, function()
    return sarrus.model { body.rod { value, from = { 0, 0 }, to = { 1, 0 }, mass = 1 } }
  end)
  try("parts: " .. name, function() return sarrus.model { value, { value }, name = value } end)
  try("a time: " .. name, function() return sim:clone():advance(value, { seconds = 0.01 }) end)
  try("a record: " .. name, function() return model:restore(value) end)
  try("a system: " .. name, function()
    return sarrus.system { coordinates = { "x" }, mass = function() return { { value } } end }
      :simulate { q = { 0 } }
  end)
end

-- Size -------------------------------------------------------------------------------------------

try("a deep expression", function()
  local e = sarrus.parameter("p", 1)
  for _ = 1, 100000 do
    e = sarrus.sin(e) + 1
  end
  return pcall(tostring, e), sarrus.system { coordinates = { "x" },
    mass = function() return { { e } } end }:simulate { q = { 0 } }
end)
try("a wide expression", function()
  return sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end,
    force = function(q)
      local e = 0
      for i = 1, 20000 do
        e = e + sarrus.sin(i * q.x)
      end
      return { e }
    end }:simulate { q = { 0 } }
end)
try("parts nested deeply", function()
  local parts = { body.rod { "r", from = { 0, 0 }, to = { 1, 0 }, mass = 1 } }
  for _ = 1, 200000 do
    parts = { parts }
  end
  return sarrus.model(parts)
end)
try("parts that contain themselves", function()
  local parts = {}
  parts[1] = parts
  return sarrus.model(parts)
end)
try("a series of a great order", function() return sarrus.series.variable(2 ^ 31) end)
try("an order beyond reason", function() return model:simulate { order = 2 ^ 40 } end)
try("rows beyond reason", function()
  local s = assert(model:simulate {})
  s:record { every = 1e-300 }
  return s:advance(1, { seconds = 0.01 })
end)
try("a saved state, bent", function()
  local record = sim:save()
  local worst
  for i = 1, #record, 97 do
    worst = model:restore(record:sub(1, i - 1) .. "\255" .. record:sub(i + 1)) or worst
  end
  return worst
end)

-- All of them ------------------------------------------------------------------------------------

local function text(value)
  local good, shown = pcall(tostring, value)
  return (good and shown or "?"):gsub("%c", " "):sub(1, 200)
end

--- The host's watchdog; what it raises is caught by the script, and raised again.
local function watch(seconds)
  local over = os.clock() + seconds
  debug.sethook(function()
    if os.clock() > over then
      over = os.clock() + seconds
      error("too long")
    end
  end, "", 1000)
end

local patience = tonumber(arg[3]) or 0.1 -- seconds for each

local function run(name, f)
  watch(patience)
  local results = { pcall(f) }
  debug.sethook()
  collectgarbage()
  io.write(name, ": ", text(results[1]), " ", text(results[2]), " ", text(results[3]), "\n")
  io.flush()
end

for _, attempt in ipairs(attempts) do
  run(attempt[1], attempt[2])
end
assert(sim:advance(1)) -- after all this
io.write(("alive after %d attempts\n"):format(#attempts))
