--- What .ci/fresh and .ci/run make of what happens on a bare Debian; roots are played by scripts.
local shell = dofile("spec/shell.lua")
local quote = shell.quote

--- Commands in place of the machine's own.  `unshare` plays both roots: each prints the file of its
--- name, or sleeps where there is none; so does what makes them when it is SLOW.
local fakes = {
  id = "echo ${USER_ID:-0}",
  ["apt-get"] = "[ $1 = update ] || echo deb somewhere stable main",
  ["apt-config"] = "echo 'Acquire::Languages \"none\";'",
  mmdebstrap = "exit 1",
  git = 'for last; do :; done; [ "$1" = diff ] || mkdir -p "$last"',
  make = "mkdir -p build/test; echo '5 passed, 0 failed' | tee build/test/summary",
  unshare = [[
while [ "${1#--}" != "$1" ]; do shift; done
case $1 in
  mmdebstrap)
    touch "$TMPDIR/key"
    [ -z "$SLOW" ] || exec sleep 60
    while [ $# -gt 2 ]; do shift; done
    mkdir -p "$1/root" "$1/etc" ;;
  sh)
    log=$LOGS/$(basename "$5")
    [ -f "$log" ] || exec sleep 60
    cp "$log" "$5/root/log" ;;
esac]],
}

describe("tests on bare Debians #build", function()
  local folder

  local function write(path, text)
    local file = assert(io.open(folder .. "/" .. path, "wb"))
    file:write(text)
    file:close()
  end

  before_each(function()
    folder = shell.temporary_directory()
    shell.run("cd " .. quote(folder) .. " && mkdir bin logs tmp tree && cp -R "
      .. quote((shell.run("pwd"):gsub("%s+$", ""))) .. "/.ci tree/.ci")
    for name, text in pairs(fakes) do
      write("bin/" .. name, "#!/bin/sh\n" .. text .. "\n")
    end
    shell.run("chmod +x " .. quote(folder) .. "/bin/*")
  end)

  after_each(function()
    shell.run("rm -rf " .. quote(folder))
  end)

  --- Output and exit code of a command, when the roots print these logs; nothing is left behind.
  local function run(command, nothing, reference)
    if nothing then
      write("logs/nothing", nothing)
      write("logs/reference", reference)
    end
    local output, code = shell.run("cd " .. quote(folder)
      .. ' && export PATH="$PWD/bin:$PATH" LOGS="$PWD/logs" TMPDIR="$PWD/tmp" && { '
      .. command .. "; echo $?; }"):match("^(.-)(%d+)\n$")
    assert.equal("", shell.run("ls " .. quote(folder) .. "/tmp"))
    return output, tonumber(code)
  end

  local good = "specs-lua5.4  3 passed, 0 failed, 0 pending\n4 passed, 0 failed\n/lapack/\ndone\n"

  it("add up", function()
    for _, command in ipairs { "tree/.ci/fresh", "sh tree/.ci/run" } do
      assert.are.same({ "8 passed, 0 failed\n", 0 }, { run(command, good, good) })
    end
  end)

  it("fail where a test fails, a spec is pending, or a command breaks", function()
    local function ends(expected, log)
      assert.are.same({ expected, 1 }, { run("sh tree/.ci/run", good, log) })
    end
    ends("7 passed, 2 failed\n", "test_kkt  1 passed, 2 failed\n3 passed, 2 failed\nmake: Error\n")
    ends("8 passed, 1 failed\n", (good:gsub("0 pending", "1 pending")))
    ends("4 passed, 1 failed\n", "building\nThe build failed\n")
    ends("8 passed, 1 failed\n", (good:gsub("done\n", "")))
    ends("4 passed, 1 failed\n", "")
  end)

  it("leave nothing behind, and fail, when they are stopped", function()
    for _, signal in ipairs { "INT", "TERM", "HUP" } do
      local stopped = "timeout --foreground --preserve-status -s " .. signal .. " 1 tree/.ci/fresh"
      assert.are.same({ "0 passed, 1 failed\n", 1 }, { run(stopped) })
      assert.are.same({ "0 passed, 1 failed\n", 1 }, { run("SLOW=1 " .. stopped) })
    end
  end)

  it("are tests here, and say so, where no root can be made", function()
    local output, code = run("USER_ID=1000 sh tree/.ci/run")
    assert.are.same({ "no bare Debian can be made here: that takes root\n"
      .. "testing here, with what this machine has\n5 passed, 0 failed\n", 0 }, { output, code })
  end)
end)
