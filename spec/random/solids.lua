--- Spatial scenes: spheres with friction, on each other too; spheres, boxes, capsules and cylinders
--- without.  Nothing penetrates by more than 1e-9, forces push and stay within the cone of friction
--- to 1e-10 of the largest, the energy never rises; what fails says CONTACT, which the case answers
--- besides its error.
local solids = dofile("spec/random/tools/solids.lua")

-- The error is in units of what is allowed.
local class = { cases = 24, bound = 1 }

local SMOOTH = { "sphere", "box", "capsule", "cylinder" }
local ROUGH = { "sphere", piled = { "sphere" } }

function class.case(draw)
  if draw:chance(0.5) then
    return solids.error(solids.scene(draw, SMOOTH, 0))
  end
  return solids.error(solids.scene(draw, ROUGH, draw:between(0, 1)))
end

return class
