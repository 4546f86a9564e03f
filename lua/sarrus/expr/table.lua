--- Measured data as a function of one expression.

local core = require "sarrus.core"
local errors = require "sarrus.base.errors"
local expr = require "sarrus.expr"
local fields = require "sarrus.base.fields"

-- A graph that evaluates a table keeps every number it was given; start afresh now and then.
local MOST_NODES = 1000

---@class sarrus.Table
---@field x number[] the knots, rising
---@field y number[] the values
---@overload fun(x: sarrus.Scalar): sarrus.Scalar
local Table = { __name = "sarrus.table" }
Table.__index = Table

local specification = {
  { "x", fields.list(fields.number), required = true },
  { "y", fields.list(fields.number), required = true },
}

local function check_points(x, y)
  if #x < 2 then
    errors.raise("sarrus.table: want two or more points, got " .. #x)
  elseif #x ~= #y then
    errors.raise(("sarrus.table: %d values of x, but %d of y"):format(#x, #y))
  end
  for i = 2, #x do
    if x[i] <= x[i - 1] then
      errors.raise(("sarrus.table: x must rise, but x[%d] = %s follows %s"):format(i,
        errors.show(x[i]), errors.show(x[i - 1])))
    end
  end
end

--- A piecewise cubic through points, which rises and falls only where they do, and is continued as
--- a straight line.  Call it with a number or an expression.
---@param points { x: number[], y: number[] }
---@return sarrus.Table
local function new(points)
  local data = fields.check(specification, points, "sarrus.table")
  check_points(data.x, data.y)
  return setmetatable(data, Table)
end

--- The value at a number, by the core's own folding of constants.
local function value_at(self, x)
  local graph = rawget(self, "graph")
  if not graph or graph:count() > MOST_NODES then
    graph = core.graph()
    self.graph, self.number = graph, graph:new_table(self.x, self.y)
  end
  return graph:value(graph:table(self.number, graph:constant(x)))
end

function Table:__call(x)
  if type(x) == "number" and x - x == 0 then
    return value_at(self, x)
  elseif expr.is(x) then
    return expr.table(self, x)
  end
  errors.raise("sarrus.table: the argument is " .. errors.show(x)
    .. ", want a number or an expression")
end

function Table:__tostring()
  return ("table of %d points, x from %s to %s"):format(#self.x, errors.show(self.x[1]),
    errors.show(self.x[#self.x]))
end

return new
