--- Spatial scenes as in `solids`, but spheres, boxes, capsules and cylinders with friction, and
--- piles.
local solids = dofile("spec/random/tools/solids.lua")

-- The error is in units of what is allowed.  Of 190, 6 end with STEP, EVENT or CONTACT (18, 41,
-- 102, 109, 150, 177), and about 10 take long: cylinders that roll on their rim and slip by turns,
-- and piles of rods, whose gaps are searched in many pieces.
local class = { cases = 30, bound = 1, open = true }

local KINDS = { "sphere", "box", "capsule", "cylinder", piled = { "sphere", "capsule", "sphere" },
  box = "box" }

function class.case(draw)
  return solids.error(solids.scene(draw, KINDS, draw:chance(0.2) and 0 or draw:between(0, 1)))
end

return class
