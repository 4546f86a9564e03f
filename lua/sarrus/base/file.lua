--- Files that are written whole or not at all.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"

local file = {}

--- A path, or misuse.
---@param what string as messages name the call
---@param path any
---@return string
function file.path(what, path)
  if type(path) ~= "string" then
    errors.raise(("%s: %s, want a path"):format(what, errors.got(path)))
  end
  return path
end

--- nil, message, code for a path and a reason; true stays.
---@param what string
---@param path string
---@return true?
---@return string? message
---@return string? code
function file.answer(what, path, done, reason, code)
  if done then
    return done
  end
  local shown = path:find("^[%w%p ]+$") and path or errors.show(path)
  return nil, ("%s: %s: %s"):format(what, shown, reason), code
end

--- Write a file through a temporary one beside it; the old one stays until the new one is complete.
---@param what string as messages name the call
---@param path string
---@param text string
---@return true? done
---@return string? message
---@return string? code IO
function file.write(what, path, text)
  return file.answer(what, path, core.write_file(file.path(what, path), text))
end

return file
