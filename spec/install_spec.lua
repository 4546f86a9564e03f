-- `make install`, seen by a C program that knows only pkg-config.
local links = dofile("spec/links.lua")
local shell = dofile("spec/shell.lua")
local quote = shell.quote

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- All numbers in a text.
local function numbers(text)
  local list = {}
  for word in text:gmatch("[%w%.%+%-]+") do
    list[#list + 1] = tonumber(word)
  end
  return list
end

local function has(list, value)
  for _, x in ipairs(list) do
    if math.abs(x - value) <= 1e-12 then return true end
  end
  return false
end

describe("what make install installs #build", function()
  local temporary, prefix, pkg_config
  local flags = " -std=c11 -Wall -Wextra -Wpedantic -Werror "

  setup(function()
    temporary = shell.temporary_directory()
    prefix = temporary .. "/usr"
    pkg_config = "PKG_CONFIG_PATH=" .. quote(prefix .. "/lib/pkgconfig") .. " pkg-config "
    shell.run("make install PREFIX=" .. quote(prefix))
  end)

  teardown(function()
    shell.run("rm -rf " .. quote(temporary))
  end)

  --- Compile source with the linker flags, and return what the program prints.
  local function build_and_run(source, link)
    local program = temporary .. "/program"
    shell.run("cc" .. flags .. "-o " .. quote(program) .. " " .. source
      .. " $(" .. pkg_config .. "--cflags sarrus) " .. link)
    return shell.run("LD_LIBRARY_PATH=" .. quote(prefix .. "/lib") .. " " .. quote(program)),
      shell.run("ldd " .. quote(program) .. " 2>/dev/null || otool -L " .. quote(program))
  end

  local function build_and_run_both(source)
    local shared, shared_needs = build_and_run(source, "$(" .. pkg_config .. "--libs sarrus) -lm")
    -- The linker prefers a shared library in the same folder, so the static one goes to another.
    shell.run("mkdir -p " .. quote(temporary .. "/static") .. " && cp "
      .. quote(prefix .. "/lib/libsarrus.a") .. " " .. quote(temporary .. "/static"))
    local static, static_needs = build_and_run(source,
      "-L" .. quote(temporary .. "/static") .. " $(" .. pkg_config .. "--static --libs sarrus)")
    assert.is_truthy(shared_needs:find("libsarrus", 1, true))
    assert.is_nil(static_needs:find("libsarrus", 1, true))
    assert.equal(shared, static)
    return shared
  end

  it("tells one version: headers, library, pkg-config, module and rock", function()
    local file = assert(io.open("core/include/sarrus/version.h"))
    local header = file:read("*a")
    file:close()
    local version = ("%s.%s.%s"):format(header:match("_MAJOR (%d+)"), header:match("_MINOR (%d+)"),
      header:match("_PATCH (%d+)"))
    local source = quote(temporary .. "/version.c")
    shell.run("printf '#include <stdio.h>\n#include <sarrus/version.h>\nint main(void) {"
      .. " return puts(sarrus_version()) < 0; }\n' > " .. source)
    assert.equal(version .. "\n", (build_and_run(source, "$(" .. pkg_config .. "--libs sarrus)")))
    assert.equal(version .. "\n", shell.run(pkg_config .. "--modversion sarrus"))
    assert.equal("sarrus " .. version, require("sarrus")._VERSION)
    assert.is_true(exists("rocks/sarrus-" .. version .. "-1.rockspec"))
  end)

  it("can be staged with DESTDIR", function()
    local stage = temporary .. "/stage"
    shell.run("make install PREFIX=/opt/sarrus DESTDIR=" .. quote(stage))
    assert.is_true(exists(stage .. "/opt/sarrus/lib/libsarrus.a"))
    local pc = shell.run("cat " .. quote(stage .. "/opt/sarrus/lib/pkgconfig/sarrus.pc"))
    assert.is_truthy(pc:find("prefix=/opt/sarrus\n", 1, true))
    assert.is_nil(pc:find(stage, 1, true))
  end)

  it("brings the command, the modules it needs, and the manual", function()
    shell.run("cd / && ls " .. quote(prefix .. "/share/doc/sarrus/core/doc/manual.md"))
    assert.equal("1 freedom\nassembled; nothing had to be moved\nno warnings\n",
      shell.run("cd / && env -i PATH=/usr/bin:/bin " .. quote(prefix .. "/bin/sarrus") .. " check "
        .. quote(prefix .. "/share/doc/sarrus/examples/four_bar.lua") .. " | tail -n 3"))
  end)

  it("brings pages whose links lead somewhere", function()
    local broken, pages = links.broken_below(prefix .. "/share/doc/sarrus")
    assert.same({}, broken)
    assert.equal(7, pages)
  end)

  --- The headers but that of the Lua module, which needs Lua's.
  local function headers()
    return (shell.run("ls " .. quote(prefix .. "/include/sarrus")):gsub("lua%.h\n", ""))
  end

  it("shows its public names only", function()
    for _, file in ipairs { "-D $lib.so", "-g $lib.a" } do
      local count = 0
      local symbols = shell.run("nm --defined-only "
        .. file:gsub("$lib", quote(prefix .. "/lib/libsarrus")))
      for name in symbols:gmatch("%x+ %a ([%w_.]+)") do
        assert.is_truthy(name:find("^sarrus_"), name .. " is visible")
        count = count + 1
      end
      assert.is_true(count > 50)
    end
  end)

  it("has every header stand on its own", function()
    for header in headers():gmatch("(%S+%.h)%f[%s]") do
      shell.run('printf "#include <sarrus/%s>\\nint nothing;\\n" ' .. header
        .. " | cc -x c -fsyntax-only" .. flags .. "$(" .. pkg_config .. "--cflags sarrus) -")
    end
  end)

  it("serves programs in C++, whose linker finds what C calls its functions", function()
    local program = temporary .. "/cpp"
    for header in headers():gmatch("%S+") do
      shell.run('printf "#include <sarrus/%s>\\nint nothing;\\n" ' .. header
        .. " | c++ -x c++ -std=c++11 -fsyntax-only -Wall -Wextra -Wpedantic -Werror $("
        .. pkg_config .. "--cflags sarrus) -")
    end
    shell.run("printf '#include <sarrus/sarrus.h>\nint main() { sarrus_graph_free("
      .. "sarrus_graph_new(sarrus_memory_default())); return sarrus_version() == 0; }\n' | "
      .. "c++ -x c++ - -o " .. quote(program) .. " $(" .. pkg_config .. "--cflags --libs sarrus)")
    shell.run("LD_LIBRARY_PATH=" .. quote(prefix .. "/lib") .. " " .. quote(program))
  end)

  it("links programs that need no shared library at all", function()
    if shell.run("uname -s"):find("Darwin") then
      return pending("macOS has no static programs")
    end
    local program = quote(temporary .. "/alone")
    shell.run("cc -static -o " .. program .. " examples/pendulum.c $(" .. pkg_config
      .. "--cflags --static --libs sarrus)")
    assert.is_truthy(shell.run(program):find("error below 1e-11: yes", 1, true))
    assert.is_truthy(shell.run("ldd " .. program .. " || true"):find("not a dynamic executable"))
  end)

  it("serves the two-link robot, static and shared", function()
    local printed = numbers(build_and_run_both("examples/robot.c"))
    for _, coefficient in ipairs { 1, -1 / 6, 1 / 120, -2, 2 / 6, -2 / 120, -1 / 2, 1 / 24 } do
      assert.is_true(has(printed, coefficient), coefficient .. " is not printed")
    end
  end)
end)
