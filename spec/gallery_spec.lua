--- The gallery has a page for every example that simulates something, its code and its output.

local shell = dofile("spec/shell.lua")

describe("the gallery #build", function()
  it("shows every example", function()
    local folder = shell.temporary_directory()
    finally(function() shell.run("rm -rf " .. shell.quote(folder)) end)
    shell.run('eval "$(.ci/env)"; lua5.4 lua/web/gallery.lua ' .. shell.quote(folder))
    local file = assert(io.open(folder .. "/index.html", "rb"))
    local index = file:read("*a")
    file:close()
    for path in shell.run("ls examples/*.lua"):gmatch("[^\n]+") do
      local name = path:match("([^/]+)%.lua")
      assert.truthy(index:find("<summary>" .. path .. "</summary>", 1, true), path)
      local page = io.open(folder .. "/" .. name .. ".html", "rb")
      assert.equal(name ~= "adomian", page ~= nil, name)
      if page then
        assert.truthy(index:find('href="' .. name .. '.html"', 1, true), name)
        assert.is_true(page:seek("end") > 5e5, name)
        page:close()
      end
    end
  end)
end)
