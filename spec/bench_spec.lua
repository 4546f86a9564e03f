--- The committed results of `make bench` are the rows that its table and its plots need, and what
--- its problems with contact and its stiff ones are compared with is what sarrus finds.
local shell = dofile("spec/shell.lua")
local contacts = dofile("core/bench/contacts.lua")
local stiff = dofile("core/bench/stiff.lua")

local results = {}
for path in shell.run("grep -l '^note|' core/bench/results/*.txt"):gmatch("%S+") do
  results[#results + 1] = path
end

local SHOWN = { "table.lua %s", "plot.lua %s /dev/stdout", "plot.lua %s /dev/stdout contact",
  "plot.lua %s /dev/stdout stiff" }

describe("results of benchmarks #build", function()
  it("have no row that neither the table nor the plots need", function()
    assert.is_true(#results > 0)
    for _, path in ipairs(results) do
      shell.run("lua5.4 core/bench/keep.lua <" .. path .. " | diff " .. path .. " -")
    end
  end)

  it("lose nothing of them with the rows that are left out", function()
    local folder = shell.temporary_directory()
    finally(function() shell.run("rm -rf " .. shell.quote(folder)) end)
    local all, kept = shell.quote(folder .. "/all"), shell.quote(folder .. "/kept")
    local function lines(path) return tonumber(shell.run("wc -l <" .. path)) end
    for _, path in ipairs(results) do
      -- Every row again: slower, at once less exact and slower, and as a program that reaches
      -- nothing.
      shell.run([[awk -F'|' -v OFS='|' '{ print }
        NF == 6 { $4 *= 2; print; $5 *= 3; $3 = "worse"; print }
        END { print "stewart|ODE|worst|1|9|1" }' ]] .. path .. " >" .. all)
      shell.run("lua5.4 core/bench/keep.lua <" .. all .. " >" .. kept)
      assert.is_true(lines(kept) < lines(all) / 2)
      for _, command in ipairs(SHOWN) do
        local shown = "lua5.4 core/bench/" .. command
        assert.equal(shell.run(shown:format(all)), shell.run(shown:format(kept)))
      end
    end
  end)

  it("are, one of them, those of each plot", function()
    for name, command in pairs { work_precision = SHOWN[2], contact = SHOWN[3],
      stiff = SHOWN[4] } do
      local plot, found = shell.run("cat core/bench/" .. name .. ".svg"), false
      for _, path in ipairs(results) do
        found = found or plot == shell.run("lua5.4 core/bench/" .. command:format(path))
      end
      assert.is_true(found, name)
    end
  end)
end)

--- The numbers in a file of the peers.
local function numbers_in(path)
  local found = {}
  for number in shell.run("cat " .. path):gmatch("%-?%d+%.?%d*") do
    found[tonumber(number)] = true
  end
  return found
end

describe("problems with contact", function()
  local scenes = numbers_in("core/bench/peers/scenes.h")

  for _, name in ipairs { "ball", "block", "rolling", "rocking" } do
    it("have the digits that are known: " .. name, function()
      local problem = contacts[name]()
      assert.is_true(problem.error(nil, problem.simulate { tolerance = 1e-13 }) < 1e-13)
    end)

    it("are the same for the peers: " .. name, function()
      for _, value in ipairs(contacts[name]().known) do
        assert.is_true(scenes[value], tostring(value))
      end
    end)
  end
end)

describe("stiff problems", function()
  local peers = numbers_in("core/bench/peers/stiff.h")

  for _, name in ipairs { "spring", "springs", "gains", "bushing", "car" } do
    it("have the digits that are known: " .. name, function()
      local problem = stiff[name]()
      for _, method in ipairs { "stiff", "auto" } do
        local start = problem.simulate { tolerance = 1e-13, method = method }
        assert.is_true(problem.error(nil, start) < 1e-11)
      end
    end)

    it("are the same for the peers: " .. name, function()
      for i, value in ipairs(stiff[name]().known) do
        assert.is_true(peers[value], ("%d: %.17g"):format(i, value))
      end
    end)
  end
end)
