-- Commands for the specs that build, install and run things outside the tree.
local shell = {}

--- One shell word.
function shell.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Run a command in a plain environment (none of the tree's search paths, no flags of an outer
--- make).  Returns its output, errors included; raises with it when the command fails.
function shell.run(command)
  local plain = "unset MAKEFLAGS MFLAGS MAKELEVEL LUA_INIT LUA_PATH LUA_CPATH LUA_PATH_5_4 "
    .. "LUA_CPATH_5_4 LUA_PATH_5_3 LUA_CPATH_5_3\n"
  local pipe = assert(io.popen("(" .. plain .. command .. "\n) 2>&1; echo \"exit $?\"", "r"))
  local output, code = pipe:read("*a"):match("^(.*)exit (%d+)%s*$")
  pipe:close()
  if code ~= "0" then
    error(command .. "\nended with " .. tostring(code) .. ":\n" .. tostring(output), 2)
  end
  return output
end

--- The whole of a file.
function shell.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

--- A fresh directory; its path has no newline at the end.
function shell.temporary_directory()
  return (shell.run("mktemp -d"):gsub("%s+$", ""))
end

return shell
