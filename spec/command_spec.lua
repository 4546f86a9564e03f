--- The command `sarrus`, run as a process.
local shell = dofile("spec/shell.lua")
local read = shell.read
local quote = shell.quote

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore
local root = shell.run("pwd"):gsub("%s+$", "")

local scripts = {
  ["linkage.lua"] = [[
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint
return sarrus.model {
  name = "linkage", gravity = { 0, -9.81 },
  body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mass = 1 },
  body.rod { "coupler", from = { 0, 1 }, to = { 2, 2 }, mass = sarrus.parameter("load", 1) },
  body.rod { "rocker", from = { 3, 0 }, to = { 2, 2 }, mass = 1 },
  joint.revolute { "A", "ground", "crank", at = { 0, 0 } },
  joint.revolute { "B", "crank", "coupler", at = { 0, 1 } },
  joint.revolute { "C", "coupler", "rocker", at = { 2, 2 } },
  joint.revolute { "D", "rocker", "ground", at = { 3, 0 } },
}
]],
  ["door.lua"] = [[
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint
return sarrus.model {
  name = "door", gravity = { 0, 0, -9.81 },
  body.box { "door", position = { 0.5, 0, 1 }, size = { 1, 0.05, 2 }, mass = 20 },
  joint.revolute { "top", "ground", "door", at = { 0, 0, 1.8 }, axis = { 0, 0, 1 } },
  joint.revolute { "bottom", "ground", "door", at = { 0, 0, 0.2 }, axis = { 0, 0, 1 } },
}
]],
  ["open.lua"] = [[
local sarrus = require "sarrus"
local body, joint = sarrus.body, sarrus.joint
return sarrus.model {
  name = "open",
  body.rod { "rod", from = { 0, 0 }, to = { 1, 0 }, mass = 1 },
  joint.revolute { "left", "ground", "rod", at = { 0, 0 } },
  joint.revolute { "right", "ground", "rod", at = { a = { 3, 0 }, b = { 1, 0 } } },
}
]],
  ["ball.lua"] = [[
local sarrus = require "sarrus"
local model = sarrus.model { name = "ball", gravity = { 0, -10 },
  sarrus.body.point { "ball", position = { 0, 5 }, mass = sarrus.parameter("m", 1) } }
local floor = sarrus.event { "floor", stop = true, when = function(s) return s:body("ball").y end }
return model:simulate { events = { floor } }
]],
  ["oscillator.lua"] = [[
local sarrus = require "sarrus"
return sarrus.system { name = "oscillator", coordinates = { "x" },
  mass = function() return { { 1 } } end, force = function(q) return { -q.x } end }
]],
  ["blow_up.lua"] = [[
local sarrus = require "sarrus"
local system = sarrus.system { name = "blow-up", coordinates = { "x" },
  mass = function() return { { 1 } } end, force = function(q) return { 6 * q.x ^ 2 } end }
return system:simulate { q = { 1 }, v = { 2 } }
]],
  ["refused.lua"] = [[
local sarrus = require "sarrus"
local circle = sarrus.system { name = "circle", coordinates = { "x" },
  mass = function() return { { 1 } } end, constraints = function(q) return { q.x ^ 2 + 1 } end }
return circle:simulate { q = { 0 } }
]],
  ["misuse.lua"] = [[
local sarrus = require "sarrus"
return sarrus.model { name = "m",
  sarrus.body.rod { "crank", from = { 0, 0 }, to = { 0, 1 }, mas = 1 },
}
]],
  ["unknown.lua"] = [[
local sarrus = require "sarrus"
return sarrus.model { name = "m", gravty = { 0, 1 },
  sarrus.body.point { "p", position = { 0, 0 }, mass = 1 } }
]],
  ["deep.lua"] = "local function f()\n  error('no luck')\nend\n"
    .. "local function g()\n  f()\nend\ng()\n",
  ["object.lua"] = "error {}",
  ["syntax.lua"] = "local x = = 1",
  ["empty.lua"] = 'return require "sarrus".model { name = "empty" }',
  ["nothing.lua"] = 'print("hello")',
  ["number.lua"] = "return 42",
  ["arguments.lua"] = 'print(arg[0], arg[1], arg[2], ...)',
  ["turns.lua"] = 'io.output("turned.txt") return dofile "linkage.lua"',
  ["loop.lua"] = "while true do os.time() end",
}

