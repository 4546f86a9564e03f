--- The fuzz target of scripts, with its seeds: random parts, and what fuzzing has found.
describe("scripts of random parts", function()
  local run = dofile("lua/fuzz/scripts.lua")

  local function read(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read("*a")
    file:close()
    return text
  end

  it("keep what is promised of misuse, failures and states", function()
    local seeds, count = assert(io.popen("ls lua/fuzz/seeds/scripts")), 0
    for name in seeds:lines() do
      local good, message = pcall(run, read("lua/fuzz/seeds/scripts/" .. name))
      assert.is_true(good, name .. ": " .. tostring(message))
      count = count + 1
    end
    seeds:close()
    assert.is_true(count > 10)
  end)
end)
