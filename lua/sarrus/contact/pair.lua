--- Shapes that touch.

local errors = require "sarrus.base.errors"
local touch = require "sarrus.model.equations.touch"

local pair = { bodies = "shapes" }

function pair.fields()
  return {}
end

local function immovable(a, b)
  return a.body == b.body or (a.body.ground and b.body.ground)
end

--- Pairs of one from each list, or within the one, that can move against each other.
local function pairs_of(a, b)
  local list = {}
  for i, one in ipairs(a) do
    for j = b and 1 or i + 1, #(b or a) do
      local other = (b or a)[j]
      if not immovable(one, other) then
        list[#list + 1] = { one, other }
      end
    end
  end
  return list
end

function pair.complete(contact)
  contact.pairs = pairs_of(contact.shapes[1], contact.shapes[2])
end

function pair.check(contact, fault, model)
  local a, b = contact.shapes[1], contact.shapes[2]
  if #contact.pairs == 0 and b and #a == 1 and #b == 1 then
    fault(("%s and %s are both fixed to %s: they cannot touch"):format(errors.show(a[1].name),
      errors.show(b[1].name), errors.show(a[1].body.name)))
  elseif #contact.pairs == 0 then
    fault("no two of the shapes can touch: give at least two that are fixed to different bodies")
  end
  local told = {}
  for _, one in ipairs(contact.pairs) do
    local wrong = touch.unsupported(one[1], one[2], model.dimension)
    if wrong and not told[wrong] then
      told[wrong] = true
      fault(("%s and %s: %s"):format(errors.show(one[1].name), errors.show(one[2].name), wrong))
    end
  end
end

function pair.meets(contact, frame_of)
  local list = {}
  for _, one in ipairs(contact.pairs) do
    for _, found in ipairs(touch.between(one[1], one[2], frame_of)) do
      list[#list + 1] = found
    end
  end
  return list
end

return pair
