--- A model as text.
local explain = {}

function explain.model(model)
  return tostring(model)
end

return explain
