--- Recordings in files: CSV and JSON Lines, streamed or written afterwards, whole or not at all.

local sarrus = require "sarrus"
local shell = require "spec.shell"

local interpreter = rawget(_G, "jit") and "luajit" or "lua5.4"
local directory = shell.temporary_directory()

local function path_of(name)
  return directory .. "/" .. name
end

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a")
  return text, file and file:close()
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

--- All names in the directory.
local function names()
  return (shell.run("ls -A " .. shell.quote(directory)):gsub("%s+$", ""))
end

--- x = cos t, y = sin t
local circle = sarrus.system {
  name = "circle", coordinates = { "x", "y" },
  mass = function() return { { 1, 0 }, { 0, 1 } } end,
  force = function() return { 0, 0 } end,
  constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end,
}

local function run()
  return assert(circle:simulate { q = { 1, 0 }, v = { 0, 1 } })
end

--- A script of its own process, with `circle` in it; what it printed.
local function script(text)
  local head = [[
local sarrus = require "sarrus"
local circle = sarrus.system { name = "circle", coordinates = { "x", "y" },
  mass = function() return { { 1, 0 }, { 0, 1 } } end, force = function() return { 0, 0 } end,
  constraints = function(q) return { q.x ^ 2 + q.y ^ 2 - 1 } end }
local sim = assert(circle:simulate { q = { 1, 0 }, v = { 0, 1 } })
]]
  write(path_of("script.lua"), head .. text)
  local output = shell.run(('eval "$(.ci/env)"; cd %s; %s script.lua || true'):format(
    shell.quote(directory), interpreter))
  os.remove(path_of("script.lua"))
  return output
end

