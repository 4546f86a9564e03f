--- gallery.lua FOLDER: a page for every example, with its picture, its code and what it prints.

local script = require "sarrus.command.script"
local svg = require "sarrus.output.svg"

local folder = assert(arg[1], "where to?")

local wishes = dofile("lua/web/wishes.lua")

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local function lines_of(command)
  local list, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do
    list[#list + 1] = line
  end
  pipe:close()
  return list
end

--- Text for a page, line by line.
local function escape(text)
  return (text:gsub("[^\n]+", svg.escape))
end

-- Examples ---------------------------------------------------------------------------------------

--- Run a script; what it returned, and what it printed.
local function run(path)
  local printed, plain = {}, print
  rawset(_G, "print", function(...)
    local words = {}
    for i = 1, select("#", ...) do
      words[i] = tostring((select(i, ...)))
    end
    printed[#printed + 1] = table.concat(words, "\t")
  end)
  rawset(_G, "arg", { [0] = path })
  local subject = assert(loadfile(path))()
  rawset(_G, "print", plain)
  return subject, table.concat(printed, "\n")
end

--- Record what a script returned, and write its page; its title, or nil if nothing can be shown.
local function put_page(subject, name, wish)
  local kind = script.kind(subject)
  local sim = kind == "model" and assert(subject:simulate {}) or kind == "simulation" and subject
  if not sim then
    return nil
  end
  local till = wish.till or 10
  local recording = sim:record { every = wish.every or till / 1000 }
  assert(sim:advance(sim.time + till))
  assert(recording:html(folder .. "/" .. name .. ".html", { traces = wish.traces }))
  return sim.system.name, rawget(sim.system, "model") ~= nil
end

--- The comment that a script begins with, as a sentence.
local function about(code)
  local words = {}
  for line in code:gmatch("([^\n]*)\n") do
    local text = line:match("^%-%- ?(.*)")
    if not text then
      break
    end
    words[#words + 1] = text
  end
  return table.concat(words, " ")
end

local function example(path)
  local name = path:match("([^/]+)%.lua$")
  local wish, code = wishes[name] or {}, read(path)
  local subject, output = run(path)
  local title, moves = put_page(subject, name, wish)
  return {
    name = name, title = title or name, page = title and name .. ".html", moves = moves,
    at = wish.at or (wish.till or 10) / 3, about = about(code), code = code, output = output,
  }
end

-- Pictures ---------------------------------------------------------------------------------------

--- What lua/web/pictures.mjs has to do.
local function orders(list)
  local lines = {}
  for _, one in ipairs(list) do
    if one.page then
      lines[#lines + 1] = table.concat({
        folder .. "/" .. one.page, folder .. "/" .. one.name .. ".webp", "#t=" .. one.at,
        one.moves and "#stage" or "figure", one.moves and 900 or 560, 520,
      }, "\t")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- The index --------------------------------------------------------------------------------------

--- A picture that was not made is not missed.
local function heading(one)
  local title = escape(one.title)
  if not one.page then
    return title
  end
  return ('<a href="%s"><img src="%s.webp" alt="" loading="lazy" onerror="this.remove()">%s</a>')
    :format(one.page, one.name, title)
end

local function card(one)
  return ([[
<article>
<h2>%s</h2>
<p>%s</p>
<details><summary>examples/%s.lua</summary><pre>%s</pre></details>
<details><summary>What it prints</summary><pre>%s</pre></details>
</article>]]):format(heading(one), escape(one.about), one.name, escape(one.code),
    escape(one.output))
end

local function index(list)
  local cards = {}
  for _, moves in ipairs { true, false } do
    for _, one in ipairs(list) do
      if (one.moves or false) == moves then
        cards[#cards + 1] = card(one)
      end
    end
  end
  return (read("lua/web/gallery.html"):gsub("{{cards}}", function()
    return table.concat(cards, "\n")
  end))
end

os.execute("mkdir -p '" .. folder .. "'")
local list = {}
for i, path in ipairs(lines_of("LC_ALL=C ls examples/*.lua")) do
  list[i] = example(path)
end
write(folder .. "/pictures.txt", orders(list))
write(folder .. "/index.html", index(list))
print(("%s/index.html: %d examples"):format(folder, #list))
