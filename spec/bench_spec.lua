--- The committed results of `make bench` are the rows that its table and its plot need.
local shell = dofile("spec/shell.lua")

local results = {}
for path in shell.run("grep -l '^note|' core/bench/results/*.txt"):gmatch("%S+") do
  results[#results + 1] = path
end

describe("results of benchmarks #build", function()
  it("have no row that neither the table nor the plot needs", function()
    assert.is_true(#results > 0)
    for _, path in ipairs(results) do
      shell.run("lua5.4 core/bench/keep.lua <" .. path .. " | diff " .. path .. " -")
    end
  end)

  it("lose nothing of either with the rows that are left out", function()
    local folder = shell.temporary_directory()
    finally(function() shell.run("rm -rf " .. shell.quote(folder)) end)
    local all, kept = shell.quote(folder .. "/all"), shell.quote(folder .. "/kept")
    -- Every row again: slower, at once less exact and slower, and as a program that reaches nothing.
    shell.run([[awk -F'|' -v OFS='|' '{ print }
      NF == 6 { $4 *= 2; print; $5 *= 3; $3 = "worse"; print }
      END { print "stewart|ODE|worst|1|9|1" }' ]] .. results[1] .. " >" .. all)
    shell.run("lua5.4 core/bench/keep.lua <" .. all .. " >" .. kept)
    local function lines(path) return tonumber(shell.run("wc -l <" .. path)) end
    assert.is_true(lines(kept) < lines(all) / 2)
    for _, command in ipairs { "table.lua %s", "plot.lua %s /dev/stdout" } do
      local shown = "lua5.4 core/bench/" .. command
      assert.equal(shell.run(shown:format(all)), shell.run(shown:format(kept)))
    end
  end)

  it("are, one of them, those of the plot", function()
    local plot, found = shell.run("cat core/bench/work_precision.svg"), false
    for _, path in ipairs(results) do
      found = found or plot == shell.run("lua5.4 core/bench/plot.lua " .. path .. " /dev/stdout")
    end
    assert.is_true(found)
  end)
end)
