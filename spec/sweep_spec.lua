--- `sarrus sweep`: the same rows in all ways, whatever ends it.
local browser = dofile("spec/browser.lua")
local journals = require "sarrus.sweep.journal"
local random = dofile("spec/random.lua")
local shell = dofile("spec/shell.lua")
local read, quote = shell.read, shell.quote

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore
local root = shell.run("pwd"):gsub("%s+$", "")

local scripts = {
  ["pendulum.lua"] = [[
local sarrus = require "sarrus"
return sarrus.model {
  name = "pendulum", gravity = { 0, -9.81 },
  sarrus.body.rod { "rod", from = { 0, 0 }, to = { 0, -1 }, mass = 2 },
  sarrus.joint.revolute { "J", "ground", "rod", at = { 0, 0 }, damping = sarrus.parameter("c", 0) },
}
]],
  ["blow_up.lua"] = [[
local sarrus = require "sarrus"
local system = sarrus.system { name = "blow-up", coordinates = { "x" },
  mass = function() return { { 1 } } end,
  force = function(q) return { sarrus.parameter("c", 0) * q.x ^ 2 } end }
return system:simulate { q = { 1 }, v = { 0 } }
]],
  ["acting.lua"] = [[
local sarrus = require "sarrus"
local model = sarrus.model { name = "ball", gravity = { 0, -10 },
  sarrus.body.point { "ball", position = { 0, 5 }, mass = sarrus.parameter("m", 1) } }
return model:simulate { events = { sarrus.event { "floor", when = function(s)
  return s:body("ball").y end, action = function() end } } }
]],
}

local folder

local program = interpreter .. " " .. quote(root .. "/lua/bin/sarrus")
local environment = 'eval "$(' .. quote(root .. "/.ci/env") .. ')"\n'
  .. "sarrus() { " .. interpreter .. " " .. quote(root .. "/lua/bin/sarrus") .. ' "$@"; }\n'

local function run(command)
  return shell.run(environment .. "cd " .. quote(folder) .. "\n" .. command)
end

local function fails(command, code, message)
  local output = run(command .. "; echo $?")
  assert.equal(message .. "\n" .. code .. "\n", output)
end

local USAGE = "\ntry 'sarrus sweep --help'"
local GRID = "sarrus sweep pendulum.lua --set c=0:1:6 --set start.J.angle=0.1,0.2,2 --until 3 "
  .. "--channels J.angle,energy.total --quiet "

