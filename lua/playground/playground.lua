--- What the playground does with a script: run it as the command does, record what it returns, and
--- answer with the page.  What goes wrong is printed.
local text, till, every = ...

package.path = "/lua/?.lua;/lua/?/init.lua"
local core = require "sarrus.core"
local kind_of = require "sarrus.command.script".kind

local PAGE = "/page.html"

--- The simulation of what a script returned; nil where there is none.
local function simulation(value)
  local kind = kind_of(value)
  if kind == "model" then
    return assert(value:simulate {})
  end
  return kind == "simulation" and value or nil
end

local function run()
  local script = assert(load(text, "=script", "t"))
  local sim = simulation(script())
  if not sim then
    print("nothing to show: a script ends with `return model` or `return sim`")
    return nil
  end
  local recording = sim:record { every = every > 0 and every or till / 1000 }
  local began = core.seconds()
  local result, message = sim:advance(sim.time + till)
  if not result then
    print(message)
  end
  print(("%s: %g s in %.3f s"):format(sim.system.name, sim.time, core.seconds() - began))
  assert(recording:html(PAGE))
  return core.read_file(PAGE)
end

local good, page = xpcall(run, function(message)
  return type(message) == "string" and message or tostring(message)
end)
if not good then
  print(page)
  return nil
end
return page
