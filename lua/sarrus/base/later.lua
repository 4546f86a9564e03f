--- Modules that are loaded when they are first used, since most scripts do not need them: the
--- first four-bar takes 49 million instructions in place of 83, of which 5 are its own.
---   local reach = later "sarrus.model.reach"
--- stands for the module, a table or a function.

local require = require -- a host may take it away from scripts

local later = {}

local noted = {}

--- Name a module that will be loaded when it is needed.
---@param name string
function later.note(name)
  noted[#noted + 1] = name
end

--- Load what is named, and what that names in its turn.
function later.load()
  local i = 1
  while noted[i] do
    require(noted[i])
    i = i + 1
  end
end

local function stand_in(_, name)
  later.note(name)
  return setmetatable({}, {
    __index = function(proxy, key)
      local module = require(name)
      getmetatable(proxy).__index = module
      return module[key]
    end,
    __call = function(_, ...)
      return require(name)(...)
    end,
  })
end

--- A function of such a module, loaded when it is called.
---@param module table what stands for the module
---@param name string
---@return function
function later.call(module, name)
  return function(...)
    return module[name](...)
  end
end

return setmetatable(later, { __call = stand_in })
