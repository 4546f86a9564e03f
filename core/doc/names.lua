--- Every public name of the Lua module, and its annotation in the source.  Run from the top folder.

local core = require "sarrus.core"
local later = require "sarrus.base.later"
local sarrus = require "sarrus"
local subject = require "sarrus.sim.subject".methods

local names = {}

-- Methods that sarrus's own files call on each other.
local internal = {
  ["system:coordinate_list"] = true, ["system:contact_multipliers"] = true,
  ["system:read_contact"] = true, ["dae:start_fields"] = true, ["model:warn"] = true,
  ["s:filled"] = true,
}
for method in pairs(subject) do
  internal["system:" .. method], internal["dae:" .. method] = true, true
end

-- Objects ----------------------------------------------------------------------------------------

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
later.load() -- methods that are added when one is missed

local ensemble = assert(sarrus.ensemble { model, runs = 1, t_end = 0,
  vary = function() return {} end })

for name in pairs(upvalue(getmetatable(sarrus).__index, "later")) do
  local _ = sarrus[name] -- loads it
end

--- In the order of the reference: the prefix as the manual writes it, the table of functions, a
--- title.
names.tables = {
  { "sarrus.", sarrus, "The module" },
  { "sarrus.vec.", sarrus.vec, "Vectors" },
  { "sarrus.series.", sarrus.series, "Series" },
  { "series:", core.series.methods, "Methods of series" },
  { "sarrus.adomian.", sarrus.adomian, "Adomian polynomials" },
  { "system:", getmetatable(system), "Systems" },
  { "dae:", getmetatable(dae), "General DAEs" },
  { "model:", getmetatable(model), "Models" },
  { "body.", sarrus.body, "Bodies" },
  { "joint.", sarrus.joint, "Joints" },
  { "force.", sarrus.force, "Forces" },
  { "shape.", sarrus.shape, "Shapes" },
  { "contact.", sarrus.contact, "Contacts" },
  { "sim:", upvalue(getmetatable(sim).__index, "methods"), "Simulations" },
  { "s:", getmetatable(sim:state()), "States" },
  { "s:", getmetatable(assert(system:simulate { q = { 0 } }):state()), "States of systems" },
  { "recording:", upvalue(getmetatable(sim:record { every = 1 }).__index, "methods"),
    "Recordings" },
  { "modes:", getmetatable(assert(model:modes { at = {} })), "Modes" },
  { "ensemble:", upvalue(getmetatable(ensemble).__index, "methods"), "Ensembles" },
  { "reader:", getmetatable(sim:reader {}).__index, "Readers" },
}

--- The public names of one of the tables, sorted.
---@return { name: string, key: string, value: any }[]
function names.of(entry)
  local list = {}
  for key, value in pairs(entry[2]) do
    local name = entry[1] .. tostring(key)
    local hidden = type(key) ~= "string" or key:find("^__") or internal[name]
    if not hidden and (type(value) == "function" or entry[1]:sub(-1) == ".") then
      list[#list + 1] = { name = name, key = key, value = value }
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

--- All public names, in the order of the tables, each once.
function names.all()
  local list, seen = {}, {}
  for _, entry in ipairs(names.tables) do
    for _, one in ipairs(names.of(entry)) do
      if not seen[one.name] then
        seen[one.name] = true
        list[#list + 1] = one
      end
    end
  end
  return list
end

-- Sources ----------------------------------------------------------------------------------------

--- The Lua files of the module, by path.
names.sources = {}
do
  local pipe = assert(io.popen("find lua/sarrus -name '*.lua' | LC_ALL=C sort"))
  for path in pipe:lines() do
    names.sources[#names.sources + 1] = path
  end
  pipe:close()
end

local lines_of = {}

--- The lines of a file.
---@param path string
---@return string[]
function names.lines(path)
  if not lines_of[path] then
    local list = {}
    for line in io.lines(path) do
      list[#list + 1] = line:gsub("\r$", "")
    end
    lines_of[path] = list
  end
  return lines_of[path]
end

--- The lines of comment directly above a line, without their dashes.
---@param list string[]
---@param at integer
---@return string[]
function names.comment_above(list, at)
  local first, comment = at, {}
  while first > 1 and list[first - 1]:find("^%s*%-%-%-") do
    first = first - 1
  end
  for i = first, at - 1 do
    comment[#comment + 1] = list[i]:gsub("^%s*%-%-%-", "")
  end
  return comment
end

-- Annotations ------------------------------------------------------------------------------------

--- The field of a class: `body.rod` in lua/sarrus/body/init.lua, `sarrus.sin` in
--- lua/sarrus/expr/functions.lua.
local function class_field(entry)
  local family = entry.name:match("^(%a+)%.[%w_]+$")
  local path = family == "sarrus" and "lua/sarrus/expr/functions.lua"
    or family and "lua/sarrus/" .. family .. "/init.lua"
  for _, line in ipairs(path and names.lines(path) or {}) do
    local typed = line:match("^%-%-%-@field " .. entry.key .. " (fun%(.*)$")
    if typed then
      return { "@type " .. typed }
    end
  end
end

--- What stands above an assignment to a field of that name, for functions that others made.
local function above_assignment(entry)
  for _, path in ipairs(names.sources) do
    local list = names.lines(path)
    for i, line in ipairs(list) do
      if line:find("^[%w_.]+%." .. entry.key .. " = ") then
        local comment = names.comment_above(list, i)
        if table.concat(comment, "\n"):find("@[tpr]") then
          return comment
        end
      end
    end
  end
end

--- The annotation of a public function, and the line that defines it; nil where there is none.
---@return string[]? comment
---@return string? definition nil for a function that another one made
function names.annotation(entry)
  local info = debug.getinfo(entry.value, "S")
  if info.what ~= "C" then
    local list = names.lines(info.source:sub(2))
    local line = list[info.linedefined]
    if line:gsub("^local ", ""):gsub("^return ", ""):find("^function") then
      local comment = names.comment_above(list, info.linedefined)
      return #comment > 0 and comment or nil, line
    end
  end
  return class_field(entry) or above_assignment(entry)
end

return names
