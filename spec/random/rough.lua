--- Spatial scenes as in `solids`, but spheres, boxes, capsules and cylinders with friction, and
--- piles.
local solids = dofile("spec/random/tools/solids.lua")

-- The error is in units of what is allowed.  Of 100, 1 ends with STEP, and 5 to 10 take longer than
-- 6 s: cylinders that roll on their rim, slipping by turns, and piles of rods.
local class = { cases = 30, bound = 1, open = true }

local KINDS = { "sphere", "box", "capsule", "cylinder", piled = { "sphere", "capsule", "sphere" },
  box = "box" }

function class.case(draw)
  return solids.error(solids.scene(draw, KINDS, draw:chance(0.2) and 0 or draw:between(0, 1)))
end

return class
