--- Spatial scenes as in `solids`, but spheres, boxes, capsules and cylinders with friction, and
--- piles.
local solids = dofile("spec/random/tools/solids.lua")

-- The error is in units of what is allowed.  1 to 101 hold, and 400001 to 400060.  Of the others up
-- to 180, 102 does not end within 3000 steps for a sample; 104, where a capsule lies along a floor
-- and a wall, and 109 end with CONTACT.
local class = { cases = 30, bound = 1, open = true }

local KINDS = { "sphere", "box", "capsule", "cylinder", piled = { "sphere", "capsule", "sphere" },
  box = "box" }

function class.case(draw)
  return solids.error(solids.scene(draw, KINDS, draw:chance(0.2) and 0 or draw:between(0, 1)))
end

return class
