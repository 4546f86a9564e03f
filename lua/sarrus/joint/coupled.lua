--- Coupled joints: the coordinate of the second is a polynomial of that of the first,
--- y = c0 + c1 x + c2 x^2 + …, whatever bodies they join.

local errors = require "sarrus.base.errors"
local fields = require "sarrus.base.fields"
local kinds = require "sarrus.model.part.kinds"

local coupled = { bodies = "joints" }

function coupled.fields()
  return { { "coefficients", fields.list(kinds.scalar), required = true } }
end

function coupled.check(record, fault)
  for i, joint in ipairs(record.joints) do
    if not joint.coordinate then
      fault(("joint %d, %s, has no coordinate"):format(i, errors.show(joint.name)))
    end
  end
  if #record.checked.coefficients == 0 then
    fault("coefficients: the list is empty")
  end
end

function coupled.couple(self, record, symbol)
  local one, other = record.joints[1], record.joints[2]
  local x, y = symbol(one, one.coordinate), symbol(other, other.coordinate)
  local c, value = self.coefficients, 0
  for i = #c, 1, -1 do -- Horner
    value = (i < #c and value * x or 0) + c[i]
  end
  return { { y - value, "ratio", unit = other.coordinate.unit } }
end

return coupled
