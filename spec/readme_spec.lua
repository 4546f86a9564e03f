--- The scripts of README and the manual print what stands below them.

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

--- Run a script with its own `print`, and return what it printed.
local function output_of(script, name)
  local lines = {}
  local environment = setmetatable({
    print = function(...)
      local words = {}
      for i = 1, select("#", ...) do
        words[i] = tostring((select(i, ...)))
      end
      lines[#lines + 1] = table.concat(words, "\t") .. "\n"
    end,
  }, { __index = _G })
  local chunk
  if setfenv then -- luacheck: std max
    chunk = setfenv(assert(loadstring(script, name)), environment) -- luacheck: std max
  else
    chunk = assert(load(script, name, "t", environment)) -- luacheck: std max
  end
  chunk()
  return table.concat(lines)
end

for _, path in ipairs { "README.md", "core/doc/manual.md" } do
  describe(path, function()
    local text, count = read(path), 0
    for script, after in text:gmatch("```lua\n(.-)```()") do
      local expected = text:match("^%s*```text\n(.-)```", after)
      count = count + 1
      it("runs script " .. count, function()
        local printed = output_of(script, "=" .. path .. " " .. count)
        if expected then
          assert.are.equal(expected, printed)
        end
      end)
    end
    it("has scripts", function()
      assert.is_true(count > 0)
    end)
  end)
end
