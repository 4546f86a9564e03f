--- The reference, core/doc/reference.md, from the annotations: `make reference`.

local annotation = dofile("core/doc/annotation.lua")
local names = dofile("core/doc/names.lua")

local reference = {}

local INTRODUCTION = [[
# Reference

Every public name, from the annotations beside the code; `make reference` writes this page. What
they are for, with examples, is in the [manual](manual.md). A `?` marks what may be nil or left out.
]]

-- Types ------------------------------------------------------------------------------------------

--- Classes and aliases by name: { text, fields, parent } or { alias }.
local function types()
  local found = {}
  for _, path in ipairs(names.sources) do
    local list = names.lines(path)
    for i, line in ipairs(list) do
      local class, parent = line:match("^%-%-%-@class ([%w_.]+):?%s*(.*)$")
      local alias, meaning = line:match("^%-%-%-@alias ([%w_.]+) (.*)$")
      if alias then
        found[alias] = { alias = meaning }
      elseif class then
        local last = i + 1
        while list[last] and list[last]:find("^%-%-%-@") do
          last = last + 1
        end
        local parsed = annotation.parse(names.comment_above(list, last))
        found[class] = { text = parsed.text, fields = parsed.params, parent = parent }
      end
    end
  end
  return found
end

local known = types()

--- Note the types that a text mentions, and those that their fields mention.
local function mention(text, wanted)
  for name in text:gmatch("sarrus%.[%w_]+") do
    local one = known[name]
    if one and not wanted[name] then
      wanted[name] = true
      mention((one.alias or "") .. " " .. (one.parent or ""), wanted)
      for _, field in ipairs(one.fields or {}) do
        mention(field.type, wanted)
      end
    end
  end
end

-- Text -------------------------------------------------------------------------------------------

local function item(name, kind, about)
  local shown = name == "returns" and "returns " or name and "`" .. name .. "` " or ""
  return ("- %s`%s`%s"):format(shown, kind, about ~= "" and " - " .. about or "")
end

local function add_fields(lines, fields)
  for _, one in ipairs(fields) do
    lines[#lines + 1] = item(one.name, one.type, one.about)
  end
end

--- The first paragraph of a part's own file; nil for what is no part.
local function part_text(entry)
  local path = "lua/sarrus/" .. entry.name:gsub("%.", "/") .. ".lua"
  for _, source in ipairs(entry.name:find("^%l+%.%l+$") and names.sources or {}) do
    if source == path then
      local words = {}
      for _, line in ipairs(names.lines(path)) do
        local text = line:match("^%-%-%- (.+)$")
        if not text then
          return table.concat(words, "\n")
        end
        words[#words + 1] = text
      end
    end
  end
end

local function add_function(lines, entry, wanted)
  local parsed, part = annotation.parse(names.annotation(entry)), part_text(entry)
  local list, text = {}, table.concat(parsed.text, "\n")
  for i, one in ipairs(parsed.params) do
    list[i] = one.name
    mention(one.type, wanted)
  end
  lines[#lines + 1] = ("### `%s%s`\n"):format(entry.name,
    part and " { … }" or "(" .. table.concat(list, ", ") .. ")")
  lines[#lines + 1] = part and part .. "\n" or nil
  lines[#lines + 1] = text ~= "" and (part and "Fields: " or "") .. text .. "\n" or nil
  add_fields(lines, parsed.params)
  for _, one in ipairs(parsed.returns) do
    lines[#lines + 1] = item("returns", one.type, one.about)
    mention(one.type, wanted)
  end
  lines[#lines + 1] = ""
end

--- What is no function: a field of the class that its table is of.
local function add_value(lines, group, entry)
  local class = known[group[1]:sub(1, -2)]
  for _, field in ipairs(class.fields) do
    if field.name == entry.key then
      lines[#lines + 1] = ("### `%s`\n"):format(entry.name)
      lines[#lines + 1] = item(nil, field.type, field.about) .. "\n"
      return
    end
  end
  error(entry.name .. " is no field of its class")
end

local function add_types(lines, wanted)
  local sorted = {}
  for name in pairs(wanted) do
    sorted[#sorted + 1] = name
  end
  table.sort(sorted)
  lines[#lines + 1] = "## Types\n"
  for _, name in ipairs(sorted) do
    local one = known[name]
    lines[#lines + 1] = ("### `%s`\n"):format(name)
    if one.alias then
      lines[#lines + 1] = ("`%s`\n"):format(one.alias)
    else
      local text = table.concat(one.text, "\n")
      lines[#lines + 1] = text ~= "" and text .. "\n" or nil
      lines[#lines + 1] = one.parent ~= "" and ("as `%s`%s\n"):format(one.parent,
        #one.fields > 0 and ", and" or "") or nil
      add_fields(lines, one.fields)
      lines[#lines + 1] = ""
    end
  end
end

--- The whole page.
---@return string
function reference.text()
  local lines, wanted, seen = { INTRODUCTION }, {}, {}
  for _, group in ipairs(names.tables) do
    local list = {}
    for _, entry in ipairs(names.of(group)) do
      local key = group[3]:gsub(" of systems$", "") .. entry.name
      list[#list + 1] = not seen[key] and entry or nil
      seen[key] = true
    end
    if #list > 0 then
      lines[#lines + 1] = ("## %s\n"):format(group[3])
    end
    for _, entry in ipairs(list) do
      if type(entry.value) == "function" then
        add_function(lines, entry, wanted)
      else
        add_value(lines, group, entry)
      end
    end
  end
  add_types(lines, wanted)
  return table.concat(lines, "\n"):gsub("\n\n\n+", "\n\n"):match("^(.-)\n*$") .. "\n"
end

return reference
