--- Which tests of specs call the function of a module in which something is changed.  Each spec
--- is run once by spec/mutants/watch.lua, and what it has called is kept in build/mutants-reached,
--- until the spec or the module changes.  What it misses (processes that a spec starts) makes a
--- mutant survive, and none be found.

local shell = dofile("spec/shell.lua")

local reached = {}

local FOLDER = "build/mutants-reached"

local function file_of(spec)
  return FOLDER .. "/" .. spec:gsub("/", ".") .. ".txt"
end

local sums -- of all modules and specs, by path

local function current_sums()
  sums = sums or {}
  local files = "cksum $(find lua/sarrus spec -name '*.lua')"
  for sum, path in (next(sums) and "" or shell.run(files)):gmatch("(%d+ %d+) ([^\n]+)") do
    sums[path] = sum
  end
  return sums
end

--- Tests, { name, spec, seconds, called = { path = { { from, to } … } } }, the last of them what
--- is called beside tests; and the checksums of what was run.
local function load(spec)
  local file, known = io.open(file_of(spec)), { tests = {}, sums = {} }
  for line in file and file:lines() or function() end do
    local kind, name, rest = line:match("^(%S+) ?(%S*) ?(.*)$")
    if kind == "sum" then
      known.sums[name] = rest
    elseif kind == "test" or kind == "beside" then
      table.insert(known.tests, { name = kind == "test" and name, spec = spec,
        seconds = tonumber(rest) or 0, called = {} })
    else
      local called = known.tests[#known.tests].called
      called[kind] = called[kind] or {}
      table.insert(called[kind], { tonumber(name), tonumber(rest) })
    end
  end
  return known
end

local kept = {} -- by spec

--- What is known of a spec: recorded anew where it, or a path, is another than it was.
local function known(spec, path, command)
  local now = current_sums()
  kept[spec] = kept[spec] or load(spec)
  for _, one in ipairs { ("spec/%s_spec.lua"):format(spec), path } do
    if kept[spec].sums[one] ~= now[one] then
      local file = file_of(spec)
      shell.run(("mkdir -p %s && export SARRUS_REACHED=%s && %s"):format(FOLDER, file,
        command { spec }))
      local out = assert(io.open(file, "a"))
      for of, sum in pairs(now) do
        out:write("sum ", of, " ", sum, "\n")
      end
      out:close()
      kept[spec] = load(spec)
    end
  end
  return kept[spec]
end

--- The first line of the innermost function that a line stands in, of those that are called at all;
--- nil beside all of them: what stands there serves the whole file.
local function innermost(tests, path, line)
  local best
  for _, test in ipairs(tests) do
    for _, range in ipairs(test.called[path] or {}) do
      if range[1] <= line and line <= range[2] and range[1] > (best or 0) then
        best = range[1]
      end
    end
  end
  return best
end

local function calls(test, path, first)
  for _, range in ipairs(test.called[path] or {}) do
    if not first or range[1] == first then
      return true
    end
  end
  return false
end

local function quicker(a, b)
  return a.seconds < b.seconds or a.seconds == b.seconds and a.name < b.name
end

--- The tests that a line of a module concerns: those that call the function, quickest first, then
--- the others of these specs, which may use what was called once and kept.
---@param specs string[]
---@param command fun(specs: string[]): string what runs specs with the helper
---@return { name: string, spec: string, seconds: number }[]
function reached.tests(path, line, specs, command)
  local all, callers, others, concerned = {}, {}, {}, {}
  for _, spec in ipairs(specs) do
    for _, test in ipairs(known(spec, path, command).tests) do
      all[#all + 1] = test
    end
  end
  local first = innermost(all, path, line)
  for _, test in ipairs(all) do
    concerned[test.spec] = concerned[test.spec] or calls(test, path, first)
  end
  for _, test in ipairs(all) do
    local list = calls(test, path, first) and callers or others
    if test.name and concerned[test.spec] then
      list[#list + 1] = test
    end
  end
  table.sort(callers, quicker)
  table.sort(others, quicker)
  for _, test in ipairs(others) do
    callers[#callers + 1] = test
  end
  return callers
end

return reached
