--- Tests that bite: constants and comparisons are changed, one at a time, and some test must fail.
--- A mutant is compiled beside the tree, which stays as it is, in stages, each for what the ones
--- before have not found: the C tests without sanitizers, which find it in place of its original by
--- LD_PRELOAD, quickest first; the same with sanitizers; the specs.  Of C that is half a second a
--- mutant, instead of ten when every test was linked anew with sanitizers.  Of Lua only the tests
--- run that call what is changed, in one process.  `make mutants` lists those that no test has
--- found; STAGES=quick leaves it at the first stage.

local shell = dofile("spec/shell.lua")
local draw = dofile("spec/random/tools/draw.lua")
local changes = dofile("spec/mutants/changes.lua")
local concerned = dofile("spec/mutants/concerned.lua")
local answers = dofile("spec/mutants/answers.lua")
local reached = dofile("spec/mutants/reached.lua")

local mutants = {}

local FOLDER = "build/mutants"
local OBJECT = FOLDER .. "/mutant.so"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  shell.run("mkdir -p " .. path:match("^(.*)/"))
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function is_c(path)
  return path:find("%.c$") ~= nil
end

--- Whether an answer is for what a mutant puts in: for whatever it is, unless the answer names it.
local function is_for(answer, mutant)
  return not answer.to or (" " .. answer.to .. " "):find(" " .. mutant.to .. " ", 1, true) ~= nil
end

--- Whether spec/mutants/answers.lua says why a mutant may survive.
function mutants.is_answered(mutant, text)
  for _, answer in ipairs(answers[mutant.path] or {}) do
    local from, to = text:find(answer.code, 1, true)
    while from do
      if from <= mutant.at and mutant.at <= to and is_for(answer, mutant) then
        return true
      end
      from, to = text:find(answer.code, to + 1, true)
    end
  end
  return false
end

