-- For counting instructions: advance a problem while directions of its start are followed.
--   lua5.4 core/bench/tangent.lua problem rods directions
local mechanisms = dofile "core/bench/mechanisms.lua"
local problem = mechanisms[arg[1]](tonumber(arg[2]))
local count = tonumber(arg[3])
local sim = problem.simulate { tolerance = 1e-12 }
local dq, dv = {}, {}
for l = 1, count do
  for i = 1, #sim.system.coordinates do
    dq[#dq + 1], dv[#dv + 1] = math.sin(l * i), math.cos(l * i)
  end
end
assert(sim.core:directions(count, dq, dv))
assert(sim:advance(problem.t))
