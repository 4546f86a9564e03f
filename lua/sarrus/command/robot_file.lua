--- A URDF or MJCF file in the place of a script.

local robot_file = {}

--- Whether a path names one.
---@param path string
---@return boolean
function robot_file.is(path)
  local kind = path:lower():match("%.(%a+)$")
  return kind == "urdf" or kind == "xml" or kind == "mjcf"
end

--- Say what was ignored or changed.
---@param notes string[]
function robot_file.tell(notes)
  for _, note in ipairs(notes) do
    io.stderr:write("sarrus: note: ", note, "\n")
  end
end

--- The model of a file.
---@param path string
---@return sarrus.Model?
---@return string? message
---@return integer? code for the shell
function robot_file.model(path)
  local parts, message, code = require "sarrus.robot".import(path)
  if not parts then
    return nil, ("%s [%s]"):format(message, code), 1
  end
  robot_file.tell(parts.notes)
  local good, model = pcall(require "sarrus.model".new, {
    name = parts.name, gravity = parts.gravity, parts,
  })
  if not good then
    return nil, tostring(model), 1
  end
  return model
end

return robot_file
