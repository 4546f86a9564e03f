--- The scripts and commands of README and the manual print what stands below them.
---
--- A page's scripts are run in order, each by itself, in a folder of their own; one that begins
--- with `-- name.lua` is left there under that name.  Commands (```sh) run in the same folder.
--- Programs (```c, ```cpp) begin with `// name.c`; commands compile them against an installation.
local links = dofile("spec/links.lua")
local shell = dofile("spec/shell.lua")
local read = shell.read

local interpreter = jit and "luajit" or "lua" .. _VERSION:match("%d%.%d") -- luacheck: ignore
local root = shell.run("pwd"):gsub("%s+$", "")

--- The blocks of a page in order: { language, text, expected output or nil }.
local function blocks(text)
  local list = {}
  for language, block, after in text:gmatch("\n```(%l+)\n(.-)```()") do
    if language ~= "text" then
      list[#list + 1] = { language, block, text:match("^%s*```text\n(.-)```", after) }
    end
  end
  return list
end

local program = shell.quote(root .. "/lua/bin/sarrus")
local environment = 'eval "$(' .. shell.quote(root .. "/.ci/env") .. ')"\n'
  .. "sarrus() { " .. interpreter .. " " .. program .. ' "$@"; }\n'

--- How to run a block in a folder.
local run = {}

function run.sh(folder, commands)
  return shell.run(environment .. "cd " .. shell.quote(folder) .. "\n" .. commands)
end

function run.c(folder, source)
  local file = assert(io.open(folder .. "/" .. source:match("^// (%S+)\n"), "wb"))
  file:write(source)
  file:close()
  return ""
end

run.cpp = run.c

--- Install what the programs of a page need, once.
local function install(folder)
  environment = environment .. ("export PKG_CONFIG_PATH=%s/usr/lib/pkgconfig LD_LIBRARY_PATH=%s"
    .. "/usr/lib\n"):format(folder, folder)
  shell.run("make install PREFIX=" .. shell.quote(folder .. "/usr"))
end

function run.lua(folder, script)
  local name = script:match("^%-%- (%S+%.lua)\n") or "script.lua"
  local file = assert(io.open(folder .. "/" .. name, "wb"))
  file:write(script)
  file:close()
  return run.sh(folder, interpreter .. " " .. name)
end

describe("links", function()
  for _, path in ipairs {
    "README.md", "CONTRIBUTING.md", "core/doc/manual.md", "core/doc/reference.md",
    "core/doc/theory.md", "core/doc/architecture.md",
  } do
    it("of " .. path .. " lead somewhere", function()
      assert.are.same({}, links.broken(path))
    end)
  end
end)

for _, path in ipairs { "README.md", "core/doc/manual.md" } do
  describe(path, function()
    local folder
    setup(function() folder = shell.temporary_directory() end)
    teardown(function() shell.run("rm -rf " .. shell.quote(folder)) end)

    local list = blocks(read(path))
    if read(path):find("\n```c\n") then
      setup(function() install(folder) end)
    end
    for i, block in ipairs(list) do
      it(("runs block %d, %s"):format(i, block[2]:match("[^\n]*")), function()
        local printed = run[block[1]](folder, block[2])
        if block[3] then
          assert.are.equal(block[3], printed)
        end
      end)
    end

    it("has scripts", function()
      assert.is_true(#list > 0)
    end)
  end)
end
