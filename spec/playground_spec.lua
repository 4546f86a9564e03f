-- The playground in a browser: build/playground/index.html, which `make playground` makes.
local browser = dofile("spec/browser.lua")
local shell = dofile("spec/shell.lua")

local page = "build/playground/index.html"

--- What is missing; nil where nothing is.
local function missing()
  if not pcall(shell.run, "test -f " .. page) then
    return "needs what `make playground` builds (emscripten)"
  end
  return browser.missing
end

--- Whether others use this machine, so that times mean nothing.
local function is_busy()
  local file = io.open("/proc/loadavg")
  local load = file and tonumber(file:read("*a"):match("^[%d.]+")) or 0
  if file then
    file:close()
  end
  return load > 1.5
end

-- `make playground` installs emscripten, `make test` does not: where the page was not built there
-- is no test of it, rather than one that says nothing.
local where_built = missing() and function() end or it

describe("the playground #build", function()
  where_built("shows, runs, shares and stops scripts, with the digits of others", function()
    local busy = is_busy()
    local said = shell.run("timeout 300 node spec/playground.mjs " .. page
      .. " spec/playground_digits.lua")
    local seen = assert((loadstring or load)(said))() -- luacheck: std max
    assert.are.same({}, seen.faults)
    assert.is_true(seen.kept)
    assert.are.equal("script:2: attempt to index a nil value (local 'x')\n", seen.failure)
    local here = shell.run('eval "$(.ci/env)"; lua5.4 spec/playground_digits.lua')
    local there, count = seen.printed:gmatch("(%a+ %d) (%S+)"), 0
    for name, digits in here:gmatch("(%a+ %d) (%S+)") do
      local other, others = there()
      assert.are.equal(name, other)
      assert.is_true(math.abs(tonumber(digits) - tonumber(others)) < 1e-11, name)
      count = count + 1
    end
    assert.are.equal(10, count)
    if not busy then
      assert.is_true(seen.motion < 3, ("first motion after %.1f s"):format(seen.motion))
      assert.is_true(seen.cost < 1000 / 60, ("%.1f ms for a frame"):format(seen.cost))
    end
  end)
end)

describe("what stands in for LAPACK there #build", function()
  it("passes the tests of Padé approximants", function()
    local test = "build/tests/obj/core/tests/test_series_pade.o"
    if not pcall(shell.run, "test -f " .. test .. " && test -f build/tests/libcore.a") then
      pending("needs what `make tests` builds")
      return
    end
    local program = os.tmpname()
    local said = shell.run(("cc -std=c11 -fsanitize=address,undefined -o %s %s "
      .. "build/tests/libcore.a lua/playground/lapack*.c -lm -lpthread && %s"):format(program, test,
      program))
    os.remove(program)
    assert.is_truthy(said:find("%d+ passed, 0 failed"), said)
  end)
end)
