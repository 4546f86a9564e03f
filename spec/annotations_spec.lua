--- Every public name has a LuaCATS annotation where it is defined, and a place in the manual.

local names = dofile("core/doc/names.lua")
local read = dofile("spec/shell.lua").read

local manual = read("core/doc/manual.md")

--- What is missing of the annotation of a public function; nil if nothing is.
local function missing(entry)
  local comment, definition = names.annotation(entry)
  if not comment then
    return "no annotation"
  end
  local text = "\n" .. table.concat(comment, "\n")
  for parameter in (definition and definition:match("%((.-)%)") or ""):gmatch("[%a_][%w_]*") do
    if parameter ~= "_" and not text:find("\n@param " .. parameter .. "%f[^%w_]") then
      return "no ---@param " .. parameter
    end
  end
end

local classes = {
  "sarrus.Controller", "sarrus.Dae", "sarrus.Decomposition", "sarrus.Event", "sarrus.Expression",
  "sarrus.Model", "sarrus.ModelState", "sarrus.Part", "sarrus.Recording",
  "sarrus.Series", "sarrus.Sim",
  "sarrus.State", "sarrus.System", "sarrus.Table", "sarrus.Vector",
}

--- Whether the manual names something, not as a part of a longer word.
local function in_manual(name)
  return manual:find(name:gsub("%p", "%%%0") .. "%f[^%w_]") ~= nil
end

describe("public names", function()
  it("are found", function()
    assert.is_true(#names.all() > 90)
  end)

  it("are annotated where they are defined", function()
    local faults = {}
    for _, entry in ipairs(names.all()) do
      local fault = type(entry.value) == "function" and missing(entry)
      if fault then
        faults[#faults + 1] = entry.name .. ": " .. fault
      end
    end
    assert.are.equal("", table.concat(faults, "\n"))
  end)

  it("have classes", function()
    local all, faults = {}, {}
    for i, path in ipairs(names.sources) do
      all[i] = read(path)
    end
    local text = table.concat(all)
    for _, class in ipairs(classes) do
      if not text:find("%-%-%-@class " .. class:gsub("%.", "%%.") .. "%f[^%w_]") then
        faults[#faults + 1] = class
      end
    end
    assert.are.equal("", table.concat(faults, "\n"))
  end)

  it("stand in the manual", function()
    local faults = {}
    for _, entry in ipairs(names.all()) do
      if not in_manual(entry.name) then
        faults[#faults + 1] = entry.name
      end
    end
    for _, name in ipairs { "sarrus.on_warning", "sim.time" } do
      if not in_manual(name) then
        faults[#faults + 1] = name
      end
    end
    assert.are.equal("", table.concat(faults, "\n"))
  end)
end)
