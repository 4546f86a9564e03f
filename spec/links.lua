-- Links between pages.
local shell = dofile("spec/shell.lua")
local read = shell.read

local links = {}

--- The anchors of a page's headings, as a set.
local function anchors(text)
  local set = {}
  for heading in text:gsub("\n```.-\n```", ""):gmatch("\n#+ ([^\n]+)") do
    set[heading:lower():gsub("[^%w%-_ ]", ""):gsub(" ", "-")] = true
  end
  return set
end

--- Links of a page that lead nowhere.
function links.broken(path)
  local text, broken = read(path), {}
  for link in text:gmatch("%]%(([^)%s]+)%)") do
    local target, anchor = link:match("^([^#]*)#?(.*)$")
    local page = target == "" and path or (path:match("^.*/") or "") .. target
    local file = io.open(page, "rb")
    local found = file ~= nil and (anchor == "" or anchors("\n" .. read(page))[anchor])
    if file then
      file:close()
    end
    if not found and not link:find("^%a+:") then
      broken[#broken + 1] = link
    end
  end
  return broken
end

--- Those of all pages below a folder, each after its page, and how many pages there are.
function links.broken_below(folder)
  local list, count = {}, 0
  for page in shell.run("find " .. shell.quote(folder) .. " -name '*.md'"):gmatch("[^\n]+") do
    count = count + 1
    for _, link in ipairs(links.broken(page)) do
      list[#list + 1] = page:sub(#folder + 2) .. ": " .. link
    end
  end
  return list, count
end

return links
