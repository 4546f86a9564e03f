--- `sarrus convert`: a URDF or MJCF file as a script.

local file = require "sarrus.base.file"
local options = require "sarrus.command.options"
local robot_file = require "sarrus.command.robot_file"
local robots = require "sarrus.robot"
local script = require "sarrus.robot.script"

local convert = {
  summary = "write a URDF or MJCF file as a script",
  usage = "sarrus convert robot.urdf -o robot.lua [options]",
  about = [[
Writes the robot as a script that returns its model, for its owner to edit.  What was ignored or
changed is told by line, and stands in the script too.]],
  words = 1,
  needs = "file",
  options = {
    { "output", "file", "write to this file [the standard output]", kind = options.path,
      short = "o" },
    { "floating", nil, "the root of a URDF moves freely" },
    { "contacts", nil, "shapes that can touch do" },
    { "unfused", nil, "links that are fixed to each other stay bodies" },
  },
  examples = {
    "sarrus convert robot.urdf -o robot.lua",
    "sarrus convert walker.xml --contacts -o walker.lua",
  },
}

--- The file itself is what it works on.
function convert.open(path)
  return path
end

function convert.perform(path, values)
  local result, message, code = robots.read(path, {
    floating = values.floating, contacts = values.contacts, fuse = not values.unfused,
  })
  if not result then
    return 1, ("%s [%s]"):format(message, code)
  end
  robot_file.tell(result.notes)
  if not values.output or values.output == "-" then
    io.stdout:write(script.of(result))
    return 0
  end
  local done, why, kind = file.write("convert", values.output, script.of(result))
  if not done then
    return 1, ("%s [%s]"):format(why, kind)
  end
  return 0
end

return convert