describe("sarrus sweep", function()
  setup(function()
    folder = shell.temporary_directory()
    for name, text in pairs(scripts) do
      local file = assert(io.open(folder .. "/" .. name, "wb"))
      file:write(text)
      file:close()
    end
    run(GRID .. "--csv one.csv -j1")
  end)
  teardown(function() shell.run("rm -rf " .. quote(folder)) end)

  local function same(path)
    assert.equal(read(folder .. "/one.csv"), read(folder .. "/" .. path))
  end

  it("writes a row for every combination", function()
    local text = read(folder .. "/one.csv")
    assert.equal("run,c,start.J.angle,t [s],J.angle [rad],energy.total [J],code,message",
      text:match("^[^\n]*"))
    assert.equal(18, select(2, text:gsub("\n%d", "")))
    assert.is_truthy(text:find("\n5,0.2,0.2,3,", 1, true))
    assert.equal("x.csv: 2 rows\n", run("sarrus sweep pendulum.lua --set c=0,1 --csv x.csv"))
  end)

  it("gives the same rows with threads, in parts, and after it was stopped", function()
    run(GRID .. "--csv threads.csv -j 3")
    same "threads.csv"
    for i = 1, 4 do
      run(GRID .. ("--csv part%d.csv --part %d/4"):format(i, i))
    end
    assert.equal("merged.csv: 18 rows of 4 parts\n",
      run("sarrus sweep --merge merged.csv part4.csv part2.csv part1.csv part3.csv"))
    same "merged.csv"
    assert.equal("run (part 2/4 of 18 runs)", read(folder .. "/part2.csv"):match("^[^,]*"))
  end)

  it("gives the same rows under mpirun", function()
    if not pcall(shell.run, "command -v mpirun && test -e build/lua5.4/sarrus/mpi.so") then
      return pending("needs Open MPI")
    end
    run("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
      .. "mpirun --oversubscribe -n 4 " .. program .. GRID:gsub("^sarrus", "") .. "--csv mpi.csv")
    same "mpi.csv"
  end)

  it("goes on after kills at any moment, and neither loses nor repeats a row", function()
    local output = run([[
command() { exec ]] .. program .. [[ sweep pendulum.lua \
  --set c=0:1:30 --set start.J.angle=0.1:2:30 --until 10 --quiet --csv "$@"; }
(command whole.csv)
for pause in 05 08 11 14 17 20 23 26 06 09 12 15; do
  (command killed.csv) & pid=$!
  sleep 0.$pause; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
done
(command killed.csv)
cmp whole.csv killed.csv && echo same
ls killed.csv killed.csv.journal 2>/dev/null || true]])
    assert.equal("same\nkilled.csv\n", output:match("same\n.*$"))
  end)

  it("ends in good order at a signal, and goes on", function()
    local output = run([[
command() { exec ]] .. program .. [[ sweep pendulum.lua \
  --set c=0:1:30 --set start.J.angle=0.1:2:30 --until 10 --quiet --csv term.csv; }
(command) & pid=$!
while [ ! -s term.csv.journal ] && kill -0 $pid; do sleep 0.01; done; kill $pid; wait $pid; echo $?
(command)
cmp whole.csv term.csv && echo same]])
    assert.equal("143\nsame\n", (output:gsub("^.-\n(%d+\nsame)", "%1", 1)))
    assert.is_truthy(output:find("interrupted; %d+ of 900 rows are in term.csv.journal: the same "
      .. "command goes on"))
  end)

  it("has rows for runs that fail", function()
    local output = run("sarrus sweep blow_up.lua --set c=0,6 --until 5 --csv failed.csv")
    assert.equal("failed.csv: 2 rows, 1 of them of runs that failed\n", output)
    local text = read(folder .. "/failed.csv")
    assert.is_truthy(text:find("\n1,0,5,1,,\n", 1, true))
    assert.is_truthy(text:find('\n2,6,1%.%d+,nan,STEP,"?system ""blow%-up"": the steps became too'))
  end)

  it("draws samples by a seed", function()
    local text = "sarrus sweep pendulum.lua --set c=0:1 --samples 8 --until 1 --quiet --csv "
    run(text .. "a.csv; " .. text .. "b.csv; " .. text .. "c.csv --seed 2")
    assert.equal(read(folder .. "/a.csv"), read(folder .. "/b.csv"))
    assert.is_true(read(folder .. "/a.csv") ~= read(folder .. "/c.csv"))
  end)

  it("says what is wrong", function()
    fails("sarrus sweep pendulum.lua --csv x.csv", 2,
      "sarrus: there is nothing to go through: give --set name=values" .. USAGE)
    fails("sarrus sweep pendulum.lua --set c=1", 2,
      "sarrus: where do the rows go? give --csv file" .. USAGE)
    fails("sarrus sweep pendulum.lua --set d=1 --csv x.csv", 2, 'sarrus: --set d: model "pendulum" '
      .. "has no such parameter; it has c" .. USAGE)
    fails("sarrus sweep pendulum.lua --set start.K.angle=1,2 --csv w.csv; ls w.csv*", 2,
      'sarrus: --set: model "pendulum": simulate: joints: unknown joint "K"; there is J' .. USAGE
      .. "\nls: cannot access 'w.csv*': No such file or directory")
    fails("sarrus sweep pendulum.lua --set start.J.angel=1,2 --csv w.csv; ls w.csv*", 2,
      "sarrus: --set: model \"pendulum\": simulate: unknown field 'joints.J.angel' (did you mean "
      .. "'angle'?)" .. USAGE .. "\nls: cannot access 'w.csv*': No such file or directory")
    fails("sarrus sweep pendulum.lua --set c=1:b --csv x.csv", 2,
      'sarrus: --set: got "c=1:b", want name=low:high:count, name=low:high (with --samples), '
      .. "either with :log behind it, or name=a,b,c" .. USAGE)
    fails("sarrus sweep pendulum.lua --set c=0:1 --csv x.csv", 2,
      "sarrus: --set c=low:high needs --samples; or say how many values, low:high:count" .. USAGE)
    fails("sarrus sweep pendulum.lua --set c=0 --samples 3 --csv x.csv", 2,
      "sarrus: --samples: there is nothing to draw: give --set name=low:high" .. USAGE)
    fails("sarrus sweep pendulum.lua --set c=0:1:2 --part 3/2 --csv x.csv", 2,
      'sarrus: --part: got "3/2", want i/n with i from 1 to n' .. USAGE)
    fails("sarrus sweep pendulum.lua --set c=0 --channels J.angel --csv x.csv", 2,
      "sarrus: --channels: unknown quantity of J \"angel\" (did you mean 'angle'?), want one of "
      .. "angle, rate, force, torque" .. USAGE)
    fails("sarrus sweep acting.lua --set m=1,2 --csv x.csv", 2, "sarrus: the script's simulation "
      .. 'cannot be swept: event "floor" has an action, and no script runs beside others; return '
      .. "the model" .. USAGE)
    fails("sarrus sweep --merge x.csv part1.csv part2.csv part3.csv", 1,
      "sarrus: --merge: 4 of 18 runs are missing: 4, 8, 12, 16 [FORMAT]")
    fails("sarrus sweep --merge x.csv part1.csv pendulum.lua", 1,
      "sarrus: --merge: pendulum.lua: this is no table of a sweep [FORMAT]")
    fails(GRID .. "--csv part1.csv --part 2/4", 1,
      "sarrus: --csv part1.csv is there and has other runs; give each part a table of its own")
    fails("echo 'sarrus sweep journal 1 00' > y.csv.journal; echo >> y.csv.journal; "
      .. "head -c 30 /dev/zero >> y.csv.journal; " .. GRID .. "--csv y.csv", 1,
      "sarrus: y.csv.journal: the journal of another sweep: its script, values or options differ; "
      .. "remove it to begin anew [FORMAT]")
    fails("echo data > z.csv.journal; " .. GRID .. "--csv z.csv", 1, "sarrus: z.csv.journal: this "
      .. "is no journal of a sweep; remove it, or give another --csv [FORMAT]")
    fails(GRID .. "--csv no/such/x.csv", 1,
      "sarrus: sweep: no/such/x.csv.journal: No such file or directory [IO]")
  end)
end)

