--- Spatial scenes as in `solids`, but spheres, boxes, capsules and cylinders with friction, and
--- piles.
local solids = dofile("spec/random/tools/solids.lua")

-- The error is in units of what is allowed.  Some crawl: several points of a body slip while others
-- hold it.
local class = { cases = 30, bound = 1, open = true }

local KINDS = { "sphere", "box", "capsule", "cylinder", piled = { "sphere", "capsule", "sphere" },
  box = "box" }

function class.case(draw)
  return solids.error(solids.scene(draw, KINDS, draw:chance(0.2) and 0 or draw:between(0, 1)))
end

return class
