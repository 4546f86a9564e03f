-- Simulations in several threads share systems and events, but nothing that changes.
local shell = dofile("spec/shell.lua")

describe("threads #build", function()
  it("start under GCC's thread sanitizer, which finds nothing", function()
    shell.run("make build/tsan/test_sim_threads")
    -- Where addresses are drawn from all of the space, the sanitizer cannot start.
    assert.equal("1 passed, 0 failed\n", shell.run("command='build/tsan/test_sim_threads'; "
      .. "if setarch -R true 2>/dev/null; then setarch -R $command; else $command; fi"))
  end)
end)
