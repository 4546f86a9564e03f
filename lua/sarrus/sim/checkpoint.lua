--- Checkpoints: what `sim:save()` gave, in a file.

local errors = require "sarrus.base.errors"
local file = require "sarrus.base.file"

--- Write a string to a file through a temporary one beside it; the old file stays until the new one
--- is complete.
---@param path string
---@param record string what `sim:save()` gave
---@return true? done
---@return string? message
---@return string? code IO
local function checkpoint(path, record)
  if type(record) ~= "string" then
    errors.raise("checkpoint: " .. errors.got(record) .. ", want what sim:save() gave")
  end
  return file.write("checkpoint", path, record)
end

return checkpoint
