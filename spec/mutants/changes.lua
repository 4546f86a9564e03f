--- What spec/mutants.lua changes: in a text of C or Lua, every constant and every comparison.

local changes = {}

local function is_c(path)
  return path:find("%.c$") ~= nil
end

--- What is no code becomes blank, at its place.
local function code_of(path, text)
  local function blank(part)
    return (part:gsub("[^\n]", " "))
  end
  if is_c(path) then
    text = text:gsub("/%*.-%*/", blank):gsub("\n#[^\n]*", blank)
  else
    text = text:gsub("%-%-[^\n]*", blank)
  end
  return (text:gsub('"[^"\n]*"', blank))
end

local comparisons = {
  ["<"] = { "<=", ">=" }, ["<="] = { "<", ">" }, [">"] = { ">=", "<=" }, [">="] = { ">", "<" },
  ["=="] = { "!=" }, ["!="] = { "==" }, ["~="] = { "==" },
}

--- A whole number by one and by a factor of two, others by ten.  A 1 that ends a statement may be a
--- flag: as such 2 is 1.
local function other_numbers(word, ends)
  local value = assert(tonumber(word))
  if word == "1" and ends then
    return { "0" }
  end
  if not word:find("^%d+$") then
    return { ("%.12g"):format(value * 10), ("%.12g"):format(value / 10) }
  elseif value < 4 then
    return { ("%d"):format(value + 1), value > 0 and ("%d"):format(value - 1) or nil }
  end
  return { ("%d"):format(value + 1), ("%d"):format(value - 1), ("%d"):format(value * 2),
    ("%d"):format(math.floor(value / 2)) }
end

local function others(path, word, after)
  if word:find("^[%d.]") then
    return tonumber(word) and other_numbers(word, after == ";") or {}
  elseif word == "==" and not is_c(path) then
    return { "~=" }
  end
  return comparisons[word] or {}
end

--- Where code has a word that may change: a number, or a sign of <, >, =, !, ~ and -.
local function next_word(code, from)
  local at, to = code:find("[<>=!~-]+", from)
  local number = code:find("%f[%w_.]%.?%d", from)
  if number and (not at or number < at) then
    at, to = code:find("^[%w.]*", number)
    if code:sub(at, to):find("^[%d.]+[eE]$") then -- the exponent has a sign
      to = select(2, code:find("^[+-]?%d+", to + 1)) or to
    end
  end
  return at, to
end

--- Every mutant of a text.
---@return { path: string, line: integer, column: integer, at: integer, from: string, to: string }[]
function changes.of(path, text)
  local list, code = {}, code_of(path, text)
  local line, begins = 1, 1
  local at, to = next_word(code, 1)
  while at do
    local word, ends = code:sub(at, to), code:find("\n", begins, true)
    while ends and ends < at do
      line, begins = line + 1, ends + 1
      ends = code:find("\n", begins, true)
    end
    for _, other in ipairs(others(path, word, code:sub(to + 1, to + 1))) do
      list[#list + 1] = { path = path, line = line, column = at - begins + 1, at = at, from = word,
        to = other }
    end
    at, to = next_word(code, to + 1)
  end
  return list
end

--- The text with one of them.
function changes.apply(mutant, text)
  return text:sub(1, mutant.at - 1) .. mutant.to .. text:sub(mutant.at + #mutant.from)
end

return changes
