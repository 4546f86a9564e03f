--- Mechanisms, scenes and stiff mechanisms, with parameters for places and sizes, exported: what C
--- prints of states and all channels has the bits of Lua.
local sarrus = require "sarrus"
local exported = dofile("spec/exported.lua")
local drawings = dofile("spec/random/tools/drawings.lua")
local sources = dofile("spec/random/tools/sources.lua")
local stiff = dofile("spec/random/tools/stiff.lua")

-- The error is how many numbers differ.
local class = { cases = 12, bound = 0 }

-- Instants that have no rounding: those of recordings are found in another way.
local UNTIL, SAMPLES, SI = 0.5, 4, stiff.units(1, 1, 1)

local function drawn(draw)
  local make, seed = drawings[draw:pick(drawings.names)], draw:whole(1, 1e9)
  local source = draw:chance(0.5) and sources.numbers(seed) or sources.expressions(seed)
  return sarrus.model(make(source)), { parameters = source.values }
end

function class.case(draw)
  local model, start
  if draw:chance(0.7) then
    model, start = drawn(draw)
  else
    model, start = stiff.model(stiff.draw(draw, 0, 4), SI), {}
  end
  if not model:simulate(start) then
    return 0
  end
  return (exported.compare(model, start, UNTIL, SAMPLES))
end

return class
