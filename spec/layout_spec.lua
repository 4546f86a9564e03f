-- Data goes one way through the core.  A file belongs to the layer its name begins with
-- (tape_print.c to "tape"), and includes files of its own and of earlier layers only.
-- A new layer is one more word in this list.
local layers = {
  "export", "version", "status", "memory", "array", "block", "vector", "text", "number", "file",
  "sheet", "lapack",
  "series",
  "roots", "lcp", "impact",
  "expr", "adomian", "tape", "kkt", "system", "expansion", "observer", "event",
  "span", "search", "maker", "sim",
  "recorder",
}

-- The step maker has the options and statistics of simulations, which are public.
local declared_later = { ["core/src/maker.h"] = "sarrus/sim.h" }

local rank = {}
for i, name in ipairs(layers) do
  rank[name] = i
end
rank.contact = rank.sim -- deciding about contacts is a part of simulations

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

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
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

local lua_headers = { "lua.h", "lauxlib.h", "lualib.h", "luajit.h", "lua.hpp" }
local umbrella = "core/include/sarrus/sarrus.h"

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

  it("keeps Lua out of the core", function()
    for _, path in ipairs(files("core/*/*.[ch]", "core/include/sarrus/*.h")) do
      assert.is_nil(includes_any(path, lua_headers), path .. " knows Lua")
    end
  end)

  it("lets only the binding know both Lua and sarrus", function()
    for _, path in ipairs(files("core/*/*.[ch]", "examples/*.[ch]", "examples/*/*.[ch]")) do
      local both = includes_any(path, lua_headers) and code(path):find("sarrus/", 1, true)
      assert.is_falsy(both, path .. " knows Lua and sarrus")
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
