-- What knows what.
local read = dofile("spec/shell.lua").read

-- Data goes one way through the core.  A file belongs to the layer its name begins with
-- (tape_print.c to "tape"), and includes files of its own and of earlier layers only.
-- A new layer is one more word in this list.
local layers = {
  "export", "version", "status", "memory", "array", "block", "checksum", "vector", "text", "number",
  "file", "sheet", "lapack", "eigen",
  "series",
  "roots", "lcp", "impact",
  "expr", "adomian", "tape", "interval", "function", "kkt", "system", "expansion", "instant",
  "observer",
  "event", "span", "tangent", "search", "implicit", "maker", "sim", "lanes",
  "recorder", "ensemble", "model",
}

-- The step maker has the options and statistics of simulations, which are public.
local declared_later = { ["core/src/maker.h"] = "sarrus/sim.h" }

-- The folders of lua/sarrus, in the order of the pipeline: a file requires files of its own and of
-- earlier folders only.  Families of parts are one stage, and do not know each other.
local folders = {
  "base", -- messages, checked fields, results, files
  "expr", "series",
  "sim", -- knows what it simulates by sim/subject.lua alone
  "system",
  "model/drawing", "model/part", "model/equations", "model/start", "model/state",
  "model", -- knows no family by name: model/part/family.lua loads them
  "body joint force shape contact", -- a part is its definition
  "output", -- recordings look at models and simulations
  "steady", -- equilibria, linear models, modes
  "fit", -- parameters from runs and data
  "verify", -- runs compared with each other
  "ensemble", -- many simulations at once
  "sweep", -- ensembles over grids and samples, as tables
  "robot", -- files of robots become parts
  "command", -- a user of all of them
}

-- Beside the folders: the module, and the list of families.
local beside = { sarrus = true, ["sarrus.families"] = true, ["sarrus.core"] = true }

-- What a file requires beyond that, and why.
local reaches_further = {
  ["model/init.lua"] = {
    ["sarrus.steady"] = "analyses, loaded when they are called",
    ["sarrus.output.export"] = "model:export, the same",
  },
  ["sim/init.lua"] = {
    ["sarrus.output.recording"] = "sim:record, loaded when it is called",
    ["sarrus.output.reader"] = "sim:reader, the same",
  },
  ["sim/sensitivity.lua"] = { ["sarrus.output.derivative"] = "s:derivative of channels, the same" },
}

local rank = {}
for i, name in ipairs(layers) do
  rank[name] = i
end
rank.contact = rank.sim -- deciding about contacts is a part of simulations

local place = {} -- of a folder in the pipeline
for i, names in ipairs(folders) do
  for name in names:gmatch("%S+") do
    place[name] = i
  end
end

