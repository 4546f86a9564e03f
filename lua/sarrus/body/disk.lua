--- A uniform disk about `axis`: a cylinder whose length may be left out (flat; then `density` is
--- mass per area).

local cylinder = require "sarrus.body.cylinder"
local kinds = require "sarrus.model.part.kinds"

local disk = {
  turns = true, oriented = true, round = true, build = cylinder.build, reaches = cylinder.reaches,
  extent = cylinder.extent,
}

function disk.fields(dimension)
  local list = cylinder.fields(dimension)
  list[3] = { "length", kinds.not_negative }
  return list
end

return disk
