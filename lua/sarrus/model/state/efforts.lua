--- Inverse dynamics: the efforts along joint coordinates that give wanted accelerations,
--- multipliers of the constraints that make joints lead (leading.lua).

local errors = require "sarrus.base.errors"
local leading = require "sarrus.model.state.leading"

local efforts = {}

local function check(model, accelerations)
  if type(accelerations) ~= "table" then
    errors.raise("efforts: " .. errors.got(accelerations) .. ", want accelerations by joint")
  end
  local names = {}
  for name in pairs(accelerations) do
    names[#names + 1] = tostring(name)
  end
  table.sort(names)
  for _, name in ipairs(names) do
    leading.joint(model, "efforts", name)
    if type(accelerations[name]) ~= "number" then
      errors.raise(("efforts: %s: %s, want number"):format(name, errors.got(accelerations[name])))
    end
  end
  return table.concat(names, "\n")
end

--- The efforts at a state.
---@param model sarrus.Model
---@param s sarrus.ModelState
---@param accelerations table<string, number>
---@return table<string, number>? efforts
---@return string? message
---@return string? code
function efforts.solve(model, s, accelerations)
  local key, found = check(model, accelerations), nil
  local problem, message, code = leading.solve(model, s, "efforts", key, accelerations,
    function(one)
      local failed
      found, failed = one.instant:motion(s.t, s.q, s.v, leading.parameters(one, s, accelerations),
        one.multipliers)
      return found and one or nil, failed
    end, accelerations)
  if not problem then
    return nil, message, code
  end
  local result = {}
  for i, name in ipairs(problem.names) do
    result[name] = found[i] and -found[i] or 0
  end
  return result
end

return efforts
