--- Lists that start with order 0.

local errors = require "sarrus.base.errors"

--- What is read from index 0: `A[0] … A[A.order]`, nil outside.
---@class sarrus.Indexed: { [integer]: any, order: integer }
local Indexed = { __name = "sarrus.list" }

function Indexed:__tostring()
  local lines = {}
  for k = 0, self.order do
    local text = type(self[k]) == "number" and errors.show(self[k]) or tostring(self[k])
    lines[#lines + 1] = ("[%d] = %s"):format(k, text)
  end
  return table.concat(lines, "\n")
end

--- An empty list of this order.
---@param order integer
---@return sarrus.Indexed
return function(order)
  return setmetatable({ order = order }, Indexed)
end
