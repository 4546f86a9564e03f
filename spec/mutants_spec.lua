-- What `make mutants` changes, and what its lists say of the files.
local shell = dofile("spec/shell.lua")
local mutants = dofile("spec/mutants.lua")
local changes = dofile("spec/mutants/changes.lua")
local concerned = dofile("spec/mutants/concerned.lua")
local answers = dofile("spec/mutants/answers.lua")

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function listed(path, text)
  local list = {}
  for i, mutant in ipairs(changes.of(path, text)) do
    list[i] = ("%d: %s -> %s"):format(mutant.line, mutant.from, mutant.to)
  end
  return table.concat(list, ", ")
end

describe("mutants", function()
  it("are constants and comparisons of C", function()
    local text = '/* 1 < 2 */\n#define A 3\nif (x1 <= 1e-5 && p->q[0] << 2)\n'
      .. '  say("4 > 5", a == 8);\n'
    assert.equal("3: <= -> <, 3: <= -> >, 3: 1e-5 -> 0.0001, 3: 1e-5 -> 1e-06, 3: 0 -> 1, "
      .. "3: 2 -> 3, 3: 2 -> 1, 4: == -> !=, 4: 8 -> 9, 4: 8 -> 7, 4: 8 -> 16, 4: 8 -> 4",
      listed("x.c", text))
  end)

  it("are those of Lua", function()
    local text = 'local a = 0.5 -- 1 < 2\nif a ~= b or c == "3 > 2" then\n  t[#t] = -x\nend\n'
    assert.equal("1: 0.5 -> 5, 1: 0.5 -> 0.05, 2: ~= -> ==, 2: == -> ~=", listed("x.lua", text))
  end)

  it("leave flags as they are", function()
    assert.equal("1: 1 -> 0, 2: 1 -> 2, 2: 1 -> 0", listed("x.c", "return 1;\nreturn a[1];\n"))
  end)

  it("change one place", function()
    local text = "a < b;\nc < d;\n"
    assert.equal("a < b;\nc >= d;\n", changes.apply(changes.of("x.c", text)[4], text))
  end)

  it("are answered where the code is that an answer names", function()
    for path, list in pairs(answers) do
      local text = read(path)
      for _, answer in ipairs(list) do
        local from, to = text:find(answer.code, 1, true)
        assert.is_truthy(from, path .. " has no " .. answer.code)
        assert.is_true(#answer.why > 0)
        local one = answer.to and answer.to:match("%S+")
        assert.is_true(mutants.is_answered({ path = path, at = to, to = one }, text))
        assert.is_false(one ~= nil and mutants.is_answered({ path = path, at = to, to = "7e7" },
          text))
      end
      assert.is_false(mutants.is_answered({ path = path, at = 1 }, text))
    end
  end)

  it("concern tests, whatever the file", function()
    for path in shell.run("ls " .. concerned.files):gmatch("%S+") do
      assert.is_true(#concerned.specs(path) > 0, path)
      assert.is_true(#concerned.tests(path) > 0 or path:find("%.lua$") ~= nil, path)
    end
  end)
end)
