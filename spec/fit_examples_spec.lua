-- The examples of fits and synthesis: what they print.

--- What a script prints.
local function output(name)
  local lines, plain = {}, print
  rawset(_G, "print", function(...)
    lines[#lines + 1] = table.concat({ ... }, "\t")
  end)
  local good, subject = pcall(dofile, ("examples/%s.lua"):format(name))
  rawset(_G, "print", plain)
  assert(good, subject)
  assert.is_truthy(subject) -- what the command shows
  return table.concat(lines, "\n")
end

describe("the example", function()
  it("path_synthesis passes through its places", function()
    local text = output "path_synthesis"
    assert.is_truthy(text:find("the path passes through all places to 1e-8: true", 1, true))
  end)

  it("fitted_arm finds its parameters, and reaches", function()
    local text = output "fitted_arm"
    for name, exact in pairs { ["payload mass"] = 1.4, ["elbow stiffness"] = 14 } do
      local value, sigma = text:match(name .. " +[%d.]+ +([%d.]+) +([%d.]+)")
      assert.is_true(math.abs(tonumber(value) - exact) < 4 * tonumber(sigma), name)
    end
    assert.is_truthy(text:find('model "arm": reach: out of reach: the nearest that was found from '
      .. '101 starts: "payload" stays 0.218034 m away', 1, true), text)
  end)
end)