--- The numbers of a CSV file, row by row, and its first line.
local function parse(text)
  local header, body = text:match("^(.-)\n(.*)$")
  local rows = {}
  for line in body:gmatch("(.-)\n") do
    local row = {}
    for word in line:gmatch("[^,]+") do
      row[#row + 1] = tonumber(word) or word
    end
    rows[#rows + 1] = row
  end
  return rows, header
end

describe("recordings in files", function()
  after_each(function()
    shell.run("rm -rf " .. shell.quote(directory) .. "/*")
  end)

  teardown(function()
    shell.run("rm -rf " .. shell.quote(directory))
  end)

  it("read back exactly", function()
    local sim, path = run(), path_of("a.csv")
    local recording = assert(sim:record { every = 0.01, keep = true, csv = path })
    assert(sim:advance(5))
    assert.is_nil(read(path))
    assert(recording:close())
    local rows, header = parse(read(path))
    assert.are.equal("t [s],q.x,q.y", header)
    assert.are.equal(501, #rows)
    for k, row in ipairs(rows) do
      assert.are.equal(recording.t[k], row[1])
      assert.are.equal(recording["q.x"][k], row[2])
      assert.are.equal(recording["q.y"][k], row[3])
    end
    assert.are.equal("a.csv", names())
  end)

  it("are the same streamed or written afterwards", function()
    local sim = run()
    local streamed = assert(sim:record { every = 0.125, csv = path_of("a.csv"),
      jsonl = path_of("a.jsonl"), channels = { "q.x", "lambda.1", { "s, \"quoted\"", function(s)
        return s.t > 1 and 0 / 0 or 1 / 0
      end, unit = "m" } } })
    local kept = sim:record { every = 0.125, channels = { "q.x", "lambda.1", { "s, \"quoted\"",
      function(s) return s.t > 1 and 0 / 0 or 1 / 0 end, unit = "m" } } }
    assert(sim:advance(2))
    assert.is_true(streamed:close())
    assert.is_true(kept:csv(path_of("b.csv")))
    assert.is_true(kept:jsonl(path_of("b.jsonl")))
    assert.are.equal(read(path_of("a.csv")), read(path_of("b.csv")))
    assert.are.equal(read(path_of("a.jsonl")), read(path_of("b.jsonl")))
    local csv, jsonl = read(path_of("a.csv")), read(path_of("a.jsonl"))
    assert.are.equal('t [s],q.x,lambda.1,"s, ""quoted"" [m]"', csv:match("^[^\n]+"))
    assert.are.equal('{"channels":[{"label":"t","unit":"s"},{"label":"q.x","unit":""},'
      .. '{"label":"lambda.1","unit":""},{"label":"s, \\"quoted\\"","unit":"m"}]}',
      jsonl:match("^[^\n]+"))
    assert.is_truthy(csv:find("\n1.5,[^\n]+,nan\n"))
    assert.is_truthy(csv:find("\n0.5,[^\n]+,inf\n"))
    assert.is_truthy(jsonl:find("\n%[1.5,[^\n]+,null%]\n"))
    assert.is_truthy(jsonl:find("\n%[0.5,[^\n]+,1e999%]\n"))
  end)

  it("have units in their header", function()
    local model = sarrus.model {
      name = "rod", gravity = { 0, -9.81 },
      sarrus.body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 2 },
      sarrus.joint.revolute { "J1", "ground", "rod", at = { 0, 0 } },
    }
    local sim = assert(model:simulate {})
    local recording = assert(sim:record { every = 1, csv = path_of("a.csv"), channels = {
      "J1.angle", "J1.rate", "J1.force.x", "J1.torque", "rod.velocity.y", "energy.total" } })
    assert(recording:close())
    assert.are.equal("t [s],J1.angle [rad],J1.rate [rad/s],J1.force.x [N],J1.torque [N m],"
      .. "rod.velocity.y [m/s],energy.total [J]\n", read(path_of("a.csv")))
  end)

  it("get their names when the simulation is closed", function()
    local sim = run()
    local recording = assert(sim:record { every = 0.5, csv = path_of("a.csv") })
    assert(sim:advance(1))
    assert.are.equal("a.csv.tmp", names())
    assert.are.equal(('recording of system "circle": 2 channel(s), to %s'):format(path_of("a.csv")),
      tostring(recording))
    assert.is_true(sim:close())
    assert.are.equal("a.csv", names())
    assert.are.equal(3, #(parse(read(path_of("a.csv")))))
  end)

  it("get their names when nobody needs them any more", function()
    do
      local sim = run()
      assert(sim:record { every = 0.5, csv = path_of("a.csv") })
      assert(sim:advance(1))
    end
    collectgarbage()
    collectgarbage()
    assert.are.equal("a.csv", names())
  end)

  it("get their names when a script ends, well or not", function()
    script [[sim:record { every = 0.5, csv = "a.csv" } assert(sim:advance(1))]]
    assert.are.equal("t [s],q.x,q.y\n0,1,0\n", read(path_of("a.csv")):sub(1, 20))
    assert.are.equal(3, #(parse(read(path_of("a.csv")))))
    script [[sim:record { every = 0.5, csv = "b.csv" } assert(sim:advance(1)) error("oh")]]
    assert.are.equal(read(path_of("a.csv")), read(path_of("b.csv")))
    assert.are.equal("a.csv\nb.csv", names())
  end)

  it("keep the old file until the new one is complete", function()
    write(path_of("a.csv"), "old")
    local sim = run()
    local recording = assert(sim:record { every = 0.5, csv = path_of("a.csv") })
    assert(sim:advance(1))
    assert.are.equal("old", read(path_of("a.csv")))
    assert(recording:close())
    assert.are.equal(3, #(parse(read(path_of("a.csv")))))
  end)

  it("do not disturb each other", function()
    local sim = run()
    local one = assert(sim:record { every = 0.5, csv = path_of("a.csv") })
    local other = assert(sim:record { every = 0.25, csv = path_of("a.csv") })
    assert(sim:advance(1))
    assert(one:close())
    assert.are.equal(3, #(parse(read(path_of("a.csv")))))
    assert(other:close())
    assert.are.equal(5, #(parse(read(path_of("a.csv")))))
    assert.are.equal("a.csv", names())
  end)

  it("keep rows beside it, unless told not to", function()
    local sim = run()
    local kept = assert(sim:record { every = 0.5, csv = path_of("b.csv") })
    local recording = assert(sim:record { every = 0.5, csv = path_of("a.csv"), keep = false })
    assert(sim:advance(1))
    for _, ask in ipairs {
      function() return recording.t end,
      function() return recording["q.x"] end,
      function() return recording:csv(path_of("b.csv")) end,
    } do
      local good, message = pcall(ask)
      assert.is_false(good)
      assert.are.equal(('system "circle": record: keep = false: the rows went to %s and were not '
        .. "kept"):format(path_of("a.csv")), (message:gsub("^.-:%d+: ", "")))
    end
    assert(recording:close())
    assert(kept:close())
    assert.are.same({ 0, 0.5, 1 }, kept.t)
    assert.are.equal(3, #kept["q.x"])
    assert.are.equal(read(path_of("a.csv")), read(path_of("b.csv")))
  end)

  it("take constant memory", function()
    local output = script [[
      local function memory()
        for line in io.lines("/proc/self/status") do
          local kilobytes = line:match("^VmRSS:%s+(%d+)")
          if kilobytes then return tonumber(kilobytes) end
        end
      end
      local recording = assert(sim:record { every = 1e-4, csv = "a.csv", keep = false })
      assert(sim:advance(1))
      local before = memory()
      assert(sim:advance(21))
      print(memory() - before)
      assert(recording:close())]]
    assert.is_true(tonumber(output) < 500, output)
    assert.are.equal("210002", (shell.run("wc -l < " .. path_of("a.csv")):gsub("%s", "")))
  end)
end)

describe("a recording to CSV", function()
  it("is five times faster than a loop of file:write and string.format, in no memory", function()
    local measured = dofile("core/bench/record.lua").measure(20000)
    assert.is_true(measured.looped > 5 * measured.streamed)
    assert.is_true(measured.growth < 1)
  end)
end)

describe("bad output", function()
  local cases = {
    { "86: a folder that does not exist", "/nowhere/at/all.csv", "No such file or directory" },
    { "86: a directory", "/tmp", "Is a directory" },
    { "86: an empty path", "", "No such file or directory", shown = '""' },
    { "86: a zero byte", "a\0b", "a path cannot contain a zero byte", shown = '"a\\0b"' },
  }
  for _, case in ipairs(cases) do
    it(case[1], function()
      local sim, shown = run(), case.shown or case[2]
      for _, format in ipairs { "csv", "jsonl" } do
        local result, message, code = sim:record { every = 1, [format] = case[2] }
        assert.is_nil(result)
        assert.are.equal(('system "circle": record: %s: %s'):format(shown, case[3]), message)
        assert.are.equal("IO", code)
      end
      local recording = sim:record { every = 1 }
      assert.are.equal("END", (sim:advance(1)))
      for _, format in ipairs { "csv", "jsonl" } do
        local result, message, code = recording[format](recording, case[2])
        assert.is_nil(result)
        assert.are.equal(("recording:%s: %s: %s"):format(format, shown, case[3]), message)
        assert.are.equal("IO", code)
      end
      assert.are.same({ nil, "checkpoint: " .. shown .. ": " .. case[3], "IO" },
        { sarrus.checkpoint(case[2], "record") })
    end)
  end

  it("86: what is no path is misuse", function()
    local sim = run()
    local _, message = pcall(sim.record, sim, { every = 1, csv = 3 })
    assert.are.equal('system "circle": record: csv: got number 3, want string',
      (message:gsub("^.-:%d+: ", "")))
    local recording = sim:record { every = 1 }
    _, message = pcall(recording.csv, recording)
    assert.are.equal("recording:csv: got nil, want a path", (message:gsub("^.-:%d+: ", "")))
    _, message = pcall(recording.csv, "x")
    assert.are.equal('csv: called on "x"; use recording:csv(…)', (message:gsub("^.-:%d+: ", "")))
  end)

  it("87: a full disk is told at once, and the motion can go on", function()
    local sim = run()
    local recording = assert(sim:record { every = 1e-3, csv = "/dev/full" })
    local kept = sim:record { every = 1e-3 }
    local result, message, code = sim:advance(1000)
    assert.is_nil(result)
    assert.are.equal('system "circle": record: /dev/full: No space left on device (after 0 bytes)',
      message)
    assert.are.equal("IO", code)
    assert.is_true(sim.time > 0 and sim.time < 10)
    assert.are.equal("END", (sim:advance(10)))
    assert.are.equal(10001, #kept.t)
    assert.is_true(recording:close())
    local why = ": /dev/full: No space left on device (after 0 bytes)"
    assert.are.same({ nil, "recording:csv" .. why, "IO" }, { kept:csv("/dev/full") })
    assert.are.same({ nil, "checkpoint" .. why, "IO" }, { sarrus.checkpoint("/dev/full", "x") })
  end)

  it("87: a full disk is told when a short file is closed", function()
    local sim = run()
    local recording = assert(sim:record { every = 1, csv = "/dev/full" })
    assert.are.equal("END", (sim:advance(3)))
    assert.are.same({ nil, 'system "circle": record: /dev/full: No space left on device (after 0 '
      .. "bytes)", "IO" }, { recording:close() })
    sim = run()
    assert(sim:record { every = 1, csv = "/dev/full" })
    local result, _, code = sim:close()
    assert.are.same({ nil, "IO" }, { result, code })
  end)

  it("91: an interrupted run leaves what was recorded", function()
    local folder = shell.temporary_directory()
    local output = shell.run(([[
      eval "$(.ci/env)"; cd %s
      cat > script.lua <<'END'
local sarrus = require "sarrus"
local system = sarrus.system { coordinates = { "x" }, lagrangian = function(q, v)
  return v.x ^ 2 / 2 + sarrus.cos(q.x) end }
local sim = assert(system:simulate { q = { 1 } })
assert(sim:record { every = 1, csv = "a.csv" })
io.open("ready", "w"):close()
sim:advance(1e9)
END
      %s script.lua 2>/dev/null & pid=$!
      while ! [ -e ready ]; do sleep 0.05; done
      sleep 0.3; kill -INT $pid; wait $pid
      ls | tr '\n' ' '; tail -1 a.csv | tr -cd ',' | wc -c]]):format(shell.quote(folder),
      interpreter))
    shell.run("rm -r " .. shell.quote(folder))
    assert.are.equal("a.csv ready script.lua 1", (output:gsub("%s+$", "")))
  end)

  it("91: an interruption does not wait for the rows of a step", function()
    local folder = shell.temporary_directory()
    write(folder .. "/script.lua", [[local sarrus = require "sarrus"
      local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
      local sim = assert(system:simulate { q = { 1 }, step = 1e6 })
      assert(sim:record { every = 1e-6, csv = "/dev/null", keep = false })
      io.open("ready", "w"):close()
      print(sim:advance(1e6))]])
    local output = shell.run(([[eval "$(.ci/env)"; cd %s
      %s script.lua 2>&1 & pid=$!
      (sleep 20; kill -9 $pid) >/dev/null 2>&1 & watch=$!
      while ! [ -e ready ]; do sleep 0.05; done
      sleep 0.3; kill -INT $pid; wait $pid; echo "ended with $?"; kill $watch]]):format(
      shell.quote(folder), interpreter))
    shell.run("rm -r " .. shell.quote(folder))
    assert.is_truthy(output:find("interrupted!", 1, true), output)
    assert.is_truthy(output:find("ended with 1\n", 1, true), output)
  end)

  it("97, 98: is the same with any locale, directory and output", function()
    local folder = shell.temporary_directory()
    local text = [[os.setlocale(os.getenv("LC_ALL") or "C")
      local sarrus = require "sarrus"
      local system = sarrus.system { coordinates = { "x" }, lagrangian = function(q, v)
        return v.x ^ 2 / 2 + sarrus.cos(q.x) end }
      local sim = assert(system:simulate { q = { 1 } })
      local recording = assert(sim:record { every = 0.1, csv = arg[1], keep = true })
      assert(sim:advance(2))
      assert(recording:plot(arg[1] .. ".svg"))
      assert(recording:close())]]
    write(folder .. "/script.lua", text)
    local function files(name, prefix)
      local csv = folder .. "/" .. name
      shell.run(('eval "$(.ci/env)"; %s %s %s/script.lua %s'):format(prefix, interpreter, folder,
        csv))
      return assert(read(csv)) .. assert(read(csv .. ".svg"))
    end
    local plain = files("plain", "")
    assert.are.equal(plain, files("german", "cd / && env -u HOME LC_ALL=de_DE.UTF-8"))
    assert.are.equal(plain, files("turkish", "LC_ALL=tr_TR.UTF-8"))
    assert.are.equal(plain, files("silent", "exec 1>&-;"))
    shell.run("rm -r " .. shell.quote(folder))
  end)
end)
