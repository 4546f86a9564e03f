--- Every public name has a LuaCATS annotation where it is defined, and a place in the manual.

local core = require "sarrus.core"
local sarrus = require "sarrus"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local manual = read("core/doc/manual.md")

-- Methods that sarrus's own files call on each other.
local internal = {
  ["system:coordinate_list"] = true, ["system:explain_fault"] = true,
  ["system:impulse_list"] = true, ["system:new_state"] = true, ["system:row_name"] = true,
  ["system:symbols"] = true,
  ["dae:explain_fault"] = true, ["dae:new_state"] = true, ["dae:row_name"] = true,
  ["dae:start_fields"] = true, ["dae:symbols"] = true,
  ["model:warn"] = true, ["s:filled"] = true,
}

-- Public names -----------------------------------------------------------------------------------

local function upvalue(f, wanted)
  for i = 1, 60 do
    local name, value = debug.getupvalue(f, i)
    if name == wanted then
      return value
    end
  end
end

local system = sarrus.system { coordinates = { "x" }, mass = function() return { { 1 } } end }
local dae = sarrus.dae { differential = { "x" }, derivative = function() return { 1 } end }
local model = sarrus.model { sarrus.body.point { "p", position = { 0, 0 }, mass = 1 } }
local sim = assert(model:simulate {})

for name in pairs(upvalue(getmetatable(sarrus).__index, "later")) do
  local _ = sarrus[name] -- loads it
end

-- As the manual writes them: prefix, and the table of functions.
local tables = {
  { "sarrus.", sarrus },
  { "sarrus.series.", sarrus.series },
  { "sarrus.adomian.", sarrus.adomian },
  { "sarrus.vec.", sarrus.vec },
  { "body.", sarrus.body },
  { "joint.", sarrus.joint },
  { "force.", sarrus.force },
  { "system:", getmetatable(system) },
  { "dae:", getmetatable(dae) },
  { "model:", getmetatable(model) },
  { "sim:", upvalue(getmetatable(sim).__index, "methods") },
  { "recording:", upvalue(getmetatable(sim:record { every = 1 }).__index, "methods") },
  { "s:", core.series.methods },
  { "s:", getmetatable(sim:state()) },
  { "s:", getmetatable(assert(system:simulate { q = { 0 } }):state()) },
}

--- { name, key, value } of all public names, sorted.
local function public_names()
  local list, seen = {}, {}
  for _, entry in ipairs(tables) do
    for key, value in pairs(entry[2]) do
      local name = entry[1] .. tostring(key)
      local hidden = type(key) ~= "string" or key:find("^__") or internal[name] or seen[name]
      local method = type(value) == "function" or entry[1]:sub(-1) == "."
      if not hidden and method then
        seen[name] = true
        list[#list + 1] = { name = name, key = key, value = value }
      end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

-- Annotations ------------------------------------------------------------------------------------

local lines_of = {}

local function lines(path)
  if not lines_of[path] then
    local list = {}
    for line in (read(path) .. "\n"):gmatch("(.-)\r?\n") do
      list[#list + 1] = line
    end
    lines_of[path] = list
  end
  return lines_of[path]
end

--- The comment that stands directly above a line.
local function comment_above(list, at)
  local first = at
  while first > 1 and list[first - 1]:find("^%s*%-%-%-") do
    first = first - 1
  end
  return table.concat(list, "\n", first, at - 1)
end

--- What is missing above the definition of a function; nil if nothing is.
local function missing_above(list, at)
  local comment = comment_above(list, at)
  if comment == "" then
    return "no annotation"
  end
  for parameter in (list[at]:match("%((.-)%)") or ""):gmatch("[%a_][%w_]*") do
    if parameter ~= "_" and not comment:find("%-%-%-@param " .. parameter .. "%f[^%w_]") then
      return "no ---@param " .. parameter
    end
  end
end

local sources = {}
do
  local pipe = assert(io.popen("find lua/sarrus -name '*.lua' | LC_ALL=C sort"))
  for path in pipe:lines() do
    sources[#sources + 1] = path
  end
  pipe:close()
end

--- A function that another one made: its type stands above the assignment or, for the parts of a
--- family, in the family's class.
local function typed_by_name(entry)
  local key, family = entry.key, entry.name:match("^%a+")
  for _, path in ipairs(sources) do
    for i, line in ipairs(lines(path)) do
      if path == "lua/sarrus/" .. family .. "/init.lua" then
        if line:find("^%-%-%-@field " .. key .. " fun%(") then
          return true
        end
      elseif line:find("^[%w_.]+%." .. key .. " = ")
        and comment_above(lines(path), i):find("%-%-%-@[tpr]") then
        return true
      end
    end
  end
  return false
end

--- What is missing of the annotation of a public function; nil if nothing is.
local function missing(entry)
  local info = debug.getinfo(entry.value, "S")
  if info.what ~= "C" then
    local list = lines(info.source:sub(2))
    local line = list[info.linedefined]:gsub("^local ", ""):gsub("^return ", "")
    if line:find("^function") then
      return missing_above(list, info.linedefined)
    end
  end
  return not typed_by_name(entry) and "no annotation" or nil
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
    assert.is_true(#public_names() > 90)
  end)

  it("are annotated where they are defined", function()
    local faults = {}
    for _, entry in ipairs(public_names()) do
      local fault = type(entry.value) == "function" and missing(entry)
      if fault then
        faults[#faults + 1] = entry.name .. ": " .. fault
      end
    end
    assert.are.equal("", table.concat(faults, "\n"))
  end)

  it("have classes", function()
    local all, faults = {}, {}
    for i, path in ipairs(sources) do
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
    for _, entry in ipairs(public_names()) do
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