local function files(...)
  local list = {}
  for _, pattern in ipairs { ... } do
    local pipe = assert(io.popen("ls " .. pattern .. " 2>/dev/null"))
    for path in pipe:lines() do
      list[#list + 1] = path
    end
    pipe:close()
  end
  return list
end

--- The code of a C file, without comments.
local function code(path)
  return (read(path):gsub("/%*.-%*/", " "):gsub("//[^\n]*", " "))
end

local function includes(path)
  local list = {}
  for name in ("\n" .. code(path)):gmatch('\n%s*#%s*include%s*["<]([^">]+)[">]') do
    list[#list + 1] = name
  end
  return list
end

local function stem(path)
  return (path:gsub(".*/", ""):gsub("%.[ch]$", ""))
end

local function layer(path)
  return rank[stem(path):match("^[^_]+")]
end

local function includes_any(path, names)
  for _, name in ipairs(includes(path)) do
    for _, forbidden in ipairs(names) do
      if name:match("[^/]*$") == forbidden then
        return name
      end
    end
  end
end

--- The folder of lua/sarrus that a file is in; nil beside them.
local function folder(path)
  return path:match("^lua/sarrus/(.*)/[^/]*$")
end

local modules = {} -- name of a module -> folder
local lua_files = files("lua/sarrus/*/*.lua", "lua/sarrus/*/*/*.lua")
for _, path in ipairs(lua_files) do
  local name = path:gsub("^lua/", ""):gsub("/init%.lua$", ""):gsub("%.lua$", ""):gsub("/", ".")
  modules[name] = folder(path)
end

--- The modules that a Lua file requires by name, at once or later.
local function requires(path)
  local text = read(path):gsub("%-%-[^\n]*", ""):gsub('= later "', '= require "')
  return text:gmatch('require%s*%(?%s*"(sarrus[%w_.]*%w)"')
end

--- Whether a line of a C or Lua file has a comment that has to be narrow; annotations are one line
--- each.
local function is_comment(path, line)
  if path:match("%.lua$") then
    return line:find("--", 1, true) and not line:find("^%s*%-%-%-@")
  end
  return line:find("/*", 1, true) or line:find("^%s*%*%*")
end

local lua_headers = { "lua.h", "lauxlib.h", "lualib.h", "luajit.h", "lua.hpp" }
local umbrella = "core/include/sarrus/sarrus.h"
local clock = "core/bench/clock/clock.c" -- a module of the benchmarks, for Lua alone
local core_files = files("core/*/*.[ch]", "core/*/*/*.[ch]")

-- What the documents for developers name ---------------------------------------------------------

local documents = { "core/doc/architecture.md", "CONTRIBUTING.md" }

--- What a document shows as code: between `, or the words of indented lines, if they are paths.
local function shown(document)
  local list = {}
  local text = read(document):gsub("\n    ([^\n]*)", function(line)
    for word in line:gsub("#.*", ""):gmatch("%S+/%S*") do
      list[#list + 1] = word
    end
    return "\n"
  end)
  for name in text:gmatch("`([^`\n]+)`") do
    list[#list + 1] = name
  end
  return list
end

--- The end of a path as a pattern, if a name is one that should be there: with a / or a suffix.
--- `<type>` and * stand for any word.
local function path_pattern(name)
  local is_path = name:find("^[%w_./<>*-]+$") and not name:find("^build/")
    and (name:find("/", 1, true) or name:find("%.[ch]$") or name:find("%.lua$")
      or name:find("%.py$") or name:find("%.m?js$") or name:find("%.md$"))
  return is_path and "/" .. name:gsub("/$", ""):gsub("<%l+>", "*"):gsub("[.-]", "%%%0")
    :gsub("%*", "[^/]*") .. "$"
end

--- Whether a name is one that only code can have: test_memory_failing, OF_BODY, sarrus.Family.
local function is_identifier(name)
  return name:find("^[%a_][%w_]*_[%w_]*$") or name:find("^sarrus%.[%w.]+$")
end

describe("the layout #build", function()
  local sources = files("core/src/*.[ch]", "core/include/sarrus/*.h")

  it("finds the sources", function()
    assert.is_true(#sources > 0)
  end)

  it("names every core file after a layer", function()
    for _, path in ipairs(sources) do
      if path ~= umbrella then
        assert.is_truthy(layer(path), path .. ": no layer of spec/layout_spec.lua has this name")
      end
    end
  end)

  it("lets a layer include only itself and earlier ones", function()
    for _, path in ipairs(sources) do
      for _, name in ipairs(path == umbrella and {} or includes(path)) do
        assert.are_not.equal("sarrus/sarrus.h", name, path .. " includes the umbrella")
        local own = name:match("^sarrus/") or #files("core/src/" .. name) > 0
        if own and declared_later[path] ~= name then
          assert.is_true((layer(name) or math.huge) <= layer(path), path .. " includes " .. name)
        end
      end
    end
  end)

  it("has a place for every folder of lua/sarrus", function()
    for _, path in ipairs(lua_files) do
      assert.is_truthy(place[folder(path)], path .. ": spec/layout_spec.lua lists no such folder")
    end
    assert.are.equal(2, #files("lua/sarrus/*.lua"))
  end)

  it("lets a folder of lua/sarrus require only itself and earlier ones", function()
    for _, path in ipairs(lua_files) do
      local from, further = folder(path), reaches_further[path:match("^lua/sarrus/(.*)")]
      for name in requires(path) do
        local to = modules[name]
        local known = beside[name] or to == from or to and place[to] < place[from]
        local excused = further and further[name]
        assert.is_truthy(known or excused, path .. " requires " .. name)
      end
    end
  end)

  it("has no reason left for what no file requires", function()
    for path, further in pairs(reaches_further) do
      local found = {}
      for name in requires("lua/sarrus/" .. path) do
        found[name] = true
      end
      for name in pairs(further) do
        assert.is_true(found[name], path .. " does not require " .. name)
      end
    end
  end)

  it("keeps comments within 100 columns", function()
    local list = files("core/*/*.[ch]", "core/*/*/*.[ch]", "core/*/*/*.cc", "core/*/*.lua",
      "examples/*.[ch]", "examples/*.lua", "lua/*/*.[ch]", "lua/*/*.lua", "lua/*/*/*.lua",
      "lua/*/*/*/*.lua", "spec/*.lua", "spec/*/*.lua", "spec/*/*/*.lua")
    local long = {}
    for _, path in ipairs(list) do
      local number = 0
      for line in read(path):gmatch("([^\n]*)\n") do
        number = number + 1
        local width = #line:gsub("[\128-\191]", "") -- without what continues a character
        if width > 100 and is_comment(path, line) then long[#long + 1] = path .. ":" .. number end
      end
    end
    assert.same({}, long)
  end)

  it("has the files that the documents for developers name", function()
    local pipe = assert(io.popen("find . -name .git -prune -o -path ./build -prune -o "
      .. "-name node_modules -prune -o -print"))
    local paths = "\n" .. pipe:read("*a")
    pipe:close()
    for _, document in ipairs(documents) do
      for _, name in ipairs(shown(document)) do
        local pattern = path_pattern(name)
        assert.is_truthy(not pattern or paths:find(pattern:gsub("%$$", "\n")),
          document .. ": there is no " .. name)
      end
    end
  end)

  it("has the names that the documents for developers use", function()
    local texts = {}
    for i, path in ipairs(files("core/*/*.[chl]*", "core/include/*/*.h", "lua/binding/*.[ch]",
      "lua/sarrus/*.lua", "lua/sarrus/*/*.lua", "lua/sarrus/*/*/*.lua")) do
      texts[i] = read(path)
    end
    local all = table.concat(texts, "\n")
    for _, document in ipairs(documents) do
      for _, name in ipairs(shown(document)) do
        assert.is_truthy(not is_identifier(name) or all:find(name, 1, true),
          document .. ": nothing is called " .. name)
      end
    end
  end)

  it("cites every equation of the theory where it is used", function()
    local texts = {}
    for i, path in ipairs(files("core/src/*.[chp]*", "core/include/sarrus/*.h", "lua/sarrus/*.lua",
      "lua/sarrus/*/*.lua", "lua/sarrus/*/*/*.lua")) do
      texts[i] = read(path)
    end
    local all = table.concat(texts, "\n")
    local function is_cited(number)
      return all:find("%f[%w]T" .. number .. "%f[%D]") ~= nil
    end
    local theory, count = read("core/doc/theory.md"), 0
    for number in theory:gmatch("%(T(%d+)%)\n") do -- where it stands at the end of its line
      count = count + 1
      assert.is_true(is_cited(number), "nothing cites (T" .. number .. ")")
    end
    assert.is_true(count >= 56)
    for number in all:gmatch("%f[%w]T(%d+)%f[%D]") do
      assert.is_truthy(theory:find("(T" .. number .. ")", 1, true), "there is no T" .. number)
    end
  end)

  it("keeps Lua out of the core", function()
    for _, path in ipairs(core_files) do
      if path ~= clock then
        assert.is_nil(includes_any(path, lua_headers), path .. " knows Lua")
      end
    end
  end)

  it("lets only the binding know both Lua and sarrus", function()
    local others = files("examples/*.[ch]", "examples/*/*.[ch]")
    for _, list in ipairs { core_files, others } do
      for _, path in ipairs(list) do
        local both = includes_any(path, lua_headers) and code(path):find("sarrus/", 1, true)
        assert.is_falsy(both, path .. " knows Lua and sarrus")
      end
    end
  end)

  it("lists the public headers in the umbrella, in the order of the layers", function()
    local listed, last = {}, 0
    for _, name in ipairs(includes(umbrella)) do
      listed[name] = true
      assert.is_true(layer(name) >= last, name .. " stands too late")
      last = layer(name)
    end
    for _, path in ipairs(files("core/include/sarrus/*.h")) do
      local name = "sarrus/" .. stem(path) .. ".h"
      assert.is_true(path == umbrella or listed[name] or false, name .. " is not in the umbrella")
    end
  end)

  it("has C tests for every layer that has code", function()
    for _, path in ipairs(files("core/src/*.c")) do
      local name = stem(path):match("^[^_]+")
      assert.is_true(#files("core/tests/test_" .. name .. "*.c") > 0, "no C test for " .. path)
    end
  end)

  it("never prints, exits, or touches locale, signals and floating-point modes", function()
    local forbidden = {
      "printf", "fprintf", "puts", "putchar", "exit", "abort", "setlocale", "signal", "fesetround",
      "feenableexcept", "fesetenv",
    }
    for _, path in ipairs(files("core/src/*.[ch]")) do
      local text = code(path):gsub('"[^"\n]*"', '""')
      for _, name in ipairs(forbidden) do
        assert.is_nil(text:find("%f[%w_]" .. name .. "%s*%("), path .. " calls " .. name)
      end
    end
  end)
end)
