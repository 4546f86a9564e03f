--- Tests that bite: constants and comparisons are changed, one at a time, and some test must fail.
--- A mutant is compiled beside the tree, which stays as it is, and linked in place of its original;
--- then come the tests that concern its file, nearest first, until one fails.  `make mutants` lists
--- those that no test has found.

local shell = dofile("spec/shell.lua")
local draw = dofile("spec/random/tools/draw.lua")
local changes = dofile("spec/mutants/changes.lua")
local concerned = dofile("spec/mutants/concerned.lua")
local answers = dofile("spec/mutants/answers.lua")

local mutants = {}

local FOLDER = "build/mutants"

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

--- Whether spec/mutants/answers.lua says why a mutant may survive.
function mutants.is_answered(mutant, text)
  for _, answer in ipairs(answers[mutant.path] or {}) do
    local from, to = text:find(answer.code, 1, true)
    while from do
      if from <= mutant.at and mutant.at <= to then
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

--- Whether a command succeeds.
local function succeeds(command)
  return pcall(shell.run, command)
end

--- The environment of a spec, in which what is in the folder comes first; nothing may take all
--- memory.
local function spec_command(name)
  return ('ulimit -v 8000000; eval "$(.ci/env)"; export LUA_PATH_5_4="%s/lua/?.lua;'
    .. '%s/lua/?/init.lua;$LUA_PATH_5_4" LUA_CPATH_5_4="%s/?.so;$LUA_CPATH_5_4"; '
    .. 'exec busted --lua=lua5.4 --no-keep-going spec/%s_spec.lua'):format(FOLDER, FOLDER, FOLDER,
    name)
end

local function test_command(program)
  return "ASAN_OPTIONS=hard_rss_limit_mb=4000 exec " .. program
end

local seconds = {} -- that a test takes by itself

--- Whether a test fails, or takes far longer than by itself.
local function finds(key, command)
  return not succeeds(("timeout -k 1 %d sh -c %s"):format(10 + 5 * seconds[key],
    shell.quote(command)))
end

--- Before anything is changed, a test passes.
local function time_test(key, command)
  if not seconds[key] then
    local began = os.time()
    assert(succeeds(command), key .. " fails without any change")
    seconds[key] = os.time() - began
  end
end

local function time_tests(path)
  for _, name in ipairs(is_c(path) and concerned.tests(path) or {}) do
    time_test(name, test_command("build/tests/test_" .. name))
  end
  for _, name in ipairs(concerned.specs(path)) do
    time_test(name .. "_spec", spec_command(name))
  end
end

--- The name of the first spec that fails.
local function failing_spec(path)
  for _, name in ipairs(concerned.specs(path)) do
    if finds(name .. "_spec", spec_command(name)) then
      return name .. "_spec"
    end
  end
end

local function failing_test(path, tools)
  for _, name in ipairs(concerned.tests(path)) do
    local original = ("build/tests/obj/core/tests/test_%s.o"):format(name)
    shell.run(table.concat({ tools.sanitized, "-o", FOLDER .. "/test", original,
      FOLDER .. "/sanitized.o", "build/tests/libcore.a", tools.libs, "-lpthread" }, " "))
    if finds(name, test_command(FOLDER .. "/test")) then
      return "test_" .. name
    end
  end
end

--- The module of Lua, with the changed object in place of its original.
local function link_module(object, tools)
  shell.run("mkdir -p " .. FOLDER .. "/sarrus")
  shell.run(table.concat({ tools.module, "-o", FOLDER .. "/sarrus/core.so", FOLDER .. "/plain.o",
    "build/lua5.4/obj/lua/binding/*.o", "$(ls build/obj/core/src/*.o | grep -vx " .. object .. ")",
    tools.libs }, " "))
end

local function compile(compiler, source, object)
  return succeeds(("%s -c -o %s/%s %s"):format(compiler, FOLDER, object, source))
end

--- The test that finds a mutant; or nil, and why there is nothing to find.
local function try_c(mutant, text, tools)
  local path = mutant.path
  local source, object = FOLDER .. "/" .. path, "build/obj/" .. path:gsub("%.c$", ".o")
  write(source, changes.apply(mutant, text))
  if not (compile(tools.plain, source, "plain.o")
      and compile(tools.sanitized, source, "sanitized.o")) then
    return nil, "does not compile"
  elseif succeeds("cmp " .. FOLDER .. "/plain.o " .. object) then
    return nil, "changes nothing"
  end
  local found = failing_test(path, tools)
  if not found then
    link_module(object, tools)
    found = failing_spec(path)
  end
  return found
end

local function try_lua(mutant, text)
  write(FOLDER .. "/" .. mutant.path, changes.apply(mutant, text))
  return failing_spec(mutant.path)
end

local function try(mutant, tools)
  local text = read(mutant.path)
  shell.run("rm -rf " .. FOLDER)
  time_tests(mutant.path)
  return (is_c(mutant.path) and try_c or try_lua)(mutant, text, tools)
end

local function print_mutant(word, mutant)
  local text = read(mutant.path)
  local from = mutant.at - mutant.column + 1
  print(("%-18s %s:%d:%d: %s -> %s  in  %s"):format(word, mutant.path, mutant.line, mutant.column,
    mutant.from, mutant.to, text:match("^%s*([^\n]*)", from)))
  io.stdout:flush()
end

--- Try at most so many mutants, drawn by a seed; answers whether all are found.
---@param tools { plain: string, sanitized: string, module: string, libs: string } compilers, flags
function mutants.print(files, most, seed, tools)
  local list, answered = gather(files)
  local found, survived, idle = 0, 0, 0
  for _, mutant in ipairs(some(list, most, seed)) do
    local by, idle_because = try(mutant, tools)
    found, idle = found + (by and 1 or 0), idle + (idle_because and 1 or 0)
    survived = survived + ((by or idle_because) and 0 or 1)
    print_mutant(by or idle_because or "SURVIVED", mutant)
  end
  print(("%d of %d found, %d survived (SEED=%d, of %d; besides, %d are answered, %d of those drawn "
    .. "change nothing)"):format(found, found + survived, survived, seed, #list, answered, idle))
  return survived == 0
end

return mutants
