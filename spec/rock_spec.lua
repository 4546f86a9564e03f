-- The rock, for each Lua: built into an empty tree, packed, unpacked into another one, and used
-- from a folder that knows nothing of the sources.  No network.
local links = dofile("spec/links.lua")
local shell = dofile("spec/shell.lua")
local read = shell.read

local version = shell.run(
  "awk '/VERSION_(MAJOR|MINOR|PATCH) [0-9]/ { print $3 }' core/include/sarrus/version.h")
  :gsub("%s+$", ""):gsub("\n", ".")

describe("the rock #build", function()
  local root, rock = shell.run("pwd"):gsub("%s+$", ""), "rocks/sarrus-scm-1.rockspec"

  it("exists as scm and as the version of the headers, otherwise alike", function()
    local function body(name)
      return (read(name):gsub('version = "[^"]*"', ""):gsub(', tag = "[^"]*"', ""))
    end
    assert.equal(body(rock), body("rocks/sarrus-" .. version .. "-1.rockspec"))
  end)

  it("is of the version that sarrus._VERSION tells", function()
    assert.is_truthy(tostring(require("sarrus")._VERSION):find(version, 1, true))
  end)

  for _, lua in ipairs { "5.4", "5.3", "5.1" } do
    it("builds, packs, installs and runs under Lua " .. lua, function()
      local temporary = shell.temporary_directory()
      finally(function() shell.run("rm -rf " .. shell.quote(temporary)) end)
      local luarocks = "luarocks --lua-version " .. lua .. " --tree "
      local expected = shell.run('eval "$(.ci/env)"; lua' .. lua .. " examples/robot.lua")

      shell.run(luarocks .. shell.quote(temporary .. "/built") .. " make " .. rock)
      shell.run("cp examples/robot.lua " .. shell.quote(temporary))
      shell.run("cd " .. shell.quote(temporary) .. " && " .. luarocks .. "built pack sarrus scm")
      shell.run("cd " .. shell.quote(temporary) .. " && " .. luarocks
        .. "installed install sarrus-scm-1.*.rock && rm -rf built *.rock")

      local output = shell.run("mkdir " .. shell.quote(temporary .. "/elsewhere") .. " && cd "
        .. shell.quote(temporary .. "/elsewhere") .. ' && eval "$(' .. luarocks
        .. '../installed path)" && lua' .. lua .. " ../robot.lua")
      assert.equal(expected, output)
      assert.is_nil(output:find(root, 1, true))

      -- Pages need nothing but the rock.
      local script = [[
        local sarrus = require "sarrus"
        local point = sarrus.body.point { "p", position = { 0, 0 }, mass = 1 }
        local sim = sarrus.model { name = "point", point }:simulate()
        local recording = sim:record { every = 1 }
        assert(sim:advance(2))
        assert(recording:html "page.html")
      ]]
      shell.run("cd " .. shell.quote(temporary) .. ' && eval "$(' .. luarocks .. 'installed path)"'
        .. " && lua" .. lua .. " -e " .. shell.quote(script)
        .. " && grep -q '<title>point</title>' page.html")

      -- The command needs no environment, and the rock has manual and examples.
      local installed = shell.quote(temporary .. "/installed")
      local doc = shell.run("find " .. installed .. " -name doc -path '*sarrus/scm-1/doc'")
        :gsub("%s+$", "")
      assert.equal('model "four-bar": 3 bodies, 4 joints, 0 forces\n1 freedom\n'
        .. "assembled; nothing had to be moved\nno warnings\n",
        shell.run("cd / && env -i PATH=/usr/bin:/bin " .. installed .. "/bin/sarrus check "
          .. shell.quote(doc .. "/examples/four_bar.lua") .. " | tail -n 4"))
      shell.run("cd " .. shell.quote(doc) .. " && ls README.md LICENSE core/doc/manual.md")
      assert.same({}, (links.broken_below(doc)))
    end)
  end

  it("is packed with its sources, and installs from them", function()
    shell.run("make rock")
    assert.equal("sarrus " .. version .. "\n",
      shell.run("cd / && env -i PATH=/usr/bin:/bin " .. shell.quote(root)
        .. "/build/rock-tree/bin/sarrus --version"))
  end)

  it("leaves nothing in the sources", function()
    assert.equal("", shell.run("ls sarrus core/src/*.o lua/binding/*.o 2>/dev/null || true"))
  end)
end)
