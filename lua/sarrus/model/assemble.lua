--- Starts: from the drawing and what a script gives to coordinates and velocities.

local drawing = require "sarrus.model.drawing"

local assemble = {}

function assemble.fields()
  return {}
end

function assemble.start(model)
  local q, v = {}, {}
  for _, body in ipairs(model.bodies) do
    drawing.coordinates(body, q)
  end
  for i = 1, #model.equations.names do
    q[i], v[i] = q[i] or 0, 0
  end
  return q, v
end

return assemble
