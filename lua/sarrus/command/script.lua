--- A script, run as the Lua interpreter would run it, and what it returns; a file of a robot is
--- imported.

local errors = require "sarrus.base.errors"
local robot_file = require "sarrus.command.robot_file"

local script = {}

local MOST_CALLERS = 10
local INTERRUPTED = 130 -- what a shell answers for a command that Ctrl-C ended

--- The places in the script from which the present one was called, innermost first.
local function callers()
  local places = {}
  local place, level = errors.where(3)
  while place and #places <= MOST_CALLERS do
    places[#places + 1] = place
    place, level = errors.where(level + 1)
  end
  return places
end

--- The message of an error, with the places that led to it where it does not name them itself.
local function describe(message, places)
  if type(message) ~= "string" then
    local meta = debug.getmetatable(message)
    local readable = type(meta) == "table" and meta.__tostring or type(message) == "number"
    message = readable and tostring(message)
      or ("the script raised %s"):format(errors.show(message))
  end
  local lines = { message }
  for _, place in ipairs(places) do
    if not message:find(place .. ":", 1, true) then
      lines[#lines + 1] = "  called from " .. place
    end
  end
  return table.concat(lines, "\n")
end

--- The code for the shell after an error: Ctrl-C reaches scripts as one.
---@param raised any
---@return integer
function script.exit_code(raised)
  return tostring(raised):find("interrupted!", 1, true) and INTERRUPTED or 1
end

local kinds = {
  ["sarrus.model"] = "model",
  ["sarrus.sim"] = "simulation",
  ["sarrus.system"] = "system",
  ["sarrus.dae"] = "dae",
}

--- What a script may return, by its class; nil for anything else.
---@param value any
---@return "model"|"simulation"|"system"|"dae"|nil
function script.kind(value)
  local meta = type(value) == "table" and getmetatable(value)
  return type(meta) == "table" and kinds[rawget(meta, "__name")] or nil
end

--- Judge what a script returned.
local function returned(path, count, value, message, code)
  if script.kind(value) then
    return value
  elseif count == 0 then
    return nil, path .. ": the script ended without returning anything; end it with "
      .. "'return model' or 'return sim'"
  elseif value == nil and type(message) == "string" then
    return nil, code and ("%s [%s]"):format(message, tostring(code)) or message
  end
  return nil, ("%s: the script returns %s; return a model, a system or a simulation")
    :format(path, errors.show(value))
end

--- Run what a script is; `arg` and `…` are what `lua path arguments…` would give it.
local function call(chunk, path, arguments)
  local unpack = table.unpack or unpack -- luacheck: std max
  local given = { [0] = path, unpack(arguments) }
  rawset(_G, "arg", given)
  local places = {}
  local function pack(good, ...)
    return good, select("#", ...), ...
  end
  local good, count, value, message, code = pack(xpcall(function()
    return chunk(unpack(given))
  end, function(raised)
    places = callers()
    return raised
  end))
  if not good then
    return nil, describe(value, places), script.exit_code(value)
  end
  local subject, unusable = returned(path, count, value, message, code)
  return subject, unusable, 1
end

--- A table as it is now; a function that brings it back to that, but for keys that begin with a
--- word.
local function remember(of, but)
  local before = {}
  for key, value in pairs(of) do
    before[key] = value
  end
  return function()
    for key in pairs(of) do
      if before[key] == nil and not (but and tostring(key):find(but)) then
        of[key] = nil
      end
    end
    for key, value in pairs(before) do
      of[key] = value
    end
  end
end

--- What runs a script once more, from its beginning: with globals and modules as they were, and
--- without what it prints.
local function repeater(chunk, path, arguments)
  local globals, modules = remember(_G), remember(package.loaded, "^sarrus%f[^%w_]")
  return function()
    globals()
    modules()
    local written, shown, nothing = io.output(), print, io.open("/dev/null", "w")
    io.output(nothing)
    rawset(_G, "print", function() end)
    local subject, message, code = call(chunk, path, arguments)
    rawset(_G, "print", shown)
    io.output(written)
    nothing:close()
    return subject, message, code
  end
end

--- Run a script.
---@param path string "-" for the standard input
---@param arguments string[]
---@return table? subject a model, a system or a simulation
---@return string? message
---@return integer? code for the shell
---@return (fun(): table?, string?, integer?)? again runs it once more; nil where that is no script
function script.run(path, arguments)
  if robot_file.is(path) then
    return robot_file.model(path)
  end
  local chunk, unreadable = loadfile(path ~= "-" and path or nil)
  if not chunk then
    return nil, unreadable, 1
  end
  local again = repeater(chunk, path, arguments)
  local subject, message, code = call(chunk, path, arguments)
  return subject, message, code, again
end

return script
