--- What a host takes away from scripts.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local later = require "sarrus.base.later"

--- Modules for the shell, which write files by Lua's own library, cannot be loaded any more.
local function refuse(name)
  if name:find("^sarrus%.command") or name:find("^sarrus%.sweep") then
    return function()
      error(name .. ": files are closed (sarrus.sandbox)", 0)
    end
  end
end

--- Before the first model: with `files = false`, nothing of sarrus reads or writes files any more,
--- and nothing brings them back.  What would answers nil, message, "IO", or raises.
---@param given { files: boolean }
---@return true
local function sandbox(given)
  local checked = fields.check({ { "files", fields.boolean, required = true } }, given, "sandbox")
  if checked.files and core.files_are_closed() then
    errors.raise("sandbox: files are closed for good")
  elseif checked.files then
    return true
  end
  getmetatable(require "sarrus").__pairs() -- loads all of it
  later.load()
  if not core.close_files() then
    errors.raise("sandbox: a model has been simulated already; files are closed before the first")
  end
  table.insert(package.searchers or package.loaders, 1, refuse) -- luacheck: ignore
  return true
end

return sandbox
