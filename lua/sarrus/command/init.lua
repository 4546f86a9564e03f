--- The command `sarrus`: runs, checks, explains and analyses scripts that return a model or a
--- simulation, and files of robots; converts these into scripts.

local errors = require "sarrus.base.errors"
local options = require "sarrus.command.options"
local script = require "sarrus.command.script"

local names = { "run", "check", "equilibrium", "linearise", "explain", "convert", "sweep", "fit",
  "verify" }

local function version()
  return require "sarrus"._VERSION
end

local function command_of(name)
  return require("sarrus.command." .. name)
end

local function help()
  local rows = {}
  for i, name in ipairs(names) do
    rows[i] = { name, command_of(name).summary }
  end
  return ([[
%s: simulates mechanisms that a Lua script describes

usage: sarrus command script.lua [options]

%s

The script ends with `return model` or `return sim`; a URDF or MJCF file may stand in its place,
and convert takes no other.  Each command has its own --help.

examples
  sarrus run robot.lua --until 10 --html robot.html
  sarrus check robot.lua
  sarrus equilibrium crane.lua --html modes.html
  sarrus explain robot.lua equations
  sarrus convert robot.urdf -o robot.lua
  sarrus sweep robot.lua --set damping=0:50:100 --csv robot.csv

exit codes
%s
]]):format(version(), options.columns(rows), options.columns {
    { "0", "all went well" },
    { "1", "the script or the simulation failed" },
    { "2", "wrong usage" },
    { "130", "interrupted; 128 and the number of the signal" },
  })
end

local function complain(message)
  io.stdout:flush()
  io.stderr:write("sarrus: ", message, "\n")
end

--- Wrong usage.
local function wrong(message, name)
  complain(message)
  io.stderr:write(("try 'sarrus %s--help'\n"):format(name and name .. " " or ""))
  return 2
end

--- The command's module, or the exit code where there is none of that name.
local function find(name)
  for _, known in ipairs(names) do
    if name == known then
      return command_of(name)
    end
  end
  local hint = errors.suggest(name, names)
  if hint == "" and name:find("%.lua$") then
    hint = (" (did you mean 'sarrus run %s'?)"):format(name)
  end
  return nil, wrong(("unknown command %s%s"):format(errors.show(name), hint))
end

local function perform(name, words)
  local command, code = find(name)
  if not command then
    return code
  end
  local values, message = options.parse(command, words)
  if not values then
    return wrong(message, name)
  elseif values.help then
    io.stdout:write(options.help(command))
    return 0
  elseif not values[1] then
    return wrong(("%s needs a %s"):format(name, command.needs or "script"), name)
  elseif #values > command.words then
    return wrong(("unexpected %s; arguments of the script go after --")
      :format(errors.show(values[command.words + 1])), name)
  end
  local open = command.open or script.run
  local subject, unusable, failed = open(values[1], values.arguments, values)
  if not subject then
    complain(unusable)
    return failed
  end
  local good, result, why = pcall(command.perform, subject, values)
  if not good then
    result, why = script.exit_code(result), tostring(result)
  elseif result == "usage" then
    return wrong(why, name)
  end
  if why then
    complain(why)
  end
  return result
end

--- Descriptors 0 to 2 that the caller has closed would be given to files: keep them taken.
local function guard()
  return { io.open("/dev/null", "r+"), io.open("/dev/null", "r+"), io.open("/dev/null", "r+") }
end

--- What the words ask for; the code for the shell.
local function dispatch(words)
  local first, rest = words[1], {}
  for i = 2, #words do
    rest[i - 1] = words[i]
  end
  if first == nil then
    io.stderr:write(help())
    return 2
  elseif first == "--help" or first == "-h" then
    io.stdout:write(help())
    return 0
  elseif first == "--version" then
    io.stdout:write(version(), "\n")
    return 0
  elseif first:find("^%-") then
    return wrong(("unknown option %s%s"):format(first,
      errors.suggest(first, { "--help", "--version" })))
  end
  return perform(first, rest)
end

--- Run the command line, and end the process.
---@param words string[]
local function main(words)
  local guards = guard()
  local code = dispatch(words)
  local delivered, message = io.stdout:flush()
  if not delivered then
    complain("standard output: " .. message)
    code = code == 0 and 1 or code
  end
  for _, file in pairs(guards) do
    file:close()
  end
  os.exit(code, true)
end

return main
