--- A helper of busted for spec/mutants.  With SARRUS_REACHED it writes to that file which
--- functions of the module each test calls, and how long it takes; with SARRUS_WANTED only the
--- tests take part that this file lists, and each is named as it begins.  A test's name is where
--- its function begins.

local busted = require "busted"

local function name_of(run)
  local info = debug.getinfo(run, "S")
  return info.source:match("spec/(.*)_spec%.lua$") .. ":" .. info.linedefined
end

-- Functions, as "path from to", that are called by the test that runs, and beside all tests.
local now, beside = nil, {}
local names = {} -- by source of a chunk and first line; false where it is none of the module's

local function note()
  local info = debug.getinfo(2, "S")
  local of = names[info.source]
  if of == nil then
    of = info.source:match("^@.-(lua/sarrus/.*%.lua)$") and {} or false
    names[info.source] = of
  end
  if of and info.what == "Lua" then
    local first = info.linedefined
    of[first] = of[first] or ("%s %d %d"):format(info.source:match("lua/sarrus/.*"), first,
      info.lastlinedefined);
    (now or beside)[of[first]] = true
  end
end

local function write_functions(out, kind, called)
  out:write(kind, "\n")
  for name in pairs(called) do
    out:write(name, "\n")
  end
end

local function record(to)
  local out, began = assert(io.open(to, "w")), nil
  busted.subscribe({ "test", "start" }, function()
    now, began = {}, os.clock()
  end)
  busted.subscribe({ "test", "end" }, function(element)
    local seconds, called = os.clock() - began, now
    now = nil
    write_functions(out, ("test %s %.3f"):format(name_of(element.run), seconds), called)
  end)
  busted.subscribe({ "suite", "end" }, function()
    debug.sethook()
    write_functions(out, "beside", beside)
    out:close()
  end)
  debug.sethook(note, "c")
end

local function restrict(from)
  local wanted = {}
  for line in io.lines(from) do
    wanted[line] = true
  end
  busted.subscribe({ "register", "it" }, function(_, run)
    return nil, wanted[name_of(run)] == true
  end, { priority = 1 })
  busted.subscribe({ "test", "start" }, function(element)
    print("\n@ " .. name_of(element.run))
    io.stdout:flush() -- it may end the process
  end)
end

if os.getenv("SARRUS_REACHED") then
  record(os.getenv("SARRUS_REACHED"))
elseif os.getenv("SARRUS_WANTED") then
  restrict(os.getenv("SARRUS_WANTED"))
end
