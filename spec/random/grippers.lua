--- Boxes between four to eight pads that close on them: as plates.lua, whose scenes they are.
local plates = dofile("spec/random/plates.lua")

-- Open: where pads that are not symmetric begin to slip, 6 of 25 are wrong or end early.
return { cases = 20, bound = 1, early = 0.2, open = true, case = function(draw)
  return plates.of_kind(draw, 3)
end }