--- The mutants of the files that words name (all that are concerned, if none), FILE:LINE those of a
--- line.
local function gather(words)
  local list, answered = {}, 0
  for word in (words ~= "" and words or shell.run("ls " .. concerned.files)):gmatch("%S+") do
    local path, line = word:match("^([^:]+):?(%d*)$")
    local text = read(path)
    for _, mutant in ipairs(changes.of(path, text)) do
      local wanted = line == "" or tonumber(line) == mutant.line
      if wanted and mutants.is_answered(mutant, text) then
        answered = answered + 1
      elseif wanted then
        list[#list + 1] = mutant
      end
    end
  end
  return list, answered
end

--- So many of a list, each as likely as any other.
local function some(list, most, seed)
  local source, drawn = draw.new(seed), {}
  for i = 1, math.min(most, #list) do
    local j = source:whole(i, #list)
    list[i], list[j] = list[j], list[i]
    drawn[i] = list[i]
  end
  return drawn
end

--- Whether a command succeeds, and what it says.
local function succeeds(command)
  return pcall(shell.run, command)
end

--- The environment of specs, in which what is in the folder comes first; nothing may take all
--- memory.
local function spec_command(names)
  return ('ulimit -v 8000000; eval "$(.ci/env)"; export LUA_PATH_5_4="%s/lua/?.lua;'
    .. '%s/lua/?/init.lua;$LUA_PATH_5_4" LUA_CPATH_5_4="build/quick/?.so;$LUA_CPATH_5_4"; '
    .. '[ ! -e %s ] || export LD_PRELOAD=%s; exec busted --lua=lua5.4 --no-keep-going '
    .. '--helper=spec/mutants/watch.lua %s'):format(FOLDER, FOLDER, OBJECT, OBJECT,
    ("spec/" .. table.concat(names, "_spec.lua spec/") .. "_spec.lua"))
end

local function quick_command(name)
  return ("ulimit -v 4000000; exec env LD_PRELOAD=%s build/quick/test_%s"):format(OBJECT, name)
end

local function sanitized_command(program)
  return "ASAN_OPTIONS=hard_rss_limit_mb=4000 exec " .. program
end

local seconds = {} -- of the processor, that a test takes by itself

--- A command, and the seconds that it takes as its last line.
local function timed(command)
  return "sh -c " .. shell.quote(command) .. " 2>&1; code=$?; times; exit $code"
end

--- Those of the commands of a shell, which `times` has written behind what they said.
local function seconds_of(said)
  local total = 0
  for minutes, rest in said:match("[^\n]*\n?$"):gmatch("(%d+)m([%d.]+)s") do
    total = total + 60 * tonumber(minutes) + tonumber(rest)
  end
  return total
end

--- Whether a test fails, or takes far longer than it should, and what it says.  Time is that of the
--- processor: company on the machine lengthens no other.
local function finds_within(usual, command)
  local limit = math.ceil(2 + 5 * usual)
  local passes, said = succeeds(("ulimit -t %d; timeout -k 1 %d sh -c %s"):format(limit,
    60 + 20 * limit, shell.quote(command)))
  return not passes, said
end

local function finds(key, command)
  return finds_within(seconds[key], command)
end

--- Before anything is changed, a test passes.
local function time_test(key, command)
  if not seconds[key] then
    local passes, said = succeeds(timed(command))
    assert(passes, key .. " fails without any change")
    seconds[key] = seconds_of(said)
  end
end

--- The names of tests, quickest first.
local function quickest(names)
  local place = {}
  for i, name in ipairs(names) do
    time_test("quick " .. name, "build/quick/test_" .. name)
    place[name] = i
  end
  table.sort(names, function(a, b)
    local first, second = seconds["quick " .. a], seconds["quick " .. b]
    return first < second or first == second and place[a] < place[b]
  end)
  return names
end

local stages = {}

--- The C tests as they are, quickest first.
function stages.quick(path)
  for _, name in ipairs(is_c(path) and quickest(concerned.tests(path)) or {}) do
    if finds("quick " .. name, quick_command(name)) then
      return "test_" .. name
    end
  end
end

--- The C tests under sanitizers, linked anew.
function stages.sanitized(path, tools)
  if not is_c(path) then
    return nil
  end
  shell.run(("%s -c -o %s/sanitized.o %s/%s"):format(tools.sanitized, FOLDER, FOLDER, path))
  for _, name in ipairs(quickest(concerned.tests(path))) do
    time_test(name, sanitized_command("build/tests/test_" .. name))
    shell.run(table.concat({ tools.sanitized, "-o", FOLDER .. "/test",
      ("build/tests/obj/core/tests/test_%s.o"):format(name), FOLDER .. "/sanitized.o",
      "build/tests/libcore.a", tools.libs, "-lpthread" }, " "))
    if finds(name, sanitized_command(FOLDER .. "/test")) then
      return "test_" .. name .. " (sanitized)"
    end
  end
end

local FIRST = 0.5 -- seconds of the tests that are run first: a mutant may be a loop without end

--- Tests in parts, each to be run by one process, of four times as many seconds as the one before:
--- { seconds, [i] = test }.
local function parts(tests)
  local most, list = FIRST, { { seconds = 0 } }
  for _, test in ipairs(tests) do
    if list[#list].seconds > most then
      most, list[#list + 1] = 4 * most, { seconds = 0 }
    end
    local part = list[#list]
    part.seconds = part.seconds + test.seconds
    part[#part + 1] = test
  end
  return list
end

--- A command that runs tests alone.
local function tests_command(tests)
  local names, specs, known = {}, {}, {}
  for i, test in ipairs(tests) do
    names[i] = test.name .. "\n"
    if not known[test.spec] then
      known[test.spec] = true
      specs[#specs + 1] = test.spec
    end
  end
  write(FOLDER .. "/wanted", table.concat(names))
  return ("export SARRUS_WANTED=%s/wanted; %s"):format(FOLDER, spec_command(specs))
end

local alone = {} -- tests that pass by themselves, without any change

local function passes_alone(test)
  if alone[test.name] == nil then
    local aside = FOLDER .. ".aside"
    shell.run(("rm -rf %s; mv %s %s"):format(aside, FOLDER, aside))
    alone[test.name] = succeeds(tests_command { test })
    shell.run(("rm -rf %s; mv %s %s"):format(FOLDER, aside, FOLDER))
  end
  return alone[test.name]
end

--- The test that fails, or does not end; nil if all pass.
local function first_that_fails(tests)
  local found, said = finds_within(tests.seconds / 2, tests_command(tests)) -- without the hook
  local name = found and said:match(".*\n@ (%S+)\n")
  for _, test in ipairs(name and tests or {}) do
    if test.name == name then
      assert(passes_alone(test), name .. " fails by itself, without any change")
    end
  end
  return found and (name or "loading")
end

--- Of modules, the tests that reach the line, quickest first.
local function find_in_module(path, line)
  for _, tests in ipairs(parts(reached.tests(path, line, concerned.specs(path), spec_command))) do
    local name = #tests > 0 and first_that_fails(tests)
    if name then
      return name
    end
  end
end

--- The specs.
function stages.specs(path, _, line)
  if not is_c(path) then
    return find_in_module(path, line)
  end
  for _, name in ipairs(concerned.specs(path)) do
    if finds("specs " .. name, spec_command { name }) then
      return name .. "_spec"
    end
  end
end

--- Whether a changed file of C compiles, to something else than before; if not, why.
local function compile(path, tools)
  local object = FOLDER .. "/mutant.o"
  if not succeeds(("%s -c -o %s %s/%s"):format(tools.quick, object, FOLDER, path)) then
    return false, "does not compile"
  elseif succeeds(("cmp %s build/quick/obj/%s"):format(object, (path:gsub("%.c$", ".o")))) then
    return false, "changes nothing"
  end
  shell.run(table.concat({ tools.shared, "-o", OBJECT, object,
    "build/quick/libcore.so -Wl,-rpath,$PWD/build/quick", tools.libs }, " "))
  return true
end

--- Specs of the file, before anything is changed.
local function prepare_specs(path, line)
  shell.run("rm -rf " .. FOLDER)
  if not is_c(path) then
    reached.tests(path, line, concerned.specs(path), spec_command)
  end
  for _, name in ipairs(is_c(path) and concerned.specs(path) or {}) do
    time_test("specs " .. name, spec_command { name })
  end
end

--- The test that finds a mutant; or nil, and why there is nothing to find.
local function try(mutant, names, tools)
  local path = mutant.path
  if names:find("specs", 1, true) then
    prepare_specs(path, mutant.line)
  end
  shell.run("rm -rf " .. FOLDER)
  write(FOLDER .. "/" .. path, changes.apply(mutant, read(path)))
  if is_c(path) then
    local changed, why = compile(path, tools)
    if not changed then
      return nil, why
    end
  end
  for name in names:gmatch("%S+") do
    local found = stages[name](path, tools, mutant.line)
    if found then
      return found
    end
  end
end

local function print_mutant(word, mutant)
  local text = read(mutant.path)
  local from = mutant.at - mutant.column + 1
  print(("%-18s %s:%d:%d: %s -> %s  in  %s"):format(word, mutant.path, mutant.line, mutant.column,
    mutant.from, mutant.to, text:match("^%s*([^\n]*)", from)))
  io.stdout:flush()
end

--- Try at most so many mutants, drawn by a seed; answers whether all are found.
---@param names string the stages, in order
---@param tools { quick: string, sanitized: string, shared: string, libs: string } compilers, flags
function mutants.print(files, most, seed, names, tools)
  local list, answered = gather(files)
  local found, survived, idle = 0, 0, 0
  for _, mutant in ipairs(some(list, most, seed)) do
    local by, idle_because = try(mutant, names, tools)
    found, idle = found + (by and 1 or 0), idle + (idle_because and 1 or 0)
    survived = survived + ((by or idle_because) and 0 or 1)
    print_mutant(by or idle_because or "SURVIVED", mutant)
  end
  print(("%d of %d found, %d survived (SEED=%d, of %d; besides, %d are answered, %d of those drawn "
    .. "change nothing)"):format(found, found + survived, survived, seed, #list, answered, idle))
  return survived == 0
end

return mutants