describe("the page of a sweep", function()
  setup(function()
    folder = shell.temporary_directory()
    for name, text in pairs(scripts) do
      local file = assert(io.open(folder .. "/" .. name, "wb"))
      file:write(text)
      file:close()
    end
    run(GRID .. "--csv page.csv --html page.html")
  end)
  teardown(function() shell.run("rm -rf " .. quote(folder)) end)

  it("is one file that needs no other", function()
    local text = read(folder .. "/page.html")
    assert.is_true(#text < 3e6, #text)
    assert.is_nil(text:find("<script[^>]+src="))
    assert.is_nil(text:find("<link[^>]+stylesheet"))
    assert.is_nil(text:find("{{%a+}}%s*</script>"))
  end)

  it("shows a run moving that is clicked on", function()
    if browser.missing then
      return pending(browser.missing)
    end
    local seen = assert((loadstring or load)(shell.run("node spec/sweep.mjs " -- luacheck: std max
      .. quote(folder .. "/page.html"))))()
    assert.equal("", seen.errors)
    assert.equal(4, seen.picked)
    assert.equal("run 5", seen.title)
    assert.is_true(seen.whole) -- of the mechanism, nothing is below the controls
    assert.is_truthy(seen.about:find("^run 5, c 0.2, start.J.angle 0.2, t %[s%] 3, J.angle"))
    assert.equal(5, seen.next)
    assert.equal("18 runs, 0 failed, 18 shown moving", seen.summary)
  end)
end)

describe("the journal of a sweep", function()
  it("loses at most the last row, cut short at any byte, and goes on", function()
    local path = os.tmpname()
    os.remove(path)
    local rows = { "1,0,x\n", '2,nan,"two\nlines"\n', "3,7\n" }
    local whole = assert(journals.open(path, "a sweep"))
    for i, row in ipairs(rows) do
      assert(whole:add(i, row))
    end
    whole:close()
    local text = read(path)
    for length = 0, #text do
      local file = assert(io.open(path, "wb"))
      file:write(text:sub(1, length))
      file:close()
      local again = assert(journals.open(path, "a sweep"))
      local known = #again.rows
      for i = known + 1, 3 do
        assert(again:add(i, rows[i]))
      end
      again:close()
      local last = assert(journals.open(path, "a sweep"))
      assert.same(rows, last.rows)
      last:remove()
    end
    assert.is_nil(io.open(path))
  end)
end)

describe("sweeps", function()
  it("hold for random axes, samples, parts and threads", function()
    local class = random.class("sweeps")
    local result = random.run(class, 1, class.cases)
    assert.equal(0, result.wrong, ("seed %d: %s"):format(result.seed, result.message or "differs"))
  end)
end)
