-- Pages of recordings in a browser, driven by the checks of page.mjs.
local shell = dofile("spec/shell.lua")

local browser = {}

--- What has to be installed first; nil where nothing is missing.
browser.missing = not pcall(shell.run, "node --version && test -f build/web/packages && "
  .. "{ command -v chromium || command -v chromium-browser || command -v google-chrome; }")
  and "needs chromium, node and the packages of `make build/web/packages`" or nil

--- What a check sees of a recording's page.
function browser.see(check, recording, options)
  local path = os.tmpname()
  assert(recording:html(path .. ".html", options))
  local good, output = pcall(shell.run,
    ("node spec/page.mjs %s %s"):format(check, shell.quote(path .. ".html")))
  os.remove(path)
  os.remove(path .. ".html")
  assert(good, output)
  return assert((loadstring or load)(output))() -- luacheck: std max
end

return browser
