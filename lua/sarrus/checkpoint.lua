--- Files that are written whole or not at all.

local errors = require "sarrus.errors"

--- Write a string to a file through a temporary one beside it; the old file stays until the new one
--- is complete.
---@param path string
---@param record string what `sim:save()` gave
---@return true? done
---@return string? message
---@return string? code IO
local function checkpoint(path, record)
  if type(path) ~= "string" or path == "" or path:find("%z") then
    errors.raise("checkpoint: " .. errors.got(path) .. ", want a path")
  elseif type(record) ~= "string" then
    errors.raise("checkpoint: " .. errors.got(record) .. ", want what sim:save() gave")
  end
  local temporary = path .. ".tmp"
  local file, message = io.open(temporary, "wb")
  if not file then
    return nil, "checkpoint: " .. message, "IO"
  end
  local written, why = file:write(record)
  local closed, why_close = file:close()
  if written and closed then
    local renamed, why_rename = os.rename(temporary, path)
    if renamed then
      return true
    end
    why = why_rename
  end
  os.remove(temporary)
  return nil, ("checkpoint: %s: %s"):format(path, why or why_close or "not written"), "IO"
end

return checkpoint
