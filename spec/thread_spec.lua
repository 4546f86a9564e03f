-- Simulations in several threads share systems and events, but nothing that changes.
local shell = dofile("spec/shell.lua")

describe("threads #build", function()
  local function sanitized(program)
    shell.run("make build/tsan/" .. program)
    -- Where addresses are drawn from all of the space, the sanitizer cannot start.
    return shell.run(("command='build/tsan/%s'; "):format(program)
      .. "if setarch -R true 2>/dev/null; then setarch -R $command; else $command; fi")
  end

  it("start under GCC's thread sanitizer, which finds nothing", function()
    assert.equal("1 passed, 0 failed\n", sanitized "test_sim_threads")
  end)

  it("of an ensemble neither", function()
    assert.equal("9 passed, 0 failed\n", sanitized "test_ensemble")
  end)
end)
