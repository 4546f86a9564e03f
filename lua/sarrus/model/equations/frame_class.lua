--- What all classes of frames share (frame.lua).

local drawing = require "sarrus.model.drawing"
local errors = require "sarrus.base.errors"
local strict = require "sarrus.base.strict"

local class_of_frames = {}

--- c1 x1 + c2 x2 + … without the terms that are zero.
function class_of_frames.sum(base, ...)
  local total = base
  for i = 1, select("#", ...), 2 do
    local c, x = (select(i, ...)), (select(i + 1, ...))
    if c ~= 0 and x ~= 0 then
      local term = c == 1 and x or c * x
      total = total == 0 and term or total + term
    end
  end
  return total
end

--- A local vector of a frame, given to its method `name`; the origin where none is given.
function class_of_frames.local_vector(self, list, name)
  if list == nil then
    return self.origin
  elseif type(list) ~= "table" or #list ~= self.dimension then
    errors.raise(("%s: %s, want a local vector of %d components"):format(name,
      type(list) == "table" and "got " .. #list .. " components" or errors.got(list),
      self.dimension))
  end
  return list
end

--- An empty class.
function class_of_frames.new()
  return strict({ __name = "sarrus.frame" }, "a frame", {},
    { "body", "ground", "turns", "dimension", "offset", "q", "v", "origin", "c", "s" })
end

--- Add to a class that has its methods what is told by places of the drawing.
---@generic T: table
---@param class T
---@return T class
function class_of_frames.complete(class)
  -- What scripts call: with a colon, or they are told so.
  for _, name in ipairs { "point", "direction", "velocity", "angle", "spin" } do
    local method = class[name]
    class[name] = function(self, l)
      errors.check_self(self, class, name, "body")
      return method(self, l)
    end
  end

  --- The point of the body that is at place p of the drawing.
  function class:place(p)
    return self:point(drawing.place(self.body, p))
  end

  --- The direction of the body that is d in the drawing.
  function class:along(d)
    return self:direction(drawing.direction(self.body, d))
  end

  --- The velocity of that point.
  function class:place_velocity(p)
    return self:velocity(drawing.place(self.body, p))
  end

  --- The rate of that direction.
  function class:along_rate(d)
    return self:direction_rate(drawing.direction(self.body, d))
  end
  return class
end

return class_of_frames
