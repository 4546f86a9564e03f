--- Of several ways to close loops the nearest one.

local holding = require "sarrus.model.start.holding"
local posing = require "sarrus.model.start.posing"
local probe = require "sarrus.model.start.probe"

local nearest = {}

-- So much of a radian, or of the model's size, given coordinates are moved at once.  (Sixty slider
-- cranks at twelve lengths each: with 0.5, three close the other way; with 0.25, none.)
local STRIDE = 0.25

--- Positions in the drawing, as far as bodies are not given elsewhere; nil where loops stay open.
local function drawn(model, start)
  local bare = setmetatable({ joints = {} }, { __index = start })
  local q, v = posing.guess(model, bare)
  local system = probe.system(model)
  return probe.close(system.compiled, system.parameters, start, q, v)
end

--- Positions with wishes held, reached from the drawing in strides; nil where one stride reaches
--- them, or several do not.
local function follow(model, start, positions, q, v)
  local measure, far = holding.measuring(model, positions), 0
  local from = measure(start.t, q, v, nil, nil, start.parameters)
  for i, wish in ipairs(positions) do
    far = math.max(far, math.abs(wish[2] - from[i]) / holding.scale_of(model, wish[4], model.size))
  end
  local count = math.ceil(far / STRIDE)
  if count < 2 or far > 2 * math.pi then
    return nil
  end
  for k = 1, count - 1 do
    local part = {}
    for i, wish in ipairs(positions) do
      part[i] = { wish[1], from[i] + (wish[2] - from[i]) * k / count, wish[3], wish[4] }
    end
    q = holding.hold(model, start, part, {}, q, v)
    if not q then
      return nil
    end
  end
  return (holding.hold(model, start, positions, {}, q, v))
end

--- The square of how far positions are from others, in the norm of the mass.
local function effort(model, start, q, from)
  local moved = {}
  for i, x in ipairs(q) do
    moved[i] = x - from[i]
  end
  local kinetic = { { model.equations:kinetic(), 0, "moved" } }
  return holding.measuring(model, kinetic)(start.t, q, moved, nil, nil, start.parameters)[1]
end

--- Positions with wishes held; nil where that cannot be.  Newton's method goes to any of the ways
--- in which loops close: where wishes leave no freedom, the one that the drawing leads to is taken
--- if less is moved for it.
function nearest.hold(model, start, positions, q, v)
  local held, _, settled = holding.hold(model, start, positions, {}, q, v)
  local from, rates
  if settled or not held then
    from, rates = drawn(model, start)
  end
  local followed = from and follow(model, start, positions, from, rates)
  if followed and held then
    local near, far = effort(model, start, followed, from), effort(model, start, held, from)
    return near < (1 - 1e-6) * far and followed or held
  end
  return held or followed
end

return nearest
