--- build.lua FILE: the playground as one page: page.html with the host, as text of a worker, and
--- the examples that a script alone makes.  Run from the top folder.
package.path = "lua/?.lua;lua/?/init.lua;" .. package.path

local wishes = dofile("lua/web/wishes.lua")
local target = assert(arg[1], "where to?")
local folder = target:match("^(.*/)") or ""

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

--- In a script element nothing may look like its end.
local function inert(text)
  return (text:gsub("</script", "<\\/script"):gsub("<!%-%-", "<\\!--"))
end

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function json(text)
  return '"' .. text:gsub('[%c"\\]', escapes) .. '"'
end

--- Examples that end with a model or a simulation, and read no files.
local function examples()
  local list, pipe = {}, assert(io.popen("LC_ALL=C ls examples/*.lua"))
  for path in pipe:lines() do
    local name, code = path:match("([^/]+)%.lua$"), read(path)
    local wish = wishes[name] or {}
    if code:find("\nreturn [%w_]") and not code:find("sarrus.import", 1, true)
      and not code:find("sarrus.system", 1, true) and not code:find("sarrus.dae", 1, true)
      and not code:find("arg%[") then
      list[#list + 1] = ('{"name":%s,"until":%.17g,"every":%.17g,"code":%s}'):format(json(name),
        wish.till or 10, wish.every or 0, json(code))
    end
  end
  pipe:close()
  return "[" .. table.concat(list, ",\n") .. "]"
end

local parts = { host = inert(read(folder .. "host.js")), examples = inert(examples()) }
local page = read("lua/playground/page.html"):gsub("{{(%a+)}}", function(name)
  return parts[name]
end)
local file = assert(io.open(target, "wb"))
assert(file:write(page))
assert(file:close())