describe("the command", function()
  local folder

  setup(function()
    folder = shell.temporary_directory()
    for name, text in pairs(scripts) do
      local file = assert(io.open(folder .. "/" .. name, "wb"))
      file:write(text)
      file:close()
    end
  end)

  teardown(function()
    shell.run("rm -rf " .. quote(folder))
  end)

  local program = interpreter .. " " .. quote(root .. "/lua/bin/sarrus")

  --- Run a shell command in the folder of the scripts, where the word `sarrus` stands for ours;
  --- what it writes to stdout and stderr, and its exit code.
  local function run(command)
    local ours = (" " .. command .. "\n"):gsub("(%s)sarrus(%s)", function(before, after)
      return before .. program .. after
    end)
    local line = ("cd %s && {%s} >stdout 2>stderr; echo $?"):format(quote(folder), ours)
    local pipe = assert(io.popen(line))
    local code = tonumber(pipe:read("*a"))
    pipe:close()
    return read(folder .. "/stdout"), read(folder .. "/stderr"), code
  end

  --- To put before a command that gets a signal after a second.
  local function after(signal)
    return "timeout --foreground --preserve-status -k 9 -s " .. signal .. " 1 "
  end

  --- What fails, how, and with which code; nothing is printed to stdout.
  local function fails(command, message, code)
    local out, err, got = run(command)
    assert.are.equal(message, err)
    assert.are.equal(code, got)
    assert.are.equal("", out)
  end

  describe("tells", function()
    it("its version", function()
      assert.are.same({ "sarrus 0.1.0\n", "", 0 }, { run("sarrus --version") })
    end)

    it("its usage, with exit code 2 when nothing is asked", function()
      local out, err, code = run("sarrus --help")
      assert.is_truthy(out:find("^sarrus 0.1.0: .-\nusage: sarrus command script.lua "))
      assert.are.same({ "", 0 }, { err, code })
      assert.are.same({ "", out, 2 }, { run("sarrus") })
    end)

    it("the options and examples of every command", function()
      for _, name in ipairs { "run", "check", "equilibrium", "linearise", "explain", "convert" } do
        local out, err, code = run("sarrus " .. name .. " --help")
        assert.is_truthy(out:find("^usage: sarrus " .. name))
        assert.is_truthy(out:find("\nexamples\n  sarrus " .. name .. " ", 1, true))
        assert.are.same({ "", 0 }, { err, code })
      end
    end)
  end)

  describe("refuses", function()
    it("unknown commands and options, with what was probably meant", function()
      fails("sarrus rum linkage.lua", "sarrus: unknown command \"rum\" (did you mean 'run'?)\n"
        .. "try 'sarrus --help'\n", 2)
      fails("sarrus linkage.lua", 'sarrus: unknown command "linkage.lua" '
        .. "(did you mean 'sarrus run linkage.lua'?)\ntry 'sarrus --help'\n", 2)
      fails("sarrus --versoin", "sarrus: unknown option --versoin (did you mean '--version'?)\n"
        .. "try 'sarrus --help'\n", 2)
      fails("sarrus run linkage.lua --untill 3", "sarrus: unknown option --untill (did you mean "
        .. "'--until'?)\ntry 'sarrus run --help'\n", 2)
    end)

    it("options without, with wrong, and with superfluous values", function()
      local again = "\ntry 'sarrus run --help'\n"
      fails("sarrus run linkage.lua --until", "sarrus: --until needs a value: --until t"
        .. again, 2)
      fails("sarrus run --until --quiet linkage.lua", "sarrus: --until needs a value: --until t"
        .. again, 2)
      fails("sarrus run linkage.lua --until=soon", 'sarrus: --until: got "soon", want a number'
        .. again, 2)
      fails("sarrus run linkage.lua --until inf", 'sarrus: --until: got "inf", want a number'
        .. again, 2)
      fails("sarrus run linkage.lua --quiet=yes", "sarrus: --quiet takes no value" .. again, 2)
      fails("sarrus run linkage.lua --until 1 --until 2", "sarrus: --until is given twice"
        .. again, 2)
      fails("sarrus run linkage.lua --tolerance 0", 'sarrus: --tolerance: got "0", want a number '
        .. "from 2.3e-15 to below 1" .. again, 2)
      fails("sarrus run linkage.lua --method fast", 'sarrus: --method: got "fast", want auto, '
        .. "series or stiff" .. again, 2)
      fails("sarrus run linkage.lua --set load", 'sarrus: --set: got "load", want '
        .. "name=value with a number" .. again, 2)
      fails("sarrus run linkage.lua --csv a.csv --html a.csv", "sarrus: --csv and --html would "
        .. "both write a.csv" .. again, 2)
      fails("sarrus run linkage.lua --plot a.png", "sarrus: --plot a.png: plots are SVG; name it "
        .. "a.svg" .. again, 2)
    end)

    it("no script, and words too many", function()
      fails("sarrus run", "sarrus: run needs a script\ntry 'sarrus run --help'\n", 2)
      fails("sarrus run linkage.lua 50", 'sarrus: unexpected "50"; arguments of the '
        .. "script go after --\ntry 'sarrus run --help'\n", 2)
    end)

    it("parameters that are not there", function()
      fails("sarrus run linkage.lua --set lod=2", 'sarrus: --set lod: model "linkage" has no such '
        .. "parameter (did you mean 'load'?); it has load\ntry 'sarrus run --help'\n", 2)
      fails("sarrus run ball.lua --set g=2", 'sarrus: --set g: model "ball" has no such parameter; '
        .. "it has m\ntry 'sarrus run --help'\n", 2)
    end)
  end)

  describe("says of a script", function()
    it("that it cannot be read", function()
      fails("sarrus run none.lua", "sarrus: cannot open none.lua: No such file or directory\n", 1)
      fails("sarrus run .", "sarrus: cannot read .: Is a directory\n", 1)
      fails("sarrus run syntax.lua", "sarrus: syntax.lua:1: unexpected symbol near '='\n", 1)
    end)

    it("what it raised, and from where", function()
      fails("sarrus run deep.lua", "sarrus: deep.lua:2: no luck\n  called from deep.lua:5\n"
        .. "  called from deep.lua:7\n", 1)
      fails("sarrus run object.lua", "sarrus: the script raised a table\n"
        .. "  called from object.lua:1\n", 1)
      fails("sarrus check misuse.lua", "sarrus: misuse.lua:3: body.rod \"crank\": unknown "
        .. "field 'mas' (did you mean 'mass'?)\nmisuse.lua:3: body.rod \"crank\": "
        .. "missing field 'mass' (or "
        .. "'density')\n", 1)
      fails("sarrus check unknown.lua", "sarrus: unknown.lua:3: model \"m\": unknown field "
        .. "'gravty' (did you mean 'gravity'?)\n", 1)
    end)

    it("that it returns nothing of use", function()
      local out, err, code = run("sarrus run nothing.lua")
      assert.are.same({ "hello\n", "sarrus: nothing.lua: the script ended without returning "
        .. "anything; end it with 'return model' or 'return sim'\n", 1 }, { out, err, code })
      fails("sarrus run number.lua", "sarrus: number.lua: the script returns 42; return a model, a "
        .. "system or a simulation\n", 1)
      fails("sarrus run oscillator.lua", "sarrus: oscillator.lua: the script returns a system, "
        .. "which does not say where it starts; end it with 'return system:simulate { … }'\n", 1)
      fails("sarrus run empty.lua", 'sarrus: model "empty": there are no bodies in it\n', 1)
    end)

    it("why it could not simulate, with the code", function()
      fails("sarrus run refused.lua", 'sarrus: system "circle": constraint 1 is violated by 1 '
        .. "(t = 0) [INCONSISTENT]\n", 1)
    end)
  end)

  describe("run", function()
    it("simulates a model, and tells how it went", function()
      local out, err, code = run("sarrus run linkage.lua --until 2 --set load=2")
      assert.are.same({ "", 0 }, { err, code })
      assert.is_truthy(out:find('^model "linkage": 3 bodies, 4 joints, 0 forces\n'
        .. "t = 0 to 2 s: %d+ steps of order %d+, [%d.e-]+ s of computing\n"
        .. "error of the constraints at the end: [%d.]+e%-1[3-9], of their rates [%d.]+e%-1[2-9]\n"
        .. "energy: 44.145 J, changed by %S+\n$"), out)
      local change = tonumber(out:match("changed by (%S+)"))
      assert.is_true(math.abs(change) < 1e-9, out)
    end)

    it("counts one step as one", function()
      assert.is_truthy(run("sarrus run linkage.lua --until 1e-3"):find(
        "t = 0 to 0.001 s: 1 step of order %d+, "))
    end)

    it("tells how many steps were implicit", function()
      local out = run("sarrus run " .. quote(root .. "/examples/belt.lua") .. " --until 1")
      assert.is_truthy(out:find("t = 0 to 1 s: %d+ steps %(%d+ implicit%) of order %d+, "), out)
    end)

    it("takes options before the script, with = and behind each other", function()
      local out = run("sarrus run --until=2 --tolerance=1e-6 linkage.lua")
      assert.is_truthy(out:find("t = 0 to 2 s", 1, true))
    end)

    it("goes nowhere, and backwards, where that is asked", function()
      local here, err, code = run("sarrus run linkage.lua --until 0")
      assert.is_truthy(here:find("t = 0 to 0 s: ", 1, true))
      assert.are.same({ "", 0 }, { err, code })
      assert.is_truthy(run("sarrus run linkage.lua --until -1"):find("t = 0 to -1 s: ", 1, true))
    end)

    it("says nothing with --quiet", function()
      assert.are.same({ "", "", 0 }, { run("sarrus run linkage.lua --until 2 --quiet") })
    end)

    it("goes on with a simulation, to the event that stops it", function()
      local out, err, code = run("sarrus run ball.lua --until 3 --set m=2")
      assert.is_truthy(out:find('^model "ball".-\nt = 0 to 1 s: .-\nenergy: 100 J'), out)
      assert.are.same({ 'sarrus: stopped by the event "floor" at t = 1\n', 0 }, { err, code })
    end)

    it("does not change the tolerance of a simulation, nor its method", function()
      for option, value in pairs { tolerance = "1e-6", method = "stiff" } do
        fails(("sarrus run ball.lua --%s %s"):format(option, value), ("sarrus: --%s: the script "
          .. "returns a simulation, which has its own; return the model\n"):format(option)
          .. "try 'sarrus run --help'\n", 2)
      end
    end)

    it("fails where the simulation fails, and tells how far it came", function()
      local out, err, code = run("sarrus run blow_up.lua --until 3")
      assert.is_truthy(out:find("t = 0 to 1 s:", 1, true))
      assert.is_truthy(err:find('^sarrus: system "blow%-up": the steps became too small; '
        .. "x keeps them small: .- %(t = 0.99999%d+%) %[STEP%]\n$"), err)
      assert.are.equal(1, code)
    end)

    it("tells warnings", function()
      local _, err, code = run("sarrus run door.lua --until 1")
      assert.is_truthy(err:find('^sarrus: warning: model "door": joint.revolute "bottom": '
        .. "redundant"))
      assert.are.equal(0, code)
    end)

    it("gives a script what lua would give it", function()
      local out = run("sarrus run arguments.lua -- one --two")
      assert.are.equal("arguments.lua\tone\t--two\tone\t--two\n", out)
    end)

    it("reads a script from the standard input", function()
      local out, _, code = run("sarrus run - --until 1 <linkage.lua")
      assert.is_truthy(out:find('^model "linkage"'))
      assert.are.equal(0, code)
    end)

    it("ends in good order when interrupted or terminated", function()
      for signal, expected in pairs { INT = 130, TERM = 143 } do
        local out, err, code = run(after(signal) .. "sarrus run linkage.lua --until 1e9")
        assert.is_truthy(out:find('^model "linkage".-\nt = 0 to [%d.]+ s: '), out)
        assert.is_truthy(err:find("^sarrus: interrupted at t = [%d.]+\n$"), err)
        assert.are.equal(expected, code)
      end
      local _, err, code = run(after("INT") .. "sarrus run loop.lua")
      assert.are.equal("sarrus: loop.lua:1: interrupted!\n", -- 5.1 says it in its own way
        (err:gsub(": interrupted!\n  called from (%S+)", ": %1: interrupted!")))
      assert.are.equal(130, code)
    end)

    it("does not need HOME, a writable folder, or open streams", function()
      local out, none, code = run('cd / && env -u HOME sarrus run "$OLDPWD/linkage.lua" --until 1')
      assert.is_truthy(out:find("t = 0 to 1 s: ", 1, true))
      assert.are.same({ "", 0 }, { none, code })
      local _, _, closed = run("sarrus run linkage.lua --until 1 <&- >&- 2>&-")
      assert.are.equal(0, closed)
      assert.is_truthy(run("sarrus run turns.lua --until 1"):find("t = 0 to 1 s: ", 1, true))
      local _, err, full = run("sarrus run linkage.lua --until 1 >/dev/full")
      assert.are.same({ "sarrus: standard output: No space left on device\n", 1 }, { err, full })
    end)
  end)

  describe("run, writing files,", function()
    --- A file of the folder, and that it is the only one whose name begins so.
    local function written(name)
      assert.are.equal(name .. "\n", shell.run("cd " .. quote(folder) .. " && ls " .. name .. "*"))
      return read(folder .. "/" .. name)
    end

    it("has rows from the start to the end", function()
      local out, err, code = run("sarrus run linkage.lua --until 1 --every 0.25 --csv a.csv "
        .. "--jsonl a.jsonl --channels A.angle,energy.total")
      assert.is_truthy(out:find("\nwritten: a.csv, a.jsonl\n$"), out)
      assert.are.same({ "", 0 }, { err, code })
      local lines = {}
      for line in written("a.csv"):gmatch("[^\n]+") do
        lines[#lines + 1] = line
      end
      assert.are.equal("t [s],A.angle [rad],energy.total [J]", lines[1])
      assert.are.same({ 6, "0,0,29.43" }, { #lines, lines[2] })
      assert.is_truthy(lines[6]:find("^1,2.7408025825"))
      assert.is_truthy(written("a.jsonl"):find('^{"channels":%[.-\n%[0,0,29.43%]\n'))
    end)

    it("has a thousand rows where nothing else is said, of a short run too", function()
      for _, t in ipairs { "10", "0.003", "-2" } do
        local _, _, code = run("sarrus run linkage.lua --quiet --csv b.csv --until " .. t)
        local _, count = written("b.csv"):gsub("\n", "")
        assert.are.same({ 1002, 0 }, { count, code })
      end
    end)

    it("writes a page and plots", function()
      local out = run("sarrus run linkage.lua --until 1 --html c.html --plot p.svg")
      assert.is_truthy(out:find("\nwritten: c.html, p.svg\n$"), out)
      assert.is_truthy(written("c.html"):find("^<!doctype html>"))
      assert.is_truthy(written("p.svg"):find("<svg", 1, true))
    end)

    it("sends a table to the standard output, behind what the script printed", function()
      local out, err, code = run('echo \'print("hello") return dofile "linkage.lua"\' | '
        .. "sarrus run - --until 1 --every 1 --channels A.angle --csv - && echo done")
      assert.is_truthy(out:find("^hello\nt %[s%],A.angle %[rad%]\n0,0\n1,2.74[%d]+\ndone\n$"), out)
      assert.are.same({ "", 0 }, { err, code })
    end)

    it("writes to what a link leads to, and leaves the link", function()
      run("ln -s there.csv link.csv && sarrus run linkage.lua --until 1 --every 1 --csv link.csv")
      assert.are.equal("there.csv\n", run("readlink link.csv"))
      assert.is_truthy(written("there.csv"):find("^t %[s%],"))
    end)

    it("tells wrong paths before it begins", function()
      fails("sarrus run linkage.lua --until 1e9 --csv no/a.csv", 'sarrus: model "linkage": record: '
        .. "no/a.csv: No such file or directory [IO]\n", 1)
      fails("sarrus run linkage.lua --until 1e9 --html no/a.html", "sarrus: --html: no/a.html: "
        .. "No such file or directory [IO]\n", 1)
      fails("sarrus run linkage.lua --until 1e9 --html .", "sarrus: --html: .: Is a directory "
        .. "[IO]\n", 1)
      fails("sarrus run linkage.lua --csv ''", 'sarrus: --csv: got "", want the path of a file\n'
        .. "try 'sarrus run --help'\n", 2)
    end)

    it("tells a full disk", function()
      local out, err, code = run("sarrus run linkage.lua --until 100 --every 0.01 --csv /dev/full")
      assert.is_nil(out:find("written", 1, true))
      assert.are.equal('sarrus: model "linkage": record: /dev/full: No space left on device (after '
        .. "0 bytes) [IO]\n", err)
      assert.are.equal(1, code)
    end)

    it("refuses rows without number", function()
      fails("sarrus run linkage.lua --until 1 --every 1e-300 --csv g.csv", "sarrus: --every "
        .. "1e-300: that would be 1e+300 rows\ntry 'sarrus run --help'\n", 2)
    end)

    it("takes channels of names with commas", function()
      run("sed 's/\"A\"/\"A,B c\"/' linkage.lua > commas.lua")
      local out = run("sarrus run commas.lua --until 1 --every 1 --csv - "
        .. "--channels 'A\\,B c.angle, energy.total' | head -n 1")
      assert.are.equal("t [s],\"A,B c.angle [rad]\",energy.total [J]\n", out)
    end)

    it("tells of channels and intervals without a file", function()
      for _, given in ipairs { "--channels foo.bar", "--channels A.angle", "--every 0.1" } do
        fails("sarrus run linkage.lua --until 1 " .. given, "sarrus: " .. given:match("^%S+")
          .. " is for what is written: give --csv, --jsonl, --html, --plot or "
          .. "--gltf too\n"
          .. "try 'sarrus run --help'\n", 2)
      end
    end)

    it("tells wrong channels", function()
      fails("sarrus run linkage.lua --csv d.csv --channels A.angl", "sarrus: --channels: unknown "
        .. "quantity of A \"angl\" (did you mean 'angle'?), want one of angle, rate, force, "
        .. "torque\ntry 'sarrus run --help'\n", 2)
      assert.are.equal("", shell.run("cd " .. quote(folder) .. " && ls | grep d.csv || true"))
    end)

    it("completes files when it is interrupted, and when the simulation fails", function()
      local _, _, code = run(after("INT") .. "sarrus run linkage.lua --until 1e9 --every 1 "
        .. "--channels A.angle --csv e.csv --html e.html")
      assert.are.equal(130, code)
      for line in read(folder .. "/e.csv"):gmatch("\n([^\n]*)") do
        assert.is_truthy(line == "" or line:find("^%d+,[%d.e-]+$"), line)
      end
      assert.is_truthy(read(folder .. "/e.html"):find("</html>", 1, true))
      assert.are.equal("", shell.run("cd " .. quote(folder) .. " && ls | grep tmp || true"))
      local out = run("sarrus run blow_up.lua --until 2 --every 0.25 --csv f.csv")
      assert.is_truthy(out:find("\nwritten: f.csv\n$"), out)
      local x = tonumber(written("f.csv"):match("\n0.75,(%S+)\n"))
      assert.is_true(math.abs(x - 16) < 1e-11, x)
    end)
  end)

  describe("check", function()
    it("tells freedoms and what was moved", function()
      assert.are.same({ 'model "linkage": 3 bodies, 4 joints, 0 forces\n1 freedom\n'
        .. "assembled; nothing had to be moved\nno warnings\n", "", 0 },
        { run("sarrus check linkage.lua") })
      assert.are.same({ 'model "ball": 1 body, 0 joints, 0 forces\nsimulation of model "ball" at '
        .. "t = 0\n2 freedoms\nassembled; nothing had to be moved\nno warnings\n", "", 0 },
        { run("sarrus check ball.lua") })
      assert.are.same({ 'system "oscillator": 1 coordinate, 0 constraints\ncompiled; where it '
        .. "starts, a simulation tells\nno warnings\n", "", 0 },
        { run("sarrus check oscillator.lua") })
    end)

    it("accepts every example that simulates, and as a run does, warns of nothing", function()
      for path in shell.run("ls " .. quote(root) .. "/examples/*.lua"):gmatch("%S+") do
        for _, task in ipairs { "check %s", "run %s --until 2" } do
          local out, err, code = run("sarrus " .. task:format(quote(path)))
          assert.are.equal(path:find("adomian", 1, true) and 1 or 0, code, err)
          assert.is_nil((out:gsub("no warnings", "") .. err):find("warning"), path .. "\n" .. err)
        end
      end
    end)

    it("names redundant joints", function()
      local out, err, code = run("sarrus check door.lua")
      assert.are.equal('model "door": 1 body, 2 joints, 0 forces\n1 freedom\n'
        .. "assembled; nothing had to be moved\n1 warning\n", out)
      assert.is_truthy(err:find('"bottom": redundant: .-reactions of the joints "top", "bottom"'))
      assert.are.equal(0, code)
    end)

    it("fails where parts do not fit", function()
      local out, err, code = run("sarrus check open.lua")
      assert.are.equal("", out)
      assert.is_truthy(err:find('^sarrus: model "open": .*"right".* %[INCONSISTENT%]\n$'), err)
      assert.are.equal(1, code)
    end)
  end)

  describe("explain", function()
    it("prints the stages as the methods do", function()
      local model = assert(loadfile(folder .. "/linkage.lua"))()
      for _, stage in ipairs { "model", "equations", "structure", "tape", "modes" } do
        local out, err, code = run("sarrus explain linkage.lua " .. stage)
        assert.are.equal(model:explain(stage):match("^(.-)\n*$") .. "\n", out)
        assert.are.same({ "", 0 }, { err, code })
      end
      assert.are.equal(model:explain("model"):match("^(.-)\n*$") .. "\n",
        (run("sarrus explain linkage.lua")))
      assert.is_truthy(run("sarrus explain ball.lua"):find("^ball, planar"))
      assert.is_truthy(run("sarrus explain oscillator.lua"):find("0 = x + x''", 1, true))
    end)

    it("knows the stages that there are", function()
      fails("sarrus explain linkage.lua tap", 'sarrus: a model has no stage "tap" (did you mean '
        .. "'tape'?); it has model, equations, structure, tape, modes\n"
        .. "try 'sarrus explain --help'\n", 2)
      fails("sarrus explain oscillator.lua model", 'sarrus: a system has no stage "model"; it has '
        .. "equations, structure, tape\ntry 'sarrus explain --help'\n", 2)
    end)
  end)
end)
